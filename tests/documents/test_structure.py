"""Imports point one way, and each outside library has its place."""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import advisor
from advisor.extras import EXTRAS
from advisor.lab import doctor

ROOT = Path(advisor.__file__).parent
ARCHITECTURE = ROOT.parent / "ARCHITECTURE.md"
PACKAGES = ["advisor", "aspcircuits"]
MODULES = {
    ".".join(file.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for package in PACKAGES
    for file in (ROOT.parent / package).rglob("*.py")
}

FLOORS = [
    ["errors", "extras"],
    ["limits", "registry"],
    ["files"],
    ["engine"],
    ["settings"],
    ["games"],
    ["advice"],
    ["views", "lab"],
    ["library"],
    ["web"],
    ["cli"],
    ["__main__"],
    ["plugins"],
]
"""The rooms of `advisor`, bottom up: a room imports itself and rooms on lower floors."""

USERS = ["web", "cli"]
"""Rooms that use only the public interface."""

TO_USERS = ["library", "views", "errors", "extras", "limits", "registry", "files"]
"""What these know besides: pictures, files, how to stop and to fail, packages, processes."""

_INNER = re.compile(
    r"\.(abilities|settings|circuits|begin|side|winning_side|read_move|read_typed"
    r"|code_of|draw|moves_line)\b"
)
"""What is internal of games and positions."""

ONLY_IN = {
    "clingo": [
        "aspcircuits.clingo_api",
        "aspcircuits.source",
        "aspcircuits.rewriting",
        "aspcircuits.growth",
    ],
    "llvmlite": ["aspcircuits.llvm", "aspcircuits.compiling"],
    "numba": ["aspcircuits.compiling"],
    "typer": ["advisor.cli", "advisor.plugins"],
    "rich": ["advisor.cli"],
    "pyarrow": ["advisor.files.tablefile"],
    "starlette": ["advisor.web", "advisor.plugins"],
    "uvicorn": ["advisor.cli", "advisor.web"],
    "yaml": ["advisor.files.textfile"],
    "pydantic": [
        "advisor.settings",
        "advisor.games.position_file",
        "advisor.web",
        "advisor.plugins",
    ],
}
"""Outside libraries, and the modules or packages in which they are used."""


@cache
def imported(module: str) -> list[str]:
    """The full name of every module that a module imports, at its top or inside a function."""
    found: list[str] = []
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.append(inner if inner in MODULES else node.module)
    return found


def within(module: str, packages: list[str]) -> bool:
    """Whether a module is one of these or inside one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@pytest.mark.slow
@pytest.mark.parametrize("floor", range(len(FLOORS)))
def test_rooms_import_what_is_below_them(floor: int) -> None:
    below = [f"advisor.{room}" for rooms in FLOORS[:floor] for room in rooms]
    for room in FLOORS[floor]:
        members = [module for module in MODULES if within(module, [f"advisor.{room}"])]
        assert members
        for module in members:
            for name in imported(module):
                if name == "advisor":
                    assert room in (*USERS, "plugins"), f"{module} imports the public interface"
                elif within(name, ["advisor"]):
                    assert within(name, [f"advisor.{room}", *below]), f"{module} imports {name}"


@pytest.mark.parametrize("room", USERS)
def test_commands_and_server_know_the_public_interface_alone(room: str) -> None:
    allowed = [f"advisor.{each}" for each in (*TO_USERS, *USERS[: USERS.index(room) + 1])]
    members = [module for module in MODULES if within(module, [f"advisor.{room}"])]
    assert len(members) > 10
    for module in members:
        for name in imported(module):
            if name != "advisor" and within(name, ["advisor"]):
                assert within(name, allowed), f"{module} imports {name}"
        inner = _INNER.search(MODULES[module].read_text())
        assert inner is None, f"{module} uses {inner and inner[0]}"


def test_every_module_has_its_room() -> None:
    rooms = ["aspcircuits", *(f"advisor.{room}" for rooms in FLOORS for room in rooms)]
    assert all(within(module, rooms) for module in MODULES if module != "advisor")


def test_the_compiler_knows_nothing_of_games() -> None:
    members = [module for module in MODULES if within(module, ["aspcircuits"])]
    assert len(members) > 20
    for module in members:
        for name in imported(module):
            assert not within(name, ["advisor"]), f"{module} imports {name}"
            known = sys.stdlib_module_names | {
                "aspcircuits",
                "clingo",
                "numpy",
                "llvmlite",
                "numba",
            }
            assert name.partition(".")[0] in known, f"{module} imports {name}"


def test_no_imports_go_in_a_circle() -> None:
    graph = {m: {n for n in imported(m) if n in MODULES and n != m} for m in MODULES}
    # A package that imports its own modules is no circle; they import its name with theirs.
    for module in graph:
        graph[module] -= {p for p in graph[module] if module.startswith(f"{p}.")}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_a_name_of_a_type_stands_for_one_thing() -> None:
    told = defaultdict[str, set[str]](set)
    for module, file in MODULES.items():
        # JSON has the names of what it tells; options of commands are types only for the parser.
        if module.rpartition(".")[2] in ("answers", "models", "options"):
            continue
        for node in ast.parse(file.read_text()).body:
            match node:
                case ast.ClassDef(name) | ast.Assign([ast.Name(name)]):
                    if re.fullmatch("[A-Z][a-z]\\w*", name):
                        told[name].add(module)
    assert {name: modules for name, modules in told.items() if len(modules) > 1} == {}


def test_every_module_says_in_its_first_line_what_it_is_for() -> None:
    for module, file in MODULES.items():
        first = (ast.get_docstring(ast.parse(file.read_text())) or "").partition("\n")[0]
        assert first.endswith((".", ":", "?")), f"{module}: {first!r}"


def test_the_architecture_names_every_room() -> None:
    text = ARCHITECTURE.read_text()
    assert all(f"`{package}/`" in text for package in PACKAGES)
    for floor in FLOORS:
        for room in {*floor} - {"__main__"}:  # which calls the commands
            assert f"`{room}/`" in text or f"`{room}`" in text, room


def test_the_benchmarks_page_names_every_program() -> None:
    page = (ROOT.parent / "benchmarks" / "README.md").read_text()
    for program in (ROOT.parent / "benchmarks").glob("*/*.py"):
        if '__name__ == "__main__"' in program.read_text():
            assert f"`{program.parent.name}/{program.name}" in page, program.name


def test_the_registry_alone_knows_the_rooms_of_games() -> None:
    for room in ("advisor.games.connect4", "advisor.games.chess"):
        users = {m for m in MODULES if any(within(name, [room]) for name in imported(m))}
        # Proofs are about boards of Connect Four.
        known = [room, *(["advisor.plugins.proofs"] if room.endswith("connect4") else [])]
        assert {m for m in users if not within(m, known)} == {"advisor.games.rooms"}


@pytest.mark.parametrize("library", ONLY_IN)
def test_each_library_has_its_place(library: str) -> None:
    users = {m for m in MODULES if any(within(name, [library]) for name in imported(m))}
    assert all(within(module, ONLY_IN[library]) for module in users), users


def test_all_that_is_imported_is_declared() -> None:
    declared = {*doctor.PACKAGES, *(name for extra in EXTRAS.values() for name in extra)}
    beside = {"advisor", "aspcircuits", "chess"}  # the last one is used where it is installed
    for module in MODULES:
        for name in imported(module):
            known = declared | beside | sys.stdlib_module_names
            assert name.partition(".")[0] in known, f"{module} imports {name}"


def test_encodings_are_no_python_package() -> None:
    # The standard library has a package of that name.
    assert not list((ROOT.parent / "encodings").rglob("*.py"))


WITHOUT_A_ROOM = """
import sys
from pkgutil import iter_modules

from advisor import registry

ROOM = "advisor." + sys.argv[1]

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(ROOM):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Gone())
registry.iter_modules = lambda folders: (
    each for each in iter_modules(folders) if f"advisor.plugins.{each.name}" != ROOM
)
from advisor.cli import main

for line in sys.argv[2:]:
    sys.argv = ["advisor", *line.split()]
    try:
        main()
    except SystemExit as ended:
        print(f"{ended.code} {line}", file=sys.stderr)
"""


@pytest.mark.slow
def test_games_do_without_the_rooms_of_others(tmp_path: Path) -> None:
    others = [
        "suggest --game tictactoe b2 --depth 1 --explain",
        "review --game tictactoe b2 --depth 1",
        "solve --game tictactoe b2 a1",
        "draw --game tictactoe -o board.svg",
        "facts --game tictactoe",
        "game check tictactoe --games 10",
        "moves --game chess",
    ]
    ours = ["suggest 4453 --depth 2", "review 44 --depth 1", "moves 44"]
    unproved = ["suggest --depth 2 --explain", "suggest 333 --size 5x4 --explain", *ours, "--help"]
    rooms = ("games.connect4", others), ("games.chess", ours), ("plugins.proofs", unproved)
    for room, lines in rooms:
        command = [sys.executable, "-c", WITHOUT_A_ROOM, room, *lines]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
        told = [line for line in done.stderr.splitlines() if not line.startswith("note")]
        assert told == [f"0 {line}" for line in lines]


def test_no_two_files_of_tests_share_a_name() -> None:
    """pytest keeps modules of folders without `__init__.py` by their names alone."""
    tests = ROOT.parent / "tests"
    counted = Counter(file.name for file in tests.rglob("*.py") if file.name != "conftest.py")
    assert [name for name, count in counted.items() if count > 1] == []


def test_the_workflow_names_folders_that_exist() -> None:
    workflow = (ROOT.parent / ".github/workflows/test.yml").read_text()
    folders = re.findall(r"\btests/[\w/]+", workflow)
    assert folders
    assert [folder for folder in folders if not (ROOT.parent / folder).exists()] == []
