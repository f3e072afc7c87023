"""Answer sets of one position at a time: slow, plain, and what every faster path must equal."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from advisor.asp.clingo_api import Model, Program, Term


def best_models(
    files: Sequence[Path],
    facts: Iterable[Term],
    weights: Mapping[Term, int],
    constants: Mapping[str, int],
) -> list[Model]:
    """All optimal answer sets of a program, its weights given as ``weight/2`` facts.

    Raises:
        EncodingError: clingo's message, or that the program has no answer set.
    """
    weighted = [("weight", name, weight) for name, weight in weights.items()]
    program = Program(
        files, [*facts, *weighted], constants, options=("--opt-mode=optN", "0", "--warn=none")
    )
    return program.optimal_models()
