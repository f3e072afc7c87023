"""Measure how many explanations name an event on the board, and how long they are.

    python benchmarks/measure/explanations.py [POSITIONS] [GAME]

It explains positions in which the suggested move is better than the next best one: in Connect Four
random ones, by exact scores; in chess the positions of ``data/chess_telling.txt``, by Stockfish; in
other games random ones, by a result or a value. It prints how many of the explanations name an
event that happens within four plies, and the median of their words. In chess an explanation of the
best move counts as well, and quiet events do not count.
"""

import random
import re
import statistics
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import advisor
from advisor.advice.numbers import next_best

_PLIES = 4

_CHESS = Path(__file__).parent.parent / "data" / "chess_telling.txt"

_QUIET = ("castles", "centre", "check", "develops", "offers", "open_file", "seventh")
"""Quiet events of chess, which say little about a position."""


def some_positions(game: str, seed: int) -> Iterator["advisor.Position"]:
    """Yield positions of random games, in Connect Four with 12 discs or more."""
    rng, start = random.Random(seed), advisor.load_game(game).position()
    fewest = 12 if game == "connect4" else 2
    while True:
        position = start
        for _ in range(rng.randint(fewest, 28)):
            after = position.play(rng.choice(position.moves))
            if after.over:
                break
            position = after
        if len(position.played) >= fewest:
            yield position


def is_telling(position: "advisor.Position", advice: "advisor.Advice") -> bool:
    """Whether the next best move loses something."""
    other = next_best(advice)
    if other is None:
        return len(position.moves) > len(advice.best)
    if position.game.name == "connect4":
        known = advisor.solve(position, columns=True, seconds=20).moves or {}
        best = [known[move].score for move in advice.best if move in known]
        scores = [known[move].score for move in position.moves if move in known]
        return None not in scores and max(scores) in best and min(scores) < max(scores)
    return other.value != advice.first.value


def names_an_event(advice: "advisor.Advice", text: str) -> bool:
    """Whether a text names an event within four plies, by the rules, or the end of the game."""
    if re.search(r" (completes?|at once|mated?) ", f"{text} "):
        return True
    return names_an_event_of(advice, text, advice.moves)


def names_an_event_of(advice: "advisor.Advice", text: str, moves: "Iterable[advisor.Move]") -> bool:
    """Whether a text names an event on some moves' lines that is not quiet."""
    lines = [move.trace.line if move.trace else (move.move,) for move in moves]
    for line in lines:
        game = advice.game
        for move in line[:_PLIES]:
            if game.result is not None:
                break
            told = [event for event in game.events(move) if event.text in text]
            if any(event.name.partition("(")[0] not in _QUIET for event in told):
                return True
            game = game.after(move)
    return False


def measure_chess(count: int) -> tuple[int, list[int]]:
    """Count positions of the file whose explanation names an event; return words of each, too."""
    named, words, game = 0, [], advisor.load_game("chess")
    lines = [line for line in _CHESS.read_text().splitlines() if not line.startswith("#")]
    for line in lines[:count]:
        fen, best = line.split("; ")
        advice = advisor.suggest(game.position(fen), depth=4, traced=True)
        text = " ".join(advisor.explain(advice)[:1])
        moves = [advice.first, advice.move(best), *filter(None, [next_best(advice)])]
        texts = [text, *advisor.explain(advice, best)]
        named += any(
            re.search(r" (mates?|mated)\b", each) or names_an_event_of(advice, each, moves)
            for each in texts
        )
        words.append(len(text.split()))
    return named, words


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    game = sys.argv[2] if len(sys.argv) > 2 else "connect4"
    named, words = measure_chess(count) if game == "chess" else (0, [])
    positions = some_positions(game, seed=1)
    while game != "chess" and len(words) < count:
        position = next(positions)
        advice = advisor.suggest(position, depth=None if game == "connect4" else 3)
        if not is_telling(position, advice):
            continue
        text = " ".join(advisor.explain(advice)[:1])
        named += names_an_event(advice, text)
        words.append(len(text.split()))
    median = statistics.median(words)
    print(f"{game}: {named} of {len(words)} name an event; words: median {median:g}")


if __name__ == "__main__":
    main()
