"""Results as tables: each kind of file has what the rows have, and keeps what was there."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import advisor
from advisor.errors import InputError
from command import advisor as advisor_command

LINES = ["4453", "9", "44444", "141414", "4141414"]
COLUMNS = ["position", "best", "score.kind", "score.value", "machine_code", "pv", "error"]


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return list(advisor.analyse(LINES, depth=2))


def in_words(row: dict[str, Any]) -> list[Any]:
    """Return a table's cells for a row, without the columns' own code."""
    score, none = row.get("score", {}), {"best": [], "pv": []}
    words = {
        key: " ".join(str(each) for each in (row | none if "error" in row else row)[key])
        for key in ("best", "pv")
    }
    named = [words["best"], score.get("kind"), score.get("value"), row.get("machine_code")]
    told = [row.get("position"), *named, words["pv"], row.get("error")]
    return [None if each == "" else each for each in told]


def test_a_table_has_what_the_rows_have(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "found.csv"
    assert advisor.write_table(rows, file, columns=COLUMNS) == len(LINES)
    names, *cells = csv.reader(file.read_text().splitlines())
    assert names == COLUMNS
    expected = [["" if c is None else str(c) for c in in_words(row)] for row in rows]
    assert cells == expected


def test_json_lines_have_all_keys_or_the_chosen_ones(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "found.jsonl"
    advisor.write_table(rows, file)
    assert [json.loads(line) for line in file.read_text().splitlines()] == rows
    advisor.write_table(rows, file, columns=["best", "score.kind"])
    first = json.loads(file.read_text().splitlines()[0])
    assert first == {"best": rows[0]["best"], "score.kind": rows[0]["score"]["kind"]}


def test_parquet_has_numbers_as_numbers(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    file = tmp_path / "found.parquet"
    advisor.write_table(rows, file, columns=COLUMNS)
    found = parquet.read_table(file).to_pylist()
    assert [list(row) for row in found] == [COLUMNS] * len(LINES)
    told = [[None if c == "" else c for c in row.values()] for row in found]
    assert told == [in_words(row) for row in rows]


@pytest.mark.parametrize("end", ["jsonl", "csv", "parquet"])
def test_what_was_there_before_an_end_is_kept(
    end: str, rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    if end == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")

    def cut_short() -> Iterator[dict[str, Any]]:
        yield from rows[:3]
        raise KeyboardInterrupt

    file = tmp_path / f"found.{end}"
    with pytest.raises(KeyboardInterrupt):
        advisor.write_table(cut_short(), file, columns=["best"])
    if end == "parquet":
        from pyarrow import parquet

        assert parquet.read_table(file).num_rows == 3
    else:
        assert len(file.read_text().splitlines()) == 3 + (end == "csv")
    assert [*tmp_path.iterdir()] == [file]


def test_another_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"found.txt: use a name that ends in .jsonl or .csv or"):
        advisor.write_table([], tmp_path / "found.txt")
    with pytest.raises(InputError, match="no such folder"):
        advisor.write_table([], tmp_path / "none" / "found.csv")


def test_the_command_writes_a_table_and_tells_of_columns_that_nothing_has(tmp_path: Path) -> None:
    lines, out = tmp_path / "lines.txt", tmp_path / "out.csv"
    lines.write_text("4453\n9\n")
    columns = "line,best,scor.kind"
    done = advisor_command("analyse", lines, "--depth", 2, "-o", out, "--columns", columns)
    assert (done.code, done.out) == (2, "")
    assert out.read_text() == "line,best,scor.kind\n1,3 6 7,\n2,,\n"
    assert "note: no object has scor.kind (see --columns)" in done.err
    same = advisor_command("analyse", lines, "-o", lines)
    assert same.code == 2
    assert lines.read_text() == "4453\n9\n"
