"""Reviews of games: grades, reasons, and the difference between exact, proved and guessed."""

import json
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from advising import Advisor
from advisor.advice import looking_back
from advisor.advice.grades import Prospect, mark
from advisor.advice.review import Reviewed, Side, accuracy
from advisor.errors import ConfigError
from advisor.games.chess.notation import ChessRulePosition
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.solver import Solver, score_in, solve_columns, winner_moves
from advisor.games.rule_position import Begun
from advisor.games.score import Score
from advisor.library import reviewing, suggesting
from advisor.library.loading import load_game
from advisor.settings import grading, reading
from advisor.settings.grading import ERRORS, GRADES
from advisor.views import review_words as words
from aspcircuits.stopping import Stop
from command import advisor
from ctrl_c import ctrl_c

SCALE = 100.0
OPEN = Score("heuristic")
LONG = "727245622775255635374644333715414111216663"


def graded(
    start: Board, moves: tuple[int, ...], seconds: float = 60.0, depth: int = 2
) -> list[Reviewed]:
    """The moves of a game in their order."""
    begun = Advisor(reading.load()).see(start)
    found = looking_back.review(begun, moves, grading.load(), Stop(), depth, 2 * seconds)
    return sorted(found, key=lambda move: move.ply)


def random_game(start: Board, seed: int) -> tuple[int, ...]:
    rng, moves = random.Random(seed), []
    while start.result() is None:
        moves.append(rng.choice(start.moves()))
        start = start.after(moves[-1])
    return tuple(moves)


# Marks


def certain(kind: str, points: int, moves: int | None = None) -> Prospect:
    return Prospect(Score(kind, moves), (points, points))


WON = Prospect(Score("win"), (1, 9))


def guess(value: int, points: tuple[int, int] | None = None) -> Prospect:
    return Prospect(Score("heuristic", value=value), points)


@pytest.mark.parametrize(
    ("prospects", "grade", "exact", "proved", "loss", "unit"),
    [
        ([certain("win", 5), certain("win", 5)], "best", True, True, 0, "points"),
        ([certain("win", 5), certain("win", 2)], "good", True, True, 3, "points"),
        ([certain("win", 6), certain("win", 2)], "inaccuracy", True, True, 4, "points"),
        ([certain("win", 5), certain("draw", 0)], "mistake", True, True, 5, "points"),
        ([certain("draw", 0), certain("loss", -2)], "blunder", True, True, 2, "points"),
        ([certain("loss", -2), certain("loss", -9)], "inaccuracy", True, True, 7, "points"),
        # The result is certain, the score is not.
        (
            [WON, certain("draw", 0)],
            "mistake",
            False,
            True,
            1000,
            "weights",
        ),
        ([WON, guess(700)], "inaccuracy", False, False, 300, "weights"),
        ([guess(-900), certain("loss", -18)], "inaccuracy", False, False, 100, "weights"),
        # 100 units to a logit: from 0 to -21 it is five hundredths of the expected result.
        ([guess(0), guess(-19)], "good", False, False, 19, "weights"),
        ([guess(0), guess(-21)], "inaccuracy", False, False, 21, "weights"),
        ([guess(0), guess(-45)], "mistake", False, False, 45, "weights"),
        ([guess(0), guess(-80)], "blunder", False, False, 80, "weights"),
        # A loss of value that hardly changes the expected result is no error.
        ([guess(900), guess(600)], "good", False, False, 300, "weights"),
        # All that is known of the other move is that it is not better.
        ([guess(0, (-3, 1)), certain("win", 2)], "best", True, True, 0, "points"),
        ([guess(0, (-3, 2)), certain("win", 2)], "best", False, True, 0, "weights"),
        ([guess(0, (-3, 5)), certain("win", 2)], "best", False, True, 0, "weights"),
        # The other move looks better, but can be no more than a draw, too.
        ([guess(50, (-3, 0)), certain("draw", 0)], "best", False, True, 0, "weights"),
        ([guess(50, (-3, 1)), certain("draw", 0)], "mistake", False, False, 50, "weights"),
    ],
)
def test_marks_follow_what_is_known(
    prospects: list[Prospect], grade: str, exact: bool, proved: bool, loss: float, unit: str
) -> None:
    found = mark(dict(enumerate(prospects)), 1, grading.load(), SCALE)
    assert (found.grade, found.exact, found.proved) == (grade, exact, proved)
    assert (found.loss, found.unit) == (loss, unit)
    assert found.better == (() if grade == "best" else (0,))


def test_a_block_or_win_that_everybody_sees_is_no_inaccuracy() -> None:
    missed = [guess(-900), certain("loss", -18, moves=1)]
    assert mark(dict(enumerate(missed)), 1, grading.load(), SCALE).grade == "mistake"
    missed = [certain("win", 18, moves=1), guess(900)]
    assert mark(dict(enumerate(missed)), 1, grading.load(), SCALE).grade == "mistake"


def test_a_result_that_was_there_counts_though_no_move_is_proved_to_keep_it() -> None:
    moves = dict(enumerate([guess(-900, (-9, 0)), certain("loss", -18), guess(-500, (-9, 0))]))
    found = mark(moves, 1, grading.load(), SCALE, least=0)
    assert (found.grade, found.proved, found.exact, found.better) == ("blunder", True, False, (2,))
    # A move that cannot keep a win is not the better move, however well it looks.
    moves = dict(enumerate([certain("draw", 0), guess(-500)]))
    found = mark(moves, 0, grading.load(), SCALE, least=1)
    assert (found.grade, found.better) == ("mistake", (1,))


def test_guesses_tell_no_error_where_no_move_is_known_to_keep_a_win() -> None:
    moves = dict(enumerate([guess(-100), guess(-400)]))
    assert mark(moves, 1, grading.load(), SCALE).grade == "blunder"
    found = mark(moves, 1, grading.load(), SCALE, least=1)
    assert (found.grade, found.better, found.proved, found.loss) == ("unclear", (), False, 0)
    # A move that is certain to lose is one.
    moves = dict(enumerate([guess(-100), certain("loss", -3)]))
    assert mark(moves, 1, grading.load(), SCALE, least=1).grade == "blunder"


def test_what_is_better_is_known_to_be() -> None:
    # Of the last one it is known that it loses, and by more than the second.
    losses = [certain("loss", -4), certain("loss", -2), Prospect(Score("loss"), (-6, -5))]
    found = mark(dict(enumerate(losses)), 0, grading.load(), SCALE)
    assert (found.exact, found.loss, found.better) == (True, 2, (1,))


def test_an_only_move_is_one_beside_which_all_others_are_worse() -> None:
    def only(*prospects: Prospect) -> bool:
        return mark(dict(enumerate(prospects)), 0, grading.load(), SCALE).only

    assert only(certain("draw", 0), certain("loss", -1), certain("loss", -5))
    assert not only(certain("draw", 0), certain("draw", 0), certain("loss", -5))
    assert not only(certain("loss", -1), certain("loss", -5))
    # Where it is open what another move leads to, the look-ahead has to have seen that it is worse.
    assert only(certain("win", 16), certain("draw", 0), guess(-900, (-15, 15)))
    assert not only(certain("win", 16), certain("win", 2), guess(-900, (-15, 15)))
    assert not only(certain("win", 16), guess(900, (-15, 15)))
    assert not only(certain("draw", 0), Prospect(OPEN, (-5, 0)))
    assert only(guess(0), guess(-50))
    assert not only(guess(0), guess(-30))
    assert only(certain("loss", -3))  # the only legal one


def test_a_move_that_was_not_looked_at_is_neither_better_nor_worse() -> None:
    untried = Prospect(OPEN, (-1, 1))
    for mean in (-0.5, 0.9):
        tried = Prospect(OPEN, (-1, 1), mean=mean)
        found = mark({0: tried, 1: untried, 2: untried}, 0, grading.load(), SCALE)
        assert (found.grade, found.better, found.only) == ("best", (), False)
        found = mark({0: certain("loss", -1), 1: untried, 2: tried}, 0, grading.load(), SCALE)
        assert (found.better, found.proved, found.drop) == ((2,), False, (mean + 1) / 2)


def test_chance_is_not_called_an_error() -> None:
    """Two equal moves: luck alone makes one look better in some number of random games."""
    draw, rules = np.random.default_rng(7), grading.load()
    for games, chance in ((50, 0.5), (200, 0.3), (5000, 0.5), (200, 0.02)):
        called = 0
        for _ in range(300):
            counts = draw.binomial(games, chance, 2)
            means = [2 * count / games - 1 for count in counts]
            moves = {m: Prospect(OPEN, (-1, 1), mean, games) for m, mean in enumerate(means)}
            worse = int(np.argmin(means))
            found = mark(moves, worse, rules, SCALE)
            called += found.grade in grading.ERRORS
            assert not mark(moves, 1 - worse, rules, SCALE).only or found.grade in grading.ERRORS
        assert called <= 0.05 * 300
    for games, better, worse, grade in (
        (299, 1.0, 0.0, "unclear"),  # too few games
        (300, 1.0, 0.0, "blunder"),
        (400, 0.5, 0.43, "unclear"),
        (40_000, 0.5, 0.43, "inaccuracy"),
        (400, 0.5, 0.48, "good"),
    ):
        moves = {
            m: Prospect(OPEN, (-1, 1), 2 * p - 1, games) for m, p in enumerate((better, worse))
        }
        assert mark(moves, 1, rules, SCALE).grade == grade


def test_the_luckiest_of_many_moves_is_not_better() -> None:
    draw = np.random.default_rng(3)
    for games in (300, 500, 2000):
        blamed = 0
        for _ in range(100):
            means = 2 * draw.binomial(games, 0.5, 224) / games - 1
            moves = {m: Prospect(OPEN, (-1, 1), mean, games) for m, mean in enumerate(means)}
            blamed += mark(moves, 0, grading.load(), SCALE).grade in ERRORS
        assert blamed <= 5


def test_a_few_games_that_end_alike_are_not_certain() -> None:
    """The error is that of four games more, half of them won (Agresti and Coull 1998)."""
    for wins, games in ((20, 20), (0, 20), (150, 400)):
        share = (wins + 2) / (games + 4)
        found = Prospect(OPEN, (-1, 1), 2 * wins / games - 1, games)
        assert found.error(SCALE, 0) == pytest.approx(sqrt(share * (1 - share) / (games + 4)))
    assert Prospect(OPEN, (-1, 1), 1.0).error(SCALE, 0) == 0  # chance has no part in it


def test_an_error_is_one_by_every_look_at_it() -> None:
    def looked(value: int, *earlier: int) -> Prospect:
        return replace(guess(value), doubts=tuple(map(guess, earlier)))

    best = looked(0, 0, 0)
    for own, grade in (
        (looked(-80, -90, -100), "blunder"),
        (looked(-80, -70, -100), "mistake"),
        (looked(-80, -30, -200), "unclear"),  # they differ too much
        (looked(-80, -80, 20), "unclear"),
        (looked(-10, 5, 20), "good"),
    ):
        found = mark({0: best, 1: own}, 1, grading.load(), SCALE)
        assert (found.grade, found.better) == (grade, () if grade == "unclear" else (0,))
    assert not mark({0: best, 1: looked(-80, 20)}, 0, grading.load(), SCALE).only
    # Other random games played one of the moves too seldom.
    tried = Prospect(OPEN, (-1, 1), 0.9, 900, (Prospect(OPEN),))
    worse = Prospect(OPEN, (-1, 1), -0.9, 900, (Prospect(OPEN, None, -0.9, 900),))
    assert mark({0: tried, 1: worse}, 1, grading.load(), SCALE).grade == "unclear"


def test_a_value_blames_nobody_for_less_than_it_may_be_off_by() -> None:
    rules = grading.load()
    noise, scale = rules.noise_of("chess"), rules.scale_of("chess")
    pawns = {m: guess(value) for m, value in enumerate((120, 100, 80, -120))}
    queen = {m: guess(value) for m, value in enumerate((120, 100, 80, -800))}
    assert mark(pawns, 3, rules, scale).grade == "blunder"
    assert mark(pawns, 3, rules, scale, noise=noise).grade == "unclear"
    assert mark(queen, 3, rules, scale, noise=noise).grade == "blunder"
    assert not mark(pawns, 0, rules, scale, noise=noise).only


def test_a_result_that_is_thrown_away_decides_the_grade() -> None:
    # Three moves win, one draws; this one lets the other side win at once.
    moves = dict(enumerate([WON, certain("draw", 0), certain("loss", -18, moves=1)]))
    assert mark(moves, 2, grading.load(), SCALE).grade == "blunder"
    assert mark(dict(enumerate([*moves.values()][1:])), 1, grading.load(), SCALE).grade == "blunder"
    # Where all is lost, one that loses at once is an inaccuracy.
    moves = dict(enumerate([Prospect(Score("loss"), (-9, -1)), certain("loss", -18, moves=1)]))
    assert mark(moves, 1, grading.load(), SCALE).grade == "inaccuracy"


def test_accuracy_is_the_formula_of_the_docs() -> None:
    assert accuracy(0.0) == pytest.approx(100, abs=0.001)
    assert accuracy(0.1) == pytest.approx(63.58, abs=0.01)
    assert accuracy(1.0) == 0.0


# Connect Four


@cache
def minimax(position: Board) -> int:
    """Pascal Pons' score by looking at everything, without any of the project's searches."""
    result, squares = position.result(), position.geometry.squares
    if result is not None:
        return result * ((squares + 2 - position.discs) // 2)
    return max(-minimax(position.after(column)) for column in position.moves())


@pytest.mark.parametrize("seed", range(6))
def test_exact_marks_are_what_minimax_says(seed: int) -> None:
    start = Board(geometry(4, 4, 3))
    moves = random_game(start, seed)
    position = start
    for move, column in zip(graded(start, moves), moves, strict=True):
        scores = {c: -minimax(position.after(c)) for c in position.moves()}
        best = max(scores.values())
        assert move.mark.exact
        assert move.mark.loss == best - scores[column]
        better = {c for c, score in scores.items() if score == best and best > scores[column]}
        assert set(move.mark.better) == better
        worse = all(_sign(s) < _sign(best) for c, s in scores.items() if c != column)
        assert move.mark.only == (scores[column] == best and worse)
        position = position.after(column)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def test_a_long_game_has_grades_reasons_and_lines_that_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "bitbully", None)  # it knows more than a search finds
    late = graded(parse_line(LONG[:22]), tuple(map(int, LONG[22:])))
    assert [move.ply for move in late] == list(range(1, 21))
    solver = Solver(geometry(), machine_code=False)
    for move in late:
        assert move.mark.grade in GRADES
        assert move.mark.exact
        assert move.mark.proved
        assert move.mark.unit == "points"
        assert move.reasons
        assert all(text.endswith(".") for text in move.reasons)
        position = parse_line(LONG[: move.ply + 21])
        scores = {c: s.score for c, s in solve_columns(position, solve=solver.solve).items()}
        assert move.mark.loss == max(scores.values()) - scores[int(move.name)]  # type: ignore[type-var, operator]
        assert (move.refutation is not None) == (
            move.error and position.after(int(move.name)).result() is None
        )
        if move.refutation:
            end = position.after(int(move.name)).play_all(map(int, move.refutation.line))
            assert list(move.refutation.end.text()) == end.rows()
            if move.prospect.kind == "loss":
                assert move.prospect.moves is not None
                if end.result() is not None:
                    assert end.winner == 3 - position.turn
    # A block that was missed, a win that was, and a gift of the square above.
    (slip,) = (move for move in late if move.ply == 39 - 22)
    assert slip.missed == ("a win in 2",)
    assert any("can then take f5" in text for text in slip.reasons)


def test_on_a_board_too_large_to_solve_the_look_ahead_judges() -> None:
    found = graded(Board(geometry(8, 7)), (4, 5, 4), depth=2)
    assert not any(move.mark.exact for move in found)
    assert {move.mark.unit for move in found} == {"weights"}


@pytest.mark.slow
def test_random_games_grade_a_game_twice_in_one_way() -> None:
    game = load_game("hex", constants={"size": 5}).position("a1")
    once, again = (reviewing.review(game, depth=1).to_json() for _ in range(2))
    assert once == again
    assert {move["unit"] for move in once["moves"]} == {"mean result"}


def test_a_missed_block_is_told() -> None:
    moves = (1, 5, 1, 5, 1, 5, 2)  # x could have won on a4; and then o can
    found = graded(Board(geometry(5, 4)), moves)
    assert found[-1].mark.grade == "blunder"
    assert found[-1].mark.better == (1,)
    assert found[-1].missed == ("a win in 1",)
    assert any(text.startswith("After column 2 yellow completes") for text in found[-1].reasons)
    (late,) = (move for move in found if move.ply == 6)
    assert "a block on a4" in late.missed


SQUARES = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]
ROWS = [{s for s in SQUARES if s[axis] == n} for axis in (0, 1) for n in (1, 2, 3)]
ROWS += [{(n, n) for n in (1, 2, 3)}, {(n, 4 - n) for n in (1, 2, 3)}]


MEN = "true(turn(white)) true(man(white,1,1)) true(man(black,2,2)) true(man(black,4,5))"


def completing(mine: set[tuple[int, int]], others: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Where a mark completes a row of tic-tac-toe."""
    lacking = [row - mine for row in ROWS if not row & others]
    return {square for squares in lacking if len(squares) == 1 for square in squares}


def test_a_block_keeps_the_other_side_from_completing_a_row() -> None:
    game, rng, told = load_game("tictactoe"), random.Random(1), {True: 0, False: 0}
    for _ in range(60):
        position, marks = game.position(), (set(), set())
        for number, (x, y) in enumerate(rng.sample(SQUARES, rng.randrange(3, 7))):
            if position.over:
                break
            position = position.play(f"{'abc'[x - 1]}{y}")
            marks[number % 2].add((x, y))
        mine, others = marks if len(marks[0]) == len(marks[1]) else marks[::-1]
        if position.over or completing(mine, others):
            continue
        names = {(x, y): f"{'abc'[x - 1]}{y}" for x, y in SQUARES if (x, y) not in mine | others}
        threats, meant = completing(others, mine), position.phrasing.find_move
        for move, better in permutations(names, 2):
            said = position.phrasing.describe_blocks(meant(names[move]), [meant(names[better])])
            blocks = threats == {better}
            assert said == ([f"a block of {names[better]}"] if blocks else [])
            told[blocks] += 1
    assert min(told.values()) > 20


@pytest.mark.parametrize(
    ("name", "before", "move", "better", "told"),
    [
        # Before g4 there was no mate to be stopped.
        ("chess", "1. f3 e5", "g4", "Nc3", []),
        ("chess", "1. e4 e5 2. Bc4 Nc6 3. Qh5", "Nf6", "g6", ["a block of Qxf7#"]),
        # The man on b2 could go to three squares of the first row, or be taken.
        ("breakthrough", f"{MEN} true(man(white,4,3))", "d3-d4", "a1-b2", ["a block"]),
        ("breakthrough", f"{MEN} true(man(white,4,3))", "d3-d4", "a1-a2", []),
        # Here white can win first.
        (
            "breakthrough",
            f"{MEN} true(man(white,4,4)) true(man(white,3,2))",
            "a1-a2",
            "d4-c5",
            [],
        ),
    ],
)
def test_a_block_is_told_where_there_was_a_threat(
    name: str, before: str, move: str, better: str, told: list[str]
) -> None:
    sizes = {"width": 4, "height": 5} if name == "breakthrough" else {}
    say = load_game(name, constants=sizes).position(before).phrasing
    assert say.describe_blocks(say.find_move(move), [say.find_move(better)]) == told


def test_points_and_moves_to_the_end_say_the_same() -> None:
    rng = random.Random(1)
    for _ in range(200):
        position = parse_line("")
        for _ in range(rng.randrange(30)):
            if position.result() is None:
                position = position.after(rng.choice(position.moves()))
        left = position.plies_left
        for score in range(-(left // 2), (left + 1) // 2 + 1):
            moves = winner_moves(position, score)
            kind = ("draw", "win", "loss")[_sign(score)]
            assert score_in(position, kind, moves or 0) == score


def test_best_play_keeps_the_score_to_the_end() -> None:
    position = parse_line(LONG[:24])
    solver = Solver(geometry(), machine_code=False)
    score = solver.solve(position).score
    line = Advisor(reading.load()).see(position).line(Stop(), 42)
    end = position.play_all(line)
    assert end.result() is not None
    assert score is not None
    assert len(line) == 2 * (winner_moves(position, score) or 0) - (score > 0) if score else True


def test_a_side_in_all() -> None:
    found = graded(Board(geometry(4, 4, 3)), random_game(Board(geometry(4, 4, 3)), 3))
    for player in range(2):
        own = [move for move in found if move.side == player]
        side = Side.of("x", own)
        assert side.moves == len(own) == sum(side.grades.values())
        assert side.accuracy == pytest.approx(sum(accuracy(m.mark.drop) for m in own) / len(own))
        errors = [move for move in own if move.mark.grade in ERRORS]
        if side.turning_point is not None:
            turning = next(m for m in errors if m.ply == side.turning_point)
            assert turning.mark.drop == max(m.mark.drop for m in errors)
        text = "".join("e" if move.error else "." for move in own)
        assert side.longest_run == max(map(len, text.split("e")))


# Thresholds


def test_thresholds_of_a_users_own(tmp_path: Path) -> None:
    file = tmp_path / "grades.yaml"
    file.write_text("results: {win to draw: blunder}\npoints: {mistake: 9}\nceiling: 500\n")
    own = grading.load(str(file))
    assert own.by_result("win", "draw") == "blunder"
    assert own.by_result("draw", "loss") == "blunder"
    assert (own.by_points(3), own.by_points(5), own.by_points(9)) == (
        "good",
        "inaccuracy",
        "mistake",
    )
    assert own.chances == grading.load().chances
    assert own.ceiling == 500


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pionts: {}", "line 1: pionts: unknown key (did you mean 'points'?)"),
        ("points: 3", "line 1: points: '3' found, should be lines like 'name: value'"),
        ("points: {best: 3}", "line 1: points.best: 'best' found, should be 'inaccuracy', "),
        (
            "chances:\n  blunder: -1",
            "line 2: chances.blunder: '-1' found, should be greater than 0",
        ),
        (
            "results: {draw to win: best}",
            "'draw to win' found, should be 'win to draw', ",
        ),
        ("results: {win to loss: awful}", "win to loss: 'awful' found, should be 'best', 'good', "),
        ("ceiling: much", "line 1: ceiling: 'much' found, should be a number"),
        ("[1]", "line 1: '[1]' found, should be lines like 'key: value'"),
    ],
)
def test_thresholds_that_are_none(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "grades.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        grading.load(str(file))
    assert told in str(error.value)


# The command


def test_json_has_what_programs_ask_for() -> None:
    done = advisor("review", "4453", "--json")
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert [move["ply"] for move in answer["moves"]] == [1, 2, 3, 4]
    wanted = {"ply", "move", "grade", "exact", "better", "loss", "unit", "reasons"}
    assert all(wanted <= move.keys() for move in answer["moves"])
    third = answer["moves"][2]
    assert (third["move"], third["grade"], third["exact"]) == (5, "blunder", True)
    assert (third["better"], third["loss"], third["unit"]) == ([4], 3, "points")
    assert set(answer["sides"]) == {"x", "o"}
    assert answer["sides"]["x"]["turning_point"] == 3
    assert "interrupted" not in answer


def test_games_one_a_line_and_their_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("# two games\n4453\n\n4444444\n")
    done = advisor("review", file, "--json")
    assert (done.code, done.err) == (
        2,
        f"error: {file}: line 4: move 7: column 4 is full (6 discs)\n",
    )
    file.write_text("# two games\n4453\n\n44\n")
    done = advisor("review", file, "--json")
    assert [len(json.loads(line)["moves"]) for line in done.out.splitlines()] == [4, 2]
    assert advisor("review", "-", "--json", stdin=b"44\n").out.count('"ply"') == 2
    yaml = tmp_path / "game.yaml"
    yaml.write_text('width: 4\nheight: 4\nconnect: 3\nmoves: "2231"\n')
    done = advisor("review", yaml)
    assert done.code == 0
    assert "4 moves; not finished" in " ".join(done.out.split())
    assert all(len(line) <= 80 for line in done.out.splitlines())
    yaml.write_text("board: ......./......./......./......./......./x......\n")
    done = advisor("review", yaml)
    assert done.code == 2
    assert "no moves to review" in done.err
    done = advisor("review", "44", "--depth", 0)
    assert (done.code, done.err) == (
        2,
        "error: --depth 0: a review looks ahead (use 1 or more)\n",
    )


def test_ctrl_c_keeps_what_is_graded(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with ctrl_c("back", lambda names: "games" in names and len(names["moves"]) == 20):
        done = advisor("review", LONG, "--html", page, "--depth", 2)
    assert (done.code, done.err) == (130, "error: interrupted: the review is not complete\n")
    assert "(only the last 22 are graded)" in " ".join(done.out.split())
    assert "only the last 22 are graded" in page.read_text()


def test_any_game_by_its_rules() -> None:
    game = "put(2,2) put(1,2) put(1,1) put(2,1) put(3,3)"
    done = advisor("review", game, "--game", "tictactoe", "--depth", 9, "--json")
    assert done.code == 0, done.err
    moves = json.loads(done.out)["moves"]
    # A side that answers the centre at an edge has lost, with three moves to go.
    assert [move["grade"] for move in moves] == ["best", "blunder", "best", "best", "best"]
    assert all(move["proved"] and move["reasons"] for move in moves)
    assert set(moves[1]["better"]) == {"put(1,1)", "put(1,3)", "put(3,1)", "put(3,3)"}


def test_a_time_limit_grades_fewer_moves_and_no_other_way() -> None:
    game = "put(2,2) put(1,2) put(1,1) put(2,1) put(3,3)"
    whole = json.loads(advisor("review", game, "--game", "tictactoe", "--json").out)
    assert "interrupted" not in whole
    done = advisor("review", game, "--game", "tictactoe", "--time", 0.01, "--json")
    some = json.loads(done.out)
    assert (done.code, some["interrupted"]) == (0, True)
    assert some["moves"] == whole["moves"][-len(some["moves"]) :]
    done = advisor("review", game, "--game", "tictactoe", "--time", 0.01)
    # How many the second run grades in this time is the machine's business.
    assert re.search(r"only the last (one is|[2-4] are) graded", " ".join(done.out.split()))


def test_the_only_move_that_does_not_lose_is_better_than_one_that_does() -> None:
    game = "put(1,1) put(2,2) put(2,1) put(3,3)"  # in place of a block
    told = json.loads(advisor("review", game, "--game", "tictactoe", "--depth", 2, "--json").out)
    last = told["moves"][-1]
    assert last["score"]["kind"] == "loss" != last["best_score"]["kind"]
    assert (last["grade"] in ERRORS, last["better"]) == (True, ["put(3,1)"])


def test_a_result_known_before_a_move_tells_what_the_move_threw_away() -> None:
    # The book says that 41213 is a draw; it does not know the next position. All moves but 5 let
    # red complete b1-e1 at once.
    *_, slip = reviewing.review(load_game("connect4").position("412131"), depth=1).moves
    assert (slip.mark.grade, slip.mark.proved, slip.mark.better) == ("blunder", True, (5,))


@pytest.mark.slow
def test_what_is_certain_one_ply_later_counts_for_the_move_that_led_there() -> None:
    """A look-ahead of one ply does not see the mate that Nf6 and most other moves allow."""
    game = load_game("chess")
    mate = game.position("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#")
    *_, slip, last = reviewing.review(mate, depth=1).moves
    assert (last.mark.grade, last.mark.only) == ("best", True)
    assert (slip.mark.grade, slip.prospect.kind, slip.prospect.moves) == ("blunder", "loss", 1)
    better = game.position(f"1. e4 e5 2. Qh5 Nc6 3. Bc4 {slip.better[0]}")
    assert "Qxf7#" not in better.moves
    before = game.position("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6")
    assert suggesting.explain(suggesting.suggest(before, depth=1)) == ["Qxf7# is mate."]
    # In Connect Four: o may win at once, which the rules show without a search.
    late = graded(Board(geometry(5, 4)), (1, 5, 1, 5, 1, 5, 2, 5), depth=1)
    assert [move.prospect.kind for move in late[-2:]] == ["loss", "win"]


@pytest.mark.slow
def test_games_of_chess_in_pgn(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    fool = f'[FEN "{fen}"]\n\n2... Qh4# 0-1\n'
    scholar = '\n[Event "b"]\n[FEN "k7/8/1K6/8/8/8/8/7R w - - 0 1"]\n\n1. Kc5 Kb7 2. Rh7+ *\n'
    file.write_text(fool + scholar)
    done = advisor("review", file, "--game", "chess", "--depth", 2, "--json")
    assert done.code == 0, done.err
    first, second = map(json.loads, done.out.splitlines())
    assert [(move["name"], move["side"]) for move in first["moves"]] == [("Qh4#", "black")]
    assert first["ended"] == "black has won"
    assert [move["grade"] for move in first["moves"]] == ["best"]
    assert second["moves"][0]["missed"] == ["mate in 1"]
    assert second["moves"][0]["better"] == ["h1h8"]
    # Each game by itself names the lines of the file.
    _, second_game = ChessRulePosition.games((fool + scholar).replace("Kb7", "\nKh8"))
    assert isinstance(second_game, Begun)
    assert ("Kh8", "line 9: 1... ") in second_game.moves
    # One bad game leaves the others.
    file.write_text(fool + "\n1. e4 (1. d4\n" + scholar.replace("Rh7+", "Rh7+ &"))
    done = advisor("review", file, "--game", "chess", "--depth", 1, "--json")
    assert done.code == 2
    assert done.err.splitlines() == [
        f"error: {file}, game 2: line 5: a variation breaks off (end it with ')')",
        f"note: {file}, game 3: passed over line 10: '&'",
    ]
    assert [len(json.loads(line).get("moves", [])) for line in done.out.splitlines()] == [1, 0, 3]


@pytest.mark.slow
def test_first_choices_of_a_strong_engine_are_no_mistakes() -> None:
    text = (Path(__file__).parents[1] / "data" / "chess" / "legal.pgn").read_text()
    first = re.findall(
        r"([a-hBKNQRO][^ .\n]*)(\s\{first choice\})?(?=\s)", text.partition("\n\n")[2]
    )
    moves = reviewing.review(load_game("chess").position(text)).moves
    assert [move.name for move in moves] == [name for name, _ in first]
    marked = {move.name for move in moves if move.mark.grade in ("mistake", "blunder")}
    assert not marked & {name for name, chosen in first if chosen}
    assert "Bxd1" in marked  # takes the queen and is mated


def test_words_for_an_error_say_what_was_given_away() -> None:
    game = "put(2,2) put(1,2) put(1,1) put(2,1) put(3,3)"
    slip = reviewing.review(load_game("tictactoe").position(game)).moves[1]
    assert words.verdict(slip).startswith("a draw becomes a loss (exact); better: ")
    for loss, unit, drop, told in (
        (0, "weights", 0.02, "a certain loss (look-ahead)"),
        (0.6, "mean result", 0.3, "expected result lower by 30 % (random games)"),
        (160, "weights", 0.2, "160 units of the weights lost (look-ahead)"),
    ):
        guessed = replace(slip.mark, exact=False, proved=False, loss=loss, unit=unit, drop=drop)
        played = slip.prospect if loss == 0 else guess(0)
        prospects = {**slip.prospects, slip.move: played}
        assert told in words.verdict(replace(slip, mark=guessed, prospects=prospects))


def test_help_lists_what_a_review_takes() -> None:
    assert "--grades" in advisor("review", "--help").out


@pytest.fixture(autouse=True)
def _no_files_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    assert {file.suffix for file in tmp_path.iterdir()} <= {".yaml", ".txt", ".pgn", ".html"}


DOTS = """
role(anna). role(bert). other(anna, bert). other(bert, anna).
edge(hor, 1..2, 0..2). edge(ver, 0..2, 1..2). box(1..2, 1..2).
side(X, Y, hor, X, (Y; Y-1)) :- box(X, Y).
side(X, Y, ver, (X; X-1), Y) :- box(X, Y).
base(drawn_edge(D, X, Y)) :- edge(D, X, Y).
base(owner(P, X, Y)) :- role(P), box(X, Y).
base(turn(P)) :- role(P).
input(P, draw(D, X, Y)) :- role(P), edge(D, X, Y).
init(turn(anna)).
set(D, X, Y) :- true(drawn_edge(D, X, Y)).
after(D, X, Y) :- set(D, X, Y).
after(D, X, Y) :- does(_, draw(D, X, Y)).
legal(P, draw(D, X, Y)) :- true(turn(P)), edge(D, X, Y), not set(D, X, Y).
full(X, Y) :- box(X, Y), set(D, A, B) : side(X, Y, D, A, B).
now_full(X, Y) :- box(X, Y), after(D, A, B) : side(X, Y, D, A, B).
closes(P, X, Y) :- does(P, _), now_full(X, Y), not full(X, Y).
next(drawn_edge(D, X, Y)) :- after(D, X, Y).
next(owner(P, X, Y)) :- true(owner(P, X, Y)).
next(owner(P, X, Y)) :- closes(P, X, Y).
next(turn(P)) :- closes(P, _, _).
next(turn(Q)) :- does(P, _), other(P, Q), not closes(P, _, _).
left_over :- edge(D, X, Y), not set(D, X, Y).
terminal :- not left_over.
goal(P, N) :- role(P), N = #count { X, Y : true(owner(P, X, Y)) }.
"""


def test_own_moves_are_counted_along_the_game_where_a_player_moves_twice(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("dots")
    (folder / "rules.lp").write_text(DOTS, encoding="utf-8")
    kinds, edges = {"h": "hor", "v": "ver"}, "h10h11h20h12v01h21v11h22v21v02v12v22"
    moves = " ".join(
        f"draw({kinds[kind]},{x},{y})" for kind, x, y in zip(*[iter(edges)] * 3, strict=True)
    )
    seen = reviewing.review(load_game(str(folder)).position(moves), seconds=9).moves[6:]
    assert {move.mark.grade for move in seen} == {"best"}
    # Anna wins in the end: the number of her moves from each of these moves on.
    own = [sum(later.side == 0 for later in seen[ply:]) for ply in range(len(seen))]
    assert [move.prospects[move.move].moves for move in seen] == own
