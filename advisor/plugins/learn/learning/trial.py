"""Write a game with its new knowledge, and try it in matches that decide whether to keep it."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from time import monotonic
from typing import Any

from advisor.files import outfile
from advisor.games.knowledge import FILES
from advisor.games.rules import rule_files
from advisor.lab.arena import elo, players
from advisor.lab.arena.match import Umpire, some_openings
from advisor.limits import Limit
from advisor.plugins.learn.learning.outcome import Learned, MatchResult, Part
from advisor.plugins.learn.learning.proposals import Proposals
from advisor.plugins.learn.learning.task import RULES, Clock, Task
from advisor.plugins.learn.tuning.model import UNIT
from advisor.settings.writing import key, tree
from aspcircuits.clingo_api import Term

_BETWEEN = (0, 80)
"""Elo differences that the sequential test of a match tells apart; see `elo.decision`."""
_PAIRS, _LEAST, _LONGEST = 60, 0.02, 0.3
"""Maximum pairs of games in a match; minimum and maximum seconds of a move."""
_SOON, _LONGER = 10, 1.5
"""Pairs that a match should have time for, and how much longer than in a round its games are.

Games of a round begin with random moves.
"""
_PLIES = 4
"""Plies of a random opening."""


def write_rules(game: str, constants: Mapping[str, int], folder: Path) -> None:
    """Copy the rules of a game; the given constants become its defaults."""
    for file in rule_files(game):
        text = file.read_text(encoding="utf-8")
        for name, value in constants.items():
            text = re.sub(rf"(#const {name}\s*=\s*)\d+(\s*\.)", rf"\g<1>{value}\g<2>", text)
        outfile.write(folder / file.name, text.encode())


_HEADS = {
    "features": (
        "features of a position of {}",
        "feature(F, P, Where) - player P has feature F; Where tells one from another\n"
        "%          sentence(feature(F), Text)",
        "how much worse the results of other games are predicted without it",
    ),
    "moves": (
        "strategies for a move in {}",
        "because(S, M, A) - strategy S speaks for move M, on account of place A\n"
        "%          short(fires(S), Text), sentence(fires(S), Text)",
        "the share of a deeper look-ahead's changes that only this rule predicts",
    ),
}


def write_knowledge(
    folder: Path, program: str, game: str, proposals: Proposals, gains: Mapping[str, float]
) -> None:
    """Write an encoding of the chosen families, for the program ``features`` or ``moves``."""
    purpose, derives, gained = _HEADS[program]
    parts = [
        f"% Purpose: {purpose.format(game)}, found from its rules by `advisor learn`.\n"
        "% Input:   rules.lp\n"
        f"% Derives: {derives}\n%\n% The gain of a rule: {gained}.\n",
        *(f"% {rule.about}\n{rule.text}\n" for rule in proposals.relations_for(gains)),
    ]
    for family, gain in gains.items():
        rule = proposals.families[family]
        about = f"{rule.about[:1].upper()}{rule.about[1:]} (gain {gain:.4f})."
        comment = wrap(about, 98, initial_indent="% ", subsequent_indent="% ")
        parts.append("\n".join([*comment, rule.text, ""]))
    outfile.write(folder / FILES[program], "\n".join(parts).encode())


def write_weights(folder: Path, about: str, weights: Mapping[str, Mapping[Term, int]]) -> None:
    """Write a weights file that searches by look-ahead, as the match did.

    Args:
        folder: folder of the game.
        about: first line of the file.
        weights: by program, ``features`` and ``moves``; numbers of one functor share a line.
    """
    units = f"# {UNIT} units multiply the odds of a win by 2.7."
    lines = [f"# {about}", units, "search: look-ahead"]
    for program, own in weights.items():
        lines.append(f"{program}:")
        lines += [f"  {key(name)}: {_flow(value)}" for name, value in tree(own).items()]
    outfile.write(folder / "weights.yaml", ("\n".join(lines) + "\n").encode())


def _flow(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    return "{" + ", ".join(f"{key(k)}: {_flow(v)}" for k, v in value.items()) + "}"


class Trial:
    """Matches of the game with its new knowledge, in temporary folders.

    Args:
        task: the game and the opponent.
        found: the outcome so far, with features.
        target: folder for the game if it wins.
        made: folder for the trial, which workers on other machines must be able to read.
        clock: clock of the run.
        length: mean plies of the games against itself.
    """

    def __init__(
        self, task: Task, found: Learned, target: Path, made: Path, clock: Clock, length: float
    ) -> None:
        self._task, self._features, self._target, self._clock = task, found.features, target, clock
        self._about = f"Learned from {found.games} games against itself (seed {task.seed})."
        self._folder = made / found.game
        left = clock.seconds_until() / (2 * _SOON * max(4.0, _LONGER * length))
        seconds = round(min(_LONGEST, max(_LEAST, left)), 2)
        settled = clock.steps.settle("seconds of a move", seconds)
        self._limit = task.limit or Limit(seconds=settled)

    def of_features(self, proposed: Proposals) -> MatchResult:
        """Play the game with its features against the opponent of the task."""
        task, trial = self._task, self._folder
        trial.mkdir()
        write_rules(task.game, task.constants, trial)
        write_knowledge(trial, "features", trial.name, proposed, self._features.gains)
        write_weights(trial, self._about, {"features": self._features.weights})
        beaten = (str(trial), {}) if task.against == RULES else (task.game, task.constants)
        other = players.parse(task.against, *beaten, limit=self._limit)
        return self._match("", trial, other, task.against)

    def write(self) -> None:
        """Write the game as it was last tried."""
        self._target.mkdir(exist_ok=True)
        for file in sorted(self._folder.iterdir()):
            shutil.copyfile(file, self._target / file.name)

    def of_strategies(self, proposed: Proposals, found: Part) -> MatchResult:
        """Play the game with features and strategies against the one with features alone."""
        before, trial = self._folder, self._folder.with_name(f"{self._folder.name}2")
        self._folder = shutil.copytree(before, trial)
        write_knowledge(trial, "moves", before.name, proposed, found.gains)
        both = {"features": self._features.weights, "moves": found.weights}
        write_weights(trial, self._about, both)
        other = players.parse("default", str(before), limit=self._limit)
        return self._match(" of strategies", trial, other, "the features alone")

    def _match(self, name: str, trial: Path, other: players.Player, against: str) -> MatchResult:
        """Play until one side is clearly better or the time is up."""
        task, clock = self._task, self._clock
        one = players.parse("default", str(trial), limit=self._limit)
        if self._limit.seconds is not None:
            clock.report(f"compiling{name}")
            for player in (one, other):
                player.prepare()
        clock.report(f"match{name}")
        # A short game may have few openings, or only its start.
        openings = some_openings(one.game, _PAIRS, _PLIES, task.seed) or [""]
        work = Umpire(one, other, task.seed)
        pairs: list[float] = []
        verdict, longest = None, 0.0
        while openings and verdict is None:
            # Not kept in the journal: a run resumed for lack of time has more of it.
            if clock.steps.fresh and pairs and clock.seconds_until() < longest:
                break
            begun, width = monotonic(), clock.steps.width
            for games in clock.steps.do(work, openings[:width]):
                pairs.append(sum(game["points"] for game in games) / 2)
            openings, longest = openings[width:], max(longest, monotonic() - begun)
            verdict = elo.decision(pairs, *_BETWEEN)
            won = 2 * sum(pairs)
            clock.report(f"match{name}: {won:g} of {2 * len(pairs)} points against {against}")
        return MatchResult(against, self._limit, tuple(pairs), verdict)
