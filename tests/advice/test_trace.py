"""Traces: the parts that are shown add up to the score, to the last unit."""

import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import advisor
from advising import Advisor, advise
from advisor.advice.advice import Advice, Held, Move, Trace
from advisor.advice.explain import main_reason
from advisor.advice.reasons import differences
from advisor.engine.nodes import Below
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.rows import RowGame
from advisor.games.by_rules import RuleAbilities
from advisor.games.connect4.board import DISCS, Board, geometry
from advisor.games.connect4.notation import parse_line
from advisor.games.score import Score
from advisor.limits import Limit
from advisor.settings import reading
from advisor.settings.config import Config
from aspcircuits.clingo_api import render
from command import advisor as done
from games import Size, played, solved, value_in
from walking import write_games

EXAMPLES = Path(__file__).parents[2] / "examples"
EDGE = str(EXAMPLES / "edge.yaml")
SIZES: list[Size] = [(7, 6, 4), (5, 4, 3), (8, 7, 4)]


def load(name: str = "default") -> Config:
    """Settings whose look-ahead scores early positions too."""
    return replace(reading.load(name), book=False)


def random_position(source: random.Random) -> Board:
    """A position of a random game that goes on, of a random size."""
    size = source.choice(SIZES)
    plies = source.randrange(size[0] * size[1])
    return played(size, [source.randrange(size[0]) for _ in range(plies)], open_only=True)


def check(advice: Advice, config: Config) -> int:
    """Holds every trace of an advice to the answer set of its line's end; how many there are."""
    position = advice.position.board
    config = Advisor(config).knows.settings(position.geometry)
    count = 0
    for move in advice.moves:
        if move.score.kind != "heuristic" or not advice.depth:
            assert move.trace is None
            continue
        assert move.trace is not None
        assert move.trace.value == move.ahead
        assert move.trace.value == move.score.value
        assert move.trace.line[0] == move.move
        leaf = position
        for column in move.trace.line:
            assert leaf.result() is None
            leaf = leaf.after(column)
        if leaf.result() is None:
            assert len(move.trace.line) == advice.depth
            model = solved(leaf, config)
            value = value_in(model, leaf)
            assert move.trace.value == (value if leaf.turn == position.turn else -value)
            weights = config.weights["features"]
            expected = Counter(
                (render(atom[1]), atom[2], render(atom[3]), abs(weights[atom[1]]))
                for atom in model.atoms
                if atom[0] == "feature" and weights[atom[1]] and not move.trace.drawn
            )
            assert expected == Counter(
                (held.feature, held.player + 1, render(held.where), abs(held.weight))
                for held in move.trace.features
            )
        else:
            assert (leaf.result(), move.trace.value, move.trace.features) == (0, 0, ())
        count += 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", EDGE, "pomakis"])
@pytest.mark.parametrize("seed", range(2))
def test_every_trace_adds_up_to_its_score(name: str, seed: int) -> None:
    source = random.Random(seed)
    config = load(name)
    traced = 0
    for number in range(15):
        advice = advise(random_position(source), config, depth=number % 5, traced=True)
        traced += check(advice, config)
    assert traced > 20


def adds_up(advice: Advice) -> int:
    """Holds the sums of all traces to their scores; how many count as draws."""
    assert advice.moves
    for move in advice.moves:
        if move.score.kind == "heuristic":
            assert move.trace is not None
            assert move.trace.value == move.score.value, (move.move, move.trace)
            assert move.trace.value == 0 or not move.trace.drawn
    return sum(move.trace.drawn for move in advice.moves if move.trace)


@pytest.mark.parametrize("game", ["chess", "morris", "reversi"])
def test_traces_of_games_by_their_rules_add_up(game: str) -> None:
    source, found = random.Random(4), EXAMPLES / "found" / f"{game}.yaml"
    loaded = advisor.load_game(game, weights=str(found) if found.exists() else "default")
    for _ in range(4):
        position = loaded.position()
        while not position.over and len(position.played) < source.choice((6, 12, 24)):
            position = position.play(source.choice(position.moves))
        if not position.over:
            adds_up(advisor.suggest(position, depth=2))


def test_a_line_that_comes_back_counts_as_a_draw_and_so_does_its_trace() -> None:
    """Black has a rook more; white checks for ever, on h5 and e8."""
    position = advisor.position("6k1/6p1/8/7Q/8/r7/1q3PPP/6K1 w - - 0 1", game="chess")
    position = position.play("Qe8+", "Kh7", "Qh5+", "Kg8", "Qe8+", "Kh7")
    advice = advisor.suggest(position, depth=2)
    assert adds_up(advice) == 1
    told = advisor.explain(advice)
    assert any("After Qh5+ Kg8, the position counts as a draw." in line for line in told), told


class Later(RowEvaluator):
    """An evaluator whose machine code becomes available after a number of questions."""

    def __init__(self, game: RowGame, questions: int) -> None:
        super().__init__(game, selective=True)
        self.left = questions

    def machine_search(self, position: RowPosition) -> Below[RowPosition] | None:
        self.left -= 1
        return super().machine_search(position) if self.left < 0 else None


@pytest.mark.slow
def test_machine_code_that_comes_meanwhile_gives_values_and_lines_of_one_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = advisor.position("6k1/6p1/8/7Q/8/r7/1q3PPP/6K1 w - - 0 1", game="chess")
    position.abilities.prepare(make=True)

    def asked(questions: int) -> Later:
        """A look-ahead that gets machine code after some questions; its traces are recorded."""
        evaluator = Later(position.abilities.root().game, questions)
        monkeypatch.setattr(RuleAbilities, "evaluator", lambda *_: evaluator)
        adds_up(advisor.suggest(position, depth=4))
        return evaluator

    never = 1_000_000
    many = never - asked(never).left
    assert many > 20
    for questions in range(0, many, max(1, many // 16)):
        assert asked(questions).left < 0


def test_a_search_that_the_time_cut_short_is_traced_to_its_last_full_depth() -> None:
    config = load()
    for seconds in (0.02, 0.06, 0.12):
        for text in ("", "4453", "1234567"):
            advice = advise(parse_line(text), config, seconds=seconds, traced=True)
            assert check(advice, config) == len(advice.moves)


def test_traces_are_made_only_when_asked_for() -> None:
    advice = advise(parse_line("4453"), load(), depth=2)
    assert [move.trace for move in advice.moves] == [None] * 7
    assert "trace" not in advice.move(4).to_json(advice.phrasing)


def changed(tmp_path: Path, text: str) -> Config:
    """The default settings with changes."""
    file = tmp_path / "my.yaml"
    file.write_text(f"extends: default\n{text}")
    return load(str(file))


def test_a_feature_without_weight_is_in_no_trace(tmp_path: Path) -> None:
    position = parse_line("4453")
    names = {"meet(first,2)", "slope(3)"}

    def told(config: Config) -> set[str]:
        moves = advise(position, config, depth=3, traced=True).moves
        return {held.feature for move in moves if move.trace for held in move.trace.features}

    with_it = changed(tmp_path, "features: {meet: {first: {2: 5}}, slope: {3: 5}}\n")
    assert names <= told(with_it)
    without = changed(tmp_path, "features: {meet: {first: {2: 0}}, slope: {3: 0}}\n")
    assert not names & told(without)


def test_a_line_whose_end_nobody_can_win_has_no_features() -> None:
    advice = advise(parse_line("ox../xo.o/ooxx/oxxx", geometry(4, 4)), load(), depth=2, traced=True)
    dead, alive = advice.move(3), advice.move(4)
    assert dead.trace == Trace(line=(3, 4), features=(), drawn=True)
    assert alive.trace is not None
    assert alive.trace.features
    assert not alive.trace.drawn
    (numbers,) = advisor.explain(advice, 3, numbers=True)
    assert "After 3 4, neither player can complete a line any more." in numbers


def test_the_json_tells_the_line_its_features_and_their_sum() -> None:
    advice = advise(parse_line("4453"), load(), depth=3, traced=True)
    for move, told in zip(advice.moves, advice.to_json()["moves"], strict=True):
        assert move.trace is not None
        assert told["trace"]["line"] == list(move.trace.line)
        assert told["trace"]["value"] == sum(h["weight"] for h in told["trace"]["features"])
        assert {h["player"] for h in told["trace"]["features"]} <= set(DISCS.values())
        squares = [h["squares"] for h in told["trace"]["features"]]
        assert all(1 <= row <= 6 and 1 <= column <= 7 for many in squares for row, column in many)
        assert all(squares)


@pytest.mark.parametrize("name", ["default", EDGE, "pomakis", "original"])
def test_what_differs_adds_up_to_the_difference_of_the_scores(name: str) -> None:
    source = random.Random(7)
    config = load(name)
    for number in range(12):
        advice = advise(random_position(source), config, depth=number % 4, traced=True)
        moves = [move for move in advice.moves if move.score.kind == "heuristic"]
        for move in moves:
            assert move.value is not None
            assert sum(d.amount for d in differences(move, None)) == move.value
            for other in moves:
                amounts = [d.amount for d in differences(move, other)]
                assert sum(amounts) == move.value - (other.value or 0)
                assert 0 not in amounts


def test_what_both_players_have_more_of_alike_is_no_reason() -> None:
    def account(*held: tuple[str, int, int]) -> Move:
        features = tuple(Held(feature, player, "a1", weight) for feature, player, weight in held)
        return Move("m", Score("heuristic", value=0), trace=Trace(("m",), features))

    exchanged = account(("pawn", 0, 5))
    kept = account(("knight", 0, 300), ("knight", 1, -300), ("pawn", 0, 5), ("pawn", 1, -5))
    (told,) = differences(exchanged, kept)
    assert (told.amount, told.there[0].feature) == (5, "pawn")  # type: ignore[union-attr]


def near_the_end(text: str) -> Advice:
    """Advice where the solver has proved each move's result before, however busy the machine is."""
    position, advisor = parse_line(text), Advisor(reading.load())
    if position.plies_left < 23:
        advisor.knows.solver(position.geometry).outcomes(position)
    # In more time machine code would look ahead to the end, and leave nothing to be chosen.
    return advisor.advise(position, Limit(seconds=0.12), traced=True)


def test_among_moves_that_are_proved_alike_the_score_that_chose_is_told() -> None:
    """By the solver, which proves results near the end; no score chose where exact scores are known
    or one move alone is good."""
    chosen = 0
    ends = (
        "21712722723326773373",
        "16664257556435577636",
        "61565127135546747755",
    )
    for text in ("4453", "21", "4", *ends):
        advice = near_the_end(text)
        counted = [move for move in advice.moves if move.trace]
        told = " ".join(advisor.explain(advice))
        if not {*advice.best} <= {move.move for move in counted}:
            assert "the score chooses" not in told
            continue
        assert {(move.score.kind, move.score.proved) for move in counted} == {
            (advice.score.kind, True)
        }
        values = {move.move: move.value for move in counted}
        assert None not in values.values()
        assert set(advice.best) == {
            c for c, value in values.items() if value == max(values.values())
        }
        for move in counted:
            assert move.trace
            assert move.trace.value + move.total == move.value
        first, *rest = sorted(values.values(), reverse=True)
        assert "is the look-ahead's choice among moves" in told
        numbers = advisor.explain(advice, numbers=True)[0]
        assert re.search(rf"^Column {advice.best[0]} comes to {first}\b", numbers)
        assert f"{first - rest[0]} more than" in numbers
        for column in values.keys() - set(advice.best):
            numbers = advisor.explain(advice, column, numbers=True)[0]
            assert re.search(rf"^Column {column} comes to {values[column]}\b", numbers)
        chosen += 1
    assert chosen


def test_a_proved_move_that_is_chosen_before_an_open_one() -> None:
    advice = advise(parse_line("4453"), load(), depth=2, traced=True)
    (best,) = advice.best
    draw = Score("draw", proved=True)
    moves = tuple(replace(m, score=draw) if m.move == best else m for m in advice.moves)
    mixed = replace(advice, score=draw, moves=moves)
    told, chosen, *_ = advisor.explain(mixed)
    assert told.endswith("It leads to a draw with best play.")
    assert chosen.startswith(
        f"Column {best} is the look-ahead's choice among moves of which none is proved to be "
        "better."
    )
    for move in moves:
        numbers = advisor.explain(mixed, move.move, numbers=True)[0]
        assert numbers.count(f"Column {move.move} comes to {move.value}") == 1


def test_how_long_a_loss_holds_out_is_told_before_what_chose_it() -> None:
    advice = near_the_end("16664257556435577636")
    (best,) = advice.best
    late, soon = (replace(advice.score, moves=needed) for needed in (9, 8))
    moves = tuple(replace(m, score=late if m.move == best else soon) for m in advice.moves)
    told, chosen, *_ = advisor.explain(replace(advice, score=late, moves=moves))
    assert told.startswith(f"Column {best} lasts longest: it loses in 9 moves")
    assert chosen.startswith(f"Column {best} is the look-ahead's choice among moves that lose.")


def test_the_table_has_the_score_of_moves_whose_result_is_proved() -> None:
    advice = advise(parse_line("4453"), reading.load(), depth=2)
    rows = re.findall(
        r"^ +(\d) +\d +(-?\d+) +loses in", done("suggest", "4453", "--depth", 2).out, re.M
    )
    assert rows == [(str(move.move), str(move.ahead)) for move in advice.moves]


def amounts(sentence: str) -> list[int]:
    """What a sentence says that its reasons count."""
    return [int(found) for found in re.findall(r"[(;] ?([+-]\d+)\)", sentence)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", EDGE, "pomakis"])
def test_what_argues_against_the_outcome_is_on_the_other_hand(name: str) -> None:
    source = random.Random(11)
    config = load(name)
    other = 0
    for number in range(20):
        advice = advise(random_position(source), config, depth=number % 4, traced=True)
        if advice.score.kind != "heuristic":
            continue
        for move in advice.moves:
            if move.score.kind != "heuristic":
                continue
            (numbers,) = advisor.explain(advice, move.move, numbers=True)
            for sentence in re.split(r"(?<=\.) ", numbers):
                for amount in amounts(sentence):
                    against = (amount < 0) is (move.move in advice.best)
                    assert sentence.startswith("On the other hand") is against, sentence
                    other += against
    assert other > 5


def test_strategies_that_argue_against_the_chosen_move(tmp_path: Path) -> None:
    # A disc in the middle is on seven open lines, one beside it on five.
    config = changed(
        tmp_path,
        "encodings: {features: [areas.lp]}\n"
        "features: {area: {1: 2, 2: 4, 3: 8}}\n"
        "moves: {center: {0: -3, 1: 0, 2: 0, 3: 0}}\n",
    )
    advice = advise(Board(geometry()), config, depth=1, traced=True)
    assert advisor.explain(advice, numbers=True) == [
        "Column 4 comes to 11 (value 14, strategies -3), 1 more than column 3, the next best. "
        "After 4, red has seven open lines with one own disc, instead of five "
        "(on a1-d1, on a4-d1, on b1-e1 and 4 more; +4). On the other hand, "
        "column 4 lies in the middle, through which most lines run (-3)."
    ]


def test_an_own_strategy_and_an_own_feature_are_told(tmp_path: Path) -> None:
    own = f"encodings: {{extra: ['{Path(EDGE).parent / 'edge.lp'}']}}\n"
    config = changed(tmp_path, f"{own}moves: {{edge: 0}}\nfeatures: {{edge: 900}}\n")
    position = parse_line("777777")
    advice = advise(position, config, depth=1, traced=True)
    assert advice.best == (1,)
    told = "After 1, red has four discs at the edge, instead of three (a1, g1, g3 and g5; +900)"
    assert told in advisor.explain(advice, numbers=True)[0]
    config = changed(tmp_path, f"{own}moves: {{edge: 900}}\nfeatures: {{edge: 0}}\n")
    advice = advise(position, config, depth=2, traced=True)
    assert advice.best == (1,)
    told = "Column 1 takes a1 at the edge, where yellow can pass it on one side only."
    assert told.removeprefix("Column 1 ") in advisor.explain(advice)[0]
    assert main_reason(advice, 1) == "keeps to the edge"


def test_what_has_no_sentence_is_told_by_its_name(tmp_path: Path) -> None:
    own = f"encodings: {{extra: ['{Path(__file__).parents[1] / 'data' / 'own.lp'}']}}\n"
    config = changed(tmp_path, f"{own}moves: {{corner: 900}}\nfeatures: {{corner: 900}}\n")
    advice = advise(parse_line("727"), config, depth=2, traced=True)
    assert "The strategy corner speaks for column 1 (on a1)." in " ".join(advisor.explain(advice))
    assert "yellow has the feature corner (a1; +900)" in advisor.explain(advice, numbers=True)[0]


def test_a_weaker_move_is_given_no_reason_of_its_own() -> None:
    advice = advise(parse_line("4453"), load(), depth=2, traced=True)
    for move in advice.moves:
        assert bool(main_reason(advice, move.move)) is (move.move in advice.best)


def test_a_long_line_is_counted_in_a_sentence(tmp_path: Path) -> None:
    position = advisor.load_game(write_games(tmp_path)[0]).position()
    for depth, line in ((4, "a1 a2 a3 a4"), (6, "a1 and five more moves")):
        found = advisor.suggest(position, depth=depth)
        sentence = f"After {line}, x has a mark in the nook (a1)."
        assert advisor.explained(found)["explanation"][0][0] == sentence
        assert [len(move.trace.line) for move in found.moves[:1] if move.trace] == [depth]
