"""Trees of random games: compiled code lets the same tree grow as NumPy, and what it holds for
certain is what an exhaustive search finds."""

import threading
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import advisor
from advisor.advice.advice import Advice
from advisor.advice.explain import move_sentences
from advisor.advice.facade import advise
from advisor.engine import uct_control as u
from advisor.engine.nodes import FORCED, INFINITE, WIN, Rows
from advisor.engine.rows import expand, for_movers, merge_states
from advisor.engine.uct import ByNumpy, Grower, UctSearch, UctTree, branches, think
from advisor.games import knowledge, rooms
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.rules import read
from advisor.limits import Limit
from aspcircuits.stopping import Stop

needs_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="compiled code needs the extra fast"
)
DATA = Path(__file__).parents[1] / "data"


@cache
def loaded(name: str, **constants: int) -> Circuits:
    game, _ = knowledge.load(name, constants=constants)
    return game


@cache
def by_mover() -> Circuits:
    """A game whose states are seen by the side to move."""
    return Circuits(read(str(DATA / "by_mover")), {("mark", "own"): 5, ("mark", "opp"): 3})


@cache
def wide() -> Circuits:
    """A game with more moves than words have bits."""
    return Circuits(read(str(DATA / "wide")), {"odd": 3, "seventh": 5})


def compiled(game: Circuits) -> Grower:
    """What lets a game's trees grow as machine code."""
    grower = game.tree.grower(now=True)
    assert grower is not None
    return grower


def begun(game: Circuits, row: Rows | None = None) -> UctTree:
    tree, row = UctTree(game.words, len(game.rules.moves)), game.start if row is None else row
    tree.begin(row, game.look(row[None]))
    return tree


def grown(game: Circuits, games: int, seed: int = 1) -> UctTree:
    tree = begun(game)
    compiled(game).grow(tree, UctSearch(seed, games, Stop()))
    return tree


def check(tree: UctTree) -> None:
    """What holds in any tree: counts agree, and no game is on its way."""
    used = tree.counters[u.ENTRIES]
    visits, wins, first, count = tree.columns[[u.VISITS, u.WINS, u.FIRST, u.COUNT], :used]
    assert (abs(wins) <= visits).all()
    nodes = np.flatnonzero(first)
    below = np.array([visits[first[n] : first[n] + count[n]].sum() for n in nodes])
    assert (below <= visits[nodes]).all()
    assert (visits[nodes] - below <= u.FEW_SLOTS * 16).all()


def same(one: UctTree, other: UctTree) -> bool:
    used = one.counters[u.ENTRIES]
    return (
        np.array_equal(one.counters, other.counters)
        and np.array_equal(one.columns[:, :used], other.columns[:, :used])
        and np.array_equal(one.states[: one.counters[1]], other.states[: one.counters[1]])
        and np.array_equal(one.means, other.means)
    )


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize(
    ("make", "games"),
    [
        (lambda: loaded("tictactoe"), 600),
        (lambda: loaded("hex"), 400),
        (lambda: loaded("breakthrough", width=5, height=5), 300),  # moves of the second's own
        (lambda: loaded("morris"), 200),  # several moves in a row
        (by_mover, 400),
        (wide, 200),
    ],
)
def test_trees_are_those_of_numpy(make: Callable[[], Circuits], games: int) -> None:
    game = make()
    trees = begun(game), begun(game)
    growers: tuple[Grower, Grower] = compiled(game), ByNumpy(game)

    def grow(asked: int | None, seed: int) -> None:
        for tree, grower in zip(trees, growers, strict=True):
            grower.grow(tree, UctSearch(seed, games, Stop(), asked))
            check(tree)
        assert same(*trees)

    grow(None, -5)
    # On from the state that most games led to, with one of its moves asked about.
    nodes = np.flatnonzero(trees[0].columns[u.FIRST, : trees[0].counters[u.ENTRIES]])
    node = nodes[1:][trees[0].columns[u.VISITS, nodes[1:]].argmax()]
    row = trees[0].states[trees[0].columns[u.STATE, node]].copy()
    before = trees[0].columns[u.VISITS, node]
    assert all(tree.go_on(row) for tree in trees)
    assert trees[0].columns[u.VISITS, 0] == before
    grow(int(game.look(row[None]).moves()[1][-1]), 7)
    assert trees[0].columns[u.VISITS, 0] >= before + games


@cache
def exact(game: Circuits) -> dict[bytes, int]:
    """The value of every state that can come up, for its side to move, by going back from the
    ends."""
    levels, rows = [], game.start[None]
    while len(rows):
        children = expand(game, rows)
        distinct, copy = merge_states(children.rows)
        levels.append((rows, children, copy))
        rows = distinct
    found: dict[bytes, int] = {}
    below = np.zeros(0, np.int64)
    for rows, children, copy in reversed(levels):
        look = children.look
        sign = np.where((look.turn == 0) | game.exchanges, 1, -1)
        ends = sign * look.result.astype(np.int64) * WIN
        values: npt.NDArray[np.int64] = np.where(look.over, ends, -INFINITE)
        np.maximum.at(values, children.parent, for_movers(game, children, below[copy]))
        found |= {row.tobytes(): int(value) for row, value in zip(rows, values, strict=True)}
        below = values * sign
    return found


@needs_numba
@pytest.mark.parametrize(
    ("make", "games"),
    [
        (lambda: loaded("tictactoe"), 20_000),
        (lambda: loaded("hex", size=3), 10_000),
        (lambda: loaded("breakthrough", width=3, height=4), 20_000),
        (by_mover, 20_000),
    ],
)
def test_what_is_certain_is_what_an_exhaustive_search_finds(
    make: Callable[[], Circuits], games: int
) -> None:
    game = make()
    known = exact(game)
    tree = grown(game, games)
    columns = tree.columns
    kinds = dict.fromkeys((-1, 0, 1), 0)
    for node in np.flatnonzero(columns[u.FIRST, : tree.counters[u.ENTRIES]]).tolist():
        below = tree.children(node)
        certain = below.start + np.flatnonzero(columns[u.PROVEN, below])
        row = tree.states[columns[u.STATE, node]]
        children = expand(game, row[None])
        ends = children.move[game.look(children.rows).over]
        assert not node or np.isin(ends, columns[u.MOVE, certain]).all()
        if not len(certain):
            continue
        look = game.look(row[None]).take(np.zeros(len(certain), np.intp))
        after = game.step(row[None].repeat(len(certain), 0), columns[u.MOVE, certain], look.turn)
        for entry, child in zip(certain, after, strict=True):
            proven, value = int(columns[u.PROVEN, entry]), -known[child.tobytes()]
            kind = 0 if proven == u.DRAWN else int(np.sign(proven))
            kinds[kind] += 1
            assert kind == (0 if abs(value) < FORCED else np.sign(value))
            assert kind == 0 or u.CERTAIN - abs(proven) >= WIN - abs(value)
    assert min(kinds[-1], kinds[1]) > 50
    # A root that is certain is the game's value, and its line leads to the end.
    if proven := int(columns[u.PROVEN, 0]):
        assert np.sign(proven) == np.sign(known[game.start.tobytes()])
        best = branches(tree)[0]
        state = rooms.by_circuits(game).begin()
        for move in best.line:
            state = state.after(state.name(move))
        assert (best.kind, state.over, state.winning_side) == ("win", True, 0)
        assert len(best.line) <= (best.plies or 0)


def advised(game: Circuits, moves: str = "", seed: int = 1, **more: object) -> Advice:
    limit = Limit(1)
    state = RuleAbilities(rooms.by_circuits(game).begin(moves))
    return advise(state, limit, np.random.default_rng(seed), **more)  # type: ignore[arg-type]


@needs_numba
def test_a_seed_makes_the_same_advice_with_or_without_machine_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fresh, _ = knowledge.load("hex")
    quick, _ = knowledge.load("hex")
    quick.tree.grower(now=True)
    monkeypatch.setattr(fresh.tree, "grower", lambda _seconds: None)
    first, second = advised(fresh), advised(quick)
    assert (first.machine_code, second.machine_code) == (False, True)
    assert first.to_json()["moves"] == second.to_json()["moves"]
    assert [c.playouts for c in advised(quick, seed=2).moves] != [c.playouts for c in first.moves]


def test_the_expected_line_is_play_and_the_reasons_tell_of_it() -> None:
    game = loaded("hex")
    advice = advised(game)
    best, other, *_ = advice.moves
    assert best.playouts > other.playouts > 0
    assert sum(chance.playouts for chance in advice.moves) >= 1024
    assert best.expected is not None
    assert other.expected is not None
    line = advice.position.names_along(best.expected.line)
    assert len(line) > 1
    assert 1 / 20 <= best.expected.share < 1
    told = " ".join(advisor.explain(advice, numbers=True))
    assert f"the expected line is {' '.join(line)} (" in told
    move, reply = advice.position.names_along(other.expected.line[:2])
    assert f"After {move} the answer is {reply}." in told
    code = advice.phrasing.code
    assert best.expected.to_json(advice.phrasing) == {
        "line": [*map(code, best.expected.line)],
        "share": round(best.expected.share, 4),
    }


def test_of_a_move_that_was_left_open_beside_a_win_no_score_is_told() -> None:
    advice = advised(loaded("tictactoe"), "put(2,2) put(2,1)")
    left = [move for move in advice.moves if move.score.kind == "heuristic"]
    assert left
    assert advice.score.kind == "win"
    for move in left:
        *_, better = told = move_sentences(advice, move.move)
        assert better == f"{advice.best[0]} is better: a win in 3 moves."
        assert not [sentence for sentence in told if "None" in sentence]


def test_a_result_that_a_tree_shows_is_told_as_a_bound() -> None:
    advice = advised(loaded("hex", size=3), "put(2,3) put(3,1) put(3,3)")  # one ply ahead
    best = advice.moves[0]
    score = best.score
    assert (score.kind, score.within, score.plies, score.moves) == ("win", True, 5, 3)
    assert best.to_json(advice.phrasing)["score"]["within"] is True
    told, *_ = advisor.explain(advice)
    assert "wins in 3 moves at most: in a tree of random games every reply loses" in told


def test_a_move_that_is_asked_about_gets_as_many_games_as_the_best() -> None:
    game = loaded("hex")
    corner = ("put", 1, 1)
    usual = {chance.move: chance.playouts for chance in advised(game).moves}
    asked = {chance.move: chance.playouts for chance in advised(game, asked=corner).moves}
    assert usual[corner] < 100
    assert 100 < asked[corner] > 0.9 * max(asked.values())


def test_a_tree_goes_on_where_it_was() -> None:
    game = loaded("hex")
    advice = advised(game)
    assert advice.moves[0].expected is not None
    line = " ".join(advice.position.names_along(advice.moves[0].expected.line[:1]))
    games = sum(chance.playouts for chance in advised(game, line).moves)
    advised(game)
    more = sum(chance.playouts for chance in advised(game, line, go_on=True).moves)
    assert games + 50 < more < 2 * games
    # It knows nothing about states it never visited, and a new search begins anew.
    corners = "put(1,1) put(7,7) put(1,7) put(7,1)"
    before = advised(game, corners).to_json()["moves"]
    advised(game)
    assert advised(game, corners, go_on=True).to_json()["moves"] == before


def test_what_is_known_before_counts_in_the_tree() -> None:
    game = loaded("tictactoe")
    state = rooms.by_circuits(game).begin("put(1,1) put(2,2)")
    (first, second), look = state.look.moves()[1][:2].tolist(), state.look
    known = [(first, "win", 3)]
    found = think(game, None, state.row, look, UctSearch(1, 500, Stop()), known)
    assert (found[0].move, found[0].kind, found[0].plies) == (first, "win", 3)
    assert sum(branch.games for branch in found) == 0
    found = think(game, None, state.row, look, UctSearch(1, 500, Stop()), [(second, "loss", 2)])
    assert (found[-1].move, found[-1].kind) == (second, "loss")
    assert found[-1].games == 0 < found[-2].games


def test_a_tree_that_has_counted_its_most_games_goes_on() -> None:
    game = loaded("hex")
    growers = [None, compiled(game)] if find_spec("numba") else [None]
    for grower in growers:
        search, look = UctSearch(1, 2500, Stop()), game.look(game.start[None])
        whole = think(game, grower, game.start, look, search)
        halved = think(game, grower, game.start, look, search, most=600)
        assert sum(branch.games for branch in whole) >= 2500
        assert 300 <= sum(branch.games for branch in halved) <= 600
        best = max(halved, key=lambda branch: branch.games)
        assert all(abs(branch.mean) <= 1 for branch in halved)
        assert best.games > 600 / len(halved)


@needs_numba
def test_threads_share_a_tree() -> None:
    game = loaded("hex")
    tree = begun(game)
    compiled(game).grow(tree, UctSearch(1, 30_000, Stop(), jobs=3))
    used, expanded, locked = tree.counters.tolist()
    columns = tree.columns[:, :used]
    assert locked == 0
    assert columns[u.VISITS, 0] > 29_000
    nodes = np.flatnonzero(columns[u.FIRST])
    assert len(nodes) == expanded == len({*columns[u.STATE, nodes].tolist()})
    assert columns[u.COUNT, nodes].sum() == used - 1
    # A few games may be lost between two threads, no more.
    visits = columns[u.VISITS, tree.children(0)].sum()
    assert abs(visits - columns[u.VISITS, 0]) < 0.01 * visits


@needs_numba
def test_compiled_code_stops_when_asked() -> None:
    game, stop = loaded("morris"), Stop()
    tree, grower = begun(game), compiled(game)
    threading.Timer(0.1, stop.set).start()
    grower.grow(tree, UctSearch(1, None, stop, jobs=2))
    assert not tree.columns[u.PROVEN, 0]


def test_numpy_stops_when_asked() -> None:
    game, stop = loaded("hex"), Stop()
    stop.set()
    tree = begun(game)
    ByNumpy(game).grow(tree, UctSearch(1, None, stop))
    assert tree.columns[u.VISITS, 0] == 0
    # The end of the time leaves a few games.
    ByNumpy(game).grow(tree, UctSearch(1, None, Stop(0)))
    assert u.FEW_SLOTS <= tree.columns[u.VISITS, 0] < 5 * u.FEW_SLOTS
    check(tree)


def test_full_memory_ends_no_search() -> None:
    game = loaded("hex")
    tree = begun(game)
    tree.columns = tree.columns[:, :200].copy()
    ByNumpy(game).grow(tree, UctSearch(1, 600, Stop()))
    assert tree.counters[u.ENTRIES] <= 200
    assert tree.columns[u.VISITS, 0] >= 600


@needs_numba
@pytest.mark.parametrize(("entries", "states"), [(200, 1000), (5000, 3)])
def test_compiled_code_goes_on_in_full_memory_as_numpy_does(entries: int, states: int) -> None:
    game = loaded("hex")
    trees = begun(game), begun(game)
    for tree, grower in zip(trees, (compiled(game), ByNumpy(game)), strict=True):
        tree.columns, tree.nodes = tree.columns[:, :entries].copy(), tree.nodes[:states].copy()
        tree.states = tree.nodes[:, : tree.states.shape[1]]
        grower.grow(tree, UctSearch(1, 600, Stop()))
        assert tree.counters[u.ENTRIES] <= entries
        assert tree.counters[u.EXPANDED] <= states
    assert trees[0].columns[u.VISITS, 0] >= 600
    assert same(*trees)
