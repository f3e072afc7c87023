"""JSON that programs read from commands stays as it was.

`data/golden.json` holds earlier answers. Every key in them must still be there, with an equal
value; new keys may stand beside it. `python tests/cli/test_golden.py` writes the file anew, for
answers that are meant to change.
"""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from command import advisor, is_missing

FILE = Path(__file__).parents[1] / "data" / "golden.json"

COMMANDS = (
    "suggest 363224242233 --depth 4 --json",
    "suggest 4453 --depth 4 --json",
    "suggest 12 --size 4x4 --depth 3 --no-book --json",
    "suggest 4453 --depth 0 --weights original --json",
    "suggest 12 --size 5x4 --depth 3 --exact --json",
    "suggest 5 --depth 1 --weights pomakis --json",
    "suggest 'put(1,1) put(3,3) put(1,2)' --game tictactoe --depth 9 --json",
    "suggest 'e4 e5 Bc4 Nc6 Qh5 Nf6' --game chess --depth 1 --json",
    "suggest --game chess --depth 0 --json",
    "review 12344321 --size 4x4 --depth 4 --time 60 --json",
    "review 'f3 e5 g4 Qh4#' --game chess --depth 1 --json",
    "threats 142454 --json",
    "threats 'e4 e5 Qh5 Nc6 Bc4' --game chess --json",
    "moves 4453 --json",
    "moves e4 --game chess --json",
    "solve 11 --size 4x4 --columns --json",
    "puzzle chapter3/30 --json",
    "puzzle mate1/1 --game chess --json",
    "match default:depth=1 pomakis:depth=1 --games 2 --json",
    "game check tictactoe --json",
)

MEASURED = {"seconds", "nodes", "leaves", "machine_code", "elo", "plies_per_s"}
"""What differs from run to run, or with the machine."""


def answer(command: str) -> Any:
    """What a command prints, without what was measured."""
    return unmeasured(json.loads(advisor(*shlex.split(command)).out))


def unmeasured(said: Any) -> Any:
    """Return an answer without the parts that differ from run to run."""
    if isinstance(said, dict):
        return {key: unmeasured(value) for key, value in said.items() if key not in MEASURED}
    return [unmeasured(each) for each in said] if isinstance(said, list) else said


def missing(golden: Any, said: Any, place: str = "") -> list[str]:
    """Return the parts of an earlier answer that a present one lacks or changes."""
    if isinstance(golden, dict) and isinstance(said, dict):
        gone = [f"{place}.{key} is gone" for key in golden.keys() - said.keys()]
        both = [key for key in golden if key in said]
        return gone + [m for key in both for m in missing(golden[key], said[key], f"{place}.{key}")]
    if isinstance(golden, list) and isinstance(said, list) and len(golden) == len(said):
        pairs = enumerate(zip(golden, said, strict=True))
        return [m for i, (old, new) in pairs for m in missing(old, new, f"{place}[{i}]")]
    return [] if golden == said else [f"{place}: {said!r} instead of {golden!r}"]


@pytest.mark.skipif(
    is_missing("advisor prove"), reason="some answers say what only the plugin for proofs knows"
)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_programs_read_stays(command: str) -> None:
    golden = json.loads(FILE.read_text())[command]
    assert not missing(golden, answer(command))


def test_a_change_is_found() -> None:
    golden = {"best": [4], "moves": [{"column": 4, "score": {"kind": "win"}}]}
    assert not missing(golden, {**golden, "new": 1})
    assert missing(golden, {"best": [4]}) == [".moves is gone"]
    changed = {"best": [4], "moves": [{"column": 4, "score": {"kind": "loss"}}]}
    assert missing(golden, changed) == [".moves[0].score.kind: 'loss' instead of 'win'"]


if __name__ == "__main__":
    answers = {command: answer(command) for command in COMMANDS}
    text = ",\n".join(f"{json.dumps(c)}: {json.dumps(said)}" for c, said in answers.items())
    FILE.write_text("{" + text + "}\n")
    sys.stdout.write(f"{len(answers)} answers in {FILE}\n")
