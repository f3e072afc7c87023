"""Where the encodings, the puzzle book and the presets are: in a wheel or in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def _data(name: str) -> Path:
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / name


ENCODINGS = _data("encodings")
PUZZLES = _data("puzzles")
PRESETS = _PACKAGE / "presets"
