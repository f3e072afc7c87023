"""Proofs: never wrong, complete, and good to play by; bad boards are refused in one line."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from itertools import cycle, product
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import advisor as public
from advisor.errors import InputError
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.notation import parse_line
from advisor.plugins.proofs.victor.plan import DERIVED, RULES, Proof
from advisor.plugins.proofs.victor.playout import play_out
from advisor.plugins.proofs.victor.prove import Prover, bound, prove, provers
from aspcircuits.stopping import Stop
from command import Done, advisor
from ctrl_c import ctrl_c
from test_victor import CASES, DATA, position


@cache
def value(board: Board) -> int:
    """1, 0 or -1 for the player to move: plain negamax."""
    if board.winner:
        return -1
    if board.full:
        return 0
    best = -1
    for column in board.moves():
        best = max(best, -value(board.play(column)))
        if best == 1:
            break
    return best


@st.composite
def boards(draw: st.DrawFn, empty: int = 14) -> Board:
    """A random undecided position with at most this many empty squares."""
    g = geometry(*draw(st.sampled_from([(4, 4), (5, 4), (6, 4), (4, 6), (5, 6), (7, 4), (4, 8)])))
    order = draw(st.permutations([c for c in range(1, g.width + 1) for _ in range(g.height)]))
    board = Board(g)
    for column in order[: g.squares - draw(st.integers(1, empty))]:
        board = board.play(column)
        assume(not board.over)
    return board


@settings(max_examples=20, deadline=None)
@given(boards(), st.booleans())
def test_no_proof_is_wrong(board: Board, strict: bool) -> None:
    for player in (1, 2):
        outcome = bound(board, player, strict)
        if outcome:
            exact = value(board) if board.turn == player else -value(board)
            assert exact >= (1 if outcome == "wins" else 0)


@settings(max_examples=20, deadline=None)
@given(boards(), st.booleans())
def test_a_plan_holds_against_every_move(board: Board, strict: bool) -> None:
    proof = prove(board, strict)
    if proof is not None:
        check_contents(proof)
        played = play_out(proof)
        assert played.exhaustive
        assert played.failure is None


@pytest.mark.slow
@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "case", [c for c in CASES if c["expect"] == "proof"], ids=lambda case: case["diagram"]
)
def test_the_plans_of_the_thesis_hold(case: dict[str, object], strict: bool) -> None:
    board = position(str(case["rows"]))
    proof = prove(board, strict)
    assert proof is not None
    assert proof.player == case["controller"]
    assert proof.outcome == (
        "holds" if not case["black_wins_claim"] and proof.player == 2 else "wins"
    )
    check_contents(proof)
    assert play_out(proof, games=50, limit=2000).failure is None


PLANS = json.loads((DATA / "victor_plans.json").read_text())["positions"]


@cache
def plan(rows: str, player: int) -> Proof:
    """The plan of a player, which there must be; its position is shared by several tests."""
    proof = prove(position(rows), player=player)
    assert proof is not None
    return proof


@pytest.mark.parametrize("case", PLANS, ids=lambda case: f"{case['rule']} {case['rows']}")
def test_the_plans_with_the_rarer_rules_hold(case: dict[str, object]) -> None:
    proof = plan(str(case["rows"]), int(str(case["controller"])))
    assert case["rule"] in {rule.name for rule in proof.rules}
    check_contents(proof)
    played = play_out(proof)
    assert played.exhaustive
    assert played.failure is None


@pytest.mark.slow
@pytest.mark.parametrize("case", PLANS, ids=lambda case: f"{case['rule']} {case['rows']}")
def test_every_move_that_keeps_to_the_plan_is_good(case: dict[str, object]) -> None:
    keeps_to_the_plan(plan(str(case["rows"]), int(str(case["controller"]))))


@settings(max_examples=20)
@given(boards(empty=10), st.booleans())
def test_every_waiting_move_is_good(board: Board, strict: bool) -> None:
    proof = prove(board, strict)
    if proof is not None:
        keeps_to_the_plan(proof)


def keeps_to_the_plan(proof: Proof) -> None:
    """Every order of the opponent's moves, with every reply that the plan allows."""
    seen: set[int] = set()

    def walk(board: Board) -> None:
        if board.over or board.key in seen:
            return
        seen.add(board.key)
        for column in board.moves():
            after = board.play(column)
            if after.over:
                check_end(after)
                continue
            for reply in proof.replies(after, column):
                end = after.play(reply)
                check_end(end)
                walk(end)

    def check_end(board: Board) -> None:
        if board.over:
            assert board.winner in (
                [proof.player] if proof.outcome == "wins" else [proof.player, 0]
            )

    walk(proof.start)


@pytest.mark.parametrize("size", [(4, 4), (5, 4), (6, 4), (6, 6)])
def test_the_plans_of_empty_boards_hold(size: tuple[int, int]) -> None:
    proof = prove(Board(geometry(*size)))
    assert proof is not None
    check_contents(proof)
    assert play_out(proof, games=100, limit=2000).failure is None


def check_contents(proof: Proof) -> None:
    """A proof's description of itself is complete and consistent."""
    start, g = proof.start, proof.start.geometry
    if start.over:
        assert proof.first is not None
        assert not proof.rules
        return
    assert (proof.first is None) == (proof.position.turn != proof.player)
    own = start.discs_of(proof.player)
    lines = {
        tuple((r + i * up, c + i * side) for i in range(4))
        for r, c in product(range(1, g.height + 1), range(1, g.width + 1))
        for up, side in ((1, 0), (0, 1), (1, 1), (-1, 1))
    }
    on_board = {
        line for line in lines if all(1 <= r <= g.height and 1 <= c <= g.width for r, c in line)
    }
    assert {line for line, _ in proof.solved} == {
        line for line in on_board if not any(g.bit(*square) & own for square in line)
    }
    assert all(rule.name in RULES for rule in proof.rules)
    assert {rule for _, rule in proof.solved} <= set(proof.rules)
    squares = [square for rule in proof.answers for square in rule.squares]
    assert len(squares) == len(set(squares))
    assert all(not g.bit(*square) & start.mask for square in squares)
    assert not {column for _, column in squares} & proof.threat_columns
    assert (proof.threat is not None) == (proof.player == 1)
    assert not set(squares) & set(proof.waiting)
    for line, rule in proof.solved:
        if rule.name not in DERIVED and proof.threat != rule:
            assert len(set(line) & set(rule.squares)) >= (1 if rule.name == "claimeven" else 2)


def test_black_holds_six_by_six_with_few_and_simple_rules() -> None:
    proof = prove(Board(geometry(6, 6)))
    assert proof is not None
    assert (proof.player, proof.outcome, proof.first) == (2, "holds", None)
    names = [rule.name for rule in proof.rules]
    assert sorted(names) == ["baseinverse"] + ["claimeven"] * 12 + ["lowinverse"] * 2
    assert proof.waiting == ((6, 3), (6, 4))


def test_the_same_board_has_the_same_plan() -> None:
    board = Board(geometry(6, 6)).play(1)
    first = prove(board)
    assert first is not None
    prove(Board(geometry(6, 6)).play(2))
    assert prove(board) == first


def test_for_one_player_only() -> None:
    board = Board(geometry(6, 6))
    assert prove(board, player=1) is None
    proof = prove(board, player=2)
    assert proof is not None
    assert proof.player == 2


def test_a_line_completed_at_once_needs_no_plan() -> None:
    proof = prove(position("0000/0000/2220/1110"), player=1)
    assert proof is not None
    assert (proof.outcome, proof.first, proof.rules) == ("wins", 4, ())


@pytest.mark.slow
def test_the_step_beyond_the_thesis_gives_more_proofs() -> None:
    data = json.loads((DATA / "victor_extended.json").read_text())
    for case in data["positions"]:
        board = position(case["rows"])
        assert prove(board, strict=True, player=case["controller"]) is None
        proof = prove(board, player=case["controller"])
        assert proof is not None
        keeps_to_the_plan(proof)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (Board(geometry(7, 5)), "even height where four in line win, not 7x5 with 4 in line"),
        (Board(geometry(7, 6, 5)), "even height where four in line win, not 7x6 with 5 in line"),
        (position("2222/1112"), "the game is over"),
        (
            Board(geometry(7, 6), turn=2),
            "0 discs and o .yellow. to move: the strategic rules need an even",
        ),
    ],
)
def test_boards_that_the_rules_do_not_cover(board: Board, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        prove(board)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--by", "plan", "--strict"), "--strict is for the rules (leave --by plan out)"),
    ],
)
def test_options_that_do_not_go_together(arguments: tuple[object, ...], said: str) -> None:
    done = advisor("prove", "44", *arguments)
    assert (done.code, done.out, done.err) == (2, "", f"error: {said}\n")


def test_a_large_board_keeps_to_its_time() -> None:
    """Its rules alone would take minutes, and more memory than there may be."""
    done = advisor("prove", "", "--size", "40x40", "--time", 0.2)
    assert done == Done(1, "no proof found (that says nothing about the position)\n", "")


def test_reply_refuses_a_game_that_did_not_follow_the_plan() -> None:
    proof = prove(Board(geometry(6, 6)))
    assert proof is not None
    board = proof.position.play(1)
    assert proof.replies(board, 1)[0] == 1
    with pytest.raises(InputError, match="followed the plan"):
        proof.replies(board.play(2), 2)


# Interruptions


def cut_short(at: int, work: Callable[[], object]) -> bool:
    """Whether a KeyboardInterrupt ended the work before the prover ran this number of its lines."""
    lines = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        if Path(frame.f_code.co_filename).name not in ("prove.py", "clingo_api.py"):
            return None
        if event == "line":
            lines += 1
            if lines == at:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_an_interruption_at_any_moment_makes_no_answer_wrong() -> None:
    g = geometry(5, 4)
    rng = random.Random(1)
    asked = []
    while len(asked) < 12:
        board = Board(g)
        for _ in range(rng.randrange(4, 14)):
            if not board.over:
                board = board.play(rng.choice(board.moves()))
        if not board.over:
            asked += [(board, player) for player in (1, 2)]
    expected = [Prover(g).bound(board, player) for board, player in asked]
    assert {None, "holds"} < set(expected)
    prover = Prover(g)
    moments = 0
    for question in cycle(asked):
        moments += 1
        if not cut_short(3 * moments, lambda question=question: prover.bound(*question)):
            if moments > 100:
                break
            continue
        for i in rng.sample(range(len(asked)), 3):
            assert prover.bound(*asked[i]) == expected[i], (moments, question)


def test_a_stopped_prover_says_nothing_and_can_be_asked_again() -> None:
    board, stop = parse_line("44", geometry(6, 4)), Stop()
    expected = [bound(board, player) for player in (1, 2)]
    stop.set()
    for player in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            bound(board, player, stop=stop)
    for asked in (None, Stop(), Stop(3600)):
        found = [bound(board, player, stop=asked) for player in (1, 2)]
        assert found == expected


def test_half_a_proof_is_none() -> None:
    provers.cache_clear()  # so that there is something to ground, and time to interrupt it
    with ctrl_c("_bound"):
        done = advisor("prove", "445", "--for", "x")
    assert done == Done(130, "", "error: interrupted\n")


def test_proofs_on_large_boards_come_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    board = parse_line("1122", geometry(4, 4))
    here = [prove(board), *(bound(board, player) for player in (1, 2))]
    monkeypatch.setattr("advisor.plugins.proofs.victor.prove._QUICK_SQUARES", 0)
    assert [prove(board), *(bound(board, player) for player in (1, 2))] == here
    stop = Stop()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        prove(board, stop=stop)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "player"), [("", "o"), ("4", "o"), ("44", "x"), ("4433", "x")])
def test_clingo_by_hand_finds_a_plan_where_the_advisor_does(
    board: str, player: str, tmp_path: Path
) -> None:
    (tmp_path / "goal.lp").write_text("")
    for size in ("6x4", "7x6"):
        position = parse_line(board, geometry(*map(int, size.split("x"))))
        proved = bound(position, {"x": 1, "o": 2}[player])
        with chdir(tmp_path):
            program = advisor("facts", board, "--size", size, "--plan", player).out
        command = [sys.executable, "-m", "clingo", "--outf=2"]
        done = subprocess.run(
            command, input=program, capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert not done.stderr
        solved = json.loads(done.stdout)
        assert (solved["Models"]["Number"] > 0) == (proved is not None)


# What users hand in


@pytest.mark.parametrize("name", ["red", "x", "1", "RED"])
def test_a_player_is_named_by_colour_mark_or_number(name: str) -> None:
    found = advisor("prove", "", "--size", "6x6", "--by", "rules", "--for", name)
    assert found.out == advisor("prove", "", "--size", "6x6", "--by", "rules", "--for", "x").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("--game", "hex"),
            "hex: the game has no proofs beside its exact results (solve finds them)",
        ),
        (("4", "--for", "green"), "--for: 'green' is not a player (use x or red, o or yellow)"),
    ],
)
def test_what_cannot_be_proved_is_said_in_one_line(arguments: tuple[str, ...], told: str) -> None:
    assert advisor("prove", *arguments) == Done(2, "", f"error: {told}\n")


def test_the_library_checks_what_is_to_be_proved() -> None:
    p = public.position("4453")
    with pytest.raises(InputError, match="seconds -1 must be positive"):
        public.prove(p, seconds=-1)
    with pytest.raises(InputError, match="'4453' is not a position"):
        public.prove("4453")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the game has no proofs"):
        public.prove(public.position(game="tictactoe"))
    with pytest.raises(InputError, match="'z' is not a player"):
        public.prove(p, player="z")
    assert public.explain(None) == ["no proof found (that says nothing about the position)"]


def test_the_json_of_a_proof_stays_as_programs_read_it() -> None:
    golden = json.loads(Path(__file__).with_name("proof.json").read_text())
    assert json.loads(advisor("prove", "1", "--size", "5x4", "--json").out) == golden


def test_a_proof_begins_with_a_move() -> None:
    for size, text in (((4, 4), ""), ((5, 4), "1"), ((7, 6), "")):
        position = public.position(text, size=size)
        proof = public.prove(position)
        assert proof
        assert proof.first is None or position.play(proof.first).played


def test_of_a_move_that_the_solution_does_not_play_nothing_is_known_at_once() -> None:
    found = public.suggest(public.position("444446"), at_once=True)
    with pytest.raises(public.InputError, match="nothing is known of column 1 "):
        public.explain(found, 1)
