"""Weights files: YAML, by itself or on top of another file.

A file contains ``extends: default`` and its changes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, field_validator

from advisor import registry
from advisor.errors import ConfigError, InputError, at
from advisor.files import textfile
from advisor.files.resources import ENCODINGS, versions
from advisor.limits import MAX_DEPTH
from advisor.settings import schema
from advisor.settings.config import (
    CONNECT4,
    DEFAULT,
    KINDS,
    MAX_ENDGAME,
    SEARCHES,
    WEIGHT_LIMIT,
    Config,
    Home,
)
from advisor.settings.contract import check_settings
from advisor.settings.schema import STRICT, Checked
from aspcircuits.clingo_api import Term
from aspcircuits.scanning import LARGEST
from aspcircuits.texts import file_name, quote_text


class _Extra(BaseModel, **STRICT):
    moves: list[str] = []
    features: list[str] = []


class _Encodings(BaseModel, **STRICT):
    moves: list[str] | None = None
    features: list[str] | None = None
    extra: _Extra = _Extra()

    @field_validator("extra", mode="before")
    @classmethod
    def _of_both(cls, given: Any) -> Any:
        return given if isinstance(given, dict) else dict.fromkeys(KINDS, given)


class _Settings(BaseModel, **STRICT):
    """The schema of a weights file; the weights themselves nest as deep as their names."""

    extends: str | None = None
    depth: Annotated[int, Field(ge=0, le=MAX_DEPTH)] | None = None
    endgame: Annotated[int, Field(ge=0, le=MAX_ENDGAME)] | None = None
    book: bool | None = None
    other_boards: str | None = None
    search: str | None = None
    selective: bool | None = None
    encodings: _Encodings = _Encodings()
    moves: dict[Any, Any] = {}
    features: dict[Any, Any] = {}


_File = Checked[_Settings]
_OF_A_POSITION = ("board", "position", "win_in")
"""Keys of other files, which users may confuse with weights files."""

_WANTED = {"dict_type": "lines like 'name: weight'", "list_type": "a list of files like [own.lp]"}


def presets(home: Home = CONNECT4) -> list[str]:
    """Return the names of the weights that come with a game."""
    return sorted(home.presets)


def load(source: str = DEFAULT, home: Home = CONNECT4) -> Config:
    """Return the settings of a preset or of a YAML file, checked against their encodings.

    Raises:
        ConfigError: one line that names the file, the place, what was found and what is allowed.
        EncodingError: an encoding that it names is no program.
    """
    blank = _is_blank(source, home)  # errors name the file that lacks something
    config = _standing(_blank("weights.yaml", home) if blank else _read(source, (), home))
    check_settings(config, told=not _path(source, home).is_relative_to(ENCODINGS))
    return replace(config, name=DEFAULT) if blank else config


def for_other_boards(config: Config) -> Config:
    """Return the settings with the weights for boards that these were not learned on.

    They have the name of the preset that those weights come from; the depth stays as it is.
    Settings without such a preset are returned unchanged.
    """
    if config.other_boards is None:
        return config
    others = load(config.other_boards)
    return replace(
        config,
        name=others.name,
        other_boards=None,
        knowledge=others.knowledge,
        extra=others.extra,
        weights=others.weights,
    )


def parse(text: str, name: str, home: Home = CONNECT4) -> Config:
    """Read settings from a text that may change numbers but not name files.

    Args:
        text: as in a weights file; ``extends`` may only name a preset.
        name: begins every error about it.
        home: the game.

    Raises:
        ConfigError, EncodingError: see `load`; also for a text that names files.
    """
    try:
        file = _parse(textfile.decode(text.encode()))
        if "encodings" in file.said.model_fields_set:
            raise file.error(("encodings",), "only a weights file may name encodings")
        parent = _parent(file, home)
        if parent is not None and parent not in home.presets:
            raise file.error(("extends",), _no_preset(parent, home))
        base = _blank(name, home) if parent is None else load(parent, home)
        config = _standing(_merge(base, name, file, Path()))
    except InputError as error:
        raise ConfigError(f"{name}: {error}") from None
    check_settings(config, told=True)
    return config


def _standing(config: Config) -> Config:
    """Return settings with the versions of their encodings, too."""
    encodings = {file for program in KINDS for file in config.files(program)}
    return replace(config, versions=(*config.versions, *versions(sorted(encodings))))


def _path(source: str, home: Home) -> Path:
    if own := home.presets.get(source):
        return own
    path = Path(source)
    if home.by_rules or len(path.parts) != 1 or path.suffix or path.exists():
        return path
    return registry.find("presets", source) or path


def _read(source: str, extending: tuple[Path, ...], home: Home) -> Config:
    path = _path(source, home)
    ours = path.is_relative_to(ENCODINGS)
    name = source if ours and source in home.presets else file_name(path)
    if not path.suffix and not path.exists():
        raise ConfigError(_unknown(source, home))
    try:
        text = textfile.read_text(path)
        with at(name):
            file = _parse(text)
            base, extends = _blank(name, home), _parent(file, home)
            if extends is not None:
                parent = extends if extends in home.presets else str(path.parent / extends)
                chain = (*extending, path.resolve())
                try:
                    circle = _path(parent, home).resolve() in chain
                except ValueError:  # a zero byte
                    told = f"extends: {quote_text(parent)} is not a file name"
                    raise InputError(told) from None
                if circle:
                    raise InputError("extends: the files extend each other in a circle")
                if parent not in home.presets and not Path(parent).is_file():
                    raise file.error(("extends",), _unknown(extends, home))
                base = _read(parent, chain, home)
            read = (*base.versions, *versions([path]))
            return replace(_merge(base, name, file, path.parent), versions=read)
    except InputError as error:
        raise ConfigError(str(error)) from None


def _parent(file: _File, home: Home) -> str | None:
    """Return the source that a file extends, unless that is blank."""
    extends = file.said.extends
    return None if extends is None or _is_blank(extends, home) else extends


def _is_blank(source: str, home: Home) -> bool:
    """Return whether a source is the default of a game that has no weights."""
    return source == DEFAULT and source not in home.presets


def _unknown(source: str, home: Home) -> str:
    """Say what is wrong with a name that is neither a file nor a preset."""
    known = ", ".join(sorted({DEFAULT, *presets(home)}))
    return f"{quote_text(source)} is neither a weights file nor a preset (presets: {known})"


def _no_preset(name: str, home: Home) -> str:
    return f"{quote_text(name)} is not a preset (use {', '.join(presets(home))})"


@lru_cache(maxsize=32)  # presets are read again for every board, and YAML is slow
def _parse(text: str) -> _File:
    """Return the checked settings, which must not be changed."""
    parsed = textfile.parse_yaml(text)
    try:
        return schema.read(parsed, _Settings, _WANTED)
    except InputError:
        keys = parsed[0] if isinstance(parsed[0], dict) else ()
        told = next((key for key in _OF_A_POSITION if key in keys), None)
        if told:
            raise InputError(f"holds a position ({told}:), not weights") from None
        raise


def _blank(name: str, home: Home) -> Config:
    """Return the base of a file that extends nothing."""
    return Config(name, home.depth, home.knowledge, home=home)


def _merge(base: Config, name: str, file: _File, folder: Path) -> Config:
    settings, home = file.said, base.home
    knowledge, extra = dict(base.knowledge), dict(base.extra)
    only = "only games that are given by rules have one"
    foreign = dict.fromkeys(("search", "selective"), only)
    if home.by_rules:
        foreign = dict.fromkeys(("endgame", "book", "other_boards"), "only Connect Four has one")
    for key, wrong in foreign.items():
        if key in settings.model_fields_set:
            raise file.error((key,), wrong)
    if settings.search not in (None, *SEARCHES):
        found = quote_text(settings.search or "")
        told = f"{found} is not a way to search (use {' or '.join(SEARCHES)})"
        raise file.error(("search",), told)
    keys = {"depth", "endgame", "search", "selective"}
    said = settings.model_dump(include=keys, exclude_none=True)
    config = replace(base, name=name, **said)
    if config.selective and config.search == "tree":
        raise file.error(
            ("selective" if settings.selective else "search",),
            "a tree of random games leaves out nothing "
            "(use selective: true with search: look-ahead, or search: tree alone)",
        )
    weights = {program: dict(base.weights.get(program, {})) for program in KINDS}
    for program in KINDS:
        files = getattr(settings.encodings, program)
        if files is not None:
            # Other encodings have other names: inherited weights for the old ones are void.
            knowledge[program] = tuple(_find(file, folder, home) for file in files)
            weights[program] = {}
        added = getattr(settings.encodings.extra, program)
        extra[program] += tuple(_find(file, folder, home) for file in added)
        weights[program].update(_flatten(getattr(settings, program), (program,), file))
    elsewhere = settings.other_boards
    if elsewhere is not None and elsewhere not in home.presets:
        raise file.error(("other_boards",), _no_preset(elsewhere, home))
    changed = weights != base.weights or "encodings" in settings.model_fields_set
    return replace(
        config,
        book=(base.book and not changed) if settings.book is None else settings.book,
        other_boards=elsewhere or (None if changed else base.other_boards),
        knowledge=knowledge,
        extra=extra,
        weights=weights,
    )


def _find(file: str, folder: Path, home: Home) -> Path:
    """Return an encoding beside the weights file or, failing that, one of the game's own."""
    path = folder / file
    if path.is_file():
        return path
    own = {known.name: known for known in home.nameable}
    if file in own:
        return own[file]
    names = ", ".join(sorted(own)) or "none"
    raise InputError(
        f"encodings: {file}: no such file in {folder} or among {home.owner} own ({names})"
    )


_NAME = re.compile(r"(?!not$)_*[a-z][A-Za-z0-9_']*")
"""A constant of an answer set program; other texts would have another meaning there."""


def _flatten(
    tree: Mapping[Any, Any], place: tuple[Any, ...], file: _File
) -> Iterator[tuple[Term, int]]:
    """Yield nested weights as terms: ``{line: {2: 5}}`` gives ``("line", 2), 5``."""
    for key, value in tree.items():
        here = (*place, key)
        if isinstance(key, bool) or not (isinstance(key, int) or _NAME.fullmatch(str(key))):
            found = quote_text(str(key))
            raise file.error(here, f"{found} is not a name (use a word like 'center' or a number)")
        if isinstance(key, int) and abs(key) > LARGEST:
            raise file.error(here, f"{key} is out of range (use {-LARGEST} to {LARGEST})")
        if isinstance(value, dict):
            yield from _flatten(value, here, file)
        elif isinstance(value, bool) or not isinstance(value, int):
            raise file.error(here, f"{textfile.show_value(value)} is not a whole number")
        elif abs(value) > WEIGHT_LIMIT:
            raise file.error(here, f"{value} is outside {-WEIGHT_LIMIT}..{WEIGHT_LIMIT}")
        else:
            yield here[1] if len(here) == 2 else here[1:], value
