"""Playing a proof's plan out against opponents who try everything, or anything."""

import random
from dataclasses import dataclass
from typing import Any

from advisor.errors import InputError
from advisor.games.connect4.board import Board
from advisor.plugins.proofs.victor.plan import Proof


@dataclass(frozen=True, slots=True)
class PlayOut:
    """How a proof fared.

    Attributes:
        exhaustive: every line of play was tried.
        games: games played to the end, or positions seen if `exhaustive`.
        failure: None if it held; otherwise the columns played from its position up to where it
            broke, as far as they are known.
        by_rules: it was a proof by Allis' rules, not by plans.
    """

    exhaustive: bool
    games: int
    failure: tuple[int, ...] | None
    by_rules: bool = True

    @property
    def told(self) -> str:
        """What came out, in words."""
        if self.failure is not None:
            after = f" after the moves {' '.join(map(str, self.failure))}" if self.failure else ""
            return f"checked: the plan FAILED{after}"
        if self.exhaustive:
            s = "" if self.games == 1 else "s"
            return f"checked: the plan holds against every reply ({self.games:,} position{s})"
        fared = "the plan held in" if self.by_rules else "the solution won"
        return f"checked: {fared} {self.games} games against random replies"

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; how a proof by rules failed, of others whether they did not."""
        failure = None if self.failure is None else list(self.failure)
        return {
            "exhaustive": self.exhaustive,
            "positions" if self.exhaustive else "games": self.games,
            **({"failure": failure} if self.by_rules else {"holds": failure is None}),
        }


def play_out(proof: Proof, games: int = 1000, limit: int = 20_000, seed: int = 0) -> PlayOut:
    """Tries every reply of the opponent if that makes few enough positions with him to move, else
    plays random games."""
    if proof.start.over:
        return PlayOut(True, 1, None)
    return _all(proof, limit) or _some(proof, games, random.Random(seed))


def _all(proof: Proof, limit: int) -> PlayOut | None:
    """None if there are more positions than the limit."""
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
    """The opponent's move and the plan's reply; no position if the plan has failed."""
    after, moves = position.after(column), (*moves, column)
    if not after.over:
        try:
            reply, *_ = proof.replies(after, column)
        except InputError:
            return moves, None
        after, moves = after.after(reply), (*moves, reply)
    allowed = (proof.player,) if proof.outcome == "wins" else (proof.player, 0)
    return moves, None if after.over and after.winner not in allowed else after
