"""Trees of random games, for moves that a look-ahead leaves open.

They serve games without features.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from advisor.advice.advice import Expected, Move
from advisor.engine.playouts import play_out
from advisor.engine.search import Result
from advisor.engine.uct import Branch, Grower, UctSearch, think
from advisor.games.score import Score
from advisor.limits import Limit
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

_MORE = 32
"""Random games of a round, beside one for each legal move."""

_ROUNDS = 32.0
"""Rounds if only a depth is given."""

_LOOKING, _LOOKING_MOST = 0.1, 2.0
"""The look-ahead's share of the time, and its most seconds.

A user who stops a long search with Ctrl-C then still gets results of random games.
"""

_TO_DEPTH = 0.5
"""Its share of the time if it has to reach a depth."""

_LONG = 1.0
"""Seconds that a tree may take in NumPy if no time is given."""

_FEW = 16
"""Random games after the move in question, if the tree had no time for one."""


def begin(
    game: Any,
    limit: Limit,
    rng: np.random.Generator | int | None,
    stop: Stop,
    jobs: int,
    asked: Term | None,
    go_on: bool,
) -> tuple[Limit, Callable[[Result, dict[int, Move]], tuple[bool, int]]]:
    """Prepare random games of a position; for the arguments see `advisor.advice.facade.advise`.

    Returns:
        the limit of the look-ahead, which leaves time for these games; and a function that replaces
        the moves that it has left open by the games' view of them. That function returns whether
        machine code played the games, and the number of moves that it had no time for; it raises a
        KeyboardInterrupt if it was stopped before anything was known.
    """
    position, root = game.by_chance, game.root()
    circuits, chance = position.circuits, np.random.default_rng(rng)
    grower: Grower | None = circuits.tree.grower(_LONG if limit.seconds is None else limit.seconds)
    part = None if limit.seconds is None else min(_LOOKING * limit.seconds, _LOOKING_MOST)
    if limit.depth is not None and limit.seconds is not None:
        part = _TO_DEPTH * limit.seconds
    looking, rounds = Limit(limit.depth, part), _ROUNDS
    if limit.rounds is not None:
        plies = limit.depth if limit.before_games is None else limit.before_games
        looking, rounds = Limit(plies, limit.seconds), limit.rounds

    def guess(found: Result, known: dict[int, Move]) -> tuple[bool, int]:
        guessed = [number for number, move in known.items() if _open(move)]
        wanted = next((number for number in guessed if known[number].move == asked), None)
        won = any(move.score.kind == "win" for move in known.values())
        # If a move is in question, even a single guess is worth games: it may be the only move that
        # does not lose.
        undecided = not won and len(guessed) > (1 if asked is None else 0)
        if not undecided and wanted is None:
            return found.machine_code, 0
        games = None if limit.depth is None else round(rounds * (_MORE + len(known)))
        rule = UctSearch(
            seed=int(chance.integers(-(1 << 63), 1 << 63)),
            games=games,
            stop=stop,
            asked=wanted,
            proves=root.harmless,
            # With a fixed number of games, one thread plays the same games every time.
            jobs=jobs if games is None else 1,
        )
        certain = [
            (number, move.score.kind, move.score.plies or 0)
            for number, move in known.items()
            if not _open(move)
        ]
        for branch in think(circuits, grower, position.row, position.look, rule, certain, go_on):
            # Inserted again, so that among equals the one with more games comes first.
            known[branch.move] = _add_tree_view(game, known.pop(branch.move), branch, found.depth)
        if wanted is not None and _open(known[wanted]) and not known[wanted].playouts:
            mean = _mean_after(position, wanted, chance, stop.without_limit)
            known[wanted] = replace(known[wanted], playouts=_FEW, mean=mean)
        untried = sum(known[number].mean is None for number in guessed)
        if untried == len(known):
            stop.check()
        return grower is not None, untried

    return looking, guess


def _open(move: Move) -> bool:
    return move.score.kind == "heuristic"


def _add_tree_view(game: Any, move: Move, branch: Branch, depth: int) -> Move:
    """Return a move with the view of a tree beside a look-ahead of `depth` plies."""
    if _open(move) and branch.kind != "heuristic":
        score = Score(branch.kind)
        if branch.plies is not None:
            within = branch.plies > depth + 1
            score = game.decided_score(branch.kind == "win", branch.plies, branch.line, within)
        move = replace(move, score=score, ahead=None)
    if not branch.games:
        return move
    expected = Expected(game.moves_of_line(branch.line), branch.share)
    return replace(move, playouts=branch.games, mean=branch.mean, expected=expected)


def _mean_after(position: Any, move: int, rng: np.random.Generator, stop: Stop) -> float:
    """Return the mean result of a few random games after a move."""
    game, look = position.circuits, position.look
    rows = np.repeat(position.row[None], _FEW, 0)
    after = game.step(rows, np.full(_FEW, move, np.intp), look.turn.repeat(_FEW))
    results = play_out(game, after, rng, stop).results
    return float(results.mean()) * (-1 if game.exchanges or look.turn[0] else 1)
