"""Advice with values, lines and depth from another program, and reasons from the rules.

The rules find reasons along the engine's lines, as for any advice. An engine reports only its best
moves, so an advice contains only these. It is trusted: an announced mate counts as one, and
sentences attribute it to the engine. A mate in one is checked, since sentences state it as a fact.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from advisor.advice.advice import Advice, Expected, Move
from advisor.advice.facade import DEFAULT, build_advice
from advisor.advice.uci_program import EngineAnswer, EngineLine, UciCommand, ask
from advisor.advice.verdict import rank_score, verdict
from advisor.errors import InputError
from advisor.games.abilities import Abilities
from advisor.games.score import Score
from advisor.limits import Limit
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop
from aspcircuits.texts import quote_text

LINES = 3
"""Number of lines to request from an engine, unless its options set another one."""

_PLIES = 12
"""Most plies of a line that are followed."""


def advise(
    game: Abilities,
    engine: UciCommand,
    limit: Limit,
    stop: Stop,
    *,
    otherwise: Limit = DEFAULT,
    lines: int = LINES,
    apart: bool = True,
    on_iteration: Callable[[Advice], None] | None = None,
) -> Advice:
    """Score the best moves of a position by an engine; a finished game gets only its result.

    Args (others: see `advisor.advice.uci_program.ask`):
        on_iteration: called after every completed depth.

    Raises:
        InputError: see `ask`; or the engine's best move is not legal.
        KeyboardInterrupt: it was stopped before anything was known.
    """
    if (over := game.result) is not None:
        return Advice(game, (), over)

    def tell(so_far: EngineAnswer) -> None:
        if on_iteration is not None:
            on_iteration(_advice(game, engine, so_far))

    found = ask(
        engine,
        game.position,
        limit,
        stop,
        otherwise=otherwise,
        lines=engine.lines or lines,
        apart=apart,
        on_deeper=tell,
    )
    return _advice(game, engine, found)


def with_move(advice: Advice, move: Term, later: Advice) -> Advice:
    """Add a move that was played, scored by the engine's view of the position after it.

    If the engine also scores the move here, the better of both scores counts; but no move is made
    better than the best one.

    Args:
        advice: on the position before the move.
        move: the move that was played.
        later: on the position after the move, where the game may be over.
    """
    seen = _score_after(later)
    here = [each for each in advice.moves if each.move == move]
    best = advice.first
    better = max((seen, *(each.score for each in here)), key=_order)
    score = min(best.score, better, key=_order)
    if here and score == here[0].score:
        return advice
    line = (move, *later.variation)
    expected = here[0].expected if here and better is here[0].score else Expected(line)
    others = tuple(each for each in advice.moves if each.move != move)
    return replace(advice, moves=(*others, Move(move, score, expected=expected)))


def _score_after(later: Advice) -> Score:
    """Return the score of a move by that of the position after it, the other side to move."""
    score = later.score
    if score.kind == "heuristic":
        return replace(score, value=None if score.value is None else -score.value)
    if score.kind == "draw":
        return score
    won = score.kind == "loss"
    moves = None if score.moves is None else score.moves + won
    plies = None if score.plies is None else score.plies + 1
    return replace(score, kind="win" if won else "loss", moves=moves, plies=plies)


def _order(score: Score) -> tuple[int, int]:
    """Return a sort key; greater is better."""
    return rank_score(score.kind, score, score.value)


def _advice(game: Abilities, engine: UciCommand, answer: EngineAnswer) -> Advice:
    """Turn an engine's answer into an advice."""
    ranked = [line for _, line in sorted(answer.lines.items())]
    if not ranked:
        ranked = [EngineLine((answer.move,))]
    moves: dict[Term, Move] = {}
    for each in _moves(game, engine, ranked):
        moves.setdefault(each.move, each)
    judged = verdict(game, [*moves.values()], {}, None)
    return replace(
        build_advice(game, judged),
        engine=answer.name,
        depth=ranked[0].depth,
        nodes=answer.nodes,
        seconds=answer.seconds,
        interrupted=answer.interrupted,
    )


def _moves(game: Abilities, engine: UciCommand, lines: list[EngineLine]) -> Iterator[Move]:
    """Yield the first moves of lines, each with its score and the legal part of the line.

    Raises:
        InputError: a first move is not legal, or is called mate and is none.
    """
    for line in lines:
        terms, now = list[Term](), game
        for said in line.moves[:_PLIES]:
            codes = {str(now.phrasing.code(move)): move for move in now.legal().values()}
            if said not in codes:
                break
            terms.append(codes[said])
            now = now.after(codes[said])
            if now.result is not None:
                break
        if not terms:
            answer, where = quote_text(line.moves[0]), game.position.text
            no_move = f"which is no legal move of {game.phrasing.game}"
            raise InputError(f"{quote_text(engine.start)} answers {answer}, {no_move} in {where}")
        score = _score(line)
        if score.plies == 1:
            after = game.after(terms[0]).result
            if after is None or after.kind != "loss":
                said = game.phrasing.moves(terms[:1])
                raise InputError(
                    f"{quote_text(engine.start)} says that {said} wins at once (it does not)"
                )
        yield Move(terms[0], score, expected=Expected(tuple(terms)))


def _score(line: EngineLine) -> Score:
    """Return a value as it is, a mate as a result within as many moves."""
    if line.mate is None:
        return Score("heuristic", value=line.value)
    won, moves = line.mate > 0, abs(line.mate)
    plies = 2 * moves - won
    return Score("win" if won else "loss", moves, plies=plies, within=plies > 1)
