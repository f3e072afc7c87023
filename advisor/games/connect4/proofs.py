"""The interface to a plugin that finds proofs in Connect Four; by default there are none."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

from advisor import registry
from advisor.errors import InputError
from advisor.games.connect4.board import Board
from advisor.games.game import Position, Question
from advisor.games.phrasing import Planned
from aspcircuits.stopping import Stop
from aspcircuits.tiers import Tiers


class Proofs(Protocol):
    """The hook "connect4 proofs": a plugin names a class with these methods."""

    def plan(self, position: Board) -> Planned | None:
        """Find the move of the solution of the board, for the player to move."""
        return None

    def proofs(
        self, position: Board, moves: Sequence[int], best: Sequence[int], stop: Stop
    ) -> list[str]:
        """See `advisor.games.abilities.Abilities`."""
        return []

    def reason(self, position: Board, player: int, stop: Stop) -> str:
        """Say in a few words why the player of the last move wins; empty if nothing proves it."""
        return ""

    def question(self, position: Board, player: int) -> Question:
        """Ask clingo for a plan with which a player holds a position.

        Raises:
            InputError: there are no such plans for the position.
        """
        raise InputError("`plan`: this advisor has no proofs (its plugin is missing)")

    def explain(self, proof: Any) -> list[str]:
        """Write a proof line by line.

        Args:
            proof: None if `advisor.prove` has found none.

        Raises:
            InputError: it is no proof.
        """
        kind = Position if isinstance(proof, Position) else type(proof)
        raise InputError(f"a {kind.__name__} is neither advice nor a proof")

    def code(self) -> list[tuple[str, Callable[[], Tiers[Any]]]]:
        """List the machine code that proofs need; see `advisor.games.connect4.selftest`."""
        return []


class NoProofs(Proofs):
    """The proofs of an advisor without the plugin: none."""


@cache
def find_proofs() -> Proofs:
    """Find the plugin's proofs, or none."""
    made = registry.hook("connect4 proofs") or NoProofs
    proofs: Proofs = made()
    return proofs
