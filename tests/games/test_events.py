"""Events of games by their rules, each stated a second time in plain Python, from its sentence."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import advisor

Square = tuple[int, int]


def random_positions(name: str, count: int, seed: int, **constants: int) -> Iterator[Any]:
    """Positions of random games that go on."""
    rng, game = random.Random(seed), advisor.load_game(name, constants=constants)
    start = game.position()
    while count:
        position = start
        for _ in range(rng.randrange(3, 40)):
            after = position.play(rng.choice(position.moves))
            if after.over:
                break
            position = after
        yield position
        count -= 1


def stones(position: Any) -> dict[Square, str]:
    """What stands where, by column and row from below."""
    told = position.to_json()
    rows = list(reversed(told["rows"]))
    return {(x + 1, y + 1): s for y, row in enumerate(rows) for x, s in enumerate(row) if s}


def events(position: Any, move: Any) -> dict[str, set[str]]:
    """The events of a move with the squares that their texts name."""
    term = next(term for term, name in position.names.items() if name == move)
    return {
        event.name: set(re.findall(r"\b[a-o]\d+\b", event.text))
        for event in position.abilities.events(term)
    }


def changed(position: Any, move: Any) -> tuple[set[Square], set[Square]]:
    """Squares that a move takes from or turns for the other side: gone, and another's now."""
    before, after = stones(position), stones(position.play(move))
    return set(before) - set(after), {s for s in before if s in after and before[s] != after[s]}


def test_reversi_tells_what_is_turned() -> None:
    for position in random_positions("reversi", 8, seed=1, size=6):
        for move in position.moves:
            found = events(position, move)
            assert set(found) <= {"corner", "turns", "pass"}
            _, turned = changed(position, move)
            assert ("turns" in found) is bool(turned)
            if len(turned) <= 4:
                named = {f"{'abcdef'[x - 1]}{7 - y}" for x, y in turned}
                assert found.get("turns", set()) == named
            corner = move in ("a1", "a6", "f1", "f6")
            assert ("corner" in found) is corner


def test_breakthrough_tells_what_is_taken_and_what_hangs() -> None:
    for position in random_positions("breakthrough", 8, seed=2, width=5, height=6):
        men, mine = stones(position), position.turn
        ahead = 1 if mine == "white" else -1
        for move in position.moves:
            (x, y), (x2, y2) = (("abcde".index(m[0]) + 1, int(m[1])) for m in move.split("-"))
            after = {s: who for s, who in men.items() if s != (x, y)} | {(x2, y2): mine}
            attacked = any(
                after.get((x2 + side, y2 + ahead)) not in (None, mine) for side in (-1, 1)
            )
            guarded = any(after.get((x2 + side, y2 - ahead)) == mine for side in (-1, 1))
            meant = set()
            if (x2, y2) in men:
                meant.add("takes")
            if attacked and not guarded:
                meant.add("hangs")
            if y2 + ahead == (6 if mine == "white" else 1) and not attacked:
                meant.add("near")
            assert set(events(position, move)) == meant, (position, move)


def test_tictactoe_tells_lines_and_threats() -> None:
    for position in random_positions("tictactoe", 20, seed=3):
        for move in position.moves:
            after, found = position.play(move), events(position, move)
            won = {m for m in after.moves if after.winner is None and wins(after, m, position.turn)}
            assert ("win" in found) is (after.winner == position.turn)
            block = wins(position, move, other(position))
            assert ("block" in found) is block
            if after.winner is None:
                new = {m for m in won if not wins(position, m, position.turn)}
                told = found.get("fork", set()) | found.get("threat", set())
                assert new <= told
                assert ("fork" in found) is (len(told) > 1)


def other(position: Any) -> str:
    (name,) = set(position.game.players) - {position.turn}
    return str(name)


def wins(position: Any, move: str, player: str) -> bool:
    """Whether a mark of a player there completes a line."""
    marks = {s for s, who in stones(position).items() if who == player}
    marks.add(("abc".index(move[0]) + 1, int(move[1])))
    lines = [{(x, y) for x in (1, 2, 3)} for y in (1, 2, 3)]
    lines += [{(x, y) for y in (1, 2, 3)} for x in (1, 2, 3)]
    lines += [{(i, i) for i in (1, 2, 3)}, {(i, 4 - i) for i in (1, 2, 3)}]
    return any(line <= marks for line in lines)


def test_gomoku_tells_rows_that_are_completed_and_blocked() -> None:
    for position in random_positions("gomoku", 6, seed=4, width=5, height=5, connect=4):
        for move in position.moves[::3]:
            found = events(position, move)
            won = position.play(move).winner is not None
            assert ("win" in found) is won
            assert ("block" in found) is completes(position, move, other(position))


def completes(position: Any, move: str, player: str) -> bool:
    """Whether a stone of a player there completes a row of four."""
    own = {s for s, who in stones(position).items() if who == player}
    x, y = "abcde".index(move[0]) + 1, int(move[1])
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        row = 1
        for sign in (1, -1):
            i = 1
            while (x + sign * i * dx, y + sign * i * dy) in own:
                i, row = i + 1, row + 1
        if row >= 4:
            return True
    return False


def test_morris_tells_mills_and_men_that_are_taken() -> None:
    for position in random_positions("morris", 8, seed=5):
        for move in position.moves:
            found, after = events(position, move), position.play(move)
            taken = move.startswith("x")
            assert ("takes" in found) is taken
            # Who closes a mill is to move again.
            assert ("mill" in found) is (not taken and after.turn == position.turn)


@pytest.mark.parametrize(("moves", "takes"), [("e4 d5", {"exd5"}), ("e4 e5 Nf3 Nc6", {"Nxe5"})])
def test_chess_tells_what_is_taken(moves: str, takes: set[str]) -> None:
    position = advisor.position(moves, game="chess")
    found = {
        move
        for move in position.moves
        if any(name.startswith(("takes", "wins")) for name in events(position, move))
    }
    assert found == takes
