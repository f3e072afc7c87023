"""Rule sheets of the Game Description Language as games."""

from advisor.registry import Command, Plugin

PLUGIN = Plugin(
    commands={"game import": Command("advisor.plugins.gdl.commands")},
    names={"import_game": "advisor.plugins.gdl.library"},
)
