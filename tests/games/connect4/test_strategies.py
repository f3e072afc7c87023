"""The strategies by circuit against the answer sets of the same positions."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advising import Advisor, advise
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import Strategies
from advisor.games.connect4.notation import parse_line
from advisor.limits import Limit
from advisor.settings.config import Config
from advisor.settings.reading import load
from games import Size, positions

SIZES: list[Size] = [(7, 6, 4), (5, 4, 3), (6, 5, 4)]


def by_answer_set(position: Board, config: Config) -> dict[int, int]:
    return {move.move: move.total for move in advise(position, config, depth=0).moves}


@settings(max_examples=12)
@given(position=positions(SIZES, open_only=True))
def test_the_circuit_adds_up_what_clingo_does(position: Board) -> None:
    config = load()
    assert Strategies(config, position.geometry).totals(position) == by_answer_set(position, config)


@settings(max_examples=10)
@given(st.lists(positions([(7, 6, 4)], open_only=True), max_size=70))
def test_many_positions_are_as_each_of_them(many: list[Board]) -> None:
    strategies = Strategies(load(), geometry())
    together = strategies.fired_mask(many)
    assert together.shape == (len(many), 7, len(strategies.names))
    for position, fired in zip(many, together, strict=True):
        assert (strategies.fired_mask([position])[0] == fired).all()


def test_what_no_circuit_can_express_is_asked_of_clingo(tmp_path: Path) -> None:
    # A chain of own discs that leads to the bottom row from the square to be played.
    (tmp_path / "chain.lp").write_text(
        "near(R, C, R', C') :- square(R, C), square(R', C'), |R-R'| <= 1, |C-C'| <= 1.\n"
        "hangs(R, C) :- turn(P), cell(P, R, C), R = 1.\n"
        "hangs(R, C) :- turn(P), cell(P, R, C), near(R, C, R', C'), hangs(R', C').\n"
        "fires(chain, move(R, C)) :- valid_move(R, C), near(R, C, R', C'), hangs(R', C').\n"
    )
    file = tmp_path / "my.yaml"
    file.write_text("extends: original\nencodings: {extra: [chain.lp]}\nmoves: {chain: 55}\n")
    config = load(str(file))
    for text in ("", "4453", "44444"):
        position = parse_line(text)
        totals = Strategies(config, geometry()).totals(position)
        assert totals == by_answer_set(position, config)
        assert (
            Advisor(config).choose(position, Limit(depth=0))
            in advise(position, config, depth=0).best
        )


def test_without_strategies_no_move_is_worth_more() -> None:
    for preset in ("alex", "pomakis"):
        assert Strategies(load(preset), geometry()).totals(parse_line("4453")) == dict.fromkeys(
            range(1, 8), 0
        )


@pytest.mark.slow
@pytest.mark.parametrize("depth", range(1, 7))
def test_a_strategy_that_outweighs_all_decides_unless_a_result_is_forced(
    tmp_path: Path, depth: int
) -> None:
    file = tmp_path / "edge.yaml"
    file.write_text("extends: default\nmoves: {center: {3: 90000}}\n")
    config = load(str(file))
    for text in ("", "4453", "2651"):
        advice = advise(parse_line(text), config, depth=depth)
        assert set(advice.best) <= {1, 7}
        assert Advisor(config).choose(parse_line(text), Limit(depth=depth)) in advice.best
    forced = parse_line("445566")  # red wins with column 3 or 7
    assert advise(forced, config, depth=depth).score.kind == "win"
    must = parse_line("142434")  # yellow threatens column 4, red completes nothing
    if depth > 1:
        assert advise(must, config, depth=depth).best == (4,)
        assert Advisor(config).choose(must, Limit(depth=depth)) == 4
