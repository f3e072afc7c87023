"""Matches: two players, both colours of every opening."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from advisor.errors import InputError
from advisor.files import linefile
from advisor.files.textfile import quoted
from advisor.games.connect4.board import geometry
from advisor.games.connect4.notation import STANDARD, parse_line
from advisor.games.connect4.sampling import random_moves
from advisor.lab.arena.players import Player
from advisor.lab.batch import Work
from advisor.limits import Stop

Game = dict[str, Any]
"""As JSON: the ``moves`` from the empty board, and the first player's ``points``: 1, 0.5 or 0."""

_TRIES = 50
"""Random games without a new opening, for each one found, after which there are no more."""


def umpire(
    first: Player, second: Player, seed: int, on_move: Callable[[str], None] | None = None
) -> Work[list[Game]]:
    """What plays an opening out twice; the first player begins the first game.

    Players who hold several moves equal draw lots, the same ones for the same seed and game.

    Args:
        first, second, seed: as said.
        on_move: called with the moves of the game before each move, where the work is done in this
            process.
    """
    return partial(_play_both, first, second, seed, on_move)


def _play_both(
    first: Player,
    second: Player,
    seed: int,
    on_move: Callable[[str], None] | None,
    opening: str,
    stop: Stop,
) -> list[Game]:
    def play(players: Sequence[Player], number: int) -> tuple[str, float]:
        return _play(players, opening, Random(f"{seed} {opening} {number}"), on_move, stop)

    begun, points = play((first, second), 1)
    answered, others_points = play((second, first), 2)
    return [
        {"moves": begun, "points": points},
        {"moves": answered, "points": 1 - others_points},
    ]


def _play(
    players: Sequence[Player],
    opening: str,
    lot: Random,
    on_move: Callable[[str], None] | None,
    stop: Stop,
) -> tuple[str, float]:
    """The moves, and the points of who begins."""
    position = parse_line(opening)
    moves = opening
    while (result := position.result()) is None:
        if on_move:
            on_move(moves)
        column = lot.choice(players[position.turn - 1].columns(position, stop))
        moves += str(column)
        position = position.after(column)
    points = (result + 1) / 2
    return moves, points if position.turn == 1 else 1 - points


def random_openings(count: int, plies: int, seed: int) -> list[str]:
    """Different openings of so many plies in which nobody wins at once.

    Raises:
        InputError: there are not so many.
    """
    rng = Random(seed)
    found: dict[object, str] = {}
    tried = 0  # since the last one was found
    while len(found) < count and tried < _TRIES * (10 + len(found)):
        known, tried = len(found), tried + 1
        moves = "".join(map(str, random_moves(rng, plies, geometry())))
        position = parse_line(moves)
        if len(moves) == plies and position.result() is None and not position.wins_at_once():
            found.setdefault(position, moves)
        tried = 0 if len(found) > known else tried
    if len(found) < count:
        raise InputError(
            f"only {len(found)} different openings of {plies} plies for {2 * count} games "
            "(use fewer games or more plies)"
        )
    return list(found.values())


def read_openings(path: Path) -> list[str]:
    """The openings in a file, one move string a line.

    Raises:
        InputError: one line with file and place.
    """
    return [opening for _, opening in linefile.entries(path, _opening)]


def _opening(line: str) -> str:
    if not re.fullmatch(r"[0-9]+", line):
        raise InputError(f"{quoted(line)} is not a move string (use digits such as 4453)")
    if parse_line(line, STANDARD).result() is not None:
        raise InputError(f"{quoted(line)} ends the game (an opening leaves moves to play)")
    return line
