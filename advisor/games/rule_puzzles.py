"""Candidates for puzzles in a game defined by rules alone, from random games."""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from advisor.engine.forced_wins import ForcedWins
from advisor.engine.nodes import Rows
from advisor.engine.playouts import random_moves
from advisor.engine.recurrences import identity
from advisor.games.circuits import Circuits
from advisor.games.puzzle_making import PuzzleMaker
from advisor.games.rule_position import RulePosition
from aspcircuits.stopping import Stop

_GAMES = 64
"""Games of a task, which are played together."""

_TRIED = 512
"""Random games that show how long games are."""

_OPENING, _SHARE = 12, 4
"""Plies before the first puzzle: at most _OPENING, or one part in _SHARE of random games."""

_PLIES = 90
_OF_A_PLY = 3
"""States that are examined after each ply of all games."""


class RulePuzzles(PuzzleMaker):
    """The `advisor.games.puzzle_making.PuzzleMaker` of rules; games go on from a position."""

    games_of_task = _GAMES

    def __init__(self, begun: RulePosition) -> None:
        self._begun = begun

    def no_room(self, plies: int) -> str:
        """Say why games are too short, by random games: no other bound is known."""
        told = f"none of {_TRIED} random games lasts for {plies} plies after the opening"
        return "" if _last(self._begun.circuits, plies) else f"take too long: {told}"

    def candidates(
        self, win_in: int, seed: int, task: int, stop: Stop
    ) -> Iterator[Sequence[RulePosition]]:
        rng = np.random.default_rng((seed, task))
        for moves in [*candidates(self._begun.circuits, win_in, rng, stop)]:
            position = self._begun
            for number in moves:
                if position.over:
                    break
                position = position.after(position.name(number))
            # Through its text, so that history which the text does not contain has no effect.
            posed = position.of(position.game, position.text)
            # Random games and the search for wins ignore how often a state has occurred.
            if not posed.over and posed.root.harmless:
                yield [posed]

    def likeness(self, position: RulePosition) -> str:
        """Return the state without counters that have no effect."""
        row = identity(position.row, position.circuits.counters).hex()
        return f"{position.rules.name}:{position.side}:{row}"

    def options_and_lines(self, position: RulePosition) -> tuple[str, str]:
        rules = position.rules
        sizes = "".join(f" --const {key}={value}" for key, value in rules.constants.items())
        return f" --game {rules.source}{sizes}", position.file_text

    def by_another_program(self, position: RulePosition, moves: int) -> set[str] | None:
        return position.by_another_program(moves)


def candidates(
    game: Circuits, win_in: int, rng: np.random.Generator, stop: Stop
) -> Iterator[Sequence[int]]:
    """Yield move sequences to states that the side to move may win in `win_in` moves.

    Each is from another game. In these games one side captures when it can, so the other is left
    with little.
    """
    wins = ForcedWins(game, rng, stop)
    rows = np.repeat(game.start[None], _GAMES, 0)
    played = np.empty((_GAMES, 0), np.intp)
    taking = int(rng.integers(2))
    opening = _opening(game, rows)
    for ply in range(_PLIES):
        stop.check()
        look = game.look(rows)
        going = np.flatnonzero(~look.over)
        rows, played, look = rows[going], played[going], look.take(going)
        if not len(rows):
            return
        if ply >= opening and ply % 2 == taking:
            won, narrow = wins.narrow_wins(rows, win_in)
            if not narrow:  # for example where pieces are put on a board: replies are never few
                some = rng.permutation(len(rows))[:_OF_A_PLY]
                won = np.zeros(len(rows), np.bool_)
                won[some] = wins.wins_within(rows[some], win_in)
            if win_in > 1 and won.any():
                sooner, _ = wins.narrow_wins(rows[won], win_in - 1)
                won[np.flatnonzero(won)[sooner]] = False
            chosen = np.flatnonzero(won)[:_OF_A_PLY]
            yield from (played[i].tolist() for i in chosen)
            left = np.setdiff1d(np.arange(len(rows)), chosen)
            rows, played, look = rows[left], played[left], look.take(left)
            if not len(rows):
                return
        moves = random_moves(look, rng)
        if ply % 2 == taking and game.noisy_plies:
            noisy = game.noisy(rows)
            some = np.flatnonzero(noisy.counts())
            moves[some] = random_moves(noisy.take(some), rng)
        rows = game.step(rows, moves, look.turn)
        played = np.concatenate((played, moves[:, None]), axis=1)


def _last(game: Circuits, plies: int) -> bool:
    """Return whether some random games last `plies` plies after the opening."""
    rows = np.repeat(game.start[None], _TRIED, 0)
    return all(islice(_going(game, rows), _opening(game, rows[:_GAMES]) + plies))


def _opening(game: Circuits, rows: Rows) -> int:
    """Return the plies of the opening, given how soon half of some random games are over."""
    for ply, left in enumerate(islice(_going(game, rows), _SHARE * _OPENING)):
        if 2 * left < len(rows):
            return ply // _SHARE
    return _OPENING


def _going(game: Circuits, rows: Rows) -> Iterator[int]:
    """Yield how many of some random games go on, ply by ply until none does."""
    rng, left = np.random.default_rng(0), len(rows)
    while left:
        look = game.look(rows)
        going = np.flatnonzero(~look.over)
        yield (left := len(going))
        rows, look = rows[going], look.take(going)
        rows = game.step(rows, random_moves(look, rng), look.turn)
