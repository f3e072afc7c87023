"""Write a game as one HTML file that plays, advises and explains without a server."""

from advisor.registry import Command, Plugin

PLUGIN = Plugin(
    commands={"export": Command("advisor.plugins.export.commands", "Other games")},
    names={"export": "advisor.plugins.export.library"},
    routes=("advisor.plugins.export.routes:make_part",),
    tasks={"export game": "advisor.plugins.export.routes:write_game"},
)
