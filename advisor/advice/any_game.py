"""Advice for any game that is given by its rules: what a look-ahead proves, then random play.

The look-ahead knows nothing but the rules (and features, where the game has weights for them), so
its results are wins and losses that are certain. Random games decide among what it leaves open.
"""

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from advisor.asp.clingo_api import Term, render
from advisor.engine.playouts import try_moves
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.search import FORCED, WIN, search
from advisor.games.playing import Playing
from advisor.limits import Limit, Stop

DEFAULT = Limit(seconds=1.0)
"""How long a move may take, unless told otherwise."""

_PLAYOUTS = 4096
"""Random games where not time but depth is limited."""

_LOOKING = 0.3
"""The look-ahead's part of the time."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A legal move and what is known of it, for the side to move.

    Attributes:
        move: the move.
        kind: "win", "loss" and "draw" are certain, "heuristic" is not.
        plies: until a win or loss.
        value: of the look-ahead, in weight units; None where the game has no weights.
        playouts, mean: random games after the move and their mean result, from -1 to 1.
    """

    move: Term
    kind: str
    plies: int | None = None
    value: int | None = None
    playouts: int = 0
    mean: float | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """The better move has the greater one; random games are not part of it."""
        if self.kind == "win":
            return 2, -(self.plies or 0)
        return (0, self.plies or 0) if self.kind == "loss" else (1, self.value or 0)

    def to_json(self) -> dict[str, Any]:
        """As the ``--json`` outputs give it."""
        score: dict[str, Any] = {"kind": self.kind}
        if self.plies is not None:
            score |= {"in": (self.plies + 1) // 2, "plies": self.plies}
        if self.value is not None:
            score["value"] = self.value
        if self.mean is not None:
            score |= {"playouts": self.playouts, "mean": round(self.mean, 4)}
        return {"move": render(self.move), "score": score}


@dataclass(frozen=True, slots=True)
class GameAdvice:
    """What to play.

    Attributes:
        moves: all legal ones, the best first.
        depth: plies that were looked ahead.
        seconds: what it took.
    """

    moves: tuple[Chance, ...]
    depth: int
    seconds: float

    def to_json(self, playing: Playing) -> dict[str, Any]:
        """As the ``--json`` outputs give it."""
        return {
            "game": playing.game.rules.name,
            "turn": playing.player,
            "best": [render(self.moves[0].move)],
            "moves": [chance.to_json() for chance in self.moves],
            "depth": self.depth,
            "seconds": round(self.seconds, 3),
        }


def advise(
    playing: Playing, limit: Limit, rng: np.random.Generator, stop: Stop | None = None
) -> GameAdvice:
    """What to play in a state whose game goes on.

    Args:
        playing: the state.
        limit: of depth and time; `DEFAULT` if it has none.
        rng: what is random.
        stop: ends the thinking with what is known by then.
    """
    started = time.monotonic()
    if limit == Limit():
        limit = DEFAULT
    stop = (stop or Stop()).within(limit.seconds)
    game = playing.game
    position = RowPosition(game, playing.row, playing.turn if game.exchanges else None)
    looking = stop if limit.seconds is None else stop.within(_LOOKING * limit.seconds)
    found = search(position, RowEvaluator(game), depth=limit.depth, stop=looking, every_move=True)
    known = {
        move: _chance(game.rules.moves[move], score, found.exhaustive, bool(game.weights))
        for move, score in found.scores.items()
    }
    guessed = np.array([m for m, chance in known.items() if chance.kind == "heuristic"], np.intp)
    won = any(chance.kind == "win" for chance in known.values())
    if len(guessed) > 1 and not won and not game.weights:
        playouts = _PLAYOUTS if limit.seconds is None else None
        tried = try_moves(game, playing.row, rng, moves=guessed, playouts=playouts, stop=stop)
        for move, count, mean in zip(tried.moves, tried.playouts, tried.means, strict=True):
            # Put in again, so that among equals the one that random games prefer comes first.
            chance = known.pop(int(move))
            known[int(move)] = replace(chance, playouts=int(count), mean=float(mean))
    moves = sorted(known.values(), key=lambda chance: chance.rank, reverse=True)
    return GameAdvice(tuple(moves), found.depth, time.monotonic() - started)


def _chance(move: Term, score: int, exhaustive: bool, weighed: bool) -> Chance:
    if score >= FORCED:
        return Chance(move, "win", plies=WIN - score)
    if score <= -FORCED:
        return Chance(move, "loss", plies=WIN + score)
    if exhaustive:
        return Chance(move, "draw")
    return Chance(move, "heuristic", value=score if weighed else None)
