"""Chess notation over the atoms and moves of ``encodings/chess/rules.lp``.

Atoms are from White's point of view: own is White, opp Black, rank 1 is White's.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar

from advisor.errors import InputError
from advisor.games.chess import drawing, other_program, pgn, pgn_writing, pictures, san
from advisor.games.chess.position import (
    KINDS,
    SIDES,
    START,
    ChessPosition,
    check_position,
    drop_lost_rights,
    looks_like_fen,
    parse_fen,
    square_name,
)
from advisor.games.chess.san import ChessMove
from advisor.games.rule_position import Begun, GameByRules, RulePosition
from advisor.games.score import Outcome
from advisor.games.tree import MoveTree, TreeMove, grow_tree, line
from aspcircuits.clingo_api import Term, render
from aspcircuits.texts import quote_text

_ROLES = ("own", "opp")
_LETTERS = {kind: letter for letter, kind in KINDS.items()}
_RIGHTS = {"K": ("own", "king"), "Q": ("own", "queen"), "k": ("opp", "king"), "q": ("opp", "queen")}
_NUMBERED = re.compile(r"moves$|[0-9]+\.")
_MARK = "\ufeff"
"""A byte order mark: at the start of a file, or inside one that was joined from several."""
_CLOCK = 100
"""The largest value of the rules' halfmove clock."""


class ChessRulePosition(RulePosition):
    """A chess position that reads and writes FEN, SAN, PGN and figurines."""

    suffixes: ClassVar[tuple[str, ...]] = (".pgn", ".txt")
    accepts: ClassVar[str] = "a FEN, a PGN or moves"

    @staticmethod
    def read(text: str) -> Begun:
        """Read a FEN, with moves after it or not; figurines; or a game in PGN or as a list of
        moves.
        """
        text = text.replace(_MARK, "")
        if pictures.looks_like_figurines(text):
            figures = text.strip("\r\n").replace("\r\n", "\n")
            return _begin_game(pictures.parse_figurines(figures))
        return _begin_game(*_read_game(text))

    @classmethod
    def read_tree(cls, game: GameByRules, text: str) -> MoveTree:
        """Read a game with its variations, comments and signs."""
        text = text.replace(_MARK, "")
        if pictures.looks_like_figurines(text):
            return super().read_tree(game, text)
        start, told, several_lines = _read_game(text)
        begun = cls.set_up(game, replace(_begin_game(start, told), moves=(), told=len(told.moves)))
        plies = [0]
        moves = []
        for move in told.tree:
            ply = start.turn + plies[move.follows]
            place = f"line {move.place}: " if several_lines else ""
            place += f"{start.number + ply // 2}{'...' if ply % 2 else '.'} "
            moves.append(replace(move, place=place))
            plies.append(plies[move.follows] + 1)
        return grow_tree(begun, moves, told.remarks, told.result)

    @staticmethod
    def standing(atoms: Collection[Term], turn: int) -> Begun:
        return _begin_game(check_position(place_atoms(atoms, turn)))

    @classmethod
    def rearrange(cls, atoms: Collection[Term], turn: int) -> Begun:
        """Make a position without an en passant square; the pieces decide which castling rights are
        left.
        """
        return _begin_game(drop_lost_rights(replace(place_atoms(atoms, turn), passed=None)))

    @classmethod
    def games(cls, text: str) -> Iterator[Begun | InputError]:
        """Yield the games of a PGN text; errors name the line."""
        text = text.replace(_MARK, "")
        if pictures.looks_like_figurines(text) or looks_like_fen(text.strip()):
            yield cls.read(text)
            return
        for game in pgn.games(text):
            try:
                yield _begin_game(_start(game), game, several_lines=True)
            except InputError as error:
                yield error

    def check(self) -> None:
        """Check that the side that is not to move is not in check."""
        if str(self.begun.origin) != START and self.holds("check", other_side=True):
            side = SIDES[1 - self.side]
            raise InputError(f"FEN: {side} stands in check, but {self.turn} is to move")

    @cached_property
    def shown_position(self) -> ChessPosition:
        """The state as a chess position, with details that only the moves made can supply."""
        origin: ChessPosition = self.begun.origin
        if not self.path:
            return origin
        found = place_atoms(self.atoms, self.side)
        last = _move(self.path[-1])
        passed = None
        if found.pieces[last.target] in "Pp" and abs(last.target[1] - last.origin[1]) == 2:
            passed = last.origin[0], (last.origin[1] + last.target[1]) // 2
        number = origin.number + (origin.turn + len(self.path)) // 2
        return replace(found, passed=passed, number=number)

    def find_move(self, text: str) -> Term:
        """Return the legal move that a text means: algebraic, long algebraic or coordinates."""
        terms = {_move(term): term for term in self.legal}
        position = self.shown_position
        return terms[san.find(text, position, san.names(position, terms))]

    def code_of(self, term: Term) -> str:
        """Return a move in coordinates, such as ``e7e8q``."""
        return str(_move(term))

    def names_of(self, moves: Collection[Term]) -> Mapping[Term, str]:
        """Return moves in coordinates."""
        return {move: self.code_of(move) for move in moves}

    @cached_property
    def names(self) -> Mapping[Term, str]:
        """Legal moves in algebraic notation, such as ``Nbd2+``."""
        terms = {_move(term): term for term in self.legal}
        mates, checks = self.foreseen("check")
        named = san.names(self.shown_position, terms)
        return {
            term: named[move] + ("#" if term in mates else "+" if term in checks else "")
            for move, term in terms.items()
        }

    def place(self, where: Term) -> str:
        """Name a square or a file, such as ``e4`` and ``e``."""
        if where in self.rules.display.names:
            return super().place(where)
        match where:
            case ("square", int(file), int(rank)) if 1 <= file <= 8 and 1 <= rank <= 8:
                return square_name((file, rank))
            case (str(name), *parts):
                return " ".join(filter(None, [name, *map(self.place, parts)]))
        return render(where)

    @property
    def numeral(self) -> str:
        """The number before the next move: ``2.`` or, if Black is to move, ``2...``."""
        position = self.shown_position
        return f"{position.number}{'...' if position.turn else '.'}"

    def outcome(self, kind: Outcome, plies: int, at_most: bool = False) -> str:
        within = "within" if at_most else "in"
        return f"{'mate' if kind == 'win' else 'mated'} {within} {(plies + 1) // 2}"

    def won_by(self, move: str) -> str:
        return f"{move} is mate"

    @property
    def begun_text(self) -> str:
        begun = str(self.begun.origin)
        return "" if begun == START else begun

    @property
    def text(self) -> str:
        """The position in FEN."""
        return str(self.shown_position)

    @property
    def moves_line(self) -> str:
        """The moves in coordinates, after the FEN of the start unless it is the usual one."""
        moves = " ".join(map(self.code_of, self.path))
        begun = self.begun_text
        if not begun:
            return moves
        return f"{begun} moves {moves}" if moves else begun

    @property
    def typed_texts(self) -> tuple[str, str]:
        """The game in PGN; and a FEN or, once moves have been made, a PGN without empty tags."""
        whole = self.record
        return whole, _without_empty_tags(whole) if self.path else f"{self.begun.origin}\n"

    @property
    def beginning(self) -> str:
        """A FEN, or a PGN without moves and result that keeps the game's tags."""
        said = {name for name, value in self.begun.tags if value.strip("?.")}
        if said <= {"Result", "SetUp", "FEN"}:
            return super().beginning
        heading = replace(self.begun, told=0, tags=(*self.begun.tags, ("Result", "*")))
        return _without_empty_tags(self.begin(self.game, heading).record)

    def game_text(self, tags: Mapping[str, str]) -> str:
        """Return the game in PGN with the tags that it came with.

        The result is kept, too, unless the game went on.
        """
        is_whole = len(self.path) == self.begun.told
        result = dict(self.begun.tags).get("Result") if is_whole else None
        return self._pgn_text(tags, result or "*", line(self.played))

    def tree_text(self, tree: MoveTree) -> str:
        for remark in chain(tree.remarks, *(move.remarks for move in tree.moves)):
            if not pgn.is_remark(remark):
                raise InputError(
                    f"remark {quote_text(remark)}: use a comment in {{}} or a sign as $1"
                )
        named = zip(tree.moves, tree.names, strict=True)
        moves = [replace(move, text=name) for move, name in named]
        return self._pgn_text({}, tree.result or "*", moves, tree.remarks)

    def _pgn_text(
        self,
        tags: Mapping[str, str],
        result: str,
        moves: Sequence[TreeMove],
        remarks: Sequence[str] = (),
    ) -> str:
        """Return a game in PGN whose main line ends here; the rules know a result better."""
        begun: ChessPosition = self.begun.origin
        tags = {**dict(self.begun.tags), **tags}
        if str(begun) != START:
            tags |= {"SetUp": "1", "FEN": str(begun)}
        if self.over:
            result = "1/2-1/2" if self.winning_side is None else pgn.RESULTS[self.winning_side]
        return pgn_writing.text(moves, result, tags, (begun.number, begun.turn), remarks)

    @property
    def people(self) -> tuple[str, str]:
        """The players' names, from the tags White and Black."""
        said = {name.lower(): value for name, value in self.begun.tags if value.strip("?. ")}
        first, second = (said.get(side, side) for side in SIDES)
        return first, second

    @property
    def picture(self) -> str:
        """The position in figurines, with castling rights and en passant beside them."""
        return pictures.figurines(self.shown_position)

    @property
    def extras(self) -> Mapping[str, Callable[[], Any]]:
        """The position as a FEN, the game so far as a PGN."""
        return {"fen": lambda: self.text, "pgn": lambda: self.record.rstrip() + "\n"}

    @property
    def shapes(self) -> Mapping[str, Mapping[str, Any]]:
        """The shapes of the pieces, by their letters."""
        return {
            (letter if side else letter.upper()): {
                "outline": outline,
                "lines": lines,
                "side": side,
                "name": f"{SIDES[side]} {KINDS[letter]}",
            }
            for letter, (outline, lines) in drawing.SHAPES.items()
            for side in (0, 1)
        }

    def by_another_program(self, moves: int) -> set[str] | None:
        """Return the winning moves that python-chess finds."""
        return other_program.winning(self.text, moves)


def _without_empty_tags(whole: str) -> str:
    """Return a PGN without empty tags and without the result, which its end shows."""
    told = re.sub(r'^\[\w+ "[?.]*"\]\n|^\[Result .*\n', "", whole, flags=re.MULTILINE)
    return told.strip() + "\n"


def place_atoms(atoms: Iterable[Term], turn: int) -> ChessPosition:
    """Return the position that base atoms describe, from White's point of view."""
    pieces, rights, clock, passed = {}, set(), 0, None
    for atom in atoms:
        match atom:
            case ("piece", role, str(kind), int(file), int(rank)):
                letter = _LETTERS[kind]
                pieces[file, rank] = letter.upper() if role == "own" else letter
            case ("castle", role, side):
                rights.add((role, side))
            case ("clock", int(bit)):
                clock += 1 << bit
            case ("ep", int(file)):
                passed = file, 3 if turn else 6
    castling = "".join(letter for letter, right in _RIGHTS.items() if right in rights)
    return ChessPosition(pieces, turn, castling, passed, clock)


def _only_game(text: str, from_start: bool = True) -> pgn.PgnGame:
    """Return the game of a text; an InputError if it holds several."""
    games = [*pgn.games(text, from_start)] or [pgn.PgnGame()]
    if len(games) > 1:
        place = f"line {games[1].line}"
        raise InputError(f"{place}: a second game begins (give one of the {len(games)})")
    return games[0]


def _read_game(text: str) -> tuple[ChessPosition, pgn.PgnGame, bool]:
    """Read a FEN or a game, and return its start, its moves, and whether errors name the line."""
    bare = text.strip()
    if bare.startswith("startpos"):
        bare = START + bare.removeprefix("startpos")
    if looks_like_fen(bare):
        position, moves = _with_moves(bare)
        return position, _only_game(moves, from_start=False), False
    game = _only_game(text)
    return _start(game), game, len({said.line for said in game.moves}) > 1


def _start(game: pgn.PgnGame) -> ChessPosition:
    """Return the position in which a PGN game begins."""
    try:
        return parse_fen(game.tag("FEN") or START)
    except InputError as error:
        raise InputError(f"line {game.line}: {error}") from None


def _begin_game(
    position: ChessPosition, game: pgn.PgnGame | None = None, several_lines: bool = False
) -> Begun:
    """Return a position in the form that the rules take, and a game from there.

    Args:
        position: where the game begins.
        game: its moves and tags.
        several_lines: errors about its moves name the line.

    Raises:
        InputError: the game cannot be read.
    """
    game = game or pgn.PgnGame()
    if game.fault:
        raise InputError(game.fault)
    atoms: set[Term] = {
        ("piece", _ROLES[letter.islower()], KINDS[letter.lower()], *square)
        for square, letter in position.pieces.items()
    }
    atoms |= {("castle", *_RIGHTS[letter]) for letter in position.castling}
    if position.passed:
        file, rank = position.passed
        beside = rank - 1 if position.turn == 0 else rank + 1
        pawn = "Pp"[position.turn]
        if pawn in (position.pieces.get((file + step, beside)) for step in (-1, 1)):
            atoms.add(("ep", file))
    clock = min(position.clock, _CLOCK)
    atoms |= {("clock", bit) for bit in range(7) if clock >> bit & 1}
    moves = []
    number, turn = position.number, position.turn
    for said in game.moves:
        place = f"line {said.line}: " if several_lines else ""
        moves.append((said.text, f"{place}{number}{'...' if turn else '.'} "))
        number, turn = number + turn, 1 - turn
    has_told = bool(game.tags) or game.result != pgn.RESULTS[-1]
    passed_over = tuple(f"line {said.line}: {quote_text(said.text)}" for said in game.passed_over)
    return Begun(
        atoms=frozenset(atoms),
        turn=position.turn,
        moves=tuple(moves),
        origin=position,
        tags=tuple({**game.tags, "Result": game.result}.items()) if has_told else (),
        passed_over=passed_over,
    )


def _with_moves(text: str) -> tuple[ChessPosition, str]:
    """Split a text into the position of its FEN and the moves after it."""
    fields = text.split()
    # If a counter is left out, the word in its place is a move, or announces one.
    told = (_NUMBERED.match(word) or san.looks_like_move(word) for word in fields[4:6])
    count = next((count for count, move in enumerate(told, 4) if move), 6)
    position = parse_fen(" ".join(fields[:count]))
    moves = fields[count:]
    return position, " ".join(moves[1:] if moves[:1] == ["moves"] else moves)


def _move(term: Term) -> ChessMove:
    _, file, rank, to_file, to_rank, kind = term
    promotion = "" if kind == "none" else _LETTERS[kind]
    return ChessMove((file, rank), (to_file, to_rank), promotion)
