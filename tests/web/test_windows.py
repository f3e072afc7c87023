"""Without what Windows lacks, the package can still be imported and served."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from windows import like_windows, run

IMPORT_ALL = """
import importlib, pkgutil, sys, advisor
for module in pkgutil.walk_packages(advisor.__path__, "advisor."):
    if module.name == "advisor.__main__":
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        if sys.modules.get(error.name, error) is None:
            raise  # one that is taken away; others are extras
print("all")
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return like_windows(tmp_path)


def test_every_module_can_be_imported(environment: dict[str, str]) -> None:
    """Numba translates no function meanwhile, which takes half a minute."""
    environment["NUMBA_DISABLE_JIT"] = "1"
    done = run(environment, sys.executable, "-c", IMPORT_ALL)
    assert (done.stdout, done.returncode) == ("all\n", 0), done.stderr


@pytest.mark.slow
def test_a_worker_of_the_server_answers(environment: dict[str, str]) -> None:
    command = [sys.executable, "-P", "-m", "advisor.web.worker", "10"]
    job = {"job": 1, "task": "position", "game": ["connect4"], "board": "44", "moves": []}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert json.loads(worker.stdout.readline()) == {"ready": True}
        worker.stdin.write(json.dumps({**job, "weights": "default"}) + "\n")
        worker.stdin.flush()
        assert json.loads(worker.stdout.readline())["result"]["discs"] == 2
        worker.stdin.close()
