"""From the rules of a game to knowledge that is worth having: proposed, chosen, weighed and tried.

Candidates (`proposals`) play games against themselves with weights that get better from round to
round, and what tells how the games end is chosen (`choosing`). The game with that knowledge then
plays a match against the game without it. Only what wins it is written.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from advisor.asp.clingo_api import Term, render
from advisor.errors import EncodingError, InputError
from advisor.files import textfile
from advisor.games import knowledge
from advisor.games.machine import branching
from advisor.games.rules import read, rule_files
from advisor.lab.arena import elo, players
from advisor.lab.arena.match import random_openings, umpire
from advisor.lab.learning import folder as folders
from advisor.lab.learning.choosing import Choice, choose
from advisor.lab.learning.decided import Decided, decided
from advisor.lab.learning.moves import Corrections
from advisor.lab.learning.odds import Odds, Positions
from advisor.lab.learning.outline import Outline, outline
from advisor.lab.learning.playing import Candidates, Playing, joined
from advisor.lab.learning.proposals import Proposals, own, proposals
from advisor.lab.learning.slots import Slots, slots
from advisor.lab.learning.steps import Steps
from advisor.lab.tuning import selfplay
from advisor.lab.tuning.model import UNIT, Numbers
from advisor.limits import Limit, Stop
from advisor.settings import contract

STRATEGIES = "strategies"
RULES = "rules"
"""The preset that plays without knowledge."""

GAMES = 1024
"""Of one round, at most."""
_AT_ONCE, _ROUNDS = 64, 4
"""Games of one task, and rounds with all candidates."""
_MOST_NAMES = 64
"""A family with more of them is not for people to read."""
_LOOKED_AT = 15_000
"""Positions by which families are chosen; their weights are fitted to all."""
_PLAYING, _CHOOSING, _AGAIN = 0.3, 0.45, 0.55
"""Parts of the time after which rounds, the choice and the last round end."""
_STRATEGIES = 0.9
"""There has to be so much of the time left for strategies: what is over of it is not more."""
_MOVED, _FEWEST, _LEAVES = 1500, 200, 3_000_000
"""States whose moves are compared, as many as have so many leaves below them."""
_MOST_STRATEGIES = 6
_BETWEEN = (0, 80)
"""A match tells "stronger by so much" from "not stronger"; it is wrong as seldom as `elo` says."""
_PAIRS, _LEAST, _LONGEST = 60, 0.02, 0.3
"""Of a match: most pairs of games, and seconds of a move."""
_SOON, _LONGER = 10, 1.5
"""So many pairs should fit into the time of a match, whose games are so much longer than those of
a round, which begin at random."""
_PLIES = 4
"""Of a random opening."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be learned, and how.

    Attributes:
        game, constants: what is played.
        seconds: for all of it.
        games: of one round, at most.
        seed: of all that is random but what depends on the clock.
        only, without: families; see `proposals`. `STRATEGIES` are all strategies.
        own: a file with candidates of one's own.
        beside: weights of the game whose features are candidates, too.
        against: the weights of the game that are to be beaten.
        limit: of a move of the match; None for what the time allows.
    """

    game: str
    constants: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 600.0
    games: int = GAMES
    seed: int = 1
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    own: Path | None = None
    beside: str | None = None
    against: str = RULES
    limit: Limit | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """What games say of what was found.

    Attributes:
        against: what was played against, in words.
        limit: of a move.
        pairs: the points of each pair of games, divided by two.
        verdict: ``stronger``, ``weaker`` for all that is not clearly so, or None where there have
            been too few.
    """

    against: str
    limit: Limit
    pairs: tuple[float, ...] = ()
    verdict: str | None = None

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "against": self.against,
            "games": 2 * len(self.pairs),
            "points": 2 * sum(self.pairs),
            "seconds": self.limit.seconds,
            "depth": self.limit.depth,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class Part:
    """Features, or strategies, that were found.

    Attributes:
        tried: the families, with how many of their names vary.
        choice: what was chosen; None if nothing was.
        about: of each family that was chosen, what it is.
        weights: of its names.
        match: with it against without it; None if none was played.
    """

    tried: Mapping[str, int]
    choice: Choice | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[Term, int] = field(default_factory=dict)
    match: Match | None = None

    @property
    def written(self) -> bool:
        """Whether it was worth it."""
        return self.match is not None and self.match.verdict == "stronger"

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        choice = self.choice
        return {
            "families": dict(self.tried),
            "kept": {} if choice is None else {f: round(g, 5) for f, g in choice.gains.items()},
            "loss": None if choice is None else round(choice.loss, 5),
            "loss_without": None if choice is None else round(choice.without, 5),
            "weights": {render(name): weight for name, weight in self.weights.items()},
            "match": None if self.match is None else self.match.to_json(),
            "written": self.written,
        }


@dataclass(frozen=True, slots=True)
class Learned:
    """The outcome.

    Attributes:
        game: its name.
        games, positions: that the choice was made from.
        features: what positions are worth.
        strategies: what speaks for moves; None where there was no time or no reason to look.
        decided: for families of features a position in which each decided.
    """

    game: str
    games: int
    positions: int
    features: Part
    strategies: Part | None = None
    decided: Mapping[str, Decided] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "game": self.game,
            "games": self.games,
            "positions": self.positions,
            "features": self.features.to_json(),
            "strategies": None if self.strategies is None else self.strategies.to_json(),
        }


Report = Callable[[str, float], None]


def learn(
    task: Task,
    target: Path,
    steps: Steps,
    on_progress: Report = lambda stage, part: None,
    stop: Stop | None = None,
) -> Learned:
    """Learns a game and writes it into a folder, if what was found wins.

    Args:
        task: what, and how.
        target: the folder; it is made if need be.
        steps: who does the work, and what is kept of it.
        on_progress: called with what is being done and how much of the time is over (0 to 1).
        stop: may end it.

    Raises:
        InputError: there is no such game or family, or the rules offer nothing to propose.
        EncodingError: the rules or one's own candidates cannot be used.
        BatchError: see `Steps.do`.
        KeyboardInterrupt: it was to stop.
    """
    return _Run(task, target, steps, on_progress, stop or Stop()).learned()


class _Run:
    """One run."""

    def __init__(
        self, task: Task, target: Path, steps: Steps, on_progress: Report, stop: Stop
    ) -> None:
        self._task, self._target, self._steps = task, target, steps
        self._stop = stop.within(task.seconds)
        self._on_progress = on_progress
        self._constants = tuple(sorted(task.constants.items()))
        self._game, _ = knowledge.load(task.game, RULES, task.constants, stop)
        if task.against != RULES:  # who cannot play is found before the work
            players.parse(task.against, task.game, task.constants, limit=Limit(1))
        self._wants_strategies = STRATEGIES not in task.without
        self._played, self._length = 0, 0.0
        self._weights: dict[Term, int] = {}

    def learned(self) -> Learned:
        """See `learn`."""
        self._report("reading the rules")
        self._shown = outline(self._game.rules, self._stop.untimed)
        proposed = self._proposals(self._shown)
        candidates, names = self._candidates(proposed)
        if not names:
            raise InputError(
                f"{self._game.rules.name}: the rules offer nothing to propose (no men on places "
                "that moves name, no numbers of players)"
            )
        self._weights = dict.fromkeys(names, 0)
        number = 0
        while number < 2 or (number < _ROUNDS and self._goes_on(f"round {number}", _PLAYING)):
            until = (number + 1) * _PLAYING / 2
            met = self._round(candidates, self._weights, f"round {number}", until)
            odds = Odds(met)
            columns = self._columns(odds.spread, names, proposed.families)
            self._weights = self._fitted(odds, names, [i for c in columns.values() for i in c])
            number += 1
        tried = {family: len(found) for family, found in columns.items()}
        choice = choose(Odds(met, _LOOKED_AT), columns, self._report)
        if not choice.families:
            return self._outcome(met, Part(tried))
        return self._weighed(proposed, choice, tried)

    def _weighed(self, proposed: Proposals, choice: Choice, tried: Mapping[str, int]) -> Learned:
        """The chosen families play on alone, and are chosen again by what they meet."""
        for number, until in enumerate((_CHOOSING, _AGAIN)):
            families = {f: proposed.families[f] for f in choice.families}
            chosen = replace(proposed, families=families)
            candidates, names = self._candidates(chosen)
            weights = {name: self._weights.get(name, 0) for name in names}
            met = self._round(candidates, weights, f"chosen {number}", until)
            odds = Odds(met)
            columns = self._columns(odds.spread, names, choice.families)
            choice = choose(odds, columns, self._report)
            if not choice.families:
                return self._outcome(met, Part(tried))
            varying = [i for f in choice.families for i in columns[f]]
            self._weights = self._fitted(odds, names, varying)
        families = {f: proposed.families[f] for f in choice.families}
        chosen = replace(proposed, families=families)
        part = Part(
            tried,
            choice,
            {name: rule.about for name, rule in families.items()},
            {name: w for name, w in self._weights.items() if _family(name) in families},
        )
        game = candidates.circuits(self._weights)
        shown = decided(game, met, self._weights, [*families], _family)
        found = replace(self._outcome(met, part), decided=shown)
        return self._tried(found, met, chosen)

    @staticmethod
    def _columns(
        spread: Numbers, names: Sequence[Term], families: Iterable[str]
    ) -> dict[str, list[int]]:
        """The numbers of the names of each family that vary."""
        varying = [i for i in range(len(names)) if spread[i] > 0]
        return {f: [i for i in varying if _family(names[i]) == f] for f in families}

    def _tried(self, found: Learned, met: Positions, chosen: Proposals) -> Learned:
        """Plays matches, and writes what wins."""
        task = self._task
        self._target.parent.mkdir(parents=True, exist_ok=True)
        # Beside the target: workers on other machines have to see it, too.
        with tempfile.TemporaryDirectory(prefix=".learn-", dir=self._target.parent) as made:
            trial = Path(made) / self._game.rules.name
            trial.mkdir()
            folders.write_rules(task.game, task.constants, trial)
            choice, weights = found.features.choice, found.features.weights
            assert choice is not None
            folders.write_knowledge(trial, "features", found.game, chosen, choice.gains)
            about = [f"Learned from {found.games} games against itself (seed {task.seed})."]
            folders.write_weights(trial, about, {"features": weights})
            seconds = self._steps.settled("seconds of a move", self._seconds_of_a_move())
            limit = task.limit or Limit(seconds=seconds)
            match = self._match("", trial, self._opponent(trial, limit), task.against, limit)
            found = replace(found, features=replace(found.features, match=match))
            if not found.features.written:
                return found
            self._write(trial)
            if not self._wants_strategies or not self._goes_on("strategies", _STRATEGIES):
                return found
            try:
                part, proposed = self._strategies(met, chosen, weights)
            except EncodingError:  # there is a rule of a kind that this game has too much of
                return found
            if part.choice is not None and part.choice.families:
                other = Path(made) / f"{trial.name}2"
                shutil.copytree(trial, other)
                folders.write_knowledge(other, "moves", found.game, proposed, part.choice.gains)
                both = {"features": weights, "moves": part.weights}
                folders.write_weights(other, about, both)
                opponent = players.parse("default", str(trial), limit=limit)
                match = self._match("strategies: ", other, opponent, "the features alone", limit)
                part = replace(part, match=match)
                if part.written:
                    self._write(other)
            return replace(found, strategies=part)

    def _write(self, trial: Path) -> None:
        self._target.mkdir(exist_ok=True)
        for file in sorted(trial.iterdir()):
            shutil.copyfile(file, self._target / file.name)

    def _strategies(
        self, met: Positions, chosen: Proposals, weights: Mapping[Term, int]
    ) -> tuple[Part, Proposals]:
        """What tells how a deeper look-ahead changes the values of moves."""
        shown = self._shown
        proposed = proposals(shown, self._slots(shown), program="moves")
        text = f"{chosen.text(chosen.families)}\n{proposed.text(proposed.families)}"
        candidates = Candidates(self._task.game, self._constants, text)
        said = ("fires", "because")
        found = {atom[1] for name in said for atom, _ in candidates.rules.derived(name)}
        names = sorted(found, key=render)
        plies = selfplay.plies(self._game) + 1
        leaves = branching(self._game, self._game.start) ** plies
        count = max(_FEWEST, min(_MOVED, _LEAVES // leaves))
        some = np.random.default_rng(self._task.seed).permutation(len(met.rows))[:count]
        self._report("looking deeper")
        changes = Corrections(
            candidates.circuits(weights),
            met.rows[some],
            met.owner[some],
            names,
            plies,
        )
        columns = self._columns(changes.spread, names, proposed.families)
        tried = {family: len(own) for family, own in columns.items() if own}
        choice = choose(changes, columns, self._report, most=_MOST_STRATEGIES)
        families = {f: proposed.families[f] for f in choice.families}
        varying = [i for f in choice.families for i in columns[f]]
        learned = {name: 0 for name in names if _family(name) in families}
        for i, weight in zip(varying, changes.fit(varying), strict=True):
            learned[names[i]] = round(float(weight))
        about = {name: rule.about for name, rule in families.items()}
        return Part(tried, choice, about, learned), replace(proposed, families=families)

    def _match(
        self, name: str, trial: Path, other: players.Player, against: str, limit: Limit
    ) -> Match:
        """Plays until it is clear who is better, or the time is up."""
        task = self._task
        one = players.parse("default", str(trial), limit=limit)
        openings = random_openings(one.room, _PAIRS, _PLIES, task.seed)
        work = umpire(one, other, task.seed)
        pairs: list[float] = []
        verdict, longest = None, 0.0
        while openings and verdict is None:
            # Not kept: who goes on with a run that was short of time has more of it.
            if pairs and self._stop.seconds_left < longest:
                break
            begun, width = monotonic(), self._steps.width
            for games in self._steps.do(work, openings[:width]):
                pairs.append(sum(game["points"] for game in games) / 2)
            openings, longest = openings[width:], max(longest, monotonic() - begun)
            verdict = elo.decision(pairs, *_BETWEEN)
            won = 2 * sum(pairs)
            self._report(f"{name}{won:g} of {2 * len(pairs)} points against {against}")
        return Match(against, limit, tuple(pairs), verdict)

    def _opponent(self, trial: Path, limit: Limit) -> players.Player:
        if self._task.against == RULES:
            return players.parse(RULES, str(trial), limit=limit)
        return players.parse(self._task.against, self._task.game, self._task.constants, limit=limit)

    def _seconds_of_a_move(self) -> float:
        """Such that enough games fit into what is left of the time."""
        left = self._stop.seconds_left / (2 * _SOON * max(4.0, _LONGER * self._length))
        return round(min(_LONGEST, max(_LEAST, left)), 2)

    # Games

    def _round(
        self, candidates: Candidates, weights: Mapping[Term, int], name: str, until: float
    ) -> Positions:
        """Positions of games that weights have played, counted."""
        work = Playing(candidates, tuple(weights.items()), _AT_ONCE, self._task.seed)
        parts: list[Any] = []
        while (played := len(parts) * _AT_ONCE) < self._task.games:
            if parts and not self._goes_on(f"{name}, {played} games", until):
                break
            self._report(f"{name}: {played} games against itself")
            left = -(-(self._task.games - played) // _AT_ONCE)
            numbers = range(len(parts), len(parts) + min(left, self._steps.width))
            parts += self._steps.do(work, [f"{name}, games {number}" for number in numbers])
        met = joined(parts, self._game.words)
        game = candidates.circuits(weights)
        open_ = ~game.leaf(met.rows).certain
        self._played = len(parts) * _AT_ONCE
        self._length = float(np.bincount(met.owner).mean())
        if len({*met.result[open_].tolist()}) < 2:
            raise InputError(f"{self._game.rules.name}: all of {self._played} games end alike")
        return Positions(
            counts=game.counts(met.rows[open_], [*weights]).astype(np.float32),
            result=met.result[open_],
            turn=met.turn[open_].astype(np.int64),
            owner=met.owner[open_],
            left=met.left[open_],
            rows=met.rows[open_],
        )

    def _fitted(self, odds: Odds, names: Sequence[Term], varying: Sequence[int]) -> dict[Term, int]:
        weights: dict[Term, int] = dict.fromkeys(names, 0)
        for i, logit in zip(varying, odds.fit(varying), strict=True):
            weights[names[i]] = round(UNIT * logit)
        return weights

    # Candidates

    def _slots(self, shown: Outline) -> Mapping[str, Slots]:
        return slots(self._game, shown.men, self._task.seed) if shown.men else {}

    def _proposals(self, shown: Outline) -> Proposals:
        task = self._task
        without = [name for name in task.without if name != STRATEGIES]
        found = proposals(shown, self._slots(shown), task.only, without)
        files = rule_files(task.game)
        if task.beside is not None:
            known = knowledge.settings(task.game, task.beside).files("features")
            written = [file for file in known if file not in files]
            found = own(written, f"the features of {task.beside}", found, first=True)
        if task.own is not None:
            programs = {"moves": files, "features": (*files, task.own)}
            contract.check(programs, [task.own], knowledge.home(files))
            read(task.game, [task.own], task.constants)  # whose errors name the user's file
            found = own([task.own], textfile.file_name(task.own), found)
        return found

    def _candidates(self, proposed: Proposals) -> tuple[Candidates, list[Term]]:
        """The game with candidates that can be used, and the names of these."""
        kept = list(proposed.families)
        try:
            found = self._with(proposed, kept)
            names = _names(found)
        except EncodingError:  # as where a rule has too many instances, or too many gates
            kept = [family for family in kept if self._fits(proposed, family)]
            found = self._with(proposed, kept)
            names = _names(found)
        count = Counter(map(_family, names))
        if max(count.values(), default=0) > _MOST_NAMES:
            kept = [family for family in kept if count[family] <= _MOST_NAMES]
            found = self._with(proposed, kept)
            names = _names(found)
        return found, names

    def _with(self, proposed: Proposals, families: Sequence[str]) -> Candidates:
        return Candidates(self._task.game, self._constants, proposed.text(families))

    def _fits(self, proposed: Proposals, family: str) -> bool:
        """Whether a family can be used."""
        self._stop.check()
        try:
            _names(self._with(proposed, [family]))
        except EncodingError:
            return False
        return True

    def _outcome(self, met: Positions, part: Part) -> Learned:
        return Learned(self._game.rules.name, self._played, len(met.result), part)

    # Time

    def _goes_on(self, question: str, until: float) -> bool:
        """Whether there is time for more; a run that goes on decides as before."""
        self._stop.check()
        left = self._stop.seconds_left > (1 - until) * self._task.seconds
        return bool(self._steps.settled(f"{question}?", left))

    def _report(self, stage: str) -> None:
        self._stop.check()
        self._on_progress(stage, 1 - self._stop.seconds_left / self._task.seconds)


def _names(candidates: Candidates) -> list[Term]:
    """Those of the features.

    Raises:
        EncodingError: they cannot be used.
    """
    names = {atom[1] for atom, _ in candidates.rules.derived("feature")}
    game = candidates.circuits(dict.fromkeys(names, 0))
    game.leaf(game.start[None])
    return sorted(names, key=render)


def _family(name: Term) -> str:
    return str(name[0] if isinstance(name, tuple) else name)
