"""Move quality: labelled positions, and how moves are graded on them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from advisor.errors import InputError
from advisor.files import linefile
from advisor.games.connect4.examples import example
from advisor.lab.batch import Sharing
from advisor.library.measuring import Examination, Percentages
from aspcircuits.stopping import Stop
from command import advisor
from label import label, write

PONS = Path(__file__).parents[1] / "data" / "pons"


def end_games(count: int) -> list[list[str]]:
    """Moves and score of end games that any engine scores at once."""
    return [line.split() for line in (PONS / "Test_L3_R1").read_text().splitlines()[:count]]


def test_the_best_column_has_the_published_score() -> None:
    for moves, score in end_games(100):
        found = example(label(f"{moves} {score}", Stop()))
        assert max(found.columns.values()) == int(score)
        assert sorted(found.columns) == sorted(found.position.moves())


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A labelled file of 12 end games, by the program."""
    folder = tmp_path_factory.mktemp("labels")
    source, file = folder / "positions", folder / "labelled"
    source.write_text("\n".join(" ".join(each) for each in end_games(12)))
    write(source, file, Sharing())
    return file


def test_the_labelled_file_names_its_source(labelled: Path) -> None:
    text = labelled.read_text()
    assert text.startswith("# Exact score")
    assert "Positions: positions\n" in text
    found = list(linefile.entries(labelled, str))
    assert [line.split()[0] for _, line in found] == [moves for moves, _ in end_games(12)]
    assert found[0][0] == 3, "lines are counted with the comments"


def told(*arguments: object) -> dict[str, Any]:
    done = advisor("bench", "quality", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    result: dict[str, Any] = json.loads(done.out)
    for row in result["rows"]:
        assert row.pop("seconds_per_move") >= 0
    return result


def test_deep_look_ahead_plays_end_games_perfectly(labelled: Path) -> None:
    found = told(labelled, "--depth", 14)
    assert list(found) == ["positions", "rows"]
    assert found["positions"] == 12
    assert [row["name"] for row in found["rows"]] == ["random", "central", "default"]
    best = found["rows"][-1]
    assert (best["depth"], best["good"], best["perfect"]) == (14, 100, 100)
    for row in found["rows"]:
        assert sum(part["positions"] for part in row["by_discs"].values()) == 12
        mean = sum(part["positions"] * part["good"] for part in row["by_discs"].values()) / 12
        assert row["good"] == pytest.approx(mean, abs=0.01)
        assert 0 <= row["perfect"] <= row["good"] <= 100


def test_the_same_by_one_job_two_or_in_two_runs(labelled: Path, tmp_path: Path) -> None:
    given = (labelled, "--weights", "default:depth=2", "--weights", "original", "--depth", 0)
    alone = told(*given)
    assert [row["depth"] for row in alone["rows"]] == [None, None, 2, 0]
    journal = tmp_path / "journal"
    assert told(*given, "--jobs", 2, "--resume", journal) == alone
    journal.write_bytes(journal.read_bytes()[:-30])
    assert told(*given, "--resume", journal) == alone


def graded(folder: Path, *lines: str, players: Sequence[str] = ()) -> list[list[Percentages]]:
    """The grades of random play, of central play and of others, line by line."""
    file = folder / "labelled"
    file.write_text("\n".join(lines))
    return [*Examination(file, players)]


def test_equal_columns_count_in_part(tmp_path: Path) -> None:
    """From the Begin-Easy set, scored by BitBully: one column scores 13, three others win too."""
    (((perfect, good, _), _),) = graded(tmp_path, "5512243243536 -3 4 12 13 8 -3 -2")
    assert (perfect, good) == (1 / 7, 4 / 7)


def test_the_most_central_columns_share(tmp_path: Path) -> None:
    """The middle column is full; scored by BitBully."""
    lines = "444444 -1 0 1 - 1 0 -1", "4444442 -1 -16 0 - -3 -16 -16"
    central = [found for _, found in graded(tmp_path, *lines)]
    assert [(perfect, good) for perfect, good, _ in central] == [(1, 1), (0.5, 0.5)]


def test_perfect_play_is_perfect(tmp_path: Path) -> None:
    file = tmp_path / "labelled"
    file.write_text("\n".join(label(moves, Stop()) for moves, _ in end_games(20)))
    found = Examination(file, ["perfect"], sharing=Sharing(2))
    assert len([*found]) == 20
    assert (found.rows[-1].total.perfect, found.rows[-1].total.good) == (100, 100)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("44x 0 0 0 0 0 0 0", "'44x': move 3: column 'x' is not a whole number (use 1 to 7)"),
        ("1212121 0 0 0 0 0 0 0", "'1212121': the game is over"),
        ("44 0 0 0", "3 scores (expected 7, one for each column)"),
        ("444444 0 0 0 0 0 0 0", "column 4 is full, but has the score '0'"),
        ("44 0 0 - 0 0 0 0", "column 3: '-' is not a score (use an integer)"),
        ("44 0 0 0 0 0 0 0.5", "column 7: '0.5' is not a score (use an integer)"),
        ("44 0 0 99 0 0 0 0", "column 3: the score 99 is wrong (it is from -19 to 19)"),
        ("121212 0 3 0 0 0 0 0", "column 1: the score 0 is wrong (it is 18)"),
        ("414141 1 1 1 1 1 1 1", "column 2: the score 1 is wrong (it is -18)"),
    ],
)
def test_a_bad_line_is_named(line: str, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "labelled"
    file.write_text(f"# mine\n44 -1 -1 -1 0 -1 -1 -1\n\n{line}\n")
    done = advisor("bench", "quality", file, "--depth", 1)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {file}: line 4: {expected}")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(("change", "jobs"), [(-1, 1), (1, 2)])
def test_a_score_that_is_off_by_one_is_found(
    labelled: Path, change: int, jobs: int, tmp_path: Path
) -> None:
    *before, line = labelled.read_text().splitlines()
    words = line.split()
    wrong = next(i for i in range(len(words) - 1, 0, -1) if words[i] != "-")
    words[wrong] = str(int(words[wrong]) + change)
    file = tmp_path / "labelled"
    file.write_text("\n".join([*before, " ".join(words)]))
    done = advisor("bench", "quality", file, "--depth", 1, "--jobs", jobs)
    assert (done.code, done.out) == (2, "")
    place = f"{file}: line {len(before) + 1}: column {wrong}"
    assert done.err.startswith(f"error: {place}: the score {words[wrong]} is wrong (it is")


def test_no_positions(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.write_text("# nothing\n")
    with pytest.raises(InputError, match="holds no positions"):
        list(linefile.entries(file, example))
    assert advisor("bench", "quality", file).code == 2
    assert advisor("bench", "quality", tmp_path / "missing").code == 2
