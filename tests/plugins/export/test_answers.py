"""A page without a server gets the answers that a server gives."""

from random import Random
from typing import Any

import pytest
from engine_truth import CHESS, GAMES, ask_page, needs_node

import advisor
from advisor.web import puzzles
from aspcircuits.stopping import Stop

pytestmark = needs_node


def random_games(name: str, count: int) -> list[Any]:
    """Return positions of random games, at different ages and at the end."""
    random, game = Random(3), advisor.load_game(name, weights=None)
    found = []
    for number in range(count):
        position = game.position()
        for _ in range(random.choice([0, 1, 3, 8, 20, 200]) if number else 0):
            if position.over:
                break
            position = position.play(random.choice(position.moves))
        found.append(position)
    return found


def codes(position: Any) -> list[Any]:
    """Return the moves of a position as requests have them."""
    return list(position.to_json()["made"])


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_described_as_the_server_describes_them(name: str) -> None:
    positions = random_games(name, 8)
    requests = [["position", {"game": name, "moves": codes(each)}] for each in positions]
    answers = ask_page(name, requests)
    for position, found in zip(positions, answers, strict=True):
        wanted = plain(position.to_json())
        assert found.keys() >= wanted.keys()
        for key, value in wanted.items():
            if key == "constants":  # which cannot be changed there
                value = {}
            if key == "lines":  # in any order
                found[key], value = (sorted(map(sorted, each)) for each in (found[key], value))
            assert found[key] == value, (key, codes(position))


def plain(value: Any) -> Any:
    """Return a value as JSON has it, moves in an order that does not depend on who lists them."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


@pytest.mark.parametrize(
    ("name", "depth"),
    [("connect4", 3), pytest.param("chess", 1, marks=pytest.mark.slow)],
)
def test_advice_has_the_same_moves_scores_and_reasons(name: str, depth: int) -> None:
    positions = [each for each in random_games(name, 6) if not each.over]
    game, book = advisor.load_game(name), False if name == "connect4" else None
    requests = [
        ["suggest", {"moves": codes(each), "depth": depth, "level": 1}] for each in positions
    ]
    answers = ask_page(name, requests)
    for position, found in zip(positions, answers, strict=True):
        asked = game.position().play(*codes(position))
        told = advisor.explained(advisor.suggest(asked, depth=depth, book=book))
        assert found["best"] == told["best"], codes(position)
        assert found["score"] == told["score"]
        assert len(found["moves"]) == len(told["moves"])
        by_move = {str(each.get("move", each.get("column"))): each for each in told["moves"]}
        for move in found["moves"]:
            wanted = by_move[str(move.get("move", move.get("column")))]
            assert {key: move[key] for key in ("score", "outcome", "total")} == {
                key: wanted[key] for key in ("score", "outcome", "total")
            }
            assert move.get("ahead") == wanted.get("ahead")
            assert plain(move["fires"]) == plain(wanted["fires"])
            if "trace" in wanted:
                ours, theirs = move["trace"], plain(wanted["trace"])
                assert ours["line_names"] == [str(each) for each in theirs["line_names"]]
                assert ours["value"] == theirs["value"]
                assert sorted(map(str, ours["features"])) == sorted(map(str, theirs["features"]))
        changes = [
            {each["text"] for each in move["why"] if each["kind"] in ("gains", "loses")}
            for move in found["moves"]
            if "trace" in move
        ]
        assert len(changes) < 2 or not set.intersection(*changes)  # none tells moves apart


def book(name: str) -> list[str]:
    """Return the puzzles for the usual board of a game."""
    second = advisor.puzzles("second/7x6") if name == "connect4" else []
    return [*advisor.puzzles(game=name, extra=True), *second]


@pytest.mark.parametrize("name", ["connect4", CHESS])
def test_all_puzzles_are_listed_as_the_server_lists_them(name: str) -> None:
    game = advisor.load_game(name, weights=None)
    posed = [advisor.puzzle(each, game=game) for each in book(name)]
    requests = [["puzzles", {}], *([f"puzzles/{each.id}?game={name}", {}] for each in posed)]
    listed, *solved = ask_page(name, requests)
    wanted = [plain(puzzles.view(each)) for each in posed]
    assert listed == {"puzzles": wanted}
    for each, view, found in zip(posed, wanted, solved, strict=True):
        assert found == {**view, "solution": [*each.solution], "source": each.source}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect4", "chess"])
def test_attempts_at_puzzles_are_judged_as_the_server_judges_them(name: str) -> None:
    random, game = Random(5), advisor.load_game(name)
    posed = [advisor.puzzle(each, game=game) for each in book(name)]
    tried = [each for each in random.sample(posed, 24) if each.win_in < 5][:12]
    asked: list[tuple[Any, Any, list[Any]]] = []
    for each in tried:
        asked += [(each, None, []), (each, None, [each.solution[0]])]
        wrong = [move for move in each.position.moves if move not in each.solution]
        asked += [(each, None, [random.choice(wrong)])] if wrong else []
        asked += [(each, step, []) for step in range(4)]
    requests = [
        [f"puzzles/{each.id}/{'try' if step is None else 'hint'}", {"moves": moves, "step": step}]
        for each, step, moves in asked
    ]
    answers = ask_page(name, requests)
    for (each, step, moves), found in zip(asked, answers, strict=True):
        wanted = plain(puzzles.attempt(each, moves, Stop(), step))
        assert found.keys() == wanted.keys()
        if step is None:  # of several best replies either may be given
            assert {**found, **OPEN} == {**wanted, **OPEN}
            assert (found["refutation"] is None) == (wanted["refutation"] is None)
            if found["state"] == "open" and moves:
                after = each.position.play(*moves)
                assert lasts(after.play(found["reply"]), each) == lasts(
                    after.play(wanted["reply"]), each
                )
            continue
        assert found["kind"] == wanted["kind"]
        if found["kind"] == "is":
            assert found["columns"][0] in each.solution
        if found["kind"] == "not":
            assert found["columns"][0] not in each.solution
        if found["kind"] == "among":
            assert len({*found["columns"]} & {*each.solution}) == 1


OPEN = {"reply": None, "refutation": None}


def lasts(position: Any, posed: Any) -> int | None:
    """Return in how many moves the solver wins, by the look-ahead."""
    score = advisor.suggest(position, depth=2 * posed.win_in).score
    assert score.kind == "win"
    return int(score.moves)
