"""`advisor weights`: the effective settings, to save and change."""

import typer

from advisor.cli import options
from advisor.cli.groups import example
from advisor.games import knowledge
from advisor.settings import reading, writing


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor weights > mine.yaml"))(weights)


def weights(
    weights: options.Weights = options.DEFAULT_WEIGHTS, game: options.OtherRules = None
) -> None:
    """Print the effective settings as YAML, to save and change."""
    settings = knowledge.settings(game, weights) if game else reading.load(weights)
    print(writing.to_yaml(settings), end="")
