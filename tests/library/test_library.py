"""`import advisor`: public names are documented and typed, and their examples hold."""

import ast
import builtins
import doctest
import inspect
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import advisor
import aspcircuits
from advisor import registry
from advisor.files.resources import ENCODINGS
from aspcircuits import own_process
from commands import ROOT, environment

PUBLIC = [getattr(advisor, name) for name in sorted(advisor._modules())]
MODULES = {"advisor", *(each.__module__ for each in PUBLIC if ">>> " in (each.__doc__ or ""))}
"""With the examples of what is public."""


@pytest.mark.parametrize("module", sorted(MODULES))
def test_the_examples_are_true(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"advisor": advisor, "aspcircuits": aspcircuits, "pathlib": pathlib}
    found = import_module(module)
    ran = doctest.testmod(found, extraglobs=names, optionflags=doctest.ELLIPSIS)
    assert ran.attempted
    assert not ran.failed


@pytest.mark.slow
def test_the_page_leads_from_the_first_move_to_a_circuit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its examples in a row; then a program of its own, from a game to a picture."""
    text = (ROOT / "docs" / "library.md").read_text()
    *pages, program = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner()
    for number, page in enumerate(pages):
        examples = doctest.DocTestParser().get_doctest(page, {}, f"part {number}", None, 0)
        examples.globs = names
        runner.run(examples, clear_globs=False)
    assert runner.tries > 20
    assert not runner.failures, capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    assert len([line for line in program.splitlines() if line]) <= 20
    exec(compile(program, "library.md", "exec"), {})
    assert (tmp_path / "worst.svg").read_text().startswith("<svg")


def test_what_is_listed_is_there_and_documented() -> None:
    for name in advisor._modules():
        found = getattr(advisor, name)
        assert inspect.getdoc(found), name
        assert name in dir(advisor)
    assert advisor.__version__[0].isdigit()
    with pytest.raises(AttributeError, match="no attribute 'suggestion'"):
        _ = advisor.suggestion


def test_each_public_name_has_an_example_and_each_method_says_what_it_does() -> None:
    for name in advisor._modules():
        found = getattr(advisor, name)
        assert ">>> " in (found.__doc__ or ""), name
        for part, value in vars(found).items() if inspect.isclass(found) else ():
            if not part.startswith("_") and (inspect.isfunction(value) or type(value) is property):
                assert value.__doc__, f"{name}.{part}"


def test_the_type_checker_is_told_the_same_names() -> None:
    tree = ast.parse(Path(advisor.__file__).read_text())
    (told,) = [node for node in tree.body if isinstance(node, ast.If)]
    names = {
        alias.name: node.module
        for node in told.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    core = {name: at for name, at in names.items() if not at.startswith("advisor.plugins.")}
    assert core == advisor._MODULES
    brought = {name: at for each in registry.built_in() for name, at in each.names.items()}
    assert brought.items() <= names.items()
    assert {*core, *brought, "__version__"} == {*advisor.__all__, "compile"}
    assert (ROOT / "advisor" / "py.typed").is_file()


def test_a_star_import_hides_no_builtin() -> None:
    assert not {*advisor.__all__} & {*dir(builtins)}


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, advisor; print([m for m in sys.modules if m in ('numpy', 'clingo')])"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_the_package_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "advisor", "moves", "44"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == list("1234567")


# Positions


def test_a_position_reads_back_from_its_repr(tmp_path: Path) -> None:
    for given in (
        advisor.position("4453"),
        advisor.position("1,12,3", size=(12, 9), connect=5),
        advisor.position(". . . / . o . / x x o", size=(3, 3), connect=3),
        advisor.position("put(2,2) put(1,1)", game="tictactoe"),
        advisor.position("put(2,2)", game="hex", constants={"size": 3}),
        advisor.position("put(2,2)", game=ENCODINGS / "hex"),
        advisor.position("e4 e5 Nf3", game="chess"),
        advisor.position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", game="chess"),
        advisor.position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", game="chess").play("e4", "Kd7"),
    ):
        assert eval(repr(given), {"advisor": advisor}) == given
    own = tmp_path / "own"
    shutil.copytree(ENCODINGS / "tictactoe", own)
    game = advisor.load_game(own)
    assert eval(repr(game), {"advisor": advisor}).position().moves == game.position().moves


def test_every_kind_of_text_and_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text('moves: "4453"\n')
    one = advisor.position("4453")
    assert advisor.position(file) == one
    assert advisor.position('moves: "4453"') == one
    assert advisor.position("/".join(one.rows)).key == one.key
    assert advisor.position("cell(1,1,4). cell(2,2,4).").key == advisor.position("44").key
    file.write_text("game: tictactoe\nmoves: put(2,2)\n")
    assert advisor.position(file).turn == "o"
    assert np.array_equal(advisor.position("44").cells[:2, 3], [1, 2])


def test_moves_are_checked_and_can_be_taken_back() -> None:
    p = advisor.position("444444")
    assert p.moves == (1, 2, 3, 5, 6, 7)
    with pytest.raises(advisor.InputError, match="column 4 is full"):
        p.play(4)
    with pytest.raises(advisor.InputError, match="out of range"):
        p.play(9)
    for wrong in ("four", 4.0, None):
        with pytest.raises(advisor.InputError, match="is not a whole number"):
            p.play(wrong)  # type: ignore[arg-type]
    for strange in (44, None):
        with pytest.raises(advisor.InputError, match=r"a list of moves or a pathlib\.Path, not"):
            advisor.position(strange)
    assert p.back(2) == advisor.position("4444")
    assert p.play(3, 3).back(2) == p
    with pytest.raises(advisor.InputError, match=r"moves back 7 is out of range \(use 0 to 6\)"):
        p.back(7)
    won = advisor.position("1122334")
    assert (won.over, won.winner, won.moves) == (True, "x", ())
    assert str(won).endswith("x (red) has won")
    t = advisor.position("put(2,2)", game="tictactoe")
    assert t.play("put(1,1)", "put(3,3)").back(2).played == ("b2",)
    with pytest.raises(advisor.InputError, match="not legal"):
        t.play("put(2,2)")
    with pytest.raises(advisor.InputError, match="move 4 is not a text"):
        t.play(4)  # type: ignore[arg-type]
    with pytest.raises(advisor.InputError, match=r"move 2: 'put\(é,1\)' is not legal for o"):
        t.play("put(é,1)")
    for q in (p, t):
        with pytest.raises(advisor.InputError, match="moves back '1' is not a whole number"):
            q.back("1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("44z",), "column 'z' is not a whole number"),
        (("-",), "'-' is not a whole number"),
        ((Path("no-such.yaml"),), "no-such.yaml"),
    ],
)
def test_what_is_no_position_is_one_line(arguments: tuple[object], told: str) -> None:
    with pytest.raises(advisor.InputError, match=told) as caught:
        advisor.position(*arguments)
    assert "\n" not in str(caught.value)


def test_arguments_of_questions_are_checked() -> None:
    p = advisor.position("4453")
    for wrong, told in [
        ({"depth": -1}, r"depth -1 is out of range \(use 0 to 100\)"),
        ({"depth": 101}, "depth 101 is out of range"),
        ({"depth": "3"}, "depth '3' is not a whole number"),
        ({"depth": 1.5}, "depth 1.5 is not a whole number"),
        ({"seconds": 0}, "seconds 0 must be positive"),
        ({"seconds": float("nan")}, "seconds nan must be positive"),
        ({"seconds": "1"}, "seconds '1' must be positive"),
    ]:
        for ask in (advisor.suggest, advisor.review):
            with pytest.raises(advisor.InputError, match=told):
                ask(p, **wrong)  # type: ignore[operator]
    with pytest.raises(advisor.InputError, match="seconds -1 must be positive"):
        advisor.solve(p, seconds=-1)
    for question in (advisor.suggest, advisor.review, advisor.solve):
        with pytest.raises(advisor.InputError, match="'4453' is not a position"):
            question("4453")  # type: ignore[operator]
    with pytest.raises(advisor.InputError, match="use a list of positions, or an array"):
        advisor.Evaluator().values(["4453"])  # type: ignore[list-item]
    for weights in (5, {"moves": {}}):
        with pytest.raises(advisor.InputError, match=r"weights .* is neither a name nor a path"):
            advisor.suggest(p, weights=weights)
    seeded: list[Callable[[Any], object]] = [
        lambda seed: advisor.suggest(advisor.position(game="tictactoe"), seed=seed),
        lambda seed: advisor.check_game("tictactoe", games=2, seed=seed),
        lambda seed: advisor.fires(advisor.load_game("connect4"), "win", games=1, seed=seed),
        lambda seed: advisor.Match("default", "random", games=2, seed=seed),
        lambda seed: advisor.Posing("nowhere", 2, 1, seed=seed),
    ]
    for call in seeded:
        for seed, told in ((-1, "seed -1 is out"), (2**64, "is out of range"), (0.5, "seed 0.5")):
            with pytest.raises(advisor.InputError, match=told):
                call(seed)
    assert not Path("nowhere").exists()
    with pytest.raises(advisor.InputError, match="a Position is neither advice nor a proof"):
        advisor.explain(p)  # type: ignore[arg-type]
    for width, height in ((7, 6), (9, 9)):  # a board of one machine word, and of two
        none = np.zeros((0, height, width), np.int8)
        assert len(advisor.Evaluator(size=(width, height)).values(none)) == 0
    small = p.play(np.int8(4))
    assert (small, type(small.played[-1])) == (p.play(4), int)


def test_the_moves_may_be_a_list() -> None:
    p = advisor.position("4453")
    for moves in ([4, 4, 5, 3], p.played, np.array(p.played)):
        assert advisor.position(moves) == p
    t = advisor.position("put(2,2) put(1,1)", game="tictactoe")
    assert advisor.position(t.played, game="tictactoe") == t
    assert advisor.position([], size=(5, 4)) == advisor.position(size=(5, 4))
    for wrong, told in [
        (([4] * 7,), "move 7: column 4 is full"),
        ((["4b"],), "move 1: column '4b' is not a whole number"),
        ((4,), "a list of moves or a pathlib.Path, not 4"),
    ]:
        with pytest.raises(advisor.InputError, match=told):
            advisor.position(*wrong)
    with pytest.raises(advisor.InputError, match=r"^move 2: 'put\(1,1\)' is not legal"):
        advisor.position(["put(1,1)", "put(1,1)"], game="tictactoe")
    with pytest.raises(advisor.InputError, match="no #const 'size'"):
        advisor.position([4], constants={"size": 3})


def test_the_key_leaves_the_moves_out() -> None:
    p, q = advisor.position("4453"), advisor.position("4354")
    assert p != q
    assert {p.key: 1}[q.key] == 1
    assert p.key != p.play(1).key
    assert p.key == advisor.position(str(p.text)).key
    assert advisor.position(size=(7, 6), connect=5).key != advisor.position().key
    c = advisor.position("e4 e5", game="chess")
    around = c.play("Nf3", "Nc6", "Ng1", "Nb8")
    assert c != around
    assert c.key == around.key != c.play("Nf3").key
    t = advisor.load_game("tictactoe")
    assert t.position("put(1,1)").key != t.position("put(2,2)").key


def test_what_never_changes_says_so() -> None:
    p, t = advisor.position("44"), advisor.position(game="tictactoe")
    for each, name in ((p, "turn"), (p, "board"), (t, "turn"), (t.game, "name")):
        with pytest.raises(AttributeError, match=f"{name} cannot be set: a .* never changes"):
            setattr(each, name, "o")
    assert pickle.loads(pickle.dumps(p)) == p


@pytest.mark.parametrize("size", [(7, 6), (5, 4)])
def test_a_text_keeps_whose_turn_it_is_in_a_composed_position(size: tuple[int, int]) -> None:
    composed = advisor.position("4", size=size).put({(1, 1): "x"}, turn="x")
    for again in (advisor.position(composed.text), eval(repr(composed))):
        assert (again, again.turn) == (composed, "x")
    assert advisor.position("4453").put({(1, 1): "x"}).text.count("/") == 5


def test_a_position_is_the_same_however_its_game_was_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    posed = advisor.puzzle("mate1/1", game="chess").position
    usual, own = {"constants": {"size": 7}}, tmp_path / "noughts"
    shutil.copytree(ENCODINGS / "tictactoe", own)
    (own / "features.lp").write_text("#const most = 3.\nfeature(x, x, N) :- N = 1..most.\n")
    (own / "weights.yaml").write_text("features: {x: 1}\n")
    monkeypatch.chdir(tmp_path)
    weighed = advisor.load_game(own, weights=advisor.load_weights(game="noughts"))
    for position, other in (
        (posed, advisor.position(posed.fen, game="chess")),
        (advisor.position("a1", game="hex"), advisor.load_game("hex", **usual).position("a1")),
        (advisor.position("b2", game="noughts"), weighed.position("b2")),
        (
            advisor.position("b2", game=own),
            advisor.load_game("noughts", weights=None).position("b2"),
        ),
    ):
        assert (other, other.key, hash(other)) == (position, position.key, hash(position))
    smaller = advisor.position("a1", game="hex", constants={"size": 6})
    assert smaller.key != advisor.position("a1", game="hex").key


def test_a_game_with_weights_of_ones_own_is_equal_to_its_copy(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("extends: default\nmoves: {center: {3: 900}}\n")
    game, usual = advisor.load_game("connect4", weights=str(file)), advisor.load_game("connect4")
    copy = pickle.loads(pickle.dumps(game))
    assert (copy, hash(copy)) == (game, hash(game))
    assert game != usual == pickle.loads(pickle.dumps(usual))


def test_a_game_that_has_machine_code_is_copied_without_it() -> None:
    game = advisor.load_game("tictactoe")
    state = game.position("b2")
    game.circuits.tree._tiers.get_now()
    expected = advisor.suggest(state, depth=2).best
    for again in (pickle.loads(pickle.dumps(state)), deepcopy(state)):
        assert (again, again.key, again.game.weights) == (state, state.key, game.weights)
        assert advisor.suggest(again, depth=2).best == expected
    assert {game: 1}[state.game] == {game.weights: 1}[state.game.weights] == 1


def test_positions_are_analysed_by_the_rules_alone() -> None:
    for game, line in (("connect4", "44"), ("tictactoe", "b2")):
        (found,) = advisor.analyse([line], game=game, depth=1, weights=None)
        assert len(found["best"]) >= 1


@pytest.mark.slow
def test_chess_has_fen_and_pgn_and_no_other_game() -> None:
    c = advisor.position("Nf3", game="chess")
    assert c.fen == "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
    assert c.pgn.rstrip().endswith("1. Nf3 *")
    t = advisor.position(game="tictactoe")
    assert not hasattr(t, "fen")
    assert not hasattr(t, "pgn")


def test_games_with_a_board_are_drawn() -> None:
    state = advisor.position(
        "put(2,2) put(3,1)", game=advisor.load_game("hex", constants={"size": 3})
    )
    picture = ElementTree.fromstring(state.svg())
    shapes = [each.tag.rpartition("}")[2] for each in picture]
    assert shapes.count("polygon") == 9 + 4  # cells, and the sides that players join
    assert shapes.count("circle") == 2
    assert "red to move" in state.svg()
    t = advisor.position("put(1,1) put(2,2) put(1,2)", game="tictactoe")
    marked = t.svg(advisor.suggest(t, depth=9))
    assert (marked.count('stroke-width="4"'), marked.count("<rect ")) == (1, 1 + 9)


@pytest.mark.slow
@pytest.mark.usefixtures("loaded_anew")
def test_states_that_were_loaded_apart_are_equal() -> None:
    for game, move, other in (("chess", "e4", "d4"), ("hex", "put(1,1)", "put(1,2)")):
        state = advisor.position(move, game=game)
        same = advisor.position(move, game=game)
        assert (state, hash(state)) == (same, hash(same))
        assert state.back() == advisor.position(game=game) != state
        assert state not in (advisor.position("4"), state.text)
        assert state != advisor.position(other, game=game)
        assert state == pickle.loads(pickle.dumps(state))


def test_a_game_serves_several_threads() -> None:
    state = advisor.position(game="hex", constants={"size": 5})
    expected = advisor.suggest(state, depth=1)

    def ask(_: int) -> object:
        return advisor.suggest(state, depth=1).scores, len(state.play("put(3,3)").moves)

    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(ask, range(12))]
    assert found == [(expected.scores, 24)] * 12


def test_sizes_and_constants_are_checked() -> None:
    for size in (7, (7,), "7x6", (7, 6, 4)):
        with pytest.raises(advisor.InputError, match="is not a pair of columns and rows"):
            advisor.position(size=size)
    with pytest.raises(advisor.InputError, match=r"width 7\.0 is not a whole number"):
        advisor.position(size=(7.0, 6))  # type: ignore[arg-type]
    with pytest.raises(advisor.InputError, match=r"connect 4\.5 is not a whole number"):
        advisor.position(connect=4.5)
    with pytest.raises(advisor.InputError, match="hex: no #const 'width'"):
        advisor.position(game="hex", size=(3, 3))
    with pytest.raises(advisor.InputError, match=r"width 41 is out of range \(use 1 to 40\)"):
        advisor.position(size=(41, 6))
    with pytest.raises(advisor.InputError, match="no #const 'sice'"):
        advisor.position(game="hex", constants={"sice": 3})
    with pytest.raises(advisor.InputError, match="#const size '5' is not a whole number"):
        advisor.position(game="hex", constants={"size": "5"})  # type: ignore[dict-item]
    with pytest.raises(advisor.InputError, match="constants 5 must be names with numbers"):
        advisor.load_game("hex", constants=5)  # type: ignore[arg-type]
    with pytest.raises(advisor.InputError, match=r"connect4: no #const 'size' \(the game has "):
        advisor.position("44", constants={"size": 5})
    assert advisor.position(constants={"width": 5}) == advisor.position(size=(5, 6))
    with pytest.raises(advisor.InputError, match="game 5 is neither a name nor a path"):
        advisor.position(game=5)
    with pytest.raises(advisor.InputError, match="a position is a text, a list of moves"):
        advisor.position(44, game="chess")
    game = advisor.load_game("tictactoe")
    with pytest.raises(advisor.InputError, match="a position is a text, not 5"):
        game.position(5)  # type: ignore[arg-type]
    with pytest.raises(advisor.InputError, match="is loaded already"):
        advisor.position(game=game, constants={"size": 3})


# Questions


def test_advice_on_any_position_is_asked_in_the_same_way() -> None:
    for given, best in (
        (advisor.position("443355"), {2, 6}),
        (advisor.position("put(1,1) put(2,2) put(1,2) put(3,3)", game="tictactoe"), {"a3"}),
    ):
        found = advisor.suggest(given, depth=3)
        assert set(found.best) == best
        assert (found.score.kind, found.score.moves) == ("win", 1)
        assert set(found.scores) == set(given.moves)
        assert (
            "<svg" in given.svg(found)
            if given.turn != "x" or given.game.name == "connect4"
            else True
        )
        after = given.play(found.best[0])
        assert after.over
        told = advisor.suggest(after)
        assert (told.best, told.score.kind, advisor.explain(told)) == ((), "loss", [])


def test_an_advice_is_asked_about_the_moves_that_play_takes() -> None:
    board, grid = advisor.position("444444676776"), advisor.position("a1", game="tictactoe")
    found = advisor.suggest(board, depth=2)
    for move, told in [(4, "column 4 is full"), (8, "out of range"), (1.5, "not a whole number")]:
        for ask in (advisor.explain, advisor.reason):
            with pytest.raises(advisor.InputError, match=told):
                ask(found, move)
    found = advisor.suggest(grid, depth=2)
    assert advisor.explain(found, "put(3,3)") == advisor.explain(found, "c3")
    assert advisor.explain(found, "C3") == advisor.explain(found, "c3")
    with pytest.raises(advisor.InputError, match="'a1' is not legal for o"):
        advisor.explain(found, "a1")


def test_an_advice_on_a_finished_game_tells_how_it_ended() -> None:
    won = advisor.position("a1 b1 a2 b2 a3", game="tictactoe")
    for given, ended in (
        (won, "x has won"),
        (advisor.position("1212121"), "x (red) has won"),
        (advisor.position("1122", size=(2, 2)), "a draw"),
    ):
        found = advisor.suggest(given)
        assert advisor.headline(found) == f"The game is over: {ended}."
        told = advisor.explained(found)
        assert (told["headline"], told["explanation"]) == (advisor.headline(found), [])
        assert advisor.choices(found, 1) == advisor.choices(found, 20) == ()


@pytest.mark.slow
def test_advice_is_drawn_on_its_own_position() -> None:
    board, chess = advisor.position("44"), advisor.position("e4", game="chess")
    for given, after in ((board, board.play(4)), (chess, chess.play("e5"))):
        found = advisor.suggest(given, depth=1)
        assert given.svg(found) != given.svg()
        for other in (found, "advice"):
            with pytest.raises(advisor.InputError, match="the advice is for another position"):
                after.svg(other)


def test_what_is_told_in_a_line_has_no_settings() -> None:
    """An advice at a prompt is read by people."""
    found = advisor.suggest(advisor.position("363224242233"), depth=2)
    assert re.fullmatch(r"<Advice connect4 363224242233: column 4, [+-]\d+>", repr(found))
    assert repr(advisor.Evaluator(size=(5, 4), connect=3)).startswith(
        "<Evaluator of boards 5x4 with 3 in line, "
    )
    c = advisor.compile("b :- a, not c.", ["a", "c"], ["b/0"])
    assert repr(c) == "<Circuit of 2 inputs, 1 outputs, 1 gates>"


def test_weights_of_a_file_are_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    values = []
    for weight in (0, 1000):
        file.write_text(f"extends: default\nmoves: {{center: {{0: {weight}}}}}\n")
        advice = advisor.suggest(advisor.position(), depth=1, weights=file)
        values.append(advice.move(4).value)
        (analysed,) = advisor.analyse([""], depth=1, weights=str(file))
        (four,) = (move for move in analysed["moves"] if move["column"] == 4)
        assert four["score"]["value"] == advice.scores[4].value == advice.move(4).ahead
    assert values[1] - values[0] == 1000


def test_weights_are_those_of_their_game() -> None:
    for game, other in (("connect4", "chess"), ("hex", "connect4")):
        with pytest.raises(advisor.ConfigError, match=f"weights of {other}, not of {game} "):
            advisor.load_game(game, weights=advisor.load_weights(game=other))
        own = advisor.load_weights(game=ENCODINGS / game)
        assert advisor.load_game(game, weights=own).weights == own


def test_what_a_game_does_not_have_is_said() -> None:
    other = advisor.position(game="tictactoe")
    with pytest.raises(advisor.ConfigError, match="pomakis"):
        advisor.suggest(other, weights="pomakis")
    with pytest.raises(advisor.InputError, match="tictactoe has no opening book"):
        advisor.suggest(other, book=True)
    with pytest.raises(advisor.InputError, match="no moves to review"):
        advisor.review(other)


def test_a_review_that_is_stopped_has_the_last_moves() -> None:
    stop = advisor.Stop()
    done = []

    def tell(move: object) -> None:
        done.append(move)
        stop.set()

    game = advisor.position("12344321", size=(4, 4))
    found = advisor.review(game, depth=2, stop=stop, on_move=tell)
    assert found.partial
    assert [move.ply for move in found.moves] == [8]
    with pytest.raises(KeyboardInterrupt):
        advisor.review(advisor.position("4455"), depth=2, stop=stop)


# Circuits


def test_a_program_and_its_circuit_agree_with_clingo(tmp_path: Path) -> None:
    program = """
    #const n = 4.
    even(X) :- X = 1..n, #count { Y : edge(X, Y) } = (0; 2; 4).
    reach(1). reach(Y) :- reach(X), edge(X, Y).
    cut(Y) :- Y = 1..n, not reach(Y).
    """
    c = advisor.compile(program, ["edge(1..n,1..n)"], ["even/1", "reach/1", "cut/1"])
    assert len(c.inputs) == 16
    assert c.inputs[:2] == (("edge", 1, 1), ("edge", 1, 2))
    rng = np.random.default_rng(5)
    holds = rng.random((100, 16)) < 0.4
    found = c.evaluate(holds)
    assert found.shape == (100, len(c.outputs))
    from aspcircuits.clingo_api import Program

    file = tmp_path / "program.lp"
    file.write_text(program)
    for row, outputs in zip(holds[:20], found, strict=False):
        facts = [atom for atom, true in zip(c.inputs, row, strict=True) if true]
        model = Program([file], facts).solve()
        assert {a for a in model.atoms if a[0] != "edge"} == {
            atom for atom, true in zip(c.outputs, outputs, strict=True) if true
        }


def test_files_and_constants_make_the_same_circuit(tmp_path: Path) -> None:
    file = tmp_path / "rule.lp"
    file.write_text("#const n = 2. all :- a(X) : X = 1..n.")
    small = advisor.compile(file, ["a(1..n)"], ["all/0"])
    assert small.evaluate([[1, 1], [1, 0]]).tolist() == [[True], [False]]
    large = advisor.compile([file], ["a(1..n)"], ["all/0"], {"n": 3})
    assert large.inputs == (("a", 1), ("a", 2), ("a", 3))


@pytest.mark.parametrize(
    ("program", "inputs", "outputs", "told"),
    [
        ("b :- a.", ["a("], ["b/0"], r"input 'a\(' is not an atom"),
        ("b :- a.", ["7"], ["b/0"], "input '7' is not an atom"),
        ("b :- a.", ["a"], ["b"], "output 'b' is not a predicate"),
        ("b :- a.", ["a"], ["c/0"], "^program.lp: no rule derives the output 'c/0'"),
        ("b :- a,.", ["a"], ["b/0"], "^program.lp:1:"),
        ("{b}.", ["a"], ["b/0"], "^program.lp:1: 'b' is a choice"),
        ("b :- a.", ["-a"], ["b/0"], "input '-a' is not an atom"),
        ("b :- a.", [5], ["b/0"], "input '5' is not an atom"),
        ("b :- a.", [("a", 1.5)], ["b/0"], r"input 'a\(1\.5\)' is not an atom"),
        ("b :- a(1).", ["a(é)"], ["b/0"], "input 'a\\(é\\)' is not an atom"),
        ("b :- a.\nb(é).", ["a"], ["b/0"], "^program.lp:2: 'é' is in no comment and"),
        ("b :- -a.", ["a"], ["b/0"], "^program.lp:1: '-a/0' has a sign of classical"),
        ("b :- a.", None, ["b/0"], "^program.lp:1: 'a/0' is not an input, and no rule derives it"),
        ("b :- a.", 5, ["b/0"], "^inputs: 5 is not a list"),
        (5, ["a"], ["b/0"], "^program 5 is neither a name nor a path"),
        ("b :- a.", "a", ["b/0"], r"^inputs: 'a' is one text \(give a list, as \['a'\]\)"),
        ("b :- a.", ["a"], "b/0", "^outputs: 'b/0' is one text"),
        (
            "b :- a.\nb :- not aa.",
            ["a"],
            ["b/0"],
            "^program.lp:2: 'aa/0' is not an input, .* 'a/0'",
        ),
        (Path("no.lp"), ["a"], ["b/0"], "no.lp: no such file"),
    ],
)
def test_what_is_no_circuit_is_one_line(
    program: str | Path, inputs: list[str], outputs: list[str], told: str
) -> None:
    with pytest.raises(advisor.AdvisorError, match=told):
        advisor.compile(program, inputs, outputs)


def test_constants_of_a_program_are_its_own() -> None:
    for constants, told in (
        ({"m": 3}, "the program has no #const 'm' \\(it has #const n\\)"),
        ({"n": "x"}, "#const n 'x' is not a whole number"),
        ([("n", 3)], "must be names with numbers"),
    ):
        with pytest.raises(advisor.InputError, match=told):
            advisor.compile("#const n = 2. b :- a(n).", ["a(1..n)"], ["b/0"], constants)


def test_atoms_may_be_tuples() -> None:
    c = advisor.compile("b(X) :- a(X).", [("a", 2), ("a", "x")], ["b/1"])
    assert c.inputs == (("a", 2), ("a", "x"))


def test_arrays_of_the_wrong_form_are_refused() -> None:
    c = advisor.compile("b :- a.", ["a"], ["b/0"])
    with pytest.raises(advisor.InputError, match="rows of different lengths"):
        c.evaluate([[1], [1, 0]])
    with pytest.raises(advisor.InputError, match=r"shape \(1, 2\), expected \(n, 1\)"):
        c.evaluate([[1, 0]])
    with pytest.raises(advisor.InputError, match="expected an array of bool"):
        c.evaluate([[2]])
    assert c.evaluate(np.zeros((0, 1), bool)).shape == (0, 1)


# Positions as arrays


@pytest.fixture(scope="module")
def some() -> list[advisor.Position]:
    """Positions of random games, finished ones among them."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(60):
        p = advisor.position()
        while not p.over:
            found.append(p)
            p = p.play(int(rng.choice(p.moves)))
        found.append(p)
    return found


def test_boards_cells_and_bitboards_have_the_same_values(some: list[advisor.Position]) -> None:
    evaluator = advisor.Evaluator(machine_code=False)
    values = evaluator.values(some)
    assert np.array_equal(evaluator.values(np.stack([p.cells for p in some])), values)
    words = np.array([[p.board.discs_of(player) for player in (1, 2)] for p in some], np.uint64)
    assert np.array_equal(evaluator.values(words), values)
    going = [(p, v) for p, v in zip(some, values, strict=True) if not p.over]
    for p, value in going[::97]:
        assert advisor.suggest(p, depth=0).position == p
        (alone,) = evaluator.values([p])
        assert value == alone
    for p, value in zip(some, values, strict=True):
        if p.over:
            assert evaluator.score(value).kind == ("loss" if p.winner else "heuristic")
            assert abs(value) >= evaluator.FORCED or value == 0
    counts, certain = evaluator.counts([p for p, _ in going])
    side = np.array([1 if p.turn == "x" else -1 for p, _ in going])
    sums = counts @ evaluator.weights * side
    assert np.array_equal(sums[~certain], np.array([v for _, v in going])[~certain])


def test_how_many_is_checked_before_anything_is_done(tmp_path: Path) -> None:
    one, other, grid = "default:depth=1", "random", advisor.load_game("tictactoe")
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text("extends: default\n")
    for told, ask in (
        ("games 0 is out of range", lambda: advisor.Match(one, other, games=0)),
        ("games -2 is out of range", lambda: advisor.Match(one, other, games=-2)),
        ("games '2' is not a whole", lambda: advisor.Match(one, other, games="2")),  # type: ignore[arg-type]
        ("plies -1 is out of range", lambda: advisor.Match(one, other, plies=-1)),
        ("games 0 is out of range", lambda: advisor.Tournament(tmp_path, games=0, depth=1)),
        ("count 0 is out of range", lambda: advisor.Posing(tmp_path / "new", 2, 0)),
        ("win_in 0 is out of range", lambda: advisor.Posing(tmp_path / "new", 0, 1)),
        ("games 0 is out of range", lambda: advisor.check_game("tictactoe", games=0)),
        ("depth -1 is out of range", lambda: advisor.fires(grid, depth=-1)),
        ("plies -3 is out of range", lambda: advisor.fires(grid, plies=-3)),
    ):
        with pytest.raises(advisor.InputError, match=told):
            ask()
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("squares", "told"),
    [
        ({(1, 1): "q"}, "no 'q' stands on a1 "),
        ({1: "x"}, "squares: 1: 'x' is no column and row"),
        ({(1.0, 1): "x"}, r"squares: \(1\.0, 1\): 'x' is no column and row"),
        ({(1, 1): 5}, r"squares: \(1, 1\): 5 is no column and row"),
        ([(1, 1)], "must be places with symbols"),
    ],
)
def test_what_cannot_be_put_on_squares_is_one_line(squares: object, told: str) -> None:
    for empty in (advisor.position(), advisor.position(game="tictactoe")):
        with pytest.raises(advisor.InputError, match=told):
            empty.put(squares)  # type: ignore[arg-type]


def test_names_and_texts_are_told_from_games_positions_and_lists(tmp_path: Path) -> None:
    (tmp_path / "labelled").write_text("7272456227752556353746443337 -6 -5 -5 1 1 1 -\n")
    (tmp_path / "own.yaml").write_text("extends: default\n")
    for told, ask in (
        ("'4453' is not a position", lambda: advisor.firing("4453")),  # type: ignore[arg-type]
        ("'hex' is not a game", lambda: advisor.fires("hex")),  # type: ignore[arg-type]
        ("'hex' is not a game", lambda: advisor.circuit_of("hex")),  # type: ignore[arg-type]
        ("lines: '4453' is one text", lambda: [*advisor.analyse("4453")]),
        ("weights: 'alex' is one", lambda: advisor.Examination(tmp_path / "labelled", "alex")),
        ("program: '' names no program", lambda: advisor.Match("program:", "random")),
        ("player 5 is neither", lambda: advisor.Match(5, "random")),  # type: ignore[arg-type]
    ):
        with pytest.raises(advisor.InputError, match=told):
            ask()
    match = advisor.Match(tmp_path / "own.yaml", "random", games=2)
    assert match.to_json()["a"] == str(tmp_path / "own.yaml")


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("seconds -1 must be positive", "suggest(p, seconds=-1)"),
        ("seconds 'x' must be positive", "suggest(p, seconds='x')"),
        ("jobs 0 is not a whole number from 1 to", "Sharing(jobs=0)"),
        ("jobs -3 is not a whole number", "Sharing(jobs=-3)"),
        ("jobs 'x' is not a whole number", "Sharing(jobs='x')"),
        ("lines: 3 is not a text", "analyse([3]).__next__()"),
        (r"lines: advisor\.position\('44'\) is not a text", "analyse([p]).__next__()"),
        ("sharing 3 is not an advisor.Sharing", "analyse(['44'], sharing=3)"),
        ("sharing 3 is not an advisor.Sharing", "Match('random', 'random', sharing=3)"),
        ("depth -1 is out of range", "analyse(['44'], depth=-1)"),
        ("puzzle 3 is neither a name nor a path", "puzzle(3)"),
        ("puzzle 3 is neither a name nor a path", "replay(3)"),
        ("place 3 is neither a name nor a path", "Book(3)"),
        ("place 3 is neither a name nor a path", "is_puzzle(3)"),
        ("is not an advice", "headline(p)"),
        ("is not an advice", "proofs(p)"),
        ("is not an advice", "reason(p, 4)"),
        ("is not an advice", "choices(p, 4)"),
        ("is not an advice", "explained(p)"),
        ("stop 3 is not an advisor.Stop", "suggest(p, stop=3)"),
        ("stop 3 is not an advisor.Stop", "load_game('hex', stop=3)"),
        ("seconds inf must be positive and finite", "suggest(p, seconds=float('inf'))"),
    ],
)
def test_what_is_of_the_wrong_kind_is_one_line(told: str, asked: str, tmp_path: Path) -> None:
    given = {"advisor": advisor, "p": advisor.position("44"), "new": tmp_path / "new"}
    with pytest.raises(advisor.InputError, match=told):
        eval(f"advisor.{asked}", given)
    assert not (tmp_path / "new").exists()


def test_a_puzzle_is_replayed_by_its_id_or_as_it_was_loaded(tmp_path: Path) -> None:
    file = tmp_path / "1.yaml"
    file.write_text("game: tictactoe\nmoves: a1 b2 a2 c3\nwin_in: 1\n")
    for name, game in (("chapter1/1", None), ("mate1/1", "chess"), (str(file), None)):
        loaded = advisor.puzzle(name, game=game)
        assert advisor.replay(loaded).end == advisor.replay(name, game=game).end


def test_who_does_the_work_is_checked_when_an_object_is_made(tmp_path: Path) -> None:
    (tmp_path / "labelled").write_text("7272456227752556353746443337 -6 -5 -5 1 1 1 -\n")
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text("extends: default\n")
    sharing = advisor.Sharing(jobs=2, dask="tcp://127.0.0.1:9")
    for make in (
        lambda: advisor.Match("default:depth=1", "random", sharing=sharing),
        lambda: advisor.Tournament(tmp_path, games=2, depth=1, sharing=sharing),
        lambda: advisor.Book("chapter1", sharing=sharing),
        lambda: advisor.Examination(tmp_path / "labelled", depth=1, sharing=sharing),
        lambda: advisor.Posing(tmp_path / "new", 2, 1, sharing=sharing),
    ):
        with pytest.raises(advisor.InputError, match="give `dask` or `jobs`, not both"):
            make()
    assert not (tmp_path / "new").exists()


def test_what_is_known_so_far_is_told_before_the_first_result_too(tmp_path: Path) -> None:
    (tmp_path / "labelled").write_text("7272456227752556353746443337 -6 -5 -5 1 1 1 -\n")
    match = advisor.Match("default:depth=1", "random", games=2)
    measured = advisor.Examination(tmp_path / "labelled", depth=1)
    assert (match.elo.elo, match.to_json()["games"]) == (None, 0)
    assert measured.rows == measured.to_json()["rows"] == []
    # Who goes through one of them again does it anew.
    assert [*match] == [*match]
    assert (len(match.points), match.total) == (2, 2)
    assert len([*measured]) == len([*measured]) == len(measured.grades) == 1


def test_positions_may_come_one_by_one(some: list[advisor.Position]) -> None:
    evaluator = advisor.Evaluator(machine_code=False)
    values = evaluator.values(some[:5])
    assert np.array_equal(evaluator.values(board for board in some[:5]), values)
    assert np.array_equal(evaluator.counts(iter(some[:5]))[0], evaluator.counts(some[:5])[0])
    for given in (some[0], None, 5):
        with pytest.raises(advisor.InputError, match="use a list of positions, or an array"):
            evaluator.values(given)  # type: ignore[arg-type]
    for plies in (-1, 1.0, "2"):
        with pytest.raises(advisor.InputError, match=r"plies .* (out of range|whole number)"):
            evaluator.values(some[:5], plies=plies)  # type: ignore[arg-type]
    with pytest.raises(advisor.InputError, match="value 'x' is not a whole number"):
        evaluator.score("x")  # type: ignore[arg-type]


def test_large_boards_and_given_turns() -> None:
    big = [advisor.position("5,5,6", size=(12, 9)), advisor.position("5,5", size=(12, 9))]
    evaluator = advisor.Evaluator(size=(12, 9))
    values = evaluator.values(big)
    assert np.array_equal(evaluator.values(np.stack([p.cells for p in big])), values)
    other = evaluator.values(np.stack([p.cells for p in big]), turn=1)
    assert other[1] == values[1]


def test_booleans_are_no_numbers() -> None:
    with pytest.raises(advisor.InputError, match="move 1: column True is not a whole number"):
        advisor.position([True, True])
    with pytest.raises(advisor.InputError, match="depth True is not a whole number"):
        advisor.suggest(advisor.position(), depth=True)
    with pytest.raises(advisor.InputError, match="jobs"):
        advisor.Sharing(jobs=True)
    with pytest.raises(advisor.InputError, match="squares"):
        advisor.position().put({(True, True): "x"})


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (np.zeros((2, 7, 6), np.int8), r"int8 of shape \(2, 7, 6\)"),
        (np.zeros((2, 6, 7)), "float64"),
        (np.full((1, 6, 7), 3), "a square is 0"),
        (np.array([[[0] * 7, [1] + [0] * 6] + [[0] * 7] * 4]), "position 0: floating discs"),
        (np.array([[1, 1]], np.uint64), "a square with two discs"),
        (np.array([[0, 0], [1 << 6, 0]], np.uint64), "position 1: discs beside the board"),
        (np.array([[15, 15 << 7]], np.uint64), "position 0: x and o both have a line"),
    ],
)
def test_what_are_no_positions_is_refused(array: np.ndarray, told: str) -> None:
    with pytest.raises(advisor.InputError, match=told):
        advisor.Evaluator().values(array)


@pytest.mark.parametrize(
    ("game", "constants", "board"), [("hex", {"size": 3}, ""), ("tictactoe", {}, "b2")]
)
def test_what_is_certain_of_any_game_is_told_while_it_grows(
    game: str, constants: dict[str, int], board: str
) -> None:
    """Of rules alone too: more and more moves, each with the result that it has in the end."""
    told: list[dict[object, str]] = []

    def tell(known: advisor.Certain) -> None:
        bounds = known.bounds.items()
        told.append({move: b.outcome for move, b in bounds if b.outcome is not None})

    position = advisor.position(board, game=game, constants=constants)
    found = advisor.certain(position, on_progress=tell)
    end = {move: bounds.outcome for move, bounds in found.bounds.items()}
    assert found.proved
    assert end.keys() == set(position.moves)
    assert told[0] != end
    for earlier, later in zip(told, [*told[1:], end], strict=True):
        assert earlier.items() <= later.items()


def test_signs_and_extremes_of_terms_are_told_apart_in_a_circuit() -> None:
    c = advisor.compile("o(-a) :- in(1). o(a) :- in(2).", ["in(1..2)"], ["o/1"])
    assert dict(zip(c.outputs, c.evaluate([[True, False]])[0], strict=True)) == {
        ("o", "-a"): True,
        ("o", "a"): False,
    }
    given = ["a(b)", "a(-b)", 'a("b")', "a(#inf)", "a(#sup)", "a(-2147483648)", "a(-(1,))"]
    c = advisor.compile("o(X) :- a(X).", given, ["o/1"])
    assert [c.explain(atom)[0] for atom in given] == [f"{{{atom}}}." for atom in given]
    assert {atom[1] for atom in c.outputs} == {atom[1] for atom in c.inputs}
    assert ("a", -(2**31)) in c.inputs


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (
            "a :- in(1).\no(S) :- S = #sum { 2147483647,1: in(1); 2147483647,2: in(2) }.",
            "program.lp:2: the weights of a sum add up to more than 2147483647",
        ),
        ("o(1) :- in(1).\n#program base(k).", "program.lp:2: '#program base(k).': only "),
        ("o(3000000000) :- in(1).", "program.lp:1: '3000000000' is out of range"),
        (f"o(1{'+1' * 200_000}) :- in(1).", "program.lp:1: brackets or operators are nested "),
    ],
)
def test_a_program_that_clingo_would_read_differently_is_refused(program: str, told: str) -> None:
    with pytest.raises(advisor.EncodingError) as error:
        advisor.compile(program, ["in(1..2)"], ["o/1"])
    assert str(error.value).startswith(told)


def test_an_input_that_clingo_cannot_hold_is_refused() -> None:
    deep: Any = 0
    for _ in range(5000):
        deep = ("f", deep)
    for given in ("in(3000000000)", ("in", 3000000000), ("in", deep), "in(" * 200 + ")" * 200):
        with pytest.raises(advisor.InputError, match=r"^input.*(out of range|too deep|nested)"):
            advisor.compile("o(X) :- in(X).", [given], ["o/1"])


def test_compiling_what_never_ends_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_process, "MAX_SECONDS", 5)
    told = r"program\.lp:1: is too large to ground: more than 5 s: `n\(X\+1\)"
    with pytest.raises(advisor.EncodingError, match=told):
        advisor.compile("n(X+1) :- n(X). n(0) :- a.", ["a"], ["n/1"])


def test_errors_of_the_library_name_no_option_of_the_command_line() -> None:
    """Texts of the modules below the commands; docstrings may speak of commands."""
    package = Path(advisor.__file__).parent
    option = re.compile(r"f?[\"'](--[a-z]|.*[ (]--[a-z])")
    for file in package.rglob("*.py"):
        text = file.read_text()
        if not file.is_relative_to(package / "cli") and "from advisor.cli" not in text:
            raised = re.findall(r"Error\(\s*([^)]*?)\)", text)
            assert not [text for text in raised if option.match(text)], file
