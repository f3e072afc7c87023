"""Sentences of chess about a move, each checked by a definition made with python-chess.

    python tests/chess_truth.py FENS FOUND [--depth N]

The definitions follow the words that a player reads and share nothing with the encodings: `is_true`
reads a sentence back and looks at the board before and after the move. As a program, it checks all
that could be told of two moves in each position of a file, a FEN a line, or with a depth the
explanations of advice. It appends a line for each position to FOUND, how many sentences and which
false ones, and continues where such a file ends.
"""

import argparse
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import chess

import advisor

WORTH = {
    chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 10
}  # fmt: skip
TYPES = {chess.piece_name(each): each for each in chess.PIECE_TYPES}
_PIECE, _SQUARE = "(pawn|knight|bishop|rook|queen|king)", "([a-h][1-8])"
_SQUARES = "((?:(?:, | and )?[a-h][1-8])+)"
_MEN = r"((?:(?:, | and |, and )?the \w+ on [a-h][1-8])+)"


def _named(squares: str) -> list[int]:
    return [*map(chess.parse_square, re.findall("[a-h][1-8]", squares))]


class Seen:
    """A move: the board before and after it, who made it, and with what."""

    def __init__(self, before: chess.Board, move: chess.Move) -> None:
        self.before, self.move = before, move
        self.after = before.copy(stack=False)
        self.after.push(move)
        self.me, self.you = before.turn, not before.turn
        self.at = move.to_square
        moved = before.piece_type_at(move.from_square)
        assert moved is not None
        self.moved = moved
        self.taken_at: int | None = None
        if before.is_en_passant(move):
            self.taken_at = self.at + (-8 if self.me else 8)
        elif before.color_at(self.at) == self.you:
            self.taken_at = self.at

    def taken(self, name: str, square: str) -> bool:
        """Whether the move takes such a man there."""
        at = chess.parse_square(square)
        return self.taken_at == at and self.before.piece_type_at(at) == TYPES[name]

    def men(self, text: str, side: chess.Color) -> list[int]:
        """The squares of men that a text names, all of which stand there after the move."""
        found = []
        for name, square in re.findall(r"the (\w+) on (\w\d)", text):
            at = chess.parse_square(square)
            assert self.after.piece_at(at) == chess.Piece(TYPES[name], side), (name, square)
            found.append(at)
        return found

    def worth(self, at: int) -> int:
        kind = self.after.piece_type_at(at)
        return WORTH[kind] if kind else 0

    def guarded(self, at: int, board: chess.Board | None = None) -> bool:
        """Whether a man of its own side attacks the square of a man."""
        board = board or self.after
        colour = board.color_at(at)
        assert colour is not None
        return bool(board.attackers(colour, at))

    def attacks_new(self, at: int) -> bool:
        """Whether what moved attacks a square, and did not before."""
        before = at in self.before.attacks(self.move.from_square)
        return at in self.after.attacks(self.at) and not before

    def worth_it(self, at: int, worth: int) -> bool:
        """Whether a man of such worth likes to take there: what is worth more, or is a piece that
        nothing guards."""
        more = self.worth(at) > worth
        return more or (self.after.piece_type_at(at) != chess.PAWN and not self.guarded(at))

    def replies_at(self, at: int) -> list[tuple[int, bool]]:
        """Legal captures on a square: what each captures with, and whether it can be retaken."""
        found = []
        for reply in self.after.legal_moves:
            if reply.to_square == at and self.after.is_capture(reply):
                then = self.after.copy(stack=False)
                kind = then.piece_type_at(reply.from_square)
                assert kind is not None
                then.push(reply)
                found.append((kind, bool(then.attackers(self.me, at))))
        return found

    def is_firm(self) -> bool:
        """Whether nothing attacks what moved, or only what is worth more, while it is guarded."""
        against = self.after.attackers(self.you, self.at)
        least = min((self.worth(by) for by in against), default=99)
        return not against or (least > self.worth(self.at) and self.guarded(self.at))

    def behind(self, front: int) -> int | None:
        """The man behind another one, on the line from what moved."""
        alone = self.after.copy(stack=False)
        alone.remove_piece_at(front)
        here, now = self.after.attacks(self.at), alone.attacks(self.at)
        found = [s for s in now if s not in here and alone.piece_at(s)]
        return found[0] if found and front in here else None


def _mates(board: chess.Board, side: chess.Color) -> Iterator[chess.Move]:
    """The moves by which a side would mate, if it were its turn."""
    board = board.copy(stack=False)
    if board.turn != side:
        if board.is_check():
            return
        board.push(chess.Move.null())
    for move in board.legal_moves:
        then = board.copy(stack=False)
        then.push(move)
        if then.is_checkmate():
            yield move


def _in_danger(board: chess.Board, at: int) -> bool:
    """Whether a man is attacked by one that is worth less, or attacked and not guarded."""
    man = board.piece_at(at)
    assert man is not None
    against = board.attackers(not man.color, at)
    kinds = [board.piece_type_at(by) for by in against]
    less = any(kind and WORTH[kind] < WORTH[man.piece_type] for kind in kinds)
    return less or (bool(against) and not board.attackers(man.color, at))


def _is_passed(board: chess.Board, at: int) -> bool:
    man = board.piece_at(at)
    if man is None or man.piece_type != chess.PAWN:
        return False
    ahead = 1 if man.color else -1
    return not any(
        abs(chess.square_file(p) - chess.square_file(at)) <= 1
        and (chess.square_rank(p) - chess.square_rank(at)) * ahead > 0
        for p in board.pieces(chess.PAWN, not man.color)
    )


def _can_go_nowhere(s: Seen, at: int) -> bool:
    """Whether wherever a piece goes it can be taken by less, or while nothing guards it, and takes
    nothing as good itself."""
    worth = s.worth(at)
    for move in s.after.legal_moves:
        if move.from_square != at:
            continue
        then = s.after.copy(stack=False)
        then.push(move)
        taken = s.worth(move.to_square)
        if taken >= worth or not _in_danger(then, move.to_square):
            return False
    return True


def _threat(s: Seen, squares: str, name: str, back: bool = False) -> bool:
    king = s.after.king(s.you)
    assert king is not None
    last = 7 if s.you == chess.BLACK else 0
    by = {m.to_square for m in _mates(s.after, s.me)
          if s.after.piece_type_at(m.from_square) == TYPES[name]}  # fmt: skip
    return all(
        at in by and (not back or chess.square_rank(king) == chess.square_rank(at) == last)
        for at in _named(squares)
    )


def _forks(s: Seen, text: str) -> bool:
    men = s.men(text, s.you)
    worth = s.worth(s.at)
    return len(men) > 1 and s.is_firm() and all(
        s.attacks_new(at) and s.worth_it(at, worth) for at in men
    )  # fmt: skip


def _pins(s: Seen, text: str, name: str) -> bool:
    for at in s.men(text, s.you):
        far = s.behind(at)
        if far is None or s.after.piece_at(far) != chess.Piece(TYPES[name], s.you):
            return False
        if TYPES[name] == chess.KING and not s.after.is_pinned(s.you, at):
            return False
        if s.worth(far) <= s.worth(at) or not s.is_firm():
            return False
    return True


def _skewers(s: Seen, name: str, text: str) -> bool:
    kind = chess.Piece(TYPES[name], s.you)
    fronts = [at for at in s.after.attacks(s.at) if s.after.piece_at(at) == kind]
    return s.is_firm() and all(
        any(s.behind(front) == at and s.worth(front) >= s.worth(at) for front in fronts)
        for at in s.men(text, s.you)
    )


def _uncovers(s: Seen, name: str, text: str) -> bool:
    mine = s.after.pieces(TYPES[name], s.me) - {s.at}
    return all(
        any(
            at in s.after.attacks(by) and at not in s.before.attacks(by)
            for by in mine
            if s.before.piece_at(by) == s.after.piece_at(by)
        )
        for at in s.men(text, s.you)
    )


def _undermines(s: Seen, name: str, text: str) -> bool:
    if s.taken_at != s.at or s.before.piece_type_at(s.at) != TYPES[name]:
        return False
    return all(
        set(s.before.attackers(s.you, at)) == {s.at}
        and s.after.is_attacked_by(s.me, at)
        and not s.guarded(at)
        for at in s.men(text, s.you)
    )


def _overloads(s: Seen, name: str, text: str) -> bool:
    men = s.men(text, s.you)
    guards = {frozenset(s.after.attackers(s.you, at)) for at in men}
    (guard,) = guards if len(guards) == 1 else (frozenset(),)
    return (
        len(men) > 1
        and len(guard) == 1
        and all(s.after.piece_type_at(by) == TYPES[name] for by in guard)
        and all(s.after.is_attacked_by(s.me, at) for at in men)
    )


def _is_open(s: Seen, file: str, sides: tuple[chess.Color, ...]) -> bool:
    mask = chess.BB_FILES["abcdefgh".index(file)]
    return not any(int(s.after.pieces(chess.PAWN, side)) & mask for side in sides)


def _lays_bare(s: Seen, name: str, file: str) -> bool:
    side = name == "white"
    king = s.after.king(side)
    assert king is not None
    number = "abcdefgh".index(file)
    had = int(s.before.pieces(chess.PAWN, side)) & chess.BB_FILES[number]
    near = abs(chess.square_file(king) - number) <= 1
    return bool(had) and near and _is_open(s, file, (side,))


def _puts_for_less(s: Seen, name: str, square: str, by: str) -> bool:
    lost = s.worth(s.at) > (WORTH[s.before.piece_type_at(s.taken_at) or 1] if s.taken_at else 0)
    return (
        chess.parse_square(square) == s.at
        and s.after.piece_type_at(s.at) == TYPES[name]
        and lost
        and WORTH[TYPES[by]] < s.worth(s.at)
        and any(kind == TYPES[by] for kind, _ in s.replies_at(s.at))
    )


def _averts(s: Seen, name: str, square: str) -> bool:
    at = chess.parse_square(square)
    return (
        s.move.from_square == at
        and s.moved == TYPES[name]
        and _in_danger(s.before, at)
        and not _in_danger(s.after, s.at)
    )


def _steps_on(s: Seen, square: str, count: str) -> bool:
    at = chess.parse_square(square)
    left = 7 - chess.square_rank(at) if s.me else chess.square_rank(at)
    known = _is_passed(s.before, s.move.from_square) and _is_passed(s.after, at)
    return at == s.at and known and left == ["no", "one", "two", "three"].index(count)


def _makes_passed(s: Seen, text: str) -> bool:
    for at in _named(text):
        came = s.move.from_square if at == s.at else at
        if not _is_passed(s.after, at) or _is_passed(s.before, came):
            return False
    return True


def _blocks_pawn(s: Seen, square: str) -> bool:
    at = chess.parse_square(square)
    return (
        s.after.color_at(at) == s.you
        and _is_passed(s.after, at)
        and s.at == at + (8 if s.you else -8)
    )


def _all(test: Callable[[Seen, int], bool], own: bool) -> Callable[..., bool]:
    """A definition that has to hold of every man that is named."""

    def holds(s: Seen, text: str) -> bool:
        men = s.men(text, s.me if own else s.you)
        return bool(men) and all(test(s, at) for at in men)

    return holds


def _retaken(s: Seen) -> bool:
    return bool(s.replies_at(s.at))


DEFINITIONS: dict[str, Callable[..., bool]] = {
    rf"promotes to a {_PIECE} on {_SQUARE}": lambda s, name, square: (
        s.move.promotion == TYPES[name] and chess.parse_square(square) == s.at
    ),
    rf"threatens mate on {_SQUARES} with a {_PIECE}": _threat,
    rf"threatens mate on the back rank on {_SQUARES} with a {_PIECE}": (
        lambda s, squares, name: _threat(s, squares, name, back=True)
    ),
    rf"takes the {_PIECE} on {_SQUARE}, which threatens mate": lambda s, name, square: (
        s.taken(name, square) and any(m.from_square == s.taken_at for m in _mates(s.before, s.you))
    ),
    rf"guards {_SQUARES}, where a {_PIECE} threatens mate": lambda s, squares, name: all(
        s.at in s.after.attackers(s.me, at)
        and any(
            m.to_square == at and s.before.piece_type_at(m.from_square) == TYPES[name]
            for m in _mates(s.before, s.you)
        )
        for at in _named(squares)
    ),
    rf"takes the {_PIECE} on {_SQUARE}, which nothing guards": lambda s, name, square: (
        s.taken(name, square) and not s.after.attackers(s.you, s.at) and not s.replies_at(s.at)
    ),
    rf"takes the {_PIECE} on {_SQUARE} with a {_PIECE}, which is worth less": (
        lambda s, name, square, by: (
            s.taken(name, square) and s.moved == TYPES[by] and WORTH[s.moved] < WORTH[TYPES[name]]
        )
    ),
    rf"takes the {_PIECE} on {_SQUARE} with a {_PIECE}, which can be taken back": (
        lambda s, name, square, by: (
            s.taken(name, square)
            and s.moved == TYPES[by]
            and WORTH[s.moved] > WORTH[TYPES[name]]
            and _retaken(s)
        )
    ),
    rf"takes the {_PIECE} on {_SQUARE}": Seen.taken,
    rf"forks {_MEN}": _forks,
    rf"pins {_MEN} to the {_PIECE}": _pins,
    rf"attacks the {_PIECE} and, behind it, {_MEN}": _skewers,
    rf"uncovers an attack by a {_PIECE} on {_MEN}": _uncovers,
    rf"attacks {_MEN}, which no move takes to safety": _all(
        lambda s, at: _in_danger(s.after, at) and _can_go_nowhere(s, at), own=False
    ),
    rf"takes the {_PIECE} that alone guards {_MEN}": _undermines,
    rf"leaves a {_PIECE} alone to guard {_MEN}": _overloads,
    rf"puts the {_PIECE} on {_SQUARE}, where a {_PIECE} can take it": _puts_for_less,
    rf"puts the {_PIECE} on {_SQUARE}, where it is attacked and nothing guards it": (
        lambda s, name, square: (
            chess.parse_square(square) == s.at
            and s.after.piece_type_at(s.at) == TYPES[name]
            and not s.guarded(s.at)
            and any(not retaken for _, retaken in s.replies_at(s.at))
        )
    ),
    rf"lets a {_PIECE} take {_MEN}": lambda s, by, text: _all(
        lambda s, at: any(
            kind == TYPES[by] and WORTH[kind] < s.worth(at) for kind, _ in s.replies_at(at)
        ),
        own=True,
    )(s, text),
    rf"leaves {_MEN} attacked and unguarded": _all(
        lambda s, at: not s.guarded(at) and any(not r for _, r in s.replies_at(at)), own=True
    ),
    rf"attacks {_MEN}, which nothing guards": _all(
        lambda s, at: s.attacks_new(at) and not s.guarded(at), own=False
    ),
    rf"attacks {_MEN}": _all(
        lambda s, at: s.attacks_new(at) and s.worth(at) > s.worth(s.at), own=False
    ),
    rf"saves the {_PIECE} that was attacked on {_SQUARE}": _averts,
    rf"guards {_MEN}, which was attacked and unguarded": _all(
        lambda s, at: (
            s.at in s.after.attackers(s.me, at)
            and bool(s.before.attackers(s.you, at))
            and not s.guarded(at, s.before)
        ),
        own=True,
    ),
    r"gives (?:white|black) (?:a passed pawn|passed pawns) on " + _SQUARES: (_makes_passed),
    rf"brings a passed pawn to {_SQUARE}, (one|two|three) steps? from promotion": _steps_on,
    rf"blocks the passed pawn on {_SQUARE}": _blocks_pawn,
    r"leaves (white|black)'s (?:own )?king without a pawn on the ([a-h]) file": _lays_bare,
    r"gives check": lambda s: s.after.is_check(),
    r"brings the king into safety": lambda s: s.before.is_castling(s.move),
    r"puts a rook on the seventh rank": lambda s: (
        s.moved == chess.ROOK and chess.square_rank(s.at) == (6 if s.me else 1)
    ),
    r"offers to exchange (queen|rook)s": lambda s, name: (
        s.moved == TYPES[name]
        and any(
            s.after.piece_at(at) == chess.Piece(TYPES[name], s.you) for at in s.after.attacks(s.at)
        )
        and s.guarded(s.at)
    ),
    r"takes the open ([a-h]) file with a rook": lambda s, file: (
        s.moved == chess.ROOK
        and chess.square_file(s.at) == "abcdefgh".index(file)
        and _is_open(s, file, (True, False))
    ),
    r"puts a pawn in the centre": lambda s: (
        s.moved == chess.PAWN and s.at in (chess.D4, chess.E4, chess.D5, chess.E5)
    ),
    r"develops a (knight|bishop)": lambda s, name: (
        s.moved == TYPES[name]
        and chess.square_rank(s.move.from_square) == (0 if s.me else 7)
        and chess.square_rank(s.at) != (0 if s.me else 7)
    ),
}
"""What each sentence means, by a pattern that reads it."""


def is_true(before: chess.Board, move: chess.Move, text: str) -> bool:
    """Whether a sentence about a move holds.

    Raises:
        ValueError: no definition reads the sentence.
    """
    for pattern, holds in DEFINITIONS.items():
        if found := re.fullmatch(pattern, text):
            try:
                return holds(Seen(before, move), *found.groups())
            except AssertionError:
                return False  # a man that it names does not stand there
    raise ValueError(text)


_SAID = (
    r"(?P<line>\S+) runs into (?P<move>\S+), which (?P<does>.*)",
    r"(?P<line>\S+) allows (?P<rest>.*): the last move (?P<does>.*)",
    r"After (?P<line>[^,]+), (?P<move>\S+) (?P<does>.*)",
    r"(?:White|Black) must play (?P<move>\S+): it (?P<does>.*)",
    r"(?P<move>\S+) is better: it (?P<does>.*)",
    r"(?P<it>It) (?:also )?(?P<does>.*)",
    r"(?P<move>\S+) (?P<does>.*)",
)
"""Sentences of explanations: the moves before the one that they are about, this one, and what it
does."""


def sentences_of(board: chess.Board, text: str) -> Iterator[tuple[chess.Board, chess.Move, str]]:
    """What the sentences of an explanation say of moves: the board before each, the move and what
    it does."""
    last = ""
    for sentence in re.split(r"(?<=[a-z0-9+#=)])\. ", text.rstrip(".")):
        sentence = re.sub(r"^Not (\S+): it ", r"\1 ", sentence)
        found = next(filter(None, (re.fullmatch(said, sentence) for said in _SAID)), None)
        if found is None:
            continue
        parts = found.groupdict()
        *line, move = " ".join(
            filter(None, (parts.get("line"), parts.get("rest"), parts.get("move")))
        ).split() or [last]
        if not line:
            last = move
        at = board.copy(stack=False)
        try:
            for each in line:
                at.push_san(each.lstrip("0123456789."))
            made = at.parse_san(move)
        except ValueError:  # it is about something else
            continue
        yield from ((at, made, each) for each in _events_in(parts["does"]))


def _events_in(text: str) -> list[str]:
    """One event or two, if all of the text tells events."""
    ways = [(text,), *((text[: m.start()], text[m.end() :]) for m in re.finditer(",? and ", text))]
    known = [*map(re.compile, DEFINITIONS)]
    for way in ways:
        if all(any(each.fullmatch(part) for each in known) for part in way):
            return [*way]
    return []


def told_of_moves(
    game: "advisor.Game", board: chess.Board
) -> Iterator[tuple[chess.Board, chess.Move, str]]:
    """All sentences that explanations could say about two moves of a position: any one, and one
    that takes or checks. They depend on the position alone."""
    position = game.position(board.fen())
    draw = random.Random(board.fen())
    moves = [*board.legal_moves]
    forcing = [m for m in moves if board.is_capture(m) or board.gives_check(m)]
    for move in {draw.choice(moves), draw.choice(forcing or moves)}:
        term = next(t for t, name in position.names.items() if name == board.san(move))
        for event in position.abilities.events(term):
            yield board, move, event.text


def told_by_advice(
    game: "advisor.Game", board: chess.Board, depth: int
) -> Iterator[tuple[chess.Board, chess.Move, str]]:
    """Return the sentences about moves in the explanation of an advice."""
    advice = advisor.suggest(game.position(board.fen()), depth=depth, traced=True)
    return sentences_of(board, " ".join(advisor.explain(advice)))


def false_ones(told: Iterable[tuple[chess.Board, chess.Move, str]]) -> tuple[int, list[str]]:
    """Count sentences, and list the false ones."""
    each = [*told]
    return len(each), [
        f"{board.fen()} | {board.san(move)} | {text}"
        for board, move, text in each
        if not is_true(board, move, text)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Check what is told of chess positions.")
    parser.add_argument("fens", type=Path)
    parser.add_argument("found", type=Path)
    parser.add_argument("--depth", type=int, help="check explanations of advice of this depth")
    given = parser.parse_args()
    fens = [line for line in given.fens.read_text().splitlines() if line]
    done = len(given.found.read_text().splitlines()) if given.found.exists() else 0
    game = advisor.load_game("chess")
    with given.found.open("a") as out:
        for fen in fens[done:]:
            board = chess.Board(fen)
            deep = given.depth is not None
            told = told_by_advice(game, board, given.depth) if deep else told_of_moves(game, board)
            count, false = false_ones(told)
            out.write(json.dumps({"sentences": count, "false": false}) + "\n")
            out.flush()
    lines = [json.loads(line) for line in given.found.read_text().splitlines()]
    false = [each for line in lines for each in line["false"]]
    count = sum(line["sentences"] for line in lines)
    print(f"{len(lines)} positions, {count} sentences about moves, {len(false)} false")
    print("\n".join(false[:20]))


if __name__ == "__main__":
    main()
