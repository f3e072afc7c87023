"""Parts of the server that plugins add: endpoints, static files, background work.

A plugin names functions in `advisor.registry.Plugin.routes`. The server calls each once, before it
starts, with a `Starting`; the function returns a `ServerPart`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from advisor import registry
from advisor.errors import ConfigError
from advisor.web.api import ENDPOINTS, Endpoint
from aspcircuits.texts import quote_text


@dataclass(frozen=True, slots=True)
class Starting:
    """The settings of a server that is about to start.

    Attributes:
        own_games: the folders of games that the server's owner added, by the game's name.
        is_local: whether only this machine reaches the server.
        options: the plugins' options of ``advisor serve``, by parameter.
    """

    own_games: Mapping[str, str]
    is_local: bool
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ServerPart:
    """The parts that one plugin adds to a server.

    Attributes:
        endpoints: below ``/api``. An endpoint that this server does not offer answers 404, and its
            description names the options that would offer it.
        state: values for endpoints in ``request.app.state``, by name.
        static: packages; the files in the folder ``static`` of each lie beside the page's own.
        scripts: the static files that the page imports. Each exports a class ``Card``: the page
            makes one and calls its ``show()`` with every position, see ``page.js``.
        can: additional abilities of the page, by the game's name.
        addresses: suffixes of the server's address, with the text that ``advisor serve`` prints
            after it.
        stop: ends the part's own work when the server ends; None if it has none.
    """

    endpoints: Sequence[Endpoint] = ()
    state: Mapping[str, object] = field(default_factory=dict)
    static: Sequence[str] = ()
    scripts: Sequence[str] = ()
    can: Mapping[str, Sequence[str]] = field(default_factory=dict)
    addresses: Sequence[tuple[str, str]] = ()
    stop: Callable[[], None] | None = None


def make_parts(starting: Starting) -> Iterator[ServerPart]:
    """Ask every plugin, including third-party packages, for its part of a server.

    Raises:
        ConfigError: a part cannot be imported, or has an endpoint at a path that is taken.
        AdvisorError: a plugin refuses the options.
    """
    taken = {endpoint.path for endpoint in ENDPOINTS}
    for plugin in registry.plugins():
        for place in plugin.routes:
            try:
                make = registry.load(place)
            except (ImportError, AttributeError) as error:
                raise ConfigError(
                    f"plugin: {quote_text(place)} cannot be loaded ({error})"
                ) from None
            part: ServerPart = make(starting)
            for endpoint in part.endpoints:
                if endpoint.path in taken:
                    raise ConfigError(f"plugin: {quote_text(place)}: /api{endpoint.path} is taken")
                taken.add(endpoint.path)
            yield part
