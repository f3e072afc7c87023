"""A move advisor whose knowledge is written in answer set programs, as a library.

>>> import advisor
>>> p = advisor.position("4453")
>>> a = advisor.suggest(p)
>>> a.best, a.score.kind
((3, 6, 7), 'loss')
>>> p.play(4).turn
'o'

What `__all__` names is the public interface, described in ``docs/library.md``; every other name may
change from one version to the next. Scores and values are for the player to move; rows count from
the bottom, columns from the left, both from 1; times are seconds.

Every module of the package imports this one. A name is therefore looked up when somebody asks for
it, so that no command has to start with what it does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from advisor.advice.advice import Advice
    from advisor.advice.certain import Certain
    from advisor.advice.review import Review, Reviewed
    from advisor.circuits.circuit import Circuit
    from advisor.errors import AdvisorError, ConfigError, EncodingError, InputError
    from advisor.games.abilities import Scene
    from advisor.games.connect4.exact import Exact
    from advisor.games.connect4.plans.proof import PlanProof
    from advisor.games.connect4.victor.plan import Proof
    from advisor.games.score import Score
    from advisor.games.solving import Solved
    from advisor.lab.batch import Sharing
    from advisor.lab.doctor import Diagnosis
    from advisor.library.analysing import analyse, analysed, lines_of
    from advisor.library.checking import check_game, import_game
    from advisor.library.circuits import circuit_of, compile
    from advisor.library.evaluating import Evaluator
    from advisor.library.firing import Fired, Fires, fires, firing
    from advisor.library.learning import learn
    from advisor.library.loading import game_names, load_game, position
    from advisor.library.machine import fast, slowed_by
    from advisor.library.matches import Match
    from advisor.library.measuring import Examination
    from advisor.library.posing import Posing
    from advisor.library.positions import Game, Position
    from advisor.library.proving import Plan, certain, plan, prepare, prove, solve, told
    from advisor.library.puzzles import Attempt, Puzzle, is_puzzle, puzzle, puzzles, reply
    from advisor.library.replaying import Book, Replayed, replay
    from advisor.library.reviewing import logit_scale, review
    from advisor.library.suggesting import (
        choices,
        explain,
        explained,
        headline,
        proofs,
        reason,
        suggest,
    )
    from advisor.library.tournaments import Tournament
    from advisor.library.tuning import tune
    from advisor.library.weighing import Weights, load_weights, presets
    from advisor.limits import Stop

    __version__: str

__all__ = [
    "Advice",
    "AdvisorError",
    "Attempt",
    "Book",
    "Certain",
    "Circuit",
    "ConfigError",
    "Diagnosis",
    "EncodingError",
    "Evaluator",
    "Exact",
    "Examination",
    "Fired",
    "Fires",
    "Game",
    "InputError",
    "Match",
    "Plan",
    "PlanProof",
    "Posing",
    "Position",
    "Proof",
    "Puzzle",
    "Replayed",
    "Review",
    "Reviewed",
    "Scene",
    "Score",
    "Sharing",
    "Solved",
    "Stop",
    "Tournament",
    "Weights",
    "__version__",
    "analyse",
    "analysed",
    "certain",
    "check_game",
    "choices",
    "circuit_of",
    "compile",
    "explain",
    "explained",
    "fast",
    "fires",
    "firing",
    "game_names",
    "headline",
    "import_game",
    "is_puzzle",
    "learn",
    "lines_of",
    "load_game",
    "load_weights",
    "logit_scale",
    "plan",
    "position",
    "prepare",
    "presets",
    "proofs",
    "prove",
    "puzzle",
    "puzzles",
    "reason",
    "replay",
    "reply",
    "review",
    "slowed_by",
    "solve",
    "suggest",
    "told",
    "tune",
]

_WHERE = {
    "library.machine": ["fast", "slowed_by"],
    "lab.doctor": ["Diagnosis"],
    "games.abilities": ["Scene"],
    "lab.batch": ["Sharing"],
    "library.checking": ["check_game", "import_game"],
    "library.learning": ["learn"],
    "library.tuning": ["tune"],
    "library.measuring": ["Examination"],
    "library.matches": ["Match"],
    "library.tournaments": ["Tournament"],
    "advice.advice": ["Advice"],
    "advice.certain": ["Certain"],
    "advice.review": ["Review", "Reviewed"],
    "games.score": ["Score"],
    "circuits.circuit": ["Circuit"],
    "errors": ["AdvisorError", "ConfigError", "EncodingError", "InputError"],
    "games.connect4.exact": ["Exact"],
    "games.solving": ["Solved"],
    "games.connect4.plans.proof": ["PlanProof"],
    "games.connect4.victor.plan": ["Proof"],
    "library.analysing": ["analyse", "analysed", "lines_of"],
    "library.circuits": ["circuit_of", "compile"],
    "library.evaluating": ["Evaluator"],
    "library.firing": ["Fired", "Fires", "fires", "firing"],
    "library.loading": ["game_names", "load_game", "position"],
    "library.positions": ["Game", "Position"],
    "library.proving": ["Plan", "certain", "plan", "prepare", "prove", "solve", "told"],
    "library.posing": ["Posing"],
    "library.puzzles": ["Attempt", "Puzzle", "is_puzzle", "puzzle", "puzzles", "reply"],
    "library.replaying": ["Book", "Replayed", "replay"],
    "library.reviewing": ["logit_scale", "review"],
    "library.suggesting": [
        "choices",
        "explain",
        "explained",
        "headline",
        "proofs",
        "reason",
        "suggest",
    ],
    "library.weighing": ["Weights", "load_weights", "presets"],
    "limits": ["Stop"],
}
"""The module of each public name, as above for type checkers."""

_MODULES = {name: module for module, names in _WHERE.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # which takes as long as all the rest

        found: Any = version("asp-advisor")
    elif name in _MODULES:
        found = getattr(import_module(f"advisor.{_MODULES[name]}"), name)
    else:
        raise AttributeError(f"module 'advisor' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
