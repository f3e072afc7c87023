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
    from advisor.advice.review import Review
    from advisor.circuits.circuit import Circuit
    from advisor.errors import AdvisorError, ConfigError, EncodingError, InputError
    from advisor.games.connect4.exact import Exact
    from advisor.games.connect4.plans.proof import PlanProof
    from advisor.games.connect4.victor.plan import Proof
    from advisor.games.score import Score
    from advisor.games.solving import Solved
    from advisor.library.circuits import compile
    from advisor.library.evaluating import Evaluator
    from advisor.library.firing import Fires, fires
    from advisor.library.positions import Game, Position, load_game, position
    from advisor.library.proving import prove, solve
    from advisor.library.reviewing import review
    from advisor.library.suggesting import explain, suggest
    from advisor.limits import Stop

    __version__: str

__all__ = [
    "Advice",
    "AdvisorError",
    "Circuit",
    "ConfigError",
    "EncodingError",
    "Evaluator",
    "Exact",
    "Fires",
    "Game",
    "InputError",
    "PlanProof",
    "Position",
    "Proof",
    "Review",
    "Score",
    "Solved",
    "Stop",
    "__version__",
    "compile",
    "explain",
    "fires",
    "load_game",
    "position",
    "prove",
    "review",
    "solve",
    "suggest",
]

_WHERE = {
    "advice.advice": ["Advice"],
    "advice.review": ["Review"],
    "games.score": ["Score"],
    "circuits.circuit": ["Circuit"],
    "errors": ["AdvisorError", "ConfigError", "EncodingError", "InputError"],
    "games.connect4.exact": ["Exact"],
    "games.solving": ["Solved"],
    "games.connect4.plans.proof": ["PlanProof"],
    "games.connect4.victor.plan": ["Proof"],
    "library.circuits": ["compile"],
    "library.evaluating": ["Evaluator"],
    "library.firing": ["Fires", "fires"],
    "library.positions": ["Game", "Position", "load_game", "position"],
    "library.proving": ["prove", "solve"],
    "library.reviewing": ["review"],
    "library.suggesting": ["explain", "suggest"],
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
