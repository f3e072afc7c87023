"""The game as machine code, for the compiled search: on boards of up to 64 bits.

Its rules are `compiled_rules`; the machine code of the evaluator values positions.
"""

import numpy as np

from advisor.engine.machine import CompiledCircuit, Machine
from advisor.engine.nodes import WIN
from advisor.games.connect4.board import Board, Geometry, word_type
from aspcircuits.functions import Functions
from aspcircuits.layout import Layout, layout
from aspcircuits.llvm import Library
from aspcircuits.native import Function
from aspcircuits.tiers import Tiers

_RULES = "look", "step"

RULES = Tiers(
    Functions("advisor.games.connect4.compiled_rules", _RULES, "the rules of Connect Four")
)
"""The code of the rules."""

RESULTS = (
    *((WIN, 0), (-WIN, 0), (0, 0)),
    *((WIN - 1, 1), (1 - WIN, 1), (WIN - 2, 2), (2 - WIN, 2)),
)
"""The meaning of a status's bits: won by player 1, by 2, drawn; won in one ply, in two.

The second number is the plies of look-ahead that it would take to find it.
"""


@layout
class BoardWords(Layout):
    """A board as compiled code uses it."""

    bottom: int  # bitboards
    full: int
    connect: int
    steps: int  # four: bit distances between squares of a line by direction, 0 if none fits

    def __init__(self, g: Geometry) -> None:
        super().__init__()
        steps = np.array([*g.steps, 0, 0, 0, 0], np.int64)
        self.set_words(bottom=g.bottom, full=g.full, connect=g.connect, steps=steps)


class Bitboards:
    """Positions as the machine takes them; see `advisor.engine.machine.Reader`."""

    def state(self, position: Board) -> list[int]:
        """Return the discs of player 1 and of player 2."""
        return [_to_signed(position.discs_of(player)) for player in (1, 2)]

    def second(self, position: Board) -> bool:
        return position.turn == 2

    def recurrences(self, position: Board) -> None:
        """Return None: no position recurs."""


def fits(g: Geometry) -> bool:
    """Return whether a board's positions fit into machine words, and a line is more than a disc."""
    return word_type(g) is not object and g.connect > 1


def machine(g: Geometry, rules: Library, leaf: Function, foresight: int) -> Machine:
    """Return the game on a board that `fits`.

    Args:
        g: the board.
        rules: the code of `RULES`.
        leaf: scores positions.
        foresight: plies ahead at which `leaf` knows for certain who wins, 0 or 1.
    """
    # One for all threads, since none writes to it; it keeps the words, and they keep the steps.
    board = np.frombuffer(memoryview(BoardWords(g)), np.uint64)
    circuits = [
        *(CompiledCircuit(rules.address(each), lambda: board, 1, rules) for each in _RULES),
        CompiledCircuit(leaf.address, leaf.scratch, leaf.block, leaf),
    ]
    squares = [_to_signed(1 << bit) for bit in range(g.stride * g.width)]
    return Machine(
        words=2,
        circuits=circuits,
        noisy_plies=0,
        counters=np.zeros(2, np.int64),
        candidates=2 - foresight,
        moves=len(squares),
        table=np.array(squares, np.int64)[:, None],
        results=[(value, max(0, plies - foresight)) for value, plies in RESULTS],
        exchanges=False,
        shared=(1, 2),
        branching=g.width,
    )


def _to_signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word
