"""Random games and positions, reproducible for the same generator."""

from collections.abc import Iterator
from random import Random

from advisor.engine.nodes import play_moves
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.notation import to_yaml
from advisor.games.connect4.position import BoardPosition
from advisor.games.puzzle_making import PuzzleMaker
from aspcircuits.stopping import Stop

_GAMES = 8
"""Games of a task that are searched for puzzles."""

_CARE = (0.5, 0.9, 1.0)
"""How often, in one game or another, a careful move is chosen: it wins or does not lose at once."""

_OF_A_GAME = 6
"""Positions of such a game that are tried."""

_OPENING = 1 / 6
"""The share of the board that is filled before the search for puzzles begins."""


def random_moves(rng: Random, plies: int, size: Geometry) -> list[int]:
    """Return the columns of a random game of `plies` plies, fewer if it ends before."""
    position = Board(size)
    moves: list[int] = []
    while len(moves) < plies and position.result() is None:
        moves.append(rng.choice(sorted(position.moves())))
        position = position.after(moves[-1])
    return moves


def random_positions(rng: Random, count: int, size: Geometry | None = None) -> list[Board]:
    """Return positions of random games that are not over, with any number of discs."""
    size = size or geometry()
    found: list[Board] = []
    while len(found) < count:
        position = play_moves(Board(size), random_moves(rng, rng.randrange(size.squares), size))
        if position.result() is None:
            found.append(position)
    return found


class BoardPuzzles(PuzzleMaker):
    """The `advisor.games.puzzle_making.PuzzleMaker` of Connect Four; games begin on the empty
    board.
    """

    games_of_task = _GAMES

    def __init__(self, begun: BoardPosition) -> None:
        self._begun = begun

    def no_room(self, plies: int) -> str:
        return "" if plies <= self._begun.board.plies_left else "do not fit on this board"

    def candidates(
        self, win_in: int, seed: int, task: int, stop: Stop
    ) -> Iterator[list[BoardPosition]]:
        """Yield some positions of each game, in which a win in `win_in` moves is still possible."""
        size = self._begun.board.geometry
        for number in range(task * _GAMES, (task + 1) * _GAMES):
            boards = _of_a_game(Random(f"{seed}/{number}"), size, win_in)
            yield [*map(self._begun.on, boards)]

    def likeness(self, position: BoardPosition) -> str:
        """Return the board or its mirror image, and its size."""
        board, size = position.board, position.board.geometry
        shape = f"{size.width}x{size.height}-{size.connect}"
        return f"{shape}:{min(board.key, board.mirror.key):x}"

    def options_and_lines(self, position: BoardPosition) -> tuple[str, str]:
        size = position.board.geometry
        options = f" --size {size.width}x{size.height} --connect {size.connect}"
        return options, to_yaml(position.board)


def _of_a_game(rng: Random, size: Geometry, win_in: int) -> list[Board]:
    care = rng.choice(_CARE)
    position, seen = Board(size), []
    while position.result() is None and position.plies_left >= 2 * win_in - 1:
        at_once = position.wins_at_once()
        if position.discs >= _OPENING * size.squares and at_once == (win_in == 1):
            seen.append(position)
        moves = position.moves()
        if rng.random() < care:
            if at_once:
                break
            moves = position.candidates()
        position = position.after(rng.choice(sorted(moves)))
    return rng.sample(seen, min(_OF_A_GAME, len(seen)))
