"""Check that machine code is used in the end, with any cache and after any process is killed.

    python benchmarks/measure/arrives.py [connect4] [hex] [chess] [analyse] [short] [killed]

`connect4`, `hex`, `chess`: a command twice in a row, from an empty cache and from each part of a
full cache, then once from the full cache: the rate of each run, and whether machine code did the
work in the end. `analyse`: 60 positions at 0.2 s each. `short`: ten processes of half a second,
then the eleventh. `killed`: the run, the process that compiles its code, or both are killed amid
the work, three times each, before two whole runs. The default is all of them. It takes some
minutes; the caches are temporary.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from random import Random
from shutil import copy

from advisor.games.connect4.board import geometry
from advisor.games.connect4.sampling import random_moves
from advisor.lab import doctor

ADVISOR = [sys.executable, "-m", "advisor"]

CONNECT4 = [*ADVISOR, "suggest", "", "--depth", "12", "--no-book", "--json"]
SHORT = [*ADVISOR, "suggest", "", "--time", "0.5", "--no-book", "--json"]
HEX = [*ADVISOR, "suggest", "", "--game", "hex", "--time", "4", "--json"]
CHESS = [
    sys.executable,
    "-c",
    """
import json
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.search import search
from advisor.games import knowledge
from aspcircuits.stopping import Stop
game = knowledge.load("chess")[0]
evaluator = RowEvaluator(game)
found = search(RowPosition(game, game.start, 0), evaluator, stop=Stop(6), every_move=True)
told = {"leaves": found.leaves, "seconds": found.seconds, "machine_code": found.machine_code}
print(json.dumps(told))
""",
]

POSITIONS = 60


def told(command: list[str], cache: Path, text: str = "") -> list[dict[str, object]]:
    """Run a command; return the lines that it prints, each an object."""
    done = subprocess.run(
        command,
        input=text,
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        text=True,
        capture_output=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def rate(found: Iterable[dict[str, object]]) -> str:
    """Return leaves or random games a second, and whether machine code did the last of them."""
    done, seconds, by = 0, 0.0, False
    for each in found:
        moves = each.get("moves", ())
        played = sum(move["score"].get("playouts", 0) for move in moves)  # type: ignore[attr-defined]
        done += played or int(each.get("leaves", 0))  # type: ignore[call-overload]
        seconds += float(each["seconds"])  # type: ignore[arg-type]
        by = bool(each["machine_code"])
    return f"{done / seconds:12,.0f} {'machine code' if by else 'NumPy':12}"


def cache_of(full: Path, files: Iterable[str]) -> Path:
    """Make a new cache with only these files of another one."""
    made = Path(tempfile.mkdtemp(prefix="advisor-arrives-"))
    (made / "asp-advisor").mkdir(mode=0o700)
    for file in files:
        copy(full / "asp-advisor" / file, made / "asp-advisor" / file)
    return made


def twice(name: str, command: list[str], full: Path, kinds: dict[str, str]) -> None:
    """Run a command twice in a row, from each part of a full cache."""
    for size in range(len(kinds) + 1):
        for some in combinations(kinds, size):
            cache = cache_of(full, (kinds[what] for what in some))
            rates = [rate(told(command, where)) for where in (cache, cache, full)]
            print(f"{name:10} {' '.join(rates)} {', '.join(some) or 'nothing'}", flush=True)


def keys(*wanted: str) -> dict[str, str]:
    """Return the names of cached files, by the code that they contain."""
    found = {}
    for what, find in doctor.codes(["hex", "chess"]):
        if what in wanted:
            tiers = find()
            assert tiers is not None
            found[what] = tiers.recipe.key()
    return found


def connect4(full: Path) -> None:
    kinds = keys("the look-ahead", "the rules of Connect Four", "values on 7x6")
    twice("connect4", CONNECT4, full, kinds)


def hexes(full: Path) -> None:
    twice("hex", HEX, full, keys("trees of random games", "the game hex"))


def chess(full: Path) -> None:
    twice("chess", CHESS, full, keys("the look-ahead", "the game chess"))


def analyse(full: Path) -> None:
    """Analyse many positions, a fifth of a second each, in one process."""
    random = Random(1)
    games = [random_moves(random, random.randrange(4, 13), geometry()) for _ in range(POSITIONS)]
    lines = "".join("".join(map(str, game)) + "\n" for game in games)
    command = [*ADVISOR, "analyse", "-", "--time", "0.2"]
    kinds = keys("the look-ahead", "the rules of Connect Four", "values on 7x6")
    for some in ((), *([what] for what in kinds), (*kinds,)):
        cache = cache_of(full, (kinds[what] for what in some))
        for _ in range(2):
            found = [each for each in told(command, cache, lines) if each["best"]]
            depth = sum(int(each["depth"]) for each in found) / len(found)  # type: ignore[call-overload]
            by = sum(bool(each["machine_code"]) for each in found)
            print(
                f"analyse    depth {depth:.1f}, {by} of {len(found)} by machine code; "
                f"{', '.join(some) or 'nothing'}",
                flush=True,
            )


def short(full: Path) -> None:
    """Run processes of half a second each."""
    cache = cache_of(full, ())
    for number in range(1, 12):
        print(f"short {number:4} {rate(told(SHORT, cache))}", flush=True)


def killed(full: Path) -> None:
    """Kill runs while their code is compiled, then do two whole runs."""
    whom: dict[str, Callable[[int], list[int]]] = {
        "the run": lambda run: [run],
        "the maker": _children,
        "both": lambda run: [*_children(run), run],
    }
    for name, chosen in whom.items():
        cache = cache_of(full, ())
        for _ in range(3):
            environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
            run = subprocess.Popen(
                CONNECT4, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            while not _children(run.pid) and run.poll() is None:
                time.sleep(0.05)
            time.sleep(1.0)
            for process in chosen(run.pid):
                os.kill(process, signal.SIGKILL)
            run.wait()
        rates = [rate(told(CONNECT4, cache)) for _ in range(2)]
        print(f"killed     {' '.join(rates)} {name}, three times", flush=True)


def _children(process: int) -> list[int]:
    """List the child processes of a process, from any of its threads."""
    files = Path(f"/proc/{process}/task").glob("*/children")
    return [int(number) for file in files for number in file.read_text().split()]


ALL = {
    "connect4": connect4,
    "hex": hexes,
    "chess": chess,
    "analyse": analyse,
    "short": short,
    "killed": killed,
}


def main() -> None:
    full = Path(tempfile.mkdtemp(prefix="advisor-arrives-"))
    command = [*ADVISOR, "doctor", "--compile", "--game", "hex", "--game", "chess", "--json"]
    told(command, full)
    for name in sys.argv[1:] or ALL:
        ALL[name](full)


if __name__ == "__main__":
    main()
