"""Proofs that a player wins or holds a position of Connect Four, and solutions of whole boards."""

from advisor.registry import Command, Plugin

_HEADING = "What is certain"

PLUGIN = Plugin(
    commands={
        "prove": Command("advisor.plugins.proofs.commands", _HEADING),
        "solution": Command(
            "advisor.plugins.proofs.building.commands",
            _HEADING,
            "Grow a solution of a whole board, make it small and check it.",
        ),
    },
    names={
        **dict.fromkeys(
            ("Plan", "plan", "prove", "describe_proof"), "advisor.plugins.proofs.library"
        ),
        "PlanProof": "advisor.plugins.proofs.plans.proof",
        "Proof": "advisor.plugins.proofs.victor.plan",
    },
    routes=("advisor.plugins.proofs.routes:make_part",),
    tasks={"prove": "advisor.plugins.proofs.routes:prove"},
    hooks={"connect4 proofs": "advisor.plugins.proofs.hook:FoundProofs"},
)
