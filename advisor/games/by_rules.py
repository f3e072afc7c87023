"""The `Abilities` and phrasing of a game that has only rules and a notation."""

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
from advisor.engine.nodes import play_moves
from advisor.engine.recurrences import identity
from advisor.engine.retrograde import NARROW, certain_moves
from advisor.engine.row_search import RowEvaluator, RowPosition, settling
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.errors import EncodingError
from advisor.games import set_up
from advisor.games.abilities import Abilities, End, Firing, Scene
from advisor.games.bounds import Bounds, Solved
from advisor.games.events import FILE, Danger, Event, derive_events, reads_moves
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
"""The share of a look-ahead's time for retrograde analysis, and the most states that it lists."""

_WORK = 100_000
"""Rough number of positions that a full look-ahead of a review visits for a move.

It visits about the square root of all positions within its depth.
"""

_DEEPEST = 20
_SELECTIVE_DEPTH = 5
"""Plies that a review looks ahead: at most, and where the look-ahead is selective."""


class ByNotation(Phrasing):
    """Phrasing from a game's notation and the texts beside its rules."""

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

    def names_along(self, line: Sequence[Term]) -> list[str]:
        return self._position.names_along(line)

    def play_name(self, move: Term) -> str:
        return self._position.names[move]

    def find_move(self, name: Any) -> Term:
        return self._position.read_move(name, "")

    def encode_move(self, move: Term) -> Term:
        return self._position.rules.seen(move, self._position.exchanged)

    def places(self, places: Sequence[Term]) -> list[str]:
        return [*map(self._position.place, places)]

    def outcome(self, score: Score) -> str:
        """Return `RulePosition.outcome`, marked if it is proved."""
        if score.kind == "heuristic":
            return ""
        proved = " (proved)" if score.proved else ""
        if score.plies is None:
            return f"a {score.kind}{proved}"
        return self._position.outcome(score.kind, score.plies, score.within) + proved

    def leads(self, moves: Sequence[Term], score: Score) -> str:
        if score.kind == "win" and score.plies == 1 and len(moves) == 1:
            return self._position.won_by(self.play_name(moves[0]))
        return super().leads(moves, score)

    def win_phrase(self, score: Score) -> str:
        return self.outcome(score)

    def describe_blocks(self, move: Term, better: Sequence[Term]) -> list[str]:
        """Name the reply that the move blocks, if only one reply would win.

        There must be something to block: the reply also wins after most other moves. A better move
        that wins is not a block.
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
        """Return the replies by which the other side wins at once after a move."""
        if after.over or after.side == self.turn:
            return []
        ends, _ = after.foreseen("")
        return [reply for reply in ends if after.after(reply).winning_side == after.side]

    def where_json(self, place: Term) -> Json:
        return {"where": self._position.place(place)}


class RuleAbilities(Abilities):
    """`Abilities` of a game defined by rules alone; an exact score counts the plies to the end."""

    ranked = True
    in_points = False

    def __init__(self, position: RulePosition) -> None:
        self.position = position
        self.phrasing = ByNotation(position)
        self._game = game = position.circuits
        self.weights = game.weights
        self.strategic = bool(game.strategies)
        self.alternates, self.backfires = game.alternates, game.backfires
        # The key is the move asked about, or None where one grounding covers all moves.
        self._events: dict[Term, Mapping[Term, Mapping[Term, Sequence[Term]]]] = {}
        # Where a player may move twice, the player's own moves are counted along the lines.
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
    def supposes_draw(self) -> bool:
        return self._root.supposes_draw

    def deeper(self) -> int:
        return self._game.deeper(self.position.row)

    def evaluator(self, stop: Stop) -> RowEvaluator:
        return RowEvaluator(self._game, selective=self._game.selective)

    def score_of_value(self, value: int, exhaustive: bool, line: Sequence[int]) -> Score:
        """Return a value as a score, with plies and the winner's own moves."""
        if abs(value) >= FORCED:
            return self.decided_score(value > 0, WIN - abs(value), line)
        if exhaustive:
            return Score("draw")
        return Score("heuristic", value=value if self.weights or self.strategic else None)

    def decided_score(
        self, won: bool, plies: int, line: Sequence[int], within: bool = False
    ) -> Score:
        """Return the score of a win or loss in `plies` plies, by a line to the end of the game."""
        if self.alternates:
            moves = _winners(won, plies)
        else:  # moves of the eventual winner on the line
            states = accumulate(line, RowPosition.after, initial=self._root)
            turns = [state.turn for state in states]
            moves = turns[:-1].count(turns[0] if won else 1 - turns[0])
        return Score("win" if won else "loss", moves, plies=plies, within=within)

    def moves_of_line(self, line: Sequence[int]) -> tuple[Term, ...]:
        return self.position.moves_of(line)

    def ends(self, lines: Sequence[Sequence[int]]) -> Iterator[End]:
        """Yield the end of each line, after the noisy moves that settle its value."""
        for line in lines:
            whole = [*line, *settling(play_moves(self._root, line))]
            end = play_moves(self._root, whole)
            # A line that leads to something other than a draw was forced.
            drawn = end.result() is not None
            held = () if drawn else self._features(end)
            yield End(self.moves_of_line(whole), held, drawn, len(whole) - len(line))

    def _features(self, end: RowPosition) -> Iterator[tuple[Term, int, Term]]:
        """Yield the features that hold in a state: name, owner and place."""
        game, rules = self._game, self._game.rules
        # Where states are seen by the side to move, the first role is that side.
        exchanged = game.exchanges and end.turn == 1
        for _, feature, role, where in game.features(end.row):
            yield feature, rules.roles.index(role) ^ exchanged, rules.seen(where, exchanged)

    def firings(self, stop: Stop | None = None) -> Iterator[tuple[Term, Firing]]:
        """Yield the firings by the circuit of the strategies.

        The circuit may name moves that are not legal now. A strategy without a weight does not
        count.
        """
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
        """Return the events of the game's ``events.lp``; without one, what is taken or turned."""
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

    def dangers(self, language: str = "") -> Sequence[Danger] | None:
        """Return what the game's ``events.lp`` derives as ``threatened/3``."""
        told = texts.read_events(self._event_files, PLACEHOLDERS, "threatened")
        if not told:
            return None
        rules, exchanged, say = self._game.rules, self.position.exchanged, self.phrasing
        derived = derive_events(self._event_files, self._facts, rules.constants, "threatened")
        called, found = (say.player_name(0), say.player_name(1)), []
        for role, names in derived.items():
            player = rules.roles.index(role)
            for name, places in names.items():
                seen = sorted(rules.seen(place, exchanged)[1:] for place in places)
                squares = {square: self.square_name(square) for square in seen}
                by = 1 - player if exchanged else player
                found.append(Danger.of(by, name, told[render(name)], squares, called, language))
        return sorted(found, key=lambda danger: (told[danger.kind].rank, danger.player))

    def squares_of(self, move: Term) -> Sequence[tuple[int, int]]:
        return self._game.squares.squares_to_show(move)

    def square_name(self, square: tuple[int, int]) -> str:
        return self._game.rules.display.place(("", *square)).strip("()")

    @property
    def _facts(self) -> list[Term]:
        """The state as the rules see it."""
        return [("true", atom) for atom in self._game.atoms(self.position.row)]

    @property
    def _event_files(self) -> tuple[Path, ...]:
        """The files for events: rules, own strategies and events; empty without events."""
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
            facts = self._facts
            if asked is not None:
                role = rules.roles[0 if rules.by_mover else self.position.side]
                facts += [("does", *pair) for pair in rules.joint(role, move)]
            self._events[asked] = derive_events(files, facts, rules.constants)
        return self._events[asked].get(move, {})

    def at_sight(self, move: Term) -> Bounds:
        return _OPEN

    def near_end(self, limit: Limit, stop: Stop) -> Mapping[Term, Bounds]:
        """Return what retrograde analysis proves where few states can be reached, as with few men.

        It takes most of the available time there, and hardly any elsewhere. If a depth is given,
        this does nothing.
        """
        legal = self.legal()
        if limit.depth is not None or len(legal) > NARROW:
            return {}
        found = _by_retrograde(
            self.position, stop.with_limit(_NEAR_END * stop.seconds_left), _STATES
        )
        return {legal[number]: bounds for number, bounds in found.items()}

    def bounds(self, score: Score) -> Bounds:
        """Return the bounds by the plies; a win within n plies may take fewer."""
        if score.kind == "heuristic":
            return _OPEN
        if score.kind == "draw":
            return Bounds(0, 0)
        least = 1 if score.plies is None else WIN - score.plies
        won = Bounds(least, WIN if score.within or score.plies is None else least)
        return won if score.kind == "win" else -won

    def proved_score(self, bounds: Bounds) -> Score | None:
        """Return the proved result, with the plies where they are known."""
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
        """The state, and the number of moves that led there."""
        return self.position.row.tobytes(), len(self.position.path)

    def prepare(self, make: bool = False) -> None:
        """Prepare the code of the look-ahead and, where there are no weights, of search trees."""
        self._game.prepare()
        tree = self._game.tree
        if make:
            tree.compile_now()
        else:
            tree.load_cached(meanwhile=self._game.selective)
        if not self.weights:
            tree.grower(inf, now=make)

    def from_middle(self, move: Term) -> float:
        """Return the last named square's distance from the middle; 0 for a move without squares."""
        squares = self._game.squares
        shown = squares.squares_to_show(move)
        if not shown:
            return 0.0
        return hypot(*(2 * at - end - 1 for at, end in zip(shown[-1], squares.size, strict=True)))

    def wins(self, moves: int, stop: Stop) -> bool:
        return bool(self._wins(stop).wins_within(self.position.row[None], moves)[0])

    def winning(self, moves: int, stop: Stop) -> list[Term]:
        found = self._wins(stop).first_moves(self.position.row, moves)
        return [*map(self.position.name, found)]

    def _wins(self, stop: Stop) -> ForcedWins:
        return ForcedWins(self._game, np.random.default_rng(0), stop)

    @property
    def review_depth(self) -> int:
        """Plies for a review: fixed for a selective look-ahead, otherwise more where moves are
        fewer.
        """
        if self._selective:
            return _SELECTIVE_DEPTH
        moves = max(2, len(self.legal()))
        return min(_DEEPEST, max(1, int(2 * log(_WORK) / log(moves)) - 1))

    @property
    def _selective(self) -> bool:
        return self._game.selective and llvm.available()

    def prepare_review(self) -> None:
        """Compile a selective look-ahead: without its code a review would search other moves."""
        if self._selective:
            self._game.tree.compile_now()

    def after(self, move: Term) -> "RuleAbilities":
        return RuleAbilities(self.position.after(move))

    def backed_up(self, later: Bounds, mine: bool) -> Bounds:
        return _bounds_before(later, mine)

    def scene(self, marks: Marks | None = None) -> Scene:
        """Return the state as a scene, with marks on a move if there is one."""
        position = self.position

        def draw_scene() -> str | None:
            return position.draw(marks) if position.diagram() else None

        numeral = position.numeral
        return Scene(lambda: [*position.rows], draw_scene, str, numbered=True, numeral=numeral)

    def certain(self, stop: Stop, on_progress: Callable[[Solved], None], jobs: int = 1) -> Solved:
        names = self.position.names.items()

        def by_terms(found: Solved) -> Solved:
            moves = found.moves or {}
            return replace(found, moves={m: moves[name] for m, name in names if name in moves})

        def tell(found: Solved) -> None:
            on_progress(by_terms(found))

        return by_terms(solve(self.position, True, jobs, stop, tell))


def board_events(position: RulePosition, move: Term) -> list[Event]:
    """Return events for pieces that a move takes off the board or turns into others.

    A piece counts as taken or turned if it leaves its square and its kind becomes rarer. A
    piece that only moves, castles or promotes is neither.
    """
    game = position.circuits
    named = game.squares.of(move)
    if not game.squares.all:
        return []
    before, now = (
        {(x, y): symbol for x, y, symbol in each.board_contents}
        for each in (position, position.after(move))
    )
    if len(before) == len(game.squares.all):  # empty squares may be shown, too
        blanks = game.row(set_up.blanks(game).values())
        nothing = {symbol for *_, symbol in game.board_atoms(blanks)}
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
    """Return how many of `plies` plies the winner makes, where sides take turns.

    The side to move makes the first ply; `won` says that it wins. The winner need not make the last
    ply: in misère games, the player who makes it loses.
    """
    return (plies + won) // 2


def _bounds_before(later: Bounds, mine: bool) -> Bounds:
    """Return the bounds of a move, given the bounds of the state after it.

    The result takes one ply more; open bounds stay open. `mine` says that one player makes both
    moves.
    """
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
    """Return the exact result of a state, as far as `stop` leaves time.

    The look-ahead goes deeper until no guess is left in it. The result is then certain, whatever
    features the game has: they only decide which moves it tries first.

    Args:
        state: the position to solve.
        every_move: also find the result of each move.
        jobs: number of threads.
        stop: ends the search when set.
        on_progress: called with what is known so far.
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
    def name_line(variation: Sequence[int]) -> tuple[str, ...]:
        return tuple(state.names_along(state.moves_of(variation)))

    def build_solved(found: Result) -> Solved:
        result, names = _bounds(found.value, found.exhaustive), state.names
        line = name_line(found.variation) if result.outcome else ()
        moves = {names[state.name(move)]: known for move, known in results.items()}
        whole = replace(result, nodes=nodes, seconds=seconds)
        return Solved("search", whole, moves if every_move else None, line)

    def tell(so_far: Result) -> None:
        for move, score in so_far.scores.items():
            known = _bounds(score, so_far.exhaustive or move in so_far.drawn)
            # Of a move beside the best one, see `Abilities.supposes_draw`.
            if position.supposes_draw and -FORCED < score < so_far.value >= FORCED:
                known = Bounds(known.lower, so_far.value)
            results[move] = known
        if on_progress is not None:
            on_progress(build_solved(first or so_far))

    # A search ends when its best move is certain; the next searches take the remaining moves.
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
        apart = position.supposes_draw and first.value >= FORCED
        left = [move for move, known in results.items() if known.outcome is None]
    assert first is not None
    if every_move and apart:
        inexact = [move for move, known in results.items() if known.score is None]
        for move, known in _from_after(state, inexact, jobs, stop):
            results[move] = results[move].intersect(known)
            nodes, seconds = nodes + known.nodes, seconds + known.seconds
            if on_progress is not None:
                on_progress(build_solved(first))
    return build_solved(first)


def _from_after(
    state: RulePosition, moves: Sequence[int], jobs: int, stop: Stop
) -> Iterator[tuple[int, Bounds]]:
    """Yield the bounds of moves by a search from the state after each, which may come back here."""
    for done, move in enumerate(moves):
        if stop.is_set():
            return
        after = state.after(state.name(move))
        share = stop.with_limit(stop.seconds_left / (len(moves) - done))
        known = solve(after, jobs=jobs, stop=share).position
        yield move, _bounds_before(known, after.side == state.side)


def _by_retrograde(state: RulePosition, stop: Stop, most: int) -> Mapping[int, Bounds]:
    """Return what retrograde analysis of at most `most` states proves of the moves, by number."""
    game, position = state.circuits, state.root
    again = position.recurrences
    # The state itself may recur: that is no draw yet, and a win does not need it.
    here = {identity(state.row, game.counters)}
    apart = (again.here | again.there) - here if again else frozenset()
    try:
        found = certain_moves(game, state.row, game.start, stop, most, apart)
    except EncodingError:  # in a state that the look-ahead may never reach
        return {}
    return {number: Bounds(*bounds) for number, bounds in found.items()}


def _bounds(value: int, exhaustive: bool) -> Bounds:
    """Return the bounds that a value of the search proves; a guess proves nothing."""
    if abs(value) >= FORCED:
        return Bounds(value, value)
    return Bounds(0, 0) if exhaustive else _OPEN
