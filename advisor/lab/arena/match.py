"""Matches: two players, both sides of every opening."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from advisor.engine.playouts import MAX_PLIES
from advisor.errors import AdvisorError, InputError
from advisor.files.textfile import amount
from advisor.games.game import Game
from advisor.lab.arena.players import Player
from aspcircuits.stopping import Stop

GameRecord = dict[str, Any]
"""A game as JSON: the ``moves`` from the beginning, and the first player's ``points``.

Points are 1, 0.5 or 0. The ``error`` is the reason why the loser could not go on, if that ended the
game.
"""

_TRIES = 50
"""Random games without a new opening, per opening found, after which the search gives up."""


@dataclass(frozen=True, slots=True)
class Umpire:
    """A picklable `Work` that plays an opening out twice; the first player begins the first game.

    A player with several equal moves draws lots, the same ones for the same seed and game. If the
    work is done in this process, `on_move` gets the length of the game before each move.

    Attributes:
        forfeits: errors by which a player loses the game; others are raised.
    """

    first: Player
    second: Player
    seed: int
    on_move: Callable[[str], None] | None = None
    forfeits: tuple[type[AdvisorError], ...] = ()

    def __call__(self, opening: str, stop: Stop) -> list[GameRecord]:
        """Play the two games."""
        begun = self._play((self.first, self.second), opening, 1, stop)
        answered = self._play((self.second, self.first), opening, 2, stop)
        return [begun, {**answered, "points": 1 - answered["points"]}]

    def _play(
        self, players: tuple[Player, Player], opening: str, number: int, stop: Stop
    ) -> GameRecord:
        """Play one game, and return it with the points of the player who begins it."""
        # The two may know the game differently: by its rules alone, and with a module of its own.
        try:
            first = players[0].game
        except AdvisorError as error:
            return self._forfeit(opening, 0, error)
        try:
            second = players[1].game
        except AdvisorError as error:
            return self._forfeit(opening, 1, error)
        alike = type(first) is type(second)
        state = first.position(opening)
        states = [state, state if alike else second.position(" ".join(map(str, state.played)))]
        # Equal for all notations of an opening.
        lot = Random(f"{self.seed} {state.moves_line} {number}")
        while not state.over and len(state.path) < MAX_PLIES:
            made, turn = len(state.path), state.side
            if self.on_move:
                self.on_move(f"{made} moves long")
            random = Random(f"{self.seed} {opening} {number} {made}").getrandbits(63)
            own, other = states[turn], states[1 - turn]
            try:
                best = players[turn].moves(own, stop, random)
            except AdvisorError as error:
                return self._forfeit(state.moves_line, turn, error)
            move = lot.choice(best)
            states[turn] = own.after(move)
            said = str(states[turn].played[-1])
            states[1 - turn] = states[turn] if alike else other.after_text(said)
            state = states[0]
        points = {None: 0.5, 0: 1.0, 1: 0.0}[state.winning_side]
        return {"moves": state.moves_line, "points": points}

    def _forfeit(self, moves: str, turn: int, error: AdvisorError) -> GameRecord:
        """Return a game that a player (0 if it began) has lost by an error."""
        if not isinstance(error, self.forfeits):
            raise error
        return {"moves": moves, "points": float(turn), "error": str(error)}


def random_openings(game: Game, count: int, plies: int, seed: int) -> list[str]:
    """Return openings, see `some_openings`; an InputError if there are not enough."""
    found = some_openings(game, count, plies, seed)
    if len(found) < count:
        use = f"at most {2 * len(found)} games, or " if found else ""
        raise InputError(
            f"only {amount(len(found), 'opening')} of length {plies} in which nobody wins at once, "
            f"for {2 * count} games (use {use}another number of plies)"
        )
    return found


def some_openings(game: Game, count: int, plies: int, seed: int) -> list[str]:
    """Return at most `count` different openings of `plies` plies without an immediate win."""
    rng = Random(seed)
    found: dict[object, str] = {}
    tried = 0  # since the last one was found
    while len(found) < count and tried < _TRIES * (10 + len(found)):
        tried += 1
        state = game.position()
        while not state.over and len(state.path) < plies:
            state = state.after(rng.choice([*state.names]))
        new = not state.over and state.key not in found
        if new and not state.abilities.wins(1, Stop()):
            found[state.key], tried = state.moves_line, 0
    return list(found.values())
