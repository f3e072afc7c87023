"""The other systems as presets: their own test cases, and a second implementation of each."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from advising import advise
from advisor.engine.search import WIN
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.notation import parse_line
from advisor.settings import config, reading
from games import positions, reference_value, solved

SETTINGS = {name: reading.load(name) for name in reading.presets()}
DATA = json.loads((Path(__file__).parents[1] / "data" / "alex_tests.json").read_text("utf-8"))

# Bitboards of one word and of several, lines in all directions, in some, and in none.
SIZES = [(7, 6, 4), (4, 4, 3), (10, 8, 5), (1, 6, 3), (7, 1, 2), (5, 3, 4), (3, 3, 9)]


def board_of(case: dict[str, object]) -> Board:
    return parse_line("/".join(case["rows"]))  # type: ignore[arg-type]


def features(position: Board, weighed: config.Config) -> int:
    """What clingo says of the features for player 1, forced results left aside."""
    return -sum(solved(position, weighed).cost)


@pytest.mark.parametrize("preset", reading.presets())
def test_only_presets_of_our_own_foresee_results(preset: str) -> None:
    wins_at_once = parse_line("112233")
    value = CircuitEvaluator(reading.load(preset), geometry()).values([wins_at_once], 0)[0]
    # The last has no position features of its own.
    foreseen = preset in ("default", "any-size", "original")
    assert (value == WIN - 1) == foreseen


# Alex


@pytest.mark.parametrize("case", DATA["heuristic"], ids=lambda case: str(case["case"]))
def test_alex_gives_the_static_values_of_its_test_file(case: dict[str, object]) -> None:
    position = board_of(case)
    weighed = reading.load("alex-tests")
    if position.result() is not None:
        expected = {"+1.0Inf": 1, "-1.0Inf": 2, "0": 0}[str(case["value"])]
        kind = "win" if expected == position.turn else "loss" if expected else "draw"
        score = advise(position, weighed).score
        assert (score.kind, score.moves) == (kind, 0 if expected else None)
        return
    value = int(str(case["value"]))
    own = value if position.turn == 1 else -value
    assert reference_value(position, weighed) == own
    assert CircuitEvaluator(weighed, position.geometry).values([position], 0)[0] == own


@pytest.mark.parametrize("case", DATA["game_over"], ids=lambda case: str(case["case"]))
def test_alex_and_we_agree_on_what_ends_the_game(case: dict[str, object]) -> None:
    position = board_of(case)
    assert (position.result() is not None) == case["over"]
    assert (not advise(position, reading.load("alex"), depth=1).best) == case["over"]


def test_alex_of_the_paper_is_worth_less_than_that_of_its_tests() -> None:
    assert features(board_of(DATA["heuristic"][0]), reading.load("alex")) == -2


def test_alex_looks_four_plies_ahead() -> None:
    assert reading.load("alex").depth == reading.load("alex-tests").depth == 4


# Second implementations

OwnerAt = Callable[[int, int], int | None]
"""The player on a square of a row and column: 0 if it is empty, None outside the board."""


def as_board(position: Board) -> OwnerAt:
    g = position.geometry

    def look(row: int, column: int) -> int | None:
        if 1 <= row <= g.height and 1 <= column <= g.width:
            return position.at(row, column)
        return None

    return look


def pomakis(g: Geometry, at: OwnerAt, player: int) -> int:
    total = 0
    for row in range(1, g.height + 1):
        for column in range(1, g.width + 1):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                area = [at(row + i * up, column + i * right) for i in range(g.connect)]
                if None not in area and 3 - player not in area:
                    total += 2 ** area.count(player)
    return total


def runs(g: Geometry, at: OwnerAt, player: int) -> Iterator[tuple[int, int]]:
    """Length and number of open ends of every longest run."""
    for row in range(1, g.height + 1):
        for column in range(1, g.width + 1):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if at(row, column) != player or at(row - up, column - right) == player:
                    continue
                length = 1
                while at(row + length * up, column + length * right) == player:
                    length += 1
                ends = (
                    at(row - up, column - right),
                    at(row + length * up, column + length * right),
                )
                yield length, ends.count(0)


def alex(g: Geometry, at: OwnerAt, player: int) -> int:
    return sum(2**length for length, open_ends in runs(g, at, player) if open_ends)


def alex_tests(g: Geometry, at: OwnerAt, player: int) -> int:
    return sum(2 ** (length + ends) for length, ends in runs(g, at, player) if ends)


SYSTEMS = {"pomakis": pomakis, "alex": alex, "alex-tests": alex_tests}


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
@settings(max_examples=20, deadline=None)  # the first position of a geometry compiles its circuit
@given(position=positions(SIZES, open_only=True))
def test_reference_and_circuit_give_the_value_that_plain_python_gives(
    name: str, position: Board
) -> None:
    g, at = position.geometry, as_board(position)
    weighed = SETTINGS[name]
    assert features(position, weighed) == SYSTEMS[name](g, at, 1) - SYSTEMS[name](g, at, 2)
    by_circuit = CircuitEvaluator(weighed, g).values([position], 0)[0]
    assert by_circuit == reference_value(position, weighed)


@pytest.mark.parametrize(("name", "value"), [("pomakis", 2**16), ("alex", 2**16)])
def test_more_than_sixteen_discs_count_as_sixteen(name: str, value: int) -> None:
    g = geometry(20, 1, 20)
    seventeen = sum(g.bit(1, column) for column in range(1, 18))
    position = Board(g, turn=1, mover=seventeen, mask=seventeen)
    assert reference_value(position, reading.load(name)) == value
    assert CircuitEvaluator(reading.load(name), g).values([position], 0)[0] == value


@pytest.mark.parametrize("name", reading.presets())
def test_every_preset_suggests_a_move(name: str) -> None:
    weighed = reading.load(name)
    assert advise(parse_line("44"), weighed, depth=2).best
    assert advise(parse_line("4455"), weighed, depth=3).best == (3, 6)
