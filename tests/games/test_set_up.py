"""Positions that are set up: legal ones come through every way in, others get one clear line."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import advisor
from advisor.games.reference import answer
from advisor.games.rules import read
from aspcircuits.clingo_api import render

SHEETS = Path(__file__).parents[1] / "data" / "gdl"
SMALL = {"hex": {"size": 4}, "gomoku": {"width": 6, "height": 6}, "reversi": {"size": 6}}
GAMES = [name for name in advisor.game_names() if name not in ("connect4", "chess")]
IMPORTED = ["tictactoe", "nested", "passing"]

READS_SHEETS = "import_game" in advisor.__all__

Load = Callable[[str], advisor.Game]


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """A game that comes along, small, or that of a sheet."""
    folder = tmp_path_factory.mktemp("games")

    def loaded(name: str) -> advisor.Game:
        if name.endswith(".kif"):
            target = folder / name.removesuffix(".kif")
            if not target.exists():
                advisor.import_game(SHEETS / name, target)
            return advisor.load_game(target)
        return advisor.load_game(name, constants=SMALL.get(name, {}))

    return loaded


def as_atoms(position: advisor.Position) -> str:
    return " ".join(sorted(f"true({render(atom)})" for atom in position.atoms))


def random_positions(game: advisor.Game, random: Random) -> list[advisor.Position]:
    """The positions of a random game, its end among them if it comes soon."""
    found = [game.position()]
    while not found[-1].over and len(found) < 40:
        found.append(found[-1].play(random.choice(sorted(found[-1].moves))))
    return found


@pytest.mark.parametrize("name", [*GAMES, *(f"{sheet}.kif" for sheet in IMPORTED if READS_SHEETS)])
def test_positions_of_games_can_be_set_up_and_others_are_refused(load: Load, name: str) -> None:
    game, random = load(name), Random(5)
    rules = read(game.source, constants=game.constants)
    met = random_positions(game, random)
    for position in (met[1], random.choice(met), met[-1]):
        again = game.position(as_atoms(position))
        assert again.rows == position.rows
        if not position.over:
            assert again.moves == position.moves
            assert not position.symbols or position.put({}).moves == position.moves
    told: list[str] = []
    for _ in range(8):
        changed = {*random.choice(met).atoms}
        changed ^= {random.choice(rules.base) for _ in range(random.randint(1, 4))}
        try:
            position = game.position(" ".join(f"true({render(atom)})" for atom in changed))
        except advisor.InputError as error:
            told.append(str(error))
            continue
        found = answer(rules, changed)
        able = {role for role in rules.roles if found.moves(role) - {"noop"}}
        passing = any("noop" in found.moves(role) for role in rules.roles)
        assert position.over or len(able) == 1 or passing
        assert len({role for role, _ in found.goals}) == len(found.goals) or not found.terminal
    assert all(re.fullmatch(r"position: [^\n]+", line) for line in told)


BOTH = {(x, y): "xo"[x - 1] for x in (1, 2) for y in (1, 2, 3)}
BOTH_AS_ATOMS = " ".join(f"true(mark({symbol},{x},{y}))" for (x, y), symbol in BOTH.items())

REFUSED = {
    "true(mark(x,1,1))": "position: nothing says who is to move (turn(o) or turn(x) must hold)",
    "true(turn(x)) true(turn(o))": "position: turn(x), turn(o) hold at once",
    "true(turn(x)) true(mark(x,1,1)) true(mark(o,1,1))": "position: o and x on a1 (one thing",
    "true(turn(x),junk) true(mark(o,2,2))": "'true' has 2 arguments; it takes 1",
    "a1 true(turn(o)) true(mark(o,2,2))": "'true(turn(o))': stands behind a move",
    "true(turn(x)) true(mark(x,4,1))": "'true(mark(x,4,1))': the rules have no such base/1",
    f"true(turn(x)) {BOTH_AS_ATOMS}": "the game is over, and the goals of x are 0 and 100",
}


@pytest.mark.parametrize("text", REFUSED)
def test_atoms_that_make_no_position_get_one_line(text: str) -> None:
    with pytest.raises(advisor.InputError, match=re.escape(REFUSED[text])):
        advisor.position(text, game="tictactoe")


def test_pieces_that_make_no_position_get_one_line() -> None:
    with pytest.raises(advisor.InputError, match="the goals of x are 0 and 100"):
        advisor.position(game="tictactoe").put(BOTH)
    with pytest.raises(advisor.InputError, match="nobody can move, and the game is not over"):
        advisor.position(
            "true(turn(white)) true(mill) true(hand(white,9)) true(hand(black,9))", game="morris"
        )


@pytest.mark.skipif(not READS_SHEETS, reason="needs the plugin gdl")
def test_a_square_of_a_sheet_is_empty_or_has_one_piece(load: Load) -> None:
    """A sheet may say of each empty square that it is blank."""
    game = load("tictactoe.kif")
    marked = game.position().put({(1, 1): "x"}, turn="black")
    assert "cell(1,1,b)" not in marked.text
    assert "cell(1,1,x)" in marked.text
    assert len(marked.moves) == 8
    assert marked.put({(1, 1): ""}, turn="white").moves == game.position().moves
    for more, told in (
        ("true(cell(1,1,x))", "cell(1,1,b) and x on"),
        ("true(cell(1,1,o)) true(cell(1,1,x))", "cell(1,1,b) and o and x on"),
        ("true(control(black))", "control(white), control(black) hold at once"),
    ):
        with pytest.raises(advisor.InputError, match=re.escape(f"position: {told}")):
            game.position(f"{as_atoms(game.position())} {more}")
    with pytest.raises(advisor.InputError, match="nothing says who is to move"):
        game.position(as_atoms(game.position()).replace("true(control(white))", ""))
    missing = as_atoms(game.position()).replace("true(cell(1,1,b))", "")
    with pytest.raises(advisor.InputError, match=re.escape("not even cell(1,1,b) on")):
        game.position(missing)
