"""Games of chess as text (PGN), read and written.

Of comments and variations the main line alone is kept.

A bare list of moves, numbered or not, is read too. Errors name the line.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.errors import InputError
from advisor.files.textfile import quoted

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_ALLOWED = ", ".join(RESULTS)
_WIDTH = 79
_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:\\.|[^"\\\n])*)"\s*\])
    |(?P<comment>\{[^}]*\}|;[^\n]*)
    |(?P<nag>\$[0-9]+|(?:[!?]{1,2}|e\.p\.)(?=[\s)]|$))
    |(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s)]|$)
    |(?P<number>[0-9]{1,4}(?:\.+|(?=\s|$)))
    |(?P<open>\()
    |(?P<close>\))
    |(?P<move>--|[A-Za-z0O][^\s(){};$]*)""",
    re.VERBOSE,
)
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")


@dataclass(frozen=True, slots=True)
class Said:
    """A move as a text has it.

    Attributes:
        text: the word.
        line: where it stands, from 1.
    """

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Game:
    """A game as a text has it; its moves may be wrong.

    Attributes:
        tags: what is said of it, in the order of the text; "FEN" is where it begins.
        moves: of the main line.
        result: one of `RESULTS`.
        line: where it begins.
    """

    tags: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[Said, ...] = ()
    result: str = "*"
    line: int = 1


def parse(text: str) -> list[Game]:
    """The games of a text, in its order; at least one, which may have no moves.

    Raises:
        InputError: something that is no part of a game, or a game that breaks off; its line.
    """
    reader = _Reader(text)
    games = [reader.game()]
    while reader.goes_on:
        games.append(reader.game())
    return games


class _Reader:
    """The tokens of a text, game by game."""

    def __init__(self, text: str) -> None:
        # A line that begins with % is for other programs.
        self._text = re.sub(r"^%.*$", "", text, flags=re.MULTILINE)
        self._tokens = self._read()
        self._ahead = next(self._tokens, None)
        self._last_line = text.rstrip().count("\n") + 1

    @property
    def goes_on(self) -> bool:
        """Whether there is more."""
        return self._ahead is not None

    def _read(self) -> Iterator[tuple[str, str, int, re.Match[str]]]:
        place, line = 0, 1
        while place < len(self._text):
            found = _TOKEN.match(self._text, place)
            if not found:
                raise self._stuck(place, line)
            kind = found.lastgroup or ""
            if kind == "value":
                kind = "tag"
            if kind not in ("space", "comment", "nag"):
                yield kind, found[0], line, found
            line += found[0].count("\n")
            place = found.end()

    def _stuck(self, place: int, line: int) -> InputError:
        sign = self._text[place]
        if sign == "{":
            return InputError(f"line {line}: a comment breaks off (end it with a closing brace)")
        found = quoted(self._text[place:].split("\n")[0])
        if sign == "[":
            return InputError(f'line {line}: {found} is not a tag (write it as [White "Anna"])')
        return InputError(f"line {line}: {found} (use moves, {{comments}}, (variations), $1)")

    def _next(self) -> tuple[str, str, int, re.Match[str]] | None:
        token = self._ahead
        self._ahead = next(self._tokens, None)
        return token

    def game(self) -> Game:
        """The next game."""
        tags: dict[str, str] = {}
        begun = self._ahead[2] if self._ahead else 1
        while self._ahead and self._ahead[0] == "tag":
            found = self._ahead[3]
            tags[found["name"]] = re.sub(r"\\(.)", r"\1", found["value"])
            self._next()
        moves: list[Said] = []
        opened: list[int] = []
        numbered = 0
        while self._ahead and self._ahead[0] != "tag":
            kind, text, line, _ = self._ahead
            if kind == "result" and not opened:
                self._next()
                return Game(tags, tuple(moves), text, begun)
            self._next()
            if kind == "open":
                if not moves:
                    raise InputError(f"line {line}: a variation before any move (begin with one)")
                opened.append(line)
            elif kind == "close":
                if not opened:
                    raise InputError(f"line {line}: ')' without '('")
                opened.pop()
            elif kind == "move" and not opened:
                moves.append(Said(text, line))
            numbered = line if kind == "number" else 0
        end = self._last_line
        if opened:
            raise InputError(f"line {opened[-1]}: a variation breaks off (end it with ')')")
        if numbered:
            raise InputError(f"line {numbered}: breaks off behind a move number (add the move)")
        if tags:
            line = self._ahead[2] if self._ahead else end
            raise InputError(f"line {line}: the game breaks off (end it with {_ALLOWED})")
        return Game(tags, tuple(moves), "*", begun)


def text(
    moves: Sequence[str],
    result: str,
    tags: Mapping[str, str],
    begins: tuple[int, int] = (1, 0),
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
        if turn == 0:
            words.append(f"{number}.")
        elif i == 0:
            words.append(f"{number}...")
        words.append(move)
        number, turn = number + turn, 1 - turn
    lines.append("")
    line = ""
    for word in [*words, result]:
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return "\n".join([*lines, line, "", ""])
