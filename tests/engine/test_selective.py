"""The selective look-ahead: its claims are true, settings switch it on, and advice names it."""

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from advisor.advice.choice import choose
from advisor.advice.facade import advise
from advisor.engine.compiled_selective import SELECTIVE, SelectiveTree
from advisor.engine.machine import Space
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.engine.selective_control import SPARE
from advisor.errors import ConfigError, EncodingError
from advisor.games import knowledge, puzzles, rooms
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.machine import MachineStates
from advisor.games.rules import read
from advisor.limits import Limit
from aspcircuits import llvm
from command import advisor
from test_game_knowledge import WEIGHTS, folder
from test_games import states

chess = pytest.importorskip("chess", reason="python-chess is not installed")
compiled = pytest.mark.skipif(not llvm.available(), reason="machine code needs the extra fast")


def ready(game: Circuits) -> Circuits:
    game.tree.compile_now()
    return game


@cache
def loaded() -> Circuits:
    return ready(knowledge.load("chess")[0])


def looked(game: Circuits, position: RowPosition, depth: int, selective: bool = True) -> Result:
    found = search(position, RowEvaluator(game, selective=selective), depth=depth)
    assert found.selective == selective
    assert found.machine_code
    return found


def few_men(source: random.Random) -> str:
    """A position of chess with few men, so that it may be decided."""
    while True:
        board = chess.Board(None)
        edge = [square for square in range(64) if square % 8 in (0, 7) or square // 8 in (0, 7)]
        squares = [*source.sample(edge, 1), *source.sample(range(64), source.randint(3, 5))]
        if len({*squares}) < len(squares):
            continue
        men = [(chess.KING, True), (chess.KING, False)]
        men += [(source.choice((1, 2, 4, 5, 5)), source.random() < 0.2) for _ in squares[2:]]
        for square, man in zip(squares, men, strict=True):
            board.set_piece_at(square, chess.Piece(*man))
        board.turn = source.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            return str(board.fen())


@pytest.mark.slow
@compiled
def test_what_is_claimed_is_true() -> None:
    """A forced result holds at full width, and does not come sooner than it can."""
    game, source = loaded(), random.Random(3)
    wins = losses = 0
    for _ in range(120):
        position = rooms.by_circuits(game).begin(few_men(source)).root
        found = looked(game, position, source.randint(2, 6))
        plies = WIN - abs(found.value)
        if abs(found.value) >= FORCED and plies <= 4:
            wins, losses = wins + (found.value > 0), losses + (found.value < 0)
            whole = looked(game, position, plies, selective=False).value
            assert abs(whole) >= FORCED
            assert (whole > 0) == (found.value > 0)
            assert abs(found.value) <= abs(whole)
    assert wins > 10
    assert losses > 5


@compiled
def test_what_may_come_sooner_is_told_as_such() -> None:
    """Of three mates, in 1, 2 and 3, only one that cannot come sooner is shown without "within"."""
    for moves in (1, 2, 3):
        given = rooms.by_circuits(loaded()).begin(
            str(puzzles.load(f"mate{moves}/2", "chess").position)
        )
        advice = advise(RuleAbilities(given), Limit(2 * moves + 1), np.random.default_rng(1))
        assert advice.score.kind == "win"
        assert advice.score.plies == 2 * moves - 1
        assert advice.score.within == (moves > 2)


@compiled
def test_mates_of_the_book_are_found() -> None:
    for number in (1, 2, 3, 4, 5, 6, 7, 8):
        posed = puzzles.load(f"mate2/{number}", "chess")
        position = rooms.by_circuits(loaded()).begin(str(posed.position)).root
        assert looked(loaded(), position, 5).value == WIN - 3, posed.id


class Cramped(RowEvaluator):
    """Has a selective look-ahead with a given space."""

    def __init__(self, game: Circuits, space: Space) -> None:
        super().__init__(game, selective=True)
        functions, kernel = game.tree._tiers.get_now(), SELECTIVE.get_now()
        assert functions
        assert kernel
        made_of = game.tree.machine(functions), MachineStates(), self, kernel, space
        self.tree: SelectiveTree[RowPosition] = SelectiveTree(*made_of)

    def machine_search(self, position: RowPosition) -> SelectiveTree[RowPosition]:
        return self.tree


@compiled
def test_a_search_with_few_tasks_and_moves_goes_on() -> None:
    """With hardly more tasks than a single line needs, it finds the mates that it finds with many,
    and goes as deep in a pawn ending that fills thousands."""
    few = Space(tasks=SPARE + 20, moves=2, remembered=1 << 10)
    for number in (1, 2, 3):
        position = rooms.by_circuits(loaded()).begin(
            str(puzzles.load(f"mate2/{number}", "chess").position)
        )
        assert search(position.root, Cramped(loaded(), few), depth=5).value == WIN - 3, number
    ending = rooms.by_circuits(loaded()).begin("8/8/1p1k4/1P6/3K4/8/8/8 w - - 0 1").root
    found = search(ending, Cramped(loaded(), few), depth=10)
    assert (found.interrupted, found.depth) == (False, 10)


@pytest.mark.slow
@compiled
def test_without_it_values_are_those_of_full_width() -> None:
    whole = ready(Circuits(loaded().rules, loaded().weights, loaded().strategies))
    for row in states(whole, 2, 2):
        turned = RowPosition(whole, row, 0), RowPosition(loaded(), row, 0)
        values = [
            search(position, evaluator, depth=2, every_move=True).scores
            for position, evaluator in zip(
                turned, (RowEvaluator(whole), RowEvaluator(loaded())), strict=True
            )
        ]
        assert values[0] == values[1]


@compiled
def test_the_same_question_has_the_same_answer() -> None:
    position = rooms.by_circuits(loaded()).begin("e4 e5 Nf3 Nc6 Bc4 Nf6").root
    first, _, again = (looked(loaded(), position, depth) for depth in (5, 4, 5))
    assert (first.scores, first.lines, first.nodes) == (again.scores, again.lines, again.nodes)
    assert first.nodes < looked(loaded(), position, 4, selective=False).leaves


@pytest.mark.slow
@compiled
def test_the_line_ends_where_the_value_comes_from() -> None:
    """The score is the value of the features at the line's end plus the strategies."""
    for text in ("e4 e5 Nf3 Nc6 Bc4 Nf6", "d4 d5 c4 dxc4 e3 b5", "e4 c5 Nf3 d6 d4 cxd4"):
        given = rooms.by_circuits(loaded()).begin(text)
        advice = advise(RuleAbilities(given), Limit(4), np.random.default_rng(1), traced=True)
        for move in advice.moves:
            if move.ahead is not None:
                assert move.trace is not None
                assert move.ahead == move.trace.value, (text, move.move)


def test_who_passes_leaves_all_as_it_is_for_the_other_side() -> None:
    game, source = loaded(), random.Random(1)
    board = chess.Board()
    for _ in range(60):
        moves = [*board.legal_moves]
        if not moves or board.is_game_over():
            board = chess.Board()
            continue
        board.push(source.choice(moves))
        if board.is_check():
            continue
        after = board.copy()
        after.push(chess.Move.null())
        given = rooms.by_circuits(game).begin(board.fen(en_passant="fen"))
        expected = rooms.by_circuits(game).begin(after.fen(en_passant="fen"))
        assert np.array_equal(game.after_pass(given.row[None])[0], expected.row)


@compiled
def test_a_game_that_is_seen_by_both_sides_alike(tmp_path: Path) -> None:
    """Breakthrough with features: claims are true for either side to move."""
    path = folder(tmp_path, weights=f"selective: true\n{WEIGHTS}")
    rules = (path / "features.lp").read_text()
    (path / "features.lp").write_text(f"{rules}may_pass :- turn(P), man(P, _, Y), 1 < Y, Y < 5.\n")
    game = ready(knowledge.load(str(path))[0])
    claims = 0
    for row in states(game, 40, 3):
        if game.look(row[None]).over[0]:
            continue
        position = RowPosition(game, row)
        found = looked(game, position, 4)
        if abs(found.value) >= FORCED:
            claims += 1
            whole = looked(game, position, WIN - abs(found.value), selective=False).value
            assert abs(whole) >= FORCED
            assert (whole > 0) == (found.value > 0)
    assert claims > 5


def test_rules_in_which_nobody_can_pass_are_refused(tmp_path: Path) -> None:
    path = folder(tmp_path, weights=f"selective: true\n{WEIGHTS}")
    rules = (path / "rules.lp").read_text()
    still = "not leaves(X, Y), not enters(X, Y)."
    assert still in rules
    (path / "rules.lp").write_text(rules.replace(still, still[:-1] + ", does(_, _)."))
    knowledge.load(str(path))  # no side has to pass
    features = (path / "features.lp").read_text()
    (path / "features.lp").write_text(f"{features}may_pass.\n")
    with pytest.raises(EncodingError, match=r"may_pass: where nobody moves, 'man\(black"):
        knowledge.load(str(path))
    with pytest.raises(EncodingError, match="selective: players have to take turns"):
        Circuits(read("morris"), {}, {}, selective=True)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ("selective: 3", "line 1: selective: '3' found, should be true or false"),
        ("search: deep", "line 1: search: 'deep' is not a way to search (use look-ahead or tree)"),
        ("search: tree\nselective: true", "line 2: selective: a tree of random games leaves out"),
    ],
)
def test_settings_that_cannot_be(tmp_path: Path, weights: str, said: str) -> None:
    path = folder(tmp_path, weights=f"{weights}\n{WEIGHTS}")
    with pytest.raises(ConfigError) as error:
        knowledge.load(str(path))
    assert said in str(error.value)


def test_only_games_by_rules_have_such_settings(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("extends: default\nselective: true\n")
    done = advisor("suggest", "44", "--weights", str(tmp_path / "own.yaml"))
    assert done.code == 2
    assert "line 2: selective: only games that are given by rules have one" in done.err


def test_settings_say_which_search_a_game_gets(tmp_path: Path) -> None:
    path = folder(tmp_path)
    text = (path / "weights.yaml").read_text()
    played = {}
    for search_ in ("", "search: look-ahead", "search: tree"):
        (path / "weights.yaml").write_text(f"{search_}\n{text}")
        game, _ = knowledge.load(str(path))
        advice = advise(
            RuleAbilities(rooms.by_circuits(game).begin()), Limit(1), np.random.default_rng(1)
        )
        played[search_] = sum(move.playouts for move in advice.moves)
        assert not advice.selective
    assert played[""] == played["search: look-ahead"] == 0
    assert played["search: tree"] > 0


@compiled
def test_it_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    loaded()
    assert SELECTIVE.function is not None
    given = rooms.by_circuits(loaded()).begin("e4 e5")
    advice = advise(RuleAbilities(given), Limit(3), np.random.default_rng(1))
    assert advice.to_json()["selective"] is True
    assert choose(RuleAbilities(given), Limit(3)).depth == 3
