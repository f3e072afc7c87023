"""An example of a plugin: a game, weights for Connect Four, an engine, a command, a function."""

from pathlib import Path

from advisor.registry import Command, Plugin

_HERE = Path(__file__).parent

PLUGIN = Plugin(
    commands={"corners": Command("advisor_corners.commands", "Other games")},
    names={"corner_share": "advisor_corners.engine"},
    games={"corners": _HERE / "corners"},
    presets={"edges": _HERE / "edges.yaml"},
    engines={"cornering": "advisor_corners.engine:cornering"},
)
