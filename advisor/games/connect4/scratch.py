"""What `compiled_rules` finds in its scratch memory: the numbers of words."""

BLOCK, BOTTOM, FULL, CONNECT, DIRECTIONS, STEPS = 0, 1, 2, 3, 4, 5
"""States at once; two bitboards; discs in line; and how far apart squares of a line are."""
PLANES = 16
"""Where its arrays begin."""
