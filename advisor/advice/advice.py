"""What is said of a position: the moves, what each is worth, what speaks for it. Knows no game.

Moves and places are terms, as the game has them (a column of Connect Four is a number, which is one
too). What they are called, in sentences and in JSON, its `Phrasing` says.
"""

from dataclasses import dataclass, field
from typing import Any

from advisor import registry
from advisor.errors import InputError
from advisor.games.abilities import Abilities, Firing
from advisor.games.bounds import Bounds, Solved, settled
from advisor.games.marks import Marks
from advisor.games.phrasing import Json, Phrasing, Planned, percent, worth
from advisor.games.score import Score
from advisor.settings import chances
from aspcircuits.clingo_api import Term
from aspcircuits.texts import shortened

FEW_GAMES = 200
"""Random games below which their mean may be wrong by more than some percent, so that it is not
told."""

_LINES = 5
"""Lines of a forced win that are drawn; more would only cover the board."""

_SHARES = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""Of the points that a result gives."""


@dataclass(frozen=True, slots=True)
class Held:
    """A feature that a player has at the end of a line.

    Attributes:
        feature: its name, as ``half(first,now,3)``.
        player: whose it is, 0 for the one who begins a game.
        where: tells it from others of the same name, as ``square(3,4)``.
        weight: what it counts for the player whose move is traced; negative if it counts against.
    """

    feature: str
    player: int
    where: Term
    weight: int

    def to_json(self, phrasing: Phrasing) -> Json:
        """The feature as the ``--json`` outputs give it."""
        return {
            "feature": self.feature,
            "player": phrasing.players[self.player],
            **phrasing.where_json(self.where),
            "weight": self.weight,
        }


@dataclass(frozen=True, slots=True)
class Trace:
    """What the look-ahead sees of a move.

    Attributes:
        line: the principal variation, from the move itself on, to where the value is taken from.
        features: all that count there, weightiest first.
        drawn: it counts as a draw there, so that no feature does.
        added: how many of the line's last moves are noisy ones, beyond the depth of the search.
    """

    line: tuple[Term, ...]
    features: tuple[Held, ...]
    drawn: bool = False
    added: int = 0

    @property
    def value(self) -> int:
        """The value that the look-ahead gave the move, in weight units."""
        return sum(held.weight for held in self.features)

    def to_json(self, phrasing: Phrasing) -> Json:
        """The trace as the ``--json`` outputs give it."""
        return {
            "line": [phrasing.code(move) for move in self.line],
            **({"added": self.added} if self.added else {}),
            "value": self.value,
            "drawn": self.drawn,
            "features": [held.to_json(phrasing) for held in self.features],
        }


@dataclass(frozen=True, slots=True)
class Expected:
    """The play that a tree of random games, or an engine, expects after a move.

    Attributes:
        share: the part of the move's random games that went along all of its line; None of an
            engine's line.
    """

    line: tuple[Term, ...]
    share: float | None = None

    def to_json(self, phrasing: Phrasing) -> Json:
        """As the ``--json`` outputs give it."""
        share = {} if self.share is None else {"share": round(self.share, 4)}
        return {"line": [*map(phrasing.code, self.line)], **share}


@dataclass(frozen=True, slots=True)
class Move:
    """One legal move and what is known of it, for the side to move.

    >>> move = advisor.suggest(advisor.position("443355"), depth=2).move(2)
    >>> move.score.kind, move.fires[0].strategy
    ('win', 'win')

    Attributes:
        score: what it is worth; a heuristic one is the value of the look-ahead, or where nobody
            has looked ahead, of the strategies.
        fires: the strategies that fired for it and count, weightiest first.
        ahead: what the look-ahead sees at the end of the line of play, in weight units; None if
            it sees a forced result, or where none was made.
        trace: where `ahead` comes from; None unless that was asked for and `ahead` counted: in a
            heuristic score, or to choose among several moves that are proved to end alike.
        playouts, mean: random games after the move and their mean result, from -1 to 1; None where
            there were none.
        expected: what follows the move in a tree of them, or by an engine; None where there was
            neither.
    """

    move: Term
    score: Score
    fires: tuple[Firing, ...] = ()
    ahead: int | None = None
    trace: Trace | None = field(default=None, repr=False)
    playouts: int = 0
    mean: float | None = None
    expected: Expected | None = None

    @property
    def total(self) -> int:
        """What the strategies say: the sum of the weights that fired."""
        return sum(firing.weight for firing in self.fires)

    @property
    def value(self) -> int | None:
        """What chooses among moves of which nothing is certain: what the look-ahead and the
        strategies say together, whatever is proved of the move."""
        return self.score.value if self.ahead is None else self.ahead + self.total

    def to_json(self, phrasing: Phrasing) -> Json:
        """The move as the ``--json`` outputs give it."""
        score = self.score.to_json()
        if self.mean is not None:
            score |= {"playouts": self.playouts, "mean": round(self.mean, 4)}
        return {
            **phrasing.move_json(self.move),
            "score": score,
            **({} if self.ahead is None else {"ahead": self.ahead}),
            "fires": [firing.to_json(phrasing) for firing in self.fires],
            **({"expected": self.expected.to_json(phrasing)} if self.expected else {}),
            **({"trace": self.trace.to_json(phrasing)} if self.trace else {}),
        }


@dataclass(frozen=True, slots=True)
class Certain:
    """Exact scores of the moves, or what bounds them.

    >>> found = advisor.certain(advisor.position("33", size=(5, 4)))
    >>> found.proved, found.bounds[2].score
    (True, -1)
    """

    game: Abilities = field(repr=False, compare=False)
    known: Solved

    @property
    def bounds(self) -> dict[Any, Bounds]:
        """Of every move that something is known of, as `play` of the library takes it."""
        played, known = self.game.phrasing.played, self.known.moves or {}
        return {played(m): known[m] for m in self.game.legal().values() if m in known}

    @property
    def proved(self) -> bool:
        """Whether that is every move's exact score."""
        return all(bounds.score is not None for bounds in self.bounds.values())

    def to_json(self) -> dict[str, Any]:
        """The answer of ``/api/exact``."""
        game, say, known = self.game, self.game.phrasing, self.known.moves or {}
        in_order = [move for move in game.legal().values() if move in known]

        def told(move: Term) -> Json:
            bounds, score = known[move], game.forced(known[move])
            return {
                say.noun: say.code(move),
                "points": bounds.score if game.in_points else None,
                "bounds": [bounds.lower, bounds.upper],
                "kind": bounds.outcome,
                "moves": score.moves if score else None,
                "outcome": say.outcome(score) if score else "",
            }

        return {
            "proved": self.proved,
            "best": [say.code(move) for move in in_order if move in settled(known)],
            "moves": [*map(told, in_order)],
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """What the advisor says of a position.

    >>> advisor.suggest(advisor.position("443355"), depth=2)
    <Advice connect4 443355: column 2 or 6, win 1>

    Attributes:
        chosen: the best moves; none if the game is over.
        score: of the best moves, or of the finished game for the player whose turn it would be.
        moves: every legal move, of Connect Four by column, of other games the best first; where
            nobody has looked ahead but asked the solution or an engine instead, those of which
            something is known.
        variation: the line of play expected, from the first best move on.
        depth: plies looked ahead.
        nodes, leaves, seconds: what it took.
        machine_code: machine code did the work, not NumPy; in the end, if it came meanwhile.
        interrupted: somebody ended the search before its limits did.
        from_book: an opening book knows what every move leads to.
        solved: what the solution of the board plays, which wins or holds; None where it says
            nothing. It is among the best moves unless another is known to be better.
        elsewhere: the preset that the weights are of, where those that were asked for were
            learned on another board.
        deeper: how many of the plies are more than were asked for, as the game wants it here.
        added: states that were scored beyond that depth, after noisy moves.
        untried: moves after which no random game was played, since there was no time for all.
        selective: the look-ahead left out what seemed hopeless.
        certain: what a search to the end of the game proves of the moves; None without one.
        engine: the name of the program whose values, lines and depth these are; empty where they
            are our own.
    """

    game: Abilities = field(repr=False, compare=False)
    chosen: tuple[Term, ...]
    score: Score
    moves: tuple[Move, ...] = ()
    variation: tuple[Term, ...] = ()
    depth: int = 0
    nodes: int = 0
    leaves: int = 0
    seconds: float = 0.0
    machine_code: bool = False
    interrupted: bool = False
    from_book: bool = False
    solved: Planned | None = None
    elsewhere: str | None = None
    deeper: int = 0
    added: int = 0
    untried: int = 0
    selective: bool = False
    certain: Certain | None = field(default=None, repr=False, compare=False)
    engine: str = ""

    @property
    def position(self) -> Any:
        """The position."""
        return self.game.position

    def __repr__(self) -> str:
        position = self.position
        begun = position.moves_line if position.from_start else position.text
        what = f"{position.game.name} {' '.join(begun.split())}"
        told = position.status
        if self.chosen:
            told = f"{self.phrasing.moves(self.chosen, 'or')}, {self.worth(self.first)}"
        return f"<Advice {shortened(what.strip())}: {told}>"

    def _repr_html_(self) -> str:  # what notebooks show
        return str(registry.load("advisor.views.notebook:advice")(self))

    @property
    def marks(self) -> Marks | None:
        """What a picture may show: the suggested moves, what each move is worth, a plan, lines of a
        forced win; None if the game is over."""
        if not self.chosen:
            return None
        say, score = self.phrasing, self.first.score
        lines = say.lines(self.chosen[0], score) if score.kind == "win" else ()
        values = {move.move: worth(say, move.move, move.score) for move in self.moves}
        numbers = self.solved.numbers if self.solved else {}
        return Marks(self.chosen, values, lines if len(lines) <= _LINES else (), numbers)

    @property
    def phrasing(self) -> Phrasing:
        """How all this is written."""
        return self.game.phrasing

    @property
    def best(self) -> tuple[Any, ...]:
        """The best moves, as `play` of the library takes them; none if the game is over."""
        return tuple(map(self.phrasing.played, self.chosen))

    @property
    def scores(self) -> dict[Any, Score]:
        """What every legal move is worth, by the same names."""
        return {self.phrasing.played(move.move): move.score for move in self.moves}

    @property
    def first(self) -> Move:
        """The best move that is chosen first; there is none if the game is over."""
        return self.move(self.chosen[0])

    @property
    def chance(self) -> float | None:
        """The share of the points that the side to move can expect, from 0 to 1, if the result is
        known or the guess rests on enough (`advisor.settings.chances`); None otherwise."""
        if self.score.outcome:
            return _SHARES[self.score.outcome]
        first, game = self.first, self.phrasing.game
        if first.mean is not None:
            return chances.of_games(game, first.mean, first.playouts)
        if first.ahead is None or first.score.value is None:
            return None
        return chances.of_value(game, first.ahead, self.depth)

    def is_unsure(self, move: Move) -> bool:
        """Whether a move is a guess from random games whose mean says nothing beside the best
        move's: too few games, fewer than a third of the best move's, or a better mean from fewer
        games, which is luck so far. The tree itself relies on how often it has tried a move."""
        if self.engine or move.score.kind != "heuristic" or move.score.value is not None:
            return False
        if move.mean is None or move.playouts < FEW_GAMES or move.move in self.chosen:
            return move.playouts < FEW_GAMES
        best = self.first
        lucky = best.mean is not None and move.mean > best.mean
        return lucky or 3 * move.playouts < best.playouts

    def worth(self, move: Move) -> str:
        """What a move of this advice is worth, in a few characters."""
        if move.score.kind != "heuristic" or move.score.value is not None:
            return worth(self.phrasing, move.move, move.score).short
        return "not known" if move.mean is None else f"{percent(move.mean)} of random games"

    def move_json(self, move: Move) -> Json:
        """A move of this advice as the ``--json`` outputs give it."""
        found = move.to_json(self.phrasing)
        if self.is_unsure(move):
            found["score"]["unsure"] = True
        return found

    @property
    def better(self) -> tuple[Term, ...]:
        """The best moves, where the solution's is known not to be one of them."""
        outdone = self.solved is not None and self.solved.move not in self.chosen
        return self.chosen if outdone else ()

    def move(self, name: Any) -> Move:
        """The advice on one legal move, by its term or a name that `play` of the library takes.

        >>> advice = advisor.suggest(advisor.position("a1 b2 a2 c3", game="tictactoe"), depth=1)
        >>> advice.move("a3").score.kind
        'win'

        Raises:
            InputError: there is no such move, or nothing is known of it.
        """
        terms = [each.move for each in self.moves]
        term = name if name in terms else self.phrasing.meant(name)
        if term in terms:
            return self.moves[terms.index(term)]
        why = "the advice did not look ahead"
        if self.engine:
            count = len(self.moves)
            why = f"{self.engine} tells of its best {count}; its option MultiPV gives more"
        raise InputError(f"nothing is known of {self.phrasing.moves([term])} ({why})")

    def to_json(self) -> Json:
        """The advice as ``suggest --json`` gives it."""
        write, kind = self.phrasing, self.score.kind
        winner = None if kind == "draw" else write.players[write.turn ^ (kind == "loss")]
        return {
            "game": write.game,
            "turn": write.players[write.turn],
            "best": [write.code(move) for move in self.chosen],
            "best_names": [str(write.played(move)) for move in self.chosen],
            "score": self.score.to_json(),
            **({} if self.chance is None else {"chance": round(self.chance, 3)}),
            **({} if self.chosen else {"winner": winner}),
            **({"engine": self.engine} if self.engine else {}),
            "depth": self.depth,
            **({"selective": True} if self.selective else {}),
            **({"deeper": self.deeper} if self.deeper else {}),
            "nodes": self.nodes,
            "leaves": self.leaves,
            **({"added": self.added} if self.added else {}),
            **({"untried": self.untried} if self.untried else {}),
            "seconds": round(self.seconds, 4),
            "machine_code": self.machine_code,
            **({"interrupted": True} if self.interrupted else {}),
            "pv": [write.code(move) for move in self.variation],
            **({"book": True} if self.from_book else {}),
            "plan": self.solved.to_json(self.better) if self.solved else None,
            **({"weights": self.elsewhere} if self.elsewhere else {}),
            "moves": [*map(self.move_json, self.moves)],
            **({"exact": self.certain.to_json()} if self.certain else {}),
        }


def check_advice(given: object) -> None:
    """That a question is about an advice, not about a position."""
    if not isinstance(given, Advice):
        raise InputError(f"{given!r} is not an advice (advisor.suggest gives one)")
