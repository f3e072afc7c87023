"""Advice: the original agent's choices, and a user's own knowledge in both ways of running."""

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advising import Advisor, advise
from advisor.advice import facade
from advisor.advice.facade import with_bounds
from advisor.engine.search import WIN, search
from advisor.errors import EncodingError
from advisor.games import knowledge, rooms
from advisor.games.bounds import Bounds
from advisor.games.by_rules import RuleAbilities
from advisor.games.connect4.abilities import score_of
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.solver import Solver, winner_moves
from advisor.games.score import Score
from advisor.library.loading import load_game
from advisor.library.suggesting import suggest
from advisor.limits import Limit
from advisor.settings.config import Config
from advisor.settings.reading import load
from aspcircuits.clingo_api import render
from aspcircuits.stopping import Stop
from games import Size, played, positions, reference_value

DATA = Path(__file__).parents[1] / "data"
LOGGED = json.loads((DATA / "original_agent_runs.json").read_text())["logged_turns"]
ADVISOR = Advisor(load())
"""For tests that ask it many times of one board."""
SIZES: list[Size] = [(7, 6, 4), (5, 4, 3), (6, 5, 4)]


@pytest.mark.parametrize("turn", LOGGED, ids=lambda turn: f"{turn['id']}-{turn['turn']}")
def test_the_original_agent_chose_these_moves(turn: dict[str, Any]) -> None:
    position = parse_line("/".join(turn["rows"]))
    assert position.turn == turn["to_move"]
    advice = advise(position, load("original"), depth=0)
    found = sorted([advice.position.board.row_of(column), column] for column in advice.best)
    assert found == turn["best_moves"]


def test_all_logged_turns_are_there() -> None:
    assert len(LOGGED) == 13


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """The default settings with a strategy and a feature from a file of the user's own."""
    file = tmp_path_factory.mktemp("own") / "my.yaml"
    file.write_text(
        f"extends: default\nencodings: {{extra: ['{DATA / 'own.lp'}']}}\n"
        "moves: {corner: 1000}\nfeatures: {corner: -7}\n"
    )
    return load(str(file))


def test_an_own_strategy_counts_and_is_told(own: Config) -> None:
    advice = advise(Board(geometry()), own, depth=0)
    assert advice.best == (1, 7)
    (corner,) = (firing for firing in advice.move(7).fires if firing.strategy == "corner")
    assert (corner.weight, corner.reasons) == (1000, (((1, 7),),))


@settings(max_examples=12)
@given(position=positions(SIZES, open_only=True))
def test_an_own_feature_counts_in_both_ways_of_running(own: Config, position: Board) -> None:
    assert CircuitEvaluator(own, position.geometry).values([position], 0)[0] == reference_value(
        position, own
    )


def test_an_own_feature_is_worth_its_weight(own: Config) -> None:
    position = played((7, 6, 4), [0, 3, 6, 2])  # x in both corners, x to move
    with_it = CircuitEvaluator(own, position.geometry).values([position], 0)[0]
    without = CircuitEvaluator(load(), position.geometry).values([position], 0)[0]
    assert with_it == without - 2 * 7


@settings(max_examples=12)
@given(position=positions(SIZES, open_only=True))
def test_without_looking_ahead_the_highest_sum_is_best(position: Board) -> None:
    config = load()
    advice = advise(position, config, depth=0)
    assert [move.move for move in advice.moves] == sorted(position.moves())
    assert [move.to_json(advice.phrasing)["row"] for move in advice.moves] == list(
        map(position.row_of, sorted(position.moves()))
    )
    weights = {render(name): weight for name, weight in config.weights["moves"].items()}
    for move in advice.moves:
        assert {f.strategy: f.weight for f in move.fires}.items() <= weights.items()
        if not position.dead:
            assert move.score == Score("heuristic", value=move.total)
    highest = max(move.total for move in advice.moves)
    assert set(advice.best) == {m.move for m in advice.moves if m.total == highest}


def test_equal_weights_of_two_strategies_both_count(own: Config, tmp_path: Path) -> None:
    # The original agent summed a set of weights, in which equal ones were one.
    file = tmp_path / "equal.yaml"
    file.write_text("extends: default\nmoves: {win: 40, block: 40}\n")
    both = parse_line("152637")  # column 4 completes a line of x and stops one of o
    fires = {f.strategy: f.weight for f in advise(both, load(str(file)), depth=0).move(4).fires}
    assert (fires["win"], fires["block"]) == (40, 40)
    assert advise(both, load(str(file)), depth=0).score.value == sum(fires.values())


def test_choose_gives_no_result_away() -> None:
    """Among moves with the same result it takes the look-ahead's, not the one with more points."""
    advisor = Advisor(load())
    for text in ("", "4453", "1234567", "44444"):
        position = parse_line(text)
        for depth in (0, 1, 4):
            limit = Limit(depth)
            advice = advisor.advise(position, limit)
            chosen = advice.move(advisor.choose(position, limit)).score
            assert chosen.kind == advice.score.kind
            if advice.score.kind == "heuristic":
                assert chosen == advice.score


ONLY_COLUMN_3_WINS = "251333346445645566546"
"""All other columns lose (BitBully), but none of them in the next eight plies."""


def test_near_the_end_time_is_spent_on_a_proof() -> None:
    position = parse_line(ONLY_COLUMN_3_WINS)
    assert Advisor(load()).choose(position, Limit(seconds=5)) == 3
    advice = advise(position, load(), seconds=3)
    # A look-ahead that is fast enough sees the end as well, and then it says more.
    assert advice.best == (3,)
    assert advice.score in (Score("win", proved=True), Score("win", moves=10))
    assert Score("win", proved=True).to_json() == {"kind": "win", "proved": True}
    assert all(advice.move(column).score.kind == "loss" for column in (1, 2, 4, 5, 6, 7))


def test_a_depth_is_kept_to_however_much_time_there_is() -> None:
    position = parse_line(ONLY_COLUMN_3_WINS)
    bonus = Advisor(load()).knows.strategies(geometry()).totals(position)
    ahead = search(position, CircuitEvaluator(load(), geometry()), depth=6, bonus=bonus)
    for seconds in (None, 60):
        assert Advisor(load()).choose(position, Limit(6, seconds)) == ahead.best[0]
        advice = advise(position, load(), depth=6, seconds=seconds)
        assert advice.best[0] in ahead.best
        assert all(move.score.kind == "heuristic" for move in advice.moves)


def test_earlier_systems_do_not_search_to_the_end() -> None:
    assert [load(name).endgame for name in ("original", "pomakis", "alex", "alex-tests")] == [0] * 4
    position = parse_line(ONLY_COLUMN_3_WINS)
    advice = advise(position, load("alex"), seconds=0.2)
    assert not any(move.score.proved for move in advice.moves)


def test_a_score_counts_the_winner_s_own_moves() -> None:
    assert score_of(WIN - 1, False) == Score("win", moves=1)
    assert score_of(WIN - 5, False) == Score("win", moves=3)
    assert score_of(2 - WIN, False) == Score("loss", moves=1)
    assert score_of(4 - WIN, False) == Score("loss", moves=2)
    assert score_of(0, True) == Score("draw")
    assert score_of(0, False) == Score("heuristic", value=0)


def test_of_a_finished_game_only_the_result_is_told() -> None:
    advice = advise(parse_line("1122334"), load())
    assert (advice.best, advice.moves, advice.score) == ((), (), Score("loss", moves=0))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            "fires(edge, M) :- valid_move(R, C), C = 1, M = C.",
            "fires(edge,1): '1' is not a move (use move(R, C))",
        ),
        (
            "fires(edge, move(R, 1)) :- valid_move(R, 1)."
            " because(edge, move(R, 1), 7) :- valid_move(R, 1).",
            "because(edge,move(1,1),7): '7' is not a reason (use a line or square(R, C))",
        ),
    ],
)
def test_an_encoding_that_names_no_move_or_no_reason_is_an_error(
    rule: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "own.lp").write_text(rule)
    file = tmp_path / "my.yaml"
    file.write_text("extends: default\nencodings: {extra: [own.lp]}\nmoves: {edge: 5}\n")
    with pytest.raises(EncodingError) as caught:
        advise(Board(geometry()), load(str(file)), depth=0)
    assert str(caught.value) == message


def test_what_cannot_be_played_has_no_total(tmp_path: Path) -> None:
    (tmp_path / "own.lp").write_text("fires(edge, move(2, 1)). fires(edge, move(1, 7)).")
    file = tmp_path / "my.yaml"
    file.write_text("extends: default\nencodings: {extra: [own.lp]}\nmoves: {edge: 5}\n")
    advice = advise(Board(geometry()), load(str(file)), depth=0)
    assert [move.total - advice.move(8 - move.move).total for move in advice.moves] == [
        *(-5, 0, 0, 0, 0, 0, 5)
    ]


@settings(max_examples=12)
@given(position=positions([(5, 4, 4)], open_only=True), proved=st.sets(st.integers(1, 5)))
def test_what_is_proved_in_part_is_heeded(position: Board, proved: set[int]) -> None:
    """Never a move that is proved to be worse than another, always one that is proved to win."""
    advice = ADVISOR.advise(position, Limit(1))
    outcomes = Solver(position.geometry).outcomes(position)
    loss_to_win = Bounds(-position.plies_left, position.plies_left)
    known = {c: s if c in proved else loss_to_win for c, s in outcomes.items()}
    found = with_bounds(advice, known)
    # Results that the look-ahead has seen to the end are as certain.
    certain = {c: found.move(c).score.kind for c in known}
    best = {certain[column] for column in found.best}
    if "win" in certain.values():
        assert best == {"win"}
    elif set(certain.values()) != {"loss"}:
        assert "loss" not in best
    for column, outcome in ((c, s.outcome) for c, s in known.items()):
        score = found.move(column).score
        assert score.kind == outcome if outcome else score == advice.move(column).score
    assert found.score == found.move(found.best[0]).score
    assert found.variation[0] == found.best[0]


def test_all_that_is_proved_decides_by_how_soon() -> None:
    position = parse_line("4453")
    advice = advise(position, replace(load(), book=False), depth=1)
    scores = dict(zip(range(1, 8), (2, 1, 3, 1, 3, 1, 1), strict=True))
    known = {column: Bounds(score, score) for column, score in scores.items()}
    found = with_bounds(advice, known)
    assert set(found.best) == {3, 5}
    assert found.score == Score("win", moves=winner_moves(position, 3), proved=True, points=3)


def test_an_advisor_keeps_what_it_has_made_for_a_board() -> None:
    advisor = Advisor(load())
    assert advisor.config.depth == load().depth
    standard = advisor.knows.evaluator(geometry())
    advisor.choose(parse_line("44"), Limit(2))
    advisor.advise(parse_line("445"), Limit(2))
    assert advisor.knows.evaluator(geometry()) is standard
    assert standard.leaves > 0
    small = advisor.knows.evaluator(geometry(4, 4))
    assert small is not standard
    assert advisor.knows.evaluator(geometry(4, 4)) is small


def test_what_is_proved_of_one_position_serves_the_next() -> None:
    position = parse_line(ONLY_COLUMN_3_WINS)
    advisor = Advisor(load())
    solver = advisor.knows.solver(position.geometry)
    looked_at = []
    for _ in range(4):
        before = solver.nodes
        assert advisor.choose(position, Limit(seconds=60)) == 3
        looked_at.append(solver.nodes - before)
    # Machine code that is ready in between begins with a memory of its own, but only once.
    assert min(looked_at[1:]) < looked_at[0] / 10
    assert Advisor(load()).advise(position, Limit(seconds=0)).score.kind == "heuristic"


def test_an_advisor_travels_by_its_settings() -> None:
    advisor = Advisor(load("alex"))
    advisor.choose(parse_line("44"))
    assert pickle.loads(pickle.dumps(advisor)).config == advisor.config


@pytest.mark.parametrize("limit", [Limit(4), Limit(seconds=60)])
def test_a_stopped_advice_says_so_and_a_stopped_choice_is_none(limit: Limit) -> None:
    stop = Stop()
    stop.set()
    advisor, position = Advisor(load()), parse_line(ONLY_COLUMN_3_WINS)
    advice = advisor.advise(position, limit, stop=stop)
    assert (advice.interrupted, advice.depth) == (True, 1)
    assert advice.to_json()["interrupted"] is True
    assert "interrupted" not in advisor.advise(position, Limit(1)).to_json()
    with pytest.raises(KeyboardInterrupt):
        advisor.choose(position, limit, stop=stop)


def test_an_advice_that_is_stopped_before_the_first_random_game_is_none() -> None:
    position, stop = load_game("hex", weights="rules").position(), Stop()
    stop.set()
    for seconds in (None, 100.0):
        with pytest.raises(KeyboardInterrupt):
            suggest(position, seconds=seconds, stop=stop)


@pytest.mark.parametrize(
    "text",
    [
        "8/5kR1/8/3K4/8/8/8/8 b - - 0 1",  # Kxg7 leaves two kings
        "7k/5K2/8/6P1/8/8/8/8 w - - 0 1",  # g6 is stalemate
        "7k/8/8/8/8/8/4Q3/K7 w - - 99 90",  # fifty moves each
        "7k/8/8/8/8/8/4Q3/K7 w - - 0 1, Qe3 Kg8 Qe2 Kh8 Qe3 Kg8 Qe2",  # Kh8, for the third time
    ],
)
def test_a_move_that_ends_the_game_as_a_draw_is_told_as_one(text: str) -> None:
    fen, _, moves = text.partition(", ")
    given = rooms.by_circuits(knowledge.load("chess")[0]).begin(fen)
    for move in moves.split():
        given = given.after(given.read_move(move))
    advice = facade.advise(RuleAbilities(given), Limit(1))
    told = {given.names[m.move] for m in advice.moves if m.score.kind == "draw"}
    after = {given.names[move]: given.after(move) for move in given.legal}
    assert told == {
        name for name, state in after.items() if state.over and state.winning_side is None
    }
    assert told
