"""`advisor uci`: chess for programs that play against it, by the Universal Chess Interface."""

import sys

from advisor.cli import options
from advisor.cli.groups import command


@command("uci", "advisor uci --weights speybroeck")
def uci(weights: options.Weights = options.DEFAULT_WEIGHTS) -> None:
    """Play chess with another program, by UCI."""
    from advisor.plugins.uci import protocol  # not for a shell that completes the command

    protocol.serve(sys.stdin, weights)
