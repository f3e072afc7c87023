"""Advice: turns a position and settings into a move with its reasons."""
