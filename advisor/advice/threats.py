"""Threats: moves that the opponent would make with the turn, described by their events."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.errors import InputError
from advisor.games.abilities import Abilities
from advisor.games.events import Danger
from advisor.games.game import Position
from advisor.games.score import Score
from advisor.games.wording import capitalize_text, join_words, number
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

_TOLD = 4
"""Threats that sentences name before the rest is counted."""

_WON = Score("win", 1, plies=1)


@dataclass(frozen=True, slots=True)
class Threat:
    """A threat of the opponent, by one move or several.

    >>> threat = advisor.threats(advisor.position("142454")).found[0]
    >>> threat.moves, threat.wins
    ((4,), True)

    Attributes:
        moves: as people write them.
        codes: the moves' names for programs.
        wins: the game ends.
        text: a predicate, such as "completes a line on d1-d4".
        sentence: the whole threat in words.
        squares: where the moves end, each with its column and row.
    """

    moves: tuple[Any, ...]
    codes: tuple[int | str, ...]
    wins: bool
    text: str
    sentence: str
    squares: tuple[tuple[int, int], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the threat as plain data."""
        moves, names = [*self.codes], [*map(str, self.moves)]
        told = {"moves": moves, "names": names, "wins": self.wins, "text": self.text}
        return {**told, "squares": [*map(list, self.squares)]}


@dataclass(frozen=True, slots=True)
class Threats:
    """The threats in a position.

    >>> advisor.threats(advisor.position("142454")).player
    'o'

    Attributes:
        player: the opponent of the side to move, by name.
        found: the opponent's threats: wins first, then the most important ones.
        sentences: the threats in words, with both players' long-term assets.
        dangers: the map of threats: squares on which either player threatens something. In games
            whose files mark none these are the wins at once, and what else the opponent threatens.
        unknown: why threats cannot be found, if the rules do not let the opponent move; else empty.
    """

    player: str
    found: tuple[Threat, ...]
    sentences: tuple[str, ...]
    dangers: tuple[Danger, ...] = ()
    players: tuple[str, str] = ("", "")
    unknown: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the threats as the ``--json`` output gives them."""
        return {
            "player": self.player,
            "threats": [threat.to_json() for threat in self.found],
            "sentences": [*self.sentences],
            "dangers": [
                {
                    "player": self.players[danger.player],
                    "kind": danger.kind,
                    "squares": [*map(list, danger.squares)],
                    "names": [*danger.names],
                    "text": danger.text,
                }
                for danger in self.dangers
            ],
            "known": not self.unknown,
        }


def find_threats(position: Position, stop: Stop, language: str = "") -> Threats:
    """Give the opponent the turn and list the moves that the side to move has to fear.

    `language`: of the map of threats, as far as the rules have it.
    """
    say, player = position.phrasing, position.game.players[1 - position.side]
    opponent = capitalize_text(say.player_name(1 - position.side))
    marked = position.abilities.dangers(language)
    try:
        given = _give_turn(position, player)
    except InputError as error:
        reason = str(error).partition(": ")[2] or str(error)
        unknown = f"Nobody can say what {say.player_name(1 - position.side)} threatens: {reason}."
        return Threats(player, (), (unknown,), tuple(marked or ()), position.game.players, unknown)
    found = tuple(_threats(given, opponent, stop))
    first = _winning(position, stop)
    told = [threat.sentence for threat in found]
    if len(told) > _TOLD + 1:
        told[_TOLD:] = [f"There are {number(len(told) - _TOLD)} more threats."]
    if not told:
        told = [f"{opponent} threatens nothing that can be seen one move ahead."]
    if found and first:
        me = capitalize_text(say.player_name(position.side))
        told.append(f"{me} can win first with {say.moves(first, 'or')}.")
    sentences = (*told, *position.abilities.standing())
    dangers = tuple(_dangers(position, first, found) if marked is None else marked)
    return Threats(player, found, sentences, dangers, position.game.players)


def _dangers(position: Position, wins: Sequence[Term], found: Sequence[Threat]) -> Iterator[Danger]:
    """Yield the map of a game whose files mark none: wins, and what else the opponent threatens."""
    abilities = position.abilities
    own = [tuple(abilities.squares_of(move)[-1:]) for move in wins]
    theirs = [threat.squares for threat in found if threat.wins]
    groups: list[tuple[int, str, str, Sequence[Sequence[tuple[int, int]]]]] = [
        (position.side, "wins", "wins at once on {}", own),
        (1 - position.side, "wins", "would win at once on {}", theirs),
        *(
            (1 - position.side, "threat", "would play {}: this " + threat.text, [threat.squares])
            for threat in found
            if not threat.wins
        ),
    ]
    for player, kind, text, places in groups:
        squares = tuple(dict.fromkeys(square for group in places for square in group))
        if squares:
            names = tuple(map(abilities.square_name, squares))
            yield Danger(player, kind, squares, names, text.format(join_words(names, "and")))


def _give_turn(position: Position, player: str) -> Position:
    """Return the position with this player to move; an InputError if there is none."""
    if not position.abilities.alternates and position.path:
        *_, before, _ = position.positions
        if before.side == position.side:
            raise InputError(f"{position.phrasing.player_name(position.side)} moves again")
    given = position.put({}, turn=player)
    if given.over:
        raise InputError("the game would be over")
    return given


def _winning(position: Position, stop: Stop) -> list[Term]:
    """Return the moves that win at once."""
    return [
        move
        for move in position.abilities.winning(1, stop)
        if position.after(move).winning_side == position.side
    ]


def _threats(given: Position, opponent: str, stop: Stop) -> Iterator[Threat]:
    """Yield the threats of the side to move: wins at once, then events by their importance."""
    abilities, wins = given.abilities, _winning(given, stop)
    say = abilities.phrasing
    won: dict[str, list[Term]] = {}
    for move in wins:
        does = say.leads([move], _WON).removeprefix(say.moves([move])).strip()
        won.setdefault(does + say.ending(move, _WON, (move,)), []).append(move)
    for text, moves in won.items():
        yield _threat(abilities, opponent, moves, text, wins=True)
    events: dict[Any, tuple[int, str, list[Term]]] = {}
    for move in abilities.legal().values():
        for event in () if move in wins else abilities.events(move):
            if event.threatens:
                *_, moves = events.setdefault(event.identity, (event.rank, event.text, []))
                moves.append(move)
    for _, text, moves in sorted(events.values(), key=lambda each: each[0]):
        yield _threat(abilities, opponent, moves, text, wins=False)


def _threat(
    given: Abilities, opponent: str, moves: Sequence[Term], text: str, wins: bool
) -> Threat:
    say = given.phrasing
    names, codes = (tuple(map(each, moves)) for each in (say.play_name, say.code))
    sentence = f"{opponent} threatens {say.moves(moves, 'or')}, which {text}."
    ends = (square for move in moves for square in given.squares_of(move)[-1:])
    return Threat(names, codes, wins, text, sentence, tuple(dict.fromkeys(ends)))
