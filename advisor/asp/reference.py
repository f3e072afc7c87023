"""Answer sets of one position at a time: slow, plain, and what every faster path must equal."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from advisor.asp.clingo_api import Model, Program, Term
from advisor.errors import EncodingError


def best_models(
    files: Sequence[Path],
    facts: Iterable[Term],
    weights: Mapping[Term, int],
    constants: Mapping[str, int],
) -> list[Model]:
    """All optimal answer sets of a program, its weights given as ``weight/2`` facts.

    Raises:
        EncodingError: clingo's message, an error or a remark on a rule that cannot be used.
    """
    weighted = [("weight", name, weight) for name, weight in weights.items()]
    options = ("--opt-mode=optN", "0", "--warn=no-atom-undefined")
    program = Program(files, [*facts, *weighted], constants, options)
    if program.messages:
        raise EncodingError(program.messages[0])
    return program.optimal_models()
