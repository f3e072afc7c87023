"""Writes rows of results to a file: JSON lines, CSV or Parquet, by the end of its name.

This is the only module that imports `pyarrow`, the package of the optional extra ``parquet``.
"""

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from advisor import extras
from advisor.errors import InputError
from advisor.files import outfile
from aspcircuits.texts import file_name

WORK = ("nodes", "leaves", "seconds", "machine_code")
"""The keys of a result about its effort, which differs from run to run."""

COLUMNS = (
    "line",
    "position",
    "turn",
    "best",
    "score.kind",
    "score.value",
    "score.in",
    "chance",
    "depth",
    "error",
    "code",
)
"""The default columns of a table."""

_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("line", "depth", "nodes", "leaves"), int),
    **dict.fromkeys(("score.value", "score.in", "score.plies", "score.points"), int),
    **dict.fromkeys(("chance", "seconds"), float),
    "machine_code": bool,
}
"""The types of Parquet columns; others are text."""

_GROUP = 10_000
"""Rows that Parquet keeps together."""

ResultRow = Mapping[str, Any]
Write = Callable[[ResultRow], None]


def write_table(
    rows: Iterable[ResultRow], path: str | os.PathLike[str], *, columns: Sequence[str] | None = None
) -> int:
    """Write rows as they come, and return their number; an error leaves the rows before it.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "found.csv")
    ...     rows = advisor.analyse(["4453"], depth=2)
    ...     _ = advisor.write_table(rows, file, columns=["position", "best", "score.kind"])
    ...     print(file.read_text())
    position,best,score.kind
    4453,3 6 7,loss
    <BLANKLINE>

    Args:
        path: a name that ends in ``.jsonl``, ``.csv`` or ``.parquet``.
        columns: keys of the rows, such as ``score.value`` for nested ones; None for all keys in
            JSON lines, and for `COLUMNS` in a table. Lists become words with spaces between.

    Raises:
        InputError: another end of its name, Parquet without its extra, or a file that cannot be
            written.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path {path!r} is not a path")
    if not isinstance(rows, Iterable):
        raise InputError(f"rows {rows!r} are none")
    path, many = Path(path), 0
    opened = _KINDS.get(path.suffix.lower())
    if opened is None:
        raise InputError(f"{file_name(path)}: use a name that ends in {' or '.join(_KINDS)}")
    outfile.check_writable(path)
    with opened(path, columns) as write_row:
        for row in rows:
            write_row(row)
            many += 1
    return many


def chosen_keys(row: ResultRow, columns: Sequence[str] | None) -> ResultRow:
    """Return a row's values under some keys, as JSON; or all of it."""
    return row if columns is None else {name: _value_under(row, name) for name in columns}


def _value_under(row: ResultRow, column: str) -> Any:
    found: Any = row
    for key in column.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def cell(row: ResultRow, column: str) -> Any:
    """Return a row's cell in a column: a number, a truth value, a text, or None.

    >>> cell({"score": {"kind": "win"}, "best": [3, 4]}, "best")
    '3 4'
    """
    found = _value_under(row, column)
    if isinstance(found, list) and not any(isinstance(each, Mapping | list) for each in found):
        return " ".join(map(str, found))
    return json.dumps(found) if isinstance(found, Mapping | list) else found


@contextmanager
def _json_lines(path: Path, columns: Sequence[str] | None) -> Iterator[Write]:
    with outfile.lines(path) as write_line:
        yield lambda row: write_line(json.dumps(chosen_keys(row, columns)) + "\n")


@contextmanager
def _csv(path: Path, columns: Sequence[str] | None) -> Iterator[Write]:
    names = columns or COLUMNS
    with outfile.lines(path) as write_line:

        def add(cells: Iterable[Any]) -> None:
            line = StringIO()
            csv.writer(line, lineterminator="\n").writerow(cells)
            write_line(line.getvalue())

        add(names)
        yield lambda row: add(cell(row, name) for name in names)


@contextmanager
def _parquet(path: Path, columns: Sequence[str] | None) -> Iterator[Write]:
    if not extras.has_extra("parquet"):
        raise InputError(f"{file_name(path)}: not installed ({extras.install('parquet')})")
    import pyarrow
    from pyarrow import parquet

    names = columns or COLUMNS
    kinds = {int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(n, kinds.get(_TYPES.get(n, str), pyarrow.string())) for n in names])
    waiting: list[dict[str, Any]] = []
    beside = path.with_name(f".{path.name}.{os.getpid()}")  # half of a file would be unreadable
    try:
        file = parquet.ParquetWriter(beside, schema)

        def flush() -> None:
            file.write_table(pyarrow.Table.from_pylist(waiting, schema))
            waiting.clear()

        def add(row: ResultRow) -> None:
            cells = {name: cell(row, name) for name in names}.items()
            waiting.append({n: c if n in _TYPES or c is None else str(c) for n, c in cells})
            if len(waiting) >= _GROUP:
                flush()

        try:
            yield add
        finally:
            flush()
            file.close()
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


_KINDS: Mapping[str, Callable[[Path, Sequence[str] | None], AbstractContextManager[Write]]] = {
    ".jsonl": _json_lines,
    ".csv": _csv,
    ".parquet": _parquet,
}
