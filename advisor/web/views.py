"""The objects of the JSON interface, beyond those that the command line prints too."""

from typing import Any

from advisor.advice import explain
from advisor.advice.advise import Advice, score_of
from advisor.asp.clingo_api import render
from advisor.engine.search import Result
from advisor.errors import InputError
from advisor.games.connect4.board import DISCS, Position
from advisor.games.connect4.notation import one_line, parse_line, to_yaml
from advisor.games.connect4.puzzles import Puzzle
from advisor.settings import config, reading, writing
from advisor.settings.config import WEIGHT_LIMIT, Config
from advisor.web.limits import MAX_LEVEL, MAX_SECONDS, MAX_SIDE

Json = dict[str, Any]


def position(found: Position) -> Json:
    """A position: what a page needs to draw it and to know what can be played."""
    size = found.geometry
    over = found.result() is not None
    winner = found.winner
    lines = size.winning_lines(found.discs_of(winner)) if winner else []
    return {
        **size.constants,
        "rows": found.rows(),
        "turn": DISCS[found.turn],
        "moves": [] if over else [[c, found.row_of(c)] for c in sorted(found.moves())],
        "discs": found.discs,
        "over": over,
        "winner": DISCS[winner] if winner else None,
        "lines": lines,
        "status": _status(found),
        "text": _text(found),
        "yaml": to_yaml(found),
    }


def _status(found: Position) -> str:
    winner = found.winner
    if winner:
        lines = found.geometry.winning_lines(found.discs_of(winner))
        where = " and ".join(map(explain.squares_text, lines))
        return f"{explain.COLOURS[winner].capitalize()} has won {where}."
    if found.full:
        return "The game is over: a draw."
    return f"{explain.COLOURS[found.turn].capitalize()} to move."


def _text(found: Position) -> str:
    """The shortest board text that gives this position again where its size is known."""
    line = one_line(found)
    try:
        return line if parse_line(line, found.geometry) == found else to_yaml(found)
    except InputError:
        return to_yaml(found)


def advice(found: Advice, explained: bool) -> Json:
    """The object of ``suggest --json``; if explained, with sentences beside its reasons."""
    view = found.to_json()
    if not explained:
        return view
    moves = []
    for move in found.moves:
        fires = [
            {**firing.to_json(), "sentence": explain.sentence(found, move, firing)}
            for firing in move.fires
        ]
        label = explain.outcome(move.score)
        moves.append({**move.to_json(), "outcome": label, "total": move.total, "fires": fires})
    return {**view, "moves": moves, "explanation": explain.explain(found)}


def progress(result: Result) -> Json:
    """How far a look-ahead has come, with the scores so far."""
    scores = {column: score_of(v, result.exhaustive) for column, v in result.scores.items()}
    return {
        "depth": result.depth,
        "best": list(result.best),
        "pv": list(result.variation),
        "scores": [
            {"column": column, "score": score.to_json(), "outcome": explain.outcome(score)}
            for column, score in sorted(scores.items())
        ],
    }


def puzzle(posed: Puzzle) -> Json:
    """A puzzle as the book lists it, without its solution."""
    chapter, _, number = posed.id.removeprefix("chapter").partition("/")
    return {
        "id": posed.id,
        "chapter": int(chapter),
        "number": int(number),
        **posed.position.geometry.constants,
        "rows": posed.position.rows(),
        "turn": DISCS[posed.position.turn],
        "win_in": posed.win_in,
        "extra": posed.extra,
        "text": _text(posed.position),
    }


def weights(settings: Config) -> Json:
    """Every weight with its path in a weights file and what it is for."""
    texts = settings.texts
    return {
        "name": settings.name,
        "depth": settings.depth,
        "weights": [
            {
                "program": program,
                "name": render(name),
                "path": [program, *(name if isinstance(name, tuple) else (name,))],
                "value": value,
                "title": texts.comment(program, render(name)),
            }
            for program, named in settings.weights.items()
            for name, value in named.items()
        ],
        "yaml": writing.to_yaml(settings),
    }


def server() -> Json:
    """What a page has to know of the server: presets and limits."""
    return {
        "presets": reading.presets(),
        "default": config.DEFAULT,
        "max_level": MAX_LEVEL,
        "max_seconds": MAX_SECONDS,
        "max_side": MAX_SIDE,
        "weight_limit": WEIGHT_LIMIT,
    }
