"""Batch runs: whoever works, dies or is interrupted, each result comes once and in order."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from time import sleep
from typing import Any, cast

import pytest

import advisor
from advisor.errors import BatchError, InputError
from advisor.lab import batch
from advisor.lab.batch import Sharing
from advisor.lab.journal import Journal
from aspcircuits.stopping import Stop
from commands import ENTRY
from labour import die, fail, send_ctrl_c, square, square_but, square_once_fatally, square_slowly

RUN = {"command": "square"}
WORK = {"seconds", "nodes", "leaves", "machine_code"}

needs_distributed = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed (extra: cluster)"
)


@pytest.fixture(autouse=True)
def _known_to_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their work is a module of the tests."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)


def tasks(number: int) -> list[str]:
    return [str(i) for i in range(number)]


def squares(number: int) -> list[int]:
    return [i**2 for i in range(number)]


@contextmanager
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(3) as pool:
        yield pool


@pytest.mark.parametrize(
    "workers", [None, batch.local(1), batch.local(2), batch.Workers(threads, 5)]
)
def test_results_come_in_the_order_of_the_tasks(workers: batch.Workers | None) -> None:
    assert list(batch.run(square, tasks(100), workers)) == squares(100)
    assert list(batch.run(square, [], workers)) == []


@pytest.mark.parametrize("workers", [None, batch.Workers(threads, 5)])
def test_a_stream_is_taken_as_far_as_it_is_needed(workers: batch.Workers | None) -> None:
    taken: list[int] = []

    def endless() -> Iterator[str]:
        for i in count():
            taken.append(i)
            yield str(i)

    results = batch.run(square, endless(), workers)
    assert list(islice(results, 20)) == squares(20)
    results.close()
    # The fifth of the parts that are in flight may be four times four tasks long.
    assert len(taken) <= (20 if workers is None else 20 + 5 * 16)


def test_quick_tasks_are_handed_out_many_at_a_time() -> None:
    parts: list[int] = []

    class Counting(ThreadPoolExecutor):
        def submit(self, function: Any, /, *given: Any, **named: Any) -> Any:
            if isinstance(given[1], list):
                parts.append(len(given[1]))
            return super().submit(function, *given, **named)

    with Counting(2) as executor:
        workers = Sharing(executor=executor).workers
        assert list(batch.run(square, tasks(4000), workers)) == squares(4000)
        assert executor.submit(square, "3", Stop()).result() == 9, "the executor is still open"
    assert (parts[0], max(parts), sum(parts)) == (1, 200, 4000)


def test_what_is_not_wanted_any_more_is_not_begun(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with ThreadPoolExecutor(1) as executor:
        results = batch.run(
            partial(square_slowly, log), tasks(40), Sharing(executor=executor).workers
        )
        assert next(results) == 0
        results.close()
    assert len(begun(log)) <= 2


def test_a_slow_stream_is_not_waited_for_until_a_part_is_full() -> None:
    heard: list[int] = []

    def slowly() -> Iterator[str]:
        for number in range(60):
            if number >= 40:
                sleep(0.11)
            heard.append(number)
            yield str(number)

    ahead = []
    for number, _ in enumerate(batch.run(square, slowly(), batch.Workers(threads, 2))):
        ahead.append(len(heard) - number)
    assert len(ahead) == 60
    assert max(ahead[45:]) <= 4


def test_a_part_that_fails_keeps_what_came_before(tmp_path: Path) -> None:
    workers, out = batch.Workers(threads, 2), tmp_path / "out"
    with pytest.raises(ValueError, match=r"^30$"):
        list(batch.run(partial(square_but, "30"), tasks(100), workers, Journal(out, RUN)))
    assert kept(out) == squares(30)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["processes", "loky"])
def test_any_executor_does_the_work(kind: str) -> None:
    if kind == "loky":
        executor = pytest.importorskip("loky").get_reusable_executor(2)
    else:
        executor = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    lines = ["4453", "44444", "9", *(str(column) * 2 for column in range(1, 8))]
    by_one = list(advisor.analyse(lines, depth=3))
    found = list(advisor.analyse(lines, depth=3, sharing=Sharing(executor=executor, jobs=2)))
    executor.shutdown()
    assert [without_work(row) for row in found] == [without_work(row) for row in by_one]


def without_work(row: dict[str, Any]) -> dict[str, Any]:
    """A result without what differs from run to run."""
    return {key: value for key, value in row.items() if key not in WORK}


@pytest.mark.parametrize(
    ("sharing", "told"),
    [
        (Sharing(executor=cast(Any, "me")), "executor 'me' is no concurrent.futures.Executor"),
        (Sharing(executor=ThreadPoolExecutor(1), dask="tcp://a:1"), "leave out `dask`"),
    ],
)
def test_what_is_no_executor_is_refused(sharing: Sharing, told: str) -> None:
    with pytest.raises(InputError, match=told):
        assert sharing.workers


@pytest.mark.parametrize("workers", [None, batch.local(2)])
def test_what_the_function_raises_is_raised(workers: batch.Workers | None) -> None:
    with pytest.raises(ValueError, match=r"^7$"):
        list(batch.run(fail, ["7", "8"], workers))


def test_a_killed_process_costs_no_result(tmp_path: Path) -> None:
    work = partial(square_once_fatally, tmp_path, "11")
    journal = Journal(tmp_path / "out", RUN)
    assert list(batch.run(work, tasks(40), batch.local(2), journal)) == squares(40)
    assert (tmp_path / "killed").exists()
    kept = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert kept[1:] == [{"task": str(i), "result": i**2} for i in range(40)]


def test_a_task_that_kills_whoever_does_it_ends_the_run() -> None:
    with pytest.raises(BatchError, match="workers died 3 times in a row"):
        list(batch.run(die, ["1"], batch.local(2)))


def test_a_result_is_on_the_disk_before_anybody_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lasting: list[int] = []
    sync = os.fsync

    def noted(file: int) -> None:
        sync(file)
        lasting.append(os.fstat(file).st_size)

    monkeypatch.setattr(os, "fsync", noted)
    out = tmp_path / "out"
    for _ in batch.run(square, tasks(5), None, Journal(out, RUN)):
        assert lasting[-1] == out.stat().st_size
    assert len(lasting) == 1 + 5


def kept(path: Path) -> list[Any]:
    """The results in a journal."""
    _, *lines = path.read_text().splitlines()
    return [json.loads(line)["result"] for line in lines]


def begun(log: Path) -> list[str]:
    """The tasks that were begun, by their log."""
    return [line.split()[0] for line in log.read_text().splitlines()]


@pytest.mark.parametrize("half", ["", '{"task": "5", "res'])
def test_an_interrupted_run_goes_on_where_it_stopped(half: str, tmp_path: Path) -> None:
    out, log = tmp_path / "out", tmp_path / "log"
    work = partial(square_slowly, log)
    first = batch.run(work, tasks(12), None, Journal(out, RUN))
    assert list(islice(first, 5)) == squares(5)
    first.close()
    with open(out, "a") as file:
        file.write(half)

    assert list(batch.run(work, tasks(12), None, Journal(out, RUN))) == squares(12)
    assert begun(log) == tasks(12), "nothing is worked out twice"
    assert kept(out) == squares(12)

    assert list(batch.run(work, tasks(12), None, Journal(out, RUN))) == squares(12)
    assert begun(log) == tasks(12)


@pytest.mark.parametrize("length", range(0, 200, 9))
def test_a_journal_cut_anywhere_is_completed(length: int, tmp_path: Path) -> None:
    out = tmp_path / "out"
    list(batch.run(square, tasks(6), None, Journal(out, RUN)))
    whole = out.read_bytes()
    out.write_bytes(whole[:length])
    assert list(batch.run(square, tasks(6), None, Journal(out, RUN))) == squares(6)
    assert out.read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("my notes", "is not a file of finished results"),
        ("my notes\n", "is not a file of finished results"),
        ("[]\n", "is not a file of finished results"),
        ('{"run": {"command": "cube"}}\n', 'holds another run (command: "cube" there, "square"'),
        ('{"run": {"command": "square"}}\nnotes\n', "line 2 is not a result of a batch run"),
        (
            '{"run": {"command": "square"}}\n{"task": "9", "result": 81}\n',
            "line 2: holds a run over other input ('9' there, '0' here)",
        ),
        (
            '{"run": {"command": "square"}}\n'
            + "".join(f'{{"task": "{i}", "result": {i * i}}}\n' for i in range(4)),
            "line 5: holds a run over other input ('3' there, nothing here)",
        ),
    ],
)
def test_a_file_of_something_else_is_left_alone(
    content: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = Path("out")
    out.write_text(content)
    with pytest.raises(BatchError) as caught:
        list(batch.run(square, tasks(3), None, Journal(out, RUN)))
    assert str(caught.value).startswith(f"out: {expected}")
    assert out.read_text() == content


@pytest.mark.skipif(find_spec("fcntl") is None, reason="files cannot be locked here")
def test_two_runs_do_not_write_to_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    first = batch.run(square, tasks(3), None, Journal(path, RUN))
    next(first)
    before = path.read_bytes()
    with pytest.raises(BatchError, match="journal: another run is writing to it"):
        list(batch.run(square, tasks(3), None, Journal(path, RUN)))
    assert path.read_bytes() == before
    assert list(first) == squares(3)[1:]
    assert list(batch.run(square, tasks(3), None, Journal(path, RUN))) == squares(3)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_gets_one_line() -> None:
    with pytest.raises(BatchError) as caught:
        list(batch.run(square, tasks(3), None, Journal(Path("/dev/full"), RUN)))
    assert str(caught.value).startswith("/dev/full: No space left on device")


def test_a_disk_that_fills_up_keeps_what_is_finished(tmp_path: Path) -> None:
    out = tmp_path / "out"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    results: list[int] = []
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, limits[1]))
    try:
        with pytest.raises(BatchError) as caught:
            results.extend(batch.run(square, tasks(100), None, Journal(out, RUN)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert f"{len(results)} finished results are kept" in str(caught.value)
    assert 0 < len(results) < 100
    assert kept(out) == results
    assert out.read_bytes().endswith(b"\n")
    assert list(batch.run(square, tasks(100), None, Journal(out, RUN))) == squares(100)


@pytest.mark.parametrize("handler", [signal.SIG_IGN, lambda *_: None])
def test_an_ignored_ctrl_c_stays_ignored_at_work(handler: Any) -> None:
    before = signal.signal(signal.SIGINT, handler)
    try:
        results = batch.run(send_ctrl_c, tasks(3))
        assert [next(results), signal.getsignal(signal.SIGINT), *results] == [0, handler, 1, 2]
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_at_once_and_keeps_what_is_finished(jobs: str, tmp_path: Path) -> None:
    """A run whose positions would take a minute each is interrupted after the quick ones."""
    out, full = tmp_path / "out", tmp_path / "positions"
    quick = ["2252576253462244111563365343671351441", "7422341735647741166133573473242566"]
    full.write_text("\n".join([*quick, *["4", "44", "444", "4444", "44444"] * 2]))
    options = ["--time", "60", "--jobs", jobs, "--resume", str(out)]
    process = subprocess.Popen(
        [*ENTRY, "analyse", str(full), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        printed = [process.stdout.readline() for _ in quick]
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        rest, errors = process.communicate(timeout=300)
    finally:
        process.kill()
    assert (process.returncode, rest) == (130, "")
    assert errors.count("\n") <= 1, errors
    numbered = [{"line": number, **result} for number, result in enumerate(kept(out), 1)]
    assert numbered == [json.loads(line) for line in printed]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("started", "files"),
    [
        (["bin/advisor"], sys.stdlib_module_names),
        (["-m", "advisor"], ["numpy", "pickle", "random", "signal", "subprocess", "threading"]),
    ],
)
def test_no_python_file_of_the_current_folder_is_run(
    started: list[str], files: Iterable[str], tmp_path: Path
) -> None:
    for name in files:
        (tmp_path / f"{name}.py").write_text(f"open('was_run', 'a').write('{name} ')")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "advisor").write_text("from advisor.__main__ import main\nmain()\n")
    (tmp_path / "positions").write_text("44\n")
    command = [sys.executable, *started, "analyse", "positions", "--depth", "0", "--jobs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "was_run").exists()


def test_a_killed_run_leaves_nobody_behind(tmp_path: Path) -> None:
    long = tmp_path / "positions"
    long.write_text("2252576253462244111563365343671351441\n" + "4\n" * 10)
    process = subprocess.Popen(
        [*ENTRY, "analyse", str(long), "--time", "3600", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    process.kill()
    # Its workers write to these pipes, too, which end once no worker is left.
    assert process.communicate(timeout=300) == (b"", b"")


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("distributed") is None:
        expected = "`dask`: not installed (pip install distributed)"
    else:
        monkeypatch.setattr(batch, "_CONNECT_SECONDS", 1)
        expected = "`dask`: tcp://127.0.0.1:9: no cluster answers"
    with pytest.raises(BatchError) as caught:
        batch.cluster("tcp://127.0.0.1:9")
    assert str(caught.value).startswith(expected)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    """A cluster of two processes that stands for one of many machines."""
    from distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster
        # A cluster cannot be closed while it is about to replace a worker that was killed.
        with Client(cluster) as client:
            client.wait_for_workers(2, timeout=240)


@pytest.mark.slow
@needs_distributed
def test_a_cluster_gives_the_same_results(dask: Any) -> None:
    workers = batch.cluster(dask.scheduler_address)
    assert list(batch.run(square, tasks(50), workers)) == squares(50)


@needs_distributed
def test_a_cluster_that_loses_a_worker_loses_no_result(dask: Any, tmp_path: Path) -> None:
    log, out = tmp_path / "log", tmp_path / "out"
    workers = batch.cluster(dask.scheduler_address)
    results = batch.run(partial(square_slowly, log), tasks(80), workers, Journal(out, RUN))
    first = list(islice(results, 20))
    pids = {int(line.split()[1]) for line in log.read_text().splitlines()}
    assert len(pids) == 2
    os.kill(pids.pop(), signal.SIGKILL)
    assert [*first, *results] == squares(80)
    assert kept(out) == squares(80)


@pytest.mark.slow
@needs_distributed
def test_a_task_that_kills_every_worker_of_a_cluster_ends_the_run(dask: Any) -> None:
    workers = batch.cluster(dask.scheduler_address)
    with pytest.raises(BatchError, match="workers keep dying"):
        list(batch.run(die, ["1"], workers))
