"""Plugins, each a folder; see `advisor.registry`."""
