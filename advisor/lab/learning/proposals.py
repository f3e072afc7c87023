"""Candidates: what may be worth something in a game, and what somebody has written for it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.asp.clingo_api import Term
from advisor.asp.source import statements
from advisor.errors import InputError
from advisor.files.textfile import nearest, quoted
from advisor.lab.learning.outline import Outline
from advisor.lab.learning.slots import Slots
from advisor.lab.learning.terms import functor
from advisor.lab.learning.writer import Proposal, Writer


@dataclass(frozen=True, slots=True)
class Proposals:
    """Candidates.

    Attributes:
        families: by name.
        relations: what they build on, by predicate, each after those that it builds on itself.
    """

    families: Mapping[str, Proposal]
    relations: Mapping[str, Proposal]

    def of(self, families: Collection[str]) -> "Proposals":
        """Some of the families."""
        return Proposals({name: self.families[name] for name in families}, self.relations)

    def needed(self, families: Collection[str]) -> list[Proposal]:
        """The relations that some families build on, in their order."""
        wanted = [name for f in families for name in self.families[f].needs]
        met: set[str] = set()
        while wanted:
            name = wanted.pop()
            if name not in met:
                met.add(name)
                wanted += self.relations[name].needs
        return [rule for name, rule in self.relations.items() if name in met]

    def text(self, families: Collection[str]) -> str:
        """An encoding of some families, with what they build on."""
        rules = [*self.needed(families), *(self.families[f] for f in families)]
        return "\n\n".join(f"% {r.about}\n{r.text}" for r in rules) + "\n"


def proposals(
    game: Outline,
    slots: Mapping[str, Slots],
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    program: str = "features",
) -> Proposals:
    """What may be worth something in a game.

    Args:
        game, slots: what its rules and its moves show.
        only, without: the families that are wanted; by default all. One that is tried with several
            relations, coordinates or moves can be named with or without these: ``pair_joined`` or
            ``pair``.
        program: ``features``, or ``moves`` for strategies.

    Raises:
        InputError: there is no such family.
    """
    writer = Writer(game, slots, program)
    found = {rule.name: (kin, rule) for kin, rule in writer.families()}
    known = sorted({*found, *(kin for kin, _ in found.values())})
    for wanted in (*only, *without):
        if wanted not in known:
            raise InputError(
                f"{quoted(wanted)} is no family of this game (did you mean "
                f"{nearest(wanted, known)}? it has {', '.join(found)})"
            )
    return Proposals(
        {
            name: rule
            for name, (kin, rule) in found.items()
            if (not only or {name, kin} & {*only}) and not {name, kin} & {*without}
        },
        writer.relations,
    )


def own(
    files: Sequence[Path], what: str, known: Proposals, beside: Sequence[Path] = ()
) -> Proposals:
    """Candidates that somebody has written beside others: each name of a feature is a family.

    Args:
        files: what derives features, and what these build on.
        what: the files are, in words.
        known: the others.
        beside: the rules of the game whose own features the files are. These take the place of
            others of the same name. What they derive beside that the rules derive, too, as results
            that are foreseen, is no candidate and is left out.

    Raises:
        InputError: the files have no feature, or one that is called like another family.
        EncodingError: they are no program.
    """
    rules: dict[str, list[str]] = {}
    shared: list[str] = []
    given = {head.signature for statement in statements(beside) for head in statement.heads}
    for statement in statements(files):
        head = next(iter(statement.heads), None)
        subject: Term | None = None
        if head is not None and head.signature == "feature/3":
            subject = head.argument(0)
        elif head is not None and head.signature == "sentence/2":
            match head.argument(0):
                case ("feature", named):
                    subject = named
        if subject is not None:
            rules.setdefault(functor(subject), []).append(statement.text)
        elif head is None or head.signature not in {*given, "uses/1"}:  # files are there already
            shared.append(statement.text)
    if not rules:
        raise InputError(f"{what}: no rule derives feature(F, P, Where)")
    others = {f: rule for f, rule in known.families.items() if not (beside and f in rules)}
    for family in rules.keys() & others.keys():
        raise InputError(f"{what}: {quoted(family)} is a family already (use another name)")
    shared_rules = {what: Proposal(what, f"what {what} builds on", "\n".join(shared), ())}
    needs = (what,) if shared else ()
    return Proposals(
        {
            **others,
            **{f: Proposal(f, f"{f}, of {what}", "\n".join(t), needs) for f, t in rules.items()},
        },
        {**known.relations, **(shared_rules if shared else {})},
    )
