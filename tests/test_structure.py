"""Imports point one way, and each outside library has its place."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import advisor

ROOT = Path(advisor.__file__).parent
MODULES = {
    ".".join(("advisor", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): file
    for file in ROOT.rglob("*.py")
}

FOUNDATION = ["errors", "resources", "textfile"]

MAY_IMPORT = {
    "errors": [],
    "resources": [],
    "textfile": ["errors"],
    "search": [],
    "asp": ["errors"],
    "connect4": ["errors", "textfile"],
    "config": [*FOUNDATION, "asp"],
    "evaluator": ["asp", "config", "connect4", "search"],
    "exact": ["errors", "connect4"],
    "victor": ["errors", "resources", "asp", "connect4"],
    "advise": [*("errors", "asp", "config", "connect4", "search", "evaluator", "exact", "victor")],
}
"""The core, bottom up: what each module or package may import of the others."""

ONLY_IN = {
    "clingo": ["advisor.asp.clingo_api"],
    "typer": ["advisor.cli"],
    "rich": ["advisor.cli"],
    "starlette": ["advisor.web"],
    "uvicorn": ["advisor.cli", "advisor.web"],
    "yaml": ["advisor.config", "advisor.textfile", "advisor.connect4.notation", "advisor.puzzles"],
    "pydantic": ["advisor.config", "advisor.web"],
}
"""Outside libraries, and the modules or packages in which they are used."""


def imported(module: str) -> Iterator[str]:
    """The full name of every module that a module imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def within(module: str, packages: list[str]) -> bool:
    """Whether a module is one of these or inside one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_the_core_imports_downwards_only(part: str) -> None:
    allowed = [f"advisor.{name}" for name in (part, *MAY_IMPORT[part])]
    members = [module for module in MODULES if within(module, [f"advisor.{part}"])]
    assert members
    for module in members:
        for name in imported(module):
            if within(name, ["advisor"]):
                assert within(name, allowed), f"{module} imports {name}"


@pytest.mark.parametrize("shell", ["advisor.cli", "advisor.web"])
def test_nothing_imports_a_user_interface_but_the_command_line(shell: str) -> None:
    for module in MODULES:
        if not within(module, [shell, "advisor.cli"]):
            assert not any(within(name, [shell]) for name in imported(module)), module


def test_no_imports_go_in_a_circle() -> None:
    graph = {m: {n for n in imported(m) if n in MODULES and n != m} for m in MODULES}
    # A package that imports its own modules is no circle; they import its name with theirs.
    for module in graph:
        graph[module] -= {p for p in graph[module] if module.startswith(f"{p}.")}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize("library", ONLY_IN)
def test_each_library_has_its_place(library: str) -> None:
    users = {m for m in MODULES if any(within(name, [library]) for name in imported(m))}
    assert all(within(module, ONLY_IN[library]) for module in users), users


def test_encodings_are_no_python_package() -> None:
    # The standard library has a package of that name.
    assert not list((ROOT.parent / "encodings").rglob("*.py"))
