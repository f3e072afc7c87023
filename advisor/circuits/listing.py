"""Ground rules as text that a person can hold against the encoding they come from."""

from collections.abc import Iterable

from advisor.asp.clingo_api import Body, GroundProgram, Sum, render


def rules_of(program: GroundProgram, atom: int) -> list[str]:
    """The rules that derive an atom, one line each, with clingo's auxiliary atoms unfolded."""
    head = literal_text(program, atom)
    bodies = [_body_text(program, body) for body in program.rules.get(atom, ())]
    return [f"{head} :- {body}." if body else f"{head}." for body in bodies]


def literals_text(program: GroundProgram, literals: Iterable[int], separator: str = ", ") -> str:
    """A conjunction as text."""
    return separator.join(literal_text(program, literal) for literal in literals)


def literal_text(program: GroundProgram, literal: int) -> str:
    """A literal as text; an auxiliary atom is replaced by the bodies of its rules."""
    atom = abs(literal)
    if atom in program.names:
        text = render(program.names[atom])
    else:
        bodies = program.rules.get(atom, [])
        text = "; ".join(_body_text(program, body) for body in bodies)
        if len(bodies) != 1 or (literal < 0 and not _is_simple(bodies[0])):
            text = f"({text})"
    return f"not {text}" if literal < 0 else text


def _body_text(program: GroundProgram, body: Body | Sum) -> str:
    if not isinstance(body, Sum):
        return literals_text(program, body)
    counting = all(weight == 1 for _, weight in body.terms)
    terms = "; ".join(
        literal_text(program, literal)
        if counting
        else f"{weight}: {literal_text(program, literal)}"
        for literal, weight in body.terms
    )
    return f"{body.bound} <= {'#count' if counting else '#sum+'} {{{terms}}}"


def _is_simple(body: Body | Sum) -> bool:
    return isinstance(body, Sum) or len(body) == 1
