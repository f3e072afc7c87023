"""The search as machine code: the scores of the search in Python, and published ones."""

import threading
import weakref
from pathlib import Path
from random import Random

import pytest

from advisor.games.bounds import Bounds
from advisor.games.connect4 import compiled_search
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.compiled_search import CompiledSearch, Team
from advisor.games.connect4.solver import Solver, known_bounds
from aspcircuits import llvm, tiers
from aspcircuits.llvm import Library
from aspcircuits.stopping import Stop
from aspcircuits.tiers import Tiers
from test_sets import read_test_set

pytestmark = pytest.mark.skipif(not llvm.available(), reason="machine code needs the extra fast")

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT.parent / "benchmarks" / "data"

# Up to 64 bits with the empty row on top of each column; two with room for lines upwards only.
BOARDS = [
    (7, 6, 4), (5, 4, 4), (6, 5, 3), (8, 7, 4), (9, 6, 5), (16, 3, 4), (32, 1, 3), (1, 20, 4),
    (3, 15, 4), (4, 4, 2), (6, 6, 5),
]  # fmt: skip


def late(g: Geometry, random: Random, most_empty: int) -> Board:
    """From a random unfinished game, with at most this number of empty squares."""
    while True:
        position = Board(g)
        while position.plies_left > most_empty or random.random() < 0.8:
            moves = [c for c in position.moves() if position.after(c).result() is None]
            if not moves:
                break
            position = position.after(random.choice(moves))
        else:
            return position


def composed(g: Geometry, random: Random, empty: int) -> Board:
    """Any discs of either player that make no line, and as many empty squares."""
    while True:
        heights = [g.height] * g.width
        for _ in range(empty):
            heights[random.choice([c for c in range(g.width) if heights[c]])] -= 1
        mask = sum(g.bit(r + 1, c + 1) for c, h in enumerate(heights) for r in range(h))
        mover = mask & random.getrandbits(64)
        if not g.has_line(mover) and not g.has_line(mover ^ mask):
            return Board(g, random.choice((1, 2)), mover, mask)


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_scores_are_those_of_the_search_in_python(board: tuple[int, int, int]) -> None:
    g, random = geometry(*board), Random(str(board))
    python, compiled = Solver(g, machine_code=False), Solver(g, machine_code=True)
    team = Solver(g, machine_code=True, jobs=3)
    for i in range(25):
        most = min(13, g.squares - 1)
        position = composed(g, random, most // 2) if i % 4 == 0 and g.connect > 2 else None
        position = position or late(g, random, most)
        score = python.solve(position).score
        assert compiled.solve(position).score == score, position
        assert i % 5 or team.solve(position).score == score, position
        signs = [
            {c: s.outcome for c, s in solver.outcomes(position).items()}
            for solver in (python, compiled)
        ]
        assert signs[0] == signs[1], position


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "count"),
    [
        (ROOT / "data" / "pons" / "Test_L3_R1", 100),
        (ROOT / "data" / "pons" / "Test_L1_R1", 100),
        (SAMPLES / "pons_middle_medium.txt", 30),
        (SAMPLES / "pons_begin_medium.txt", 3),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_published_scores(file: Path, count: int) -> None:
    solver = Solver(geometry(), machine_code=True)
    team = Solver(geometry(), machine_code=True, jobs=2)
    for case in read_test_set(file)[:count]:
        assert team.solve(case.position).score == case.score, case
        assert solver.solve(case.position).score == case.score, case


def test_other_boards_go_on_in_python() -> None:
    for board in ((8, 8, 4), (7, 6, 1), (3, 3, 4)):
        assert not compiled_search.suits(geometry(*board))
    solver = Solver(geometry(8, 8, 4), machine_code=True)
    assert solver.solve(Board(solver.geometry), Stop(0.1)).score is None


def test_a_table_grows_up_to_its_bound_and_keeps_what_is_proved() -> None:
    code = compiled_search.tiers.get_now()
    assert code is not None
    g = geometry(6, 5, 4)
    position = Board(g)
    questions = (position.mover, position.mask, 0, g.squares, 1, Stop())
    sizes, nodes = [], []
    for most in (1 << 15, 1 << 18, 1 << 24):
        search = CompiledSearch(g, code, most)
        assert search.bound(*questions) < 1
        sizes.append(len(search._table) * 8)
        nodes.append(search.nodes)
        search.bound(*questions)
        assert search.nodes == nodes[-1] + 1, "the answer is in the table"
        kept = search._table[search._table != 0]
        assert len(kept) <= search._words.filled
        search._words.largest += 2
        search._enlarge()
        moved = search._table[search._table != 0]
        assert len(moved) == len(kept)
        assert search._words.data_bits == compiled_search._WORD_BITS - search._words.tag_bits
        search.bound(*questions)
        assert search.nodes == nodes[-1] + 2, "and in the larger one"
    assert sizes[:2] == [1 << 15, 1 << 18]
    assert 1 << 18 < sizes[2] <= 1 << 24
    assert nodes[0] > nodes[1] > nodes[2]


@pytest.mark.parametrize("jobs", [1, 2])
def test_another_thread_stops_it_and_it_goes_on_later(jobs: int) -> None:
    position = Board(geometry())
    solver, stop = Solver(position.geometry, machine_code=True, jobs=jobs), Stop()
    steps: list[Bounds] = []
    timer = threading.Timer(0.2, stop.set)  # which would never run if it held Python's lock
    timer.start()
    found = solver.solve(position, stop, steps.append)
    known = known_bounds(position)
    assert found.score is None
    assert known.lower < found.lower <= 1 <= found.upper < known.upper
    assert steps[-1] == found
    assert solver.solve(position, stop).nodes == 0
    for column in (4, 4, 5, 3, 4, 4, 4, 4, 2, 3, 1, 1):
        position = position.play(column)
    assert (
        solver.solve(position).score == Solver(geometry(), machine_code=True).solve(position).score
    )


def test_a_team_shares_a_table_and_what_one_proves_the_others_know() -> None:
    code = compiled_search.tiers.get_now()
    assert code is not None
    g = geometry(6, 5, 4)
    question = Board(g).mover, Board(g).mask, 0, g.squares, 1, Stop()
    alone, team = CompiledSearch(g, code), Team(g, code, compiled_search.TABLE_BYTES, 3)
    assert (alone.bound(*question) < 1) == (team.bound(*question) < 1)
    assert len({search._table.ctypes.data for search in team._searches}) == 1
    assert all(search.nodes for search in team._searches)
    for search in team._searches:
        before = search.nodes
        search.bound(*question)
        assert search.nodes == before + 1, "the answer is in the table"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Tiers[Library]:
    """The code, which is there already and not yet loaded."""
    compiled_search.tiers.get_now()
    fresh = Tiers(compiled_search.tiers.recipe)
    monkeypatch.setattr(compiled_search, "tiers", fresh)
    return fresh


def test_long_work_goes_over_to_machine_code(later: Tiers[Library]) -> None:
    solver, position = Solver(geometry(6, 5, 4)), Board(geometry(6, 5, 4))
    late_one = position.play_all([4, 4, 4, 4, 4, 1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 3, 3, 3, 3])
    assert solver.solve(late_one).score is not None
    assert later.function is None, "that is done sooner without"
    loading = threading.Timer(0.1, later.get_now)
    loading.start()
    assert solver.solve(position).score == 0  # in half a minute by Python
    loading.join()
    assert later.function is not None


def test_code_in_use_stays_where_it_is(later: Tiers[Library]) -> None:
    """Whoever works without it yet, as with another game, goes on telling how long that takes."""
    loaded = set()
    for seconds in (0.1, 3600, 3600):
        later.count_seconds(seconds)
        for thread in tiers._threads:
            thread.join()
        loaded.add(later.function)
    assert len(loaded) == 1
    (library,) = loaded
    assert library is not None
    assert library.function("search", 4).library is library  # type: ignore[attr-defined]


def test_a_solver_gives_back_its_table_as_soon_as_nobody_has_it() -> None:
    solver = Solver(geometry(4, 4), machine_code=True)
    assert solver.solve(Board(geometry(4, 4))).score == 0
    alive = weakref.ref(solver)
    del solver
    assert alive() is None, "tables of many megabytes must not wait for the garbage collector"
