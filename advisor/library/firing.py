"""Where rules fire: how often in games, for which player, and in which positions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Literal, cast

from advisor.advice.choice import choose
from advisor.errors import InputError
from advisor.games.game import Game, Position
from advisor.library import arguments
from advisor.limits import MAX_DEPTH, Limit
from advisor.settings.config import KINDS
from aspcircuits.clingo_api import Term, render
from aspcircuits.stopping import Stop
from aspcircuits.texts import nearest, quote_text

EXAMPLES = 5
"""Positions that are kept for each rule."""


@dataclass(frozen=True, slots=True, order=True)
class Fired:
    """A rule that fires in a position.

    >>> advisor.firing(advisor.position("443322"))[0]
    Fired(rule='center(0)', kind='strategy', player='x', where='column 4', reasons=())

    Attributes:
        kind: "strategy" or "feature", see `Use`.
        player: the player for whom it fires, by name.
        where: the move or the place, in words, such as ``column 4``.
        reasons: for a strategy, the places that made it fire, in words.
    """

    rule: str
    kind: Literal["strategy", "feature"]
    player: str
    where: str
    reasons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the firing as the page gets it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FiringExample:
    """A position in which a rule fires; player and place as in `Fired`."""

    position: Position
    player: str
    where: str

    def to_json(self) -> dict[str, Any]:
        return {"position": self.position.text, "player": self.player, "where": self.where}


@dataclass(slots=True)
class Use:
    """The use of a rule in games.

    >>> (use,) = advisor.fires(advisor.load_game("connect4"), "win", games=1).uses
    >>> use.rule, use.kind
    ('win', 'strategy')

    Attributes:
        kind: a strategy speaks for or against moves, a feature holds in a position for a player.
        weight: of the rule.
        times: number of firings; a rule may fire several times in a position.
        positions: number of positions in which it fired, counted for each player.
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
        """The players' mean points; None if the rule never fired."""
        return self.won / self.positions if self.positions else None

    def to_json(self) -> dict[str, Any]:
        """Return the use as the ``--json`` output gives it."""
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
    """The uses of rules in some games.

    >>> advisor.fires(advisor.load_game("connect4"), "win", games=1).games
    1

    Attributes:
        positions: number of positions in them, without finished ones.
        uses: one per rule, the rules that fire in most positions first.
    """

    games: int
    positions: int
    uses: tuple[Use, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the uses as the ``--json`` output gives them."""
        uses = [use.to_json() for use in self.uses]
        return {"games": self.games, "positions": self.positions, "rules": uses}


def firing(position: Position) -> list[Fired]:
    """Return the weighted rules that fire in a position, with player and place, by name.

    >>> found = advisor.firing(advisor.position("443322"))
    >>> [fired.where for fired in found if fired.rule == "win"]
    ['column 1', 'column 5']

    Raises:
        EncodingError: the encodings of its game cannot be used.
    """
    arguments.position(position)
    return sorted([*_strategies(position), *_features(position)])


def _strategies(position: Position) -> Iterator[Fired]:
    say = position.abilities.phrasing
    for move, fired in () if position.over else position.abilities.firings(Stop()):
        reasons = tuple(say.places(fired.reasons))
        yield Fired(fired.strategy, "strategy", position.turn, say.moves([move]), reasons)


def _fired_strategies(position: Position) -> Iterator[Fired]:
    """Yield the strategies that fire without reasons, which is faster."""
    say = position.abilities.phrasing
    for move, strategy in position.abilities.fired_strategies(Stop()):
        yield Fired(strategy, "strategy", position.turn, say.moves([move]))


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
    """Count the positions of games in which each rule fires, and keep examples.

    The game's weights play against themselves, after some random moves. Rules without a weight have
    no effect and are left out.

    >>> found = advisor.fires(advisor.load_game("connect4"), "win", games=4)
    >>> use = found.uses[0]
    >>> use.rule, use.kind, use.points > 0.9
    ('win', 'strategy', True)

    Args:
        game: with its weights.
        rule: a name, with its arguments or without them (``fork``, ``threat``, ``threat(good)``);
            None for all rules.
        games, plies, depth: number of games, random moves at the start of each, look-ahead of both
            players.
        seed: of all random choices.
        stop: ends the work with the games that are finished.
        on_game: called with the number of finished games.

    Raises:
        InputError: there is no such rule, or the game has none.
        ConfigError, EncodingError: its weights or encodings cannot be used.
    """
    arguments.game(game)
    many, stop = arguments.games(games), arguments.stop(stop)
    plies = arguments.whole("plies", plies, 0, MAX_DEPTH)
    depth, seed = arguments.whole("depth", depth, 0, MAX_DEPTH), arguments.seed(seed)
    uses = _uses(game, rule)
    positions = finished = 0
    for number in range(many):
        *met, end = _play(game, plies, depth, Random(f"{seed} {number}"), stop)
        if not end.over:
            break
        for position in met:
            _count(uses, position, end.winner)
        positions += len(met)
        finished = number + 1
        if on_game is not None:
            on_game(finished)
    ordered = sorted(uses.values(), key=lambda use: (-use.positions, use.rule))
    return Fires(finished, positions, tuple(ordered))


def _play(game: Game, plies: int, depth: int, rng: Random, stop: Stop) -> list[Position]:
    """Return the positions of a game; the last one is its end, unless it was stopped before."""
    met = [game.position()]
    while not (position := met[-1]).over and not stop.is_set():
        if len(met) <= plies:
            met.append(position.play(rng.choice(position.moves)))
        else:
            chosen = choose(position.abilities, Limit(depth), stop, followed=False).line[0]
            met.append(position.after(chosen))
    return met


def _uses(game: Game, rule: str | None) -> dict[tuple[str, str], Use]:
    """Return the requested rules, by their kinds and names."""
    weights = game.settings.weights
    uses = {
        (kind, render(name)): Use(render(name), cast(Any, kind), weight)
        for program, kind in KINDS.items()
        for name, weight in weights[program].items()
        if weight and rule in (None, *_names(name))
    }
    if not uses:
        names = {each for named in weights.values() for term in named for each in _names(term)}
        if not names:
            raise InputError(f"{game.name} has no rules with weights")
        guess = nearest(rule or "", sorted(names))
        raise InputError(f"no rule {quote_text(rule or '')} (did you mean {quote_text(guess)}?)")
    return uses


def _names(rule: Term) -> tuple[str, str]:
    """Return a rule's name with its arguments and without them."""
    return render(rule), rule[0] if isinstance(rule, tuple) else rule


def _count(uses: Mapping[tuple[str, str], Use], position: Position, winner: str | None) -> None:
    """Count the firings in a position of a game that this player has won."""
    kinds = {kind for kind, _ in uses}
    found = [*_fired_strategies(position)] if "strategy" in kinds else []
    found += _features(position) if "feature" in kinds else ()
    held = set[tuple[str, str, str]]()
    for fired in sorted(found):  # without this order, examples would differ from run to run
        use = uses.get((fired.kind, fired.rule))
        if use is None:
            continue
        use.times += 1
        key = fired.kind, fired.rule, fired.player
        if key in held:
            continue
        held.add(key)
        use.positions += 1
        use.won += 0.5 if winner is None else float(winner == fired.player)
        if len(use.examples) < EXAMPLES:
            use.examples.append(FiringExample(position, fired.player, fired.where))
