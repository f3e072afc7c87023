"""Weights and settings: YAML files, read and checked against the encodings they speak of.

A file says ``extends: default`` and changes what it wants. Strategies and features come from the
encodings; a weight whose name no encoding derives is an error, and so is the reverse.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from advisor.asp.clingo_api import Term, heads, render
from advisor.errors import ConfigError, InputError
from advisor.files import textfile
from advisor.files.resources import ENCODINGS, PRESETS

Weights = Mapping[Term, int]
"""A weight for each name; ``center: {0: 30}`` is the weight of ``("center", 0)``."""

WEIGHT_LIMIT = 10**6
"""Sums of weights have to stay within clingo's 32-bit integers."""

MAX_DEPTH = 100
LEVELS = range(1, 21)
DEFAULT = "default"

_CONNECT4 = ENCODINGS / "connect4"
_FRAMES = {"moves": _CONNECT4 / "suggest.lp", "features": _CONNECT4 / "evaluate.lp"}
_GROUND = tuple(_CONNECT4 / file for file in ("board.lp", "outcome.lp", "threats.lp"))
_KNOWLEDGE = {
    "moves": (_CONNECT4 / "strategy.lp",),
    "features": (_CONNECT4 / "forced.lp", _CONNECT4 / "position.lp"),
}
_PREDICATES = {"moves": ("fires", "strategy"), "features": ("feature", "feature")}


@dataclass(frozen=True, slots=True)
class Config:
    """Effective settings.

    Attributes:
        name: the preset or the file that they come from.
        depth: plies of look-ahead; 0 is the answer set of the one position.
        endgame: from so many empty squares on, a search to the end of the game comes first where
            not depth but time limits the thinking.
        book: a look-ahead keeps to the opening book. Weights and encodings of one's own are there
            to be tried, so a file that changes any goes without unless it asks for the book.
        knowledge: per program ("moves", "features") the files that derive its names.
        extra: the user's own files, part of both programs.
        weights: per program the weight of every name.
    """

    name: str
    depth: int
    endgame: int
    book: bool
    knowledge: Mapping[str, tuple[Path, ...]]
    extra: tuple[Path, ...]
    weights: Mapping[str, Weights]

    def files(self, program: str) -> tuple[Path, ...]:
        """The encodings of a program: "moves" scores moves, "features" scores positions."""
        return (_FRAMES[program], *self.knowledge[program], *self.extra)

    def strategies(self) -> tuple[Path, ...]:
        """The encodings that derive strategies, with all that they build on but no choice."""
        return (*_GROUND, *self.knowledge["moves"], *self.extra)

    def require_weight(self, program: str, name: Term) -> int:
        """The weight of a name that an encoding derived.

        Raises:
            ConfigError: it has none.
        """
        try:
            return self.weights[program][name]
        except KeyError:
            kind = _PREDICATES[program][1]
            derived = ", ".join(file.name for file in (*self.knowledge[program], *self.extra))
            raise ConfigError(
                f"{self.name}: {program}: no weight for {kind} '{render(name)}', "
                f"which {derived} derives"
            ) from None


def depth_of_level(level: int) -> int:
    """The plies of look-ahead that a level of play (one of `LEVELS`) stands for.

    As in Keith Pomakis' Connect-4 (1993-2009), level n looks n plies ahead, whatever the weights.
    """
    return level


def fingerprint(config: Config) -> str:
    """A text that differs wherever the settings or the contents of the encodings do."""
    files = {*(ENCODINGS.rglob("*.lp")), *config.files("moves"), *config.files("features")}
    contents = [(file.name, file.read_bytes()) for file in sorted(files)]
    weights = [(program, sorted(map(repr, config.weights[program].items()))) for program in _FRAMES]
    programs = [[file.name for file in config.files(program)] for program in _FRAMES]
    parts = (config.depth, config.endgame, config.book, contents, weights, programs)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


class _Encodings(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    moves: list[str] | None = None
    features: list[str] | None = None
    extra: list[str] = []


class _Settings(BaseModel):
    """The schema of a weights file; the weights themselves nest as deep as their names."""

    model_config = ConfigDict(extra="forbid", strict=True)

    extends: str | None = None
    depth: Annotated[int, Field(ge=0, le=MAX_DEPTH)] | None = None
    endgame: Annotated[int, Field(ge=0)] | None = None
    book: bool | None = None
    encodings: _Encodings = _Encodings()
    moves: dict[Any, Any] = {}
    features: dict[Any, Any] = {}


_WANTED = {
    "dict_type": "lines like 'name: weight'",
    "model_type": "lines like 'key: value'",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "a name",
    "invalid_key": "a name",
    "list_type": "a list of files like [own.lp]",
}


def presets() -> list[str]:
    """The names of the weights that come with the advisor."""
    return sorted(file.stem for file in PRESETS.glob("*.yaml"))


def load(source: str = DEFAULT) -> Config:
    """The settings of a preset or of a YAML file, checked against their encodings.

    Raises:
        ConfigError: one line that names the file, the place, what was found and what is allowed.
        EncodingError: an encoding that it names is no program.
    """
    config = _read(source, ())
    for program in _FRAMES:
        _check_names(config, program)
    return config


def parse(text: str, name: str) -> Config:
    """Settings that come as text, from someone who may change numbers but name no files.

    Args:
        text: as in a weights file; ``extends`` may only name a preset.
        name: begins every error about it.

    Raises:
        ConfigError, EncodingError: as `load`, and for a text that names files.
    """
    try:
        settings, lines = _parse(textfile.decode(text.encode()))
        if "encodings" in settings.model_fields_set:
            where = lines[("encodings",)]
            raise InputError(f"{where}: encodings: only a weights file may name encodings")
        parent = settings.extends
        if parent is not None and parent not in presets():
            raise InputError(
                f"{lines[('extends',)]}: extends: {textfile.quoted(parent)} is no preset "
                f"(use {', '.join(presets())})"
            )
        base = _blank(name) if parent is None else load(parent)
        config = _merge(base, name, settings, PRESETS, lines)
    except InputError as error:
        raise ConfigError(f"{name}: {error}") from None
    for program in _FRAMES:
        _check_names(config, program)
    return config


def _blank(name: str) -> Config:
    """What a file that extends nothing begins with."""
    return Config(name, 0, 0, False, _KNOWLEDGE, (), {})


def _path(source: str) -> Path:
    return PRESETS / f"{source}.yaml" if source in presets() else Path(source)


def _read(source: str, extending: tuple[Path, ...]) -> Config:
    path = _path(source)
    name = source if path.parent == PRESETS else textfile.file_name(path)
    if not path.suffix and not path.exists():
        raise ConfigError(
            f"'{source}' is neither a weights file nor a preset (presets: {', '.join(presets())})"
        )
    try:
        text = textfile.read_text(path)
    except InputError as error:
        raise ConfigError(str(error)) from None
    try:
        settings, lines = _parse(text)
        if settings.extends is None:
            base = _blank(name)
        else:
            parent = settings.extends
            if parent not in presets():
                parent = str(path.parent / parent)
            chain = (*extending, path.resolve())
            try:
                circle = _path(parent).resolve() in chain
            except ValueError:  # a zero byte
                raise InputError(f"extends: {textfile.quoted(parent)} is no file name") from None
            if circle:
                raise InputError("extends: the files extend each other in a circle")
            base = _read(parent, chain)
        return _merge(base, name, settings, path.parent, lines)
    except InputError as error:
        raise ConfigError(f"{name}: {error}") from None


def _parse(text: str) -> tuple[_Settings, Mapping[tuple[Any, ...], str]]:
    """The checked settings, and where each key stands."""
    root = textfile.parse_yaml(text)
    lines: dict[tuple[Any, ...], str] = {}
    data = _plain(root, (), lines)
    try:
        return _Settings.model_validate(data), lines
    except ValidationError as error:
        first = error.errors()[0]
        place = first["loc"]
        where = f"{lines.get(place, 'line 1')}: {_dotted(place)}"
        if first["type"] == "extra_forbidden":
            model = _Encodings if place[0] == "encodings" else _Settings
            guess = textfile.nearest(str(place[-1]), model.model_fields)
            raise InputError(f"{where}: unknown key (did you mean '{guess}'?)") from None
        found = textfile.quoted(str(first["input"]))
        wanted = _WANTED.get(first["type"], first["msg"].removeprefix("Input should be "))
        raise InputError(f"{where.rstrip(': ')}: {found} found, should be {wanted}") from None


def _dotted(place: tuple[Any, ...]) -> str:
    return ".".join(textfile.printable(str(key)) for key in place)


def _plain(node: yaml.Node, place: tuple[Any, ...], lines: dict[tuple[Any, ...], str]) -> Any:
    """A YAML node as Python values; notes the line of each."""
    lines[place] = textfile.line_of(node)
    if isinstance(node, yaml.MappingNode):
        found: dict[Any, Any] = {}
        for key_node, value in node.value:
            key = _scalar(key_node)
            if key in found:
                given = textfile.quoted(str(key))
                raise InputError(f"{textfile.line_of(key_node)}: key {given} is given twice")
            found[key] = _plain(value, (*place, key), lines)
            lines[(*place, key)] = textfile.line_of(key_node)
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*place, i), lines) for i, item in enumerate(node.value)]
    return _scalar(node)


_LARGEST = 10**18
"""Beyond it no number means anything here, and Python refuses to print those of 4,300 digits."""


def _scalar(node: yaml.Node) -> Any:
    if not isinstance(node, yaml.ScalarNode):
        raise InputError(f"{textfile.line_of(node)}: {textfile.kind(node)} cannot be a key")
    try:
        value = yaml.SafeLoader("").construct_object(node)
    except Exception:  # an explicit tag as in `!!bool x` may lead PyYAML to any error
        value = ()
    if isinstance(value, Collection) and not isinstance(value, str):
        place, found = textfile.line_of(node), textfile.kind(node)
        raise InputError(f"{place}: {found} cannot be read (use a name or a number)")
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise InputError(f"{textfile.line_of(node)}: a number of more than 18 digits")
    return value


def _merge(
    base: Config,
    name: str,
    settings: _Settings,
    folder: Path,
    lines: Mapping[tuple[Any, ...], str],
) -> Config:
    knowledge = dict(base.knowledge)
    weights = {program: dict(base.weights.get(program, {})) for program in _FRAMES}
    for program in _FRAMES:
        files = getattr(settings.encodings, program)
        if files is not None:
            # Other encodings know other names: what was inherited for the old ones is void.
            knowledge[program] = tuple(_find(file, folder) for file in files)
            weights[program] = {}
        for term, weight in _flatten(getattr(settings, program), (program,), lines):
            weights[program][term] = weight
    changed = weights != base.weights or "encodings" in settings.model_fields_set
    return Config(
        name=name,
        depth=base.depth if settings.depth is None else settings.depth,
        endgame=base.endgame if settings.endgame is None else settings.endgame,
        book=(base.book and not changed) if settings.book is None else settings.book,
        knowledge=knowledge,
        extra=(*base.extra, *(_find(file, folder) for file in settings.encodings.extra)),
        weights=weights,
    )


def _find(file: str, folder: Path) -> Path:
    """An encoding beside the weights file or, failing that, one of the advisor's own."""
    own = _CONNECT4 / file
    path = folder / file
    if path.is_file():
        return path
    if own.is_file():
        return own
    raise InputError(f"encodings: {file}: no such file in {folder} or among the advisor's own")


_NAME = re.compile(r"(?!not$)_*[a-z][A-Za-z0-9_']*")
"""A constant of an answer set program; anything else would not mean there what it says here."""


def _flatten(
    tree: Mapping[Any, Any], place: tuple[Any, ...], lines: Mapping[tuple[Any, ...], str]
) -> Iterator[tuple[Term, int]]:
    """Nested weights as terms: ``{line: {2: 5}}`` gives ``("line", 2), 5``."""
    for key, value in tree.items():
        here = (*place, key)
        where = f"{lines[here]}: {_dotted(here)}"
        if isinstance(key, bool) or not (isinstance(key, int) or _NAME.fullmatch(str(key))):
            found = textfile.quoted(str(key))
            raise InputError(f"{where}: {found} is no name (use a word like 'center' or a number)")
        if isinstance(value, dict):
            yield from _flatten(value, here, lines)
        elif isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{where}: {textfile.quoted(str(value))} is not a whole number")
        elif abs(value) > WEIGHT_LIMIT:
            raise InputError(f"{where}: {value} is outside {-WEIGHT_LIMIT}..{WEIGHT_LIMIT}")
        else:
            yield here[1] if len(here) == 2 else here[1:], value


def _check_names(config: Config, program: str) -> None:
    predicate, kind = _PREDICATES[program]
    derived = [head for head in heads(config.files(program), predicate) if head.arguments[0]]
    weights = config.weights[program]
    for name in weights:
        if not any(_matches(head.arguments[0], name) for head in derived):
            known = sorted({_label(head.arguments[0]) for head in derived})
            files = ", ".join(file.name for file in (*config.knowledge[program], *config.extra))
            guess = f" (did you mean '{textfile.nearest(render(name), known)}'?)" if known else ""
            raise ConfigError(
                f"{config.name}: {program}: no rule of {files} derives the {kind} "
                f"'{render(name)}'{guess}"
            )
    for head in derived:
        if not any(_matches(head.arguments[0], name) for name in weights):
            raise ConfigError(
                f"{textfile.file_name(head.file)}:{head.line}: {kind} "
                f"'{_label(head.arguments[0])}' has no weight in {config.name} (under {program}:)"
            )


def _matches(pattern: Term | None, name: Term) -> bool:
    """Whether a rule's head, variables as None, can derive a name."""
    if pattern is None:
        return True
    if isinstance(pattern, tuple) and isinstance(name, tuple):
        return len(pattern) == len(name) and all(map(_matches, pattern, name))
    return bool(pattern == name)


def _label(pattern: Term | None) -> str:
    """A rule's head for an error; a variable is shown as N."""
    if isinstance(pattern, tuple):
        return f"{pattern[0]}({','.join(map(_label, pattern[1:]))})"
    return "N" if pattern is None else str(pattern)


def to_yaml(config: Config, comments: Mapping[str, Callable[[str], str]]) -> str:
    """The settings as a complete weights file with a comment for each name.

    Args:
        config: the settings.
        comments: per program what tells of a weight, by its name, what it is for.
    """
    lines = [f"# The effective settings of {config.name}."]
    lines += [f"depth: {config.depth}", f"endgame: {config.endgame}", ""]
    lines += ["encodings:"]
    for program in _FRAMES:
        lines.append(f"  {program}: {_file_list(config.knowledge[program])}")
    lines.append(f"  extra: {_file_list(config.extra)}")
    for program, comment in comments.items():
        lines += ["", f"{program}:"]
        tree: dict[Term, Any] = {}
        for name, weight in config.weights[program].items():
            path = name if isinstance(name, tuple) else (name,)
            branch = tree
            for step in path[:-1]:
                branch = branch.setdefault(step, {})
            branch[path[-1]] = (weight, comment(render(name)))
        lines += _yaml_lines(tree, "  ")
    return "\n".join(lines) + "\n"


def _yaml_lines(tree: Mapping[Term, Any], indent: str) -> Iterator[str]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield f"{indent}{key}:"
            yield from _yaml_lines(value, indent + "  ")
        else:
            weight, comment = value
            line = f"{indent}{key}: {weight}"
            yield f"{line:<28}# {comment}" if comment else line


def _file_list(files: tuple[Path, ...]) -> str:
    """A YAML list; the advisor's own encodings by name, so that the file works elsewhere too."""
    names = [file.name if file.parent == _CONNECT4 else str(file.resolve()) for file in files]
    return json.dumps(names)
