"""The candidates of a task: those that are proposed and those of its files, as far as of use."""

from collections import Counter
from collections.abc import Mapping, Sequence

from advisor.asp.clingo_api import Term
from advisor.errors import EncodingError, InputError
from advisor.files import textfile
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.rules import read, rule_files
from advisor.lab.learning.outline import Outline, outline
from advisor.lab.learning.playing import Candidates
from advisor.lab.learning.proposals import Proposals, own, proposals
from advisor.lab.learning.slots import Slots, slots
from advisor.lab.learning.task import STRATEGIES, Task
from advisor.lab.learning.terms import functor
from advisor.limits import Stop
from advisor.settings import contract

_MOST_NAMES = 64
"""A family with more of them is not for people to read."""


class CandidatePool:
    """What may be worth something in a game.

    Args:
        task: with the game.
        game: by its rules alone.
        stop: ends it.

    Raises:
        InputError, EncodingError, KeyboardInterrupt: see `outline`.
    """

    def __init__(self, task: Task, game: Circuits, stop: Stop) -> None:
        self._task, self._stop = task, stop
        alone = read(task.game, (), task.constants, stop.untimed)
        self._shown: Outline = outline(alone, stop.untimed)
        men = self._shown.men
        self._slots: Mapping[str, Slots] = slots(game, men, task.seed) if men else {}

    def features(self) -> Proposals:
        """Features, one's own files' among them.

        Raises:
            InputError, EncodingError: families or files that cannot be used.
        """
        task = self._task
        without = [name for name in task.without if name != STRATEGIES]
        found = proposals(self._shown, self._slots, task.only, without)
        files = rule_files(task.game)
        if task.beside is not None:
            known = knowledge.settings(task.game, task.beside).files("features")
            written = [file for file in known if file not in files]
            if not written:
                raise InputError(f"{task.beside}: {task.game} has no features of its own")
            found = own(written, f"the features of {task.beside}", found, files)
        if task.own is not None:
            programs = {"moves": files, "features": (*files, task.own)}
            contract.check(programs, [task.own], knowledge.home(files))
            read(task.game, [task.own], task.constants)  # whose errors name the user's file
            found = own([task.own], textfile.file_name(task.own), found)
        return found

    def strategies(self) -> Proposals:
        """Strategies."""
        return proposals(self._shown, self._slots, program="moves")

    def usable(self, proposed: Proposals) -> tuple[Candidates, list[Term]]:
        """The game with those candidates that can be used, and the names of these.

        Raises:
            KeyboardInterrupt: it is to stop.
        """
        kept = list(proposed.families)
        try:
            found, names = self._named(proposed, kept)
        except EncodingError:  # as where a rule has too many instances, or too many gates
            kept = [family for family in kept if self._fits(proposed, family)]
            found, names = self._named(proposed, kept)
        count = Counter(map(functor, names))
        if max(count.values(), default=0) > _MOST_NAMES:
            kept = [family for family in kept if count[family] <= _MOST_NAMES]
            found, names = self._named(proposed, kept)
        return found, names

    def _named(self, proposed: Proposals, families: Sequence[str]) -> tuple[Candidates, list[Term]]:
        """The game with some families, and the names of their features.

        Raises:
            EncodingError: they cannot be used.
        """
        task = self._task
        candidates = Candidates(task.game, task.sizes, proposed.text(families))
        return candidates, candidates.names("feature")

    def _fits(self, proposed: Proposals, family: str) -> bool:
        self._stop.check()
        try:
            self._named(proposed, [family])
        except EncodingError:
            return False
        return True
