"""Play games with other programs by the Universal Chess Interface (UCI)."""

from advisor.registry import Command, Plugin

PLUGIN = Plugin(commands={"uci": Command("advisor.plugins.uci.commands", "Other games")})
