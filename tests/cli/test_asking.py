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


def test_a_text_that_is_no_atom_is_one_line() -> None:
    done = command("why", "foo(", "4453")
    assert (done.code, done.err.count("\n")) == (2, 1)
    over = command("atoms", "1212121")
    assert (over.code, over.err) == (2, "error: the game is over\n")
