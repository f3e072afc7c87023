"""Change a solution at random; the checker must find the change, unless it is still a solution.

    python benchmarks/measure/solution_changes.py [FILE] [--changes 100] [--seed 1]

A change replaces a word or deletes a line, anywhere below the head. The check covers all that the
change may affect: all positions with the plan, or all positions after a move. If the checker still
accepts the solution, the project's own code decides.
"""

import argparse
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType

from advisor.errors import InputError
from advisor.files.resources import SOLUTIONS
from advisor.plugins.proofs.building.decisions import open_replies
from advisor.plugins.proofs.building.solution import Leaf, parse
from advisor.plugins.proofs.plans.compiled_trial import trial


def checker() -> ModuleType:
    """Load ``solutions/check.py``."""
    spec = importlib.util.spec_from_file_location("check", SOLUTIONS / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def changed(lines: list[str], random: Random) -> tuple[list[str], list[str]]:
    """Return the lines with a random change, and the positions that it may affect."""
    body = next(i for i, line in enumerate(lines) if line.startswith("threats ")) + 2
    while True:
        number = random.randrange(body, len(lines))
        words = lines[number].split()
        if words:
            break
    starts = list(touched(lines, number))
    if random.random() < 0.2:
        return lines[:number] + lines[number + 1 :], starts
    words[random.randrange(len(words))] = str(random.randrange(1, 15))
    return [*lines[:number], " ".join(words), *lines[number + 1 :]], starts


def touched(lines: list[str], number: int) -> Iterator[str]:
    """Yield the position of a line, or the positions of the plan whose picture has the line."""
    if lines[number].split()[1] in ("play", "plan"):
        yield lines[number].split()[0]
        return
    while not lines[number].startswith("plan "):
        number -= 1
    for line in lines:
        words = line.split()
        if words[1:3] == lines[number].split():
            yield words[0]


def wins(text: str, start: str) -> bool:
    """Whether x wins from a position by the project's own code."""
    try:
        solution = parse(text, "text")
    except InputError:
        return False
    todo, seen = [start.replace("-", "")], set()
    while todo:
        moves = todo.pop()
        key = solution.key(solution.state(moves))
        said = solution.said.get(key)
        if said is None:
            return False
        if key in seen:
            continue
        seen.add(key)
        if isinstance(said, Leaf):
            tried = trial(replace(solution.goal, threats=said.threats))
            if not tried.try_plan(solution.state(said.moves), solution.plans[said.plan - 1]).right:
                return False
        else:
            played = solution.position(said.moves + str(said.column))
            if solution.given_away(played):
                return False
            todo += open_replies(solution.goal, said.moves + str(said.column))
    return True


def main() -> None:
    """Make the changes and count the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?", default=SOLUTIONS / "7x6.txt")
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    random, check = Random(asked.seed), checker().check
    lines = asked.file.read_text(encoding="utf-8").splitlines()
    found = right = 0
    for _ in range(asked.changes):
        new, starts = changed(lines, random)
        if all(said_right(check, new, start) for start in starts):
            right += 1
            if not all(wins("\n".join(new), start) for start in starts):
                sys.exit(f"wrong, and not found: {set(new) ^ set(lines)}")
        else:
            found += 1
    print(f"{found} changes found wrong, {right} are right as well")


def said_right(check, lines: list[str], start: str) -> bool:
    """Whether the checker finds nothing bad and nothing missing."""
    try:
        _, bad, missing = check(filter(None, map(str.split, map(bare, lines))), start)
    except (KeyError, IndexError, TypeError, ValueError, StopIteration):
        return False
    return not bad and not missing


def bare(line: str) -> str:
    """Return a line without its comment."""
    return line.partition("#")[0]


if __name__ == "__main__":
    main()
