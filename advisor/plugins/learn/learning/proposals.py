"""Candidates for features and strategies: from templates, from the user and from the game."""

import tempfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from advisor.errors import EncodingError, InputError
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.rules import Rules, read, rule_files
from advisor.games.translation import LEAF, LOOK, Translation
from advisor.plugins.learn.learning.men import Slots, find_slots
from advisor.plugins.learn.learning.outline import Outline, outline_rules
from advisor.plugins.learn.learning.task import STRATEGIES, Task
from advisor.plugins.learn.learning.writer import Proposal, Writer
from advisor.settings import contract
from aspcircuits.clingo_api import Term, functor, render
from aspcircuits.source import statements
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name, nearest, quote_text

_MOST_NAMES = 64
"""Maximum number of names in one family; more would be unreadable."""

SAID = ("fires", "because")
"""Predicates that the rules of strategies derive."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """Families of candidate rules, with the relations that they need.

    Attributes:
        families: by name.
        relations: by predicate, each after the relations that it needs.
    """

    families: Mapping[str, Proposal]
    relations: Mapping[str, Proposal]

    def of(self, families: Collection[str]) -> "Proposals":
        """Keep some of the families."""
        return Proposals({name: self.families[name] for name in families}, self.relations)

    def relations_for(self, families: Collection[str]) -> list[Proposal]:
        """List the relations that some families need, in order."""
        wanted = [name for f in families for name in self.families[f].needs]
        met: set[str] = set()
        while wanted:
            name = wanted.pop()
            if name not in met:
                met.add(name)
                wanted += self.relations[name].needs
        return [rule for name, rule in self.relations.items() if name in met]

    def text(self, families: Collection[str]) -> str:
        """Write an encoding of some families and the relations that they need."""
        rules = [*self.relations_for(families), *(self.families[f] for f in families)]
        return "\n\n".join(f"% {r.about}\n{r.text}" for r in rules) + "\n"


def propose(
    game: Outline,
    slots: Mapping[str, Slots],
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    program: str = "features",
) -> Proposals:
    """Propose families for a game, by the templates.

    Args:
        game: the outline of its rules.
        slots: the places that its moves name; see `find_slots`.
        only, without: names of families to propose, or not to; by default all are proposed. A
            family that comes once for each relation, coordinate or move can be named with or
            without it: ``pair_joined`` or ``pair``.
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
                f"{quote_text(wanted)} is no family of this game (did you mean "
                f"{nearest(wanted, known)}? it has {', '.join(found)})"
            )
    kept = {
        name: rule
        for name, (kin, rule) in found.items()
        if (not only or {name, kin} & {*only}) and not {name, kin} & {*without}
    }
    return Proposals(kept, writer.relations)


def add_own_features(
    files: Sequence[Path], what: str, known: Proposals, beside: Sequence[Path] = ()
) -> Proposals:
    """Add features from files; each functor of the features' names is a family.

    Args:
        files: encodings with the features.
        what: a noun for the files, for errors and comments.
        known: the other proposals.
        beside: rules of the game, if the files contain the game's own features. These replace
            families of the same name; rules for predicates of the game's rules are left out.

    Raises:
        InputError: the files have no feature, or one with the name of another family.
        EncodingError: the files are no program.
    """
    rules: dict[str, list[str]] = {}
    shared: list[str] = []
    given = {head.signature for statement in statements(beside) for head in statement.heads}
    given.add("uses/1")  # the files are already loaded
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
        elif head is None or head.signature not in given:
            shared.append(statement.text)
    if not rules:
        raise InputError(f"{what}: no rule derives feature(F, P, Where)")
    others = {f: rule for f, rule in known.families.items() if not (beside and f in rules)}
    for family in rules.keys() & others.keys():
        raise InputError(f"{what}: {quote_text(family)} is a family already (use another name)")
    needed = [Proposal(what, f"relations of {what}", "\n".join(shared), ())] if shared else []
    needs = tuple(rule.name for rule in needed)
    written = {f: Proposal(f, f"{f}, of {what}", "\n".join(t), needs) for f, t in rules.items()}
    relations = {**known.relations, **{rule.name: rule for rule in needed}}
    return Proposals({**others, **written}, relations)


@dataclass(frozen=True)
class Candidates:
    """A game with candidates, as the text of an encoding; can be pickled."""

    game: str
    constants: tuple[tuple[str, int], ...]
    text: str

    @property
    def rules(self) -> Rules:
        """The game's rules with the candidates, ground once in each process.

        Raises:
            EncodingError: the candidates cannot be used.
        """
        return _ground(self)

    def names(self, *predicates: str) -> list[Term]:
        """Return the names that rules derive by some predicates, such as ``feature``; sorted."""
        found = {atom[1] for name in predicates for atom, _ in self.rules.derived_atoms(name)}
        return sorted(found, key=render)

    def circuits(self, weights: Mapping[Term, int]) -> Circuits:
        """Return the game with weights for the candidates."""
        return Circuits(self.rules, weights)


@lru_cache(maxsize=4)
def _ground(candidates: Candidates) -> Rules:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "features.lp"
        file.write_text(candidates.text, encoding="utf-8")
        rules = read(candidates.game, [file], dict(candidates.constants))
        # Checked while the file exists, so that an error can quote its place.
        for names in (LEAF, [*LOOK, *SAID]):
            Translation.load_or_make(rules, names).check_independent()
        return rules


class CandidatePool:
    """The proposals for one game, and a test of which ones can be used.

    Raises:
        EncodingError, KeyboardInterrupt: see `outline_rules`.
    """

    def __init__(self, task: Task, game: Circuits, stop: Stop) -> None:
        self._task, self._stop = task, stop
        alone = read(task.game, (), task.constants, stop.without_limit)
        self._shown = outline_rules(alone, stop.without_limit)
        men = self._shown.men
        self._slots: Mapping[str, Slots] = find_slots(game, men, task.seed) if men else {}

    def features(self) -> Proposals:
        """Propose features, including the user's own.

        Raises:
            InputError, EncodingError: a family or a file cannot be used.
        """
        task = self._task
        without = [name for name in task.without if name != STRATEGIES]
        found = propose(self._shown, self._slots, task.only, without)
        files = rule_files(task.game)
        if task.beside is not None:
            known = knowledge.settings(task.game, task.beside).files("features")
            written = [file for file in known if file not in files]
            if not written:
                raise InputError(f"{task.beside}: {task.game} has no features of its own")
            found = add_own_features(written, f"the features of {task.beside}", found, files)
        if task.own is not None:
            programs = {"moves": files, "features": (*files, task.own)}
            contract.check(programs, [task.own], knowledge.home(files))
            read(task.game, [task.own], task.constants)  # its errors name the user's file
            found = add_own_features([task.own], file_name(task.own), found)
        return found

    def strategies(self) -> Proposals:
        """Propose strategies."""
        return propose(self._shown, self._slots, program="moves")

    def usable(self, proposed: Proposals) -> tuple[Candidates, list[Term]]:
        """Load the game with the usable proposals; return it with the names of their features."""
        kept = list(proposed.families)
        try:
            found, names = self._load(proposed, kept)
        except EncodingError:  # for example a rule with too many instances or gates
            kept = [family for family in kept if self._fits(proposed, family)]
            found, names = self._load(proposed, kept)
        count = Counter(map(functor, names))
        if max(count.values(), default=0) > _MOST_NAMES:
            kept = [family for family in kept if count[family] <= _MOST_NAMES]
            found, names = self._load(proposed, kept)
        return found, names

    def _load(self, proposed: Proposals, families: Sequence[str]) -> tuple[Candidates, list[Term]]:
        task = self._task
        candidates = Candidates(task.game, task.sizes, proposed.text(families))
        return candidates, candidates.names("feature")

    def _fits(self, proposed: Proposals, family: str) -> bool:
        self._stop.check()
        try:
            self._load(proposed, [family])
        except EncodingError:
            return False
        return True
