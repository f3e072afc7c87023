"""Exact results of any game: by plain minimax, and published ones."""

import json
from pathlib import Path
from random import Random

import pytest

import advisor
from advisor import Score
from advisor.games.bounds import Bounds, proved_best
from aspcircuits.clingo_api import render
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


def test_best_moves_are_settled_once_no_other_may_be_better() -> None:
    best = {1: Bounds(3, 3), 2: Bounds(3, 3), 3: Bounds(-9, 2)}
    assert proved_best(best) == [1, 2]
    assert proved_best({**best, 3: Bounds(-9, 4)}) == []
    assert proved_best({1: Bounds(3, 3), 2: Bounds(2, 3)}) == [1]


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


RACE = """
#defined true/1. #defined does/2.
role(red). role(blue).
other(red, blue). other(blue, red).
path(1,2). path(1,3). path(2,3). path(2,5). path(3,4). path(4,5). path(4,6). path(5,7). path(6,7).
way(A, B) :- path(A, B).
way(B, A) :- path(A, B).
place(A) :- way(A, _).
home(red, 6). home(blue, 1).
base(on(P, A)) :- role(P), place(A).
base(turn(P)) :- role(P).
input(P, walk(A, B)) :- role(P), way(A, B).
init(on(red, 1)). init(on(blue, 7)). init(turn(red)).
turn(P) :- true(turn(P)).
legal(P, walk(A, B)) :- turn(P), true(on(P, A)), way(A, B), other(P, Q), not true(on(Q, B)).
next(on(P, B)) :- does(P, walk(_, B)).
next(on(P, A)) :- true(on(P, A)), not turn(P).
next(turn(Q)) :- turn(P), other(P, Q).
there(P) :- home(P, A), true(on(P, A)).
terminal :- there(_).
goal(P, 100) :- there(P).
goal(P, 0) :- other(P, Q), there(Q).
goal(P, 50) :- role(P), not there(red), not there(blue).
repetition(3).
"""
"""Two walkers on a map, of whom neither enters the other's place; the first one at home wins."""

PATHS = {(1, 2), (1, 3), (2, 3), (2, 5), (3, 4), (4, 5), (4, 6), (5, 7), (6, 7)}
HOMES = 6, 1
Walkers = tuple[int, int, int]
"""The places of both, and the side to move."""


def walks(state: Walkers) -> dict[str, Walkers]:
    *places, turn = state
    found = {}
    for to in range(1, 8):
        here = places[turn]
        if {(here, to), (to, here)} & PATHS and to not in places:
            red, blue = (to, places[1]) if turn == 0 else (places[0], to)
            found[f"walk({here},{to})"] = (red, blue, 1 - turn)
    return found


def walked() -> dict[Walkers, int]:
    """The plies to a forced end, by going back from there; odd if the side to move wins."""
    every = [(a, b, t) for a in range(1, 8) for b in range(1, 8) for t in (0, 1) if a != b]
    plies = {s: 0 for s in every if s[1 - s[2]] == HOMES[1 - s[2]]}
    going = {s for s in every if s[0] != HOMES[0] and s[1] != HOMES[1]}
    for ply in range(1, 200):
        for state in going - plies.keys():
            after = [plies.get(s) for s in walks(state).values()]
            # A win is as near as one of the replies says, a loss as far as all of them say.
            if ply - 1 in after if ply % 2 else None not in after and max(after) == ply - 1:
                plies[state] = ply
    return plies


def test_moves_that_may_lead_back_are_worth_what_they_are_without_it(tmp_path: Path) -> None:
    """A move beside a winning one may come back to where it was made, and win from there."""
    (tmp_path / "rules.lp").write_text(RACE, encoding="utf-8")
    game, plies, random, checked = advisor.load_game(tmp_path), walked(), Random(7), 0

    def true(state: Walkers, more: int = 0) -> tuple[str, int | None]:
        if (left := plies.get(state)) is None:
            return "draw", None
        return ("win" if (left + more) % 2 else "loss"), left + more

    while checked < 6:
        state, met, moves = (1, 7, 0), [(1, 7, 0)], list[str]()
        for _ in range(1 + random.randrange(6)):
            move, after = random.choice([*walks(state).items()])
            if after not in met and plies.get(after) != 0:
                state, moves = after, [*moves, move]
                met.append(state)
        worth = {move: true(after, 1) for move, after in walks(state).items()}
        if [kind for kind, _ in worth.values()].count("win") < 2 or "draw" in dict(worth.values()):
            continue
        checked += 1
        position = game.position(" ".join(moves))
        found = advisor.solve(position, columns=True)
        assert (found.outcome, found.plies) == true(state)
        known = {move: (bounds.outcome, bounds.plies) for move, bounds in found.moves.items()}
        assert known == worth, moves
        for judged in advisor.suggest(position, depth=6).moves:
            (kind, length), said = worth[render(judged.move)], judged.score
            assert said.kind in ("heuristic", kind), (moves, judged.move)
            assert said.plies in (None, length) or (said.within and said.plies > length)
        for reviewed in advisor.review(position, seconds=1).moves:
            before = met[reviewed.ply - 1]
            for move, prospect in reviewed.prospects.items():
                kind, _ = true(walks(before)[render(move)], 1)
                assert prospect.kind in ("heuristic", kind), (moves, reviewed.ply, move)


def test_puzzles_are_made_where_a_state_may_not_come_again(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(RACE, encoding="utf-8")
    plies, made = walked(), 0
    for file in advisor.Posing(tmp_path / "new", 2, 3, game=str(tmp_path)):
        posed, state = advisor.puzzle(str(file)), (1, 7, 0)
        for move in posed.position.played:
            state = walks(state)[move]
        after = {move: plies.get(reached) for move, reached in walks(state).items()}
        assert [move for move, left in after.items() if left == 2] == [*posed.solution]
        assert plies[state] == 3
        assert advisor.replay(str(file)).solved
        made += 1
    assert made == 3
