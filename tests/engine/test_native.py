"""Machine code: the values of NumPy, whatever becomes of the cache; without it, NumPy."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings import reading
from aspcircuits import code_cache, llvm, luts, native, tiers, vector_code
from aspcircuits.gates import TRUE
from commands import ROOT, environment, without_measures

needs_llvm = pytest.mark.skipif(
    find_spec("llvmlite") is None, reason="machine code needs the extra fast"
)

KEY = "0" * 64


def positions(g: Geometry, count: int, seed: int) -> list[Board]:
    """From random games of any length that are still going on."""
    random, found = Random(seed), []
    while len(found) < count:
        position = Board(g)
        for _ in range(random.randint(0, g.squares - 1)):
            after = position.after(random.choice(position.moves()))
            if after.result is not None:
                break
            position = after
        found.append(position)
    return found


@pytest.mark.slow
@needs_llvm
@pytest.mark.parametrize(
    ("board", "preset"),
    [((7, 6, 4), "default"), ((9, 7, 5), "default"), ((5, 4, 3), "alex"), ((7, 6, 4), "pomakis")],
)
def test_machine_code_gives_the_values_of_numpy(board: tuple[int, int, int], preset: str) -> None:
    g, settings = geometry(*board), reading.load(preset)
    by_numpy = CircuitEvaluator(settings, g, machine_code=False)
    by_code = CircuitEvaluator(settings, g, machine_code=True)
    assert by_code.is_machine_code
    assert not by_numpy.is_machine_code
    many = positions(g, 6000, seed=3)
    for size in (1, 511, 512, 513, 6000):
        assert np.array_equal(by_code.values(many[:size], 0), by_numpy.values(many[:size], 0))
    assert np.array_equal(by_code.values(many[:50], 2), by_numpy.values(many[:50], 2))
    assert (by_code.leaves, by_code.guesses) == (by_numpy.leaves, by_numpy.guesses)


@pytest.mark.slow
@needs_llvm
@pytest.mark.parametrize("optimisation", [0, 1])
@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_every_width_of_vector(
    lanes: int, optimisation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # LLVM makes do with the vectors there are; so the code for other processors can be run.
    host = llvm.host()
    monkeypatch.setattr(llvm, "host", lambda: replace(host, lanes=lanes, ternary=False))
    random, inputs = Random(lanes), range(TRUE + 1, TRUE + 71)
    mapper = luts.Mapper(inputs, [])
    literals = [*inputs]
    for _ in range(4000):  # functions in several modules, with planes spilled between them
        literals.append(mapper.lut(random.randrange(256), *random.choices(literals, k=3)))
    tables = mapper.tables(random.choices([o for o in literals if abs(o) != TRUE], k=128))
    bits = random.sample(range(192), len(inputs))
    made = native.compile_tables(tables, bits, 2, optimisation)
    native.check(native.Function(made), tables, bits)


@needs_llvm
def test_long_work_goes_over_to_machine_code() -> None:
    g = geometry(6, 4, 3)
    evaluator = CircuitEvaluator(reading.load("alex"), g)
    many = positions(g, 100, seed=5)
    before = evaluator.values(many, 0)
    assert not evaluator.is_machine_code, "a hundred positions are done sooner without"
    evaluator.tiers.count_seconds(3600)
    for thread in tiers._threads:
        thread.join()
    assert evaluator.is_machine_code
    assert np.array_equal(evaluator.values(many, 0), before)


def test_every_table_has_its_expression() -> None:
    operands = {"a": luts.A, "b": luts.B, "c": luts.C, "0": 0}

    def value(expression: vector_code.LutExpression) -> int:
        if isinstance(expression, str):
            return operands[expression]
        name, left, right = expression
        a, b = value(left), value(right)
        return {"and": a & b, "or": a | b, "xor": a ^ b, "andn": a & ~b}[name]

    found = vector_code.expressions()
    assert {table: value(expression) for table, expression in found.items()} == {
        table: table for table in range(0, 256, 2)
    }


@needs_llvm
def test_wrong_code_is_noticed() -> None:
    inputs = range(TRUE + 1, TRUE + 65)
    right = luts.Tables(inputs, [(luts.A & luts.B, (2, 3))], [66] * 64)
    wrong = luts.Tables(inputs, [(luts.A ^ luts.B, (2, 3))], [66] * 64)
    function = native.Function(native.compile_tables(wrong, range(64), 1))
    with pytest.raises(llvm.NativeError, match="disagrees"):
        native.check(function, right, range(64))


# The cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "asp-advisor"


def test_what_is_kept_is_found_again_and_private(folder: Path) -> None:
    assert code_cache.read(KEY) is None
    code_cache.write(KEY, b"code")
    assert code_cache.read(KEY) == b"code"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.name for file in folder.iterdir()] == [KEY]


def test_what_is_damaged_is_not_found(folder: Path) -> None:
    code_cache.write(KEY, b"code")
    whole = (folder / KEY).read_bytes()
    for damaged in (whole[:-1], whole + b"x", b"", b"\1" + whole[1:]):
        (folder / KEY).write_bytes(damaged)
        assert code_cache.read(KEY) is None
    code_cache.write(KEY, b"code")
    assert code_cache.read(KEY) == b"code"


def test_a_folder_that_others_may_write_to_is_not_used(folder: Path) -> None:
    code_cache.write(KEY, b"code")
    folder.chmod(0o777)
    assert code_cache.read(KEY) is None
    code_cache.write("1" * 64, b"code")
    assert [file.name for file in folder.iterdir()] == [KEY]


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives folders away")
def test_a_folder_of_somebody_else_is_not_used(folder: Path) -> None:
    code_cache.write(KEY, b"code")
    os.chown(folder, 12345, 12345)
    assert code_cache.read(KEY) is None


def test_a_full_disk_keeps_nothing(folder: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        code_cache.write(KEY, bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code_cache.read(KEY) is None
    assert not [*folder.iterdir()]


@pytest.mark.parametrize("base", ["/proc", "/dev/null"])
def test_where_nothing_can_be_kept(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    code_cache.write(KEY, b"code")
    assert code_cache.read(KEY) is None
    with code_cache.exclude_others():
        pass


def test_the_oldest_go_first(folder: Path) -> None:
    keys = [f"{i:064}" for i in range(code_cache._MOST + 1)]
    for age, key in enumerate(keys):
        code_cache.write(key, b"code")
        os.utime(folder / key, (age, age))
    with code_cache.exclude_others():
        code_cache.write("1" * 64, b"code")
    assert {file.name for file in folder.iterdir()} == {"lock", "1" * 64, *keys[2:]}


def test_nobody_waits_for_code_that_a_full_disk_cannot_keep(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert code_cache.usable()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    assert not code_cache.usable()


# Commands

SCRIPT = """
from advisor.games.connect4.board import geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.notation import parse_line
from advisor.settings import reading
for preset in ("alex", "pomakis"):
    evaluator = CircuitEvaluator(reading.load(preset), geometry(5, 4, 3), machine_code=True)
    position = parse_line("1", geometry(5, 4, 3))
    print(evaluator.is_machine_code, evaluator.values([position], 1)[0])
"""


SPENT = """
from advisor.games.connect4.board import geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings import reading
evaluator = CircuitEvaluator(reading.load("alex"), geometry(5, 4, 3))
for seconds in (0.06, {}):
    evaluator.tiers.count_seconds(seconds)
    for thread in tiers._threads:
        thread.join()
print(evaluator.is_machine_code)
"""
"""A run that works for so long without code, in which no thread is late."""


@pytest.mark.slow
@needs_llvm
def test_a_process_that_answers_for_long_makes_code_sooner(tmp_path: Path) -> None:
    script = "import advisor; from aspcircuits import tiers; tiers._AT_SERVICE = 0.1\n"
    for serves in (False, True):
        prepared = f"{script}advisor.prepare({serves})\n{SPENT.format(0.2)}"
        done = run(prepared, XDG_CACHE_HOME=str(tmp_path / str(serves)))
        assert done.stdout.strip() == str(serves)


@pytest.mark.slow
@needs_llvm
def test_what_short_runs_have_spent_adds_up(tmp_path: Path) -> None:
    # The circuit's code is worth more than one of these runs and less than all of them.
    cache = {"XDG_CACHE_HOME": str(tmp_path)}
    script = "from aspcircuits import tiers" + SPENT.format(0.2)
    found = [run(script, **cache).stdout.strip() for _ in range(12)]
    assert found[0] == "False"
    assert found[-1] == "True"
    assert found == sorted(found)
    names = {file.name for file in (tmp_path / "asp-advisor").iterdir()}
    assert not any(name.endswith(".spent") for name in names), "it is there, so nothing is counted"


@needs_llvm
def test_a_tree_of_random_games_counts_as_work(tmp_path: Path) -> None:
    script = """
import advisor
from advisor.engine.compiled_playouts import UCT
found = advisor.suggest(advisor.load_game("hex").position(), seconds=0.5)
assert any(move.playouts for move in found.moves) and not found.machine_code
print(UCT.recipe.key())
"""
    done = run(script, XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    spent = tmp_path / "asp-advisor" / f"{done.stdout.strip()}.spent"
    assert 0.05 < float(spent.read_text()) < 2  # processor time, of which others may leave little


@pytest.mark.slow
@needs_llvm
def test_code_that_is_begun_is_there_for_the_next_run(tmp_path: Path) -> None:
    cache = {"XDG_CACHE_HOME": str(tmp_path)}
    ends_at_once = "evaluator.tiers.count_seconds(3600); print('the end')"
    begun = SPENT.split("for seconds", maxsplit=1)[0] + ends_at_once
    done = run(begun, **cache)
    assert (done.returncode, done.stdout, done.stderr) == (0, "the end\n", "")
    until(lambda: not [*(tmp_path / "asp-advisor").glob("*.spent")])
    script = "from aspcircuits import tiers" + SPENT.format(0)
    assert run(script, **cache).stdout == "True\n"


@needs_llvm
def test_a_run_leaves_no_process_while_another_run_makes_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"""
{SPENT.split("for seconds", maxsplit=1)[0]}
import threading
from pathlib import Path
from aspcircuits import own_process
from aspcircuits.child import Child
started = []
made = Child.__init__
Child.__init__ = lambda child: (made(child), started.append(child._process.pid))[0]
evaluator.tiers.count_seconds(3600)
while not started:
    pass
print(*started)
"""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with code_cache.exclude_others(1):
        processes = run(script, XDG_CACHE_HOME=str(tmp_path)).stdout.split()
        assert processes
        until(lambda: not any(Path("/proc", process).exists() for process in processes))


@needs_llvm
def test_who_dies_while_code_is_made_leaves_that_it_is_worth_making(tmp_path: Path) -> None:
    cache = {"XDG_CACHE_HOME": str(tmp_path)}
    killed = """
import os, time
from pathlib import Path
evaluator.tiers.count_seconds(3600)
while not list(Path(os.environ["XDG_CACHE_HOME"]).glob("asp-advisor/*.spent")):
    time.sleep(0.01)
os.kill(os.getpid(), 9)
"""
    begun = SPENT.split("for seconds", maxsplit=1)[0] + killed
    assert run(begun, **cache).returncode == -9
    script = "from aspcircuits import tiers" + SPENT.format(0)
    assert run(script, **cache).stdout == "True\n"


def until(condition: Callable[[], bool]) -> None:
    """Waits for what other processes do; in vain for some minutes at most."""
    ended = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < ended
        time.sleep(0.02)


BEGUN = """
import signal, sys, time
from aspcircuits import code_cache, tiers
from advisor.cli import main
from advisor.engine.compiled import KERNEL
from aspcircuits.stopping import interruptible
signal.signal(signal.SIGINT, signal.default_int_handler)
KERNEL.count_seconds(3600)
while not code_cache.seconds_spent(KERNEL.recipe.key()):
    time.sleep(0.01)
"""
"""The code of the search is being made."""

HEARD = """
with interruptible() as stop:
    signal.raise_signal(signal.SIGINT)
assert stop.is_interrupted
"""

NOT_HEARD = """
class Press:
    def find_spec(name, path, target=None):
        if name == "advisor.cli.moves":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Press)
sys.argv = ["advisor", "moves"]
main()
"""


@needs_llvm
@pytest.mark.parametrize(("ending", "code"), [(HEARD, 0), (NOT_HEARD, 130)])
def test_ctrl_c_ends_the_process_that_makes_code(tmp_path: Path, ending: str, code: int) -> None:
    done = run(BEGUN + ending, XDG_CACHE_HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (code, "")
    left = {file.name for file in (tmp_path / "asp-advisor").iterdir()}
    assert {name for name in left if not name.endswith(".spent")} <= {"lock"}


DIES_ELSEWHERE = """
import os, sys
if sys.argv[0] != "-c":
    os._exit(3)
class Features(dict):
    flatten = str
get_host_cpu_features = Features
llvm_version_info = ()
get_process_triple = get_host_cpu_name = initialize_native_target = str
initialize_native_asmprinter = str
"""
"""Names the processor, but kills the process that would make code for it."""


def run(
    script: str, preexec_fn: Callable[[], None] | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=preexec_fn,
        env=environment() | variables,
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=False,
    )


def values(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return re.findall(r"-?\d+$", done.stdout, re.MULTILINE)


@pytest.mark.slow
@needs_llvm
def test_every_state_of_the_cache_gives_the_same_values(tmp_path: Path) -> None:
    cache = {"XDG_CACHE_HOME": str(tmp_path)}
    first = run(SCRIPT, **cache)
    kept = [file for file in (tmp_path / "asp-advisor").iterdir() if file.name != "lock"]
    assert len(kept) == 4, "two circuits and their code"
    second = run(SCRIPT, **cache)
    for file in kept:
        file.write_bytes(file.read_bytes()[:-100] + bytes(100))
    third = run(SCRIPT, **cache)
    fourth = run(SCRIPT, XDG_CACHE_HOME="/proc")
    for done in (first, second, third, fourth):
        assert (values(done), done.stderr) == (values(first), "")
        assert done.stdout.count("True") == 2


COMMANDS = """
import json
import sys
from random import Random
from advisor.cli import main
from advisor.games.connect4.board import geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.sampling import random_positions
from advisor.settings import reading
sys.argv = ["advisor", *"suggest 44 --size 5x4 --depth 4 --json".split()]
try:
    main()
except SystemExit as ended:
    assert not ended.code
made = CircuitEvaluator(reading.load("alex"), geometry(), machine_code=True)
values = made.values(random_positions(Random(1), 20), 0).tolist()
print(json.dumps({"values": values, "by_code": made.is_machine_code}))
"""


def no_room() -> None:
    """No file may become longer than a few hundred octets, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))


@pytest.mark.slow
@needs_llvm
def test_commands_whatever_becomes_of_the_cache(tmp_path: Path) -> None:
    kept = tmp_path / "asp-advisor"

    def told(**options: Any) -> tuple[Any, Any]:
        done = run(COMMANDS, XDG_CACHE_HOME=str(tmp_path), **options)
        assert (done.returncode, done.stderr) == (0, "")
        suggested, valued = map(json.loads, done.stdout.splitlines())
        assert valued["by_code"]
        return without_measures(suggested), valued["values"]

    full = told(preexec_fn=no_room, PYTHONDONTWRITEBYTECODE="1")  # which Python would cut off
    left = {file.name for file in kept.iterdir() if file.suffix != ".spent"}
    assert left == {"lock"}, "nothing could be kept"
    absent = told()
    files = [file for file in kept.iterdir() if file.name != "lock"]
    assert len(files) >= 2
    for file in files:
        file.write_bytes(file.read_bytes()[:-100] + bytes(100))
    kept.chmod(0o500)
    corrupted_and_read_only = told()
    assert full == absent == corrupted_and_read_only


@pytest.mark.slow
@pytest.mark.parametrize(
    ("binding", "reason"),
    [
        ("raise ImportError('no libLLVM')", "no libLLVM"),
        ("raise AttributeError('renamed')", "renamed"),
        ("def __getattr__(name): raise RuntimeError('no\\nmemory')", "no memory"),
        (DIES_ELSEWHERE, "died"),
    ],
)
def test_where_code_cannot_be_made_numpy_does_the_work_and_says_so_once(
    tmp_path: Path, binding: str, reason: str
) -> None:
    package = tmp_path / "llvmlite"
    package.mkdir()
    (package / "__init__.py").write_text("__version__ = '1'\n")
    (package / "binding.py").write_text(f"{binding}\n")
    done = run(SCRIPT, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    without = run(f"import sys\nsys.modules['llvmlite'] = None\n{SCRIPT}")
    assert values(done) == values(without)
    assert done.stdout.count("False") == without.stdout.count("False") == 2
    assert done.stderr.startswith("note: no machine code (")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert without.stderr == ""
