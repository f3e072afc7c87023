"""Import rule sheets of the Game Description Language (GDL) as games."""

from advisor.registry import Command, Plugin

PLUGIN = Plugin(
    commands={"game import": Command("advisor.plugins.gdl.commands")},
    names={
        "Imported": "advisor.plugins.gdl.importing",
        "import_game": "advisor.plugins.gdl.library",
    },
)
