"""Build the site: the repository's pages, generated references, and the games as files to play.

    python docs/site/make_site.py           # or `make site`; writes build/site
    python docs/site/make_site.py FOLDER --games tictactoe,hex

The pages are copied to a folder of their own, in which their links to each other stay as they are.
A link to a folder leads to a page that shows its files; notebooks become pages. Sphinx then builds
the site and treats a link that leads nowhere as an error.
"""

import argparse
import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sphinx.cmd.build import main as build_with_sphinx

import advisor
import interface
import predicates
from advisor.files.resources import ENCODINGS
from knowledge import Encoding

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGES = (
    "*.md",
    "docs/*.md",
    "teach/*.md",
    "teach/*.ipynb",
    "encodings/*.md",
    "aspcircuits/*.md",
    "benchmarks/*.md",
    "benchmarks/log/*.md",
)
_INNER = {"teach/README.md": "*", "benchmarks/README.md": "log/*"}
"""Pages that have others below them in the navigation."""
_LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)")
_LANGUAGES = {".py": "python", ".lp": "prolog", ".yaml": "yaml", ".toml": "toml"}


def build_site(target: Path, games: Iterable[str]) -> None:
    """Build the site in a folder.

    Args:
        target: the folder, which is made.
        games: names of the games to export.

    Raises:
        SystemExit: Sphinx warned about something, which it has printed.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        collect_pages(source, games)
        strict = ["--quiet", "--fail-on-warning", "--jobs", "auto"]
        places = ["--doctree-dir", f"{source}/.doctrees", str(source), str(target)]
        if build_with_sphinx([*strict, *places]):
            raise SystemExit("the site has faults")


def collect_pages(source: Path, games: Iterable[str]) -> None:
    """Write the source of the site: all pages, settings and exported games."""
    for pattern in PAGES:
        for page in sorted(ROOT.glob(pattern)):
            _copy_page(page, source)
    predicates.write_pages(source / "reference" / "predicates")
    interface.write_pages(source / "reference")
    shutil.copy(HERE / "conf.py", source)
    static, play = source / "_files" / "static", source / "_files" / "root" / "play"
    static.mkdir(parents=True)
    shutil.copy(HERE / "site.css", static)
    play.mkdir(parents=True)
    exported = [*games]
    for game in exported:
        advisor.export(game, play / f"{game}.html")
    (source / "games.md").write_text("\n".join(_gallery(exported)), encoding="utf-8")
    _write_start(source, exported)


def _copy_page(page: Path, source: Path) -> None:
    """Copy a page, and the files that it links to."""
    text = page.read_text(encoding="utf-8")
    target = source / page.relative_to(ROOT)
    if page.suffix == ".ipynb":
        target = target.with_suffix(".md")
        text = "\n\n".join(_lesson(json.loads(text)))
    if below := _INNER.get(str(page.relative_to(ROOT))):
        text += f"\n```{{toctree}}\n:hidden:\n:titlesonly:\n:glob:\n\n{below}\n```\n"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_LINK.sub(lambda link: _follow(link[1], page, source), text), "utf-8")


def _follow(link: str, page: Path, source: Path) -> str:
    """Copy the target of a page's link, and return the link as the site has it."""
    there = (page.parent / link).resolve()
    copy = source / there.relative_to(ROOT)
    if there.is_dir():
        copy.mkdir(parents=True, exist_ok=True)
        (copy / "index.md").write_text("\n".join(_listing(there)), encoding="utf-8")
        return f"{link}/index.md"
    if there.suffix == ".ipynb":
        return link.replace(".ipynb", ".md")
    if there.suffix != ".md":
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(there, copy)
    return link


def _lesson(notebook: dict[str, list[dict[str, object]]]) -> Iterator[str]:
    """Yield the cells of a notebook as Markdown."""
    for cell in notebook["cells"]:
        text = "".join(cell["source"])  # type: ignore[arg-type]
        language = "text" if re.search(r"^!", text, re.MULTILINE) else "python"
        yield text if cell["cell_type"] == "markdown" else f"```{language}\n{text}\n```"


def _listing(folder: Path) -> Iterator[str]:
    """Yield a page with the texts of a folder's files."""
    yield f"---\norphan: true\n---\n\n# {folder.relative_to(ROOT)}\n"
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix in _LANGUAGES:
            yield f"## `{file.relative_to(folder)}`\n"
            yield f"````{_LANGUAGES[file.suffix]}\n{file.read_text('utf-8').rstrip()}\n````\n"


def _gallery(exported: Sequence[str]) -> Iterator[str]:
    """Yield the page of all games and of the knowledge that `advisor learn` has found."""
    yield "# Games to play, and what was found in their rules\n"
    yield (
        "Each game below is one HTML file, written by `advisor export`. It plays, advises and "
        "explains in the browser; no server is asked. Take the file with you if you like.\n"
    )
    for game in advisor.game_names():
        purpose = Encoding(ENCODINGS / game / "rules.lp").head["Purpose"]
        yield f"## {predicates.title_of(game)}\n"
        yield f"{predicates.start_sentence(purpose)}\n"
        if game in exported:
            yield f"{_play_link(game, 'Play it here')}.\n"
        yield f"[Rules and predicates](reference/predicates/{game}.md)\n"
    yield "## Found knowledge\n"
    yield (
        "`advisor learn` reads only the rules of a game, and writes what helps to win as rules "
        "like these. [How it finds them](docs/learn.md)\n"
    )
    for file in sorted((ROOT / "examples" / "found").glob("*.lp")):
        yield f"### {predicates.title_of(file.stem)}, found\n"
        yield f"````prolog\n{file.read_text('utf-8').rstrip()}\n````\n"


def _play_link(game: str, text: str) -> str:
    return f'<a href="play/{game}.html">{text}</a>'


def _write_start(source: Path, exported: Iterable[str]) -> None:
    """Make the README the first page, with links to the games and the navigation."""
    start = source / "README.md"
    text = start.read_text(encoding="utf-8")
    links = ", ".join(_play_link(game, predicates.title_of(game)) for game in exported)
    picture = re.search(r"^!\[.*\)\n", text, re.MULTILINE)
    assert picture is not None
    text = f"{text[: picture.end()]}\n**Play it here**: {links}.\n{text[picture.end() :]}"
    navigation = (HERE / "navigation.md").read_text(encoding="utf-8")
    (source / "index.md").write_text(f"{text}\n{navigation}", encoding="utf-8")
    start.unlink()


def main() -> None:
    """Read the command line and build the site."""
    parser = argparse.ArgumentParser(description="Build the site.")
    parser.add_argument("target", nargs="?", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--games", default=",".join(advisor.game_names()), help="games to export")
    given = parser.parse_args()
    build_site(given.target, filter(None, given.games.split(",")))
    print(f"{given.target}/index.html")


if __name__ == "__main__":
    main()
