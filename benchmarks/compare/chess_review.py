"""Review ten known games of chess, and count how many of the marked moves are errors.

    python benchmarks/compare/chess_review.py reviews.jsonl [--label PROGRAM] [--shortest 3]

The file gets a line for each game once it is reviewed; a run goes on with the games that it lacks.
`data/known_games.pgn` holds the games, `data/known_games.txt` Stockfish's first choice and score
for every position, in hundredths of a pawn, 16 plies deep; `--label stockfish` writes that anew
(needs python-chess). A move's loss is the difference between the scores of the positions before and
after it; mates and all scores beyond 10 pawns count as 10 pawns.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import advisor
from advisor.advice.grades import Prospect, mark
from advisor.advice.review import Reviewed
from advisor.settings import grading

_DATA = Path(__file__).parents[1] / "data"
GAMES, LABELS = _DATA / "known_games.pgn", _DATA / "known_games.txt"
_DEPTH = 16
_MATE = 10_000
_MOST = 1000
_ERROR, _REAL = 50, 200
"""Losses in hundredths of a pawn from which a move may be marked, and should be marked."""

_MARKED = "mistake", "blunder"

Graded = tuple[str, str, str, str]
"""A move for programs and for people, its grade, and its grade by a single look."""


@dataclass(frozen=True, slots=True)
class Label:
    """Stockfish's judgement of a move that was played."""

    move: str
    first: str
    loss: int


def read_games() -> dict[str, advisor.Position]:
    """Read the games, by name."""
    chess = advisor.load_game("chess")
    texts = GAMES.read_text().split("[Event ")[1:]
    return {text.split('"')[1]: chess.position(f"[Event {text}") for text in texts}


def read_labels() -> dict[str, list[Label]]:
    """Read a label for each move, by the name of the game."""
    found: dict[str, list[Label]] = {}
    for line in LABELS.read_text().splitlines():
        if not line.startswith("#"):
            name, *entries = line.split("\t")
            found[name] = [*_labels(entries)]
    return found


def _labels(entries: list[str]) -> Iterator[Label]:
    rows = [entry.split() for entry in entries]
    scores = [max(-_MOST, min(_MOST, int(row[-1]))) for row in rows]
    for row, score, after in zip(rows, scores, scores[1:], strict=False):
        move, first = row[:2]
        yield Label(move, first, 0 if move == first else max(0, score + after))


def write_labels(program: str) -> None:
    """Ask a UCI engine about every position of the games, and write the labels."""
    import chess.engine
    import chess.pgn

    lines = [
        f"# {program}, {_DEPTH} plies: after the game's name the move, the first choice, the score"
    ]
    with chess.engine.SimpleEngine.popen_uci(program) as engine, GAMES.open() as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors, game.errors
            name, board, entries = game.headers["Event"], game.board(), list[str]()
            for move in [*game.mainline_moves(), None]:
                if board.is_game_over():
                    entries.append(str(-_MATE if board.is_checkmate() else 0))
                    break
                info = engine.analyse(board, chess.engine.Limit(depth=_DEPTH), game=name)
                score = info["score"].relative.score(mate_score=_MATE)
                entries.append(f"{move.uci() if move else '-'} {info['pv'][0].uci()} {score}")
                if move:
                    board.push(move)
            lines.append("\t".join([name, *entries]))
    LABELS.write_text("\n".join(lines) + "\n")


def by_last_depth(move: Reviewed) -> str:
    """Return the grade by a single look, which no further look confirms."""
    rules = grading.load()
    alone: Mapping[int | str, Prospect] = {
        name: replace(prospect, doubts=()) for name, prospect in move.prospects.items()
    }
    return mark(alone, move.move, rules, rules.scale_of("chess")).grade


@dataclass(slots=True)
class Count:
    """The moves that one way of grading has marked."""

    marked: int = 0
    errors: int = 0
    first: int = 0
    real: int = 0

    def add(self, grade: str, label: Label) -> None:
        if grade in _MARKED:
            self.marked += 1
            self.errors += label.loss >= _ERROR
            self.first += label.move == label.first
            self.real += label.loss >= _REAL


def review_game(name: str, game: advisor.Position) -> list[Graded]:
    """Grade a game, with progress on standard error."""

    def tell(move: Reviewed) -> None:
        print(f"\r{name}: {move.ply} ", end="", file=sys.stderr, flush=True)

    review = advisor.review(game, on_move=tell)
    print(file=sys.stderr)
    return [(str(m.move), m.name, m.mark.grade, by_last_depth(m)) for m in review.moves]


def review_games(names: Sequence[str], file: Path) -> dict[str, list[Graded]]:
    """Grade these games, or read their grades from the file."""
    done: dict[str, list[Graded]] = {}
    if file.exists():
        rows = map(json.loads, file.read_text().splitlines())
        done = {row["game"]: [(a, b, c, d) for a, b, c, d in row["moves"]] for row in rows}
    games = read_games()
    for name in names:
        if name not in done:
            done[name] = review_game(name, games[name])
            with file.open("a") as lines:
                print(json.dumps({"game": name, "moves": done[name]}), file=lines, flush=True)
    return {name: done[name] for name in names}


def main() -> None:
    """Print the figures and the marked moves."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path, help="where the grades are kept")
    parser.add_argument("--label", metavar="PROGRAM", help="write the labels anew")
    parser.add_argument("--shortest", type=int, default=10, help="number of games, the short ones")
    asked = parser.parse_args()
    if asked.label:
        write_labels(asked.label)
    labels = read_labels()
    names = sorted(labels, key=lambda name: len(labels[name]))[: asked.shortest]
    counts, real, moves = {"one look": Count(), "all looks": Count()}, 0, 0
    for name, graded in review_games(names, asked.file).items():
        rows = zip(graded, labels[name], strict=True)
        for ply, ((move, text, grade, alone), label) in enumerate(rows, 1):
            assert move == label.move, (name, ply)
            moves, real = moves + 1, real + (label.loss >= _REAL)
            counts["one look"].add(alone, label)
            counts["all looks"].add(grade, label)
            if grade in _MARKED or label.loss >= _REAL:
                told = "first choice" if label.move == label.first else f"loses {label.loss}"
                print(f"{name}: {ply}. {text} {grade}, {told}")
    print(f"{len(names)} games, {moves} moves; {real} lose {_REAL} or more")
    for way, count in counts.items():
        share = 100 * count.errors / max(1, count.marked)
        print(
            f"{way}: {count.marked} marked, {share:.0f} % of them lose {_ERROR} or more, "
            f"{count.first} are the first choice; {count.real} of {real} are found"
        )


if __name__ == "__main__":
    main()
