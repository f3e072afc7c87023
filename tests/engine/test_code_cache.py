"""Kept files: only this edition's are read, and whatever becomes of them, answers stay the same."""

import os
import pickle
import shutil
import stat
import sys
import zlib
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
import aspcircuits
from advisor.games.rules import Rules, read
from advisor.games.translation import LEAF, Translation
from aspcircuits import circuit, code_cache

KEY = code_cache.key("tests", "something")
PROGRAM = "high(N) :- 2 { in(N); in(N+1); in(N+2) }, not in(N+3), N = 1..3.\n"
INPUTS = [("in", number) for number in range(1, 6)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(code_cache, "_WORTH_KEEPING", -1.0)
    return tmp_path / "cache" / "asp-advisor"


# Editions


@pytest.fixture
def edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Tells the edition of copies of the two packages."""
    for package in (advisor, aspcircuits):
        [place] = package.__path__
        copy = tmp_path / package.__name__
        shutil.copytree(place, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
        monkeypatch.setattr(package, "__path__", [str(copy)])
    return partial(code_cache.edition.__wrapped__, "advisor")


@pytest.mark.parametrize("module", ["aspcircuits/gates.py", "advisor/games/connect4/board.py"])
def test_a_change_of_a_module_is_another_edition(
    tmp_path: Path, edition: Callable[[], str], module: str
) -> None:
    before = edition()
    assert edition() == before
    with open(tmp_path / module, "a") as file:
        file.write("# changed\n")
    assert edition() != before


def test_each_package_has_its_own_edition(tmp_path: Path, edition: Callable[[], str]) -> None:
    compiler = partial(code_cache.edition.__wrapped__, "aspcircuits")
    before, advisers = compiler(), edition()
    assert before != advisers
    (tmp_path / "advisor" / "limits.py").unlink()
    assert compiler() == before
    assert edition() != advisers


@pytest.mark.parametrize(
    ("where", "name"),
    [(sys, "version"), (np, "__version__"), ("aspcircuits.clingo_api", "VERSION")],
)
def test_another_python_numpy_or_clingo_is_another_edition(
    edition: Callable[[], str], monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    before = edition()
    monkeypatch.setattr(
        f"{where}.{name}" if isinstance(where, str) else where,
        *(("0",) if isinstance(where, str) else (name, "0")),
    )
    assert edition() != before


# Whatever becomes of a file


def small_circuit(folder: Path) -> object:
    file = folder / "small.lp"
    file.write_text(PROGRAM)
    asked = [file], INPUTS, [("high", 1)], dict[str, int]()
    made = circuit.load_kept(*asked) or circuit.compile_and_keep(*asked)
    return made.inputs, made.outputs, made.results, made.explain(("high", 1))


def rules_and_gates(_folder: Path) -> object:
    rules = read("tictactoe")
    net = Translation.load_or_make(rules, LEAF)
    return rules, rules.display, net.netlist.gates(net.literal(a) for a, _ in net.of("goal"))


def seconds(_folder: Path) -> object:
    before = code_cache.seconds_spent(KEY)
    if not 0 <= before <= 1.5:
        return before
    code_cache.spend(KEY, 1.5 - before)
    return code_cache.seconds_spent(KEY)


def whole(content: bytes) -> bytes:
    """A file whose digest is right, whatever it holds."""
    return sha256(content).digest() + content


def as_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()
    (file / "something").write_text("else")


def as_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def as_link_to_nothing(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


SPOILT: dict[str, Callable[[Path], object]] = {
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "empty": lambda file: file.write_bytes(b""),
    "random": lambda file: file.write_bytes(np.random.default_rng(1).bytes(5000)),
    "not packed": lambda file: file.write_bytes(whole(b"nothing")),
    "no pickle": lambda file: file.write_bytes(whole(zlib.compress(b"nothing"))),
    "of a missing module": lambda file: file.write_bytes(
        whole(zlib.compress(b"cpathlib._missing\nPath\n."))
    ),
    "of a missing class": lambda file: file.write_bytes(
        whole(zlib.compress(b"caspcircuits.errors\nMissing\n."))
    ),
    "of another kind": lambda file: file.write_bytes(whole(zlib.compress(pickle.dumps(5)))),
    "no number": lambda file: file.write_text("nan"),
    "less than nothing": lambda file: file.write_text("-1e99"),
    "writable for others": lambda file: file.chmod(0o666),
    "a folder": as_folder,
    "a pipe": as_pipe,
    "a link to itself": as_link_to_nothing,
}


@pytest.mark.parametrize("answer", [small_circuit, rules_and_gates, seconds])
def test_a_spoilt_file_is_made_again_in_silence(
    folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    answer: Callable[[Path], object],
) -> None:
    expected = answer(tmp_path)
    kept = [*folder.iterdir()]
    assert kept
    assert answer(tmp_path) == expected
    for how, spoil in SPOILT.items():
        for file in kept:
            spoil(file)
        assert answer(tmp_path) == expected, how
        assert {file.lstat().st_mode for file in kept} == {stat.S_IFREG | 0o600}, how
        assert sorted(folder.iterdir()) == sorted(kept), how
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_a_file_of_somebody_else_is_not_read(folder: Path) -> None:
    code_cache.write(KEY, b"code")
    os.chown(folder / KEY, 12345, 12345)
    assert code_cache.read(KEY) is None
    code_cache.write(KEY, b"code")
    assert code_cache.read(KEY) == b"code"


def test_whatever_the_mask_of_new_files_what_is_kept_is_found(folder: Path) -> None:
    before = os.umask(0)
    try:
        code_cache.write(KEY, b"code")
    finally:
        os.umask(before)
    assert code_cache.read(KEY) == b"code"


# Other checkouts


@pytest.mark.parametrize("answer", [small_circuit, rules_and_gates])
def test_no_kept_file_names_a_folder(
    folder: Path, tmp_path: Path, answer: Callable[[Path], object]
) -> None:
    answer(tmp_path)
    for file in folder.iterdir():
        content = zlib.decompress(file.read_bytes()[code_cache._DIGEST :])
        assert b"pathlib" not in content, "a path"
        assert str(Path.cwd()).encode() not in content
        assert str(tmp_path).encode() not in content


def test_a_kept_circuit_is_explained_by_the_files_that_are_there(
    folder: Path, tmp_path: Path
) -> None:
    made = []
    for checkout in ("first", "second"):
        (tmp_path / checkout).mkdir()
        made.append(small_circuit(tmp_path / checkout))
        assert len([*folder.iterdir()]) == 1
        shutil.rmtree(tmp_path / checkout)
    assert made[0] == made[1]


def test_kept_rules_have_the_name_of_the_folder_that_they_are_read_from(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games: list[Rules] = []
    for name in ("first", "second"):
        shutil.copytree(read("tictactoe").files[0].parent, tmp_path / name)
        monkeypatch.chdir(tmp_path / name)
        games.append(read("."))
        found = [part for part in games[-1].program.files if part.exists()]
        assert found
    assert [game.name for game in games] == ["first", "second"]
    assert games[0].key == games[1].key


# The lock


def test_only_the_run_that_makes_code_goes_on(folder: Path) -> None:
    assert not code_cache.is_free_for(1), "there is no folder, so nothing can be kept"
    with code_cache.exclude_others(1):
        assert code_cache.is_free_for(1)
        assert not code_cache.is_free_for(2)
    assert code_cache.is_free_for(2)
    shutil.rmtree(folder)
    assert not code_cache.is_free_for(1)


# What doctor says


def test_what_is_found_in_the_folder_is_counted(folder: Path) -> None:
    code_cache.write(KEY, b"code")
    code_cache.spend(code_cache.key("tests", "else"), 1.0)
    (folder / ("0" * 64)).write_bytes(b"older")
    (folder / code_cache.key("tests", "spoilt")).write_bytes(b"")
    (folder / code_cache.key("tests", "folder")).mkdir()
    with code_cache.exclude_others():
        found = code_cache.contents()
    assert found is not None
    assert (found.files, found.others, found.damaged) == (5, 1, 2)


def test_a_key_names_who_makes_it_and_of_what() -> None:
    key = code_cache.key("advisor.games.rules", ("hex", 3))
    assert code_cache.key("advisor.games.rules", ("hex", 3)) == key
    others = [("advisor.games.circuits", ("hex", 3)), ("advisor.games.rules", ("hex", 4))]
    others += [("aspcircuits.circuit", ("hex", 3))]
    assert key not in {code_cache.key(*asked) for asked in others}
