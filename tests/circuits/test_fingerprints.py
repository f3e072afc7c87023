"""What is kept is named after all modules that made it."""

import subprocess
import sys
from pathlib import Path

import pytest

from advisor.circuits import code_cache
from commands import ROOT, environment

PACKAGE = {
    "__init__": "",
    "top": '"""from made.unused import x"""\nfrom made import first as f\nimport made.plain\n',
    "first": "from made.deep.second import (\n    one,\n    two as three,\n)\n",
    "plain": "import os.path\nx = 1\n",
    "deep/__init__": "",
    "deep/second": "def late():\n    from made.last import name\n",
    "last": "import made.top\nname = 1\n",
    "unused": "x = 1\n",
}
"""Modules, by their places; all but the last one are imported by the one that is on top."""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in PACKAGE.items():
        file = tmp_path / "made" / f"{name}.py"
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    code_cache._file.cache_clear()
    return tmp_path / "made"


def fingerprint() -> str:
    code_cache.fingerprint.cache_clear()
    return code_cache.fingerprint("made.top")


@pytest.mark.parametrize("name", ["top", "first", "plain", "deep/second", "last"])
def test_a_change_of_any_module_that_is_imported_gives_another_name(
    package: Path, name: str
) -> None:
    before = fingerprint()
    assert fingerprint() == before
    file = package / f"{name}.py"
    file.write_text(f"{file.read_text()}# changed\n")
    assert fingerprint() != before


def test_other_modules_do_not_count(package: Path) -> None:
    before = fingerprint()
    (package / "unused.py").write_text("x = 2\n")
    (package / "another.py").write_text("x = 2\n")
    assert fingerprint() == before


LOADED = """
import sys
from importlib import import_module
from types import ModuleType
from advisor.circuits import code_cache

class Compiler(ModuleType):  # which would translate for seconds
    Words = object
    def __getattr__(self, name):
        return lambda given, *others: given

recipes = sys.argv[1:]
for name in recipes:
    for loaded in [each for each in sys.modules if each.startswith("advisor.")]:
        del sys.modules[loaded]
    sys.modules["advisor.circuits.compiling"] = Compiler("compiling")
    import_module(name)
    found = [m for m in sys.modules.values() if m.__name__.startswith("advisor.")]
    real = {m.__name__ for m in found if not hasattr(m, "__path__")}
    missing = real - set(code_cache.imported(name))
    assert not missing, (name, missing)
    print(len(real))
"""
"""Holds what is found in the texts to what Python itself loads, packages alone excepted."""

MADE_FROM = (
    "advisor.engine.kernel",
    "advisor.engine.playout_kernel",
    "advisor.games.connect4.search_kernel",
    "advisor.games.connect4.plans.trial_kernel",
    "advisor.games.connect4.compiled_rules",
    "advisor.circuits.native",
    "advisor.circuits.circuit",
    "advisor.games.machine",
    "advisor.games.rules",
    "advisor.games.translation",
)


def test_every_module_that_python_loads_is_found() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *MADE_FROM],
        env=environment(),
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == len(MADE_FROM)
