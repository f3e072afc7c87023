"""Exact results of any game: by plain minimax, and those that are known."""

import json
from random import Random

import pytest

import advisor
from advisor import Score
from command import advisor as command


def minimax(state: advisor.Position) -> Score:
    """Every move and every reply: the soonest win, or else a draw, or else the latest loss."""
    if state.over:
        winner = state.winner
        return Score("draw") if winner is None else Score("loss", plies=0)
    replies = [minimax(state.play(move)) for move in state.moves]
    losses = [reply.plies for reply in replies if reply.outcome == "loss"]
    if losses:
        return Score("win", plies=1 + min(losses))
    if any(reply.outcome == "draw" for reply in replies):
        return Score("draw")
    return Score("loss", plies=1 + max(reply.plies or 0 for reply in replies))


def test_tic_tac_toe_by_plain_minimax() -> None:
    source, solved = Random(3), set()
    for _ in range(12):
        state = advisor.position(game="tictactoe")
        for _ in range(source.choice((4, 5, 6))):
            if not state.over:
                state = state.play(source.choice(state.moves))
        found = advisor.solve(state, columns=True)
        expected = minimax(state)
        assert (found.outcome, found.plies) == (expected.outcome, expected.plies)
        assert found.proved
        solved.add(found.outcome)
        if state.over:
            continue
        opposite = {"win": "loss", "draw": "draw", "loss": "win"}
        for move, result in (found.moves or {}).items():
            reply = minimax(state.play(move))
            plies = None if reply.plies is None else reply.plies + 1
            assert (result.outcome, result.plies) == (opposite[reply.outcome or ""], plies)
        end = state.play(*found.line)
        if expected.plies is not None:
            assert (end.over, len(found.line)) == (True, expected.plies)
    assert solved == {"win", "draw", "loss"}


@pytest.mark.parametrize(
    ("game", "constants", "outcome"),
    [
        ("hex", {"size": 3}, "win"),  # whoever begins wins on any board (Nash)
        ("reversi", {"size": 4}, "loss"),  # Joel Feinstein, 1993, of 4x4
    ],
)
def test_what_is_known_of_small_games(game: str, constants: dict[str, int], outcome: str) -> None:
    assert advisor.solve(advisor.position(game=game, constants=constants)).outcome == outcome


MATE_IN_TWO = "1nbq2n1/3pr3/1ppP1bP1/p1k1p1Pp/r1P5/RP2PK2/5N1P/2BQ1B1R w - - 0 33"
"""The first of `puzzles/chess/mate2`."""


def test_a_game_whose_states_are_seen_by_the_side_to_move() -> None:
    state = advisor.position(MATE_IN_TWO, game="chess")
    found = advisor.solve(state)
    assert (found.outcome, found.plies, found.line[0], len(found.line)) == ("win", 3, "Ne4+", 3)
    assert state.play(*found.line).winner == "white"


def test_a_game_that_is_over_and_one_that_takes_too_long() -> None:
    over = advisor.position("put(1,1) put(2,1) put(1,2) put(2,2) put(1,3)", game="tictactoe")
    known = advisor.solve(over)
    assert (known.outcome, known.plies) == ("loss", 0)
    found = advisor.solve(advisor.position(game="hex"), seconds=0.1, columns=True)
    assert (found.outcome, found.line, found.proved) == (None, (), False)


def test_the_command() -> None:
    done = command("solve", "--game", "tictactoe", "put(1,1)", "--moves")
    assert done.code == 0
    assert "\nA draw.\n" in done.out
    assert "a2    a loss in 6 plies" in done.out
    told = json.loads(command("solve", "--game", "hex", "--const", "size=3", "--json").out)
    assert (told["game"], told["outcome"], told["plies"], len(told["line"])) == ("hex", "win", 5, 5)
    late = command("solve", "--game", "hex", "--time", 0.1)
    assert (late.code, late.err) == (1, "")
    assert "Not proved in time." in late.out
    refused = command("solve", "--game", "hex", "--size", "5x5")
    assert refused.code == 2
    assert refused.err == "error: hex: no #const 'width' (the game has #const size)\n"
