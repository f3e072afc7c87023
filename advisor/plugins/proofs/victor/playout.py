"""Plays a proof's plan out against opponents who try everything, or random moves."""

import random
from dataclasses import dataclass
from typing import Any

from advisor.errors import InputError
from advisor.games.connect4.board import Board
from advisor.plugins.proofs.victor.plan import Proof


@dataclass(frozen=True, slots=True)
class PlayOut:
    """The result of playing a proof out.

    Attributes:
        exhaustive: every line of play was tried.
        games: games played to the end, or positions seen if `exhaustive`.
        failure: None if it held; otherwise the columns played from its position up to the failure,
            as far as they are known.
        by_rules: it was a proof by Allis' rules, not by plans.
    """

    exhaustive: bool
    games: int
    failure: tuple[int, ...] | None
    by_rules: bool = True

    @property
    def result_text(self) -> str:
        """The result in words."""
        if self.failure is not None:
            after = f" after the moves {' '.join(map(str, self.failure))}" if self.failure else ""
            return f"checked: the plan FAILED{after}"
        if self.exhaustive:
            s = "" if self.games == 1 else "s"
            return f"checked: the plan holds against every reply ({self.games:,} position{s})"
        fared = "the plan held in" if self.by_rules else "the solution won"
        return f"checked: {fared} {self.games} games against random replies"

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data.

        A proof by rules has its failure, any other proof only whether it held.
        """
        failure = None if self.failure is None else list(self.failure)
        return {
            "exhaustive": self.exhaustive,
            "positions" if self.exhaustive else "games": self.games,
            **({"failure": failure} if self.by_rules else {"holds": failure is None}),
        }


def play_out(proof: Proof, games: int = 1000, limit: int = 20_000, seed: int = 0) -> PlayOut:
    """Try every reply of the opponent if there are few enough positions, else play random games.

    The limit is on the positions with the opponent to move.
    """
    if proof.start.over:
        return PlayOut(True, 1, None)
    return _all(proof, limit) or _some(proof, games, random.Random(seed))


def _all(proof: Proof, limit: int) -> PlayOut | None:
    """Try all lines; None if there are more positions than the limit."""
    seen = {proof.start.key}
    stack = [(proof.start, _opening(proof))]
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
    proof: Proof, position: Board, moves: tuple[int, ...], column: int
) -> tuple[tuple[int, ...], Board | None]:
    """Play the opponent's move and the plan's reply; no position if the plan has failed."""
    after, moves = position.after(column), (*moves, column)
    if not after.over:
        try:
            reply, *_ = proof.replies(after, column)
        except InputError:
            return moves, None
        after, moves = after.after(reply), (*moves, reply)
    allowed = (proof.player,) if proof.outcome == "wins" else (proof.player, 0)
    return moves, None if after.over and after.winner not in allowed else after
