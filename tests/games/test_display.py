"""What rules say for people: names that are read again, drawings, and what is refused."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from advisor import load_game, suggest
from advisor.errors import EncodingError, InputError
from advisor.files.resources import ENCODINGS
from advisor.games import rooms
from advisor.games.circuits import Circuits
from advisor.games.diagram import ink
from advisor.games.display import COLOURS
from advisor.games.rule_position import RulePosition
from advisor.games.rules import games, read
from aspcircuits.clingo_api import render
from command import advisor

RULES = """
#defined true/1. #defined does/2.
role(a). role(b). other(a, b). other(b, a).
cell(1..2, 1..2).
base(man(P, X, Y)) :- role(P), cell(X, Y). base(turn(P)) :- role(P).
input(P, put(X, Y)) :- role(P), cell(X, Y).
init(turn(a)).
free(X, Y) :- cell(X, Y), not true(man(a, X, Y)), not true(man(b, X, Y)).
legal(P, put(X, Y)) :- true(turn(P)), free(X, Y), not terminal.
next(man(P, X, Y)) :- true(man(P, X, Y)).
next(man(P, X, Y)) :- does(P, put(X, Y)).
next(turn(P')) :- true(turn(P)), other(P, P').
terminal :- not free(1, 1).
goal(P, 100) :- true(man(P, 1, 1)).
goal(P, 0) :- other(P, P'), true(man(P', 1, 1)).
goal(P, 50) :- role(P), free(1, 1).
at(X, Y, P) :- true(man(P, X, Y)).
"""


def folder(path: Path, more: str) -> Path:
    (path / "rules.lp").write_text(RULES + more + "\n")
    return path


def begun(path: Path, more: str, text: str = "") -> RulePosition:
    return rooms.by_circuits(Circuits(read(str(folder(path, more))))).begin(text)


@pytest.mark.parametrize("game", sorted({*games()} - {"chess"}))
def test_random_games_are_read_again_as_they_are_written(game: str) -> None:
    small = {"gomoku": {"width": 6, "height": 5}, "hex": {"size": 4}}
    circuits = Circuits(read(game, constants=small.get(game)))
    random, state = Random(1), rooms.by_circuits(circuits).begin()
    while not state.over and len(state.path) < 22:
        names = state.names
        assert len(set(names.values())) == len(names)
        move = random.choice(list(names))
        for text in (names[move], names[move].upper(), render(move)):
            assert state.read_move(text) == move
        state = state.after(move)
    assert rooms.by_circuits(circuits).begin(state.moves_line).path == state.path


@pytest.mark.parametrize(
    ("game", "term", "name"),
    [
        # Algebraic squares, columns as letters from the left; Othello counts rows from the top.
        ("reversi", "put(4,6)", "d3"),
        ("gomoku", "put(8,8)", "h8"),
        ("breakthrough", "go(1,2,2,3)", "a2-b3"),
        ("morris", "place((3,-1,0))", "c4"),
        ("morris", "place((1,0,1))", "d7"),
        ("connect4", "move(1,4)", "4"),
    ],
)
def test_moves_have_the_names_that_players_use(game: str, term: str, name: str) -> None:
    state = rooms.by_circuits(Circuits(read(game))).begin()
    assert {render(move): text for move, text in state.names.items()}[term] == name


def test_names_are_put_together(tmp_path: Path) -> None:
    state = begun(
        tmp_path,
        """called((X, Y), (letter(25 + X), Y + 8)) :- cell(X, Y).
        called(put(X, Y), ("to-", (X, Y))) :- cell(X, Y), X != Y.
        called(put(1, 1), corner).
        called(a, "Anna").""",
    )
    assert sorted(state.names.values()) == ["corner", "put(2,2)", "to-aa9", "to-z10"]
    assert state.turn == "Anna"
    assert state.place(("", 2, 1)) == "aa9"
    assert [*state.rows] == ["10  .  .", " 9  .  .", "    z aa"]


def test_a_state_without_a_board_is_shown_by_what_holds(tmp_path: Path) -> None:
    bare = RULES.replace("at(X, Y, P) :- true(man(P, X, Y)).\n", "")
    assert bare != RULES
    (tmp_path / "rules.lp").write_text(bare.replace("1..2, 1..2", "1..2, 1..9"))
    game, moves = load_game(str(tmp_path)), [f"put(2,{y})" for y in range(1, 10)]
    found = game.position(" ".join(moves))
    men = [f"man({'ab'[n % 2]},2,{n + 1})" for n in (0, 2, 4, 6, 8, 1, 3, 5, 7)]
    assert found.rows == (" ".join(men[:7]), " ".join(men[7:]), "turn(b)")
    assert found.scene.text() == [*found.rows]
    assert found.to_json()["rows"] == []
    shown = advisor("suggest", "--game", tmp_path, " ".join(moves), "--depth", 1).out
    assert "\n".join(found.rows) in shown


GRAPH = """
#defined true/1. #defined does/2.
role(a). role(b). other(a, b). other(b, a).
land(tirol; kaernten; wien; 7). way(tirol, kaernten; kaernten, wien; wien, 7).
base(in(L)) :- land(L). base(turn(P)) :- role(P).
input(P, go(L, L')) :- role(P), way(L, L').
init(in(tirol)). init(turn(a)).
legal(P, go(L, L')) :- true(turn(P)), true(in(L)), way(L, L').
next(in(L)) :- does(_, go(_, L)).
next(turn(P')) :- true(turn(P)), other(P, P').
terminal :- true(in(7)).
goal(P, 50) :- role(P).
feature(ahead, P, L) :- role(P), land(L), not true(in(L)).
sentence(feature(ahead), "a land ahead").
called(tirol, "Tirol"). called(kaernten, "Kärnten"). called(7, "Land Sieben").
called(go(L, L'), (L, "-", L')) :- way(L, L'), L' != 7.
"""


def test_constants_and_numbers_that_are_places_have_names(tmp_path: Path) -> None:
    """Also where these are parts of other names; one without a name stays as it is."""
    (tmp_path / "rules.lp").write_text(GRAPH)
    (tmp_path / "weights.yaml").write_text("depth: 1\nfeatures: {ahead: 10}\n")
    state = rooms.by_circuits(Circuits(read(str(tmp_path)))).begin()
    assert [*state.names.values()] == ["Tirol-Kärnten"]
    assert [state.place(place) for place in ("wien", 7)] == ["wien", "Land Sieben"]
    state = state.after(state.read_move("tirol-kärnten"))
    assert [*state.names.values()] == ["Kärnten-wien"]
    found = advisor("suggest", "--game", tmp_path, "--explain", "--json")
    assert "Land Sieben" in found.out


RACE = """
#defined true/1. #defined does/2.
role(ann). role(bob). other(ann, bob). other(bob, ann).
base(token(1..12)). base(turn(P)) :- role(P).
input(P, step(1..3)) :- role(P).
init(token(1)). init(turn(ann)).
legal(P, step(K)) :- true(turn(P)), true(token(N)), K = 1..3, N + K <= 12.
next(token(N + K)) :- true(token(N)), does(_, step(K)).
next(turn(P')) :- true(turn(P)), other(P, P').
terminal :- true(token(12)).
goal(P, 1) :- true(turn(P)), true(token(12)).
goal(P, 0) :- true(turn(P')), other(P, P'), true(token(12)).
goal(P, 0) :- role(P), not true(token(12)).
at(N, 1, t) :- true(token(N)).
"""
"""Whoever makes the last step loses."""


def test_how_far_a_piece_goes_is_no_square(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(RACE)
    state = rooms.by_circuits(Circuits(read(str(tmp_path)))).begin()
    assert [state.circuits.squares.of(move) for move in state.names] == [[], [], []]
    (tmp_path / "rules.lp").write_text(RACE.replace("step(1..3)", "step(1..12)"))
    state = rooms.by_circuits(Circuits(read(str(tmp_path)))).begin()
    assert state.circuits.squares.of(("step", 3)) == [(3, 1)]


def test_the_winners_moves_are_counted_where_the_loser_makes_the_last_one(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(RACE)
    begun = load_game(str(tmp_path)).position()

    def winners(token: int) -> tuple[bool, int, int]:
        """For the side to move: whether it wins, the plies, and the winner's own among them."""
        if token == 12:
            return True, 0, 0
        after = [winners(token + step) for step in (1, 2, 3) if token + step <= 12]
        lost = [(plies, moves) for won, plies, moves in after if not won]
        if lost:
            plies, moves = min(lost)
            return True, plies + 1, moves + 1
        _, plies, moves = max(after, key=lambda found: found[1])
        return False, plies + 1, moves

    for steps in ([], ["step(3)"], ["step(3)"] * 3, ["step(3)", "step(3)", "step(3)", "step(1)"]):
        won, plies, moves = winners(1 + sum(int(step[5]) for step in steps))
        score = suggest(begun.play(*steps), depth=12).score
        assert (score.kind == "win", score.plies, score.moves) == (won, plies, moves)


def test_a_name_that_moves_share_is_no_name_where_both_are_legal(tmp_path: Path) -> None:
    more = "called(put(X, Y), X) :- cell(X, Y)."
    state = begun(tmp_path, more)
    assert sorted(state.names.values()) == ["put(1,1)", "put(1,2)", "put(2,1)", "put(2,2)"]
    with pytest.raises(InputError, match=r"'2' is not legal for a \(use put\(1,1\), "):
        state.read_move("2")
    state = state.after(state.read_move("put(2,2)"))
    assert state.read_move("2") == ("put", 2, 1)
    assert begun(tmp_path, more, "put(2,2) 2").path == (("put", 2, 2), ("put", 2, 1))
    checked = advisor("game", "check", tmp_path, "--games", 5, "--compare", 1)
    assert checked.code == 0
    assert re.search(
        r"^warning: .*rules.lp:18: put\((\d),1\) and put\(\1,2\) are both called \1 and legal",
        checked.err,
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("called(c, see).", "called(c,see): no role, move or place (roles: a, b)"),
        ("called(3, see).", "called(3,see): no role, move or place (roles: a, b)"),
        ('called(put(1, 1), "a 1").', "'a 1' has a blank, which no move's name may have"),
        ('called(a, "").', "the name is empty"),
        ("called(a, x; a, y).", "it is called "),
        ("called((1, 1), (2, 2)). called((2, 2), (1, 1)).", "its name is made of itself"),
        ("called((1, 1), letter(0)).", "letters are counted from 1, which is a"),
        ("called(put(X, Y), X) :- legal(a, put(X, Y)).", "it must hold in every state"),
        ("aim(one). aim(two).", "use one"),
        ("at_colour(a, rad).", "not a colour (use black, white, "),
        ('at_colour(a, "#12345g").', "not a colour (use black, white, "),
        ("at_side(a, lef).", "not a side (did you mean left?)"),
        ("at_side(c, left).", "c is not a role (a, b)"),
        ("at_side(a, left). at_side(b, left).", "this side is "),
        ("at_line(1, 1, 2, x).", "columns and rows are numbers"),
        ("at_click(go, 1, 1).", "go is not a move of any input/2"),
        ("at_click(put(1, 1), a, 1).", "columns and rows are numbers"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(tmp_path: Path, more: str, said: str) -> None:
    with pytest.raises(EncodingError, match=re.escape(said)) as caught:
        read(str(folder(tmp_path, more)))
    assert re.match(r"\S*rules.lp:\d+: [^\n]*$", str(caught.value))


def shapes(state: RulePosition, kind: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(state.svg())
    return [each.attrib for each in root if each.tag.endswith(kind)]


def test_a_morris_board_has_its_lines() -> None:
    state = rooms.by_circuits(Circuits(read("morris"))).begin("a1")
    # Three squares of eight lines from point to point, and four times two lines between them.
    lines = shapes(state, "line")
    assert len(lines) == 3 * 8 + 4 * 2
    assert all(line["x1"] == line["x2"] or line["y1"] == line["y2"] for line in lines)
    assert len(shapes(state, "circle")) == 24 + 1


def test_mills_are_called_by_their_ends() -> None:
    place = read("morris").display.place
    sides = [(0, -1), (0, 1), (-1, 0), (1, 0)]
    mills = [("mill", square, *side) for square in (1, 2, 3, "across") for side in sides]
    assert {place(mill) for mill in mills} == {
        *("a1-g1", "a7-g7", "a1-a7", "g1-g7", "b2-f2", "b6-f6", "b2-b6", "f2-f6"),
        *("c3-e3", "c5-e5", "c3-c5", "e3-e5", "a4-c4", "e4-g4", "d1-d3", "d5-d7"),
    }


def test_sides_and_colours_are_drawn(tmp_path: Path) -> None:
    state = rooms.by_circuits(Circuits(read("hex", constants={"size": 4}))).begin("a1")
    fills = Counter(each["fill"] for each in shapes(state, "polygon"))
    assert fills[COLOURS["red"]] == fills[COLOURS["blue"]] == 2
    state = begun(tmp_path, 'at_colour(a, "#102030"). at_side(a, top).', "put(2,2)")
    assert [each["fill"] for each in shapes(state, "circle")] == ["#102030"]
    assert [each["fill"] for each in shapes(state, "polygon")] == ["#102030"]


@pytest.mark.parametrize("colour", [*COLOURS.values(), "#ffffff", "#000000"])
def test_what_is_written_on_a_colour_can_be_read(colour: str) -> None:
    def luminance(text: str) -> float:  # as the guidelines for accessibility define it
        parts = [int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted(map(luminance, (colour, ink(colour))))
    assert (high + 0.05) / (low + 0.05) >= 3  # of large letters


def test_every_game_that_comes_along_says_its_aim() -> None:
    assert all(read(game).display.aim.endswith(".") for game in games())
    assert read("gomoku", constants={"connect": 4}).display.aim.startswith("4 or more stones")
    assert {file.parent.name for file in ENCODINGS.glob("*/rules.lp")} == {*games()}


def test_a_line_that_is_a_move_is_no_command() -> None:
    folder = Path(__file__).parents[1] / "data" / "drop"  # its third column is called h
    done = advisor("play", "--game", folder, "--level", 1, stdin=b"h\nG\nhint\nq\n")
    assert (done.code, done.err) == (0, "")
    assert "You play Anna. Type a move, or ? for help.\nThree discs beside each other" in done.out
    assert re.search(r"\nMoves: h [f-i] g [f-i]\n", done.out)
    assert done.out.count("\nPlay ") == 1


# What a win rests on


def wins(game: str, count: int) -> Iterator[RulePosition]:
    """Random games with a winner."""
    rules, chance = Circuits(read(game)), Random(5)
    while count:
        state = rooms.by_circuits(rules).begin()
        while not state.over:
            state = state.after(chance.choice(state.legal))
        if state.winning_side is not None:
            count -= 1
            yield state


def test_a_chain_of_stones_that_wins_is_the_whole_of_it_and_no_more() -> None:
    for state in wins("hex", 20):
        stands = {(x, y): symbol for x, y, symbol in state.board_contents}
        chain, axis = set(state.decisive), state.winning_side or 0
        assert {stands[square] for square in chain} == {state.circuits.rules.roles[axis]}
        reached = {min(chain)}
        while more := {
            (x + dx, y + dy)
            for x, y in reached
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
        } & (chain - reached):
            reached |= more
        assert reached == chain
        assert {square[axis] for square in chain} == {*range(1, 8)}


def test_five_that_win_are_in_a_row() -> None:
    for state in wins("gomoku", 5):
        (x1, y1), *_, (x2, y2) = five = sorted(state.decisive)
        assert len(five) == 5
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(five)}
        assert len(steps) == 1
        assert max(abs(x2 - x1), abs(y2 - y1)) == 4


def test_a_mate_rests_on_the_king_who_attacks_him_and_what_bars_his_way() -> None:
    game = load_game("chess").position("").play("f3", "e5", "g4", "Qh4#")
    squares = {f"{'abcdefgh'[x - 1]}{y}" for x, y in game.to_json()["decisive"]}
    assert squares == {"e1", "h4", "d1", "f1", "d2", "e2", "h2"}


def test_where_most_of_the_board_is_needed_nothing_is_marked() -> None:
    full = [state for state in wins("reversi", 4) if len(state.board_contents) == 64]
    assert full
    assert not any(state.decisive for state in full)


def test_what_stands_on_a_square_may_be_of_several_kinds() -> None:
    checkers = Path(__file__).parents[2] / "benchmarks" / "games" / "checkers"
    state = rooms.by_circuits(Circuits(read(str(checkers)))).begin()
    squares = {name: state.circuits.squares.of(move) for move, name in state.names.items()}
    assert squares["c3-b4"] == [(3, 3), (2, 4)]
    assert all(len(found) == 2 for found in squares.values())
