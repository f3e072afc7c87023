"""What explanations name: events on the board, how many words they take.

    python benchmarks/measure/explanations.py [POSITIONS] [GAME]

Random positions are explained in which the suggested move and the next best one differ: in Connect
Four by their exact scores, in other games by a result or by a value. Prints in how many of them the
explanation names an event that happens within four plies, and the median of its words.
"""

import random
import re
import statistics
import sys
from collections.abc import Iterator

import advisor
from advisor.advice.numbers import next_best

_PLIES = 4


def some_positions(game: str, seed: int) -> Iterator["advisor.Position"]:
    """Positions of random games, in Connect Four of 12 discs or more."""
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
    """Whether a text tells something that happens, by the rules, within four plies, or how the
    game ends."""
    if re.search(r" (completes?|at once|mated?) ", f"{text} "):
        return True
    lines = [move.trace.line if move.trace else (move.move,) for move in advice.moves]
    for line in lines:
        game = advice.game
        for move in line[:_PLIES]:
            if game.result is not None:
                break
            if any(event.text in text for event in game.events(move)):
                return True
            game = game.after(move)
    return False


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    game = sys.argv[2] if len(sys.argv) > 2 else "connect4"
    named, words = 0, []
    positions = some_positions(game, seed=1)
    while len(words) < count:
        position = next(positions)
        advice = advisor.suggest(position, depth=None if game == "connect4" else 3)
        if not is_telling(position, advice):
            continue
        text = " ".join(advisor.explain(advice)[:1])
        named += names_an_event(advice, text)
        words.append(len(text.split()))
    print(f"{game}: {named} of {count} name an event; words: median {statistics.median(words):g}")


if __name__ == "__main__":
    main()
