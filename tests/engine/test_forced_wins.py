"""Wins within a few moves agree with a second search, whichever side moves last."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from advisor.engine.forced_wins import ForcedWins
from advisor.library.loading import load_game
from aspcircuits.stopping import Stop
from second_games import in_line, misere

CELLS = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]
OTHER = {"x": "o", "o": "x"}
Marks = dict[tuple[int, int], str]


def wins(board: Marks, player: str, loser: str, moves: int) -> list[tuple[int, int]]:
    """Return the moves with which the side to move wins within a number of moves, this one
    included. A side with a line has lost if the `loser` is "own", and won if it is "other"."""
    return [cell for cell in CELLS if cell not in board and _won(board, player, loser, moves, cell)]


def _won(board: Marks, player: str, loser: str, moves: int, cell: tuple[int, int]) -> bool:
    after = board | {cell: player}
    if in_line(after, player, 3):
        return loser == "other"
    free = [cell for cell in CELLS if cell not in after]
    for reply in free:
        replied = after | {reply: OTHER[player]}
        if in_line(replied, OTHER[player], 3):
            if loser == "other":
                return False
        elif moves == 1 or not wins(replied, player, loser, moves - 1):
            return False
    return bool(free)


@pytest.mark.parametrize("loser", ["own", "other"])
def test_they_are_those_of_a_second_search(loser: str, tmp_path: Path) -> None:
    game = load_game(misere(tmp_path) if loser == "own" else "tictactoe", weights=None)
    rng, found = Random(7), set[tuple[int, bool]]()
    for _ in range(40):
        position, board = game.position(), Marks()
        for _ in range(rng.randrange(2, 8)):
            move = rng.choice(position.moves)
            if (then := position.play(move)).over:
                break
            board[ord(move[0]) - ord("a") + 1, int(move[1])] = position.turn
            position = then
        state = position
        search = ForcedWins(state.circuits, np.random.default_rng(1), Stop())
        for moves in (1, 2, 3):
            expected = wins(board, position.turn, loser, moves)
            terms = [state.name(move) for move in search.first_moves(state.row, moves)]
            assert sorted(terms) == [("put", *cell) for cell in sorted(expected)]
            assert search.wins_within(state.row[None], moves)[0] == bool(expected)
            narrow, _ = search.narrow_wins(state.row[None], moves)
            assert bool(expected) or not narrow[0]
            found.add((moves, bool(expected)))
    assert len(found) == 6


def test_where_no_move_loses_at_once_is_known_for_chess(tmp_path: Path) -> None:
    """There it saves a ply."""
    assert not load_game("chess", weights=None).position().circuits.backfires
    assert load_game(misere(tmp_path), weights=None).position().circuits.backfires
