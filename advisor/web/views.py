"""The objects of the JSON interface, beyond those that the command line prints too."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from advisor.advice import explain, reasons
from advisor.advice.advice import Advice
from advisor.asp.clingo_api import render
from advisor.games.abilities import Abilities, Known
from advisor.games.bounds import settled
from advisor.library import proving
from advisor.settings import config, reading, writing
from advisor.settings.config import WEIGHT_LIMIT, Config
from advisor.web.limits import MAX_CONSTANT, MAX_LEVEL, MAX_SECONDS, MAX_SIDE

Json = dict[str, Any]


def advice(found: Advice, explained: bool) -> Json:
    """The object of ``suggest --json``; if explained, with sentences beside its reasons."""
    view = found.to_json()
    if not explained:
        return view
    moves = []
    say = found.phrasing
    for move in found.moves:
        fires = [
            {**firing.to_json(say), "sentence": reasons.sentence(found, move, firing)}
            for firing in move.fires
        ]
        told = {
            "outcome": say.outcome(move.score),
            "total": move.total,
            "fires": fires,
            "explanation": explain.move_sentences(found, move.move),
        }
        if move.trace:
            features = [
                {
                    **held.to_json(say),
                    "text": reasons.feature_text(say, held.feature, held.player),
                }
                for held in move.trace.features
            ]
            told["trace"] = {**move.trace.to_json(say), "features": features}
        moves.append({**move.to_json(say), **told})
    told = {"headline": explain.headline(found)} if found.chosen else {}
    return {**view, **told, "moves": moves, "explanation": explain.paragraphs(found)}


def progress(found: Advice) -> Json:
    """How far a look-ahead has come, with the scores so far."""
    say = found.phrasing
    return {
        "depth": found.depth,
        "best": [say.code(move) for move in found.chosen],
        "pv": [say.code(move) for move in found.variation],
        "scores": [
            {
                say.noun: say.code(move.move),
                "score": move.score.to_json(),
                "outcome": say.outcome(move.score),
            }
            for move in found.moves
        ],
    }


def sentences(found: Advice, explained: bool) -> Json:
    """Its reasons on a line each; if explained, with the longest play that is expected."""
    told: Json = {"reasons": [*chain.from_iterable(explain.paragraphs(found))]}
    if explained:
        foreseen = [found.variation, found.first.expected.line if found.first.expected else ()]
        line, say = max(foreseen, key=len), found.phrasing
        told |= {"line": [*map(say.code, line)], "line_names": say.told(line)}
    return told


def exact(game: Abilities, known: Known) -> Json:
    """What is proved of every move."""
    say = game.phrasing
    moves = []
    in_order = [move for move in game.legal().values() if move in known.moves]
    best = settled(known.moves)
    for move in in_order:
        bounds = known.moves[move]
        score = game.forced(bounds)
        moves.append(
            {
                say.noun: say.code(move),
                "points": bounds.score if game.in_points else None,
                "bounds": [bounds.lower, bounds.upper],
                "kind": bounds.outcome,
                "moves": score.moves if score else None,
                "outcome": say.outcome(score) if score else "",
            }
        )
    return {
        "proved": all(bounds.score is not None for bounds in known.moves.values()),
        "best": [say.code(move) for move in in_order if move in best],
        "moves": moves,
    }


def proof(found: Any) -> Json:
    """The object of ``prove --json``, with the same in words."""
    told, text = proving.told(found)
    return {**told, "text": [] if found is None else text}


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


def server(offered: Iterable[str]) -> Json:
    """What a page has to know of the server: presets, limits and the games that it offers."""
    return {
        "presets": reading.presets(),
        "default": config.DEFAULT,
        "max_level": MAX_LEVEL,
        "max_seconds": MAX_SECONDS,
        "max_side": MAX_SIDE,
        "weight_limit": WEIGHT_LIMIT,
        "games": list(offered),
        "max_constant": MAX_CONSTANT,
    }
