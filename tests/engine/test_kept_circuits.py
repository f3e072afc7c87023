"""Cached circuits equal compiled ones, whatever happens to the cache."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from advisor.games.connect4 import evaluator
from advisor.games.connect4.board import geometry
from advisor.settings import reading
from aspcircuits import circuit, code_cache
from aspcircuits.circuit import Circuit, Origin
from aspcircuits.clingo_api import Term
from aspcircuits.gates import TRUE

OUTPUTS = [("decided", 2), ("drawn", 0), ("feature", 3)]
SMALL = "high(N) :- 2 { in(N); in(N+1); in(N+2) }, not in(N+3), N = 1..3."
INPUTS: list[Term] = [("in", number) for number in range(1, 6)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "asp-advisor"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "small.lp"
    file.write_text(SMALL)
    return file


def compiled(file: Path, constants: dict[str, int] | None = None) -> Circuit:
    asked = [file], INPUTS, [("high", 1)], constants or {}
    return circuit.load_kept(*asked) or circuit.compile_and_keep(*asked)


def always(inputs: list[Term], output: Term) -> Circuit:
    """A circuit without gates, whose output holds whatever the inputs."""
    origin = partial(Origin, None, {})  # type: ignore[arg-type]
    return Circuit(tuple(inputs), (output,), [TRUE], [], origin)


def test_a_kept_circuit_is_the_compiled_one(folder: Path) -> None:
    g = geometry()
    files = reading.load("default").files("features")
    inputs = [("cell", player, *square) for player in (1, 2) for square in g.squares_of(g.full)]
    inputs += [("turn", player) for player in (1, 2)]
    fresh = circuit.compile_files(files, inputs, OUTPUTS, g.constants)
    circuit.compile_and_keep(files, inputs, OUTPUTS, g.constants)
    assert len([*folder.iterdir()]) == 1
    kept = circuit.load_kept(files, inputs, OUTPUTS, g.constants)
    assert kept is not None
    for name in ("inputs", "outputs", "nodes", "results", "gates", "messages"):
        assert getattr(kept, name) == getattr(fresh, name), name
    planes = np.random.default_rng(7).integers(0, 1 << 64, (len(inputs), 50), np.uint64)
    assert np.array_equal(kept(planes), fresh(planes))
    assert kept.explain(("threat", 1, 2, 3)) == fresh.explain(("threat", 1, 2, 3))


def test_what_is_kept_is_what_is_used(folder: Path, small: Path) -> None:
    compiled(small)
    (file,) = folder.iterdir()
    code_cache.store(file.name, always(INPUTS, ("high", 1)))
    assert compiled(small).outputs == (("high", 1),)
    file.write_bytes(file.read_bytes()[:-1])
    assert len(compiled(small).outputs) == 3
    again = circuit.load_kept([small], INPUTS, [("high", 1)], {})
    assert again is not None, "made again and kept"
    assert len(again.outputs) == 3


def test_what_is_kept_of_a_large_board_is_read_at_once(folder: Path) -> None:
    g, drawn = geometry(9, 8, 4), (("drawn", 0),)
    files = reading.load("default").files("features")
    inputs: list[Term] = [("cell", p, *square) for p in (1, 2) for square in g.squares_of(g.full)]
    inputs += [("turn", player) for player in (1, 2)]
    circuit.compile_and_keep(files, inputs, drawn, g.constants)
    (file,) = folder.iterdir()
    code_cache.store(file.name, always(inputs, "drawn"))
    assert evaluator.compile_open(files, g, drawn).gates == []


def test_another_program_is_another_circuit(folder: Path, small: Path) -> None:
    compiled(small)
    small.write_text(SMALL.replace("1..3", "1..most. #const most = 2"))
    assert len(compiled(small).outputs) == 2
    assert len(compiled(small, {"most": 1}).outputs) == 1
    assert len([*folder.iterdir()]) == 3


def test_without_a_cache_it_is_compiled(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc")
    assert len(compiled(small).outputs) == 3
    assert len(compiled(small).outputs) == 3
