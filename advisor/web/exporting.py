"""Write a game, a review or a puzzle as one page that needs no server."""

from collections.abc import Iterator, Sequence
from typing import Any

import advisor
from advisor.views.replay_html import Frame, ReplayQuestion, page
from aspcircuits.stopping import Stop

_LINE_SECONDS = 2.0
"""Seconds to find the line that follows the answer of a puzzle."""

_DRAWN = 150
"""Maximum number of positions to draw; with more of them, boards are text."""


def game(
    position: advisor.Position, title: str, review: advisor.Review | None, ply: int = 0
) -> str:
    """Write a game from its beginning, with its grades if it is reviewed.

    Args:
        position: the end of the game.
        title: of the page.
        review: the grades, if any.
        ply: number of moves before the position that the page shows first.
    """
    begun = position.back(len(position.played))
    return page(title, [*_frames(begun, position.played)], review=review, ply=ply)


def puzzle(
    position: advisor.Position, title: str, task: str, answers: Sequence[Any], stop: Stop
) -> str:
    """Write a puzzle, with the expected line after the first of its right answers.

    Raises:
        InputError: an answer is illegal.
    """
    after = [position.play(answer) for answer in answers]
    line = [answers[0]]
    if not after[0].over:
        found = advisor.suggest(after[0], seconds=_LINE_SECONDS, traced=False, stop=stop)
        line += found.to_json()["pv"]
    right = [str(each.played[-1]) for each in after]
    question = ReplayQuestion(task, [*map(str, position.moves)], right)
    return page(title, [*_frames(position, line)], question=question)


def _frames(begun: advisor.Position, moves: Sequence[Any]) -> Iterator[Frame]:
    """Yield a frame for a position, and for the position after each of its moves."""
    positions = [begun]
    for move in moves:
        positions.append(positions[-1].play(move))
    for ply, each in enumerate(positions):
        picture = (len(positions) <= _DRAWN and each.scene.svg()) or each.rows
        move = str(each.played[-1]) if ply else ""
        numeral = positions[ply - 1].scene.numeral if ply else None
        yield Frame(picture, move, numeral or f"{ply}.", each.status)
