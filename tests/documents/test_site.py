"""The site: it builds without a warning, its links lead somewhere, and its references are complete.

The tables of the encodings' contract are generated, too, and must be what their source says.
"""

import html.parser
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

import advisor
import aspcircuits
import knowledge
import predicates
from advisor.cli import app
from advisor.web.api import ENDPOINTS
from commands import ROOT
from picture import draw_dependencies, place_in_columns


def test_the_tables_of_the_contract_are_what_the_heads_of_the_encodings_say() -> None:
    text = knowledge.README.read_text()
    assert predicates.make_tables(text) == text, "run python docs/site/predicates.py"
    changed = text.replace("the next disc in column C comes to rest on row R", "wrong")
    assert predicates.make_tables(changed) == text != changed


GIVEN = {"cell/3", "controller/1", "extended/0"}
"""Predicates that the caller gives; the contract explains them in a table."""


def test_every_predicate_that_other_files_may_read_is_explained() -> None:
    for file in knowledge.encodings("connect4") + knowledge.encodings("chess"):
        for signature, predicate in file.predicates.items():
            if not signature.startswith("_") and signature not in GIVEN:
                told = predicates.describe_predicate(predicate)[1] or predicate.comment
                assert told, f"{file.name}: {signature}"


def test_a_predicate_knows_its_meaning_its_rules_and_what_it_reads(tmp_path: Path) -> None:
    file = knowledge.Encoding(knowledge.ENCODINGS / "connect4" / "threats.lp")
    found = file.predicates["threat/4"]
    assert (found.form, found.meaning) == ("threat(P, R, C, L)", "... and it is line L")
    assert found.reads == {"missing/3", "on_line/3", "empty/2"}
    assert [rule.text for rule in found.rules] == [
        "threat(P, R, C, L) :- missing(P, L, 1), on_line(L, R, C), empty(R, C)."
    ]
    assert found.comment.startswith("An open line that lacks one disc")
    assert "best_move/2" in knowledge.Encoding(file.path.with_name("suggest.lp")).shown_signatures


pairs = st.sets(st.tuples(*[st.sampled_from("abcdefg")] * 2))


@given(pairs)
def test_an_arrow_goes_to_the_right_and_what_it_skips_follows_from_others(
    edges: set[tuple[str, str]],
) -> None:
    forward = {(a, b) for a, b in edges if a < b}  # so there is no circle
    columns = place_in_columns(forward)
    assert all(columns[a] < columns[b] for a, b in forward)
    longest = max(columns.values(), default=-1)
    assert {columns[a] for a in columns} == set(range(longest + 1))
    needed = {edge for edge in forward if edge not in reachable(forward - {edge})}
    assert draw_dependencies(forward, {}, set()).count("<path") == len(needed)
    assert draw_dependencies(edges, {}, set()).count("<text") == len(
        place_in_columns({(a, b) for a, b in edges if a != b})
    )


def reachable(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs of which one leads to the other."""
    found = set(edges)
    while more := {(a, d) for a, b in found for c, d in edges if b == c} - found:
        found |= more
    return found


class Page(html.parser.HTMLParser):
    """The anchors of a page and the addresses that it links to."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.feed(file.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.anchors.add(value or "")
            elif name in ("href", "src") and value and tag != "link":
                self.links.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with one game to play."""
    pytest.importorskip("furo", reason="the extra `site` is not installed")
    target = tmp_path_factory.mktemp("site")
    program = ROOT / "docs" / "site" / "make_site.py"
    command = [sys.executable, str(program), str(target), "--games", "tictactoe"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return target


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Each page of the site but the exported games, which are files of their own."""
    return {file: Page(file) for file in site.rglob("*.html") if file.parent.name != "play"}


@pytest.mark.slow
class TestSite:
    def test_every_link_leads_somewhere(self, site: Path, pages: dict[Path, Page]) -> None:
        assert len(pages) > 50
        for file, page in pages.items():
            for link in page.links:
                parts = urlsplit(link)
                if parts.scheme:
                    continue
                target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
                assert target.exists(), f"{file.relative_to(site)}: {link}"
                if parts.fragment and target in pages:
                    anchors = {*pages[target].anchors, ""}
                    assert unquote(parts.fragment) in anchors, f"{file.relative_to(site)}: {link}"

    def test_nothing_comes_from_elsewhere(self, pages: dict[Path, Page]) -> None:
        for file, page in pages.items():
            assert not {link for link in page.links if link.endswith(".js") and "//" in link}, file

    @pytest.mark.parametrize("package", [advisor, aspcircuits], ids=lambda found: found.__name__)
    def test_every_public_name_has_its_entry(self, package: object, site: Path) -> None:
        names = {*package.__all__, "compile"} - {"__version__"}  # type: ignore[attr-defined]
        prefix = package.__name__  # type: ignore[attr-defined]
        ours = {"advisor": ("functions", "classes", "errors"), "aspcircuits": ("aspcircuits",)}
        text = "".join((site / "reference" / f"{page}.html").read_text() for page in ours[prefix])
        anchors = {f'id="{prefix}.{name}"' for name in names}
        assert not {name for name in names if f"<h2>{name}<" not in text}
        if package is advisor:  # which has most of the compiler's names, too
            assert not {anchor for anchor in anchors if anchor not in text}

    def test_every_command_has_its_entry(self, site: Path) -> None:
        text = (site / "docs" / "commands.html").read_text()
        commands = [*walk(typer.main.get_command(app()), "advisor")]
        assert len(commands) > 30
        assert not [name for name in commands if f"<h2>{name}<" not in text]

    def test_every_request_has_its_entry(self, site: Path) -> None:
        text = re.sub(r"<[^>]*>", "", (site / "reference" / "requests.html").read_text())
        for endpoint in ENDPOINTS:
            path = endpoint.path.replace(":path", "")
            assert f"{endpoint.method} /api{path}" in text

    def test_every_predicate_has_its_entry(self, pages: dict[Path, Page], site: Path) -> None:
        for file in knowledge.encodings():
            page = site / "reference" / "predicates" / f"{file.name.partition('/')[0]}.html"
            for signature in file.predicates:
                assert predicates.anchor_of(file, signature) in pages[page].anchors

    def test_the_first_page_offers_the_games(self, pages: dict[Path, Page], site: Path) -> None:
        assert "play/tictactoe.html" in pages[site / "index.html"].links
        assert (site / "play" / "tictactoe.html").stat().st_size > 100_000


def walk(command: typer.core.TyperCommand, name: str) -> Iterator[str]:
    """Every command by its whole name."""
    yield name
    for inner, each in getattr(command, "commands", {}).items():
        yield from walk(each, f"{name} {inner}")
