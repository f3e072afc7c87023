"""`advisor weights`: the effective settings, to save and change."""

import typer

import advisor
from advisor.cli import options
from advisor.cli.groups import example


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor weights > mine.yaml"))(weights)


def weights(
    weights: options.Weights = options.DEFAULT_WEIGHTS, game: options.OtherRules = None
) -> None:
    """Print the effective settings as YAML, to save and change."""
    print(advisor.load_weights(weights, game=game).to_yaml(), end="")
