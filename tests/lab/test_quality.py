"""Move quality: labelled positions, and how moves are graded on them."""

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.errors import InputError
from advisor.files import linefile
from advisor.games.connect4 import exact, labels
from advisor.lab.arena import players
from advisor.lab.batch import local, run
from advisor.lab.quality import examiner, summary
from advisor.limits import Stop
from command import advisor

PONS = Path(__file__).parents[1] / "data" / "pons"


def end_games(count: int) -> list[list[str]]:
    """Moves and score of end games that any engine scores at once."""
    return [line.split() for line in (PONS / "Test_L3_R1").read_text().splitlines()[:count]]


def test_the_best_column_has_the_published_score() -> None:
    for moves, score in end_games(100):
        found = labels.parse(exact.label(f"{moves} {score}", Stop()))
        assert max(found.columns.values()) == int(score)
        assert sorted(found.columns) == sorted(found.position.moves())


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A labelled file of 12 end games, by the command."""
    folder = tmp_path_factory.mktemp("labels")
    source, file = folder / "positions", folder / "labelled"
    source.write_text("\n".join(" ".join(each) for each in end_games(12)))
    done = advisor("bench", "label", source, "-o", file, "--jobs", 2)
    assert (done.code, done.out, done.err) == (0, "", "")
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


def test_equal_columns_count_in_part() -> None:
    """From the Begin-Easy set, scored by BitBully: one column scores 13, three others win too."""
    case = "5512243243536 -3 4 12 13 8 -3 -2"
    ((perfect, good, _),) = examiner([players.parse("random")], exact.checked)(case, Stop())
    assert (perfect, good) == (1 / 7, 4 / 7)


def test_the_most_central_columns_share() -> None:
    """The middle column is full; scored by BitBully."""
    ((perfect, good, _),) = examiner([players.parse("central")], exact.checked)(
        "444444 -1 0 1 - 1 0 -1", Stop()
    )
    assert (perfect, good) == (1, 1)
    ((perfect, good, _),) = examiner([players.parse("central")], exact.checked)(
        "4444442 -1 -16 0 - -3 -16 -16", Stop()
    )
    assert (perfect, good) == (0.5, 0.5)


def test_perfect_play_is_perfect() -> None:
    perfect = players.parse("perfect")
    lines = [exact.label(moves, Stop()) for moves, _ in end_games(20)]
    grades = list(run(examiner([perfect], exact.checked), lines, local(2)))
    (row,) = summary([perfect], [20] * 20, grades)
    assert (row.total.perfect, row.total.good) == (100, 100)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("44x 0 0 0 0 0 0 0", "'44x': move 3: column 'x' is not a whole number (use 1 to 7)"),
        ("1212121 0 0 0 0 0 0 0", "'1212121': the game is over"),
        ("44 0 0 0", "3 scores (expected 7, one a column)"),
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


def test_label_leaves_finished_games_out(tmp_path: Path) -> None:
    file, out = tmp_path / "positions", tmp_path / "out"
    file.write_text("1212121\n2252576253462244111563365343671351441\n")
    done = advisor("bench", "label", file, "-o", out)
    assert (done.code, done.err) == (0, f"note: {file}: line 1: the game is over\n")
    (line,) = [line for line in out.read_text().splitlines() if not line.startswith("#")]
    assert line.startswith("2252576253462244111563365343671351441 ")
    out.unlink()
    file.write_text("1212121\n")
    done = advisor("bench", "label", file, "-o", out)
    assert done.code == 2
    assert done.err.splitlines()[-1] == (
        f"error: {file}: every game is over, so there is nothing to score"
    )
    assert not out.exists()


def test_label_needs_positions_and_another_file(tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_text("44\n48\n")
    done = advisor("bench", "label", file, "-o", tmp_path / "out")
    assert done.code == 2
    assert done.err.startswith(f"error: {file}: line 2: '48': move 2: column 8 is out of range")
    assert not (tmp_path / "out").exists()
    file.write_text("1212121\n"[:6])
    done = advisor("bench", "label", file, "-o", file)
    assert done.err == f"error: {file}: is both input and output (choose another file)\n"
    assert file.read_text() == "121212"
    out = tmp_path / "out"
    done = advisor("bench", "label", file, "-o", out, "--resume", out)
    assert done.err == f"error: {out}: is both output and resume (choose another file)\n"
    assert not out.exists()


def test_labels_are_not_lost_to_a_journal_of_another_run(tmp_path: Path) -> None:
    file, out, journal = tmp_path / "positions", tmp_path / "out", tmp_path / "journal"
    file.write_text("2252576253462244111563365343671351441\n")
    assert advisor("bench", "label", file, "-o", out, "--resume", journal).code == 0
    before = out.read_text()
    assert before.splitlines()[-1].startswith("2252576253462244111563365343671351441 ")
    file.write_text("7422341735647741166133573473242566\n")
    done = advisor("bench", "label", file, "-o", out, "--resume", journal)
    assert (done.code, out.read_text()) == (2, before)
    assert "holds a run over other input" in done.err


def test_no_positions(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.write_text("# nothing\n")
    with pytest.raises(InputError, match="holds no positions"):
        list(linefile.entries(file, labels.parse))
    assert advisor("bench", "quality", file).code == 2
    assert advisor("bench", "quality", tmp_path / "missing").code == 2
