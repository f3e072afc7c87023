"""Where rules fire: how often in games, for whom, and in which positions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Literal

from advisor.advice.choice import choose
from advisor.asp.clingo_api import Term, render
from advisor.errors import InputError
from advisor.files.textfile import nearest, quoted
from advisor.library import arguments
from advisor.library.positions import Game, Position
from advisor.limits import Limit, Stop

EXAMPLES = 5
"""Positions that are kept of each rule."""


@dataclass(frozen=True, slots=True, order=True)
class Fired:
    """A rule that fires in a position.

    Attributes:
        rule: its name.
        kind: "strategy" or "feature", see `Use`.
        player: for whom, by name.
        where: the move or the place, as the game writes it.
        reasons: of a strategy the places that made it fire, likewise.
    """

    rule: str
    kind: Literal["strategy", "feature"]
    player: str
    where: str
    reasons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the page gets it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FiringExample:
    """A position in which a rule fires.

    Attributes:
        position: which.
        player: for whom, by name.
        where: the move or the place, as the game writes it.
    """

    position: Position
    player: str
    where: str

    def to_json(self) -> dict[str, Any]:
        """As the ``--json`` output gives it."""
        return {"position": self.position.text, "player": self.player, "where": self.where}


@dataclass(slots=True)
class Use:
    """How a rule was used in games.

    Attributes:
        rule: its name.
        kind: a strategy speaks for or against moves, a feature holds in a position for a player.
        weight: in units of the weights.
        times: that it fired; a rule may fire several times in a position.
        positions: in which it fired, counted for each player.
        won: points of these players in their games: 1 for a win, 0.5 for a draw.
        examples: some of the positions.
    """

    rule: str
    kind: Literal["strategy", "feature"]
    weight: int
    times: int = 0
    positions: int = 0
    won: float = 0.0
    examples: list[FiringExample] = field(default_factory=list)

    @property
    def points(self) -> float | None:
        """What the players won on average; None if the rule never fired."""
        return self.won / self.positions if self.positions else None

    def to_json(self) -> dict[str, Any]:
        """As the ``--json`` output gives it."""
        return {
            "rule": self.rule,
            "kind": self.kind,
            "weight": self.weight,
            "times": self.times,
            "positions": self.positions,
            "points": self.points,
            "examples": [example.to_json() for example in self.examples],
        }


@dataclass(frozen=True, slots=True)
class Fires:
    """What was seen in some games.

    Attributes:
        games: how many were played.
        positions: that were met in them, the finished ones left out.
        uses: a rule each, those that fire in most positions first.
    """

    games: int
    positions: int
    uses: tuple[Use, ...]

    def to_json(self) -> dict[str, Any]:
        """As the ``--json`` output gives it."""
        uses = [use.to_json() for use in self.uses]
        return {"games": self.games, "positions": self.positions, "rules": uses}


def firing(position: Position) -> list[Fired]:
    """Which rules that have a weight fire in a position, for whom and where; ordered by name.

    >>> found = advisor.firing(advisor.position("443322"))
    >>> [fired.where for fired in found if fired.rule == "win"]
    ['column 1', 'column 5']

    Raises:
        EncodingError: the encodings of its game cannot be used.
    """
    return sorted([*_strategies(position), *_features(position)])


def _strategies(position: Position) -> Iterator[Fired]:
    say = position.abilities.phrasing
    for move, fired in () if position.over else position.abilities.firings(Stop()):
        reasons = tuple(say.places(fired.reasons))
        yield Fired(fired.strategy, "strategy", position.turn, say.moves([move]), reasons)


def _features(position: Position) -> Iterator[Fired]:
    say, players = position.abilities.phrasing, position.game.players
    (end,) = position.abilities.ends([()])
    for name, owner, place in end.features:
        yield Fired(render(name), "feature", players[owner], ", ".join(say.places([place])))


def fires(
    game: Game,
    rule: str | None = None,
    *,
    games: int = 100,
    plies: int = 4,
    depth: int = 1,
    seed: int = 1,
    stop: Stop | None = None,
    on_game: Callable[[int], None] | None = None,
) -> Fires:
    """In how many positions of games each rule fires, for whom, and examples.

    The game's weights play against themselves, after some moves by chance. Rules without a weight
    fire for nothing and are left out.

    >>> found = advisor.fires(advisor.load_game("connect4"), "win", games=4)
    >>> use = found.uses[0]
    >>> use.rule, use.kind, use.points > 0.9
    ('win', 'strategy', True)

    Args:
        game: with its weights.
        rule: a name, with its arguments or without them (``fork``, ``threat``, ``threat(good)``);
            None for all rules.
        games, plies, depth: how many, how many moves of each are by chance, how far both players
            look ahead.
        seed: of all that is by chance.
        stop: ends it with the games that are finished.
        on_game: told of how many are finished.

    Raises:
        InputError: there is no such rule, or the game has none.
        ConfigError, EncodingError: its weights or encodings cannot be used.
    """
    many = arguments.whole("games", games, 1, 1_000_000)
    stop, seen = stop or Stop(), _Seen(game, rule)
    finished = 0
    for number in range(many):
        met, end = _play(game, plies, depth, Random(f"{seed} {number}"), stop)
        if end is None:
            break
        for position in met:
            seen.look(position, end)
        finished = number + 1
        if on_game is not None:
            on_game(finished)
    return seen.result(finished)


def _play(
    game: Game, plies: int, depth: int, rng: Random, stop: Stop
) -> tuple[list[Position], Position | None]:
    """The positions of a game, and its end, if it was not stopped before."""
    position, met = game.position(), list[Position]()
    while not position.over:
        if stop.is_set():
            return met, None
        met.append(position)
        if len(met) <= plies:
            move = rng.choice(position.moves)
            position = position.play(move)
            continue
        chosen = choose(position.abilities, Limit(depth), stop, followed=False).line[0]
        position = game.at(position.state.play(chosen))
    return met, position


class _Seen:
    """What is counted on the way."""

    def __init__(self, game: Game, rule: str | None) -> None:
        weights = game.room.settings.weights
        self._positions = 0
        self._strategies = _uses("strategy", weights["moves"], rule)
        self._features = _uses("feature", weights["features"], rule)
        if not (self._strategies or self._features):
            names = {each for named in weights.values() for term in named for each in _names(term)}
            if not names:
                raise InputError(f"{game.name} has no rules with weights")
            guess = nearest(rule or "", sorted(names))
            raise InputError(f"no rule {quoted(rule or '')} (did you mean {quoted(guess)}?)")

    def look(self, position: Position, end: Position) -> None:
        """Counts what fires in a position of a game that ended so."""
        self._positions += 1
        held: set[tuple[int, str]] = set()
        # In an order of its own, or examples would differ from run to run.
        for use, fired in sorted(self._firing(position), key=lambda it: it[1]):
            key = id(use), fired.player
            use.times += 1
            if key in held:
                continue
            held.add(key)
            use.positions += 1
            use.won += 0.5 if end.winner is None else float(end.winner == fired.player)
            if len(use.examples) < EXAMPLES:
                use.examples.append(FiringExample(position, fired.player, fired.where))

    def _firing(self, position: Position) -> Iterator[tuple[Use, Fired]]:
        if self._strategies:  # who asks for features alone need not wait for clingo
            for fired in _strategies(position):
                if use := self._strategies.get(fired.rule):
                    yield use, fired
        if self._features:
            for fired in _features(position):
                if use := self._features.get(fired.rule):
                    yield use, fired

    def result(self, games: int) -> Fires:
        """What was counted, once all positions were looked at."""
        uses = (*self._strategies.values(), *self._features.values())
        ordered = sorted(uses, key=lambda use: (-use.positions, use.rule))
        return Fires(games, self._positions, tuple(ordered))


def _uses(
    kind: Literal["strategy", "feature"], weights: Mapping[Term, int], rule: str | None
) -> dict[str, Use]:
    """The rules that are asked about, by their names."""
    return {
        render(name): Use(render(name), kind, weight)
        for name, weight in weights.items()
        if weight and rule in (None, *_names(name))
    }


def _names(rule: Term) -> tuple[str, str]:
    """With its arguments and without them."""
    return render(rule), rule[0] if isinstance(rule, tuple) else rule
