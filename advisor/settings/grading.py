"""What moves are called by what they gave away: the thresholds, from a file of their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from advisor.errors import ConfigError, InputError, at
from advisor.files import textfile
from advisor.files.textfile import quoted

GRADES = ("best", "good", "inaccuracy", "mistake", "blunder")
"""From the best to the worst."""

ERRORS = GRADES[2:]
RESULTS = ("win", "draw", "loss")
OTHERS = "others"

_FILE = Path(__file__).parent / "grades.yaml"


@dataclass(frozen=True, slots=True)
class Grading:
    """Thresholds for the grades of moves.

    Attributes:
        results: the grade of a move that turns one certain result into a worse one.
        points: by error, from how many points of the exact score on, where the result stays.
        chances: by error, from how much of the expected result (0 to 1) on, where it is a guess.
        certain: the least grade there of a move into a certain loss, or that lets a certain win go.
        scale: units of the weights to a logit of the expected result, by game; see `scale_of`.
        ceiling: units that a certain result counts for beside a value, and the most of a value.
    """

    results: Mapping[tuple[str, str], str]
    points: Mapping[str, float]
    chances: Mapping[str, float]
    certain: str
    scale: Mapping[str, float]
    ceiling: float

    def scale_of(self, game: str) -> float:
        """Units of a game's weights to a logit."""
        return self.scale.get(game, self.scale[OTHERS])

    def by_points(self, loss: float) -> str:
        """The grade of a move that keeps the result and gives away so many points."""
        return _worst(self.points, loss)

    def by_chances(self, loss: float, certain: bool) -> str:
        """The grade of a move that gives away so much of the expected result.

        Args:
            certain: by going into a certain loss, or by letting a certain win go.
        """
        grade = _worst(self.chances, loss)
        return max(grade, self.certain, key=GRADES.index) if certain else grade


def load(source: str | None = None) -> Grading:
    """The thresholds of a user's file, which may change some of the project's own; or these.

    Raises:
        ConfigError: one line with file, place, what was found and what is allowed.
    """
    return _usual() if source is None else _read(Path(source), _usual())


@cache
def _usual() -> Grading:
    return _read(_FILE, Grading({}, {}, {}, "good", {OTHERS: 100}, 1000))


def _read(path: Path, base: Grading) -> Grading:
    name = textfile.file_name(path)
    try:
        text = textfile.read_text(path)
        with at(name):
            return _merged(*textfile.plain(textfile.parse_yaml(text)), base)
    except InputError as error:
        raise ConfigError(str(error)) from None


def _merged(said: Any, lines: Mapping[tuple[Any, ...], str], base: Grading) -> Grading:
    keys = ("results", "points", "chances", "certain", "scale", "ceiling")
    if not isinstance(said, dict):
        raise InputError(f"line 1: expected some of {', '.join(keys)}")
    for key in said:
        with at(lines[(key,)]):
            if key not in keys:
                raise InputError(f"unknown key {quoted(str(key))} (use {', '.join(keys)})")
            if key not in ("ceiling", "certain") and not isinstance(said[key], dict):
                raise InputError(f"{key}: expected lines like 'name: value'")

    def entries(key: str) -> dict[str, Any]:
        found = {}
        for name, value in said.get(key, {}).items():
            with at(f"{lines[(key, name)]}: {key}"):
                _check(key, str(name), value)
            found[str(name)] = value
        return found

    if "ceiling" in said:
        with at(lines[("ceiling",)]):
            _number("ceiling", said["ceiling"])
    if "certain" in said:
        with at(lines[("certain",)]):
            _grade("certain", said["certain"])
    changes = {tuple(name.split(" to ")): grade for name, grade in entries("results").items()}
    return Grading(
        results={**base.results, **{(old, new): g for (old, new), g in changes.items()}},
        points={**base.points, **entries("points")},
        chances={**base.chances, **entries("chances")},
        certain=said.get("certain", base.certain),
        scale={**base.scale, **entries("scale")},
        ceiling=said.get("ceiling", base.ceiling),
    )


def _check(key: str, name: str, value: object) -> None:
    """One entry of a mapping."""
    if key == "results":
        worse = [f"{old} to {new}" for i, old in enumerate(RESULTS) for new in RESULTS[i + 1 :]]
        if name not in worse:
            raise InputError(f"{quoted(name)} is not a loss of a result (use {', '.join(worse)})")
        _grade(name, value)
        return
    if key != "scale" and name not in ERRORS:
        raise InputError(f"{quoted(name)} is not an error (use {', '.join(ERRORS)})")
    _number(name, value)


def _grade(name: str, value: object) -> None:
    if value not in GRADES:
        raise InputError(f"{name}: {quoted(str(value))} is not a grade (use {', '.join(GRADES)})")


def _number(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 10**9:
        raise InputError(f"{name}: {quoted(str(value))} must be positive")


def _worst(bounds: Mapping[str, float], loss: float) -> str:
    reached = [grade for grade in ERRORS if grade in bounds and loss >= bounds[grade]]
    return reached[-1] if reached else "good"
