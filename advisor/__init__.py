"""A move advisor whose knowledge is written in answer set programs, as a library.

>>> import advisor
>>> p = advisor.position("4453")
>>> a = advisor.suggest(p)
>>> a.best, a.score.kind
((3, 6, 7), 'loss')
>>> p.play(4).turn
'o'

The public interface is `__all__` and `compile`, which a star import leaves out because it would
hide Python's own. ``docs/library.md`` describes it; every other name may change from one version to
the next. Scores and values are for the player to move; rows count from the bottom, columns from the
left, both from 1; times are seconds.

Every module of the package imports this one. Names are therefore imported on first use, so that a
command loads only what it needs.
"""

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # "as" says to type checkers that a name is for others
    # isort: off
    from advisor.advice.advice import Advice as Advice, Certain as Certain
    from advisor.advice.advice import Move as Move
    from advisor.advice.explain import headline as headline
    from advisor.advice.grades import Mark as Mark, Prospect as Prospect
    from advisor.advice.review import Review as Review, Reviewed as Reviewed, Side as Side
    from advisor.advice.threats import Threat as Threat, Threats as Threats
    from advisor.errors import AdvisorError as AdvisorError, ConfigError as ConfigError
    from advisor.errors import BatchError as BatchError
    from advisor.errors import EncodingError as EncodingError, FaultError as FaultError
    from advisor.errors import InputError as InputError
    from advisor.files.tablefile import write_table as write_table
    from advisor.games.abilities import Scene as Scene
    from advisor.games.bounds import Bounds as Bounds, Solved as Solved
    from advisor.games.check import Report as Report
    from advisor.games.game import Game as Game, Position as Position
    from advisor.games.score import Score as Score
    from advisor.games.tree import MoveTree as MoveTree
    from advisor.lab.arena.contest import Standing as Standing
    from advisor.lab.arena.elo import Estimate as Estimate
    from advisor.lab.arena.likeness import Alike as Alike
    from advisor.lab.batch import Sharing as Sharing
    from advisor.lab.doctor import Diagnosis as Diagnosis
    from advisor.library.analysing import analyse as analyse, analysed as analysed
    from advisor.library.analysing import lines_of as lines_of
    from advisor.library.arrays import Arrays as Arrays
    from advisor.library.asking import Holding as Holding, atoms as atoms, why as why
    from advisor.library.asking import why_feature as why_feature, why_fires as why_fires
    from advisor.library.checking import check_game as check_game
    from advisor.library.circuits import circuit_of as circuit_of
    from advisor.library.evaluating import Evaluator as Evaluator
    from advisor.library.firing import Fired as Fired, Fires as Fires, Use as Use
    from advisor.library.firing import fires as fires, firing as firing
    from advisor.library.loading import game_names as game_names, load_game as load_game
    from advisor.library.loading import position as position
    from advisor.library.machine import fast as fast, slowed_by as slowed_by
    from advisor.library.matches import Match as Match
    from advisor.library.measuring import Examination as Examination, Quality as Quality
    from advisor.library.posing import Posing as Posing
    from advisor.library.proving import certain as certain, prepare as prepare, solve as solve
    from advisor.library.puzzles import Attempt as Attempt, Puzzle as Puzzle, puzzle as puzzle
    from advisor.library.puzzles import Hint as Hint, Judged as Judged, Reply as Reply
    from advisor.library.puzzles import is_puzzle as is_puzzle, puzzles as puzzles, reply as reply
    from advisor.library.replaying import Book as Book, Replayed as Replayed, replay as replay
    from advisor.library.reviewing import logit_scale as logit_scale, review as review
    from advisor.library.summarising import ErrorKind as ErrorKind, Summary as Summary
    from advisor.library.suggesting import choices as choices, explain as explain
    from advisor.library.suggesting import explained as explained, proofs as proofs
    from advisor.library.suggesting import reason as reason, suggest as suggest
    from advisor.library.suggesting import threats as threats
    from advisor.library.tournaments import Tournament as Tournament
    from advisor.library.weighing import load_weights as load_weights, presets as presets
    from advisor.plugins.export.library import export as export
    from advisor.plugins.gdl.library import import_game as import_game
    from advisor.plugins.gdl.importing import Imported as Imported
    from advisor.plugins.learn.learning.outcome import Learned as Learned
    from advisor.plugins.learn.library import learn as learn, tune as tune
    from advisor.plugins.learn.tuning.selfplay import SelfTuning as SelfTuning
    from advisor.plugins.learn.tuning.tune import Tuning as Tuning
    from advisor.plugins.proofs.library import Plan as Plan, plan as plan, prove as prove
    from advisor.plugins.proofs.library import describe_proof as describe_proof
    from advisor.plugins.proofs.plans.proof import PlanProof as PlanProof
    from advisor.plugins.proofs.victor.plan import Proof as Proof
    from advisor.settings.writing import Weights as Weights
    from aspcircuits.circuit import Circuit as Circuit
    from aspcircuits.compiler import compile as compile
    from aspcircuits.reasons import Why as Why
    from aspcircuits.stopping import Stop as Stop

    # isort: on

    __version__: str

_WHERE = {
    "advisor.library.machine": "fast slowed_by",
    "advisor.files.tablefile": "write_table",
    "advisor.lab.doctor": "Diagnosis",
    "advisor.games.abilities": "Scene",
    "advisor.games.bounds": "Bounds Solved",
    "advisor.games.check": "Report",
    "advisor.lab.arena.contest": "Standing",
    "advisor.lab.arena.elo": "Estimate",
    "advisor.lab.arena.likeness": "Alike",
    "advisor.games.game": "Game Position",
    "advisor.lab.batch": "Sharing",
    "advisor.library.arrays": "Arrays",
    "advisor.library.asking": "Holding atoms why why_feature why_fires",
    "advisor.library.checking": "check_game",
    "advisor.library.measuring": "Examination Quality",
    "advisor.library.matches": "Match",
    "advisor.advice.advice": "Advice Certain Move",
    "advisor.advice.explain": "headline",
    "advisor.advice.grades": "Mark Prospect",
    "advisor.advice.review": "Review Reviewed Side",
    "advisor.advice.threats": "Threat Threats",
    "advisor.games.score": "Score",
    "advisor.games.tree": "MoveTree",
    "aspcircuits.circuit": "Circuit",
    "advisor.errors": "AdvisorError BatchError ConfigError EncodingError FaultError InputError",
    "advisor.library.analysing": "analyse analysed lines_of",
    "advisor.library.circuits": "circuit_of",
    "advisor.library.evaluating": "Evaluator",
    "advisor.library.firing": "Fired Fires Use fires firing",
    "advisor.library.loading": "game_names load_game position",
    "advisor.library.proving": "certain prepare solve",
    "advisor.library.posing": "Posing",
    "advisor.library.puzzles": "Attempt Hint Judged Puzzle Reply is_puzzle puzzle puzzles reply",
    "advisor.library.replaying": "Book Replayed replay",
    "advisor.library.reviewing": "logit_scale review",
    "advisor.library.summarising": "ErrorKind Summary",
    "advisor.library.suggesting": "choices explain explained proofs reason suggest threats",
    "advisor.library.tournaments": "Tournament",
    "advisor.library.weighing": "load_weights presets",
    "advisor.settings.writing": "Weights",
    "aspcircuits.compiler": "compile",
    "aspcircuits.reasons": "Why",
    "aspcircuits.stopping": "Stop",
}
"""The modules and their public names, as above for type checkers."""

_MODULES = {name: module for module, names in _WHERE.items() for name in names.split()}


@cache
def _rooms() -> set[str]:
    """The names of the package's own modules."""
    return {each.removesuffix(".py") for place in __path__ for each in os.listdir(place)}


def _modules() -> dict[str, str]:
    """The module of each public name, including names that plugins add."""
    registry = import_module("advisor.registry")
    return _MODULES | {name: at for each in registry.plugins() for name, at in each.names.items()}


def _of_plugins(name: str) -> str | None:
    """The module of a name that a plugin adds; other people's plugins come last."""
    registry = import_module("advisor.registry")
    return next((each.names[name] for each in registry.plugins() if name in each.names), None)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # which takes as long as all the rest

        found: Any = version("asp-advisor")
    elif name == "__all__":
        found = sorted({"__version__", *_modules()} - {"compile"})
    elif name.startswith("__") or name in _rooms():  # for which Python asks before it imports them
        raise AttributeError(f"module 'advisor' has no attribute {name!r}")
    elif (module := _MODULES.get(name) or _of_plugins(name)) is not None:
        found = getattr(import_module(module), name)
    else:
        raise AttributeError(f"module 'advisor' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_modules()})
