"""The nine rules as an answer set program: published facts, and every condition shown to matter."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Board, geometry
from advisor.plugins.proofs.victor.plan import TwoColumns
from advisor.plugins.proofs.victor.prove import PLAN, READING, bound
from aspcircuits.clingo_api import Program

DATA = Path(__file__).parents[2] / "data"
VICTOR = ENCODINGS / "connect4" / "victor"
CASES = json.loads((DATA / "victor_cases.json").read_text())["cases"]
REFUTED = json.loads((DATA / "victor_refuted.json").read_text())["positions"]


def position(rows: str) -> Board:
    """Rows of 0, 1, 2 from the top; the number of discs decides whose turn it is."""
    lines = rows.split("/")
    g = geometry(len(lines[0]), len(lines))
    sides = [0, 0, 0]
    for row, line in enumerate(reversed(lines), 1):
        for column, digit in enumerate(line, 1):
            sides[int(digit)] |= g.bit(row, column)
    turn = 1 + (sides[1] | sides[2]).bit_count() % 2
    return Board(g, turn, sides[turn], sides[1] | sides[2])


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["diagram"])
def test_diagrams_of_the_thesis(case: dict[str, object], strict: bool) -> None:
    board = position(str(case["rows"]))
    assert board.turn == case["to_move"]
    found = bound(board, int(str(case["controller"])), strict)
    if case["expect"] != "proof":
        assert found is None
    elif case["controller"] == 1 or case["black_wins_claim"]:
        assert found == "wins"
    else:
        assert found == "holds"


@pytest.mark.parametrize(
    ("size", "proved"),
    [
        ((4, 4), True),
        ((5, 4), True),
        ((6, 4), True),
        ((6, 6), True),
        ((6, 8), True),
        ((7, 4), False),
        ((7, 6), False),
    ],
)
def test_empty_boards_that_black_holds(size: tuple[int, int], proved: bool) -> None:
    assert bound(Board(geometry(*size)), 2) == ("holds" if proved else None)


@pytest.mark.parametrize("height", [4, 6, 8])
def test_first_moves_of_white_that_black_can_answer(height: int) -> None:
    board = Board(geometry(7, height))
    answered = [column for column in range(1, 8) if bound(board.play(column), 2)]
    assert answered == [1, 2, 3, 5, 6, 7]


@pytest.mark.parametrize("height", [6, 8])
def test_replies_that_allow_a_proof(height: int) -> None:
    board = Board(geometry(7, height))
    replies = {
        column: [reply for reply in range(1, 8) if bound(board.play(column).play(reply), 2)]
        for column in range(1, 5)
    }
    assert replies == {1: [2, 4], 2: [3], 3: [4], 4: []}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("case", REFUTED, ids=lambda case: case["condition"])
def test_no_proof_of_what_is_false(case: dict[str, object], strict: bool) -> None:
    assert bound(position(str(case["rows"])), int(str(case["controller"])), strict) is None


# Each condition above, and how it is taken out of the encodings: (file, text, what replaces it).
DROPPED = {
    "no claimeven below an inverse": (
        "compatible.lp",
        ":- claimeven(R, C), inverse_from(R', C), R < R'.",
        "",
    ),
    "disjoint squares": ("compatible.lp", ":- square(R, C), #count{ A : part(A, R, C) } > 1.", ""),
    "highinverse does not share lower and middle": (
        "answers.lp",
        "shared(high(R, C), R, C, R + 1, C) :- high(R, C, R', C').",
        "shared(high(R, C), R - 1, C, (R;R+1), C) :- high(R, C, R', C').",
    ),
    "specialbefore needs the square above its playable one": (
        "derived.lp",
        "on(B, R, C), _atop(B, G, C), on(G, R', C'),",
        "on(B, R, C), on(G, R', C'),",
    ),
    "the middle square of a baseclaim is odd": (
        "answers.lp",
        "_base(C), base(R, C'), _free(R + 1, C'), odd(R), _base(C''),",
        "_base(C), base(R, C'), _free(R + 1, C'), _base(C''),",
    ),
    "aftereven only with claimevens": (
        "derived.lp",
        "_sure(R, C) :- claimeven(R, C).",
        "_sure(R, C) :- claimeven(R, C). _sure(R, C) :- vertical(R, C).",
    ),
    "the playable odd square of a threat column is not white's": (
        "white.lp",
        "odd(R'), R' < R, empty(R', C), not playable(R', C).",
        "odd(R'), R' < R, empty(R', C).",
    ),
    "the threat column is taken out": (
        "white.lp",
        "threat_column(C) :- odd_threat(R, C).",
        "",
    ),
    "the threat is odd and not playable": (
        "white.lp",
        "_threat(R, C) :- on(G, R, C), odd(R), R > 1, empty(R, C), not playable(R, C),",
        "_threat(R, C) :- on(G, R, C), empty(R, C),",
    ),
}


@pytest.mark.parametrize("case", REFUTED, ids=lambda case: case["condition"])
def test_without_its_condition_there_is_a_wrong_proof(
    case: dict[str, object], tmp_path: Path
) -> None:
    """The positions above would not notice a condition that has no effect; this one does."""
    name, text, instead = DROPPED[str(case["condition"])]
    copy = shutil.copytree(VICTOR, tmp_path / "victor")
    whole = (copy / name).read_text()
    assert text in whole
    board = position(str(case["rows"]))
    facts = [
        *(("cell", *cell) for cell in board.cells()),
        ("turn", board.turn),
        ("controller", case["controller"]),
    ]
    constants = board.geometry.constants
    files = [copy / file.name for file in PLAN]
    assert Program(files, facts, constants).solve() is None
    (copy / name).write_text(whole.replace(text, instead))
    assert Program(files, facts, constants).solve() is not None


def test_clingo_has_nothing_to_remark() -> None:
    program = Program(READING, constants={"width": 8})
    assert program.messages == ()


def combinations(height: int) -> Iterator[tuple[int, int, int, int]]:
    """(row of X and Y, row of Z, lowest empty row in X's column, the same in Y's column)."""
    for row in range(3, height, 2):
        for z in (row - 1, row + 1):
            for low in range(1, row):
                for beside in range(1, min(row, z) + 1):
                    yield row, z, low, beside


@pytest.mark.parametrize("height", [4, 6, 8])
def test_promises_of_a_threat_combination_can_be_kept_together(height: int) -> None:
    """Every order of moves in the two columns; white.lp derives the promises."""
    g = geometry(2, height)
    for row, z, low, beside in combinations(height):
        empty = [(r, 1) for r in range(low, height + 1)]
        empty += [(r, 2) for r in range(beside, height + 1)]
        facts = [("combination", row, 1, 2, z), ("playable", low, 1), ("playable", beside, 2)]
        facts += [("empty", *square) for square in empty]
        facts += [("odd", r) for r in range(1, height + 1, 2)]
        program = Program([VICTOR / "white.lp"], facts, g.constants)
        model = program.solve()
        assert model is not None
        stops = [g.bit(*atom[2:]) for atom in model.atoms if atom[0] == "denied"]
        for atom in model.atoms:
            if atom[0] == "shared":
                (r, c, r2, c2) = atom[2:]
                if c != c2:
                    stops.append(g.bit(r, c) | g.bit(r2, c2))
                    continue
                # A promise within a column is about vertical groups, whose squares below may be
                # Black's already.
                for start in range(max(1, r2 - 3), min(r, height - 3) + 1):
                    line = sum(g.bit(q, c) for q in range(start, start + 4) if q >= beside)
                    stops.append(line)
        assert stops
        x, y, other = g.bit(row, 1), g.bit(row, 2), g.bit(z, 2)
        # Squares below do not matter here: neither a win nor a stop needs them.
        game = TwoColumns(g.columns, g.bottom, (x | y, x | other), tuple(stops))
        filled = g.full - sum(g.bit(*square) for square in empty)
        for spare in (0, 1):
            if (len(empty) + spare) % 2:
                assert game.can_hold(0, filled, spare), (height, row, z, low, beside, spare)
