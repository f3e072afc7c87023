"""Check that concurrent threads get the same answers as one thread.

All threads ask the same questions, each in its own order: about Connect Four on several sizes,
chess, Hex and tic-tac-toe. They share evaluators and a circuit; each thread also has its own
evaluator.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from random import Random
from typing import Any

import numpy as np

import advisor

Answer = Callable[[advisor.Evaluator], object]
"""Answers a question, given the thread's own evaluator."""

SIZES = (7, 6), (6, 4), (9, 7)

GAMES = (("chess", None), ("hex", {"size": 4}), ("tictactoe", None))

CABLES = [(a, b) for a in range(1, 8) for b in (a + 1, a + 3) if b <= 8]

REACHED = """
reached(1).
reached(Y) :- reached(X), cable(X, Y), not cut(X, Y).
reached(X) :- reached(Y), cable(X, Y), not cut(X, Y).
lost(N) :- N = #count { X : X = 1..8, not reached(X) }.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--questions", type=int, default=2000, help="that each thread asks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--machine-code",
        choices=("always", "never", "usual"),
        default="usual",
        help="of evaluators",
    )
    told = parser.parse_args()
    code = {"always": True, "never": False, "usual": None}[told.machine_code]
    asked = Questions(code).some(Random(told.seed), told.questions)
    started = time.monotonic()
    found = at_once(asked, told.threads, code)
    between = time.monotonic()
    expected = answered(asked, range(len(asked)), code)
    print(f"{told.threads} threads {between - started:.1f} s, ", end="")
    print(f"then one thread {time.monotonic() - between:.1f} s")
    differing = [
        f"{name}: {answer} instead of {right}"
        for answers in found
        for (name, _), answer, right in zip(asked, answers, expected, strict=True)
        if answer != right
    ]
    print(*differing[:10], f"{len(differing)} of {told.threads * len(asked)} differ", sep="\n")
    sys.exit(bool(differing))


def at_once(
    asked: Sequence[tuple[str, Answer]], threads: int, code: bool | None = None
) -> list[list[str]]:
    """Let threads ask all questions at the same time; return each thread's answers."""

    def one(seed: int) -> list[str]:
        return answered(asked, Random(seed).sample(range(len(asked)), len(asked)), code)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(threads)))


def answered(
    asked: Sequence[tuple[str, Answer]], order: Sequence[int], code: bool | None = None
) -> list[str]:
    """Ask questions in this order; return the answers, or the errors, as texts."""
    own = advisor.Evaluator(machine_code=code)
    found = [""] * len(asked)
    for number in order:
        try:
            found[number] = repr(asked[number][1](own))
        except Exception as error:
            found[number] = f"{type(error).__name__}: {error}"
    return found


class Questions:
    """Questions of all kinds, each about its own position.

    Args:
        code: whether evaluators have machine code, see `advisor.Evaluator`.
        games: games by their rules, with their constants.
    """

    def __init__(
        self,
        code: bool | None = None,
        games: Sequence[tuple[str, dict[str, int] | None]] = GAMES,
    ) -> None:
        self._shared = {size: advisor.Evaluator(size=size, machine_code=code) for size in SIZES}
        cables = "".join(f"cable({a},{b}). " for a, b in CABLES)
        cut = [f"cut({a},{b})" for a, b in CABLES]
        self._circuit = advisor.compile(cables + REACHED, cut, ["lost/1"])
        self._games = [advisor.load_game(name, constants=given) for name, given in games]
        self._kinds: dict[str, Callable[[Random], Answer]] = {
            "suggest": self._suggest,
            "at once": self._at_once,
            "solve": self._solve,
            "rules": self._rules,
            "plan": self._plan,
            "solution": self._solution,
            "review": self._review,
            "shared evaluator": self._by_shared,
            "own evaluator": self._by_own,
            "circuit": self._of_circuit,
            "game suggest": self._game_suggest,
            "game play": self._game_play,
            "game review": self._game_review,
        }

    def some(self, rng: Random, count: int, kinds: Sequence[str] = ()) -> list[tuple[str, Answer]]:
        """Return `count` questions with their names, cycling through some kinds, by default all."""
        chosen = islice(cycle(kinds or self._kinds), count)
        return [(f"{number}, {kind}", self._kinds[kind](rng)) for number, kind in enumerate(chosen)]

    def _suggest(self, rng: Random) -> Answer:
        p, depth = _board(rng, rng.choice(SIZES), 8, 20), rng.choice((0, 2, 4, 5))
        return lambda _: _advised(advisor.suggest(p, depth=depth))

    def _at_once(self, rng: Random) -> Answer:
        p = _board(rng, (7, 6), 0, 10)
        return lambda _: _advised(advisor.suggest(p, depth=2, at_once=True))

    def _solve(self, rng: Random) -> Answer:
        p = _board(rng, (7, 6), 28, 34)
        return lambda _: advisor.solve(p).score

    def _rules(self, rng: Random) -> Answer:
        p, strict = _board(rng, rng.choice(SIZES[:2]), 8, 24), rng.random() < 0.5
        return lambda _: advisor.explain(advisor.prove(p, by="rules", strict=strict))

    def _plan(self, rng: Random) -> Answer:
        """Ask whether there is a plan; which plan is found depends on timing."""
        p = _board(rng, (6, 4), 15, 20)

        def prove(_: advisor.Evaluator) -> object:
            proof = advisor.prove(p, by="plan", seconds=60)
            return proof and (proof.player, proof.outcome)

        return prove

    def _solution(self, rng: Random) -> Answer:
        p = advisor.position([4, rng.randint(1, 7)])
        return lambda _: advisor.explain(advisor.prove(p))

    def _review(self, rng: Random) -> Answer:
        """Ask for a review on a small board, with enough time to prove all its scores."""
        p = _board(rng, (5, 4), 6, 10)
        return lambda _: _reviewed(advisor.review(p, depth=2, seconds=600))

    def _by_shared(self, rng: Random) -> Answer:
        size = rng.choice(SIZES)
        boards, plies = _boards(rng, size), rng.randrange(3)
        return lambda _: self._shared[size].values(boards, plies=plies).tolist()

    def _by_own(self, rng: Random) -> Answer:
        boards, plies = _boards(rng, SIZES[0]), rng.randrange(3)
        return lambda own: (own.values(boards, plies=plies).tolist(), own.counts(boards)[0].sum(0))

    def _of_circuit(self, rng: Random) -> Answer:
        cut = np.random.default_rng(rng.randrange(1000)).random(
            (rng.randrange(1, 500), len(CABLES))
        )
        return lambda _: self._circuit.evaluate(cut < 0.3).sum(0)

    def _game_suggest(self, rng: Random) -> Answer:
        state = self._state(rng, 8)
        return lambda _: advisor.suggest(state, depth=1).to_json()["best"]

    def _game_play(self, rng: Random) -> Answer:
        state = self._state(rng, 10)

        def play(_: advisor.Evaluator) -> object:
            after = [state.play(move) for move in state.moves[:6]]
            back = [each.back(min(3, len(each.played))) for each in after]
            return [
                (a.text, a.over, a.winner, a.turn, b.text) for a, b in zip(after, back, strict=True)
            ]

        return play

    def _game_review(self, rng: Random) -> Answer:
        state = self._state(rng, 3)
        return lambda _: state.played and _reviewed(advisor.review(state, depth=1))

    def _state(self, rng: Random, most: int) -> advisor.Position:
        state = rng.choice(self._games).position()
        for _ in range(rng.randint(1, most)):
            after = state.play(rng.choice(state.moves))
            if after.over:
                break
            state = after
        return state


def _board(rng: Random, size: tuple[int, int], least: int, most: int) -> advisor.Position:
    """Return a random unfinished game with a number of moves between bounds."""
    while True:
        p, moves = advisor.position(size=size), rng.randint(least, most)
        while len(p.played) < moves and not p.over:
            p = p.play(rng.choice(p.moves))
        if not p.over:
            return p


def _boards(rng: Random, size: tuple[int, int]) -> list[advisor.Position]:
    return [_board(rng, size, 4, 18) for _ in range(rng.choice((1, 3, 40, 150)))]


def _advised(advice: Any) -> object:
    """Return an advice without the amount of its work, which depends on earlier questions."""
    scores = [(column, score.to_json()) for column, score in advice.scores.items()]
    return advice.best, scores, advisor.explain(advice)


def _reviewed(review: advisor.Review) -> object:
    return [(move.name, move.mark, move.better, move.reasons) for move in review.moves]


if __name__ == "__main__":
    main()
