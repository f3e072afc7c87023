"""`advisor atoms` and `advisor why`."""

import json

import advisor
from command import advisor as command


def test_atoms_of_a_position_are_listed_with_their_meanings() -> None:
    shown = command("atoms", "4453").out
    assert "valid_move(R, C): the next disc in column C comes to rest on row R\n" in shown
    assert "    cell(2,2,4)\n" in shown
    held = json.loads(command("atoms", "4453", "--json").out)
    position = advisor.position("4453")
    cells = {f"cell({p},{r},{c})" for p, r, c in ((1, 1, 4), (2, 2, 4), (1, 1, 5), (2, 1, 3))}
    assert {*held["cell/3"]} == cells
    assert len(held["valid_move/2"]) == len(position.moves)
    assert not {"weight/2", "sentence/2"} & held.keys()


def test_a_game_by_its_rules_lists_what_these_derive() -> None:
    held = json.loads(command("atoms", "b2", "--game", "tictactoe", "--json").out)
    assert len(held["legal/2"]) == 8
    assert held["turn/1"] == ["turn(o)"]


def test_why_a_strategy_fires_or_does_not() -> None:
    held = json.loads(command("atoms", "4453", "--json").out)
    for atom in held["fires/2"]:
        assert advisor.why(advisor.position("4453"), atom).answer == "holds"
    told = command("why", "valid_move(2,4)", "4453").out
    assert told.startswith("valid_move(2,4) does not hold:\n")
    assert "connect4/board.lp:" in told
    assert "lacks empty(2,4)" in told


def test_a_strategy_is_asked_for_by_its_name_and_move_in_every_kind_of_game() -> None:
    for game, moves in (("connect4", [4, 4, 3]), ("chess", ["e4"])):
        position = advisor.load_game(game).position("").play(*moves)
        advice = advisor.suggest(position, depth=1)
        move, fired = next((m, m.fires[0]) for m in advice.moves if m.fires)
        code = advice.phrasing.code(move.move)
        assert advisor.why_fires(position, fired.strategy, code).answer == "holds"
    assert advisor.why_fires(position, "nobody").hints
    found = advisor.why_feature(position, "piece(queen)")
    assert found.steps[-1].place is None  # it rests on what is given: the state


def test_the_rules_for_the_value_are_asked_too() -> None:
    told = command("why", "feature(threat(now),_,_)", "44332", "--value").out
    assert told.startswith("feature(threat(now),1,square(")
    assert "connect4/common.lp:" in told


def test_a_text_that_is_no_atom_is_one_line() -> None:
    done = command("why", "foo(", "4453")
    assert (done.code, done.err.count("\n")) == (2, 1)
    over = command("atoms", "1212121")
    assert (over.code, over.err) == (2, "error: the game is over\n")
