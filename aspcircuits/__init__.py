"""Answer set programs without choices as circuits: thousands of answer sets at once.

>>> import aspcircuits
>>> near = "near(Y) :- here(X), edge(X, Y). edge(1, 2). edge(2, 3)."
>>> c = aspcircuits.compile(near, ["here(1..3)"], ["near/1"])
>>> c.outputs
(('near', 2), ('near', 3))
>>> c.evaluate([[True, False, False], [True, True, False]]).tolist()
[[True, False], [True, True]]

What `__all__` names is the public interface, and so is `compile`, which a star import leaves out
since it would hide Python's own. A name is looked up when it is first used, so that importing the
package loads neither clingo nor NumPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # "as" tells type checkers that a name is public
    from aspcircuits.circuit import Circuit as Circuit
    from aspcircuits.clingo_api import parse as parse
    from aspcircuits.clingo_api import render as render
    from aspcircuits.compiler import compile as compile
    from aspcircuits.counting import Counted as Counted
    from aspcircuits.errors import EncodingError as EncodingError
    from aspcircuits.errors import InputError as InputError
    from aspcircuits.errors import UserError as UserError
    from aspcircuits.explaining import why as why
    from aspcircuits.reasons import Why as Why
    from aspcircuits.stopping import Stop as Stop

_MODULES = {
    "Circuit": "circuit",
    "EncodingError": "errors",
    "Counted": "counting",
    "InputError": "errors",
    "Stop": "stopping",
    "UserError": "errors",
    "Why": "reasons",
    "compile": "compiler",
    "parse": "clingo_api",
    "render": "clingo_api",
    "why": "explaining",
}
"""The modules of the public names, in line with the imports above for type checkers."""

__all__ = sorted({*_MODULES} - {"compile"})


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'aspcircuits' has no attribute {name!r}")
    found = getattr(import_module(f"aspcircuits.{_MODULES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
