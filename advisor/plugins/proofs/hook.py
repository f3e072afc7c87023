"""The hook for proofs; each method imports only what it needs."""

from collections.abc import Callable, Sequence
from typing import Any

from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.proofs import Proofs
from advisor.games.game import Question
from advisor.plugins.proofs.plans import solved
from advisor.plugins.proofs.plans.plan_text import PlannedMove
from aspcircuits.stopping import Stop
from aspcircuits.tiers import Tiers


class FoundProofs(Proofs):
    """See `advisor.games.connect4.proofs.Proofs`."""

    def plan(self, position: Board) -> PlannedMove | None:
        step = solved.known_step(position)
        return None if step is None else PlannedMove(position, step)

    def proofs(
        self, position: Board, moves: Sequence[int], best: Sequence[int], stop: Stop
    ) -> list[str]:
        """Write proofs by Allis' rules."""
        from advisor.plugins.proofs.victor import proof_text

        return proof_text.proofs(position, moves, best, stop)

    def reason(self, position: Board, player: int, stop: Stop) -> str:
        """Name a zugzwang that Allis' rules prove; not on large boards, where they are slow."""
        from advisor.plugins.proofs.victor.prove import bound

        if position.geometry.squares > geometry().squares:
            return ""
        won = bound(position, player, stop=stop) == "wins"
        return "a zugzwang (Allis' rules prove the win)" if won else ""

    def question(self, position: Board, player: int) -> Question:
        from advisor.plugins.proofs.victor import prove

        return prove.question(position, player)

    def explain(self, proof: Any) -> list[str]:
        from advisor.plugins.proofs import library

        return library.describe_proof(proof)[1]

    def code(self) -> list[tuple[str, Callable[[], Tiers[Any]]]]:
        """List the code that tries plans, and of the values on boards that have a solution."""
        from advisor.games.connect4.selftest import code_of_values
        from advisor.plugins.proofs.plans.compiled_trial import tiers

        boards = [board for board in solved.boards() if board != geometry()]
        return [(tiers.recipe.what, lambda: tiers), *map(code_of_values, boards)]
