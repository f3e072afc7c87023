"""Pictures of positions, and the files they go to."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advising import advise
from advisor.errors import InputError
from advisor.files import outfile
from advisor.games import puzzles
from advisor.games.connect4.board import DISCS, Board, geometry
from advisor.games.connect4.drawing import MAX_SIDE, svg
from advisor.games.connect4.notation import parse_line, square_name
from advisor.games.marks import Marks
from advisor.settings import reading

ROOT = Path(__file__).parents[3]
NS = "{http://www.w3.org/2000/svg}"
DEFAULT = reading.load()


def groups(picture, kind):
    """The elements of a class, by their tooltips."""
    root = ET.fromstring(picture)
    found = [g for g in root.iter(f"{NS}g") if g.get("class", "").split()[0] == kind]
    return {g.findtext(f"{NS}title"): g for g in found}


def draw(*arguments, cwd=None):
    """The command line in a process of its own, as bytes."""
    command = [sys.executable, "-c", "from advisor.cli import main; main()", "draw", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, timeout=300)


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([(7, 6, 4), (1, 1, 1), (1, 9, 4), (12, 2, 3), (40, 40, 5)]),
    st.lists(st.integers(0, 39), max_size=60),
)
def test_every_disc_is_drawn_where_it_lies(size, columns):
    position = Board(geometry(*size))
    for column in columns:
        moves = position.moves()
        if not moves or position.winner:
            break
        position = position.play(moves[column % len(moves)])
    picture = svg(position)
    g = position.geometry
    discs = groups(picture, "disc")
    assert {f"{'red' if p == 1 else 'yellow'} on {square_name((r, c))}" for p, r, c in
            position.cells()} == set(discs)  # fmt: skip
    places = {}
    for player, row, column in position.cells():
        group = discs[f"{'red' if player == 1 else 'yellow'} on {square_name((row, column))}"]
        circle = group.find(f"{NS}circle")
        places[row, column] = (float(circle.get("cx")), -float(circle.get("cy")))
        # The mark tells the players apart without colour: only o has a second circle.
        assert len(group.findall(f"{NS}circle")) == player
        assert group.get("class") == f"disc {DISCS[player]}"
    for (row, column), (x, y) in places.items():
        for (row2, column2), (x2, y2) in places.items():
            assert ((column < column2), (row < row2)) == (x < x2, y < y2)
    holes = list(next(iter(groups(picture, "holes").values())))
    assert len(holes) == g.squares - len(discs)
    root = ET.fromstring(picture)
    assert max(float(root.get("width")), float(root.get("height"))) <= MAX_SIDE


def test_advice_marks_moves_scores_threats_and_lines():
    position = puzzles.load("chapter3/30").position
    advice = advise(position, DEFAULT, depth=4)
    picture = svg(position, advice.marks)
    assert set(groups(picture, "suggested")) == {"suggested: column 6"}
    scores = groups(picture, "score")
    assert len(scores) == 7
    assert scores["column 6 wins in 3"].findtext(f"{NS}text") == "win 3"
    assert set(groups(picture, "threat")) == {
        "red completes a line on c3",
        "red completes a line on c4",
    }
    assert "a line d1-g4" in groups(picture, "line")
    assert not groups(svg(position), "score")


def test_a_finished_game_shows_its_line():
    picture = svg(parse_line("1122334"))
    assert set(groups(picture, "line")) == {"a line a1-d1"}
    rims = [group.find(f"{NS}circle").get("stroke") for group in groups(picture, "disc").values()]
    assert rims.count("#ffffff") == 4
    assert "x (red) has won" in picture


def test_the_command_writes_what_the_function_draws(tmp_path):
    run = draw("4453", "-o", "board.svg", cwd=tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert (tmp_path / "board.svg").read_text() == svg(parse_line("4453"))
    assert os.listdir(tmp_path) == ["board.svg"]
    assert draw("4453", "-o", "-").stdout.decode() == svg(parse_line("4453"))


def test_the_picture_in_the_documentation_is_up_to_date():
    run = draw(str(ROOT / "puzzles/chapter2/28.yaml"), "--advice", "-o", "-")
    drawn = (ROOT / "docs/images/board.svg").read_bytes()
    again = "advisor draw puzzles/chapter2/28.yaml --advice -o docs/images/board.svg"
    assert unscored(drawn) == unscored(run.stdout), f"draw it again: {again}"


def unscored(picture):
    """Without heuristic scores, which learning changes."""
    return re.sub(rb'<g class="score heuristic">.*?</g>', b"", picture, flags=re.DOTALL)


def test_a_png_is_drawn_or_its_need_told(tmp_path):
    run = draw("4453", "-o", "board.png", cwd=tmp_path)
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError):
        assert run.returncode == 2
        assert run.stderr.startswith(b"error: PNG needs ")
        assert run.stderr.count(b"\n") == 1
        assert os.listdir(tmp_path) == []
    else:
        assert run.returncode == 0
        assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("4453", "-o", "board.jpg"), "board.jpg: cannot tell the kind of picture"),
        (("4453", "-o", "no/such/folder/board.svg"), "no/such/folder/board.svg: cannot be written"),
        (("4453", "-o", "folder.svg"), "folder.svg: cannot be written (is a directory)"),
        (("44x", "-o", "board.svg"), "'44x': neither a file nor a move string"),
        (("44", "-o", "board.svg", "--depth", "9"), "--depth, --level, --time and --weights are"),
        (("44", "-o", "board.svg", "--weights", "alex"), "--depth, --level, --time and --weights "),
        (("44", "-o", ""), "'': cannot tell the kind of picture"),
        (("4453",), "Missing option"),
    ],
)
def test_bad_input_leaves_no_file(tmp_path, arguments, message):
    (tmp_path / "folder.svg").mkdir()
    run = draw(*arguments, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr.decode().startswith(f"error: {message}")
    assert run.stderr.count(b"\n") == 1
    assert os.listdir(tmp_path) == ["folder.svg"]


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path):
    target = tmp_path / "board.svg"
    link = tmp_path / "link.svg"
    outfile.write(target, b"old")
    link.symlink_to(target)
    outfile.write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    with pytest.raises(InputError, match=r"cannot be written"):
        outfile.write(target / "below", b"never")
    with pytest.raises(TypeError):
        outfile.write(target, "text")  # type: ignore[arg-type]
    assert target.read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == ["board.svg", "link.svg"]


def test_threads_that_write_one_file_all_succeed(tmp_path):
    # Nor do processes that have one number, in containers that share a folder.
    target = tmp_path / "board.svg"
    contents = [bytes([number]) * 10_000 for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(partial(outfile.write, target), contents))
    assert target.read_bytes() in contents
    assert os.listdir(tmp_path) == ["board.svg"]


@pytest.mark.parametrize("name", ["a" * 255, "ä" * 127, "漢" * 85])
def test_a_name_may_be_as_long_as_files_allow(tmp_path, name):
    outfile.write(tmp_path / name, b"new")
    assert os.listdir(tmp_path) == [name]


def test_a_file_keeps_its_rights(tmp_path):
    target = tmp_path / "mine.yaml"
    for mode in (0o600, 0o640, 0o666):
        target.write_bytes(b"old")
        target.chmod(mode)
        outfile.write(target, b"new")
        assert target.stat().st_mode & 0o777 == mode
    if os.getuid() == 0:  # only root gives files away
        os.chown(target, 12345, 12345)
        outfile.write(target, b"newer")
        assert target.stat().st_uid == 12345


def test_a_device_is_written_to_and_stays_one():
    outfile.write("/dev/null", b"gone")
    assert not os.path.isfile("/dev/null")


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="there is no /dev/fd here")
def test_a_pipe_is_written_to_directly():
    reading, writing = os.pipe()
    outfile.write(f"/dev/fd/{writing}", b"through")
    assert os.read(reading, 100) == b"through"
    os.close(reading)
    os.close(writing)


def test_the_numbers_of_a_plan_are_drawn_on_the_empty_squares():
    position = parse_line("4453")
    numbers = {(6, 1): 3, (3, 4): 17}
    picture = svg(position, Marks((4,), {}, numbers=numbers))
    root = ET.fromstring(picture)
    (group,) = [g for g in root.iter(f"{NS}g") if g.get("class") == "numbers"]
    drawn = {text.text: (text.get("x"), text.get("y")) for text in group}
    assert set(drawn) == {"3", "17"}
    assert float(drawn["3"][0]) < float(drawn["17"][0])
    assert float(drawn["3"][1]) < float(drawn["17"][1])
    assert not groups(picture, "threat")
