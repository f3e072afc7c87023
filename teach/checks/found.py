"""Lesson 9: your own knowledge beside knowledge that was found."""

import json
import random
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from checks.verdicts import BEGIN, Verdict, difference, explain_difference, nothing_yet
from course import ENCODINGS, ProgramError, answer_sets

RULES = ENCODINGS / "breakthrough" / "rules.lp"
FOUND = Path(__file__).resolve().parents[1] / "found"
"""The folder of the found knowledge: features.lp and weights.yaml."""

SIDE = 5
"""Side of the board."""

_SIZE = f"#const width = {SIDE}. [override] #const height = {SIDE}. [override]"
_GAMES = 20

Men = dict[tuple[int, int], str]
"""The owner of the man on each column and row."""


def _positions(count: int) -> Iterator[Men]:
    """Yield random placements of ten men."""
    lots = random.Random(9)
    board = [(x, y) for x in range(1, SIDE + 1) for y in range(1, SIDE + 1)]
    for _ in range(count):
        places = lots.sample(board, 10)
        yield {place: lots.choice(("white", "black")) for place in places}


def _check_features(program: str, wanted: Callable[[Men], set[str]], praise: str) -> Verdict:
    """Check that features are as wanted."""
    if nothing_yet(program):
        return BEGIN
    for men in _positions(20):
        facts = "".join(f"true(man({who},{x},{y}))." for (x, y), who in men.items())
        try:
            found = answer_sets(RULES, _SIZE, facts, program, show=["feature"])
        except ProgramError as error:
            return Verdict(False, str(error))
        sets = {answer.atoms for answer in found}, {frozenset(wanted(men))}
        if sets[0] != sets[1]:
            where = ", ".join(f"{who} on {x},{y}" for (x, y), who in sorted(men.items()))
            says = f"{difference(*sets)}; {where}"
            told = explain_difference(program, [RULES, _SIZE, facts], *sets)
            return Verdict(False, says, why=told)
    return Verdict(True, f"{praise} (20 positions compared)")


def near(program: str) -> Verdict:
    """9.1: men that are not far from their goal."""

    def expected_features(men: Men) -> set[str]:
        steps = {(p, x, y): SIDE - y if p == "white" else y - 1 for (x, y), p in men.items()}
        return {
            f"feature(near({n}),{p},({x},{y}))" for (p, x, y), n in steps.items() if 1 <= n <= 3
        }

    return _check_features(program, expected_features, "each man knows how far it has to go")


def backed(program: str) -> Verdict:
    """9.2: men with another man of their own behind them, which could recapture."""

    def expected_features(men: Men) -> set[str]:
        found = set()
        for (x, y), p in men.items():
            behind = y - 1 if p == "white" else y + 1
            if p in (men.get((x - 1, behind)), men.get((x + 1, behind))):
                found.add(f"feature(backed,{p},({x},{y}))")
        return found

    return _check_features(program, expected_features, "each man knows whether it is backed")


def rival(program: str, weights: str) -> Verdict:
    """9.3: knowledge that rivals what was found."""
    if nothing_yet(program):
        return BEGIN
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (RULES, *FOUND.iterdir()):
            (folder / file.name).write_text(file.read_text())
        (folder / "you.lp").write_text(program)
        indented = textwrap.indent(textwrap.dedent(weights).strip() or "{}", "  ")
        head = "encodings: {moves: [], features: [you.lp]}\nfeatures:\n"
        (folder / "you.yaml").write_text(f"{head}{indented}\n")
        command = [sys.executable, "-m", "advisor", "match", f"{folder}/you.yaml:depth=1"]
        command += ["default:depth=1", "--game", name, "--games", str(_GAMES), "--json"]
        done = subprocess.run(
            [*command, "--const", f"width={SIDE}", "--const", f"height={SIDE}"],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        told = done.stderr.strip().replace(f"{name}/", "").removeprefix("error: ")
        return Verdict(False, told)
    result = json.loads(done.stdout)
    points = result["wins"] + result["draws"] / 2
    says = f"{points:g} of {_GAMES} points against what was found"
    enough = points >= _GAMES / 4
    return Verdict(enough, says if enough else f"{says}; a quarter of them is asked for")
