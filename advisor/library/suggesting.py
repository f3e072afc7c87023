"""Advice on a position of any game, and its reasons."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from advisor.advice import explain as explaining
from advisor.advice import facade
from advisor.advice.advice import Advice, check_advice
from advisor.advice.choice import is_weak, near_best
from advisor.advice.numbers import account
from advisor.errors import InputError
from advisor.games import rooms
from advisor.games.bounds import Bounds
from advisor.games.game import Position
from advisor.library import arguments
from aspcircuits.stopping import Stop

if TYPE_CHECKING:
    from advisor.advice.threats import Threats


def suggest(
    position: Position,
    *,
    depth: int | None = None,
    level: int | None = None,
    seconds: float | None = None,
    exact: float | None = None,
    engine: str | None = None,
    weights: str | os.PathLike[str] | None = None,
    book: bool | None = None,
    traced: bool = True,
    at_once: bool = False,
    seed: int | None = 1,
    go_on: bool = False,
    jobs: int = 1,
    known: Mapping[int | str, tuple[int, int]] | None = None,
    stop: Stop | None = None,
    on_iteration: Callable[[Advice], None] | None = None,
) -> Advice:
    """Advise on a position: the best moves, and the value of every move for the side to move.

    >>> a = advisor.suggest(advisor.position("363224242233"), depth=4)
    >>> a.best, a.score.kind
    ((4,), 'heuristic')
    >>> a.scores[5].kind, a.scores[5].moves
    ('loss', 2)
    >>> t = advisor.position("a1 b2 a2 c3", game="tictactoe")
    >>> advisor.suggest(t, depth=9).best
    ('a3',)

    Args:
        position: of any game; a finished one gets only its result.
        depth: plies to look ahead; 0 uses the answer set of the position alone. By default that of
            the weights.
        level: the work of an opponent of this level, 1 to 20, in place of a depth: plies and random
            games. A level below full strength has no opening book; `choices` says what it plays.
        seconds: look as deep as this time allows, or no longer than this to the depth given.
        exact: seconds to search to the end of the game after that; what is proved decides.
        engine: the command of a program that speaks UCI, as ``"stockfish;Threads=2;Hash=64"``: it
            decides in place of the advisor's look-ahead, to the same `depth` and for the same
            `seconds` (by default a second), and values its best moves (three, or as many as its
            option MultiPV). The rules find reasons along its lines.
        weights: a preset or a weights file, in place of the game's own. A game
            by its rules is then loaded anew, which `load_game` does once for many questions.
        book: keep to the opening books, the advisor's and that of the extra ``exact``, and to the
            solution of the board; the default unless the weights are your own.
        traced: find the origin of each score, for `explain`; faster without.
        at_once: do not look ahead if a solution of the game wins; other moves are then included
            only if an opening book contains them.
        seed: of random games, if a game has no weights; None for new ones each time.
        go_on: add random games to the tree of earlier questions about the game.
        jobs: threads that share the work, if there is machine code; the answer is the same, except
            with random games, which threads add to one tree as they finish.
        known: earlier proofs about moves: the `Reviewed.known` of the same position after the same
            moves.
        stop: set it from another thread to get what is known by then.
        on_iteration: called with an advice after every completed depth; with `exact`, then with the
            advice each time that more is proved, which is in its `certain`.

    Raises:
        ConfigError, EncodingError: weights or encodings that cannot be used.
        InputError: an argument does not fit the position; an invalid depth, time, number of jobs,
            seed or weights; an engine that does not start, or does not answer properly.
        KeyboardInterrupt: `stop` was set before anything was known.
    """
    arguments.position(position)
    limit, exact = arguments.limit(depth, seconds, level), arguments.time(exact)
    jobs = arguments.jobs(jobs)
    seed = None if seed is None else arguments.seed(seed)
    named = None if weights is None else arguments.path("weights", weights)
    game = position.game
    if is_weak(level) and game.bookish:
        book = False
    if named is not None or book is not None:
        game = game.with_weights(named, book)
    stop, tell = arguments.stop(stop), on_iteration or (lambda _: None)
    if (program := arguments.engine(engine, game)) is not None:
        for name, given in (("exact", exact), ("level", level)):
            if given is not None:
                raise InputError(f"`engine` and `{name}` are both given (use one of them)")
        if depth == 0:
            raise InputError("`depth`: an engine looks ahead (use 1 or more)")
        if jobs > 1:
            raise InputError("`jobs`: threads of an engine are its own option, as ;Threads=2")
        from advisor.advice import by_engine  # most questions do without it

        seen = game.see(position)
        return by_engine.advise(seen, program, limit, stop, on_iteration=on_iteration)
    abilities = game.see(position)
    codes = {abilities.phrasing.code(m): m for m in abilities.legal().values()} if known else {}
    proved = {codes[code]: Bounds(*each) for code, each in (known or {}).items()}
    advice = facade.advise(
        abilities,
        limit.with_default_depth(game.settings.depth),
        seed,
        stop=stop,
        traced=traced,
        jobs=jobs,
        go_on=go_on,
        at_once=at_once,
        proved_before=proved,
        on_iteration=on_iteration,
    )
    if exact is None or not advice.chosen or advice.interrupted:
        return advice
    return facade.add_exact_results(advice, exact, stop, jobs, tell)


def choices(advice: Advice, level: int) -> tuple[Any, ...]:
    """Return the moves, as `play` takes them, among which a level's player chooses at random.

    >>> a = advisor.suggest(advisor.position("444444676776"), depth=4, book=False)
    >>> a.best, advisor.choices(a, 20), advisor.choices(a, 1)
    ((6,), (6,), (1, 2, 3, 5, 6, 7))

    Args:
        advice: with a look-ahead of at least a ply; a finished game has no choices.
        level: 1 to 20, of which 20 plays only the best ones.
    """
    check_advice(advice)
    level = arguments.level(level)
    return tuple(map(advice.phrasing.play_name, near_best(advice, level)))


def explained(advice: Advice, language: str = "") -> dict[str, Any]:
    """Return the object of ``suggest --json`` with sentences beside its `traced` reasons.

    >>> a = advisor.suggest(advisor.position("443355"), depth=4)
    >>> advisor.explained(a)["headline"]
    'Play column 2 or 6 (equally good): wins in 1.'

    Args:
        advice: to explain.
        language: such as "de", for strategies and features whose rules have texts in it; paragraphs
            are in English.
    """
    check_advice(advice)
    return explaining.to_json(advice, language)


def proofs(advice: Advice, *, stop: Stop | None = None) -> list[str]:
    """Return proofs about the moves that a person can follow, in full for the best ones.

    >>> a = advisor.suggest(advisor.position("a1", game="tictactoe"), depth=1)
    >>> advisor.proofs(a)
    []
    """
    check_advice(advice)
    moves = [move.move for move in advice.moves]
    return advice.game.proofs(moves, advice.chosen, arguments.stop(stop))


def reason(advice: Advice, move: Any) -> str:
    """Say in a few words why a move, as `play` takes it, is the best; empty if it is not.

    >>> advisor.reason(advisor.suggest(advisor.position("443355"), depth=4), 2)
    'wins in 1; completes a line'

    The advice has to be `traced`.

    Raises:
        InputError: the move is not legal.
    """
    check_advice(advice)
    return explaining.main_reason(advice, advice.move(move).move)


def explain(said: Any, move: Any = None, *, numbers: bool = False) -> list[str]:
    """Explain advice in paragraphs, or a proof line by line.

    >>> p = advisor.position("443355")
    >>> advisor.explain(advisor.suggest(p, depth=4))[0]
    'Column 2 wins at once: red completes a line on b1-e1.'

    >>> advisor.explain(advisor.suggest(p, depth=4), 1)[0]
    'Column 1 wins in 2 moves: ... Column 2 or 6 is better: a win at once.'

    Args:
        said: an advice, `traced` for reasons (a finished game has none); or a result of `prove`,
            which is None if it has found nothing.
        move: explain only this move of an advice, as `play` takes it.
        numbers: give the origin of the scores instead: how much more the features and strategies of
            the move, by default of the best ones, count than the next best move's.

    Raises:
        InputError: neither advice nor a proof, or a move that is not legal.
    """
    if isinstance(said, Advice):
        if numbers:
            wanted = said.chosen if move is None else (said.move(move).move,)
            return [" ".join(told) for each in wanted if (told := account(said, each))]
        if move is not None:
            return [" ".join(explaining.move_sentences(said, said.move(move).move))]
        return [" ".join(sentences) for sentences in explaining.paragraphs(said)]
    return rooms.explain(said)


def threats(position: Position, *, language: str = "", stop: Stop | None = None) -> "Threats":
    """Find the opponent's threats: what he would do if it were his turn.

    >>> advisor.threats(advisor.position("142454")).sentences
    ('Yellow threatens column 4, which wins at once: yellow completes a line on d1-d4.',)

    Args:
        position: of any game. If the rules do not let the opponent move, as in check, the one
            sentence says so.
        language: such as "de", for the texts of the map of threats that the rules have in it.
        stop: ends the work with a KeyboardInterrupt.

    Raises:
        InputError: the game is over.
        EncodingError: the encodings of its game cannot be used.
    """
    from advisor.advice.threats import find_threats  # most questions do without it

    arguments.going_on(position)
    return find_threats(position, arguments.stop(stop), language)
