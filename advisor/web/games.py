"""The games that a server offers, and the positions that clients send."""

import os
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import advisor
from advisor.errors import AdvisorError, InputError, at
from advisor.files import textfile
from advisor.files.resources import ENCODINGS, versions
from advisor.files.textfile import suggest_name
from advisor.web.limits import MAX_CONSTANT, MAX_LEVEL, MAX_SECONDS, MAX_SIDE
from advisor.web.models import USUAL, WEIGHTS, Json, PositionRequest
from aspcircuits.stopping import Stop
from aspcircuits.texts import quote_text

_COLUMNS = ("size", "plies", "exact", "setup")
"""Abilities of the page with Connect Four, whose moves are columns."""

_EVERY_GAME = ("review", "threats", "pages")
"""Abilities with every game: grades of a game's moves, a map of threats, and pages of a game."""

_TITLES = {
    "connect4": "Connect Four",
    "tictactoe": "Tic-tac-toe",
    "morris": "Nine men's morris",
}
"""Titles of games that cannot be made from their names."""


def find_games(folders: Sequence[str]) -> dict[str, str]:
    """Map the name of each game on offer to the game or its folder, Connect Four first.

    Args:
        folders: of the owner's games; each game has the name of its folder.

    Raises:
        InputError, EncodingError: a folder is no game, or has the name of another one.
    """
    found = {name: name for name in sorted(advisor.game_names(), key=lambda name: name != USUAL)}
    for folder in folders:
        advisor.load_weights(game=folder)
        name = Path(folder).resolve().name
        if name in found:
            raise InputError(f"`game`: there is a game {quote_text(name)} already")
        found[name] = folder
    return found


def error_text(error: AdvisorError) -> str:
    """Return an error's text without the server's own paths."""
    return hide_paths(str(error))


def hide_paths(text: str) -> str:
    """Return a text without the server's own paths."""
    return text.replace(f"{ENCODINGS}{os.sep}", "")


def source(offered: Mapping[str, str], game: str) -> str:
    """Look up a game's source by its name; a path from a client is no name.

    Raises:
        InputError: there is no such game; the message lists the games.
    """
    if game not in offered:
        raise InputError(f"game: no game {quote_text(game)} ({suggest_name(game, offered)})")
    return offered[game]


def parts(folder: Path) -> list[Path]:
    """List all files that a game consists of."""
    patterns = ("*.lp", "*.yaml", "presets/*.yaml")
    return sorted(file for pattern in patterns for file in folder.glob(pattern))


def edition(source: str) -> int:
    """Return a number that changes when a file of the owner's own game changes.

    A worker that knows another edition of the game loads it again.
    """
    return hash(versions(parts(Path(source)))) if source not in advisor.game_names() else 0


def catalogue(offered: Mapping[str, str], more: Mapping[str, Sequence[str]]) -> Json:
    """List the games and what a page can offer of each; plugins add more, by the game's name."""
    found = []
    for name, source in offered.items():
        presets = advisor.presets(None if name == USUAL else source)
        can = ["constants"]
        if name == USUAL:
            can = [*_COLUMNS]
        can += [*_EVERY_GAME, *(["puzzles"] if puzzles(name) else [])]
        can += ["weights"] if WEIGHTS in presets else []
        can += more.get(name, ())
        found.append(
            {
                "game": name,
                "presets": presets,
                "title": _TITLES.get(name, name.replace("_", " ").capitalize()),
                "board": "columns" if name == USUAL else "squares",
                "can": can,
                "scale": advisor.logit_scale(source),
            }
        )
    return {"games": found}


def program(source: str) -> Json:
    """Return a game's rules and knowledge, as its files contain them."""
    folder = ENCODINGS / source if source in advisor.game_names() else Path(source)
    files = sorted(folder.glob("*.lp"), key=lambda file: (file.name != "rules.lp", file.name))
    return {"files": [{"name": file.name, "text": textfile.read_text(file)} for file in files]}


@cache
def puzzles(game: str) -> tuple[str, ...]:
    """List the ids of a game's puzzles in order, from both books if it has two."""
    try:
        book = advisor.puzzles(game=game, extra=True)
    except InputError:
        return ()
    return (*book, *(advisor.puzzles("second") if game == USUAL else ()))


def server(offered: Mapping[str, str], scripts: Sequence[str]) -> Json:
    """Describe the server to a page: presets, limits, games and plugins' scripts."""
    return {
        "presets": advisor.presets(),
        "default": WEIGHTS,
        "max_level": MAX_LEVEL,
        "max_seconds": MAX_SECONDS,
        "max_side": MAX_SIDE,
        "weight_limit": advisor.Weights.LIMIT,
        "games": [name for name in offered if name != USUAL],
        "max_constant": MAX_CONSTANT,
        "scripts": [*scripts],
    }


@lru_cache(maxsize=64)
def load_weights(game: str, text: str, edition: int = 0) -> advisor.Weights:
    """Load a preset of a game or folder, or weights from a text that may only change numbers.

    Args:
        game: the game or its folder.
        text: the preset's name, or the weights.
        edition: see `edition`; for rules that their owner edits.

    Raises:
        ConfigError: the weights cannot be used.
    """
    return advisor.load_weights(game=None if game == USUAL else game, text=text)


def position(game: advisor.Game, text: str, moves: Sequence[Any]) -> advisor.Position:
    """Return the position after some moves from a given start.

    Args:
        game: the game.
        text: the start, as a text.
        moves: the moves from there.

    Raises:
        InputError: the text is no position, or a move is illegal.
    """
    return play_moves(game.position(_decode(text), name="board"), moves)


def tree(game: advisor.Game, text: str) -> advisor.MoveTree:
    """Read a game with its variations; an InputError if it is none."""
    return game.read_tree(_decode(text), "board")


def _decode(text: str) -> str:
    with at("board"):
        return textfile.decode(text.encode()) if text.strip() else ""


def play_moves(position: advisor.Position, moves: Sequence[Any]) -> advisor.Position:
    """Play the moves of a request from a position.

    Raises:
        InputError: a move is illegal; the message says which.
    """
    for number, move in enumerate(moves, 1):
        try:
            position = position.play(move)
        except InputError as error:
            why = str(error).partition(": ")[2] or str(error)
            raise InputError(f"moves: move {number}: {why}") from None
    return position


def usual(asked: PositionRequest) -> advisor.Position:
    """Return a position of Connect Four at once, without a worker; it must be small enough.

    Raises:
        InputError: the text is no board, the board is too large, or a move is illegal.
    """
    game = advisor.load_game(USUAL, constants=asked.chosen)
    found = position(game, asked.board, asked.moves)
    (width, height), connect = found.size, found.connect
    if max(width, height, connect) > MAX_SIDE:
        raise InputError(
            f"board: {width} x {height}, connect {connect} is too large here "
            f"(at most {MAX_SIDE}; the command line takes larger boards)"
        )
    return found


class Kept:
    """The games that a worker has loaded, so that it compiles each only once.

    It keeps only the last weights that a client sent, since their user will probably send them
    again.
    """

    def __init__(self) -> None:
        self._loaded: dict[tuple[str, tuple[Any, ...], str | None], advisor.Game] = {}
        self._editions: dict[str, int] = {}
        self._own: str | None = None

    def load_game(self, job: Json, stop: Stop, weights: str | None) -> advisor.Game:
        """Load the game of a job with its weights, or by its rules alone, which is faster.

        Args:
            job: the request.
            stop: ends the loading.
            weights: a preset or a text; None for the rules alone.
        """
        name, *constants = job["game"]
        edition = job.get("edition", 0)
        if self._editions.setdefault(name, edition) != edition:
            self._editions[name] = edition
            self._loaded = {key: game for key, game in self._loaded.items() if key[0] != name}
        if weights not in (None, WEIGHTS, self._own):
            self._loaded = {key: game for key, game in self._loaded.items() if key[2] != self._own}
            self._own = weights
        key = name, tuple(map(tuple, constants)), weights
        if key not in self._loaded:
            known = None if weights is None else load_weights(name, weights, edition)
            self._loaded[key] = advisor.load_game(
                name, weights=known, constants=dict(constants), stop=stop
            )
        return self._loaded[key]
