"""Plugins: what one group of users wants, named here and imported when it is used.

A plugin is a folder of `advisor/plugins` whose package has a `PLUGIN`. Packages of other people
bring theirs by an entry point of the group ``asp_advisor.plugins``. The advisor runs without any: a
command that none brings is missing from the help, and nothing is said that only a plugin knows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal, NamedTuple

from advisor.errors import ConfigError

GROUP = "asp_advisor.plugins"


class Command(NamedTuple):
    """A command of a plugin.

    Attributes:
        module: registers it by `advisor.cli.groups.command`.
        heading: where the help lists it; empty for one of a group, as ``game import``.
        group: the help of a command that is several; empty for a single one.
    """

    module: str
    heading: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Plugin:
    """What a plugin brings.

    Attributes:
        commands: by the words that name each.
        names: the module of each name that the plugin adds to the library `advisor`.
        options: dataclasses of options that a command of the core gets besides, as
            ``module:class`` by the words of the command, which takes them as ``**options``.
        routes: ``module:function`` that adds to a server as it starts; see `advisor.web.parts`.
        tasks: ``module:function`` that a worker of the server calls for an endpoint of `routes`, by
            the name of the task; see `advisor.web.worker.PluginTask`.
        games: folders with a ``rules.lp``, by the name of the game.
        presets: weights files for Connect Four, by name.
        engines: ``module:function`` that chooses moves in a match, by the name of the player; see
            `advisor.lab.arena.players.PluginEngine`.
        hooks: ``module:function`` that the core calls, by the name of the hook.
    """

    commands: Mapping[str, Command] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    routes: tuple[str, ...] = ()
    tasks: Mapping[str, str] = field(default_factory=dict)
    games: Mapping[str, Path] = field(default_factory=dict)
    presets: Mapping[str, Path] = field(default_factory=dict)
    engines: Mapping[str, str] = field(default_factory=dict)
    hooks: Mapping[str, str] = field(default_factory=dict)


@cache
def built_in() -> tuple[Plugin, ...]:
    """Find the plugins that come with the advisor."""
    folder = Path(__file__).parent / "plugins"
    names = sorted(found.name for found in iter_modules([str(folder)]))
    return tuple(import_module(f"advisor.plugins.{name}").PLUGIN for name in names)


@cache
def find_brought() -> tuple[Plugin, ...]:
    """Find the plugins of other people's packages, which takes a tenth of a second.

    Raises:
        ConfigError: a package names a plugin that is none or cannot be imported.
    """
    from importlib.metadata import entry_points

    found = []
    for point in entry_points(group=GROUP):
        try:
            plugin = point.load()
        except Exception as error:  # whatever it is, it belongs to the package
            raise ConfigError(f"plugin {point.name!r} cannot be loaded ({error})") from None
        if not isinstance(plugin, Plugin):
            raise ConfigError(f"plugin {point.name!r}: {point.value} is no advisor.registry.Plugin")
        found.append(plugin)
    return tuple(found)


def plugins() -> Iterator[Plugin]:
    """Go through all plugins; other people's packages are searched only when reached."""
    yield from built_in()
    yield from find_brought()


def load(place: str) -> Any:
    """Import what a text such as ``module:name`` stands for."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def hook(name: str) -> Any | None:
    """Find what the advisor's own plugins do at a hook; None without the plugin."""
    places = (plugin.hooks[name] for plugin in built_in() if name in plugin.hooks)
    place = next(places, None)
    return None if place is None else load(place)


def find(kind: Literal["games", "presets", "engines", "tasks"], name: str) -> Any | None:
    """Find what plugins bring under a name, such as the folder of a game; None if none does."""
    found = (getattr(plugin, kind).get(name) for plugin in plugins())
    return next((each for each in found if each is not None), None)
