"""Answers that programs read over HTTP stay as they were.

`data/http.json` holds requests with earlier answers. Every key of an answer must still be there,
with an equal value; new keys may stand beside it. Every example of `docs/http.md` is among the
requests. `python tests/web/test_http_golden.py` writes the file anew, for answers that are meant to
change.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "cli")]

from test_golden import missing, unmeasured  # noqa: E402

import advisor  # noqa: E402
from asking import serving  # noqa: E402

pytestmark = pytest.mark.skipif(
    "prove" not in advisor.__all__, reason="some answers say what only the plugin for proofs knows"
)

FILE = ROOT / "tests" / "data" / "http.json"
PUZZLES = "puzzles/chapter1/1"
LINES = "application/x-ndjson"

DOCUMENTED = re.findall(
    r"^\| `/api/([\w/]+)` \| `(.*?)` \|", (ROOT / "docs/http.md").read_text(), re.M
)

MORE: tuple[tuple[str, str], ...] = (
    ("position", "{}"),
    ("position", '{"board": "44", "moves": [4, 4], "width": 5}'),
    ("position", '{"board": "x../ox.", "width": 3, "height": 2}'),
    ("position", '{"board": "width: 5\\nmoves: 1234\\n"}'),
    ("position", '{"board": "1212121"}'),
    ("position", '{"board": "4493"}'),
    ("position", '{"moves": [4, 9]}'),
    ("position", '{"width": 13}'),
    ("position", '{"bord": ""}'),
    ("position", '{"board": 4}'),
    ("position", '{"board": "moves: [1]\\nwidth: 13\\n"}'),
    ("suggest", '{"board": "3312", "width": 5, "height": 4, "depth": 2, "explain": true}'),
    ("suggest", '{"board": "363224242233", "level": 4}'),
    ("suggest", '{"board": "12", "width": 5, "height": 4, "depth": 3, "exact": 20}'),
    ("suggest", '{"board": "4453", "depth": 0, "weights": "original"}'),
    ("suggest", '{"depth": 0, "weights": "extends: default\\nmoves: {center: {0: 7}}\\n"}'),
    ("suggest", '{"board": "1212121"}'),
    ("suggest", '{"depth": 2, "level": 3}'),
    ("suggest", '{"depth": 101}'),
    ("suggest", '{"weights": "nobody"}'),
    ("threats", '{"game": "chess", "board": "e4 f6 Qh5"}'),
    ("threats", '{"board": "1212121"}'),
    ("exact", '{"board": "12", "width": 5, "height": 4, "time": 30}'),
    ("exact", '{"board": "1212121"}'),
    ("prove", '{"board": "4453", "player": "o", "by": "rules"}'),
    ("prove", '{"board": "1", "width": 5, "height": 4}'),
    ("review", '{"board": "12344321", "width": 4, "height": 4, "depth": 4, "time": 30}'),
    ("review", '{"board": ""}'),
    ("batch", '{"boards": ["44", "9", "1212121"], "depth": 3, "time": 30}'),
    ("batch", '{"boards": []}'),
    ("weights", '{"weights": "/etc/passwd"}'),
    ("position", '{"game": "hex", "constants": {"size": 3}, "moves": ["b2"]}'),
    ("position", '{"game": "chess", "board": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "moves": ["O-O"]}'),
    (
        "position",
        '{"game": "breakthrough", "constants": {"width": 3, "height": 5}, "moves": ["b2b3"]}',
    ),
    ("position", '{"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3"]}'),
    ("position", '{"game": "reversi", "constants": {"size": 4}}'),
    ("position", '{"game": "morris"}'),
    ("position", '{"game": "tictacto"}'),
    ("position", '{"game": "tictactoe", "moves": ["b2", "b2"]}'),
    ("position", '{"game": "chess", "board": "nothing"}'),
    ("position", '{"game": "hex", "constants": {"sise": 3}}'),
    ("suggest", '{"game": "tictactoe", "moves": ["a2"], "depth": 9, "explain": true}'),
    ("suggest", '{"game": "tictactoe", "moves": ["b2", "a1"], "depth": 9, "exact": 20}'),
    ("review", '{"game": "chess", "moves": ["f3", "e5", "g4", "Qh4#"], "depth": 1}'),
    ("review", '{"game": "tictactoe"}'),
    ("puzzles/chapter3/5/try", '{"moves": [1]}'),
    ("puzzles/chapter3/5/hint", '{"step": 1}'),
    ("puzzles/second/6x5/2/hint", '{"step": 2}'),
    ("puzzles/chapter9/9/try", "{}"),
)
"""Beside the examples: sizes, levels, other weights, errors."""

READ = ("games", "server", "puzzles", "puzzles/chapter1/1", "puzzles/second/6x5/2")
STREAMED = (
    ("suggest", '{"board": "3312", "width": 5, "height": 4, "depth": 2}'),
    ("review", '{"board": "12344321", "width": 4, "height": 4, "depth": 4, "time": 30}'),
    ("batch", '{"boards": ["44", "9"], "depth": 2}'),
)


def answer(client: httpx.Client, asked: str) -> Any:
    """The status and the answer to a request, without what was measured."""
    name, _, body = asked.partition(" ")
    path = f"/api/{name}"
    if name in READ:
        response = client.get(path)
    elif body.startswith("lines "):
        headers = {"Accept": LINES, "Content-Type": "application/json"}
        response = client.post(path, content=body.removeprefix("lines "), headers=headers)
        lines = [unmeasured(json.loads(line)) for line in response.text.splitlines()]
        return {"status": response.status_code, "lines": lines}
    else:
        headers = {"Content-Type": "application/json"}
        response = client.post(path, content=body, headers=headers)
    found = unmeasured(response.json())
    # Random games are others each time; a page is read by people.
    changing = "playouts" in response.text or name.startswith("export")
    return {"status": response.status_code, "answer": shape(found) if changing else found}


def shape(said: Any) -> Any:
    """An answer's keys, and what kind of values they have."""
    if isinstance(said, dict):
        return {key: shape(value) for key, value in said.items()}
    return [*map(shape, said[:1])] if isinstance(said, list) else type(said).__name__


ASKED = [
    *READ,
    *(f"{path} {body}" for path, body in (*DOCUMENTED, *MORE)),
    *(f"{path} lines {body}" for path, body in STREAMED),
]


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with serving() as (found, _):
        yield found


@pytest.mark.parametrize("asked", ASKED)
def test_what_programs_read_stays(client: httpx.Client, asked: str) -> None:
    golden = json.loads(FILE.read_text())[asked]
    assert not missing(golden, answer(client, asked))


if __name__ == "__main__":
    with serving() as (asking, _):
        FILE.write_text(json.dumps({asked: answer(asking, asked) for asked in ASKED}, indent=0))
