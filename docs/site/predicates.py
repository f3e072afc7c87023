"""Write the pages of predicates, and the tables of predicates in ``encodings/README.md``.

    python docs/site/predicates.py    # the tables

A test holds the tables to the heads of the encodings.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from knowledge import README, Encoding, Predicate, encodings, game_folders, vocabulary
from picture import draw_dependencies, place_in_columns

_TITLES = {
    "connect4": "Connect Four",
    "proposals": "Proposals for any game",
    "tictactoe": "Tic-tac-toe",
}
_MOST_LINES = 24
"""Lines of rules that a predicate's entry shows."""


def title_of(folder: str) -> str:
    """Return how a folder of encodings is called in headings."""
    return _TITLES.get(folder, folder.capitalize())


def write_pages(target: Path) -> None:
    """Write a page for each folder of encodings, and the page that lists them.

    Args:
        target: a folder, which is made.
    """
    target.mkdir(parents=True, exist_ok=True)
    folders = game_folders()
    for folder in folders:
        (target / f"{folder}.md").write_text(_page(folder), encoding="utf-8")
    below = "\n".join(["```{toctree}", ":titlesonly:", "", *folders, "```"])
    (target / "index.md").write_text(f"{_BEGINNING}\n{below}\n", encoding="utf-8")


_BEGINNING = """\
# Predicates

Every predicate of the encodings, read from the files themselves: what it means, what it is derived
from, and its rules. A name with an underscore is private to its file. In a picture an arrow leads
from a predicate to what is derived from it; a broken outline marks what another file or the caller
gives; arrows that follow from two others are left out.
[The encodings' contract](../../encodings/README.md) says how the files fit together.
"""


def _page(folder: str) -> str:
    files = [*encodings(folder)]
    edges = {(a.name, b.name) for a in files for b in files if _feeds(a, b)}
    columns = place_in_columns(edges)
    files.sort(key=lambda file: (file.path.parent, columns.get(file.name, 0), file.name))
    parts = [f"# {title_of(folder)}\n"]
    if edges:
        short = {name: name.partition("/")[2] for name in columns}
        drawn = {(short[a], short[b]) for a, b in edges}
        links = {name: f"#{_slug(name)}" for name in short.values()}
        parts += ["Which file reads which:\n", _raw(draw_dependencies(drawn, links, set()))]
    home: dict[str, str] = {}
    for file in files:
        for signature in file.predicates:
            home.setdefault(signature, anchor_of(file, signature))
    for file in files:
        parts += _section(file, home)
    return "\n".join(parts)


def _feeds(file: Encoding, other: Encoding) -> bool:
    """Return whether another file of the same program, or a preset, reads what this one derives."""
    together = other.path.parent in (file.path.parent, file.path.parent / "presets")
    needed = (other.reads - {*other.predicates}) & {*file.predicates}
    return (
        together and file is not other and other.path.name not in file.used_files and bool(needed)
    )


def _section(file: Encoding, home: dict[str, str]) -> Iterator[str]:
    """Yield the part of the page on one file."""
    yield f"## {file.name.partition('/')[2]}\n"
    yield f"{start_sentence(file.head['Purpose'])}\n"
    yield f"Input: {_code_of_atoms(file.head['Input'])}\n"
    own = file.predicates
    edges = {(name, p.signature) for p in own.values() for name in p.reads}
    links = {name: f"#{home[name]}" for edge in edges for name in edge if name in home}
    given = {name for edge in edges for name in edge} - {*own}
    yield _raw(draw_dependencies(edges, links, given))
    for predicate in own.values():
        yield from _entry(file, predicate, home)


def _entry(file: Encoding, predicate: Predicate, home: dict[str, str]) -> Iterator[str]:
    """Yield the part of the page on one predicate."""
    form, meaning = describe_predicate(predicate)
    yield f"({anchor_of(file, predicate.signature)})=\n### `{predicate.signature}`\n"
    yield f"`{form}`: {meaning}\n" if meaning else f"`{form}`\n"
    if comment := predicate.comment:
        yield f"{_quote(comment)}\n"
    reads = [
        f"[`{name}`](#{home[name]})" if name in home else f"`{name}`"
        for name in sorted(predicate.reads)
    ]
    yield f"From {', '.join(reads)}.\n" if reads else "From no other predicate.\n"
    rules = "\n".join(rule.text for rule in predicate.rules).splitlines()
    more = [f"% ... and {len(rules) - _MOST_LINES} more lines"] if len(rules) > _MOST_LINES else []
    yield "\n".join(["```prolog", *rules[:_MOST_LINES], *more, "```\n"])


def describe_predicate(predicate: Predicate) -> tuple[str, str]:
    """Return a predicate's form and meaning, from its own file or from the words of all games."""
    own = predicate.form, predicate.meaning
    return (
        own if predicate.meaning else (_shared_words() | vocabulary()).get(predicate.signature, own)
    )


def _raw(drawing: str) -> str:
    return f"```{{raw}} html\n{drawing}\n```\n" if drawing else ""


def anchor_of(file: Encoding, signature: str) -> str:
    """Return the anchor of a predicate's entry on its page."""
    name = f"{file.name.removesuffix('.lp')}-{signature.replace('_', 'x')}"
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def _slug(heading: str) -> str:
    """Return the anchor that a heading gets, as Git hosts make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def start_sentence(text: str) -> str:
    """Return a text of several lines as one, with a capital, in Markdown."""
    text = " ".join(text.split())
    return text[0].upper() + text[1:].replace("_", r"\_")


def _code_of_atoms(text: str) -> str:
    """Return a text whose names of files and atoms are marked as code."""
    text = " ".join(text.split())
    return re.sub(r"[a-z_]\w*(\.lp\b|/\d|\((?:[^()]|\([^()]*\))*\))", lambda m: f"`{m[0]}`", text)


def _quote(comment: str) -> str:
    return "> " + re.sub(r"([<*_`])", r"\\\1", comment)


# The tables of encodings/README.md

_TABLE = re.compile(
    r"(<!-- generated from (.*?) by .*? -->\n\n).*?(?=\n<!-- end of the table -->)", re.DOTALL
)
_BY_HAND = {"because/3", "feature/3", "fires/2", "phrase/2", "sentence/2", "short/2"}
"""Predicates of many files, which the contract explains in one place."""


def make_tables(text: str) -> str:
    """Return the text of ``encodings/README.md`` with its tables as the heads of the files are."""
    return _TABLE.sub(lambda found: found[1] + _table(found[2].replace("`", "").split()), text)


def _table(names: list[str]) -> str:
    """Return the table of the predicates that the heads of some files of Connect Four promise."""
    every = [file for file in encodings("connect4") if file.path.name != "rules.lp"]
    files = [next(file for file in every if file.name.endswith(f"/{name}")) for name in names]
    rows = ["| atom | meaning | who reads it |", "|---|---|---|"]
    seen = {*_BY_HAND}
    for file in files:
        beside = [each for each in every if each.path.parent == file.path.parent]
        for signature, (form, meaning) in file.head_entries.items():
            if signature not in seen and signature in file.predicates:
                seen.add(signature)
                told = f"`{form}`: {meaning}" if "(" in form else meaning
                rows.append(f"| `{signature}` | {told} | {_readers(signature, file, beside)} |")
    return "\n".join(rows) + "\n"


def _readers(signature: str, file: Encoding, others: Sequence[Encoding]) -> str:
    """Return which files read a predicate, and which show it."""
    read = [f"`{each.path.name}`" for each in others if signature in each.reads]
    own = f"`{file.path.name}`"
    if len(read) > 1 and own in read:
        read.remove(own)
    shown = [
        f"shown by `{each.path.name}`" for each in others if signature in each.shown_signatures
    ]
    return "; ".join([", ".join(read), *shown] if read else shown) or "the advisor"


@cache
def _shared_words() -> dict[str, tuple[str, str]]:
    """Return the form and meaning of each atom of knowledge and events, which many games have."""
    text = (
        README.read_text(encoding="utf-8").partition("## Knowledge")[2].partition("## Answers")[0]
    )
    row = r"^\| `(\w+/\d)` \| `([^`]+)`(?: or `[^`]+`)?: (.*?) \| [^|]* \|$"
    rows = re.findall(row, text, re.MULTILINE)
    return {signature: (form, meaning) for signature, form, meaning in rows}


if __name__ == "__main__":
    README.write_text(make_tables(README.read_text(encoding="utf-8")), encoding="utf-8")
