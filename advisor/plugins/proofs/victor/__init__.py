"""Allis' nine strategic rules: proofs, and plans to play by."""
