"""The optional packages, by the extra of this project that brings them."""

import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

EXTRAS = {
    "fast": {"numba": "numba", "llvmlite": "llvmlite"},
    "exact": {"bitbully": "bitbully"},
    "tune": {"sklearn": "scikit-learn", "scipy": "scipy"},
    "cluster": {"distributed": "distributed"},
    "web": {"anyio": "anyio", "starlette": "starlette", "uvicorn": "uvicorn"},
    "png": {"cairosvg": "cairosvg"},
}
"""What is imported, and the package that it is in."""


def installed(extra: str) -> bool:
    """Whether the packages of an extra are there."""
    return all(map(is_installed, EXTRAS[extra]))


def is_installed(module: str) -> bool:
    """Whether a package can be imported and is one: nothing that lies in the current folder.

    To Python any folder is a package without code, and in a notebook or below ``python -c`` a
    file or folder of the current folder comes before all packages.
    """
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return False
    file = Path(spec.origin)
    place = file.parent.parent if file.stem == "__init__" else file.parent
    with suppress(OSError):  # where the current folder is gone nothing is imported from there
        return not os.path.samefile(place, os.curdir)
    return True


def install(extra: str) -> str:
    """The command that brings an extra, wherever the advisor itself was installed from.

    >>> install("tune")
    'pip install scikit-learn scipy'
    """
    brought = {"llvmlite", "anyio"}  # with numba and starlette
    return f"pip install {' '.join(p for p in EXTRAS[extra].values() if p not in brought)}"
