"""What moves are called by what they gave away: the thresholds, from a file of their own."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, cast, get_args

from pydantic import BaseModel, Field

from advisor.errors import ConfigError, InputError, at
from advisor.files import textfile
from advisor.settings import schema
from advisor.settings.schema import STRICT
from aspcircuits.texts import file_name

Positive = Annotated[float, Field(gt=0, lt=10**9)]
Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
Graded = Literal["best", "good", "unclear", "inaccuracy", "mistake", "blunder"]
Error = Literal["inaccuracy", "mistake", "blunder"]
Worse = Literal["win to draw", "win to loss", "draw to loss"]

GRADES: tuple[str, ...] = get_args(Grade)
"""From the best to the worst."""

ERRORS: tuple[str, ...] = get_args(Error)

UNCLEAR: Literal["unclear"] = "unclear"
"""Of a move that looks like an error, but not by every look at it: it is not graded."""

MARKS: tuple[str, ...] = get_args(Graded)
"""Grades, and what stands in place of one."""

OTHERS = "others"

_FILE = Path(__file__).parent / "grades.yaml"


class Grading(BaseModel, **STRICT):
    """Thresholds for the grades of moves.

    Attributes:
        results: the grade of a move that turns one certain result into a worse one.
        points: by error, from how many points of the exact score on, where the result stays.
        chances: by error, from how much of the expected result (0 to 1) on, where it is a guess.
        certain: the least grade there of a move into a certain loss, or that lets a certain win go.
        sight: the same where one move ends it: a win that is there, or a win that is not blocked.
        scale: units of the weights to a logit of the expected result, by game; see `scale_of`.
        noise: units that values of the look-ahead are off by (standard deviation), by game, where
            that was measured; see `noise_of`.
        ceiling: units that a certain result counts for beside a value, and the most of a value.
    """

    results: dict[Worse, Grade] = {}
    points: dict[Error, Positive] = {}
    chances: dict[Error, Positive] = {}
    certain: Grade = "good"
    sight: Grade = "good"
    scale: dict[str, Positive] = {}
    noise: dict[str, Positive] = {}
    ceiling: Positive = 1000

    def scale_of(self, game: str) -> float:
        """Units of a game's weights to a logit."""
        return self.scale.get(game, self.scale[OTHERS])

    def noise_of(self, game: str) -> float:
        """Units that values of a game are off by; 0 where that is not known."""
        return self.noise.get(game, 0.0)

    def by_result(self, was: str, became: str) -> Grade:
        """The grade of a move that turns one certain result into another."""
        return self.results.get(cast(Worse, f"{was} to {became}"), "good")

    def by_points(self, loss: float) -> Grade:
        """The grade of a move that keeps the result and gives away so many points."""
        return _worst(self.points, loss)

    def by_chances(self, loss: float, certain: bool, at_sight: bool) -> Grade:
        """The grade of a move that gives away so much of the expected result.

        Args:
            certain: by going into a certain loss, or by letting a certain win go.
            at_sight: of which one move makes an end.
        """
        grades = [_worst(self.chances, loss)]
        grades += [self.certain] if certain else []
        grades += [self.sight] if at_sight else []
        return worse(*grades)


def worse(*grades: Grade) -> Grade:
    """The worst of some grades."""
    return max(grades, key=GRADES.index)


def load(source: str | None = None) -> Grading:
    """The thresholds of a user's file, which may change some of the project's own; or these.

    Raises:
        ConfigError: one line with file, place, what was found and what is allowed.
    """
    if source is None:
        return _usual()
    name = file_name(source)
    try:
        text = textfile.read_text(source)
        with at(name):
            read = schema.read(textfile.parse_yaml(text), Grading)
            changed = read.said.model_dump(exclude_unset=True)
    except InputError as error:
        raise ConfigError(str(error)) from None
    usual = _usual().model_dump()
    for key, value in changed.items():
        usual[key] = {**usual[key], **value} if isinstance(value, dict) else value
    return Grading(**usual)


@cache
def _usual() -> Grading:
    return schema.read(textfile.parse_yaml(textfile.read_text(_FILE)), Grading).said


def _worst(bounds: Mapping[Error, float], loss: float) -> Grade:
    reached: list[Grade] = [grade for grade, bound in bounds.items() if loss >= bound]
    return max(reached, key=ERRORS.index, default="good")
