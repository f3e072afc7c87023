"""Other people's packages add to the server: endpoints, files, scripts, and work while it runs."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from advisor import registry
from advisor.errors import ConfigError
from advisor.web import app

ROUTES = '''
from pathlib import Path

from typing_extensions import TypedDict

from advisor.web.api import Endpoints
from advisor.web.parts import ServerPart

ENDPOINTS = Endpoints()


class Greeting(TypedDict):
    greeting: str


@ENDPOINTS.add("PATH", Greeting)
async def greet(request):
    """Greets."""
    return {"greeting": request.app.state.greeting}


def make_part(starting):
    return ServerPart(
        endpoints=ENDPOINTS,
        state={"greeting": f"hello, {starting.is_local}"},
        static=("greeter",),
        scripts=("greeter.js",),
        can={"chess": ("greet",)},
        addresses=(("greeter.html", "greets"),),
        stop=lambda: Path(__file__).with_name("stopped").touch(),
    )
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that is installed and has a plugin."""
    found, information = tmp_path / "greeter", tmp_path / "greeter-1.dist-info"
    for name, text in {
        found / "__init__.py": "from advisor.registry import Plugin\n"
        'PLUGIN = Plugin(routes=("greeter.routes:make_part",))\n',
        found / "routes.py": ROUTES.replace("PATH", "/greeting"),
        found / "static" / "greeter.html": "<p>hello</p>",
        information / "METADATA": "Metadata-Version: 2.1\nName: greeter\nVersion: 1\n",
        information / "entry_points.txt": f"[{registry.GROUP}]\ngreeter = greeter:PLUGIN\n",
    }.items():
        name.parent.mkdir(parents=True, exist_ok=True)
        name.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    registry.find_brought.cache_clear()
    yield found
    registry.find_brought.cache_clear()
    for module in ("greeter", "greeter.routes"):
        sys.modules.pop(module, None)


def test_a_plugin_adds_endpoints_files_and_scripts(package: Path) -> None:
    async def look() -> None:
        served = app.create(workers=1)
        assert ("greeter.html", "greets") in served.state.addresses
        transport = httpx.ASGITransport(served)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            assert (await client.get("/api/greeting")).json() == {"greeting": "hello, True"}
            assert "/api/greeting" in (await client.get("/api")).json()["paths"]
            page = await client.get("/api", headers={"Accept": "text/html"})
            assert "/api/greeting" in page.text
            assert (await client.get("/greeter.html")).text == "<p>hello</p>"
            assert "greeter.js" in (await client.get("/api/server")).json()["scripts"]
            games = (await client.get("/api/games")).json()["games"]
            assert [game["game"] for game in games if "greet" in game["can"]] == ["chess"]
        async with served.router.lifespan_context(served):
            assert not (package / "stopped").exists()
        assert (package / "stopped").exists()

    asyncio.run(look())


def test_a_path_that_is_taken_is_refused(package: Path) -> None:
    (package / "routes.py").write_text(ROUTES.replace("PATH", "/suggest"))
    with pytest.raises(ConfigError, match="/api/suggest is taken"):
        app.create(workers=1)


def test_routes_that_cannot_be_loaded_are_refused(package: Path) -> None:
    (package / "routes.py").write_text("import no_such_module\n")
    with pytest.raises(ConfigError, match=r"'greeter.routes:make_part' cannot be loaded \(No mod"):
        app.create(workers=1)
