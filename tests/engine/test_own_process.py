"""Work in a process of its own: results stay the same, and it can be ended."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from advisor.errors import EncodingError, InputError
from advisor.games.connect4.board import geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.notation import parse_line
from advisor.settings import reading
from aspcircuits import circuit, own_process
from aspcircuits.bitplanes import pack, unpack
from aspcircuits.child import Child
from aspcircuits.stopping import Stop
from command import advisor
from commands import environment
from ctrl_c import ctrl_c
from games import reference_value

ENDLESS = "n(1..200).\nlarge(A,B,C,D,E) :- n(A), n(B), n(C), n(D), n(E).\n"
RULES = {
    "moves": f"{ENDLESS}fires(mine, move(R, C)) :- valid_move(R, C), large(R, C, R, C, R).\n",
    "features": f"{ENDLESS}feature(mine, P, R) :- player(P), large(P, R, P, R, P).\n",
}
LONG = (
    "n(1..200).\nlong(A,B,C{}) :- n(A), n(B), n(C).\n".format(",A" * 1000)
    + "fires(mine, move(R, C)) :- valid_move(R, C), n(C).\n"
)
"""Each atom takes several KB, so that any memory is soon full."""


def settings(folder: Path, program: str, rules: str) -> Path:
    """A weights file with a user's own rules."""
    (folder / "mine.lp").write_text(rules)
    file = folder / "mine.yaml"
    extra = "encodings: {extra: [mine.lp]}"
    file.write_text(f"extends: default\n{extra}\n{program}: {{mine: 7}}\n")
    return file


def test_a_result_and_an_error_come_back() -> None:
    assert own_process.run(pow, 2, 100, what="it") == 1 << 100
    with pytest.raises(ValueError, match="'x'"):
        own_process.run(int, "x", what="it")
    assert own_process.run(pow, 3, 2, what="it") == 9


def test_it_is_another_process_and_stays_for_the_next_work() -> None:
    first = own_process.run(os.getpid, what="it")
    assert first != os.getpid()
    assert own_process.run(os.getpid, what="it") == first
    assert own_process.run(os.getpid, what="it", here=True) == os.getpid()


def test_a_stop_ends_it_and_the_next_work_finds_another() -> None:
    stop, before = Stop(), own_process.run(os.getpid, what="it")
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        own_process.run(time.sleep, 3600, what="it", stop=stop)
    assert own_process.run(os.getpid, what="it") != before
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def test_the_time_of_a_stop_does_not_count() -> None:
    assert own_process.run(pow, 12, 2, what="it", stop=Stop(0)) == 144


@pytest.mark.parametrize(
    ("function", "argument", "told"),
    [
        (signal.raise_signal, signal.SIGSEGV, "SIGSEGV"),
        (signal.raise_signal, signal.SIGKILL, "SIGKILL, perhaps for want of memory"),
        (os._exit, 3, "exit code 3"),
    ],
)
def test_a_death_is_told_apart_from_a_bound(
    function: Callable[[int], object], argument: int, told: str
) -> None:
    with pytest.raises(EncodingError) as error:
        own_process.run(function, argument, what="mine.lp")
    assert str(error.value) == f"mine.lp: the process that grounds it died ({told})"


@pytest.mark.parametrize(
    ("made_by", "told"),
    [
        ("(getattr, (int, 'nothing'))", "AttributeError(\"type object 'int' has no attribute "),
        ("(__import__, ('nothing',))", "ModuleNotFoundError(\"No module named 'nothing'\")"),
        ("(open, ('nothing',))", "FileNotFoundError(2, 'No such file or directory')"),
        ("(next, (iter(()),))", "StopIteration()"),
    ],
)
@pytest.mark.parametrize("answer", ["{}()", "(_ for _ in ()).throw({}())"])
def test_an_answer_that_cannot_be_read_is_one_error(made_by: str, told: str, answer: str) -> None:
    before = own_process.run(os.getpid, what="it")
    # Its pickle says how it is made, which fails where it is read; as a result and as an error.
    kind = f"type('Odd', (Exception,), {{'__reduce__': lambda self: {made_by}}})"
    with pytest.raises(EncodingError) as error:
        own_process.run(eval, answer.format(kind), what="mine.lp")
    assert str(error.value).startswith(f"mine.lp: what its process answered cannot be read ({told}")
    assert own_process.run(os.getpid, what="it") == before


def test_work_that_cannot_be_sent_is_an_error_of_who_asks() -> None:
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        own_process.run(lambda: 1, what="it")


def test_an_error_that_cannot_be_pickled_is_told_by_its_text() -> None:
    before = own_process.run(os.getpid, what="it")
    program = "class Odd(Exception):\n def __reduce__(self): raise OSError\nraise Odd('text')"
    with pytest.raises(RuntimeError, match=r"^Odd: text$"):
        own_process.run(exec, program, {}, what="it")
    assert own_process.run(os.getpid, what="it") == before


LEFT = """
import os, sys, threading
from pathlib import Path
from aspcircuits import own_process
from aspcircuits.child import go_on_while
from aspcircuits.stopping import Stop
WORK = '''
import os, subprocess, sys, time
from pathlib import Path
reader = "import sys; sys.stdin.read()"
held = subprocess.Popen([sys.executable, "-c", reader], stdin=subprocess.PIPE)
Path("here").write_text(str(os.getpid()))
while not Path("go").exists():
    time.sleep(0.01)
Path("made").touch()
'''
def end():
    while not Path("here").exists():
        pass
    stop.set()
stop = Stop()
threading.Thread(target=end).start()
try:
    own_process.run(exec, WORK, {}, what="it", stop=stop, patience=float(sys.argv[1]))
except KeyboardInterrupt:
    print("the end")
"""
"""Begins work that waits for a file, and ends before it; the work has a process of its own."""


@pytest.mark.parametrize("patience", [0, 1, 600])
def test_work_goes_on_after_its_parent_as_long_as_its_patience(
    tmp_path: Path, patience: int
) -> None:
    program = [sys.executable, "-c", LEFT, str(patience)]
    # Both outputs are read to their end: no running process holds them open.
    done = subprocess.run(program, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("the end\n", "")
    process = Path("/proc", (tmp_path / "here").read_text())
    if patience < 600:
        until(lambda: not process.exists())
    (tmp_path / "go").touch()
    until(lambda: not process.exists())
    assert (tmp_path / "made").exists() == (patience == 600)


def until(condition: Callable[[], bool]) -> None:
    """Waits for what another process does."""
    ended = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < ended
        time.sleep(0.02)


def test_it_ends_with_its_parent() -> None:
    child = Child()
    assert child._process.stdin is not None
    child._process.stdin.close()
    assert child._process.wait(60) == 0
    child.end()


def test_a_copy_of_the_process_has_children_of_its_own() -> None:
    program = """if True:
        import os
        from aspcircuits import own_process
        first = own_process.run(os.getpid, what="it")
        copy = os.fork()
        if copy == 0:
            os._exit(own_process.run(os.getpid, what="it") == first)
        assert os.waitpid(copy, 0)[1] == 0
        assert own_process.run(os.getpid, what="it") == first
    """
    # Elsewhere, since threads that other tests have left may ask, too.
    assert subprocess.run([sys.executable, "-c", program], timeout=300).returncode == 0


def test_it_knows_the_folder_and_the_environment_of_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = own_process.run(os.getpid, what="it")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert own_process.run(os.getcwd, what="it") == str(tmp_path)
    assert own_process.run(os.getenv, "XDG_CACHE_HOME", what="it") == str(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert own_process.run(os.getenv, "XDG_CACHE_HOME", what="it") is None
    assert own_process.run(os.getpid, what="it") == process
    tmp_path.rmdir()
    with pytest.raises(InputError, match=r"^the current folder is gone \("):
        own_process.run(os.getpid, what="it")


def test_shared_work_comes_back_in_order_from_several_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert own_process.share(pow, lambda i: (2, i), 50, what="it") == [1 << i for i in range(50)]
    assert own_process.share(pow, lambda i: (2, i), 0, what="it") == []
    # None of three answers before all of them are at work.
    meet = """[
        (folder / str(number)).touch(),
        any(len([*folder.iterdir()]) == 3 or sleep(0.01) for _ in range(6000)),
        getpid(),
    ][-1]"""
    names = {"folder": tmp_path, "sleep": time.sleep, "getpid": os.getpid}
    took = own_process.share(eval, lambda i: (meet, names | {"number": i}), 3, what="it")
    assert len({*took}) == 3
    assert os.getpid() in took


def test_an_error_ends_what_others_do_of_shared_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    before = own_process.run(os.getpid, what="it")
    others_at_work = threading.Event()

    def seconds(_number: int) -> tuple[int]:
        if threading.current_thread() is threading.main_thread():
            others_at_work.wait(60)
            return (-1,)
        others_at_work.set()
        return (3600,)

    with pytest.raises(ValueError, match="must be non-negative"):
        own_process.share(time.sleep, seconds, 2, what="it")
    assert own_process.run(os.getpid, what="it") != before
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def test_a_circuit_comes_back_whole(tmp_path: Path) -> None:
    file = tmp_path / "two.lp"
    file.write_text("both :- a, b.\nmany(N) :- N = 1..2, N { a; b; c }.\n")
    arguments = [file], ["a", "b", "c"], [("both", 0), ("many", 1)], {}
    here = circuit.compile_files(*arguments)
    there = own_process.run(circuit.compile_files, *arguments, what="it")
    table = [[i >> bit & 1 == 1 for bit in range(3)] for i in range(8)]
    planes = pack(np.array(table))
    assert there.outputs == here.outputs
    assert (unpack(there(planes), 8) == unpack(here(planes), 8)).all()
    assert there.levels == here.levels
    for atom in ("a", "both", ("many", 2)):
        assert there.explain(atom) == here.explain(atom)
    with pytest.raises(InputError, match="'neither' is not an atom"):
        there.explain("neither")


def test_a_user_s_own_rules_are_heard_in_both_programs(tmp_path: Path) -> None:
    rules = "fires(mine, move(R, C)) :- valid_move(R, C), C = 6.\n"
    file = settings(tmp_path, "moves", rules)
    done = advisor("suggest", "44", "--depth", 2, "--weights", file)
    assert (done.code, done.err) == (0, "")
    assert "mine +7" in done.out


@pytest.mark.parametrize(("program", "depth"), [("moves", 0), ("moves", 3), ("features", 3)])
def test_ctrl_c_ends_a_grounding_that_never_ends(program: str, depth: int, tmp_path: Path) -> None:
    file = settings(tmp_path, program, RULES[program])
    with ctrl_c("_watch_child"):
        done = advisor("suggest", "44", "--depth", depth, "--weights", file)
    assert (done.code, done.out, done.err) == (130, "", "error: interrupted\n")


@pytest.mark.parametrize(
    ("bound", "least", "told", "rules", "rule"),
    [
        ("MAX_SECONDS", 3, "3 s", RULES["moves"], "`large(A,B,C,D,E) :- n(A)"),
        ("MAX_BYTES", 512 << 20, "512 MB of memory", LONG, "`long(A,B,C,A,A,A"),
    ],
)
def test_a_grounding_that_never_ends_has_a_bound(
    bound: str,
    least: int,
    told: str,
    rules: str,
    rule: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_process, bound, least)
    own_process.end_idle()  # so that another child begins, with this bound
    file = settings(tmp_path, "moves", rules)
    done = advisor("suggest", "44", "--depth", 0, "--weights", file)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(
        f"error: mine.lp:2: is too large to ground: more than {told}: {rule}"
    )
    assert " times in a second (it combines the values of " in done.err
    assert done.err.count("\n") == 1
    own_process.end_idle()


def test_the_error_about_memory_needs_none_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_process, "MAX_BYTES", 512 << 20)
    with pytest.raises(EncodingError, match="more than 512 MB of memory"):
        own_process.run(fill_memory, what="it")


def fill_memory() -> None:
    """Fills the memory by what the error's own frame holds on to."""
    blocks, size = [], 1 << 24
    while True:
        try:
            blocks.append(bytearray(size))
        except MemoryError:
            size //= 2
            if size < 512:
                raise


def test_large_boards_are_compiled_there() -> None:
    g = geometry(9, 8)
    evaluator = CircuitEvaluator(reading.load(), g)
    for moves in ("5", "55", "1928"):
        board = parse_line(moves, g)
        assert evaluator.values([board], 0)[0] == reference_value(board, reading.load())
