"""Write a game as one file that plays and explains without a server."""

from advisor.registry import Plugin

PLUGIN = Plugin()
