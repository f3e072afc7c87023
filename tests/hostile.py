"""Texts that are deep, long, huge, cut or in odd encodings, for every reader of the command line.

`python hostile.py READER` in an empty folder hands all texts to one reader, within bounds of memory
and processor time, and prints how each ended; last, the memory that it took.
"""

import atexit
import json
import re
import resource
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from command import advisor

TESTS = Path(__file__).parent
ADDRESSES = 4 << 30
"""Bytes of address space, which spare the machine. Threads of libraries reserve a lot of it, so the
memory that is really taken is measured."""
MEGABYTES = 500
"""Of memory that a process may take."""
SECONDS = 180
"""Of processor time for all texts of a reader, each of which takes a few tenths."""
LINES = 20
"""Of a text for a reader that converses: each line is a text of its own there."""


@dataclass(frozen=True)
class Reader:
    """A command that reads a text.

    Attributes:
        command: its words; a file is named as in `file`, and ``-`` is standard input.
        valid: a text that it takes, to be cut and to be encoded.
        others: files that it needs beside.
        converses: it answers each line by itself, and goes on.
    """

    command: str
    valid: str
    file: str = ""
    others: tuple[tuple[str, str], ...] = ()
    converses: bool = False


WEIGHTS = "encodings: {extra: {moves: [own.lp]}}\nextends: default\nmoves: {mine: 5}\n"
BOARD = "board: |\n  .......\n  .......\n  .......\n  .......\n  ...o...\n  ...x...\n"
PICTURE = ".......\n.......\n.......\n.......\n...o...\n...x...\n"
FACTS = "cell(1,1,4). % a disc\ncell(2,2,4).\n"
PGN = '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'
READERS = {
    "encoding": Reader(
        "suggest 44 --depth 0 --weights w.yaml",
        "fires(mine, move(R, C)) :- valid_move(R, C), C = 6. % a\n",
        "own.lp",
        (("w.yaml", WEIGHTS),),
    ),
    "rules": Reader(
        "game check drop", (TESTS / "data" / "drop" / "rules.lp").read_text(), "drop/rules.lp"
    ),
    "sheet": Reader(
        "game import x.kif -o made", (TESTS / "data/gdl/at_once.kif").read_text(), "x.kif"
    ),
    "PGN": Reader("draw x.pgn --game chess -o x.svg", PGN, "x.pgn"),
    "PGN on standard input": Reader("draw - --game chess -o x.svg", PGN),
    "moves of a game": Reader("draw - --game tictactoe -o x.svg", "mark(1,1) mark(2,2)\n"),
    "weights": Reader("suggest 44 --depth 0 --weights x.yaml", "extends: default\n", "x.yaml"),
    "YAML board": Reader("suggest x.yaml --depth 0", BOARD, "x.yaml"),
    "position of a game": Reader(
        "suggest x.yaml --depth 1", "game: tictactoe\nmoves: mark(1,1)\n", "x.yaml"
    ),
    "facts": Reader("suggest x.lp --depth 0", FACTS, "x.lp"),
    "board on standard input": Reader("suggest - --depth 0", PICTURE),
    "puzzle": Reader("puzzle x.yaml --depth 1", f"{BOARD}win_in: 2\n", "x.yaml"),
    "positions": Reader("analyse - --depth 0", "44\n4\n", converses=True),
    "labelled positions": Reader("bench label x.txt", "44 1\n", "x.txt"),
    "moves": Reader("play --level 1", "4\n4\nq\n", converses=True),
    "answers": Reader("quiz chapter3/7", "4\nq\n", converses=True),
}


def texts(valid: str) -> dict[str, bytes]:
    """The hostile texts by name, most of them just below a megabyte."""
    million = 900_000
    raw = valid.encode()
    return {
        "cut": raw[: len(raw) * 2 // 3],
        "cut in a character": raw + "é".encode()[:1],
        "utf-16": valid.encode("utf-16"),
        "latin-1": raw + "é".encode("latin-1"),
        "surrogate": raw + b"\xed\xa0\x80",
        "zero byte": raw + b"\0",
        "compressed": b"\x1f\x8b" + raw,
        "empty": b"",
        "huge": raw * (5_000_000 // len(raw)),
        "blank": b"\n" * million + b"x",
        "spaces": b" " * million + b"x",
        "carriage returns": b"\r" * million + b"x",
        "one line": b"1 " * (million // 2),
        "one word": b"a" * million,
        "one number": b"9" * million,
        "words": b"a " * (million // 2),
        "lines": b"a\n" * (million // 2),
        **{f"{sign * 3}...": (sign * (million // len(sign))).encode() for sign in SIGNS},
        "operators": b"p(X) :- X = 1" + b"+1" * (million // 2) + b".",
        "signs": b"p(X) :- X = " + b"-" * million + b"1.",
        "pools": b"p(" + b",".join([b"(1;2)"] * 40) + b").",
        "facts": b"p(1). " * (million // 6),
        "body": b"p :- " + b"a, " * (million // 3) + b"b.",
        "escaped": b'p("' + b'\\"' * (million // 2),
        "nested": b"f(" * (million // 2) + b")" * (million // 2),
    }


SIGNS = [
    "(",
    ")",
    "[",
    "{",
    "[{",
    "{a: ",
    "- ",
    "? ",
    "a: ",
    "%*",
    "%* *%",
    '"',
    "'",
    ";",
    "/",
    "$1 ",
    ". ",
]


@dataclass(frozen=True)
class Ending:
    """How a reader ended, and the processor time that it took."""

    text: str
    code: int
    told: str
    seconds: float


def given(reader: Reader) -> dict[str, bytes]:
    """The texts for a reader by name."""
    found = texts(reader.valid)
    if not reader.converses:
        return found
    return {name: b"".join(text.splitlines(True)[:LINES]) for name, text in found.items()}


def tell_memory() -> None:
    """Print the most megabytes that this process or one of its children, which have ended, took."""
    status = Path("/proc/self/status").read_text()
    own = int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0])  # ru_maxrss knows the parent's, too
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(max(own, children) >> 10)


def main(name: str) -> None:
    """Hand all texts to a reader, in this process; its children have bounds of their own."""
    atexit.register(tell_memory)  # called after what ends the children, which is registered later
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    reader = READERS[name]
    for file, text in reader.others:
        Path(file).write_text(text)
    for text, content in given(reader).items():
        if reader.file:
            Path(reader.file).parent.mkdir(exist_ok=True)
            Path(reader.file).write_bytes(content)
        before = time.process_time()
        done = advisor(*reader.command.split(), stdin=b"" if reader.file else content)
        seconds = time.process_time() - before
        ending = Ending(text, int(done.code or 0), done.err[-5000:], round(seconds, 2))
        print(json.dumps(asdict(ending)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
