"""Players that are alike: by the text of their files, or by the moves that they choose."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from advisor.games.game import Game
from advisor.lab.arena.match import some_openings

_LENGTHS, _EACH, _SEED = range(0, 21, 2), 8, 7
"""Plies of the random openings in which moves are compared, their number for each, their seed."""

How = Literal["text", "moves"]


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two short texts by which players are compared; an empty one is like no other.

    Attributes:
        text: equal for files that differ in nothing but comments, blanks and order.
        moves: equal for players that choose the same moves in all positions that are compared.
    """

    text: str
    moves: str


@dataclass(frozen=True, slots=True)
class Alike:
    """Players that are alike.

    >>> Alike(["ann", "bob"], "text").to_json()
    {'players': ['ann', 'bob'], 'how': 'text'}

    Attributes:
        players: two or more names.
        how: "text" if their files say the same, "moves" if they only chose the same moves.
    """

    players: Sequence[str]
    how: How

    def to_json(self) -> dict[str, object]:
        """Return both as JSON has them."""
        return {"players": [*self.players], "how": self.how}


def positions_to_compare(game: Game) -> list[str]:
    """Return the openings after which moves are compared: different ones, short and long."""
    found = (some_openings(game, _EACH, plies, _SEED) for plies in _LENGTHS)
    return [*dict.fromkeys(opening for openings in found for opening in openings)]


def mark_moves(choose: Callable[[str], Sequence[str]], openings: Sequence[str]) -> str:
    """Return the mark of the moves that a player chooses after these openings."""
    return mark([[*choose(opening)] for opening in openings])


def mark(what: object) -> str:
    """Return a short text for some JSON, which differs for other JSON."""
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


def find_alike(marks: Mapping[str, Likeness]) -> list[Alike]:
    """Group the players that are alike.

    >>> same = {"ann": Likeness("1", "1"), "bob": Likeness("1", "1"), "cem": Likeness("2", "1")}
    >>> [(each.how, each.players) for each in find_alike(same)]
    [('text', ['ann', 'bob']), ('moves', ['ann', 'bob', 'cem'])]
    """
    return [*_groups(marks, "text"), *_groups(marks, "moves")]


def _groups(marks: Mapping[str, Likeness], how: How) -> Iterator[Alike]:
    """Yield the groups of one kind; equal texts are not listed once more for equal moves."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, each in marks.items():
        if found := getattr(each, how):
            groups[found].append(name)
    for players in groups.values():
        texts = {marks[name].text for name in players}
        if len(players) > 1 and (how == "text" or len(texts) > 1):
            yield Alike(players, how)
