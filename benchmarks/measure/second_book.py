"""Make the second book again, `puzzles/second`: 12 problems a board, the shorter wins first.

    python benchmarks/measure/second_book.py FOLDER

Each file names the command that found it; this program runs the command for each board and length.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

BOARDS = {
    "5x4-connect-3": ("5x4", 3, (2, 3, 4, 5)),
    "6x5": ("6x5", 4, (3, 4, 5)),
    "7x6": ("7x6", 4, (6, 7)),
    "8x7": ("8x7", 4, (3, 4, 5)),
    "9x7-connect-5": ("9x7", 5, (2, 3, 4)),
}
"""The size of each board, and the lengths of its wins."""

_EACH = 12
_SEED = 1


def make(folder: Path) -> None:
    """Write all 60 files."""
    for board, (size, connect, lengths) in BOARDS.items():
        number = 0
        for win_in in lengths:
            found = folder / "made" / board / str(win_in)
            count = _EACH // len(lengths)
            command = ["puzzles", "make", "--win-in", win_in, "--count", count, "-o", found]
            command += ["--size", size, "--connect", connect, "--seed", _SEED]
            subprocess.run([sys.executable, "-c", _ENTRY, *map(str, command)], check=True)
            (folder / board).mkdir(exist_ok=True)
            for made in range(1, count + 1):
                number += 1
                shutil.copy(found / f"{made}.yaml", folder / board / f"{number}.yaml")


_ENTRY = "from advisor.cli import main; main()"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    make(parser.parse_args().folder)
