"""A class as files for its teacher: a table for a spreadsheet, and a folder in an archive."""

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence

from advisor.web.models import Json

_COLUMNS = {
    "name": "name",
    "code": "code",
    "time": "handed in (UTC)",
    "versions": "versions",
    "tries": "tries",
    "plays": "plays",
    "place": "place",
    "share": "share of the points",
    "points": "points",
    "games": "games",
    "wins": "won",
    "draws": "drawn",
    "losses": "lost",
    "errors": "games lost by an error",
    "error": "last error",
    "same_text": "says the same as",
    "same_moves": "chose the same moves as",
}
_GAMES = {"first": "began", "second": "answered", "points": "points of who began", "moves": "moves"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table_csv(students: Sequence[Json], table: Sequence[Json]) -> str:
    """Return a line for each student, with the result of the last tournament.

    Args:
        students: from `Classroom.overview`.
        table: of `Classroom.results`, which has the advisor too.
    """
    rows: dict[str, Json] = {line["name"]: dict(line) for line in students}
    for line in table:
        rows.setdefault(line["name"], {"name": line["name"]}).update(line)
    return _csv(_COLUMNS, [*rows.values()])


def archive(
    strategies: Mapping[str, Mapping[str, str]],
    students: Sequence[Json],
    results: Json,
    games: Sequence[Json],
) -> bytes:
    """Return a zip file with a folder of each strategy, as `advisor tournament` reads them.

    The table and the games of the last tournament lie beside the folders.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, files in strategies.items():
            for file, text in files.items():
                packed.writestr(f"{name}/{file}", text)
        packed.writestr("class.csv", table_csv(students, results.get("table", ())))
        packed.writestr("games.csv", _csv({**_GAMES, "error": "error"}, games))
    return made.getvalue()


def _csv(columns: Mapping[str, str], rows: Sequence[Json]) -> str:
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(columns.values())
    for row in rows:
        writer.writerow([_cell(row.get(key)) for key in columns])
    return made.getvalue()


def _cell(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) and not isinstance(value, int | float) else text
