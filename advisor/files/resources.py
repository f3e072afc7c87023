"""Where the encodings, the presets and the puzzle book are: in a wheel or in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent


def _data(name: str) -> Path:
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / name


ENCODINGS = _data("encodings")
PUZZLES = _data("puzzles")
PRESETS = ENCODINGS / "connect4" / "presets"
OPENINGS = ENCODINGS / "connect4" / "openings.txt"
