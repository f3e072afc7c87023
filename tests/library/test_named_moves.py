"""What advice, reviews and solutions name as a move can be played as it is."""

from collections.abc import Iterator
from typing import Any

import pytest

import advisor

POSITIONS = {
    "breakthrough": ({"width": 4, "height": 5}, "a2-a3 b4-b3"),
    "chess": ({}, "f3 e5 g4"),
    "connect4": ({"width": 5, "height": 4}, "2331122"),
    "gomoku": ({"width": 5, "height": 5}, "c3 c4 b3 b4 d3 d4"),
    "hex": ({"size": 3}, "a1 b2"),
    "morris": ({}, "a1 d1 a4 d2"),
    "reversi": ({}, "d3 c5"),
    "tictactoe": ({}, "b2 a1 c3"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", advisor.game_names())
def test_every_move_that_is_named_can_be_played(name: str) -> None:
    constants, text = POSITIONS[name]
    position = advisor.load_game(name, constants=constants).position(text)
    for moves, before in named(position):
        after = before.play(*moves)
        assert len(after.played) == len(before.played) + len(moves)


def named(position: advisor.Position) -> Iterator[tuple[list[Any], advisor.Position]]:
    """Lines of moves as anything names them, and the position that each begins in."""
    advice = advisor.suggest(position, depth=2)
    told = advice.to_json()
    known = advisor.solve(position, columns=True, seconds=1)
    alone = [*advice.best, *advice.scores, *told["best"], *told["best_names"], *(known.moves or {})]
    alone += [advice.first.move, *(each.move for each in advice.moves), *advisor.choices(advice, 1)]
    alone += [each.get("move", each.get("column")) for each in told["moves"]]
    alone += [position.code(move) for move in position.moves]
    alone += [*advisor.certain(position, seconds=0.2).bounds]
    assert len(alone) > 6
    yield from (([move], position) for move in alone)
    for name in alone:
        assert advice.move(name).move == position.read_move(name)
    for move in advice.moves:
        for found in filter(None, (move.trace, move.expected)):
            yield [*found.line], position
    threats = advisor.threats(position).found
    given = position.put({}, turn=advisor.threats(position).player) if threats else position
    yield from (([move], given) for each in threats for move in (*each.moves, *each.codes))
    for line in (advice.variation, told["pv"], known.line, advisor.reply(position, 2).moves):
        yield [*line], position
    hint = advisor.reply(position.play(position.moves[0]), 1)
    yield [position.moves[0], *hint.moves], position
    moves = advisor.review(position, depth=1).moves
    for each in moves:
        before = position.back(len(position.played) - each.ply + 1)
        yield from (([move], before) for move in (each.move, each.name, *each.better, *each.names))
        yield from (([move], before) for move in (*each.known, *each.prospects))
        yield [*each.instead], before
        if each.refutation:
            yield [*each.refutation.line], before.play(each.move)


@pytest.mark.parametrize(
    ("game", "move", "unknown"),
    [("tictactoe", "a2", "z9"), ("connect4", 4, 8), ("chess", "Nf3", "Nf4"), ("hex", "a2", "")],
)
def test_an_advice_tells_of_no_move_that_it_does_not_have(
    game: str, move: int | str, unknown: int | str
) -> None:
    position = advisor.load_game(game).position()
    advice = advisor.suggest(position, depth=1, seconds=0.1)
    assert advice.move(move).move == advice.move(advice.move(move).move).move
    for wrong in (unknown, None, [move]):
        with pytest.raises(advisor.InputError, match=r"\A[^\n]+\Z") as raised:
            advice.move(wrong)
        assert repr(wrong) in str(raised.value)


@pytest.mark.parametrize(("puzzle", "game"), [("chapter3/5", None), ("mate2/1", "chess")])
def test_what_solves_a_puzzle_can_be_played(puzzle: str, game: str | None) -> None:
    posed = advisor.puzzle(puzzle, game=game)
    for move in posed.solution:
        assert posed.position.play(move).played
    attempt = advisor.Attempt(posed.position, posed.win_in)
    for _ in range(3):
        assert all(posed.position.play(move).played for move in attempt.hint().moves)
    told = advisor.replay(posed)
    after = told.steps[0].position
    for step in told.steps:
        after = after.play(step.name)
    assert after == told.end
    assert told.end == posed.position.play(*told.to_json()["line"])
