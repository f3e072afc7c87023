"""Answer sets of one position at a time: slow and plain, the reference for every faster path."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from advisor.errors import EncodingError
from aspcircuits.clingo_api import Model, Program, Term, render

OPTIONS = ("--opt-mode=optN", "0")
"""Clingo options that list every optimal answer set."""


def as_program(
    files: Sequence[Path],
    facts: Iterable[Term],
    weights: Mapping[Term, int],
    constants: Mapping[str, int],
) -> str:
    """Return the query of `best_models` as a program of its own, to run with clingo by hand.

    Files below the current folder are named relative to it, others by their absolute path.
    """
    here = Path.cwd()
    lines = []
    for path in (file.resolve() for file in files):
        name = str(path.relative_to(here) if path.is_relative_to(here) else path)
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'#include "{escaped}".')
    lines += [f"#const {name} = {value}. [override]" for name, value in constants.items()]
    given = [*facts, *(("weight", *pair) for pair in weights.items())]
    lines += [f"{render(fact)}." for fact in given]
    return "\n".join(lines) + "\n"


def best_models(
    files: Sequence[Path],
    facts: Iterable[Term],
    weights: Mapping[Term, int],
    constants: Mapping[str, int],
) -> list[Model]:
    """Return all optimal answer sets of a program; its weights become ``weight/2`` facts.

    Raises:
        EncodingError: clingo's message: an error, or a warning about a rule that can never apply.
    """
    options = (*OPTIONS, "--warn=no-atom-undefined")
    given = [*facts, *(("weight", *pair) for pair in weights.items())]
    program = Program(files, given, constants, options)
    if program.messages:
        raise EncodingError(program.messages[0])
    return program.optimal_models()
