"""Run the tests without the room of a game, and list tests that fail without needing it.

    python benchmarks/measure/without_room.py connect4 [--jobs 2]

It copies the committed project and deletes the room's modules and tests in the copy; a stub in
their place records imports of the room. Some of the other tests need the room, because they ask
about its game, or because a server that their file starts does: it begins with the default game.
These may fail. All other failures are listed by name, with exit code 1.
"""

import argparse
import collections
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
NOTES, NEEDED = "WITHOUT_ROOM_NOTES", "needed the room"
FILES = set[Path]()
"""Test files of which one test has imported the room."""

GONE = f'''"""Nothing."""

import os

# Processes that a test has started inherit the name of its worker.
with open(os.environ["{NOTES}"] + os.environ.get("PYTEST_XDIST_WORKER", ""), "a") as notes:
    notes.write(".")
raise ModuleNotFoundError(f"No module named '{{__name__}}'", name=__name__)
'''


# As a plugin of pytest


def _asked() -> int:
    """Return how often this worker has imported the room."""
    notes = Path(os.environ[NOTES] + os.environ.get("PYTEST_XDIST_WORKER", ""))
    return notes.stat().st_size if notes.exists() else 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: Any) -> Generator[None, object, object]:
    item.asked = _asked()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any) -> Generator[None, object, object]:
    if _asked() > item.asked:
        FILES.add(item.path)
    if item.path in FILES:
        item.user_properties.append((NEEDED, ""))
    return (yield)


# As a program


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room", choices=("chess", "connect4"))
    parser.add_argument("--jobs", default="2")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy, report = Path(folder) / "project", Path(folder) / "report.xml"
        subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
        for place in ("advisor/games", "tests/games"):
            shutil.rmtree(copy / place / given.room)
        room = copy / "advisor" / "games" / given.room
        room.mkdir()
        (room / "__init__.py").write_text(GONE)
        arguments = ["-n", given.jobs, "-p", "without_room", f"--junitxml={report}"]
        arguments += ["-p", "no:cacheprovider", "--continue-on-collection-errors"]
        path = f"{copy}{os.pathsep}{copy / 'benchmarks'}"  # also for the processes of tests
        subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            cwd=copy,
            env={**os.environ, NOTES: f"{folder}/notes", "PYTHONPATH": path},
            check=False,
        )
        cases = ElementTree.parse(report).iter("testcase")
    told: dict[str, list[str]] = collections.defaultdict(list)
    for case in cases:
        told[_outcome(case, given.room)].append(f"{case.get('classname')} {case.get('name')}")
    print(", ".join(f"{len(names)} {outcome}" for outcome, names in sorted(told.items())))
    for name in told["failed"]:
        print(name)
    return 1 if told["failed"] else 0


def _outcome(case: ElementTree.Element, room: str) -> str:
    """Return the outcome of a test, or of a file that could not be imported."""
    if not any(part.tag in ("failure", "error") for part in case):
        return "passed" if case.find("skipped") is None else "skipped"
    needed = any(told.get("name") == NEEDED for told in case.iter("property"))
    missing = f"No module named 'advisor.games.{room}" in "".join(case.itertext())
    return NEEDED if needed or missing else "failed"


if __name__ == "__main__":
    sys.exit(main())
