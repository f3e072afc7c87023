"""`advisor solution`: the program that lies beside the solutions, as a command."""

import sys

import typer

from advisor.files.resources import SOLUTIONS


def register(app: typer.Typer) -> None:
    """Adds its commands to the command line."""
    sys.path.append(str(SOLUTIONS))
    from building import commands

    commands.register(app)
