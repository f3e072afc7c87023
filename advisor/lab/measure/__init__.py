"""Measurements: speed, exact scores, proofs and the quality of moves."""
