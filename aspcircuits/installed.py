"""Tests for optional packages."""

import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path


def is_installed(module: str) -> bool:
    """Return whether a package can be imported, from outside the current folder.

    For Python any folder is a package without code; and in a notebook, or with ``python -c``, a
    file or folder of the current folder takes precedence over all packages.
    """
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return False
    file = Path(spec.origin)
    place = file.parent.parent if file.stem == "__init__" else file.parent
    with suppress(OSError):  # if the current folder is gone, nothing is imported from there
        return not os.path.samefile(place, os.curdir)
    return True
