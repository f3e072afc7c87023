"""What a game can do and say for an advice that has its rules, a notation and nothing more."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import accumulate
from math import hypot, inf, log
from pathlib import Path
from typing import Any

import numpy as np

from advisor.engine.forced_wins import ForcedWins
from advisor.engine.nodes import played
from advisor.engine.recurrences import identity
from advisor.engine.retrograde import NARROW, certain_moves
from advisor.engine.row_search import RowEvaluator, RowPosition, settling
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.errors import EncodingError
from advisor.games import set_up
from advisor.games.abilities import Abilities, End, Firing, Scene
from advisor.games.bounds import Bounds, Solved
from advisor.games.events import FILE, Event, derive_events, reads_moves
from advisor.games.examples import sign
from advisor.games.knowledge import PLACEHOLDERS, home
from advisor.games.marks import Marks
from advisor.games.phrasing import Json, Phrasing
from advisor.games.rule_position import RulePosition
from advisor.games.score import Score
from advisor.games.wording import few
from advisor.limits import Limit
from advisor.settings import texts
from advisor.settings.texts import Texts
from aspcircuits import llvm
from aspcircuits.clingo_api import Term, render
from aspcircuits.stopping import Stop

_OPEN = Bounds(-WIN, WIN)

_NEAR_END, _STATES = 0.75, 1 << 18
"""The part of a look-ahead's time for retrograde analysis, and the states that it lists at most."""

_WORK = 100_000
"""Positions that a review looks at for a move, about, where a look-ahead leaves nothing out: it
looks at the square root of all."""

_DEEPEST = 20
_SELECTIVE_DEPTH = 5
"""Plies that a review looks ahead: at most, and where a look-ahead leaves something out."""


class ByNotation(Phrasing):
    """What a game says by its notation and the texts beside its rules."""

    noun = "move"

    def __init__(self, position: RulePosition) -> None:
        self._position = position
        self.game = position.rules.name
        self.players = position.rules.players
        self.turn = position.side

    @cached_property
    def texts(self) -> Texts:
        files = self._position.rules.files
        return texts.read(files, home(files).placeholders)

    def code(self, move: Term) -> str:
        return self._position.code_of(move)

    def told(self, line: Sequence[Term]) -> list[str]:
        return self._position.names_along(line)

    def played(self, move: Term) -> str:
        return self._position.names[move]

    def meant(self, name: Any) -> Term:
        return self._position.read_move(name, "")

    def encoded(self, move: Term) -> Term:
        return self._position.rules.seen(move, self._position.exchanged)

    def places(self, places: Sequence[Term]) -> list[str]:
        return [*map(self._position.place, places)]

    def outcome(self, score: Score) -> str:
        """See `RulePosition.outcome`; and whether it is proved."""
        if score.kind == "heuristic":
            return ""
        proved = " (proved)" if score.proved else ""
        if score.plies is None:
            return f"a {score.kind}{proved}"
        return self._position.outcome(score.kind, score.plies, score.within) + proved

    def leads(self, moves: Sequence[Term], score: Score) -> str:
        if score.kind == "win" and score.plies == 1 and len(moves) == 1:
            return self._position.won_by(self.played(moves[0]))
        return super().leads(moves, score)

    def won(self, score: Score) -> str:
        return self.outcome(score)

    def blocked(self, move: Term, better: Sequence[Term]) -> list[str]:
        """By the reply that would win, if there is but one.

        There has to be something to block: the reply would win after most other moves, too. And a
        better move that wins is no block.
        """
        position = self._position
        after = position.after(move)
        winning, kept = self._winning_replies(after), map(position.after, better)
        if not winning or any(
            each.winning_side == self.turn or self._winning_replies(each) for each in kept
        ):
            return []
        others = [position.after(each) for each in position.legal if each not in (move, *better)]
        met = Counter(reply for each in others for reply in self._winning_replies(each))
        threats = [after.names[reply] for reply in winning if 2 * met[reply] > len(others)]
        return [f"a block of {threats[0]}" if len(threats) == 1 else "a block"] if threats else []

    def _winning_replies(self, after: RulePosition) -> list[Term]:
        """By which the other side wins at once after a move of this one."""
        if after.over or after.side == self.turn:
            return []
        ends, _ = after.foreseen("")
        return [reply for reply in ends if after.after(reply).winning_side == after.side]

    def where_json(self, place: Term) -> Json:
        return {"where": self._position.place(place)}


class RuleAbilities(Abilities):
    """See `advisor.games.abilities.Abilities`; an exact score counts the plies to the end."""

    ranked = True
    in_points = False

    def __init__(self, position: RulePosition) -> None:
        self.position = position
        self.phrasing = ByNotation(position)
        self._game = game = position.circuits
        self.weights = game.weights
        self.strategic = bool(game.strategies)
        self.alternates, self.backfires = game.alternates, game.backfires
        # By the move that was asked about; by None where one grounding has those of all moves.
        self._events: dict[Term, Mapping[Term, Mapping[Term, Sequence[Term]]]] = {}
        # Where a player may move twice, moves of one's own are counted in lines.
        self.follow = None if game.alternates else "all"
        self.by_chance = position if game.search == "tree" else None

    @property
    def result(self) -> Score | None:
        state = self.position
        if not state.over:
            return None
        if state.winning_side is None:
            return Score("draw")
        return Score("win" if state.winning_side == state.side else "loss", 0)

    @cached_property
    def _root(self) -> RowPosition:
        return self.position.root

    def legal(self) -> Mapping[int, Term]:
        return self.position.by_number

    def root(self) -> RowPosition:
        return self._root

    @property
    def supposed(self) -> bool:
        return self._root.supposed

    def deeper(self) -> int:
        return self._game.deeper(self.position.row)

    def evaluator(self, stop: Stop) -> RowEvaluator:
        return RowEvaluator(self._game, selective=self._game.selective)

    def seen(self, value: int, exhaustive: bool, line: Sequence[int]) -> Score:
        """With the plies, and the winner's own moves."""
        if abs(value) >= FORCED:
            return self.won(value > 0, WIN - abs(value), line)
        if exhaustive:
            return Score("draw")
        return Score("heuristic", value=value if self.weights or self.strategic else None)

    def won(self, won: bool, plies: int, line: Sequence[int], within: bool = False) -> Score:
        """A win or a loss in so many plies, by a line to the end of the game."""
        if self.alternates:
            moves = _winners(won, plies)
        else:  # those on the line of who then wins
            states = accumulate(line, RowPosition.after, initial=self._root)
            turns = [state.turn for state in states]
            moves = turns[:-1].count(turns[0] if won else 1 - turns[0])
        return Score("win" if won else "loss", moves, plies=plies, within=within)

    def told(self, line: Sequence[int]) -> tuple[Term, ...]:
        return self.position.moves_of(line)

    def ends(self, lines: Sequence[Sequence[int]]) -> Iterator[End]:
        """After the noisy moves that values are settled by."""
        for line in lines:
            whole = [*line, *settling(played(self._root, line))]
            end = played(self._root, whole)
            # What a line leads to that is no draw was forced.
            drawn = end.result() is not None
            held = () if drawn else self._features(end)
            yield End(self.told(whole), held, drawn, len(whole) - len(line))

    def _features(self, end: RowPosition) -> Iterator[tuple[Term, int, Term]]:
        """Those that hold in a state: their names, whose they are, and where."""
        game, rules = self._game, self._game.rules
        # Where states are seen by the side to move, the first role is whoever that is.
        exchanged = game.exchanges and end.turn == 1
        for _, feature, role, where in game.features(end.row):
            yield feature, rules.roles.index(role) ^ exchanged, rules.seen(where, exchanged)

    def firings(self, stop: Stop | None = None) -> Iterator[tuple[Term, Firing]]:
        """By the circuit of the strategies, which may name moves that are not legal now; what has
        no weight of its own does not count."""
        game, exchanged = self._game, self.position.exchanged
        if not game.strategies:
            return
        legal = frozenset(self.position.legal)
        reasons: dict[tuple[Term, Term], set[Term]] = defaultdict(set)
        for _, strategy, *said in game.says(self.position.row):
            move, *places = (game.rules.seen(term, exchanged) for term in said)
            reasons[move, strategy].update(places)
        for (move, strategy), why in reasons.items():
            if move in legal and (weight := game.strategies[strategy]):
                yield move, Firing(render(strategy), weight, tuple(sorted(why, key=render)))

    def events(self, move: Term) -> Sequence[Event]:
        """Those of the game's ``events.lp``; without one, what is taken or turned on its board."""
        if not self._event_files:
            return board_events(self.position, move)
        say, seen = self.phrasing, self._game.rules.seen(move, self.position.exchanged)
        found = []
        for name, places in self._events_of(seen).items():
            told = texts.read_events(self._event_files, PLACEHOLDERS)[render(name)]
            where = tuple(self._game.rules.seen(p, self.position.exchanged) for p in places)
            words = say.words(move, where)
            found.append(Event.of(name, told, sorted(where, key=render), len(where), words))
        return sorted(found, key=lambda event: event.rank)

    @property
    def _event_files(self) -> tuple[Path, ...]:
        """The rules, the game's own strategies and events; nothing where it has no events."""
        rules = self._game.rules
        events = rules.files[0].parent / FILE
        if not events.is_file():
            return ()
        return tuple(dict.fromkeys((*rules.files, *home(rules.files).knowledge["moves"], events)))

    def _events_of(self, move: Term) -> Mapping[Term, Sequence[Term]]:
        """Return the events of one move and their places, all as the rules see them."""
        rules, files = self._game.rules, self._event_files
        asked = move if reads_moves(files) else None
        if asked not in self._events:
            facts: list[Term] = [("true", atom) for atom in self._game.atoms(self.position.row)]
            if asked is not None:
                role = rules.roles[0 if rules.by_mover else self.position.side]
                facts += [("does", *pair) for pair in rules.joint(role, move)]
            self._events[asked] = derive_events(files, facts, rules.constants)
        return self._events[asked].get(move, {})

    def at_sight(self, move: Term) -> Bounds:
        return _OPEN

    def near_end(self, limit: Limit, stop: Stop) -> Mapping[Term, Bounds]:
        """What retrograde analysis proves where few states can be reached, as with few men.

        It takes most of the time there, and hardly any elsewhere. A depth is kept to as it is
        given."""
        legal = self.legal()
        if limit.depth is not None or len(legal) > NARROW:
            return {}
        found = _by_retrograde(self.position, stop.within(_NEAR_END * stop.seconds_left), _STATES)
        return {legal[number]: bounds for number, bounds in found.items()}

    def bounds(self, score: Score) -> Bounds:
        """By the plies; what takes at most so many may take fewer."""
        if score.kind == "heuristic":
            return _OPEN
        if score.kind == "draw":
            return Bounds(0, 0)
        least = 1 if score.plies is None else WIN - score.plies
        won = Bounds(least, WIN if score.within or score.plies is None else least)
        return won if score.kind == "win" else -won

    def forced(self, bounds: Bounds) -> Score | None:
        """With the plies, where they are known."""
        if bounds.outcome is None:
            return None
        plies = WIN - (bounds.lower if bounds.outcome == "win" else -bounds.upper)
        if plies > WIN - FORCED:
            return Score(bounds.outcome, proved=True)
        moves = _winners(bounds.outcome == "win", plies) if self.alternates else None
        within = bounds.score is None
        return Score(bounds.outcome, moves, proved=True, plies=plies, within=within)

    @property
    def key(self) -> tuple[bytes, int]:
        """The state, and how many moves led there."""
        return self.position.row.tobytes(), len(self.position.path)

    def prepare(self, make: bool = False) -> None:
        """That of the look-ahead and, where there are no weights, of trees."""
        self._game.prepare()
        tree = self._game.tree
        if make:
            tree.now()
        else:
            tree.kept(meanwhile=self._game.selective)
        if not self.weights:
            tree.grower(inf, now=make)

    def from_middle(self, move: Term) -> float:
        """Of the last of the squares that it names; of a move without squares 0."""
        squares = self._game.squares
        shown = squares.shown(move)
        if not shown:
            return 0.0
        return hypot(*(2 * at - end - 1 for at, end in zip(shown[-1], squares.size, strict=True)))

    def wins(self, moves: int, stop: Stop) -> bool:
        return bool(self._wins(stop).within(self.position.row[None], moves)[0])

    def winning(self, moves: int, stop: Stop) -> list[Term]:
        found = self._wins(stop).first_moves(self.position.row, moves)
        return [*map(self.position.name, found)]

    def _wins(self, stop: Stop) -> ForcedWins:
        return ForcedWins(self._game, np.random.default_rng(0), stop)

    @property
    def review_depth(self) -> int:
        """Of a selective look-ahead always the same; otherwise the fewer moves there are the more,
        as far as so much work goes."""
        if self._selective:
            return _SELECTIVE_DEPTH
        moves = max(2, len(self.legal()))
        return min(_DEEPEST, max(1, int(2 * log(_WORK) / log(moves)) - 1))

    @property
    def _selective(self) -> bool:
        return self._game.selective and llvm.available()

    def prepare_review(self) -> None:
        """Makes the code of a selective look-ahead: without it other moves would be looked at."""
        if self._selective:
            self._game.tree.now()

    def after(self, move: Term) -> "RuleAbilities":
        return RuleAbilities(self.position.after(move))

    def backed_up(self, later: Bounds, mine: bool) -> Bounds:
        return _before(later, mine)

    def scene(self, marks: Marks | None = None) -> Scene:
        """The state, with a move to point at if there is one."""
        position = self.position

        def drawn() -> str | None:
            return position.draw(marks) if position.diagram() else None

        numeral = position.numeral
        return Scene(lambda: [*position.rows], drawn, str, numbered=True, numeral=numeral)

    def certain(self, stop: Stop, on_progress: Callable[[Solved], None], jobs: int = 1) -> Solved:
        names = self.position.names.items()

        def by_terms(found: Solved) -> Solved:
            moves = found.moves or {}
            return replace(found, moves={m: moves[name] for m, name in names if name in moves})

        def tell(found: Solved) -> None:
            on_progress(by_terms(found))

        return by_terms(solve(self.position, True, jobs, stop, tell))


def board_events(position: RulePosition, move: Term) -> list[Event]:
    """Return what a move takes off the board, and what it turns into something else.

    A kind of piece is taken or turned where it stands no longer and there are fewer of its kind. A
    piece that only moves, castles or promotes is neither.
    """
    game = position.circuits
    named = game.squares.of(move)
    if not game.squares.all:
        return []
    before, now = (
        {(x, y): symbol for x, y, symbol in each.shown} for each in (position, position.after(move))
    )
    if len(before) == len(game.squares.all):  # empty squares may be shown, too
        blanks = game.row(set_up.blanks(game).values())
        nothing = {symbol for *_, symbol in game.shown(blanks)}
        before, now = ({s: p for s, p in b.items() if p not in nothing} for b in (before, now))
    had, has = Counter(before.values()), Counter(now.values())
    own = {before[square] for square in named[:1] if square in before and len(named) > 1}
    changed = [
        square
        for square, symbol in sorted(before.items())
        if now.get(square) != symbol and has[symbol] < had[symbol] and symbol not in own
    ]
    turned = [square for square in changed if square in now and square not in named]
    taken = [square for square in changed if square not in turned]
    found = []
    for rank, (name, squares) in enumerate((("takes", taken), ("turns", turned))):
        if squares:
            where = few([position.place(("", *square)).strip("()") for square in squares])
            event = f"on board: {name}"
            found.append(
                Event(event, tuple(squares), f"{name} {where}", False, False, name == "takes", rank)
            )
    return found


def _winners(won: bool, plies: int) -> int:
    """How many of so many plies are the winner's, who begins if it is won; where sides take turns.

    The last one need not be: as in misère games, where who makes it loses.
    """
    return (plies + won) // 2


def _before(later: Bounds, mine: bool) -> Bounds:
    """What is proved of a move by what is proved of the state after it, in which the same player is
    to move or the other one: it takes a ply more, and what is open stays so."""
    lower, upper = (
        score - sign(score) if FORCED <= abs(score) < WIN else score
        for score in (later.lower, later.upper)
    )
    bounds = replace(later, lower=lower, upper=upper)
    return bounds if mine else -bounds


def solve(
    state: RulePosition,
    /,
    every_move: bool = False,
    jobs: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[Solved], None] | None = None,
) -> Solved:
    """The exact result of a state, that of each move if wanted, as far as `stop` leaves time.

    The look-ahead goes deeper until no guess is left in it. What it finds is then certain, whatever
    features the game has: they only say which moves it tries first.
    """
    if state.over:
        winner = state.winning_side
        score = 0 if winner is None else WIN if winner == state.side else -WIN
        return Solved("search", Bounds(score, score))
    stop = stop or Stop()
    position, evaluator = state.root, RowEvaluator(state.circuits)
    first: Result | None = None
    results: dict[int, Bounds] = {}
    nodes, seconds = 0, 0.0

    @cache
    def told(variation: Sequence[int]) -> tuple[str, ...]:
        return tuple(state.names_along(state.moves_of(variation)))

    def solved(found: Result) -> Solved:
        result, names = _bounds(found.value, found.exhaustive), state.names
        line = told(found.variation) if result.outcome else ()
        moves = {names[state.name(move)]: known for move, known in results.items()}
        whole = replace(result, nodes=nodes, seconds=seconds)
        return Solved("search", whole, moves if every_move else None, line)

    def tell(so_far: Result) -> None:
        for move, score in so_far.scores.items():
            known = _bounds(score, so_far.exhaustive or move in so_far.drawn)
            # Of a move beside the best one, see `Abilities.supposed`.
            if position.supposed and -FORCED < score < so_far.value >= FORCED:
                known = Bounds(known.lower, so_far.value)
            results[move] = known
        if on_progress is not None:
            on_progress(solved(first or so_far))

    # A search ends when the best of its moves is certain; the others are asked about in turn.
    left: list[int] | None = None
    apart = False
    while left is None or (every_move and left and not apart and not stop.is_set()):
        found = search(
            position,
            evaluator,
            stop=stop,
            moves=left,
            every_move=every_move,
            jobs=jobs,
            on_iteration=tell,
        )
        first = first or found
        nodes, seconds = nodes + found.nodes + found.leaves, seconds + found.seconds
        apart = position.supposed and first.value >= FORCED
        left = [move for move, known in results.items() if known.outcome is None]
    assert first is not None
    if every_move and apart:
        inexact = [move for move, known in results.items() if known.score is None]
        for move, known in _from_after(state, inexact, jobs, stop):
            results[move] = results[move].within(known)
            nodes, seconds = nodes + known.nodes, seconds + known.seconds
            if on_progress is not None:
                on_progress(solved(first))
    return solved(first)


def _from_after(
    state: RulePosition, moves: Sequence[int], jobs: int, stop: Stop
) -> Iterator[tuple[int, Bounds]]:
    """What is proved of moves by a search from the state after each, which may come back here."""
    for done, move in enumerate(moves):
        if stop.is_set():
            return
        after = state.after(state.name(move))
        share = stop.within(stop.seconds_left / (len(moves) - done))
        known = solve(after, jobs=jobs, stop=share).position
        yield move, _before(known, after.side == state.side)


def _by_retrograde(state: RulePosition, stop: Stop, most: int) -> Mapping[int, Bounds]:
    """What retrograde analysis of so many states proves of the moves, by their numbers."""
    game, position = state.circuits, state.root
    again = position.recurrences
    # The state itself may come again: that is no draw yet, and who wins does not need it.
    here = {identity(state.row, game.counters)}
    apart = (again.here | again.there) - here if again else frozenset()
    try:
        found = certain_moves(game, state.row, game.start, stop, most, apart)
    except EncodingError:  # in a state that the look-ahead need not meet
        return {}
    return {number: Bounds(*bounds) for number, bounds in found.items()}


def _bounds(value: int, exhaustive: bool) -> Bounds:
    """What a value of the search proves; a guess proves nothing."""
    if abs(value) >= FORCED:
        return Bounds(value, value)
    return Bounds(0, 0) if exhaustive else _OPEN
