"""Where a value of the look-ahead comes from: an evaluation trace, as chess engines print it.

The look-ahead takes the value of a move from one position, the one at the end of the move's
principal variation. There it is a sum: of the weights of the mover's features, less those of the
other player's. The sibling of the evaluation; the search knows nothing of it.
"""

from functools import lru_cache

from advisor.advice.advice import Held, Trace
from advisor.asp.clingo_api import render
from advisor.games.abilities import End
from advisor.settings.config import Weights

_text = lru_cache(maxsize=1 << 16)(render)


def trace(end: End, weights: Weights, player: int) -> Trace:
    """What the position at a line's end is worth to a player, feature by feature.

    Args:
        end: the line, and what holds there.
        weights: of the features.
        player: whose view it is, 0 for the one who begins a game.
    """
    held = [
        Held(_text(feature), owner, where, weight if owner == player else -weight)
        for feature, owner, where in end.features
        if (weight := weights[feature])
    ]
    held.sort(key=lambda h: (-abs(h.weight), h.feature, h.player, _text(h.where)))
    return Trace(end.line, tuple(held), end.drawn, end.added)
