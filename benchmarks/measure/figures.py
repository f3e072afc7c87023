"""Measure the figures of docs/figures.md again: `make bench`.

    python benchmarks/measure/figures.py [--slow] [WORDS ...]

It prints each row with the page's value, then with the present value in the same words. A row is
marked if a number is off by more than a factor of two; then the exit code is 1. Rows that take
longer than a minute are left out unless `--slow` asks for all, or WORDS, a part of their names, for
some. Times are processor time where possible, so that other load hardly matters; a time limit such
as 0.2 s a move is worth less on a busy machine.

docs/figures.md is the only place with all figures (the README repeats three of them): a row here
is found by the beginning of its name there, and a test compares the two lists of rows.
"""

import argparse
import json
import re
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import advisor
import exact
import look_ahead
import suggest
from advisor.games.connect4.sampling import random_positions
from advisor.settings import reading
from evaluate import bench_evaluate
from game_speed import bench_game

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "figures.md"
DATA = ROOT / "benchmarks" / "data"
NUMBER = re.compile(r"(\d+(?:,\d{3})*(?:\.\d+)?)( million)?|\bnone\b")

Numbers = list[float]


def page_rows(text: str) -> dict[str, str]:
    """Return the figures of the table, by the names of their rows."""
    cells = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return {name.strip(): figure.strip() for name, figure in cells[2:]}


def numbers(figure: str) -> Numbers:
    """Return the numbers in a figure; `none` is 0."""
    return [
        float(digits.replace(",", "")) * (1e6 if million else 1) if digits else 0
        for digits, million in NUMBER.findall(figure)
    ]


def in_words_of(figure: str, measured: Numbers) -> str:
    """Write a figure with other numbers, each in the format of the one that it replaces."""
    found = iter(measured)

    def write(old: re.Match[str]) -> str:
        digits, million = old.groups()
        new = next(found) / (1e6 if million else 1)
        if digits is None:
            return f"{new:,.0f}" if new else "none"
        decimals = len(digits.partition(".")[2])
        # A number that would be rounded to zero gets one digit.
        comma = "" if re.match(r"\d{4}", digits) else ","
        text = f"{new:{comma}.{decimals}f}" if round(new, decimals) or not new else f"{new:.1g}"
        return text + (million or "")

    return NUMBER.sub(write, figure)


def off(expected: Numbers, measured: Numbers) -> bool:
    """Whether any number is off by more than a factor of two."""
    pairs = list(zip(expected, measured, strict=True))
    return any(min(pair) <= 0 < max(pair) or max(pair) > 2 * min(pair) for pair in pairs)


def command(*arguments: str) -> tuple[dict[str, Any], float]:
    """Return the output of `advisor` with ``--json``, and its processor time."""
    script = "from advisor.cli import main; main()"
    before = _children_seconds()
    printed = subprocess.run(
        [sys.executable, "-c", script, *arguments, "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    answer: dict[str, Any] = json.loads(printed.stdout)
    return answer, _children_seconds() - before


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def rates() -> Numbers:
    found = bench_evaluate(reading.load(), 1000, seed=1)
    return [found.fresh, found.assumptions, found.circuit[1024]]


def arrays() -> Numbers:
    """Measure bitboards and squares, without machine code and with it."""
    chosen = [*random_positions(Random(1), 2000)] * 10
    discs = np.array([[p.discs_of(1), p.discs_of(2)] for p in chosen], np.uint64)
    g = chosen[0].geometry
    squares = [
        [[p.at(row + 1, column + 1) for column in range(g.width)] for row in range(g.height)]
        for p in chosen
    ]
    found = []
    for machine_code in (False, True):
        evaluator = advisor.Evaluator(machine_code=machine_code)
        for positions in (discs, np.array(squares, np.int8)):
            best = 0.0
            for _ in range(10):
                started = time.process_time()
                evaluator.values(positions)
                best = max(best, len(positions) / (time.process_time() - started))
            found.append(best)
    return found


def depth_8() -> Numbers:
    seconds, leaves = look_ahead.measure(8)
    return [seconds, leaves / seconds]


def start_up() -> Numbers:
    return [max(suggest.advisor("suggest", moves)[1] for moves in suggest.middle_games())]


def puzzles() -> Numbers:
    found, seconds = command("puzzles", "--all-defences")
    return [found["solved"], found["total"], seconds]


def quality(file: str, *limit: str) -> Numbers:
    found, _ = command("bench", "quality", str(DATA / file), *limit)
    row = found["rows"][-1]
    return [row["good"], row["perfect"]]


def depth_0() -> Numbers:
    return quality("quality_pons.txt", "--depth", "0")


def pons() -> Numbers:
    return quality("quality_pons.txt", "--time", "0.2")


def uci() -> Numbers:
    return quality("quality_uci.txt", "--time", "0.2")


def openings() -> Numbers:
    book = ROOT / "encodings" / "connect4" / "openings.txt"
    known, seen = (quality(str(book), "--time", "0.2", way) for way in ("--book", "--no-book"))
    return [*known, *seen]


ENOUGH = ("--games", "200", "--seed", "5")


def points(a: str, b: str, *options: str) -> float:
    """Return the points of a match, in percent."""
    found, _ = command("match", a, b, *options)
    return 100 * (found["wins"] + found["draws"] / 2) / found["games"]


def pomakis() -> Numbers:
    return [points("default:time=0.2", "pomakis:time=0.2", *ENOUGH)]


def alex() -> Numbers:
    return [points(player, "alex:depth=4", *ENOUGH) for player in ("default:time=0.2", "perfect")]


def by_rules() -> Numbers:
    benchmarks, found = ROOT / "benchmarks", []
    for name, game in (
        ("breakthrough", "breakthrough"),
        ("clobber", str(benchmarks / "games" / "clobber")),
    ):
        theirs = shlex.join([sys.executable, str(benchmarks / "openspiel.py"), name])
        command("suggest", "", "--game", game, "--time", "8")  # compiles the code
        options = ("--game", game, "--games", "100", "--plies", "2", "--seed", "7")
        found.append(points("default:time=0.3", f"program:{theirs} :time=0.3", *options))
    return found


def learned() -> Numbers:
    found = []
    for game in ("reversi", "morris", "gomoku"):
        weights = str(ROOT / "examples" / "found" / f"{game}.yaml")
        for player in (weights, "rules"):  # compiles the code
            command("suggest", "", "--game", game, "--weights", player, "--time", "8")
        options = ("--game", game, "--games", "100", "--plies", "4", "--seed", "11")
        found.append(points(f"{weights}:time=0.3", "rules:time=0.3", *options))
    return found


def chess_engines() -> Numbers:
    """Play against Stockfish, which must be installed where Debian puts it."""
    found = []
    for elo, games in (("1500", "12"), ("1800", "20")):
        program = ROOT / "benchmarks" / "uci_match.py", "/usr/games/stockfish"
        told = subprocess.run(
            [sys.executable, *program, "--elo", elo, "--games", games, "--time", "0.3"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        found.append(float(re.findall(r"([\d.]+) % \|", told)[-1]))
    return found


def end_easy() -> Numbers:
    found = exact.solved("End-Easy", code=False)
    count = len(found.times)
    return [1000 * found.mean, found.nodes / count, found.wrong, count]


def as_code() -> Numbers:
    sets = [exact.solved(name, code=True) for name in ("Middle-Easy", "Begin-Easy", "Begin-Medium")]
    middle, begin, medium = (found.mean for found in sets)
    return [1000 * middle, 1000 * begin, medium, sum(found.wrong for found in sets)]


def proofs() -> Numbers:
    script = ROOT / "benchmarks" / "prove_soundness.py"
    report = subprocess.run(
        [sys.executable, script, "20000", "12"], stdout=subprocess.PIPE, text=True, check=False
    ).stdout
    found, wrong = (
        sum(map(int, re.findall(rf"(\d+) {kind}\b", report))) for kind in ("proofs", "wrong")
    )
    return [found, wrong]


def from_rules() -> Numbers:
    found = bench_game("connect4", {})
    assert found.native is not None
    return [found.perft, found.playouts, found.native[0]]


@dataclass(frozen=True)
class Row:
    """A row of the table: the beginning of its name, and a function for its numbers in order."""

    name: str
    measure: Callable[[], Numbers]
    slow: bool = False


def solution() -> Numbers:
    """Return the figures that `solutions/check.py` prints for the solution of 7x6."""
    checker, file = ROOT / "solutions" / "check.py", ROOT / "solutions" / "7x6.txt"
    asked = [sys.executable, str(checker), str(file)]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    moves, leaves, plans, tried, bad, missing = map(int, re.findall(r"\d+", said))
    return [moves, leaves, plans, tried, bad + missing]


ROWS = [
    Row("positions scored a second", rates),
    Row("positions given as arrays", arrays),
    Row("depth 8 from the empty board", depth_8),
    Row("`advisor suggest` as a process", start_up),
    Row("the 120 puzzles against every defence", puzzles),
    Row("moves that keep the result", pons, slow=True),
    Row("the same, 400 positions", uci, slow=True),
    Row("all 719 positions with at most four discs", openings, slow=True),
    Row("one answer set without look-ahead", depth_0),
    Row("points of 200 games at 0.2 s a move", pomakis, slow=True),
    Row("points of 200 games against `alex`", alex, slow=True),
    Row("points of 100 games by the rules alone", by_rules, slow=True),
    Row("points of 100 games at 0.3 s a move", learned, slow=True),
    Row("points in chess", chess_engines, slow=True),
    Row("Pons' End-Easy set", end_easy),
    Row("Middle-Easy, Begin-Easy", as_code),
    Row("the solution of 7x6", solution, slow=True),
    Row("proofs by Allis' rules", proofs, slow=True),
    Row("Connect Four from its rules alone", from_rules),
]


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures the figures of docs/figures.md again.")
    parser.add_argument("words", nargs="*", help="only rows whose names contain one of these")
    parser.add_argument("--slow", action="store_true", help="also those that take hours in all")
    chosen = parser.parse_args()
    figures = page_rows(PAGE.read_text())
    wrong = 0
    for row in ROWS:
        name, figure = next((n, f) for n, f in figures.items() if n.startswith(row.name))
        wanted = any(word in name for word in chosen.words)
        if not wanted and (chosen.words or (row.slow and not chosen.slow)):
            continue
        print(f"{name}\n  page    {figure}", flush=True)
        measured = row.measure()
        far = off(numbers(figure), measured)
        wrong += far
        mark = "   <- off by more than a factor of two" if far else ""
        print(f"  now     {in_words_of(figure, measured)}{mark}", flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
