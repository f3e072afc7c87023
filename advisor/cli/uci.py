"""`advisor uci`: chess for programs that play against it, by the Universal Chess Interface."""

import sys

import typer

from advisor.cli import options
from advisor.cli.groups import example
from advisor.library import uci as protocol


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor uci --weights speybroeck"))(uci)


def uci(weights: options.Weights = options.DEFAULT_WEIGHTS) -> None:
    """Play chess with another program, by UCI."""
    protocol.serve(sys.stdin, weights)
