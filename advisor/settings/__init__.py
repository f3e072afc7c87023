"""Weights and settings, checked against the encodings they speak of."""
