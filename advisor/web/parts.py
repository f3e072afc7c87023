"""Parts of the server that plugins bring: endpoints, files beside the page's, work while it runs.

A plugin names functions in `advisor.registry.Plugin.routes`. The server calls each once, before it
starts, with a `Starting`; the function returns a `ServerPart`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from advisor import registry
from advisor.errors import ConfigError
from advisor.web.api import ENDPOINTS, Endpoint
from aspcircuits.texts import quoted


@dataclass(frozen=True, slots=True)
class Starting:
    """A server that is about to start.

    Attributes:
        own_games: the folder of each game that the server's owner has given, by the game's name.
        is_local: whether only this machine reaches the server.
        options: the options of ``advisor serve`` that plugins bring, by their parameters.
    """

    own_games: Mapping[str, str]
    is_local: bool
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ServerPart:
    """What a plugin adds to one server.

    Attributes:
        endpoints: below ``/api``. A server that does not offer one answers 404 there, and its
            description says with which options it is served.
        state: what the endpoints find in ``request.app.state``, by name.
        static: packages; the files in the folder ``static`` of each lie beside the page's own.
        scripts: those of these files that the page imports. Each exports a class ``Card``: the page
            makes one and calls its ``show()`` with every position, see ``page.js``.
        can: what the page can do besides with some games, by the game's name.
        addresses: what follows the server's address, and what ``advisor serve`` prints after it.
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
    """Ask every plugin, those of other people's packages too, for its parts of a server.

    Raises:
        ConfigError: a part cannot be imported, or has an endpoint at a path that is taken.
        AdvisorError: whatever a plugin says is wrong with the options.
    """
    taken = {endpoint.path for endpoint in ENDPOINTS}
    for plugin in registry.plugins():
        for place in plugin.routes:
            try:
                make = registry.load(place)
            except (ImportError, AttributeError) as error:
                raise ConfigError(f"plugin: {quoted(place)} cannot be loaded ({error})") from None
            part: ServerPart = make(starting)
            for endpoint in part.endpoints:
                if endpoint.path in taken:
                    raise ConfigError(f"plugin: {quoted(place)}: /api{endpoint.path} is taken")
                taken.add(endpoint.path)
            yield part
