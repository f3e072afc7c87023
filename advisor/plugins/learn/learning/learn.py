"""Learn a game from its rules alone: propose rules, choose and weigh them, try them in a match.

The game with all candidates (`proposals`) plays against itself, with weights that get better from
round to round. Families that predict the ends of these games are chosen (`choosing`). Then the game
with them plays a match against the game without them (`trial`), and is written if it wins.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import compress, decompress

import numpy as np
import numpy.typing as npt

from advisor.errors import EncodingError, InputError
from advisor.files import outfile
from advisor.games import knowledge
from advisor.lab.arena import players
from advisor.limits import Limit
from advisor.plugins.learn.learning.choosing import (
    Floats,
    Odds,
    choose_families,
    fit_families,
    varying_columns,
)
from advisor.plugins.learn.learning.moves import choose_strategies, find_decisions
from advisor.plugins.learn.learning.outcome import Learned, Part
from advisor.plugins.learn.learning.proposals import CandidatePool, Candidates, Proposals
from advisor.plugins.learn.learning.task import RULES, STRATEGIES, Clock, OnProgress, Steps, Task
from advisor.plugins.learn.learning.trial import Trial
from advisor.plugins.learn.tuning import selfplay
from advisor.plugins.learn.tuning.model import UNIT
from advisor.plugins.learn.tuning.selfplay import SelfPlayed
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop, at_once

_AT_ONCE, _ROUNDS = 64, 4
"""Games of one task, and maximum number of rounds with all candidates."""
_LOOKED_AT = 15_000
"""Maximum number of positions for the first choice; weights are fitted to all positions."""
_PLAYING, _CHOOSING, _AGAIN = 0.3, 0.45, 0.55
"""Shares of the time at which rounds end: with all candidates, then two with the chosen ones."""
_CHOICE = 0.1
"""Share of the time that one choice may take to add families."""
_TASK = 0.2
"""Minimum share of the time for one task, since there is no result without games."""
_STRATEGIES = 0.9
"""Share of the time after which the search for strategies no longer begins."""

_FIELDS: dict[str, Any] = {
    "rows": np.uint64,
    "turn": np.uint8,
    "owner": np.int64,
    "result": np.int8,
    "left": np.int16,
}
"""The parts of `SelfPlayed`, with their types in a journal."""


def find_knowledge(
    task: Task,
    target: Path,
    steps: Steps,
    on_progress: OnProgress = lambda stage, part: None,
) -> Learned:
    """Learn a game; write it with its knowledge into a folder if that wins or is forced.

    Args:
        task: the game and the settings of the run.
        target: the folder.
        steps: workers and journal.
        on_progress: called with the stage and the share of the time that has passed (0 to 1).

    Raises:
        InputError: there is no such game or family, or the rules offer nothing to propose.
        EncodingError: the rules or the user's candidates cannot be used.
        BatchError: see `Steps.do`.
        KeyboardInterrupt: the run was stopped.
    """
    return _Run(task, target, Clock(task.seconds, steps, on_progress)).learn()


class _Run:
    """One run of `find_knowledge`."""

    def __init__(self, task: Task, target: Path, clock: Clock) -> None:
        self._task, self._target, self._clock = task, target, clock
        self._game, _ = knowledge.load(task.game, RULES, task.constants, clock.stop)
        self._game.check_begins()
        self._name = self._game.rules.name
        if task.against != RULES:  # refuse an unusable opponent before the work
            players.parse(task.against, task.game, task.constants, limit=Limit(1))
        clock.report("reading the rules")
        outfile.make_folder(target.parent)
        outfile.check_writable(target / "rules.lp" if target.is_dir() else target)
        self._pool = CandidatePool(task, self._game, clock.stop)
        self._played, self._length = 0, 0.0

    def learn(self) -> Learned:
        """Choose and weigh features, then try them; see `find_knowledge`."""
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
            columns = varying_columns(odds, names, proposed.families)
            weights = fit_families(odds, names, columns.values(), UNIT)
            number += 1
        tried = {family: len(found) for family, found in columns.items()}
        choice = choose_families(Odds(met, counts, _LOOKED_AT), columns, self._for_a_choice())
        # Only the chosen families play on; their new games are the data for the next choice.
        for number, until in enumerate((_CHOOSING, _AGAIN)):
            if not choice.families:
                break
            candidates, names = self._pool.usable(proposed.of(choice.families))
            weights = {name: weights.get(name, 0) for name in names}
            met, counts = self._round(candidates, weights, f"chosen {number}", until)
            odds = Odds(met, counts)
            columns = varying_columns(odds, names, choice.families)
            choice = choose_families(odds, columns, self._for_a_choice())
            weights = fit_families(
                odds, names, [columns[family] for family in choice.families], UNIT
            )
        found = Learned(self._name, self._played, len(met.result), Part(tried))
        if not choice.families:
            return found
        part = Part.of(tried, choice, proposed, weights)
        shown = find_decisions(candidates.circuits(weights), met, weights, choice.families)
        found = replace(found, features=part, decided=shown)
        return self._try_out(found, met, proposed.of(choice.families))

    def _try_out(self, found: Learned, met: SelfPlayed, chosen: Proposals) -> Learned:
        """Play a match with the features; if it is won, look for strategies and try them too."""
        task, clock = self._task, self._clock
        with TemporaryDirectory(prefix=".learn-", dir=self._target.parent) as made:
            trial = Trial(task, found, self._target, Path(made), clock, self._length)
            match = trial.of_features(chosen)
            written = match.is_stronger or task.force
            if written:
                trial.write()
            features = replace(found.features, match=match, written=written)
            found = replace(found, features=features)
            if not match.is_stronger or STRATEGIES in task.without:
                return found
            if not clock.goes_on("strategies", _STRATEGIES):
                return found
            clock.report("looking deeper")
            proposed, weights = self._pool.strategies(), found.features.weights
            try:
                part = choose_strategies(
                    task, self._game, chosen, proposed, weights, met, self._for_a_choice()
                )
            except EncodingError:  # a rule has too many instances in this game
                return found
            if part.gains:
                match = trial.of_strategies(proposed.of(part.gains), part)
                part = replace(part, match=match, written=match.is_stronger)
                if part.written:
                    trial.write()
            return replace(found, strategies=part)

    def _round(
        self, candidates: Candidates, weights: Mapping[Term, int], name: str, until: float
    ) -> tuple[SelfPlayed, Floats]:
        """Play games with some weights; return undecided positions and the candidates' counts."""
        task, clock = self._task, self._clock
        parts: list[Any] = []
        while (played := len(parts) * _AT_ONCE) < task.games:
            if parts and not clock.goes_on(f"{name}, {played} games", until):
                break
            clock.report(f"{name}: {played} games against itself")
            left = -(-(task.games - played) // _AT_ONCE)
            numbers = range(len(parts), len(parts) + min(left, clock.steps.width))
            seconds = max(clock.seconds_until(until), _TASK * task.seconds)
            work = SelfPlay(candidates, weights, _AT_ONCE, task.seed, seconds)
            parts += clock.steps.do(work, [f"{name}, games {number}" for number in numbers])
        met = joined_games(parts, self._game.words)
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
        """Make the `goes_on` of a choice that begins now."""
        until = self._clock.share_passed + _CHOICE
        self._clock.report("choosing")

        def goes_on(found: str) -> bool:
            self._clock.report(f"choosing: {found}")
            return self._clock.goes_on(f"choosing {found}", until)

        return goes_on


@dataclass(frozen=True)
class SelfPlay:
    """Work that plays games of candidates; a picklable `advisor.lab.batch.Work`.

    Attributes:
        candidates: the game.
        weights: of the candidates, in the order of the rules.
        games: number of games of one task.
        seed: of all random choices, together with the task.
        seconds: time limit; unfinished games are left out.
    """

    candidates: Candidates
    weights: Mapping[Term, int]
    games: int
    seed: int
    seconds: float

    def __call__(self, task: str, stop: Stop) -> dict[str, Any]:
        """Play the games of one task; return their positions as JSON."""
        rng = np.random.default_rng([self.seed, *task.encode()])
        with at_once():
            game = self.candidates.circuits(self.weights)
            met = selfplay.play_games(game, self.games, rng, stop.with_limit(self.seconds))
        return {
            name: b64encode(compress(getattr(met, name).astype(kind).tobytes())).decode()
            for name, kind in _FIELDS.items()
        }


def joined_games(parts: Sequence[Mapping[str, Any]], words: int) -> SelfPlayed:
    """Join the positions of several tasks; renumber their games consecutively."""
    met: list[dict[str, npt.NDArray[Any]]] = []
    games = 0
    for part in parts:
        found = {n: np.frombuffer(decompress(b64decode(part[n])), k) for n, k in _FIELDS.items()}
        found["owner"] = found["owner"] + games
        games = int(found["owner"].max(initial=games - 1)) + 1
        met.append(found)
    rows, turn, owner, result, left = (np.concatenate([f[name] for f in met]) for name in _FIELDS)
    rows, result, left = rows.reshape(-1, words), result.astype(np.int64), left.astype(np.intp)
    return SelfPlayed(rows, turn, owner, result, left)
