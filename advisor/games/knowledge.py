"""A game's knowledge beside its rules: strategies, features, their weights and words.

In a game's folder, ``strategy.lp`` says what speaks for a move, ``features.lp`` what a state is
worth, ``weights.yaml`` how much; all are optional. `advisor.settings` checks them as it checks
Connect Four's.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from advisor.files.resources import ENCODINGS
from advisor.games.circuits import Circuits
from advisor.games.rules import Rules, numbers, read, rule_files
from advisor.settings import reading
from advisor.settings.config import CONNECT4, DEFAULT, KINDS, OWN, Config, Home
from aspcircuits.stopping import Stop

FILES = {"moves": "strategy.lp", "features": "features.lp"}
"""The files with a game's knowledge."""

ALONE = {"rules": ENCODINGS / "rules.yaml"}
"""The preset of every game that plays it without its knowledge."""

PLACEHOLDERS = ("me", "you", "where", "move")
"""Placeholders in the sentence of a strategy, filled in for each move."""


def home(files: tuple[Path, ...]) -> Home:
    """Return the `Home` of a game whose rules are these files, ``rules.lp`` first."""
    folder = files[0].parent
    if folder == OWN:  # the knowledge needs these files, except files that choose among moves
        choosing = {OWN / "suggest.lp", OWN / "evaluate.lp"}
        frames = {
            program: (*files, *(f for f in frame if f not in {*files, *choosing}))
            for program, frame in CONNECT4.frames.items()
        }
        return replace(CONNECT4, frames=frames, presets={**CONNECT4.presets, **ALONE}, depth=None)
    knowledge = {
        program: (folder / name,) if (folder / name).is_file() else ()
        for program, name in FILES.items()
    }
    weights = folder / "weights.yaml"
    own = {file.stem: file for file in sorted((folder / "presets").glob("*.yaml"))}
    presets = {**ALONE, **own}
    if weights.is_file():
        presets[DEFAULT] = weights
    return Home(
        frames=dict.fromkeys(KINDS, files),
        knowledge=knowledge,
        nameable=frozenset(file for found in knowledge.values() for file in found),
        presets=presets,
        given=("true/1", "does/2", "weight/2"),
        placeholders=PLACEHOLDERS,
        depth=None,
        by_rules=True,
    )


def settings(game: str, weights: str | Config = DEFAULT) -> Config:
    """Return the weights of a game and the files that they are for.

    Args:
        game: a name or a folder.
        weights: a preset or a file, by default the game's own; or settings, returned as they are.

    Raises:
        ConfigError, EncodingError, InputError: see `rule_files` and `reading.load`.
    """
    if isinstance(weights, Config):
        return weights
    return reading.load(weights, home(rule_files(game)))


def load(
    game: str,
    weights: str | Config | None = DEFAULT,
    constants: Mapping[str, int] | None = None,
    stop: Stop | None = None,
) -> tuple[Circuits, Config]:
    """Load a game with its knowledge, ready to be played; arguments as for `ground`.

    Without weights, the game has its rules alone.
    """
    if weights is None:
        return Circuits(read(game, constants=constants, stop=stop)), settings(game)
    rules, config = ground(game, weights, constants, stop)
    return compile_circuits(rules, config), config


def ground(
    game: str,
    weights: str | Config = DEFAULT,
    constants: Mapping[str, int] | None = None,
    stop: Stop | None = None,
) -> tuple[Rules, Config]:
    """Return the ground rules of a game and its settings; see `settings` and `rules.read`.

    If the weights name others for other sizes, unusual constants select those.

    Raises:
        ConfigError: a strategy or a feature has no weight.
    """
    config = settings(game, weights)
    rules_alone = rule_files(game)
    if not (constants or {}).items() <= numbers(rules_alone).items():  # not of the usual size
        config = reading.for_other_boards(config)
    files = dict.fromkeys(file for program in KINDS for file in config.files(program))
    same = {file.resolve() for file in rules_alone}  # weights may name them by other paths
    knowledge = [file for file in files if file.resolve() not in same]
    rules = read(game, knowledge, constants, stop)
    for program, name in (("moves", "fires"), ("moves", "because"), ("features", "feature")):
        for atom, _ in rules.derived_atoms(name):
            config.require_weight(program, atom[1])
    return rules, config


def compile_circuits(rules: Rules, config: Config) -> Circuits:
    """Compile the circuits of a game with its weights."""
    strategies, features = (config.weights[program] for program in KINDS)
    return Circuits(rules, features, strategies, config.search, config.selective)
