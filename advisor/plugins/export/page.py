"""A game as one HTML file: the page's own modules, an engine in a worker, and the game."""

import gzip
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from advisor.plugins.export.bundle import bundle

_OUTSIDE = re.compile(
    r'\s*<link rel="(?:icon|stylesheet)"[^>]*>|\s*<script type="module"[^>]*></script>'
    r'|<div class="top-links">.*?</div>'
)
"""Parts of the page that lead to files of a server."""

_TITLE = re.compile(r"<title>[^<]*</title>")


def write_page(described: Mapping[str, Any], title: str) -> str:
    """Return the page of a game.

    Args:
        described: the game, see `advisor.plugins.export.description`.
        title: of the game.
    """
    static = files("advisor.web") / "static"
    own = files("advisor.plugins.export")
    page = _modules(static)
    engine = _modules(own / "engine")
    page["transport.js"] = engine.pop("page_transport.js")
    functions, code = _apart(described["functions"])
    packed = {
        "style": "".join(
            each.read_text("utf-8")
            for each in (static / "style.css", static / "looks.css", own / "page.css")
        ),
        "page": bundle(page, "page.js"),
        "engine": bundle(engine, "worker.js"),
        "game": {**described, "functions": functions},
    }
    text = json.dumps(packed, separators=(",", ":")).encode()
    whole = len(text).to_bytes(4, "little") + text + code
    data = b64encode(gzip.compress(whole, 9, mtime=0)).decode()
    start = (own / "start.js").read_text("utf-8")
    check = b64encode(sha256(start.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{check}' 'wasm-unsafe-eval' blob:; "
        "worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    html = _OUTSIDE.sub("", (static / "index.html").read_text("utf-8"))
    html = _TITLE.sub(lambda _: f"<title>{escape(title)}</title>", html)
    head = (
        f'<meta charset="utf-8">\n  <meta http-equiv="Content-Security-Policy" content="{policy}">'
    )
    html = html.replace('<meta charset="utf-8">', head, 1)
    parts = (
        f'<script type="application/octet-stream" id="packed">{data}</script>\n'
        f"<script>{start}</script>\n</body>"
    )
    return html.replace("</body>", parts, 1)


def _apart(functions: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Return functions with the places of their code, and all code together."""
    code = b""
    found: dict[str, Any] = {}
    for name, tables in functions.items():
        own = b64decode(tables["code"])
        found[name] = {**tables, "code": [len(code), len(code) + len(own)]}
        code += own
    return found, code


def _modules(folder: Traversable, above: str = "") -> dict[str, str]:
    """Return the modules of a folder and those below it, by path."""
    found: dict[str, str] = {}
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            found |= _modules(each, f"{above}{each.name}/")
        elif each.name.endswith(".js"):
            found[f"{above}{each.name}"] = each.read_text("utf-8")
    return found
