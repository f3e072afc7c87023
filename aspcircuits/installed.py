"""Which optional packages are there."""

import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path


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
