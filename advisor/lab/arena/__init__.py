"""Matches between players, and estimates of their strength."""
