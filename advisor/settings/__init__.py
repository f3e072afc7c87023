"""Weights and settings, checked against their encodings."""
