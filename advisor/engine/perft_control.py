"""The block of memory by which Python and the compiled counting of ways to play speak.

Each name is the number of a 64-bit word; those before them tell the game, as `playout_control`
names them. Arrays are given by their addresses, and have a part for each number of plies that may
be left.
"""

from advisor.engine.playout_control import GAME

BATCH, STRIDE = GAME, GAME + 1
"""States of a level at most; from column to column there."""
STATES, LOOKS, CHOSEN = range(GAME + 2, GAME + 5)
"""Columns: states, with those of the moves behind them; what look says; and of each move that is
to be made, the number of its state and its row of the table."""

SIZE = GAME + 5
