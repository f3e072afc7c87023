"""What a tree of random games says of moves that a look-ahead leaves open, where a game has no
features."""

from dataclasses import replace
from typing import Any

import numpy as np

from advisor.advice.advice import Expected, Move
from advisor.asp.clingo_api import Term
from advisor.engine.playouts import play_out
from advisor.engine.search import Result
from advisor.engine.uct import Branch, Grower, Search, think
from advisor.games.score import Score
from advisor.limits import Limit, Stop

_PLAYOUTS, _EACH = 1024, 32
"""Random games where a depth is given, and how many more for each move."""

_LOOKING = 0.1
"""The look-ahead's part of the time."""

_LONG = 1.0
"""Seconds that a tree may take NumPy where no time is given."""

_FEW = 16
"""Random games after a move that is asked about, where the tree had no time for one."""


class Guesses:
    """Random games of one position; for what is given see `advisor.advice.facade.advise`.

    Attributes:
        looking: ends the look-ahead sooner, for these games to follow.
    """

    def __init__(
        self,
        game: Any,
        limit: Limit,
        rng: np.random.Generator,
        stop: Stop,
        jobs: int,
        asked: Term | None,
        go_on: bool,
    ) -> None:
        self._game, self._playing = game, game.by_chance
        self._limit, self._rng, self._stop = limit, rng, stop
        self._jobs, self._asked, self._go_on = jobs, asked, go_on
        circuits = self._playing.game
        self._grower = circuits.tree.grower(_LONG if limit.seconds is None else limit.seconds)
        self.looking = stop
        if limit.seconds is not None:
            self.looking = stop.within(_LOOKING * limit.seconds)

    def __call__(self, found: Result, known: dict[int, Move]) -> tuple[bool, int]:
        """Puts what the games say of moves that the look-ahead leaves open in their place.

        Returns:
            whether machine code played them, and how many moves it had no time for.
        """
        guessed = [number for number, move in known.items() if move.score.kind == "heuristic"]
        won = any(move.score.kind == "win" for move in known.values())
        asked = next((number for number in guessed if known[number].move == self._asked), None)
        # Beside a move that is asked about, one guess may be the only move that does not lose.
        undecided = not won and len(guessed) > (1 if self._asked is None else 0)
        if not undecided and asked is None:
            return found.machine_code, 0
        self._grow(known, asked, found.depth)
        return self._grower is not None, sum(known[number].mean is None for number in guessed)

    def _grow(self, known: dict[int, Move], asked: int | None, depth: int) -> None:
        """In a tree, beside a look-ahead so deep."""
        playing, games = self._playing, None
        if self._limit.depth is not None:
            games = _PLAYOUTS + _EACH * len(known)
        rule = Search(
            seed=int(self._rng.integers(-(1 << 63), 1 << 63)),
            games=games,
            stop=self._stop,
            asked=asked,
            proves=playing.game.rules.repetition is None,
            # So many games are played at once, and one thread plays the same ones every time.
            jobs=self._jobs if games is None else 1,
        )
        certain = [
            (number, move.score.kind, move.score.plies or 0)
            for number, move in known.items()
            if move.score.kind != "heuristic"
        ]
        tree: Grower | None = self._grower
        for branch in think(
            playing.game, tree, playing.row, playing.look, rule, certain, self._go_on
        ):
            # Put in again, so that among equals the one with more games comes first.
            known[branch.move] = self._grown(known.pop(branch.move), branch, depth)
        if (
            asked is not None
            and known[asked].score.kind == "heuristic"
            and not known[asked].playouts
        ):
            self._try(known, asked)

    def _grown(self, move: Move, branch: Branch, depth: int) -> Move:
        if move.score.kind == "heuristic" and branch.kind != "heuristic":
            score = Score(branch.kind)
            if branch.plies is not None:
                within = branch.plies > depth + 1
                score = self._game.won(branch.kind == "win", branch.plies, branch.line, within)
            move = replace(move, score=score, ahead=None)
        if not branch.games:
            return move
        expected = Expected(self._game.told(branch.line), branch.share)
        return replace(move, playouts=branch.games, mean=branch.mean, expected=expected)

    def _try(self, known: dict[int, Move], asked: int) -> None:
        """After the move that is asked about."""
        game, look = self._playing.game, self._playing.look
        rows = np.repeat(self._playing.row[None], _FEW, 0)
        after = game.step(rows, np.full(_FEW, asked, np.intp), look.turn.repeat(_FEW))
        results = play_out(game, after, self._rng, self._stop.untimed).results
        mean = float(results.mean()) * (-1 if game.exchanges or look.turn[0] else 1)
        known[asked] = replace(known[asked], playouts=_FEW, mean=mean)
