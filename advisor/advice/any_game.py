"""Advice for any game that is given by its rules.

A look-ahead finds what is certain; what it leaves open is decided by the game's features and
strategies, if it has weights for any, and where it has no features by random games: in a tree
where there is compiled code for that or their number is given, otherwise after each of its moves.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from advisor.advice.game_line import Trace, own_moves, seen, trace
from advisor.advice.score import Score
from advisor.asp.clingo_api import Term, render
from advisor.engine.playouts import try_moves
from advisor.engine.row_search import RowEvaluator
from advisor.engine.search import FORCED, WIN, search
from advisor.engine.uct import Branch, Search, think
from advisor.errors import InputError
from advisor.games.playing import Playing
from advisor.limits import Limit, Stop

DEFAULT = Limit(seconds=1.0)
"""How long a move may take, unless told otherwise."""

_PLAYOUTS, _EACH = 1024, 32
"""Random games where a depth is given, and how many more for each move."""

_LOOKING, _BEFORE_TREES = 0.3, 0.1
"""The look-ahead's part of the time, before random games and before a tree of them."""

_LONG = 1.0
"""Seconds that a tree may take NumPy where no time is given."""


@dataclass(frozen=True, slots=True)
class Firing:
    """A strategy that speaks for a move or, with a negative weight, against it.

    Attributes:
        strategy: its name, as ``centre(1)``.
        weight: from the game's weights.
        reasons: what made it fire, as the rules say it.
    """

    strategy: str
    weight: int
    reasons: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The firing as the ``--json`` outputs give it."""
        reasons = list(self.reasons)
        return {"strategy": self.strategy, "weight": self.weight, "reasons": reasons}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a tree of random games expects after a move.

    Attributes:
        line: the play, from the move itself on.
        share: the part of the move's games that went along all of it.
    """

    line: tuple[Term, ...]
    share: float

    def to_json(self, code: Callable[[Term], str]) -> dict[str, Any]:
        """As the ``--json`` outputs give it; `code` names moves."""
        return {"line": [code(move) for move in self.line], "share": round(self.share, 4)}


@dataclass(frozen=True, slots=True)
class Chance:
    """A legal move and what is known of it, for the side to move.

    Attributes:
        move: the move.
        kind: "win", "loss" and "draw" are certain, "heuristic" is not.
        plies: until a win or loss.
        moves: of the winner until then.
        within: both are what it takes at most: a tree of random games has shown the result, not
            the look-ahead.
        value: in weight units, `ahead` and the weights of what fires; None where the game has none.
        ahead: what the look-ahead sees; None where there was none, or if it sees a result.
        fires: the strategies that speak for the move, weightiest first.
        trace: where `ahead` comes from, if it was asked for.
        playouts, mean: random games after the move and their mean result, from -1 to 1; None
            where there was no time for any.
        expected: what follows the move in a tree of them; None where there was none.
    """

    move: Term
    kind: str
    plies: int | None = None
    moves: int | None = None
    value: int | None = None
    ahead: int | None = None
    fires: tuple[Firing, ...] = ()
    trace: Trace | None = field(default=None, repr=False)
    playouts: int = 0
    mean: float | None = None
    within: bool = False
    expected: Expected | None = None

    @property
    def total(self) -> int:
        """What the strategies say."""
        return sum(firing.weight for firing in self.fires)

    @property
    def score(self) -> Score:
        """What the move is worth, but for random games."""
        return Score(self.kind, self.moves, self.value)

    @property
    def rank(self) -> tuple[int, int, int]:
        """The better move has the greater one; random games are not part of it."""
        if self.kind == "win":
            return 2, -(self.plies or 0), self.total
        if self.kind == "loss":
            return 0, self.plies or 0, self.total
        return 1, self.value or 0, self.total

    def to_json(self, code: Callable[[Term], str]) -> dict[str, Any]:
        """As the ``--json`` outputs give it; `code` names moves."""
        score: dict[str, Any] = {"kind": self.kind}
        if self.plies is not None:
            score |= {"in": self.moves, "plies": self.plies}
        if self.within:
            score["within"] = True
        if self.value is not None:
            score["value"] = self.value
        if self.mean is not None:
            score |= {"playouts": self.playouts, "mean": round(self.mean, 4)}
        return {
            "move": code(self.move),
            "score": score,
            **({} if self.ahead is None else {"ahead": self.ahead}),
            **({"fires": [firing.to_json() for firing in self.fires]} if self.fires else {}),
            **({"expected": self.expected.to_json(code)} if self.expected else {}),
            **({"trace": self.trace.to_json(code)} if self.trace else {}),
        }


@dataclass(frozen=True, slots=True)
class GameAdvice:
    """What to play.

    Attributes:
        state: what it is about.
        moves: all legal ones, the best first; none if the game is over.
        depth: plies that were looked ahead.
        seconds: what it took.
        machine_code: what chose, look-ahead or random games, was machine code in the end.
        deeper: how many of the plies are more than were asked for, as the game wants it here.
        added: states that were scored beyond that depth, after noisy moves.
        untried: moves after which no random game was played, since there was no time for all.
    """

    state: Playing
    moves: tuple[Chance, ...]
    depth: int
    seconds: float
    machine_code: bool = False
    deeper: int = 0
    added: int = 0
    untried: int = 0

    @property
    def best(self) -> tuple[str, ...]:
        """The best move as people write it; none if the game is over."""
        return tuple(self.state.names[chance.move] for chance in self.moves[:1])

    @property
    def score(self) -> Score:
        """Of the best move or, for the player whose turn it would be, of the finished game."""
        if self.moves:
            return self.moves[0].score
        winner = self.state.winner
        if winner is None:
            return Score("draw")
        return Score("win" if winner == self.state.turn else "loss", moves=0)

    @property
    def scores(self) -> dict[str, Score]:
        """What every legal move is worth, by its name, the best first."""
        return {self.state.names[chance.move]: chance.score for chance in self.moves}

    def to_json(self) -> dict[str, Any]:
        """As the ``--json`` outputs give it."""
        code = self.state.notation.code
        return {
            "game": self.state.game.rules.name,
            "turn": self.state.player,
            "best": [code(chance.move) for chance in self.moves[:1]],
            "best_names": list(self.best),
            "moves": [
                {**chance.to_json(code), "name": self.state.names[chance.move]}
                for chance in self.moves
            ],
            "depth": self.depth,
            **({"deeper": self.deeper} if self.deeper else {}),
            **({"added": self.added} if self.added else {}),
            **({"untried": self.untried} if self.untried else {}),
            "seconds": round(self.seconds, 3),
            "machine_code": self.machine_code,
        }


def advise(
    playing: Playing,
    limit: Limit,
    rng: np.random.Generator,
    stop: Stop | None = None,
    traced: bool = False,
    jobs: int = 1,
    asked: Term | None = None,
    go_on: bool = False,
) -> GameAdvice:
    """What to play in a state; of a finished game there is nothing to say.

    Args:
        playing: the state.
        limit: of depth and time; `DEFAULT` if it has none. A depth of 0 asks the strategies alone;
            any other one is a few plies more where the game says ``deeper/1``. Random games go on
            as long as there is time; where a depth is given, it is a fixed number of them that
            time may cut short.
        rng: what is random.
        stop: ends the thinking with what is known by then.
        traced: tell of each heuristic value where it comes from.
        jobs: threads, see `advisor.engine.search.search`; they share a tree of random games, which
            is another one each time, too.
        asked: a move to be looked at as much as the best one.
        go_on: a tree of random games keeps what earlier questions about the game have put there.

    Raises:
        InputError: a depth of 0 in a game without strategies.
    """
    started = time.monotonic()
    if playing.over:
        return GameAdvice(playing, (), 0, 0.0)
    if limit == Limit():
        limit = DEFAULT
    stop = (stop or Stop()).within(limit.seconds)
    game = playing.game
    fires = firings(playing)
    totals = {move: sum(f.weight for f in found) for move, found in fires.items()}
    if limit.depth == 0:
        if not game.strategies:
            raise InputError("--depth 0 asks strategies, and this game has none (use 1 or more)")
        found_ = [Chance(m, "heuristic", value=totals[m], fires=fires[m]) for m in playing.legal]
        ranked = sorted(found_, key=lambda chance: -chance.total)
        return GameAdvice(playing, tuple(ranked), 0, time.monotonic() - started)
    position = playing.position
    names = {move: playing.name(move) for move in position.moves()}
    looking, grower = stop, None
    if not game.weights:
        grower = game.tree.grower(_LONG if limit.seconds is None else limit.seconds)
        if limit.seconds is not None:
            looking = stop.within((_BEFORE_TREES if grower else _LOOKING) * limit.seconds)
    evaluator = RowEvaluator(game)
    deeper = 0 if limit.depth is None else game.deeper(playing.row)
    found = search(
        position,
        evaluator,
        depth=None if limit.depth is None else limit.depth + deeper,
        stop=looking,
        every_move=True,
        bonus={move: totals[name] for move, name in names.items()},
        follow=None if game.alternates and not traced else "all",
        jobs=jobs,
    )
    weighed = bool(game.weights or game.strategies)
    known = {}
    for move, score in found.scores.items():
        chance = _chance(names[move], score, found.exhaustive, fires[names[move]], weighed)
        if chance.plies is not None:
            own = (chance.plies + 1) // 2
            if not game.alternates:
                own = own_moves(game, position, found.lines[move], chance.kind == "win")
            chance = replace(chance, moves=own)
        elif traced and chance.ahead is not None:
            chance = replace(chance, trace=trace(game, position, found.lines[move]))
        known[move] = chance
    guessed = np.array([m for m, chance in known.items() if chance.kind == "heuristic"], np.intp)
    won = any(chance.kind == "win" for chance in known.values())
    untried, machine_code = 0, found.machine_code
    number = next((move for move in guessed.tolist() if names[move] == asked), None)
    # Beside a move that is asked about, one guess may be the only move that does not lose.
    undecided = not won and len(guessed) > (1 if asked is None else 0)
    if not game.weights and (undecided or number is not None):
        if grower or limit.depth is not None:
            machine_code = grower is not None
            rule = Search(
                seed=int(rng.integers(-(1 << 63), 1 << 63)),
                games=None if limit.depth is None else _PLAYOUTS + _EACH * len(known),
                stop=stop,
                asked=number,
                proves=game.rules.repetition is None,
                jobs=jobs,
            )
            certain = [(m, c.kind, c.plies or 0) for m, c in known.items() if c.kind != "heuristic"]
            for branch in think(game, grower, playing.row, playing.look, rule, certain, go_on):
                # Put in again, so that among equals the one with more games comes first.
                chance = known.pop(branch.move)
                known[branch.move] = _grown(chance, branch, playing, found.depth)
        else:
            tried = try_moves(game, playing.row, rng, moves=guessed, stop=stop, asked=number)
            machine_code = game.tree.player() is not None
            for move, count, mean in zip(tried.moves, tried.playouts, tried.means, strict=True):
                chance = known.pop(int(move))
                if count:
                    chance = replace(chance, playouts=int(count), mean=float(mean))
                known[int(move)] = chance
        untried = sum(known[move].mean is None for move in guessed.tolist())
    moves = sorted(known.values(), key=lambda chance: chance.rank, reverse=True)
    seconds = time.monotonic() - started
    deeper = 0 if limit.depth is None else max(0, found.depth - limit.depth)
    return GameAdvice(
        playing,
        tuple(moves),
        found.depth,
        seconds,
        machine_code,
        deeper,
        evaluator.added,
        untried,
    )


def _chance(
    move: Term, score: int, exhaustive: bool, fires: tuple[Firing, ...], weighed: bool
) -> Chance:
    if score >= FORCED:
        return Chance(move, "win", plies=WIN - score, fires=fires)
    if score <= -FORCED:
        return Chance(move, "loss", plies=WIN + score, fires=fires)
    if exhaustive:
        return Chance(move, "draw", fires=fires)
    if not weighed:
        return Chance(move, "heuristic")
    ahead = score - sum(firing.weight for firing in fires)
    return Chance(move, "heuristic", value=score, ahead=ahead, fires=fires)


def _grown(chance: Chance, branch: Branch, playing: Playing, depth: int) -> Chance:
    """A move with what a tree of random games says of it beside a look-ahead so deep."""
    if chance.kind == "heuristic" and branch.kind != "heuristic":
        game, moves = playing.game, None
        if branch.plies is not None:
            moves = (branch.plies + 1) // 2
            if not game.alternates:
                moves = own_moves(game, playing.position, branch.line, branch.kind == "win")
        chance = replace(
            chance,
            kind=branch.kind,
            plies=branch.plies,
            moves=moves,
            value=None,
            ahead=None,
            within=branch.plies is not None and branch.plies > depth + 1,
        )
    if not branch.games:
        return chance
    expected = Expected(seen(playing.game, playing.position, branch.line), branch.share)
    return replace(chance, playouts=branch.games, mean=branch.mean, expected=expected)


def firings(playing: Playing) -> Mapping[Term, tuple[Firing, ...]]:
    """The strategies that speak for each move; what has no weight of its own does not count."""
    game, exchanged = playing.game, playing.exchanged
    reasons: dict[Term, dict[Term, list[str]]] = defaultdict(lambda: defaultdict(list))
    for _, strategy, *said in game.says(playing.row) if game.strategies else ():
        move, *why = (game.rules.seen(term, exchanged) for term in said)
        reasons[move][strategy] += map(playing.notation.place, why)
    found: dict[Term, tuple[Firing, ...]] = dict.fromkeys(playing.legal, ())
    for move in found:
        firings = [
            Firing(render(strategy), game.strategies[strategy], tuple(sorted(set(why))))
            for strategy, why in reasons[move].items()
            if game.strategies[strategy]
        ]
        found[move] = tuple(sorted(firings, key=lambda f: (-abs(f.weight), f.strategy)))
    return found
