"""Grades of moves by what they gave away: the thresholds, from a file of their own."""

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
"""Grades from the best to the worst."""

ERRORS: tuple[str, ...] = get_args(Error)

UNCLEAR: Literal["unclear"] = "unclear"
"""The mark of a move that looks like an error, but not by every look at it."""

MARKS: tuple[str, ...] = get_args(Graded)
"""Grades, and the mark that replaces one."""

OTHERS = "others"

_FILE = Path(__file__).parent / "grades.yaml"


class Grading(BaseModel, **STRICT):
    """Thresholds for the grades of moves.

    Attributes:
        results: the grade of a move that turns one certain result into a worse one.
        points: by error, the least loss in points of the exact score, if the result stays.
        chances: by error, the least loss of the expected result (0 to 1), if that is a guess.
        certain: the mildest grade of a guess for a move into a certain loss, or that gives up a
            certain win.
        sight: the mildest grade if one move ends the game: an immediate win missed or not blocked.
        scale: units of the weights per logit of the expected result, by game; see `scale_of`.
        noise: standard deviation of the look-ahead's values, in units, by game, if measured; see
            `noise_of`.
        ceiling: units that a certain result counts beside a value, and the most that a value
            counts.
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
        """Return the units of a game's weights per logit."""
        return self.scale.get(game, self.scale[OTHERS])

    def noise_of(self, game: str) -> float:
        """Return the standard deviation of a game's values, in units; 0 if it is not known."""
        return self.noise.get(game, 0.0)

    def by_result(self, was: str, became: str) -> Grade:
        """Return the grade of a move that turns one certain result into another."""
        return self.results.get(cast(Worse, f"{was} to {became}"), "good")

    def by_points(self, loss: float) -> Grade:
        """Return the grade of a move that keeps the result and gives away `loss` points."""
        return _worst(self.points, loss)

    def by_chances(self, loss: float, certain: bool, at_sight: bool) -> Grade:
        """Return the grade of a move that gives away `loss` of the expected result.

        Args:
            loss: from 0 to 1.
            certain: the move goes into a certain loss, or gives up a certain win.
            at_sight: one move ends the game.
        """
        grades = [_worst(self.chances, loss)]
        grades += [self.certain] if certain else []
        grades += [self.sight] if at_sight else []
        return worse(*grades)


def worse(*grades: Grade) -> Grade:
    """Return the worst of some grades."""
    return max(grades, key=GRADES.index)


def load(source: str | None = None) -> Grading:
    """Return the usual thresholds, with the changes of a user's file if there is one.

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
