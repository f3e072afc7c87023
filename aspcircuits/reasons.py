"""Answers to "why?": plain values, as text and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

LINES = 40
"""Lines of a text unless all of it is requested."""

_COLUMN = 56
"""Column of places, if the step before leaves room."""


@dataclass(frozen=True, slots=True)
class RulePlace:
    """A statement of a program: its text, its file and the line on which it begins."""

    rule: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""


@dataclass(frozen=True, slots=True)
class Inference:
    """Why one atom holds.

    Attributes:
        atom: as text.
        place: the rule that derives it; None if it is given.
        instance: the rule with values for its variables.
        values: those values, by variable, as text.
        because: the atoms from which the rule derives it; each has a step of its own.
        notes: how much of a count or a sum is enough, and names that should be numbers.
        says: the program's sentence for it; empty if there is none.
    """

    atom: str
    place: RulePlace | None = None
    instance: str = ""
    values: dict[str, str] = field(default_factory=dict)
    because: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    says: str = ""


@dataclass(frozen=True, slots=True)
class Lack:
    """Why one rule does not derive an atom.

    Attributes:
        literal: the first condition that fails, with the values that the variables have at that
            point; empty if all are met and the atom was still not chosen.
        literal_written: that condition as written.
        values: those values.
        reason: why it fails.
        more: number of other ways to meet the conditions before it.
        lacks: if rules could derive the failing condition: what these lack in turn. An atom that
            comes up in several places is followed in one of them.
    """

    place: RulePlace
    literal: str
    literal_written: str
    values: dict[str, str]
    reason: str
    more: int = 0
    lacks: "tuple[Lack, ...]" = ()


WhyAnswer = Literal["holds", "does not hold", "no answer set", "answer set"]


@dataclass(frozen=True, slots=True)
class Why:
    """An answer to "why?"; `str` returns its text.

    >>> found = aspcircuits.why("b :- a.", "b")
    >>> found.answer, found.lacks[0].literal
    ('does not hold', 'a')

    Attributes:
        answer: ``holds``, ``does not hold``, ``no answer set`` or ``answer set``.
        atom: the atom in question, if any.
        steps: for an atom that holds: its own step first, then the steps of the atoms that it
            depends on, each once and after every step that uses it.
        lacks: for an atom that does not hold: each rule that could derive it, with what it lacks.
        conflict: if there is no answer set: rules and facts that cannot hold together, none of
            which can be left out.
        hints: possible mistakes.
    """

    answer: WhyAnswer
    atom: str = ""
    steps: tuple[Inference, ...] = ()
    lacks: tuple[Lack, ...] = ()
    conflict: tuple[RulePlace, ...] = ()
    hints: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text()

    def text(self, limit: int | None = LINES) -> str:
        """Return the answer as at most `limit` lines, then the number left out; None for all."""
        lines = [*self._lines()]
        if limit is not None and len(lines) > max(limit, 1) + 1:
            left = len(lines) - max(limit, 1)
            lines[max(limit, 1) :] = [f"and {left} more"]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return the answer for `json.dumps`."""
        return asdict(self)

    def _lines(self) -> Iterator[str]:
        if self.answer == "holds":
            yield f"{self.atom} holds:"
            yield from self._tree()
        elif self.answer == "does not hold":
            yield f"{self.atom} does not hold:"
            yield from _describe_lacks(self.lacks, "  ")
        elif self.answer == "no answer set":
            one = len(self.conflict) == 1
            told = "this cannot hold" if one else f"these {len(self.conflict)} cannot hold together"
            yield f"There is no answer set: {told}, whatever the other rules derive:"
            for place in self.conflict:
                yield _at(f"  {place.rule}", str(place))
        else:
            yield "There is an answer set."
        for hint in self.hints:
            yield f"  {hint}"

    def _tree(self) -> Iterator[str]:
        """Yield the steps, each below and deeper than the one that uses it; none is repeated."""
        steps = {step.atom: step for step in self.steps}
        told: set[str] = set()
        waiting = [(self.atom, 1)]
        while waiting:
            atom, depth = waiting.pop()
            step, indent = steps[atom], "  " * min(depth, 20)
            if step.place is None:
                yield f"{indent}{step.says or atom} is given"
            elif atom in told and step.because:
                yield f"{indent}{step.says or atom}, as shown above"
            else:
                yield _at(f"{indent}{step.says or step.instance}", str(step.place))
                for text in step.notes:
                    yield f"{indent}  ({text})"
                waiting += [(each, depth + 1) for each in reversed(step.because)]
            told.add(atom)


def _describe_lacks(lacks: Iterable[Lack], indent: str) -> Iterator[str]:
    """Yield rules with what they lack, and below each why that fails in turn."""
    for lack in lacks:
        yield _at(f"{indent}{lack.place.rule}", str(lack.place))
        if lack.values:
            known = ", ".join(f"{name}={value}" for name, value in lack.values.items())
            yield f"{indent}  with {known}{_others(lack.more)}"
        lacks_text = f"lacks {lack.literal}: " if lack.literal else ""
        yield f"{indent}  {lacks_text}{lack.reason}"
        yield from _describe_lacks(lack.lacks, f"{indent}    ")


def _others(count: int) -> str:
    ways = "way" if count == 1 else "ways"
    return f" (and {count} other {ways})" if count else ""


def _at(text: str, place: str) -> str:
    return f"{text:<{_COLUMN}}  {place}".rstrip()


def shorten_list(names: Sequence[str], most: int = 5) -> str:
    """Return a list for a sentence, with the number of names left out."""
    if len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"
