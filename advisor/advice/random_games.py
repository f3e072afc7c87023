"""What random games say of moves that a look-ahead leaves open, where a game has no features.

They are put into a tree where there is compiled code for that or their number is given, otherwise
they are played after each of the moves.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from advisor.advice.advice import Expected, Move
from advisor.asp.clingo_api import Term
from advisor.engine.playouts import try_moves
from advisor.engine.search import Result
from advisor.engine.uct import Branch, Grower, Search, think
from advisor.games.score import Score
from advisor.limits import Limit, Stop

_PLAYOUTS, _EACH = 1024, 32
"""Random games where a depth is given, and how many more for each move."""

_LOOKING, _BEFORE_TREES = 0.3, 0.1
"""The look-ahead's part of the time, before random games and before a tree of them."""

_LONG = 1.0
"""Seconds that a tree may take NumPy where no time is given."""


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
            part = _BEFORE_TREES if self._grower else _LOOKING
            self.looking = stop.within(part * limit.seconds)

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
        if self._grower or self._limit.depth is not None:
            self._grow(known, asked, found.depth)
            machine_code = self._grower is not None
        else:
            self._try(known, guessed, asked)
            machine_code = self._playing.game.tree.player() is not None
        return machine_code, sum(known[number].mean is None for number in guessed)

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
            # In a very short time no game after it may have ended.
            self._try(known, [asked], asked)

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

    def _try(self, known: dict[int, Move], guessed: Sequence[int], asked: int | None) -> None:
        """After each of the moves."""
        playing, numbers = self._playing, np.array(guessed, np.intp)
        tried = try_moves(
            playing.game, playing.row, self._rng, moves=numbers, stop=self._stop, asked=asked
        )
        for number, count, mean in zip(tried.moves, tried.playouts, tried.means, strict=True):
            move = known.pop(int(number))
            if count:
                move = replace(move, playouts=int(count), mean=float(mean))
            known[int(number)] = move
