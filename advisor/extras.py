"""The optional packages, by the extra of this project that brings them."""

from aspcircuits.installed import is_installed

EXTRAS = {
    "fast": {"numba": "numba", "llvmlite": "llvmlite"},
    "exact": {"bitbully": "bitbully"},
    "tune": {"sklearn": "scikit-learn", "scipy": "scipy"},
    "cluster": {"distributed": "distributed"},
    "web": {"anyio": "anyio", "starlette": "starlette", "uvicorn": "uvicorn"},
    "parquet": {"pyarrow": "pyarrow"},
    "png": {"cairosvg": "cairosvg"},
}
"""What is imported, and the package that it is in."""


def has_extra(extra: str) -> bool:
    """Whether the packages of an extra are there."""
    return all(map(is_installed, EXTRAS[extra]))


def install(extra: str) -> str:
    """The command that brings an extra, wherever the advisor itself was installed from.

    >>> install("tune")
    'pip install scikit-learn scipy'
    """
    brought = {"llvmlite", "anyio"}  # with numba and starlette
    return f"pip install {' '.join(p for p in EXTRAS[extra].values() if p not in brought)}"
