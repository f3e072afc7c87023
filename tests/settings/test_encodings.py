"""The rules of the game as the encodings have them, against the bitboards and by brute force."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from clingo import ast
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import EncodingError
from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Board
from advisor.games.phrasing import Cell
from advisor.games.players import PLAYERS
from advisor.settings.reading import load
from aspcircuits.clingo_api import Program, Term
from aspcircuits.source import includes, statements
from games import Size, played, positions

DATA = Path(__file__).parents[1] / "data"
CONNECT4 = ENCODINGS / "connect4"
RULES = [CONNECT4 / f"{name}.lp" for name in ("board", "outcome", "threats", "forced")]
README = ENCODINGS / "README.md"
EVERY = sorted(ENCODINGS.rglob("*.lp"))
FILES = sorted(file for file in CONNECT4.rglob("*.lp") if file.name != "rules.lp")
"""Encodings of the game whose files promise atoms to each other, in a table of the README."""
SHARED = sorted({*CONNECT4.glob("*.lp")} & {*FILES})
"""The files of suggestions and evaluations; other files may read every atom that these derive."""
SHOWING = ["evaluate.lp", "suggest.lp", "plan.lp", "reading.lp"]
"""The files whose answers a program reads."""
SIZES: list[Size] = [(7, 6, 4), (5, 4, 3), (4, 5, 4), (6, 3, 2), (8, 7, 5), (3, 3, 3), (5, 2, 4)]
UNUSUAL: list[Size] = [(1, 1, 1), (1, 1, 2), (1, 6, 4), (6, 1, 4), (3, 3, 5), (4, 4, 1), (12, 9, 6)]


def derived(position: Board) -> dict[str, set[Term]]:
    """The arguments of everything that the rules derive, by predicate."""
    program = Program(
        [*RULES, DATA / "everything.lp"], position.facts(), position.geometry.constants
    )
    model = program.solve()
    assert model is not None
    found: dict[str, set[Term]] = {}
    for atom in model.atoms:
        name, *arguments = atom if isinstance(atom, tuple) else (atom,)
        found.setdefault(name, set()).add(tuple(arguments))
    return found


def children(position: Board) -> dict[Cell, Board]:
    """The positions after each move, by the square that is taken."""
    return {
        (position.row_of(column), column): position.after(column) for column in position.moves()
    }


def lines(size: Size) -> list[tuple[Cell, ...]]:
    """Every line, found by walking from every square in every direction."""
    width, height, connect = size
    found = []
    for row, column in product(range(1, height + 1), range(1, width + 1)):
        for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
            line = tuple((row + up * i, column + right * i) for i in range(connect))
            if all(1 <= r <= height and 1 <= c <= width for r, c in line):
                found.append(line)
    return found


@settings(max_examples=30)
@given(positions(SIZES))
def test_the_rules_are_those_of_the_bitboards(position: Board) -> None:
    found = derived(position)
    g = position.geometry
    assert found.get("valid_move", set()) == set(g.squares_of(position.playable))
    assert found.get("win", set()) == ({(position.winner,)} if position.winner else set())
    assert ("full" in found) == position.full
    assert ("over" in found) == (position.result() is not None)
    threats = {p: set(g.squares_of(position.winning_squares(p))) for p in PLAYERS}
    assert found.get("threat", set()) == {(p, *s) for p in PLAYERS for s in threats[p]}
    winning = {p: threats[p] & set(g.squares_of(position.playable)) for p in PLAYERS}
    assert found.get("winning_move", set()) == {(p, *s) for p in PLAYERS for s in winning[p]}
    assert found.get("blocking_move", set()) == winning[3 - position.turn]


@settings(max_examples=30)
@given(positions(SIZES))
def test_a_threat_is_a_square_on_which_a_disc_makes_a_line(position: Board) -> None:
    found = derived(position).get("threat", set())
    owner = {(row, column): player for player, row, column in position.cells()}
    g = position.geometry
    brute = {
        (player, *hole)
        for line in lines((g.width, g.height, g.connect))
        for hole in line
        for player in PLAYERS
        if hole not in owner and all(owner.get(s) == player for s in line if s != hole)
    }
    assert found == brute


@settings(max_examples=30)
@given(positions(SIZES))
def test_forced_results_are_those_of_the_game_tree(position: Board) -> None:
    found = derived(position)
    after = children(position)
    me, opponent = position.turn, 3 - position.turn
    if position.winner:
        expected = {(position.winner, 0)}
    elif position.full:
        expected = set()
    elif any(child.winner for child in after.values()):
        expected = {(me, 1)}
    elif all(any(c.winner for c in children(child).values()) for child in after.values()):
        expected = {(opponent, 2)}
    else:
        expected = set()
    assert found.get("decided", set()) == expected


@settings(max_examples=30)
@given(positions(SIZES, open_only=True))
def test_a_safe_move_is_one_after_which_the_opponent_cannot_win_at_once(
    position: Board,
) -> None:
    # A move that wins counts by what the opponent could do if the game went on.
    brute = {
        square
        for square, child in children(position).items()
        if not any(c.winner == child.turn for c in children(child).values())
    }
    winning = {s for s, child in children(position).items() if child.winner}
    assert derived(position).get("safe_move", set()) - winning == brute - winning


@settings(max_examples=30)
@given(positions([(5, 4, 4), (4, 4, 4), (4, 5, 3), (5, 2, 4), (3, 3, 5)], min_plies=8))
def test_drawn_means_that_no_line_is_open_or_no_square_is_left(position: Board) -> None:
    g = position.geometry
    owners = [
        {position.at(*square) for square in line} - {0}
        for line in lines((g.width, g.height, g.connect))
    ]
    nobody = all(len(found) == 2 for found in owners)
    expected = nobody or (position.full and not position.winner)
    assert ("drawn" in derived(position)) == expected


def test_a_drawn_board_is_drawn_before_it_is_full() -> None:
    # xo.. over xxoo over ooxx over xxoo
    position = played((4, 4, 4), [0, 2, 1, 3, 2, 0, 3, 1, 0, 2, 1, 3, 0, 0])
    assert position.plies_left == 2
    assert "drawn" in derived(position)


def test_a_game_won_with_the_last_disc_is_not_drawn() -> None:
    found = derived(played((1, 1, 1), [0]))
    assert found["decided"] == {(1, 0)}
    assert "full" in found
    assert "drawn" not in found


@pytest.mark.parametrize("size", [*SIZES, *UNUSUAL], ids=str)
def test_the_number_of_lines(size: Size) -> None:
    w, h, n = size
    constants = {"width": w, "height": h, "connect": n}
    found = dict(Program([CONNECT4 / "board.lp"], constants=constants).atoms("line", 1))
    assert len(found) == len(lines(size))
    if n <= min(w, h):
        formula = 4 * w * h - 3 * w * n - 3 * h * n + 3 * w + 3 * h - 4 * n + 2 * n * n + 2
        assert len(found) == formula


def test_the_standard_board_has_69_lines() -> None:
    assert len(dict(Program([CONNECT4 / "board.lp"]).atoms("line", 1))) == 69


@settings(max_examples=8)
@pytest.mark.parametrize("program", ["moves", "features"])
@given(st.data())
def test_clingo_has_nothing_to_remark(program: str, data: st.DataObject) -> None:
    config = load()
    position = data.draw(positions([*SIZES, *UNUSUAL]))
    weights = [("weight", name, weight) for name, weight in config.weights[program].items()]
    for given_facts in ([], [*position.facts(), *weights]):
        grounded = Program(config.files(program), given_facts, position.geometry.constants)
        assert grounded.messages == ()


def header(file: Path) -> dict[str, str]:
    """The sections of the comment that opens an encoding, such as Purpose and Derives."""
    found: dict[str, str] = {}
    section = ""
    for line in file.read_text().splitlines():
        if not line.startswith("%"):
            break
        if start := re.match(r"% ([A-Z][a-z]+): +(.*)", line):
            section = start.group(1)
            found[section] = start.group(2)
        elif not line.strip("% "):
            section = "remarks"
            found[section] = ""
        else:
            found[section] += "\n" + line[1:].strip()
    return found


def derived_atoms(file: Path) -> Iterator[str]:
    """The atoms under ``Derives:`` as name/arity.

    Two forms are known: ``name/arity`` anywhere, and ``name(A, B) - meaning`` line by line.
    """
    for line in header(file)["Derives"].splitlines():
        if counted := re.findall(r"\b([a-z]\w*/\d+)", line):
            yield from counted
        elif named := re.match(r"[a-z]\w*(?=\(| +-)", line):
            yield f"{named.group()}/{arity(line[named.end() :])}"


def arity(text: str) -> int:
    """How many arguments stand in the parentheses with which the text begins, if it does."""
    depth, commas = 0, 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        commas += character == "," and depth == 1
        if not depth:
            break
    return commas + 1 if text.startswith("(") else 0


def test_the_header_is_understood() -> None:
    told = {"sentence/2", "short/2", "final/1", "decisive/1"}
    assert set(derived_atoms(CONNECT4 / "strategy.lp")) == {"fires/2", "because/3", *told}
    assert {"open/2", "threat/3", "threat/4"} <= set(derived_atoms(CONNECT4 / "threats.lp"))
    assert {"win/1", "full/0", "over/0"} <= set(derived_atoms(CONNECT4 / "outcome.lp"))
    assert {"decided/2", "drawn/0"} <= set(derived_atoms(CONNECT4 / "evaluate.lp"))


@pytest.mark.parametrize("file", EVERY, ids=lambda file: f"{file.parent.name}/{file.name}")
class TestEveryFile:
    def test_opens_with_its_contract(self, file: Path) -> None:
        assert file.read_text().startswith("% Purpose: ")
        assert {"Purpose", "Input"} <= header(file).keys()
        assert {"Derives", "Shows"} & header(file).keys()

    def test_holds_neither_weights_nor_scripts(self, file: Path) -> None:
        assert "#script" not in without_comments(file)
        assert "weight/2" not in derived_by_rules(file)

    def test_includes_no_other(self, file: Path) -> None:
        assert not [*includes(file)]

    def test_is_at_most_100_columns_wide(self, file: Path) -> None:
        assert max(map(len, file.read_text().splitlines())) <= 100


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
class TestEachFile:
    def test_marks_what_it_does_not_promise(self, file: Path) -> None:
        private = {atom for atom in derived_by_rules(file) if atom.startswith("_")}
        assert derived_by_rules(file) - private <= set(derived_atoms(file))
        assert not private & {atom for other in FILES for atom in derived_atoms(other)}

    def test_shows_atoms_only_where_answers_are_read(self, file: Path) -> None:
        assert ("#show" in without_comments(file)) == (file.name in SHOWING)


@pytest.mark.parametrize("file", SHARED, ids=lambda file: file.name)
def test_each_shared_file_derives_what_it_says(file: Path) -> None:
    program = {f for name in ("moves", "features") for f in load().files(name)}
    shown = set().union(*map(derived_by_rules, program)) if file.name == "evaluate.lp" else set()
    assert set(derived_atoms(file)) <= derived_by_rules(file) | shown


def derived_by_rules(file: Path) -> set[str]:
    """What a file derives, as name/arity."""
    return {
        head.signature
        for statement in statements([file])
        if statement.kind in ("rule", "choice")
        for head in statement.heads
    }


def test_no_private_predicate_is_read_by_another_file() -> None:
    for file in FILES:
        read = {atom for atom in read_atoms(file) if atom.startswith("_")}
        assert read <= derived_by_rules(file), file


def test_the_contract_lists_every_public_atom_and_no_other() -> None:
    listed = set(re.findall(r"^\| `([a-z_]\w*/\d)`", README.read_text(), re.MULTILINE))
    given = {"cell/3", "turn/1", "weight/2", "controller/1", "extended/0"}
    assert listed == given | {atom for file in FILES for atom in derived_atoms(file)}


def test_the_contract_says_who_reads_an_atom() -> None:
    victor = set((CONNECT4 / "victor").glob("*.lp"))
    read = {file: set(read_atoms(file)) for file in FILES}
    scope = set(SHARED)
    rows = 0
    for line in README.read_text().splitlines():
        if line.startswith("## The nine strategic rules"):
            scope = victor
        row = re.match(r"\| `([a-z_]\w*/\d)` \|.*\| (.*) \|$", line)
        if row is None or row[2] == "everyone":
            continue
        rows += 1
        atom = row[1]
        told = "".join(part for part in row[2].split(";") if "show" not in part)
        named = {file for file in FILES if f"`{file.name}`" in told}
        readers = {file for file in scope if atom in read[file]}
        derivers = {file for file in FILES if atom in derived_atoms(file)}
        if "`victor/`" in told:
            assert any(atom in read[file] for file in victor), atom
            readers -= victor
        assert named <= {file for file in FILES if atom in read[file]}, atom
        missing = readers - derivers - named
        assert not missing, f"{atom}: {sorted(f.name for f in missing)}"
    assert rows > 50


class _Reader(ast.Transformer):
    """Collects the atoms of what it visits."""

    def __init__(self) -> None:
        self.atoms: set[str] = set()

    def visit_SymbolicAtom(self, atom: ast.AST) -> ast.AST:  # noqa: N802 (clingo's name for it)
        symbol = atom.symbol
        self.atoms.add(f"{symbol.name}/{len(symbol.arguments)}")
        return atom


def read_atoms(file: Path) -> set[str]:
    """The atoms, as name/arity, on which one file depends; atoms that it only shows are left
    out."""
    reader = _Reader()

    def collect(statement: ast.AST) -> None:
        if statement.ast_type in (ast.ASTType.Rule, ast.ASTType.Minimize):
            reader.visit_sequence(statement.body)
        head = statement.head if statement.ast_type == ast.ASTType.Rule else None
        for element in getattr(head, "elements", ()):
            literal = getattr(element, "condition", ())
            if isinstance(literal, ast.AST):  # an aggregate's: the atom and its condition
                literal = literal.condition
            reader.visit_sequence(literal)

    ast.parse_string(file.read_text(), collect)
    return reader.atoms


def without_comments(file: Path) -> str:
    return re.sub(r"%.*", "", file.read_text())


def error_of(program: str, tmp_path: Path) -> str:
    """What is wrong with an encoding, without the folder."""
    file = tmp_path / "own.lp"
    file.write_bytes(program.encode())
    with pytest.raises(EncodingError) as error:
        statements([file])
    return str(error.value).replace(f"{tmp_path}/", "")


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("a.\n#program base(k).\nb.", "own.lp:2: '#program base(k).': only #program base is "),
        ("a.\n#program foo.\nb.", "own.lp:2: '#program foo.': only #program base is "),
        ("% a\rb.\rc.", "own.lp:1: a carriage return ends no line in clingo"),
        ("a.\nb(3000000000).", "own.lp:2: '3000000000' is out of range (use -2147483648 to "),
        ("a.\n%* b %* c *%", "own.lp:2: this comment is never closed"),
        ("%*\n" * 300_000, "own.lp:1: this comment is never closed"),
        ('a.\nb("c).', "own.lp:2: this quoted text does not end on its line"),
        ('b("' + '\\"' * 300_000, "own.lp:1: this quoted text does not end on its line"),
        *(
            (f"a(X) :- X = {term}.", "own.lp:1: brackets or operators are nested more than 100 ")
            for term in ("1" + "+1" * 200_000, "-" * 200_000 + "1", "|" * 200_000, "(" * 200_000)
        ),
        ("b(" + ",".join(["(1;2)"] * 40) + ").", "own.lp:1: the pools of one atom stand for more "),
        ("a" * 1_000_001, "own.lp: is too large (at most 1000000 bytes)"),
    ],
)
def test_an_encoding_that_clingo_would_read_differently_is_refused(
    program: str, told: str, tmp_path: Path
) -> None:
    assert error_of(program, tmp_path).startswith(told)


def test_comments_within_each_other_and_large_numbers_in_them_are_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "own.lp"
    file.write_text(
        '%* %* ( *% 3000000000 " *% a(-2147483648, "%* é", 1+1). % 3000000000 "\n'
        + f'b(X) :- X = 1{"+1" * 90}.\r\n#program base.\n#include "c.lp".\n'
    )
    (tmp_path / "c.lp").write_text("c.")
    assert [str(head.name) for s in statements([file]) for head in s.heads] == ["a", "b", "c"]
    assert [*includes(file)] == [4]
