"""Games of chess as text (PGN), read and written.

Of comments and variations the main line alone is kept.

A bare list of moves, numbered or not, is read too. Errors name the line.
"""

import re
import textwrap
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.errors import InputError
from advisor.files.textfile import quoted

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_ALLOWED = ", ".join(RESULTS)
_WIDTH = 79
_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |\[\s*(?P<name>\w+)\s*"(?P<value>(?:\\.|[^"\\\n])*)"\s*\]
    |(?P<comment>\{[^}]*\}|;[^\n]*)
    |(?P<nag>\$[0-9]+|(?:[!?]{1,2}|e\.p\.)(?=[\s)]|$))
    |(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s)]|$)
    |(?P<number>[0-9]{1,4}(?:\.+|(?=\s|$)))
    |(?P<open>\()
    |(?P<close>\))
    |(?P<move>--|[A-Za-z0O][^\s(){};$]*)
    |(?P<stuck>.)""",
    re.VERBOSE,
)
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")


@dataclass(frozen=True, slots=True)
class Said:
    """A move as a text has it: the word, and the line where it stands, from 1."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game as a text has it; its moves may be wrong.

    Attributes:
        tags: what is said of it, in the order of the text; "FEN" is where it begins.
        line: where it begins.
    """

    tags: Mapping[str, str]
    moves: tuple[Said, ...]
    line: int


def parse(text: str) -> list[PgnGame]:
    """The games of a text, in its order; at least one, which may have no moves.

    Raises:
        InputError: something that is no part of a game, or a game that breaks off; its line.
    """
    tokens, last_line = deque(_tokens(text)), text.rstrip().count("\n") + 1
    games = [_game(tokens, last_line)]
    while tokens:
        games.append(_game(tokens, last_line))
    return games


def _tokens(text: str) -> Iterator[tuple[str, re.Match[str], int]]:
    """The parts of a text that count: what each is, and its line."""
    text = re.sub(r"^%.*$", "", text, flags=re.MULTILINE)  # such a line is for other programs
    line = 1
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        if kind == "stuck":
            raise _stuck(text[found.start() :], line)
        if kind not in ("space", "comment", "nag"):
            yield kind, found, line
        line += found[0].count("\n")


def _stuck(rest: str, line: int) -> InputError:
    if rest[0] == "{":
        return InputError(f"line {line}: a comment breaks off (end it with a closing brace)")
    found = quoted(rest.split("\n")[0])
    if rest[0] == "[":
        return InputError(f'line {line}: {found} is not a tag (write it as [White "Anna"])')
    return InputError(f"line {line}: {found} (use moves, {{comments}}, (variations), $1)")


def _game(tokens: deque[tuple[str, re.Match[str], int]], last_line: int) -> PgnGame:
    """The next game, whose tokens are taken."""
    tags: dict[str, str] = {}
    begun = tokens[0][2] if tokens else 1
    while tokens and tokens[0][0] == "value":
        found = tokens.popleft()[1]
        tags[found["name"]] = re.sub(r"\\(.)", r"\1", found["value"])
    moves: list[Said] = []
    opened: list[int] = []
    numbered = 0
    while tokens and tokens[0][0] != "value":
        kind, found, line = tokens.popleft()
        if kind == "result" and not opened:
            return PgnGame(tags, tuple(moves), begun)
        if kind == "open":
            if not moves:
                raise InputError(f"line {line}: a variation before any move (begin with one)")
            opened.append(line)
        elif kind == "close":
            if not opened:
                raise InputError(f"line {line}: ')' without '('")
            opened.pop()
        elif kind == "move" and not opened:
            moves.append(Said(found[0], line))
        numbered = line if kind == "number" else 0
    if opened:
        raise InputError(f"line {opened[-1]}: a variation breaks off (end it with ')')")
    if numbered:
        raise InputError(f"line {numbered}: breaks off behind a move number (add the move)")
    if tags:
        line = tokens[0][2] if tokens else last_line
        raise InputError(f"line {line}: the game breaks off (end it with {_ALLOWED})")
    return PgnGame(tags, tuple(moves), begun)


def text(
    moves: Sequence[str], result: str, tags: Mapping[str, str], begins: tuple[int, int] = (1, 0)
) -> str:
    """A game in PGN, with an empty line at its end.

    Args:
        moves: in algebraic notation.
        result: one of `RESULTS`.
        tags: more or other ones than the seven that are always there.
        begins: the number of the first move, and who makes it, 0 for White.
    """
    usual = dict.fromkeys(_ROSTER, "?") | {"Date": "????.??.??"}
    lines = [
        '[{} "{}"]'.format(name, re.sub(r'([\\"])', r"\\\1", value))
        for name, value in (usual | {**tags} | {"Result": result}).items()
    ]
    number, turn = begins
    words = []
    for i, move in enumerate(moves):
        if turn == 0 or i == 0:
            words.append(f"{number}.{'..' * turn}")
        words.append(move)
        number, turn = number + turn, 1 - turn
    told = textwrap.wrap(" ".join([*words, result]), _WIDTH, break_on_hyphens=False)
    return "\n".join([*lines, "", *told, "", ""])
