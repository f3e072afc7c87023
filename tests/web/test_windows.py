"""Without what Windows lacks, the package can still be imported and served."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import ENTRY

MISSING = """
import os, signal, sys
sys.modules.update(dict.fromkeys(("fcntl", "grp", "pwd", "resource", "termios", "tty"), None))
for module, names in (
    (os, "fork forkpty getuid geteuid killpg nice register_at_fork setsid getpgid fchmod chown"),
    (signal, "SIGKILL SIGHUP SIGXCPU SIGXFSZ SIGALRM SIGPIPE SIGUSR1 setitimer alarm"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
"""

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
    """In which every Python that is started lacks these."""
    (tmp_path / "sitecustomize.py").write_text(MISSING)
    paths = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_every_module_can_be_imported(environment: dict[str, str]) -> None:
    done = run(environment, sys.executable, "-c", IMPORT_ALL)
    assert (done.stdout, done.returncode) == ("all\n", 0), done.stderr


def test_a_class_is_refused_in_one_line(environment: dict[str, str], tmp_path: Path) -> None:
    done = run(environment, *ENTRY, "serve", "--port", "0", "--class", str(tmp_path / "class"))
    assert done.returncode == 2
    assert done.stderr.startswith("error: --class: ")
    assert done.stderr.count("\n") == 1


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
        worker.stdin.write(json.dumps({**job, "key": "board", "weights": "default"}) + "\n")
        worker.stdin.flush()
        assert json.loads(worker.stdout.readline())["result"]["discs"] == 2
        worker.stdin.close()
