"""Proofs by Allis' nine strategic rules that a player does not lose, or wins.

The rules are in ``encodings/connect4/victor``. Without a proof, nothing is known about the
position.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

from advisor.engine.answer_sets import as_program
from advisor.errors import InputError
from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Board, Geometry
from advisor.games.game import Question
from advisor.games.phrasing import Cell
from advisor.games.players import MARKS, player_label
from advisor.plugins.proofs.victor.plan import RULES, Claim, Proof, RuleInstance
from aspcircuits import own_process
from aspcircuits.clingo_api import Program, Term
from aspcircuits.spares import Spares
from aspcircuits.stopping import Stop

R = TypeVar("R")

_VICTOR = ENCODINGS / "connect4" / "victor"
_PARTS = ("squares", "first_move", "answers", "compatible", "derived", "white", "goal", "plan")
PLAN = tuple(_VICTOR / f"{name}.lp" for name in _PARTS)
"""The encodings of a plan."""

READING = (*PLAN, _VICTOR / "reading.lp")
"""... and of one that is good to read."""

_QUICK_SQUARES = 42
"""Grounding takes about a quarter of a second on boards up to this, ten seconds on 12x12."""

_CONFLICTS = 5000
"""Conflicts that clingo may spend on a plan that is easier to read.

It is no time, so a board gets the same plan on every machine. On 7x6 it takes half a second at
most, about.
"""


def prove(
    position: Board, strict: bool = False, player: int | None = None, stop: Stop | None = None
) -> Proof | None:
    """Find a proof for one of the players, in a readable form.

    If the player to move is the opponent, the plan answers every move; if it is the controller, the
    plan includes the controller's first move. A player to move who completes a line at once needs
    no plan: the proof is that move.

    Args:
        position: not decided yet.
        strict: use only the rules in Allis' thesis, without the further step in ``derived.lp``.
        player: prove something for this player only; otherwise for either.
        stop: ends the search for a proof when set; its time limit counts on boards larger than the
            usual one.

    Raises:
        InputError: the rules do not cover this board.
        KeyboardInterrupt: `stop` was set before a plan was found.
    """
    check(position)
    return _run(_prove, position, strict, player, stop=stop, in_time=True)


def bound(
    position: Board, player: int, strict: bool = False, stop: Stop | None = None
) -> Claim | None:
    """Return `Prover.bound`, by a prover of the board that no other thread is using.

    If the rules do not cover a position, nothing is proved.

    Raises:
        KeyboardInterrupt: `stop` was set.
    """
    try:
        check(position)
    except InputError:
        return None
    return _run(_bound, position, player, strict, stop=stop)


def _run(
    function: Callable[..., R],
    position: Board,
    *arguments: Any,
    stop: Stop | None,
    in_time: bool = False,
) -> R:
    """Run a function in this process on the usual board, else in another: grounding takes long."""
    g = position.geometry
    here = g.squares <= _QUICK_SQUARES
    return own_process.run(
        function,
        position,
        *arguments,
        stop.without_limit if here and stop else None,  # there, the whole process is ended
        what=f"board {g.width}x{g.height}",
        here=here,
        stop=stop,
        in_time=in_time,
    )


def _bound(position: Board, player: int, strict: bool, stop: Stop | None) -> Claim | None:
    with provers(position.geometry, strict).one() as prover:
        return prover.bound(position, player, stop)


def _prove(position: Board, strict: bool, player: int | None, stop: Stop | None) -> Proof | None:
    for controller in (3 - position.turn, position.turn) if player is None else (player,):
        outcome = _bound(position, controller, strict, stop)
        if outcome:
            if first := _winning_move(position, controller):
                return Proof(position, controller, "wins", first, (), ())
            return _read(position, controller, outcome, strict, stop)
    return None


def check(position: Board) -> None:
    """Raise an InputError if the rules do not cover this position."""
    g = position.geometry
    if g.connect != 4 or g.height % 2:
        raise InputError(
            "the strategic rules cover boards of an even height where four in line win, "
            f"not {g.width}x{g.height} with {g.connect} in line"
        )
    if position.over:
        raise InputError("the game is over: there is nothing left to prove")
    if position.turn != 1 + position.discs % 2:
        raise InputError(
            f"{position.discs} discs and {player_label(position.turn)} to move: the strategic "
            "rules need an even number when x is to move, an odd number when o is"
        )


def _winning_move(position: Board, player: int) -> int | None:
    """Return a column in which this player, if to move, completes a line at once."""
    if position.turn != player:
        return None
    wins = position.winning_squares(player) & position.playable
    return next((column for _, column in position.geometry.squares_of(wins)), None)


class Prover:
    """Finds proofs on boards of one size; grounded once, then about a millisecond a call.

    Two threads must not share it: they would set the facts of each other's positions.
    """

    def __init__(self, geometry: Geometry, strict: bool = False) -> None:
        self.geometry = geometry
        self._program = Program(
            PLAN, constants=geometry.constants, options=["--configuration=frumpy"]
        )
        self._program.assign("extended", not strict)
        self._holding: frozenset[Term] = frozenset()  # no facts but these may hold
        self._settled: frozenset[Term] = frozenset()  # these hold for certain

    def bound(self, position: Board, player: int, stop: Stop | None = None) -> Claim | None:
        """Return the result that is proved for a player: ``"holds"`` (at least a draw), ``"wins"``,
        or None.

        It may be interrupted anywhere and called again.

        Args:
            position: one that the rules cover, see `check`.
            player: the controller.
            stop: ends the search when set.

        Raises:
            KeyboardInterrupt: `stop` was set.
        """
        if _winning_move(position, player):
            return "wins"
        self._set(position, player)
        holds = self._program.solve(stop=stop) is not None
        wins = holds and (player == 1 or self._program.solve([("wins", True)], stop) is not None)
        if stop is not None:
            stop.check()
        return "wins" if wins else "holds" if holds else None

    def _set(self, position: Board, player: int) -> None:
        facts = frozenset(_facts(position, player))
        # Noted before and after, so an interruption between two assignments does no harm.
        settled, self._settled = self._settled, frozenset()
        self._holding |= facts
        for atom in self._holding - facts:
            self._program.assign(atom, False)
        for atom in facts - settled:
            self._program.assign(atom, True)
        self._holding = facts
        self._settled = facts


@cache
def provers(geometry: Geometry, strict: bool = False) -> Spares[Prover]:
    """Return the provers of this board size."""
    return Spares(partial(Prover, geometry, strict))


def question(position: Board, player: int) -> Question:
    """Return the question for this player's plan for plain clingo, with the step beyond the thesis.

    Raises:
        InputError: the rules do not cover this position.
    """
    check(position)
    facts = [*_facts(position, player), "extended"]
    about = f": an answer set is a plan for {MARKS[player]}; without one nothing is proved"
    return Question(about, (), as_program(PLAN, facts, {}, position.geometry.constants))


def _facts(position: Board, player: int) -> list[Term]:
    return [*position.facts(), ("controller", player)]


def _read(position: Board, player: int, outcome: Claim, strict: bool, stop: Stop | None) -> Proof:
    """Return a plan with few and simple rules, and the purpose of each of them."""
    for options in ([f"--solve-limit={_CONFLICTS}"], ["--opt-mode=ignore"]):
        program = Program(
            READING,
            facts=[*_facts(position, player), *([] if strict else ["extended"])],
            constants=position.geometry.constants,
            options=options,
        )
        model = program.solve([("wins", True)] if outcome == "wins" else [], stop)
        if stop is not None:
            stop.check()
        if model is not None:
            break
    else:
        raise AssertionError(f"no plan to read for {position!r}, although there is one")
    first = next((atom[2] for atom in model.atoms if atom[0] == "first"), None)
    start = position if first is None else position.after(first)
    solved: dict[tuple[Cell, ...], RuleInstance] = {}
    rules = set()
    for atom in model.atoms:
        if atom[0] == "reason":
            line, rule = _group(atom[1]), _rule(atom[2], start)
            solved[line] = min(rule, solved.get(line, rule), key=_simplicity)
        elif atom != "wins" and atom[0] != "first":
            rules.add(_rule(atom, start))
    in_order = sorted(rules.union(solved.values()), key=_simplicity)
    return Proof(position, player, outcome, first, (*in_order,), tuple(sorted(solved.items())))


def _simplicity(rule: RuleInstance) -> tuple[int, tuple[Cell, ...]]:
    return RULES.index(rule.name), rule.squares


def _group(term: Term) -> tuple[Cell, ...]:
    _, row, column, up, side = term
    return tuple((row + i * up, column + i * side) for i in range(4))


def _rule(atom: Term, start: Board) -> RuleInstance:
    """Return a rule of the answer set with its squares."""

    def base(column: int) -> Cell:
        return start.row_of(column), column

    match atom:
        case ("claimeven", r, c):
            return RuleInstance("claimeven", ((r - 1, c), (r, c)))
        case ("vertical", r, c):
            return RuleInstance("vertical", ((r, c), (r + 1, c)))
        case ("baseinverse", c, c2):
            return RuleInstance("baseinverse", (base(c), base(c2)))
        case ("baseclaim", c, c2, c3):
            row, _ = base(c2)
            return RuleInstance("baseclaim", (base(c), (row, c2), (row + 1, c2), base(c3)))
        case ("lowinverse", r, c, r2, c2):
            return RuleInstance("lowinverse", ((r - 1, c), (r, c), (r2 - 1, c2), (r2, c2)))
        case ("highinverse", r, c, r2, c2):
            squares = [(r + i, c) for i in (-1, 0, 1)] + [(r2 + i, c2) for i in (-1, 0, 1)]
            return RuleInstance("highinverse", tuple(squares))
        case ("odd_threat", r, c):
            return RuleInstance("odd threat", ((r, c),))
        case ("combination", r, c, c2, z):
            return RuleInstance("threat combination", ((r, c), (r, c2), (z, c2)))
        case ("specialbefore", group, r, c):
            return RuleInstance("specialbefore", (*_group(group), (r, c)))
        case (name, group):
            return RuleInstance(name, _group(group))
    raise AssertionError(f"unknown rule {atom}")
