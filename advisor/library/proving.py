"""What is certain of a position of Connect Four: exact scores, and proofs to be read."""

from collections.abc import Callable

from advisor.errors import InputError
from advisor.games.connect4 import exact
from advisor.games.connect4.exact import Exact
from advisor.games.connect4.victor import prove as by_rules
from advisor.games.connect4.victor.plan import Proof
from advisor.games.players import MARKS
from advisor.library.positions import Board
from advisor.limits import Stop


def solve(
    position: Board,
    *,
    columns: bool = False,
    seconds: float | None = None,
    stop: Stop | None = None,
    on_progress: Callable[[Exact], None] | None = None,
) -> Exact:
    """The exact score, by search to the end of the game.

    The score is Pascal Pons': half the number of squares that are empty before the winning disc,
    rounded up; positive if the player to move wins, negative if he loses, 0 for a draw.

    >>> known = advisor.solve(advisor.position("44", size=(5, 4)), columns=True)
    >>> known.score, known.outcome
    (0, 'draw')
    >>> {column: solution.score for column, solution in known.columns.items()}
    {1: -1, 2: 0, 3: -1, 4: -1, 5: -1}

    Args:
        position: on any board; of a finished game the score that its last disc brought.
        columns: score every move too.
        seconds: how long it may take; what is proved by then is returned, and `score` is None
            where that is not all.
        stop: ends it likewise.
        on_progress: told what is proved so far.

    Raises:
        InputError: a position of another game.
    """
    _refuse_others(position, "exact scores")
    return exact.solve(
        position.bitboards,
        columns=columns,
        stop=(stop or Stop()).within(seconds),
        on_progress=on_progress,
    )


def prove(
    position: Board, *, player: str | None = None, strict: bool = False, stop: Stop | None = None
) -> Proof | None:
    """A proof by Allis' nine strategic rules that a player holds or wins; None if they find none.

    >>> proof = advisor.prove(advisor.position(size=(6, 6)))
    >>> proof.player, proof.outcome
    (2, 'holds')
    >>> advisor.explain(proof)[0]
    'proved: o (yellow) holds at least a draw'

    Args:
        position: on a board of an even height with four in line, its game going on.
        player: ``"x"`` or ``"o"``, to prove something for this one only.
        strict: use nothing that goes beyond Allis' thesis.
        stop: ends the search.

    Raises:
        InputError: the rules do not cover this position.
        KeyboardInterrupt: `stop` was set before there was a proof.
    """
    _refuse_others(position, "proofs")
    players = {mark: number for number, mark in MARKS.items()}
    if player is not None and player not in players:
        raise InputError(f"'{player}' is no player (use x or o)")
    wanted = players[player] if player else None
    return by_rules.prove(position.bitboards, strict, wanted, stop)


def _refuse_others(position: object, what: str) -> None:
    if not isinstance(position, Board):
        raise InputError(f"{what} are for Connect Four alone")
