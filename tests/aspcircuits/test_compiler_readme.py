"""The examples of the compiler's documents."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import aspcircuits


@pytest.mark.parametrize(
    "name",
    ["aspcircuits", "aspcircuits.compiler", "aspcircuits.explaining", "aspcircuits.clingo_api"],
)
def test_examples_of_docstrings(name: str) -> None:
    ran = doctest.testmod(import_module(name), extraglobs={"aspcircuits": aspcircuits})
    assert ran.attempted > 0
    assert ran.failed == 0


def test_examples_of_the_readme() -> None:
    readme = Path(aspcircuits.__path__[0]) / "README.md"
    ran = doctest.testfile(str(readme), module_relative=False)
    assert ran.attempted > 5
    assert ran.failed == 0


def test_every_module_is_in_the_readme() -> None:
    folder = Path(aspcircuits.__path__[0])
    text = (folder / "README.md").read_text()
    for module in folder.glob("*.py"):
        assert module.stem == "__init__" or f"`{module.stem}`" in text, module.stem
