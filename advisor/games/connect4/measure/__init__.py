"""Measurements of this game's parts: scoring, exact scores, proofs."""
