"""An advice on a position: its moves, the value of each, the reasons. Independent of the game.

Moves and places are terms, as the game uses them (a column of Connect Four is a number, which is a
term, too). The game's `Phrasing` names them in sentences and in JSON.
"""

from dataclasses import dataclass, field
from typing import Any

from advisor import registry
from advisor.errors import InputError
from advisor.games.abilities import Abilities, Firing
from advisor.games.bounds import Bounds, Solved, proved_best
from advisor.games.marks import Marks
from advisor.games.phrasing import Json, Phrasing, Planned, percent, worth
from advisor.games.score import Score
from advisor.settings import chances
from aspcircuits.clingo_api import Term
from aspcircuits.texts import shorten_text

FEW_GAMES = 200
"""With fewer random games than this, their mean may be off by several percent and is not shown."""

_LINES = 5
"""Most lines of a forced win that are drawn; more would only cover the board."""

_SHARES = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""Shares of the points that results give."""


@dataclass(frozen=True, slots=True)
class Held:
    """A feature that a player has at the end of a line.

    Attributes:
        feature: its name, such as ``half(first,now,3)``.
        player: its owner, 0 for the player who begins a game.
        where: distinguishes it from others of the same name, such as ``square(3,4)``.
        weight: its contribution for the player whose move is traced; negative if it counts against.
    """

    feature: str
    player: int
    where: Term
    weight: int

    def to_json(self, phrasing: Phrasing) -> Json:
        """Return the feature as the ``--json`` outputs give it."""
        return {
            "feature": self.feature,
            "player": phrasing.players[self.player],
            **phrasing.where_json(self.where),
            "weight": self.weight,
        }


@dataclass(frozen=True, slots=True)
class Trace:
    """The look-ahead's view of a move.

    Attributes:
        line: the principal variation, from the move itself to the position that is evaluated.
        features: all that count there, largest weight first.
        drawn: the position there counts as a draw, so no feature counts.
        added: number of noisy moves at the end of the line, beyond the depth of the search.
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
        """Return the trace as the ``--json`` outputs give it."""
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
        line: the move and the play after it.
        share: the share of the move's random games that followed the whole line; None for an
            engine's line.
    """

    line: tuple[Term, ...]
    share: float | None = None

    def to_json(self, phrasing: Phrasing) -> Json:
        """Return the play as the ``--json`` outputs give it."""
        share = {} if self.share is None else {"share": round(self.share, 4)}
        return {"line": [*map(phrasing.code, self.line)], **share}


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move and its evaluation, for the side to move.

    >>> move = advisor.suggest(advisor.position("443355"), depth=2).move(2)
    >>> move.score.kind, move.fires[0].strategy
    ('win', 'win')

    Attributes:
        score: the move's value; a heuristic one comes from the look-ahead or, without one, from the
            strategies.
        fires: the strategies that fire for it and count, largest weight first.
        ahead: the look-ahead's value of the end of the line, in weight units; None for a forced
            result or without a look-ahead.
        trace: the origin of `ahead`; None unless it was requested and `ahead` counted: in a
            heuristic score, or to choose among moves proved to have the same result.
        playouts, mean: number of random games after the move and their mean result, from -1 to 1;
            the mean is None without games.
        expected: the play after the move in a tree of random games, or by an engine; None without
            either.
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
        """The strategies' value: the sum of the weights that fired."""
        return sum(firing.weight for firing in self.fires)

    @property
    def value(self) -> int | None:
        """The value that decides among moves of which nothing is certain.

        It is the sum of the look-ahead and the strategies, whatever is proved of the move.
        """
        return self.score.value if self.ahead is None else self.ahead + self.total

    def to_json(self, phrasing: Phrasing) -> Json:
        """Return the move as the ``--json`` outputs give it."""
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
    """Exact scores of the moves, or their bounds.

    >>> found = advisor.certain(advisor.position("33", size=(5, 4)))
    >>> found.proved, found.bounds[2].score
    (True, -1)
    """

    game: Abilities = field(repr=False, compare=False)
    known: Solved

    @property
    def bounds(self) -> dict[Any, Bounds]:
        """Bounds of every move of which something is known, by the name that `play` takes."""
        played, known = self.game.phrasing.play_name, self.known.moves or {}
        return {played(m): known[m] for m in self.game.legal().values() if m in known}

    @property
    def proved(self) -> bool:
        """Whether every move's exact score is proved."""
        return all(bounds.score is not None for bounds in self.bounds.values())

    def to_json(self) -> dict[str, Any]:
        """Return the answer of ``/api/exact``."""
        game, say, known = self.game, self.game.phrasing, self.known.moves or {}
        in_order = [move for move in game.legal().values() if move in known]

        def certain_json(move: Term) -> Json:
            bounds, score = known[move], game.proved_score(known[move])
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
            "best": [say.code(move) for move in in_order if move in proved_best(known)],
            "moves": [*map(certain_json, in_order)],
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """The advisor's answer on a position.

    >>> advisor.suggest(advisor.position("443355"), depth=2)
    <Advice connect4 443355: column 2 or 6, win 1>

    Attributes:
        chosen: the best moves; none if the game is over.
        score: of the best moves, or of a finished game for the player whose turn it would be.
        moves: every legal move, in Connect Four by column, in other games best first; if the
            solution or an engine replaced the look-ahead, only the moves that it scores.
        variation: the expected line of play, from the first best move on.
        depth: plies looked ahead.
        nodes, leaves, seconds: the effort.
        machine_code: machine code did the work, not NumPy; at least in the end, if it was compiled
            meanwhile.
        interrupted: the search was stopped before its limits ended it.
        from_book: an opening book has the result of every move.
        solved: the move of the board's solution, which wins or holds; None if it has none. It is
            among the best moves unless another is known to be better.
        elsewhere: the preset of the weights in use, if the requested ones were learned on another
            board.
        deeper: plies that the game added here to the requested depth.
        added: states scored beyond that depth, after noisy moves.
        untried: moves after which no random game was played, for lack of time.
        selective: the look-ahead left out moves that seemed hopeless.
        certain: results of a search to the end of the game; None without one.
        engine: the name of the program that values, lines and depth come from; empty for the
            advisor's own.
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
        """The position that the advice is about."""
        return self.game.position

    def __repr__(self) -> str:
        position = self.position
        begun = position.moves_line if position.from_start else position.text
        what = f"{position.game.name} {' '.join(begun.split())}"
        told = position.status
        if self.chosen:
            told = f"{self.phrasing.moves(self.chosen, 'or')}, {self.worth(self.first)}"
        return f"<Advice {shorten_text(what.strip())}: {told}>"

    def _repr_html_(self) -> str:  # for notebooks
        return str(registry.load("advisor.views.notebook:advice")(self))

    @property
    def marks(self) -> Marks | None:
        """The marks of a picture: suggested moves, values, a plan, lines of a forced win.

        None if the game is over.
        """
        if not self.chosen:
            return None
        say, score = self.phrasing, self.first.score
        lines = say.lines(self.chosen[0], score) if score.kind == "win" else ()
        values = {move.move: worth(say, move.move, move.score) for move in self.moves}
        numbers = self.solved.numbers if self.solved else {}
        return Marks(self.chosen, values, lines if len(lines) <= _LINES else (), numbers)

    @property
    def phrasing(self) -> Phrasing:
        """The wording of the advice."""
        return self.game.phrasing

    @property
    def best(self) -> tuple[Any, ...]:
        """The best moves, as the library's `play` takes them; none if the game is over."""
        return tuple(map(self.phrasing.play_name, self.chosen))

    @property
    def scores(self) -> dict[Any, Score]:
        """The value of every legal move, by the same names."""
        return {self.phrasing.play_name(move.move): move.score for move in self.moves}

    @property
    def first(self) -> Move:
        """The best move that is named first; there is none if the game is over."""
        return self.move(self.chosen[0])

    @property
    def chance(self) -> float | None:
        """The share of the points that the side to move can expect, from 0 to 1.

        None unless the result is known or the guess rests on enough (`advisor.settings.chances`).
        """
        if self.score.outcome:
            return _SHARES[self.score.outcome]
        first, game = self.first, self.phrasing.game
        if first.mean is not None:
            return chances.of_games(game, first.mean, first.playouts)
        if first.ahead is None or first.score.value is None:
            return None
        return chances.of_value(game, first.ahead, self.depth)

    def is_unsure(self, move: Move) -> bool:
        """Return whether a move is a guess from random games too few to compare it with the best.

        These are fewer than `FEW_GAMES`, fewer than a third of the best move's games, or fewer with
        a better mean, which is luck so far. The tree itself relies on how often it has tried a
        move.
        """
        if self.engine or move.score.kind != "heuristic" or move.score.value is not None:
            return False
        if move.mean is None or move.playouts < FEW_GAMES or move.move in self.chosen:
            return move.playouts < FEW_GAMES
        best = self.first
        lucky = best.mean is not None and move.mean > best.mean
        return lucky or 3 * move.playouts < best.playouts

    def worth(self, move: Move) -> str:
        """Return the value of a move of this advice, in a few characters."""
        if move.score.kind != "heuristic" or move.score.value is not None:
            return worth(self.phrasing, move.move, move.score).short
        return "not known" if move.mean is None else f"{percent(move.mean)} of random games"

    def move_json(self, move: Move) -> Json:
        """Return a move of this advice as the ``--json`` outputs give it."""
        found = move.to_json(self.phrasing)
        if self.is_unsure(move):
            found["score"]["unsure"] = True
        return found

    @property
    def better(self) -> tuple[Term, ...]:
        """The best moves, if the solution's is known not to be one of them."""
        outdone = self.solved is not None and self.solved.move not in self.chosen
        return self.chosen if outdone else ()

    def move(self, name: Any) -> Move:
        """Return the advice on one legal move, by its term or a name that `play` takes.

        >>> advice = advisor.suggest(advisor.position("a1 b2 a2 c3", game="tictactoe"), depth=1)
        >>> advice.move("a3").score.kind
        'win'

        Raises:
            InputError: there is no such move, or nothing is known of it.
        """
        terms = [each.move for each in self.moves]
        term = name if name in terms else self.phrasing.find_move(name)
        if term in terms:
            return self.moves[terms.index(term)]
        why = "the advice did not look ahead"
        if self.engine:
            count = len(self.moves)
            why = f"{self.engine} tells of its best {count}; its option MultiPV gives more"
        raise InputError(f"nothing is known of {self.phrasing.moves([term])} ({why})")

    def to_json(self) -> Json:
        """Return the advice as ``suggest --json`` gives it."""
        write, kind = self.phrasing, self.score.kind
        winner = None if kind == "draw" else write.players[write.turn ^ (kind == "loss")]
        return {
            "game": write.game,
            "turn": write.players[write.turn],
            "best": [write.code(move) for move in self.chosen],
            "best_names": [str(write.play_name(move)) for move in self.chosen],
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
    """Raise an InputError if a question is not about an advice."""
    if not isinstance(given, Advice):
        raise InputError(f"{given!r} is not an advice (advisor.suggest gives one)")
