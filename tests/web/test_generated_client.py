"""What `/api/openapi.json` says is enough for programs that make a client from it."""

import inspect
import json
import keyword
import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from asking import serving

validator = pytest.importorskip(
    "openapi_spec_validator", reason="openapi-spec-validator is not installed"
)

ROOT = Path(__file__).parents[2]
MAKER = shutil.which("openapi-python-client")

Operations = dict[str, tuple[str, str, dict[str, Any]]]
"""Of each operation by its id: its method, its path, and what is said of it."""


def operations(document: dict[str, Any]) -> Operations:
    """All operations; two of one id would be one here, and the validator refuses them."""
    return {
        known["operationId"]: (method, path, known)
        for path, item in document["paths"].items()
        for method, known in item.items()
        if method != "parameters"
    }


def described(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/openapi.json").json()
    return found


@pytest.mark.slow
def test_the_document_is_openapi_and_names_every_operation_and_every_object() -> None:
    with serving() as (client, _):
        document = described(client)
    validator.validate(document)
    known = operations(document)
    assert {"suggest", "review", "puzzle_hint", "class_hand_in", "rules_why", "prove"} <= set(known)
    assert all(len(each["tags"]) == 1 for _, _, each in known.values())
    parts = document["components"]["schemas"]
    assert not objects(document["paths"])  # all of them are parts, which have names
    for name, part in parts.items():
        if part["type"] == "object":
            assert part["title"] == name
            assert not objects([*part["properties"].values()])


def objects(schema: Any) -> list[str]:
    """The keys of objects that have no name."""
    if isinstance(schema, list):
        return [key for each in schema for key in objects(each)]
    if not isinstance(schema, dict):
        return []
    own = [*schema["properties"]] if isinstance(schema.get("properties"), dict) else []
    return own + [key for each in schema.values() for key in objects(each)]


@pytest.mark.slow
@pytest.mark.skipif(
    MAKER is None, reason="openapi-python-client is not on the path (it needs an older typer)"
)
def test_a_generated_client_reads_every_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is lost: the object that it has read makes the JSON again."""
    monkeypatch.syspath_prepend(str(tmp_path))
    own, members = tmp_path / "noughts", tmp_path / "class"
    shutil.copytree(ROOT / "encodings" / "tictactoe", own)
    (own / "strategy.lp").write_text("fires(middle, put(2, 2)) :- free(2, 2).\n")
    (own / "weights.yaml").write_text("depth: 3\nmoves: {middle: 2}\n")
    members.mkdir()
    read: set[str] = set()
    for options in (("--game", own), ("--class", members)):
        with serving(*options) as (client, printed):
            key = next(filter(None, (re.search("owner=(.*?) ", line) for line in printed)))
            document = described(client)
            if not read:
                make_client(document, tmp_path)
            for name, (method, path, known) in operations(document).items():
                with_key = {"KEY": key[1], "FOLDER": own.name}
                status = check_round_trip(client, name, method, path, known, with_key)
                if status == 200:
                    read.add(name)
    # No rules are written over others that were not read.
    assert set(operations(document)) - read == {"rules_save"}


def make_client(document: dict[str, Any], folder: Path) -> None:
    assert MAKER
    (folder / "openapi.json").write_text(json.dumps(document))
    command = [MAKER, "generate", "--path", "openapi.json", "--meta", "none"]
    made = subprocess.run(
        [*command, "--output-path", "generated"], cwd=folder, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stdout + made.stderr
    # It says what it leaves out; ruff, which it would like to call, may be missing.
    assert "unsupported" not in (made.stdout + made.stderr).lower()


def check_round_trip(
    client: httpx.Client,
    name: str,
    method: str,
    path: str,
    known: dict[str, Any],
    with_key: dict[str, str],
) -> int:
    """Send the example of an operation; the client's types hold all of it and of the answer."""
    tag = known["tags"][0].replace(" ", "_")
    tag, name = (each + "_" * keyword.iskeyword(each) for each in (tag, name))
    made = import_module(f"generated.api.{tag}.{name}")
    body = None
    if method == "post":
        given = known["requestBody"]["content"]["application/json"]["example"]
        given = {
            key: with_key.get(value, value) if isinstance(value, str) else value
            for key, value in given.items()
        }
        body = inspect.signature(made._get_kwargs).parameters["body"].annotation.from_dict(given)
        assert body.to_dict() == given
    address = path.replace("{chapter}/{number}", "chapter1/1")
    response = client.request(method, address, json=body and body.to_dict())
    parsed = made._parse_response(client=None, response=response)
    assert parsed is not None, (name, response.status_code, response.text)
    assert parsed.to_dict() == response.json(), name
    return response.status_code
