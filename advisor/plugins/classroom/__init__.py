"""A page for a class that hands in strategies, and for owners who edit the rules of their games.

`advisor serve --class FOLDER` serves the class; `advisor serve --game FOLDER` lets the owner edit.
"""

from advisor.registry import Plugin

PLUGIN = Plugin(
    options={"serve": "advisor.plugins.classroom.options:ClassOptions"},
    routes=("advisor.plugins.classroom.routes:make_part",),
)
