"""From the rules of a game to knowledge that is worth having: proposed, chosen, weighed and tried.

Candidates (`proposals`) play games against themselves with weights that get better from round to
round, and what tells how the games end is chosen (`choosing`). The game with that knowledge then
plays a match against the game without it (`trial`). Only what wins it is written.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from advisor.errors import EncodingError, InputError
from advisor.files import outfile
from advisor.games import knowledge
from advisor.lab.arena import players
from advisor.plugins.learn.learning.choosing import choose, columns_of, fitted
from advisor.plugins.learn.learning.moves import decided, strategies
from advisor.plugins.learn.learning.odds import Floats, Odds
from advisor.plugins.learn.learning.outcome import Learned, Part
from advisor.plugins.learn.learning.playing import Candidates, SelfPlay, joined
from advisor.plugins.learn.learning.proposals import CandidatePool, Proposals
from advisor.plugins.learn.learning.task import RULES, STRATEGIES, Clock, OnProgress, Steps, Task
from advisor.plugins.learn.learning.trial import Trial
from advisor.plugins.learn.tuning.model import UNIT
from advisor.plugins.learn.tuning.selfplay import SelfPlayed
from advisor.limits import Limit
from aspcircuits.clingo_api import Term

_AT_ONCE, _ROUNDS = 64, 4
"""Games of one task, and rounds with all candidates."""
_LOOKED_AT = 15_000
"""Positions by which families are chosen; their weights are fitted to all."""
_PLAYING, _CHOOSING, _AGAIN = 0.3, 0.45, 0.55
"""Parts of the time after which rounds with all candidates end, and both with the chosen ones."""
_CHOICE = 0.1
"""Part of the time for which families are added, each time that they are chosen."""
_TASK = 0.2
"""Part of the time that one task may take at least: there is no result without some games."""
_STRATEGIES = 0.9
"""There has to be so much of the time left for strategies: what is over of it is not more."""


def learn(
    task: Task,
    target: Path,
    steps: Steps,
    on_progress: OnProgress = lambda stage, part: None,
) -> Learned:
    """Learns a game and writes it into a folder, if what was found wins.

    Args:
        steps: who does the work, and what is kept of it.
        on_progress: called with what is being done and how much of the time is over (0 to 1).

    Raises:
        InputError: there is no such game or family, or the rules offer nothing to propose.
        EncodingError: the rules or one's own candidates cannot be used.
        BatchError: see `Steps.do`.
        KeyboardInterrupt: it was to stop.
    """
    return _Run(task, target, Clock(task.seconds, steps, on_progress)).learned()


class _Run:
    """One run."""

    def __init__(self, task: Task, target: Path, clock: Clock) -> None:
        self._task, self._target, self._clock = task, target, clock
        self._game, _ = knowledge.load(task.game, RULES, task.constants, clock.stop)
        self._game.check_begins()
        self._name = self._game.rules.name
        if task.against != RULES:  # who cannot play is found before the work
            players.parse(task.against, task.game, task.constants, limit=Limit(1))
        clock.report("reading the rules")
        outfile.make_folder(target.parent)
        outfile.check_writable(target / "rules.lp" if target.is_dir() else target)
        self._pool = CandidatePool(task, self._game, clock.stop)
        self._played, self._length = 0, 0.0

    def learned(self) -> Learned:
        """See `learn`."""
        proposed = self._pool.features()
        candidates, names = self._pool.usable(proposed)
        if not names:
            raise InputError(
                f"{self._name}: the rules offer nothing to propose (no men on places "
                "that moves name, no numbers of players)"
            )
        weights: dict[Term, int] = dict.fromkeys(names, 0)
        number = 0
        while number < 2 or (number < _ROUNDS and self._clock.goes_on(f"round {number}", _PLAYING)):
            until = (number + 1) * _PLAYING / 2
            met, counts = self._round(candidates, weights, f"round {number}", until)
            odds = Odds(met, counts)
            columns = columns_of(odds, names, proposed.families)
            weights = fitted(odds, names, columns.values(), UNIT)
            number += 1
        tried = {family: len(found) for family, found in columns.items()}
        choice = choose(Odds(met, counts, _LOOKED_AT), columns, self._for_a_choice())
        # The chosen families play on alone, and are chosen again by what they meet.
        for number, until in enumerate((_CHOOSING, _AGAIN)):
            if not choice.families:
                break
            candidates, names = self._pool.usable(proposed.of(choice.families))
            weights = {name: weights.get(name, 0) for name in names}
            met, counts = self._round(candidates, weights, f"chosen {number}", until)
            odds = Odds(met, counts)
            columns = columns_of(odds, names, choice.families)
            choice = choose(odds, columns, self._for_a_choice())
            weights = fitted(odds, names, [columns[family] for family in choice.families], UNIT)
        found = Learned(self._name, self._played, len(met.result), Part(tried))
        if not choice.families:
            return found
        part = Part.of(tried, choice, proposed, weights)
        shown = decided(candidates.circuits(weights), met, weights, choice.families)
        found = replace(found, features=part, decided=shown)
        return self._tried(found, met, proposed.of(choice.families))

    def _tried(self, found: Learned, met: SelfPlayed, chosen: Proposals) -> Learned:
        """Plays matches."""
        task, clock = self._task, self._clock
        with TemporaryDirectory(prefix=".learn-", dir=self._target.parent) as made:
            trial = Trial(task, found, self._target, Path(made), clock, self._length)
            match = trial.of_features(chosen)
            found = replace(found, features=replace(found.features, match=match))
            if not match.won or STRATEGIES in task.without:
                return found
            if not clock.goes_on("strategies", _STRATEGIES):
                return found
            clock.report("looking deeper")
            proposed, weights = self._pool.strategies(), found.features.weights
            try:
                part = strategies(
                    task, self._game, chosen, proposed, weights, met, self._for_a_choice()
                )
            except EncodingError:  # there is a rule of a kind that this game has too much of
                return found
            if part.gains:
                match = trial.of_strategies(proposed.of(part.gains), part)
                part = replace(part, match=match)
            return replace(found, strategies=part)

    def _round(
        self, candidates: Candidates, weights: Mapping[Term, int], name: str, until: float
    ) -> tuple[SelfPlayed, Floats]:
        """Positions of games that weights have played, and what is counted in them."""
        task, clock = self._task, self._clock
        parts: list[Any] = []
        while (played := len(parts) * _AT_ONCE) < task.games:
            if parts and not clock.goes_on(f"{name}, {played} games", until):
                break
            clock.report(f"{name}: {played} games against itself")
            left = -(-(task.games - played) // _AT_ONCE)
            numbers = range(len(parts), len(parts) + min(left, clock.steps.width))
            seconds = max(clock.left(until), _TASK * task.seconds)
            work = SelfPlay(candidates, weights, _AT_ONCE, task.seed, seconds)
            parts += clock.steps.do(work, [f"{name}, games {number}" for number in numbers])
        met = joined(parts, self._game.words)
        if not len(met.rows):
            raise InputError(f"{self._name}: no game was over in time (give it more `seconds`)")
        game = candidates.circuits(weights)
        ended = len(np.unique(met.owner))
        self._played, self._length = ended, len(met.owner) / ended
        met = met.take(~game.leaf(met.rows).certain)
        if len({*met.result.tolist()}) < 2:
            raise InputError(f"{self._name}: all of {ended} games end alike")
        return met, game.counts(met.rows, [*weights]).astype(np.float32)

    def _for_a_choice(self) -> Callable[[str], bool]:
        """Reports, and says whether there is still time to add families, from now on."""
        until = self._clock.over + _CHOICE
        self._clock.report("choosing")

        def goes_on(found: str) -> bool:
            self._clock.report(f"choosing: {found}")
            return self._clock.goes_on(f"choosing {found}", until)

        return goes_on
