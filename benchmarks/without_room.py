"""The tests that pass where the room of a game is deleted.

    python benchmarks/without_room.py connect4 [--jobs 2]

The committed project is copied, and the room's modules and tests are deleted there. Of the other
tests some need the room, since they ask something about its game: they fail because one of its
modules is missing, and say so. What fails otherwise is told by name, and ends with exit code 1.
"""

import argparse
import collections
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]


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
        arguments = ["-n", given.jobs, f"--junitxml={report}", "-p", "no:cacheprovider"]
        arguments += ["--tb=long", "--continue-on-collection-errors"]
        subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=copy, check=False)
        cases = ElementTree.parse(report).iter("testcase")
    told: dict[str, list[str]] = collections.defaultdict(list)
    for case in cases:
        told[_outcome(case, given.room)].append(f"{case.get('classname')} {case.get('name')}")
    print(", ".join(f"{len(names)} {outcome}" for outcome, names in sorted(told.items())))
    for name in told["failed"]:
        print(name)
    return 1 if told["failed"] else 0


def _outcome(case: ElementTree.Element, room: str) -> str:
    """What became of a test."""
    bad = [part for part in case if part.tag in ("failure", "error")]
    if not bad:
        return "skipped" if case.find("skipped") is not None else "passed"
    said = "".join(case.itertext()) + "".join(part.get("message") or "" for part in bad)
    return "needed the room" if f"No module named 'advisor.games.{room}" in said else "failed"


if __name__ == "__main__":
    sys.exit(main())
