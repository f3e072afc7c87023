"""How weights are learned, and how they are graded."""
