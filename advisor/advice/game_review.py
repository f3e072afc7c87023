"""A game of any kind looked back on, by its rules and what is known of it beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from advisor.advice.advice import Advice, Move
from advisor.advice.any_game import advise
from advisor.advice.choice import choose
from advisor.advice.contrast import differences
from advisor.advice.grades import Mark, Prospect, mark
from advisor.advice.reasons import reasons, sentence, subject
from advisor.advice.review import Refutation, Reviewed
from advisor.advice.verdict import rank
from advisor.asp.clingo_api import Term
from advisor.errors import InputError
from advisor.games.playing import Playing
from advisor.games.score import Score
from advisor.limits import Limit, Stop
from advisor.settings.grading import ERRORS, Grading

USUAL = Limit(seconds=0.5)
"""For each move, unless told otherwise."""

_OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win"}
_POINTS = {"win": 1, "draw": 0, "loss": -1}
_AT_ONCE = 2
"""Plies to a loss that no time limit keeps anybody from seeing."""

_REASONS = 3
"""Differences told, the weightiest first, and strategies of either move."""

_PLIES = 12
"""The most that a refutation goes on for."""


@dataclass(frozen=True, slots=True)
class State:
    """A state, with a move to point at if there is one."""

    playing: Playing
    pointed: Term | None = None

    def text(self) -> list[str]:
        """See `advisor.games.abilities.Scene`."""
        return self.playing.notation.board(self.playing)

    def svg(self) -> str | None:
        """See `advisor.games.abilities.Scene`."""
        try:
            return self.playing.notation.drawing(self.playing, self.pointed)
        except InputError:
            return None

    def called(self, player: str) -> str:
        """See `advisor.games.abilities.Scene`."""
        return player


def review(played: Playing, grading: Grading, limit: Limit, stop: Stop) -> Iterator[Reviewed]:
    """The moves of a game, the last one first.

    Args:
        played: the game at its end.
        grading: the thresholds.
        limit: of the look-ahead for each move.
        stop: ends it.

    Raises:
        InputError: a depth of 0 in a game without strategies.
        KeyboardInterrupt: it was to stop; what has come by then holds.
    """
    states = list(played.played)
    later: Advice | None = None
    for ply in range(len(played.moves), 0, -1):
        stop.check()
        state, move = states[ply - 1], played.moves[ply - 1]
        later = _advice(state, move, later, limit, stop)
        yield _back(ply, later, move, states[ply], grading, limit, stop)


def _advice(state: Playing, move: Term, later: Advice | None, limit: Limit, stop: Stop) -> Advice:
    """The advice on a state, with what is certain of the next one, to which a move led.

    Where that shows the move to be lost, the other moves are looked at as many plies ahead: they
    may be lost in the same way.
    """

    def advice(limit: Limit) -> Advice:
        found = advise(state, limit, np.random.default_rng(1), stop, traced=True, asked=move)
        stop.check()
        return found

    found = advice(limit)
    carried = _carried(state, found, move, later)
    if carried is not None and carried.score.kind == "loss" and carried.score.plies is not None:
        seconds = None if carried.score.plies <= _AT_ONCE else limit.seconds
        found = advice(Limit(carried.score.plies, seconds))
        carried = _carried(state, found, move, later)
    if carried is None:
        return found
    chances = [carried if chance.move == move else chance for chance in found.moves]
    ranked = tuple(sorted(chances, key=rank, reverse=True))
    return replace(found, moves=ranked, chosen=(ranked[0].move,), score=ranked[0].score)


def _carried(state: Playing, advice: Advice, move: Term, later: Advice | None) -> Move | None:
    """What a move leads to, where only the advice on the state after it is certain of that."""
    own = advice.move(move)
    if own.score.kind != "heuristic" or later is None or not later.moves:
        return None
    best = later.moves[0]
    if best.score.kind != "win" and any(chance.score.kind == "heuristic" for chance in later.moves):
        return None
    mine = later.position.turn == state.turn
    kind = best.score.kind if mine else _OPPOSITE[best.score.kind]
    moves = None if best.score.moves is None else best.score.moves + (kind == "win")
    plies = None if best.score.plies is None else best.score.plies + 1
    return Move(move, Score(kind, moves, plies=plies), own.fires)


def _back(
    ply: int,
    advice: Advice,
    move: Term,
    after: Playing,
    grading: Grading,
    limit: Limit,
    stop: Stop,
) -> Reviewed:
    """The review of one move."""
    state = advice.position
    code = state.notation.code
    scale = grading.scale_of(state.game.rules.name)
    chances = {code(chance.move): chance for chance in advice.moves}
    games = max(chance.playouts for chance in advice.moves)
    prospects = {name: _prospect(chance, games) for name, chance in chances.items()}
    found = mark(prospects, code(move), grading, scale)
    expected = prospects[code(move)].expected(scale)
    error = found.grade in ERRORS
    pointed = chances[found.better[0]].move if found.better else move
    refutation = _refutation(after, limit, stop) if error and not after.over else None
    missed = _missed(state, after, chances, prospects, code(move), found) if error else ()
    return Reviewed(
        ply=ply,
        side=state.turn,
        player=state.player,
        move=code(move),
        names={code(term): name for term, name in state.names.items()},
        mark=found,
        prospects=prospects,
        expected=expected if state.turn == 0 else 1 - expected,
        reasons=tuple(_reasons(state, advice, chances, prospects, code(move), found)),
        missed=tuple(missed),
        before=State(state, pointed),
        refutation=refutation,
    )


def _prospect(chance: Move, games: int) -> Prospect:
    """What is known of a move, where as many random games as this were played after the best.

    With less than half as many it counts as not looked at: after a game or two chance would make
    some move the best of all.
    """
    if chance.score.kind != "heuristic":
        points = _POINTS[chance.score.kind]
        return Prospect(chance.score.kind, (points, points), chance.score.moves)
    if 2 * chance.playouts < games:
        return Prospect("heuristic", (-1, 1))
    return Prospect("heuristic", (-1, 1), None, chance.ahead, chance.mean)


def _reasons(
    state: Playing,
    advice: Advice,
    chances: Mapping[str, Move],
    prospects: Mapping[str, Prospect],
    move: str,
    found: Mark[str],
) -> list[str]:
    own = chances[move]
    other = chances[found.better[0]] if found.better else None
    if other is None:  # the next best one, in the advice's order
        other = next((chance for chance in advice.moves if chance is not own), None)
    results = (_outcome(state, own), _outcome(state, other) if other else "")
    told = _beside(advice, own, other, results)
    if found.only and other is not None:
        told.insert(0, f"{state.names[own.move]} is the only move that does not give that away.")
    return told


def _beside(advice: Advice, move: Move, other: Move | None, results: tuple[str, str]) -> list[str]:
    """Sentences on a move beside a better one, or the next best: what each leads to and has.

    What strategies say is no part of the values here, which are the look-ahead's.

    Args:
        advice: with traces.
        move, other: two of its moves; no other where there is only one.
        results: what they lead to, in a few words; the second means nothing without another.
    """
    say = advice.phrasing
    if other is None:
        return [f"{say.played(move.move)} is the only legal move."]
    told = [f"{say.played(move.move)}: {results[0]}; {say.played(other.move)}: {results[1]}."]
    if all(each.score.kind == "heuristic" for each in (move, other)):
        found = differences(replace(move, fires=()), replace(other, fires=()))
        told += (reasons(advice, move, other, [each])[0] for each in found[:_REASONS])
    for each, speaks_for in ((move, False), (other, True)):
        told += [
            sentence(advice, each, firing, subject(say, each))
            for firing in each.fires
            if each.score.plies != 1  # of the last move of a game its result is the reason
            and firing.reasons
            and (firing.weight > 0) is speaks_for
        ][:_REASONS]
    return told


def _outcome(state: Playing, chance: Move) -> str:
    """What a move leads to, in a few words."""
    if chance.score.kind == "draw":
        return "a draw"
    if chance.score.plies is not None:
        return state.notation.outcome(chance.score.kind, chance.score.plies, chance.score.within)
    if chance.mean is not None:
        return f"random games end with {chance.mean:+.2f} on the average"
    return "open" if chance.ahead is None else f"a score of {chance.ahead}"


def _missed(
    state: Playing,
    after: Playing,
    chances: Mapping[str, Move],
    prospects: Mapping[str, Prospect],
    move: str,
    found: Mark[str],
) -> Iterator[str]:
    """What a better move would have been, in a few words each."""
    best = chances[found.better[0]]
    if best.score.kind == "win" and prospects[move].kind != "win" and best.score.plies is not None:
        yield state.notation.outcome("win", best.score.plies, best.score.within)
    own = chances[move]
    if own.score.kind == "loss" and own.score.plies == 2 and best.score.kind != "loss":
        names = [after.names[term] for term in after.foreseen("")[0]]
        yield f"a block of {names[0]}" if len(names) == 1 else "a block"


def _refutation(state: Playing, limit: Limit, stop: Stop) -> Refutation:
    """What an error allows, as the look-ahead sees it."""
    line = choose(state, limit, stop).line[:_PLIES]
    stop.check()
    end = state
    for move in line:
        end = end.play(move)
    return Refutation(tuple(state.told(line)), State(end))
