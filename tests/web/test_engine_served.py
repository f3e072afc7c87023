"""An engine that decides for the page: in chess alone, under its own name."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from command import advisor
from commands import ENTRY, ROOT

FIXED = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Fixed 1\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "go":
        print("info depth 9 score cp 31 pv d2d4 d7d5", flush=True)
        print("bestmove d2d4", flush=True)
"""
"""A program that always opens with the same pawn."""


@pytest.mark.slow
def test_a_server_lets_its_engine_decide_in_chess_alone(tmp_path: Path) -> None:
    file = tmp_path / "fixed.py"
    file.write_text(FIXED)
    server = subprocess.Popen(
        [*ENTRY, "serve", "--port", "0", "--engine", shlex.join([sys.executable, str(file)])],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[0].rstrip("/")
        with httpx.Client(base_url=address, timeout=180) as client:
            asked = {"game": "chess", "time": 1, "explain": True}
            told = client.post("/api/suggest", json=asked).json()
            assert (told["engine"], told["depth"], told["best"]) == ("Fixed 1", 9, ["d2d4"])
            assert told["headline"] == "Play d4: +31 (Fixed 1, depth 9)."
            level = client.post("/api/suggest", json={"game": "chess", "level": 1}).json()
            assert "engine" not in level
            other = client.post("/api/suggest", json={"game": "tictactoe", "depth": 1}).json()
            assert "engine" not in other
    finally:
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0


def test_a_server_does_not_start_without_its_engine() -> None:
    done = advisor("serve", "--port", "0", "--engine", "no-such-engine")
    assert (done.code, done.out) == (2, "")
    assert "'no-such-engine' cannot be started" in done.err
