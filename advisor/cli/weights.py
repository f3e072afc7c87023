"""`advisor weights`: the effective settings, to save and change."""

import typer

from advisor.cli import options
from advisor.settings import reading, writing


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(weights)


def weights(weights: options.Weights = options.DEFAULT_WEIGHTS) -> None:
    """Print the effective settings as YAML, to save and change."""
    print(writing.to_yaml(reading.load(weights)), end="")
