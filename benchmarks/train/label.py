"""Score every column of many positions exactly.

    python benchmarks/train/label.py positions.txt -o labelled.txt [--jobs 2] [--resume journal]

`advisor bench quality` and `advisor tune` read its output. Each line is written as soon as it is
ready. Each line of the input begins with a position; the rest of a line is ignored. Finished games
are left out, with a note. Workers of a cluster (`--dask ADDRESS`) need this
folder on Python's path.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from advisor.cli import screen
from advisor.errors import AdvisorError, InputError
from advisor.files import linefile, outfile
from advisor.games.connect4 import exact
from advisor.games.connect4.examples import open_position, position_of
from advisor.lab.batch import Sharing, run
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name

HEADER = """\
# Exact score of a disc in each column, for the player to move, after Pascal Pons;
# - where the column is full. Positions: {name}
"""


def label(line: str, stop: Stop) -> str:
    """Return a line's position, and its columns' scores by the exact engine."""
    position = open_position(line)
    moves = exact.solve(position, columns=True, stop=stop).moves or {}
    stop.check()
    columns = range(1, position.geometry.width + 1)
    scores = (str(moves[column].score) if column in moves else "-" for column in columns)
    return " ".join([line.split()[0], *scores])


def write(file: Path, output: Path, sharing: Sharing) -> None:
    """Label the positions of a file."""
    outfile.check_distinct(input=file, output=output, resume=sharing.resume)
    outfile.check_writable(output)
    positions = []
    for number, (text, over) in linefile.entries(
        file, lambda line: (line.split()[0], position_of(line).over)
    ):
        if over:
            print(f"note: {file}: line {number}: the game is over", file=sys.stderr)
        else:
            positions.append(text)
    if not positions:
        raise InputError(f"{file}: every game is over, so there is nothing to score")
    head = HEADER.format(name=file_name(file.name))
    found = run(label, positions, *sharing.ready("label", {}))
    with screen.progress() as bar, outfile.lines(output) as put:
        for line in bar.track(found, total=len(positions), description="positions"):
            put(f"{head}{line}\n")
            head = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; an error is one line."""
    parser = argparse.ArgumentParser(description="Scores every column of many positions exactly.")
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--dask")
    parser.add_argument("--resume", type=Path)
    asked = parser.parse_args(arguments)
    try:
        write(asked.file, asked.output, Sharing(asked.jobs, asked.dask, asked.resume))
    except AdvisorError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    import label as program  # the name by which other processes find its function

    sys.exit(program.main())
