"""Answer `go`: find a move, and report on the search in lines of the protocol."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from advisor.advice import facade
from advisor.advice.advice import Advice, Move
from advisor.advice.choice import Choice, choose, is_weak, near_best, plies_to_end
from advisor.advice.verdict import rank
from advisor.games.game import Position
from advisor.limits import LEVELS, MAX_DEPTH, NO_LIMIT, Limit
from advisor.settings.chances import logit_of_mean
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

_WITHOUT_END = 1e9
"""Seconds that stand for no time limit."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of play, as the options set it.

    Attributes:
        lines: number of moves to report.
        level: see `advisor.limits.LEVELS`; the last one is full strength.
        threads: number of threads that share a tree of random games.
    """

    lines: int = 1
    level: int = LEVELS[-1]
    threads: int = 1


@dataclass(frozen=True, slots=True)
class GoCommand:
    """The arguments of `go`.

    Attributes:
        limit: depth and time.
        moves: the moves to choose from; all if empty.
        nodes: approximate number of nodes to search; None for no bound.
    """

    limit: Limit = NO_LIMIT
    moves: Sequence[Term] = ()
    nodes: int | None = None


def think(
    position: Position,
    asked: GoCommand,
    how: Strength,
    stop: Stop,
    tell: Callable[[Term, str], None],
) -> Term:
    """Choose the move to play; pass each best move so far to `tell`, with a line of the protocol.

    Raises:
        KeyboardInterrupt: it was stopped before a first result.
    """
    if is_weak(how.level) or position.abilities.by_chance is not None:
        return _choose_by_advice(position, asked, how, stop, tell)
    if how.lines > 1:
        return _several(position, asked, how.lines, stop, tell)

    def deeper(choice: Choice) -> None:
        tell(choice.move, _of_choice(position, choice))

    game, limit = position.abilities, asked.limit
    return choose(game, limit, stop, deeper, asked.moves, asked.nodes).move


def _several(
    position: Position, asked: GoCommand, lines: int, stop: Stop, tell: Callable[[Term, str], None]
) -> Term:
    """Find the best `lines` moves (MultiPV), depth by depth: the best, the best of the rest, ..."""
    game, limit = position.abilities, asked.limit
    in_time, nodes, seconds, best = stop.with_limit(limit.seconds), 0, 0.0, None
    for depth in range(1, 1 + (limit.depth or MAX_DEPTH)):
        left, found = [*(asked.moves or position.names)], list[Choice]()
        while left and len(found) < lines:
            found.append(choose(game, Limit(depth), in_time, moves=left))
            left.remove(found[-1].move)
            nodes, seconds = nodes + found[-1].nodes, seconds + found[-1].seconds
            if in_time.is_set() and best is not None:
                return best
        found.sort(key=lambda choice: -choice.value)
        best = found[0].move
        for number, choice in enumerate(found, 1):
            told = replace(choice, nodes=nodes, seconds=seconds)
            tell(best, _of_choice(position, told, f"multipv {number} "))
        settled = all(choice.plies is not None for choice in found)
        if settled or in_time.is_set() or (asked.nodes is not None and nodes >= asked.nodes):
            break
    assert best is not None  # the first ply is always searched
    return best


def _choose_by_advice(
    position: Position,
    asked: GoCommand,
    how: Strength,
    stop: Stop,
    tell: Callable[[Term, str], None],
) -> Term:
    """Choose a move by `advise`: for levels below full strength, and for random games."""
    limit = asked.limit
    if is_weak(how.level):
        of_level = Limit.of_level(how.level, limit.seconds)
        limit = of_level if limit.depth is None else replace(of_level, depth=limit.depth)
    elif limit == NO_LIMIT and asked.nodes is None:  # the default would be a second
        limit = Limit(seconds=_WITHOUT_END)
    seed = Random(f"{position.moves_line} {how}").getrandbits(63)
    advice = facade.advise(position.abilities, limit, seed, stop, jobs=how.threads)
    ranked = _rank_moves(advice, asked.moves)
    good = [move for move in near_best(advice, how.level) if move in (asked.moves or [move])]
    best = Random(seed).choice(good) if is_weak(how.level) and good else ranked[0].move
    for number, move in enumerate(ranked[: how.lines], 1):
        several = f"multipv {number} " if how.lines > 1 else ""
        tell(best, _of_choice(position, _as_choice(advice, move), several))
    return best


def _rank_moves(advice: Advice, moves: Sequence[Term]) -> list[Move]:
    """Sort some moves of an advice, or all of them, the best first."""

    def goodness(move: Move) -> tuple[object, ...]:
        return move.move in advice.chosen, rank(move)[:2], move.playouts

    found = (move for move in advice.moves if not moves or move.move in moves)
    return sorted(found, key=goodness, reverse=True)


def _as_choice(advice: Advice, move: Move) -> Choice:
    """Convert a move of an advice to a `Choice`.

    The mean result of random games becomes a value in hundredths of a logit, as in look-aheads.
    """
    score, plies, value = move.score, None, move.score.value or 0
    if score.kind in ("win", "loss"):
        plies = plies_to_end(score) or 1
        value = 1 if score.kind == "win" else -1
    elif score.kind == "heuristic" and score.value is None and move.mean is not None:
        value = round(100 * logit_of_mean(move.mean))
    line = move.expected.line if move.expected else (move.move,)
    if advice.variation[:1] == (move.move,):
        line = advice.variation
    work = advice.nodes + advice.leaves
    return Choice(line, plies, value, advice.depth, work, advice.seconds)


def _of_choice(position: Position, choice: Choice, several: str = "") -> str:
    """Write a choice as a line ``info`` of the protocol."""
    spent, score = round(1000 * choice.seconds), f"cp {choice.value}"
    if choice.plies is not None:
        moves = (choice.plies + 1) // 2
        score = f"mate {moves if choice.value > 0 else -moves}"
    rate = f"nps {round(choice.nodes / choice.seconds)} " if spent else ""
    work = f"nodes {choice.nodes} {rate}time {spent}"
    line = " ".join(map(position.code_of, choice.line))
    return f"info depth {choice.depth} {several}score {score} {work} pv {line}"
