"""Play OpenSpiel's tree search as a program of `advisor match`; needs open_spiel.

    cd benchmarks/compare
    advisor match default:time=0.3 "program:python openspiel.py hex:time=0.3" --game hex
    advisor match default:time=0.3 "program:python openspiel.py hex size=11:time=0.3" \\
        --game hex --const size=11
    advisor match default:time=0.3 "program:python benchmarks/compare/openspiel.py y:time=0.3" \\
        --game benchmarks/games/y

It speaks the part of UCI that this needs (see docs/own-game.md), with moves as the game's rules
write them. The player is `MCTSBot`, OpenSpiel's in C++: UCT with random games and its own solver,
the constant 2, one thread.
"""

import random
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyspiel

FILES = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Translated:
    """A game of OpenSpiel and its translation into a game here.

    Attributes:
        name: the game in OpenSpiel, with placeholders for constants.
        constants: the constants, with their defaults.
        move: writes a move as it is written here, from the numbers in it; files are numbers from 1.
            None if both write it alike.
        kinds: the prefix of a move here, by OpenSpiel's word.
        told: writes a move as OpenSpiel does, from its state and number.
    """

    name: str
    constants: Mapping[str, int]
    move: Callable[[list[int], Mapping[str, int]], str] | None
    kinds: Mapping[str, str] = field(default_factory=dict)
    told: Callable[[Any, int], str] = lambda state, action: state.action_to_string(action)


# Quarter turns by OpenSpiel's letter, counted from a.
QUARTERS = {
    19: "(0,1),counter",
    20: "(0,1),clockwise",
    21: "(1,1),counter",
    22: "(1,1),clockwise",
    23: "(1,0),counter",
    24: "(1,0),clockwise",
    25: "(0,0),counter",
    26: "(0,0),clockwise",
}

PROMOTED = {"n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


def antichess(state: Any, action: int) -> str:
    """Write a move of antichess as squares.

    Chess has 73 kinds of moves from each square, antichess 76, of which the tenth to the twelfth
    promote to a king.
    """
    board = pyspiel.load_game("chess").new_initial_state(str(state)).board()
    square, kind = divmod(action, 76)
    king = 9 <= kind < 12
    as_chess = 73 * square + (kind % 9 if kind < 12 else kind - 3)
    told: str = pyspiel.chess.action_to_move(as_chess, board).to_lan()
    return f"{told[:4]}k" if king else told


GAMES = {
    "hex": Translated("hex(board_size={size})", {"size": 7}, lambda n, _: f"put({n[1]},{n[0]})"),
    "breakthrough": Translated(
        "breakthrough(rows={height},columns={width})",
        {"width": 8, "height": 8},
        lambda n, c: f"go({n[0]},{c['height'] + 1 - n[1]},{n[2]},{c['height'] + 1 - n[3]})",
    ),
    "reversi": Translated("othello", {}, lambda n, _: f"put({n[0]},{9 - n[1]})" if n else "pass"),
    "gomoku": Translated(
        "gomoku(size={size})", {"size": 15}, lambda n, _: f"put({n[0] + 1},{n[1] + 1})"
    ),
    "y": Translated("y(board_size={size})", {"size": 9}, lambda n, _: f"put({n[0]},{n[1]})"),
    "havannah": Translated(
        "havannah(board_size={size})", {"size": 5}, lambda n, _: f"put({n[0]},{n[1]})"
    ),
    "clobber": Translated(
        "clobber(rows={height},columns={width})",
        {"width": 8, "height": 8},
        lambda n, _: f"go({n[0]},{n[1]},{n[2]},{n[3]})",
    ),
    "dots_and_boxes": Translated(
        "dots_and_boxes(num_rows={height},num_cols={width})",
        {"width": 4, "height": 4},
        lambda n, _: f"draw({'flat' if n[1] == 8 else 'upright'},{n[3] + 1},{n[2] + 1})",
    ),
    "checkers": Translated("checkers", {}, lambda n, _: f"go({n[0]},{n[1]},{n[2]},{n[3]})"),
    "amazons": Translated(
        "amazons",
        {},
        lambda n, _: f"({n[1]},{11 - n[0]})",
        {"From": "from", "To": "to", "Shoot": "shoot"},
    ),
    "lines_of_action": Translated(
        "lines_of_action", {}, lambda n, _: f"go({n[0]},{n[1]},{n[2]},{n[3]})"
    ),
    "twixt": Translated(
        "twixt(board_size={size})",
        {"size": 8},
        lambda n, c: f"put({n[0]},{c['size'] + 1 - n[1]})",
    ),
    "ultimate_tic_tac_toe": Translated(
        "ultimate_tic_tac_toe",
        {},
        lambda n, _: (
            f"({n[0] % 3 + 1},{3 - n[0] // 3}" + (f",{n[2] + 1},{3 - n[1]})" if n[1:] else ")")
        ),
        {"Choose": "choose", "Local": "put"},
    ),
    "chess": Translated(
        "chess",
        {},
        None,
        told=lambda state, action: pyspiel.chess.action_to_move(action, state.board()).to_lan(),
    ),
    "antichess": Translated(
        "antichess",
        {},
        lambda n, _: (
            f"move({n[0]},{n[1]},{n[2]},{n[3]},"
            + (f"{PROMOTED[FILES[n[4] - 1]]})" if n[4:] else "none)")
        ),
        told=antichess,
    ),
    "pentago": Translated("pentago", {}, lambda n, _: f"put({n[0]},{7 - n[1]},{QUARTERS[n[2]]})"),
}


def numbers(text: str) -> list[int]:
    """Read the numbers in a move: 1, 5, 2, 4 in ``a5b4``, 1, 5, 19 in ``a5s``, none in a word."""
    parts = re.findall(r"\d+|[a-z](?=[\d,])|(?<=\d)[a-z]$", text)
    return [int(part) if part.isdigit() else FILES.index(part) + 1 for part in parts]


class Player:
    """Plays one game.

    Args:
        game: its name here.
        constants: the chosen constants.
    """

    def __init__(self, game: str, constants: Mapping[str, int]) -> None:
        self._translated = GAMES[game]
        self._constants = {**self._translated.constants, **constants}
        self._game = pyspiel.load_game(self._translated.name.format(**self._constants))

    def state(self, moves: list[str]) -> "tuple[pyspiel.State, dict[str, int]]":
        """Return the state after some moves, and its actions by their names here."""
        state = self._game.new_initial_state()
        for move in moves:
            state.apply_action(self._actions(state)[move])
        return state, self._actions(state)

    def move(self, moves: list[str], seconds: float) -> str:
        """Find a move after others within some seconds."""
        state, actions = self.state(moves)
        seed = random.randrange(1 << 30)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(
            self._game,
            evaluator,
            2.0,
            1_000_000_000,
            4000,
            True,
            seed,
            False,
            max_wall_clock_time=seconds,
        )
        action = bot.step(state)
        return next(name for name, each in actions.items() if each == action)

    def _actions(self, state: "pyspiel.State") -> dict[str, int]:
        game = self._translated
        return {self._name(game.told(state, a)): a for a in state.legal_actions()}

    def _name(self, text: str) -> str:
        game = self._translated
        if game.move is None:
            return text
        kind = next((here for word, here in game.kinds.items() if word in text), "")
        return kind + game.move(numbers(text), self._constants)


def serve(player: Player) -> None:
    """Answer commands until the input ends."""
    moves: list[str] = []
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("id name OpenSpiel MCTSBot\nuciok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", "startpos", *rest]:
                moves = rest[1:]
            case ["go", "movetime", milliseconds]:
                print("bestmove", player.move(moves, int(milliseconds) / 1000), flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    name, *chosen = sys.argv[1:]
    pairs = (each.split("=") for each in chosen)
    serve(Player(name, {constant: int(value) for constant, value in pairs}))
