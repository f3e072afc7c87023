"""Playing a proof's plan out against opponents who try everything, or anything."""

import random
from dataclasses import dataclass

from advisor.errors import InputError
from advisor.games.connect4.board import Position
from advisor.games.connect4.victor.plan import Proof


@dataclass(frozen=True, slots=True)
class PlayOut:
    """How a plan fared.

    Attributes:
        exhaustive: every line of play was tried.
        games: games played to the end, or positions seen if `exhaustive`.
        failure: the columns played from the proof's position up to where the plan broke, or None.
    """

    exhaustive: bool
    games: int
    failure: tuple[int, ...] | None


def play_out(proof: Proof, games: int = 1000, limit: int = 20_000, seed: int = 0) -> PlayOut:
    """Tries every reply of the opponent if that makes few enough positions, else random games.

    Args:
        games: how many random games.
        limit: the most positions (with the opponent to move) that are all tried.
        seed: of the random opponents.
    """
    if proof.start.over:
        return PlayOut(True, 1, None)
    return _all(proof, limit) or _some(proof, games, random.Random(seed))


def _all(proof: Proof, limit: int) -> PlayOut | None:
    """None if there are more positions than the limit."""
    seen = {proof.start.key}
    stack: list[tuple[Position, tuple[int, ...]]] = [(proof.start, _opening(proof))]
    while stack:
        position, moves = stack.pop()
        for column in position.moves():
            line, after = _turn(proof, position, moves, column)
            if after is None:
                return PlayOut(True, len(seen), line)
            if not after.over and after.key not in seen:
                if len(seen) == limit:
                    return None
                seen.add(after.key)
                stack.append((after, line))
    return PlayOut(True, len(seen), None)


def _some(proof: Proof, games: int, rng: random.Random) -> PlayOut:
    for played in range(games):
        position, moves = proof.start, _opening(proof)
        while not position.over:
            column = rng.choice(position.moves())
            moves, after = _turn(proof, position, moves, column)
            if after is None:
                return PlayOut(False, played + 1, moves)
            position = after
    return PlayOut(False, games, None)


def _opening(proof: Proof) -> tuple[int, ...]:
    return () if proof.first is None else (proof.first,)


def _turn(
    proof: Proof, position: Position, moves: tuple[int, ...], column: int
) -> tuple[tuple[int, ...], Position | None]:
    """The opponent's move and the plan's reply; no position if the plan has failed."""
    after, moves = position.after(column), (*moves, column)
    if not after.over:
        try:
            reply = proof.reply(after, column)
        except InputError:
            return moves, None
        after, moves = after.after(reply), (*moves, reply)
    allowed = (proof.player,) if proof.outcome == "wins" else (proof.player, 0)
    return moves, None if after.over and after.winner not in allowed else after
