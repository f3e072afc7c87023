"""Games of chess as text (PGN), read; `pgn_writing` writes them.

The reader keeps tags, moves, variations, comments, annotators' signs and the result, and lists
everything else it passed over. It also reads a bare list of moves, numbered or not. A game that
cannot be read carries its fault and does not affect the others.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from advisor.games.tree import TreeMove, main_line
from aspcircuits.texts import quote_text

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", " "),  # no width
        **dict.fromkeys("\N{WHITE CHESS PAWN}\N{BLACK CHESS PAWN}", " "),
        **dict(zip("♔♕♖♗♘♚♛♜♝♞", "KQRBN" * 2, strict=True)),
        **{"\N{MULTIPLICATION SIGN}": "x", "…": ".", "†": "+", "‡": "#"},
    }
)
"""Replaces each character by one character, so places in the text stay the same."""

_ORDINARY = frozenset("!?+#=-/\\~^<>|.,:")
"""Annotators combine these signs, and others beyond ASCII such as ±."""

_SEPARATORS = "-,.:|"
"""Signs that mean nothing by themselves."""

_REMARKS = ("comment", "nag")

_WORDS = frozenset(("N", "TN", "D", "RR", "ep", "e.p."))
"""Annotators' words: a novelty, a diagram, a remark, a capture in passing."""

_CORE = (
    r"[KQRBN]?[a-h]?[1-8]?[-x:]?[a-h][1-8](?:=?[QRBNqrbn]|=?\([QRBN]\))?(?:e\.?p\.?)?"
    r"|[O0o]-[O0o](?:-[O0o])?|--(?!\+)|Z0|0000"
)
_TOKEN = re.compile(
    rf"""(?P<space>\s+)
    |(?P<escape>^%[^\n]*)
    |\[[^\S\n]*(?P<name>[\w+\#=:-]+)[^\S\n]*"(?P<tag>(?:\\.|[^"\\\n])*)"[^\S\n]*\]
    |(?P<comment>\{{(?:(?!\n[^\S\n]*\n\[\w+[ ]")[^}}])*\}}|;[^\n]*|\[%[^\]\n]*\])
    |(?P<nag>\$[0-9]*)
    |(?P<result>1[-:]0|0[-:]1|(?:1/2|½)(?:[-:](?:1/2|½))?|\*)(?![\w/:-])
    |(?P<move>(?:{_CORE})(?![\w-])[+\#!?]*)
    |(?P<number>[0-9]+(?![0-9/:-])(?:\s*\.+)*)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<word>[\w@][^\s(){{}}\[\];$*]*)
    |(?P<sign>[^\w@\s(){{}}\[\];$*]+)
    |(?P<stray>.)""",
    re.VERBOSE | re.MULTILINE,
)
_LOOSE_TAG = re.compile(r'\[\s*([\w+#=:-]+)\s+"?(.*?)"?\s*\]\s*')
_DECISIVE_TAG = re.compile(r"\[\s*(fen|variant)\b", re.IGNORECASE)
_NEXT_GAME = re.compile(r'\n[^\S\n]*\n(?=\[\w+ ")')
_STANDARD = re.compile(
    r"standard|chess|classical|normal|illegal|from position|wild/[0-8]a?|"
    r"chess ?960|fischer ?r?random|",
    re.IGNORECASE,
)
"""Variants with the rules of standard chess; a Chess960 FEN that differs is refused."""


@dataclass(frozen=True, slots=True)
class Said:
    """A word of a text, and its line, from 1."""

    text: str
    line: int


@dataclass(slots=True)
class PgnGame:
    """A game as its text gives it; its moves may be illegal.

    Attributes:
        line: where it begins.
        tags: the tags in their order.
        remarks: comments and signs ahead of the first move.
        tree: the moves of all lines; the place of each is its line in the text.
        result: one of `RESULTS`; "*" also if the text has none.
        passed_over: words that are neither part of a game nor a usual annotation.
        fault: why the game cannot be read, with the line; None if it can.
    """

    line: int = 1
    tags: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    tree: list[TreeMove] = field(default_factory=list)
    result: str = "*"
    passed_over: list[Said] = field(default_factory=list)
    fault: str | None = None

    @property
    def moves(self) -> list[Said]:
        """The main line."""
        found = (self.tree[number - 1] for number in main_line(self.tree))
        return [Said(move.text, int(move.place)) for move in found]

    def tag(self, name: str) -> str | None:
        """Return the value of a tag whose name matches in any case; None if there is none."""
        values = (value for key, value in self.tags.items() if key.lower() == name.lower())
        return next(values, None)


def games(text: str, from_start: bool = True) -> Iterator[PgnGame]:
    """Yield the games of a text in its order, each as soon as it is read.

    Args:
        text: PGN, or a bare list of moves.
        from_start: a game without a FEN begins with move 1; otherwise the caller knows the start.
    """
    draft = None
    ahead = []
    for token in _tokens(text):
        if draft is None and token.kind in _REMARKS:
            ahead.append(token.text)  # where a game begins is where its first tag or move stands
            continue
        if draft is None or draft.is_followed_by(token):
            if draft is not None:
                yield draft.finish(from_start)
            draft = _Draft(PgnGame(token.line, remarks=ahead))
            ahead = []
        draft.add(token)
    if draft is not None:
        yield draft.finish(from_start)


class _Token(NamedTuple):
    """A significant part of a text; `first`: it is the first on its line."""

    kind: str
    text: str
    line: int
    first: bool
    name: str = ""

    @property
    def move_number(self) -> int:
        """The number at the start of a number token, read from its first four digits."""
        return int(self.text.split(".")[0][:4])


def _tokens(text: str) -> Iterator[_Token]:
    plain = text.translate(_ALIKE)
    at, line, first = 0, 1, True
    while found := _TOKEN.match(plain, at):
        kind, end, name = found.lastgroup or "", found.end(), ""
        if kind == "stray" and found[0] == "{":
            kind = "broken"  # reading goes on at the next game
            after = _NEXT_GAME.search(plain, at)
            end = after.end() if after else len(plain)
        elif kind == "stray" and found[0] == "[" and first:
            kind, end = "bracket", (plain + "\n").index("\n", at)
        if kind == "tag":
            name = found["name"]
            yield _Token(kind, text[slice(*found.span("tag"))], line, first, name)
        elif kind == "bracket":
            yield _Token(kind, text[at:end].rstrip(), line, first)
        elif kind in _REMARKS:
            yield _Token(kind, text[at:end], line, first)
        elif kind not in ("space", "escape"):
            yield _Token(kind, found[0], line, first)
        passed = plain[at:end]
        line += passed.count("\n")
        first = (kind == "space" and (first or "\n" in passed)) or kind == "broken"
        at = end


@dataclass(slots=True)
class _Variation:
    """A variation that is open.

    Attributes:
        line: where it begins.
        instead: the number of the move in whose place its first move stands.
        back: the number of the last move before it in the text, after which its line goes on.
        outside: the list that took remarks until it began.
        before: remarks ahead of its first move.
        head: the number of its first move; 0 if it has none yet.
    """

    line: int
    instead: int
    back: int
    outside: list[str]
    before: list[str] = field(default_factory=list)
    head: int = 0


@dataclass(slots=True)
class _Draft:
    """A game that is being read.

    Attributes:
        first: the first move number, if that is not 1.
        opened: the variations that are open.
        at: the number of the move that the next one follows.
        remarks: the list that takes the next remark.
        over: its result has been read.
        number: a move number that no move has followed yet.
    """

    game: PgnGame
    first: Said | None = None
    opened: list[_Variation] = field(default_factory=list)
    at: int = 0
    remarks: list[str] = field(init=False)
    over: bool = False
    number: Said | None = None

    def __post_init__(self) -> None:
        self.remarks = self.game.remarks

    def is_followed_by(self, token: _Token) -> bool:
        """Return whether a token begins the next game."""
        begun = bool(self.game.tree or self.over or self.game.fault)
        if token.kind in ("tag", "bracket"):
            return begun
        if self.opened:
            return False
        if self.over:
            return token.kind in ("move", "word", "number")
        restarts = token.kind == "number" and token.move_number == 1 and token.text.count(".") < 2
        return begun and token.first and restarts

    def add(self, token: _Token) -> None:
        kind, text, line, game = token.kind, token.text, token.line, self.game
        said = Said(text, line)
        if kind == "tag":
            game.tags[token.name] = re.sub(r"\\(.)", r"\1", text)
        elif kind == "bracket":
            self._add_odd_tag(said)
        elif kind == "broken":
            self._refuse(line, "a comment breaks off (end it with a closing brace)")
        elif kind == "open":
            self._open(line)
        elif kind == "close" and self.opened:
            self._close()
        elif kind in ("close", "stray"):
            game.passed_over.append(said)
        elif kind in _REMARKS or text in _WORDS:
            self.remarks.append(text)
        elif kind == "sign":
            self._add_sign(said)
        elif kind == "result":
            self._end(text)
        elif kind == "number":
            self._add_number(said, token.move_number)
        else:
            self._add_move(said)

    def _open(self, line: int) -> None:
        if not self.game.tree:
            self._refuse(line, "a variation before any move (begin with one)")
        around = self.opened[-1] if self.opened else None
        instead = around.instead if around and not around.head else self.at
        variation = _Variation(line, instead, self.at, self.remarks)
        if instead:
            self.at = self.game.tree[instead - 1].follows
        self.remarks = variation.before
        self.opened.append(variation)

    def _close(self) -> None:
        variation = self.opened.pop()
        self.at = variation.back
        if variation.head:
            self.remarks = self.game.tree[variation.head - 1].behind
        else:
            self.remarks = variation.outside
            self.remarks += variation.before

    def _add_move(self, said: Said) -> None:
        tree, variation = self.game.tree, self.opened[-1] if self.opened else None
        bare = said.text.rstrip("!?") or said.text
        mark = said.text[len(bare) :]
        instead, before = 0, []
        if variation and not variation.head:
            variation.head = len(tree) + 1
            instead, before = variation.instead, variation.before
        self.remarks = [mark] if mark else []
        place = str(said.line)
        tree.append(TreeMove(bare, self.at, instead, before, self.remarks, place=place))
        self.at = len(tree)
        if not self.opened:
            self.number = None

    def _add_number(self, said: Said, number: int) -> None:
        if self.opened:
            return
        if not self.game.tree and self.first is None and number != 1:
            self.first = said
        self.number = said

    def _add_sign(self, said: Said) -> None:
        if not all(sign in _ORDINARY or not sign.isascii() for sign in said.text):
            if not self.opened:
                self.game.passed_over.append(said)
        elif said.text.strip(_SEPARATORS):
            self.remarks.append(said.text)

    def _end(self, text: str) -> None:
        if self.opened:
            return
        if not self.over:
            text = text.replace(":", "-").replace("½", "1/2")
            self.game.result = RESULTS[2] if text == "1/2" else text
        self.over, self.number = True, None

    def _add_odd_tag(self, said: Said) -> None:
        """Read a bracketed line that the standard does not allow, as well as possible."""
        if found := _LOOSE_TAG.fullmatch(said.text):
            self.game.tags[found[1]] = found[2]
        elif _DECISIVE_TAG.match(said.text):
            self._refuse(
                said.line, f'{quote_text(said.text)} is not a tag (write it as [FEN "..."])'
            )
        else:
            self.game.passed_over.append(said)

    def _refuse(self, line: int, reason: str) -> None:
        if self.game.fault is None:
            self.game.fault = f"line {line}: {reason}"

    def finish(self, from_start: bool) -> PgnGame:
        game = self.game
        if from_start and self.first and game.tag("FEN") is None:
            begins = f"{quote_text(self.first.text.strip())} begins a game"
            self._refuse(self.first.line, f"{begins} (begin with 1., or with a FEN)")
        if game.tags and not (game.tree or self.over or game.tag("FEN")):
            self._refuse(game.line, "tags without moves or a result")
        if self.opened:
            self._refuse(self.opened[-1].line, "a variation breaks off (end it with ')')")
        if self.number:
            game.passed_over.append(self.number)
        variant = game.tag("Variant") or ""
        if not _STANDARD.fullmatch(variant.strip()):
            self._refuse(game.line, f"variant {quote_text(variant)} (only standard chess is known)")
        told = game.tag("Result")
        if told in RESULTS and told != "*":
            game.result = told
        return game


def is_remark(text: str) -> bool:
    """Return whether a text is one comment or one sign, as a game may contain it."""
    tokens = [*_tokens(text)]
    if len(tokens) != 1 or tokens[0].text != text:
        return False
    kind = tokens[0].kind
    return kind in _REMARKS or text in _WORDS or (kind == "sign" and bool(text.strip(_SEPARATORS)))
