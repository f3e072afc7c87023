"""Write a game as one HTML file that plays, advises and explains without a server."""

from advisor.registry import Command, Plugin

PLUGIN = Plugin(
    commands={"export": Command("advisor.plugins.export.commands", "Other games")},
    names={"export": "advisor.plugins.export.library"},
)
