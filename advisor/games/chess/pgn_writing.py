"""Games of chess as text (PGN), written; `pgn` reads them."""

import re
import textwrap
from collections.abc import Mapping, Sequence

from advisor.games.tree import TreeMove

_WIDTH = 79
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")


def text(
    moves: Sequence[TreeMove],
    result: str,
    tags: Mapping[str, str],
    begins: tuple[int, int] = (1, 0),
    remarks: Sequence[str] = (),
) -> str:
    """Return a game in PGN, with an empty line at its end.

    Args:
        moves: in algebraic notation.
        result: one of `pgn.RESULTS`.
        tags: added to, or instead of, the seven that are always there.
        begins: the number of the first move, and its side, 0 for White.
        remarks: ahead of the first move.
    """
    usual = dict.fromkeys(_ROSTER, "?") | {"Date": "????.??.??"}
    heading = [
        '[{} "{}"]'.format(name, re.sub(r'([\\"])', r"\\\1", value))
        for name, value in (usual | {**tags} | {"Result": result}).items()
    ]
    number, turn = begins
    body = _Body()
    body.add_remarks(remarks)
    _write_tree(body, moves, 2 * number + turn)
    return "\n".join([*heading, "", *body.end(result), "", ""])


def _write_tree(body: "_Body", moves: Sequence[TreeMove], first_ply: int) -> None:
    """Write the moves of all lines, each variation right after the move that it replaces.

    Args:
        body: takes the text.
        moves: the tree.
        first_ply: twice the number of the first move, plus its side.
    """
    next_move: dict[int, int] = {}
    variations: dict[int, list[int]] = {}
    plies = [first_ply - 1]
    for number, move in enumerate(moves, 1):
        plies.append(plies[move.follows] + 1)
        if move.instead:
            variations.setdefault(move.instead, []).append(number)
        else:
            next_move[move.follows] = number
    # A stack of its own, since variations may be nested deeper than functions can be.
    waiting = [(next_move.get(0, 0), False)]
    while waiting:
        number, is_closing = waiting.pop()
        if not number:
            continue
        move = moves[number - 1]
        if is_closing:
            body.close()
            body.add_remarks(move.behind)
            continue
        if move.instead:
            body.open()
        body.add_remarks(move.before)
        body.add_move(move.text, plies[number])
        body.add_remarks(move.after)
        waiting.append((next_move.get(number, 0), False))
        for other in reversed(variations.get(number, ())):
            waiting += [(other, True), (other, False)]


class _Body:
    """The moves of a text, word by word."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._words: list[str] = []
        self._bracket = ""  # ahead of the next word
        self._numbers = True  # the next move has its number, whoever makes it
        self._is_move = False  # whether the last word is a move, with its signs

    def _add(self, word: str) -> None:
        self._words.append(self._bracket + word)
        self._bracket = ""
        self._is_move = False

    def open(self) -> None:
        self._bracket += "("
        self._numbers = True

    def close(self) -> None:
        if self._words:
            self._words[-1] += ")"
        else:
            self._words.append(")")
        self._numbers, self._is_move = True, False

    def add_move(self, name: str, ply: int) -> None:
        number, turn = divmod(ply, 2)
        if turn == 0 or self._numbers:
            self._add(f"{number}.{'..' * turn}")
        self._add(name)
        self._numbers, self._is_move = False, True

    def add_remarks(self, remarks: Sequence[str]) -> None:
        for remark in remarks:
            if remark.startswith(";"):  # up to the end of its line
                self._wrap()
                self._lines.append(self._bracket + remark)
                self._bracket, self._is_move = "", False
            elif not remark.strip("!?") and self._words and self._is_move:
                self._words[-1] += remark
            else:
                self._add(remark)
            self._numbers |= remark[0] in ";{["

    def _wrap(self) -> None:
        told = " ".join(self._words)
        self._lines += textwrap.wrap(told, _WIDTH, break_on_hyphens=False, break_long_words=False)
        self._words.clear()

    def end(self, result: str) -> list[str]:
        """Add the result, and return the lines of the text."""
        self._add(result)
        self._wrap()
        return self._lines
