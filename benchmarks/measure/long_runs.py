"""Check that long searches end for a reason that they report.

    python benchmarks/measure/long_runs.py [SECONDS [GAME ...]]

It searches ten endings of chess and, in every other game, five positions of random games, for
SECONDS (60) each. A search may end because its time is up, because its result is certain, or
because it was interrupted, for example for lack of memory. It prints how each search ended, and
exits with 1 if one ended otherwise.
"""

import random
import sys
import time
from collections.abc import Iterator

import advisor
from advisor.advice.facade import advise
from advisor.engine.row_search import RowEvaluator
from advisor.engine.search import FORCED, search
from advisor.games import knowledge, rooms
from advisor.games.abilities import Abilities
from advisor.games.by_rules import RuleAbilities
from advisor.games.rule_game import RuleGame
from advisor.games.rule_position import RulePosition
from advisor.limits import Limit
from aspcircuits.stopping import Stop

ENDINGS = (
    "8/8/1p1k4/1P6/3K4/8/8/8 w - - 0 1",
    "8/8/1p1k1p2/1P3P2/3K4/8/8/8 w - - 0 1",
    "8/1p1p1p1p/1P1P1P1P/8/3k4/8/3K4/8 w - - 0 1",
    "4k3/8/2p1p1p1/2P1P1P1/8/8/8/4K3 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/5p2/5k2/8/5K2/5P2/8/8 w - - 0 1",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "8/8/8/3k4/8/3K4/3R4/7r w - - 0 1",
    "1k1K4/1p6/P7/8/8/8/8/8 w - - 0 1",
)
"""Endings with blocked pawns, whose lines have many plies, and others."""

OTHERS = "tictactoe", "connect4", "breakthrough", "morris", "reversi", "hex", "gomoku"


def somewhere(game: RuleGame, source: random.Random) -> RulePosition:
    """Return a position of a random game that is not over."""
    state = game.begin()
    for _ in range(source.randint(0, 24)):
        after = state.after(source.choice(state.legal))
        if after.over:
            break
        state = after
    return state


def some_disc(source: random.Random) -> advisor.Position:
    """Return such a position of Connect Four."""
    position = advisor.position()
    for _ in range(source.randint(0, 24)):
        after = position.play(source.choice(position.moves))
        if after.over:
            break
        position = after
    return position


def looked(state: RulePosition, seconds: float) -> str | None:
    """Return the reason for which the look-ahead at a state ended; None for no reason."""
    stop = Stop(seconds)
    evaluator = RowEvaluator(state.circuits, selective=state.circuits.selective)
    found = search(state.root, evaluator, stop=stop)
    certain = found.exhaustive or abs(found.value) >= FORCED
    reasons = {"its time was up": stop.is_set(), "certain": certain}
    reasons["interrupted"] = found.interrupted
    return next((f"depth {found.depth}, {why}" for why, so in reasons.items() if so), None)


def advised(game: Abilities, seconds: float) -> str | None:
    """Return the reason for which an advice on a position ended; None for no reason."""
    started = time.monotonic()
    found = advise(game, Limit(seconds=seconds))
    certain = found.score.kind != "heuristic"
    reasons = {"its time was up": time.monotonic() - started >= 0.9 * seconds, "certain": certain}
    reasons["interrupted"] = found.interrupted
    seen = f"depth {found.depth}, {found.score.kind}"
    return next((f"{seen}, {why}" for why, so in reasons.items() if so), None)


def runs(name: str, seconds: float) -> Iterator[tuple[str, str | None]]:
    """Yield the positions of a game, each with the end of its search."""
    source = random.Random(1)
    if name == "connect4":
        advisor.prepare(True)
        for position in [some_disc(source) for _ in range(5)]:
            yield position.text or "the start", advised(position.abilities, seconds)
        return
    game = rooms.by_circuits(knowledge.load(name)[0])
    game.circuits.tree.compile_now()
    if name == "chess":
        states = [game.begin(text) for text in ENDINGS]
    else:
        states = [somewhere(game, source) for _ in range(5)]
    for state in states:
        by_tree = game.circuits.search == "tree"
        ended = advised(RuleAbilities(state), seconds) if by_tree else looked(state, seconds)
        yield state.text, ended


def main(seconds: float, names: list[str]) -> int:
    wrong = 0
    for name in names:
        for text, ended in runs(name, seconds):
            print(f"{name}: {text}: {ended or 'ended for no reason'}", flush=True)
            wrong += ended is None
    return 1 if wrong else 0


if __name__ == "__main__":
    chosen = sys.argv[2:] or ["chess", *OTHERS]
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0, chosen))
