"""Boards as text: what reads back as what, and the one line that each mistake gets."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import InputError
from advisor.games.connect4 import notation
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.notation import (
    one_line,
    parse_line,
    read_board,
    square_name,
    to_yaml,
)

SIZES = [(7, 6, 4), (1, 1, 1), (1, 1, 4), (1, 5, 2), (6, 1, 3), (3, 2, 5), (9, 7, 4), (10, 9, 4)]
SIZES += [(12, 8, 5), (40, 40, 4), (40, 2, 3)]

EMPTY_ROWS = "  .......\n" * 5
HINT = "a composed position needs free: true in a YAML file"


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str, name: str = "board.yaml") -> Board:
    Path(name).write_text(text, encoding="utf-8")
    return read_board(name).position


def message(source: str, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        read_board(source, **options)  # type: ignore[arg-type]
    text = str(caught.value)
    assert text.isprintable(), "an error is one line"
    return text


def complaint(source: str, stdin: io.BytesIO) -> InputError | None:
    try:
        read_board(source, stdin=stdin)
    except InputError as error:
        return error
    return None


def played(moves: list[int], size: Geometry | None = None) -> Board:
    position = Board(size or geometry())
    for column in moves:
        position = position.play(column)
    return position


@st.composite
def positions(draw: st.DrawFn) -> Board:
    """A position that some game reaches, the end of it included."""
    position = Board(geometry(*draw(st.sampled_from(SIZES))))
    for _ in range(draw(st.integers(0, 60))):
        if position.winner or position.full:
            break
        position = position.play(draw(st.sampled_from(sorted(position.moves()))))
    return position


# Ways of giving a board

THREE_MOVES = played([4, 4, 1])


@pytest.mark.parametrize(
    "text",
    [
        "moves: 441",
        "moves: '441'",
        'moves: "4,4,1"',
        "moves: 4, 4, 1",
        "moves: [4, 4, 1]",
        "moves: 441 # a comment\nturn: o",
        "cells: [[1, 1, 4], [2, 2, 4], [1, 1, 1]]",
        "cells:\n- [x, 1, 4]\n- [o, 2, 4]\n- [x, 1, 1]\nturn: 2",
        f"board: |\n{'  .......' + chr(10)}{'  .......' + chr(10)}{'  .......' + chr(10)}"
        "  .......\n  ...o...\n  x..x...\n",
        "board: ......./......./......./......./...o.../x..x...",
        "board: |\n" + "  0000000\n" * 4 + "  0002000\n  1001000\n",
        "board: |\n" + "  . . . . . . .\n" * 4 + "  . . . o . . .\n  x . . x . . .\n",
        "\ufeffmoves: 441\r\nwidth: 7\r\nheight: 6\r\nconnect: 4\r\n",
    ],
)
def test_yaml_files_of_the_same_position(text: str) -> None:
    assert read(text) == THREE_MOVES


@pytest.mark.parametrize(
    "text",
    [
        "cell(1,1,4). cell(2,2,4).\ncell(1,1,1).",
        "% cell(1,1,7).\nturn(2).\ncell(1, 1, 4).cell(2,2,4). % cell(2,1,7).\n cell( 1,1,1 ) .\n",
        "%* cell(1,1,7).\n cell(2,1,6). *% cell(2,2,4). cell(1,1,4). cell(1,1,1).",
    ],
)
def test_fact_files_of_the_same_position(text: str) -> None:
    assert read(text, "board.lp") == THREE_MOVES


@pytest.mark.parametrize(
    "text",
    [
        "441",
        "4,4,1",
        " 4, 4, 1 ",
        "......./......./......./......./...o.../x..x...",
        "0000000/0000000/0000000/0000000/0002000/1001000",
    ],
)
def test_a_line_on_the_command_line_or_on_standard_input(text: str) -> None:
    assert read_board(text).position == THREE_MOVES
    assert read_board("-", stdin=io.BytesIO(text.encode())).position == THREE_MOVES
    assert parse_line(text) == THREE_MOVES


def test_standard_input_holds_yaml_or_a_picture() -> None:
    for text in (to_yaml(THREE_MOVES), "\n".join(THREE_MOVES.rows()) + "\n"):
        assert read_board("-", stdin=io.BytesIO(text.encode())).position == THREE_MOVES


def test_no_moves_are_the_empty_board() -> None:
    assert read_board("").position == Board(geometry())
    assert read("moves: ''") == read("moves: []") == read("cells: []") == Board(geometry())


def test_moves_keep_their_leading_zero_and_are_never_octal() -> None:
    assert read("moves: 123") == played([1, 2, 3])
    Path("zero.yaml").write_text("moves: 0123", encoding="utf-8")
    assert message("zero.yaml") == "zero.yaml: move 1: column 0 is out of range (use 1 to 7)"


def test_wide_boards_separate_moves_with_commas() -> None:
    wide = geometry(12, 6, 4)
    assert read("width: 12\nmoves: 11,12,1") == played([11, 12, 1], wide)
    assert read("width: 12\nmoves: [11, 12, 1]") == played([11, 12, 1], wide)
    assert parse_line("12", wide) == played([12], wide)
    assert parse_line("12", geometry()) == played([1, 2])


def test_an_existing_file_is_read_even_if_its_name_is_a_move_string() -> None:
    Path("44").write_text("moves: 441", encoding="utf-8")
    assert read_board("44").position == THREE_MOVES
    Path("1").mkdir()
    assert read_board("1").position == played([1])


def test_what_a_puzzle_file_says() -> None:
    Path("puzzle.yaml").write_text(
        "moves: 4453\nwin_in: 3\nsolution: [6, 2]\nextra: true\n"
        "source: a book\ntitle: 2019\nnote: |\n  two\n  lines\n",
        encoding="utf-8",
    )
    found = notation.given("puzzle.yaml")
    assert (found.name, found.win_in, found.solution, found.extra, found.source) == (
        "puzzle.yaml",
        3,
        (2, 6),
        True,
        "a book",
    )
    assert found.position == read_board("puzzle.yaml").position == played([4, 4, 5, 3])
    plain = notation.given("4453")
    assert (plain.name, plain.win_in, plain.solution, plain.extra) == ("'4453'", 0, (), False)


@pytest.mark.parametrize(("text", "winner"), [("moves: 1212121", 1), ("moves: 71212121", 2)])
def test_a_finished_game_is_no_error(text: str, winner: int) -> None:
    assert read(text).winner == winner


def test_a_full_board_is_no_error() -> None:
    assert read("width: 2\nheight: 2\nmoves: 1122").full


def test_a_connect_larger_than_the_board_lets_nobody_win() -> None:
    assert not read("connect: 1000\nmoves: 1212121").winner


@pytest.mark.parametrize(
    ("keys", "turn"),
    [
        ("free: true", 1),
        ("free: True\nturn: o", 2),
        ("free: true\nturn: x", 1),
    ],
)
def test_a_composed_position_may_have_any_discs_and_either_turn(keys: str, turn: int) -> None:
    assert read(f"cells: [[1, 1, 4], [1, 1, 5], [1, 1, 1]]\n{keys}").turn == turn


def test_a_composed_position_without_turn_follows_the_discs_where_it_can() -> None:
    assert read("moves: 4\nfree: true").turn == 2


def test_a_composed_position_may_be_won_by_the_player_to_move() -> None:
    assert read("cells: [[1,1,1],[1,1,2],[1,1,3],[1,1,4]]\nfree: true\nturn: x").winner == 1


# Mistakes


def board(*rows: str) -> str:
    """A board file whose lowest rows are these."""
    return "board: |\n" + EMPTY_ROWS[: 10 * (6 - len(rows))] + "".join(f"  {r}\n" for r in rows)


BAD_YAML = {
    # The picture
    "unknown character": (
        board("...z...", ".......", "......."),
        "row 3: 'z' is not a disc (use . x o)",
    ),
    "capital letter": (board("X......"), "row 1: 'X' is not a disc (use . x o)"),
    "short row": (
        board("......", "......."),
        "row 2: 6 squares (expected 7 unless width says otherwise)",
    ),
    "long row": (
        board(". . . . . . . x"),
        "row 1: 8 squares (expected 7 unless width says otherwise)",
    ),
    "missing rows": (
        "board: |\n  .......\n  .......\n",
        "2 rows (expected 6 unless height says otherwise)",
    ),
    "one row": ("board: .......", "1 row (expected 6 unless height says otherwise)"),
    "no rows": ("board:", "0 rows (expected 6 unless height says otherwise)"),
    "gap between rows": (
        board(".......", "", "......."),
        "row 2: 0 squares (expected 7 unless width says otherwise)",
    ),
    "size of the file counts": (
        "height: 3\nboard: |\n" + EMPTY_ROWS[:20],
        "2 rows (expected 3 unless height says otherwise)",
    ),
    "picture without |": (
        "board:\n" + EMPTY_ROWS,
        "board: a picture of several lines begins with '|' (board: |)",
    ),
    "picture as list": ("board: [a, b]", "line 1: board: \"['a', 'b']\" found, should be a text"),
    # The position
    "floating disc": (
        board("..x....", "......."),
        "row 2, column 3: floating disc (the square below it is empty)",
    ),
    "too many x": (
        board("xx....."),
        f"impossible disc counts, 2 x and 0 o (x moves first, so as many or one more; {HINT})",
    ),
    "too many o": (
        board("xoo...."),
        f"impossible disc counts, 1 x and 2 o (x moves first, so as many or one more; {HINT})",
    ),
    "both have a line": (
        board("oooo...", "xxxx..."),
        "both x and o have 4 in line (a game ends with the first)",
    ),
    "both have a line, composed": (
        board("oooo...", "xxxx...") + "free: true\n",
        "both x and o have 4 in line (a game ends with the first)",
    ),
    "line of the player to move": (
        board("ooo....", "xxxx.o."),
        f"x has 4 in line, but o moved last (only the last move can win; {HINT})",
    ),
    "line of o, but x moved last": (
        board("xxx....", "ooooxx."),
        f"o has 4 in line, but x moved last (only the last move can win; {HINT})",
    ),
    "turn contradicts": (
        board("xo.....") + "turn: o",
        f"turn: o contradicts 1 x and 1 o, after which x is to move ({HINT})",
    ),
    "turn contradicts moves": (
        "moves: 4\nturn: 1",
        f"turn: x contradicts 1 x and 0 o, after which o is to move ({HINT})",
    ),
    # Moves
    "column out of range": (
        "moves: 449",
        "move 3: column 9 is out of range (use 1 to 7)",
    ),
    "column zero": ("moves: [0]", "move 1: column 0 is out of range (use 1 to 7)"),
    "negative column": ("moves: 4,-1", "move 2: column -1 is out of range (use 1 to 7)"),
    "huge column": (
        f"moves: 1,{'9' * 5000}",
        f"move 2: column {'9' * 20} is out of range (use 1 to 7)",
    ),
    "no column": ("moves: 4d", "move 2: column 'd' is not a whole number (use 1 to 7)"),
    "superscript": ("moves: ²", "move 1: column '²' is not a whole number (use 1 to 7)"),
    "two commas": ("moves: 4,,5", "move 2: column '' is not a whole number (use 1 to 7)"),
    "list item of two digits": (
        "moves: [44]",
        "move 1: column 44 is out of range (use 1 to 7)",
    ),
    "no commas on a wide board": (
        "width: 12\nmoves: 4453",
        "move 1: column 4453 is out of range (use 1 to 12); commas separate the moves on a board "
        "wider than 9: 4,4,5",
    ),
    "full column": ("moves: 4444444", "move 7: column 4 is full (6 discs)"),
    "move after a win": (
        "moves: 12121213",
        "move 8: the game is over, x (red) has won",
    ),
    "move after o won": (
        "moves: 712121217",
        "move 9: the game is over, o (yellow) has won",
    ),
    "move after the last": (
        "width: 2\nheight: 1\nmoves: 121",
        "move 3: the game is over, the board is full",
    ),
    # Cells
    "row out of range": (
        "cells: [[1, 1, 1], [2, 7, 1]]",
        "cells, entry 2: row 7 is out of range (use 1 to 6)",
    ),
    "cell column out of range": (
        "cells: [[1, 1, 8]]",
        "cells, entry 1: column 8 is out of range (use 1 to 7)",
    ),
    "unknown player": (
        "cells: [[3, 1, 1]]",
        "cells, entry 1: '3' is not a player (use x or o, 1 or 2)",
    ),
    "same square twice": (
        "cells: [[1, 1, 4], [2, 1, 4]]",
        "cells, entry 2: row 1, column 4 already has a disc",
    ),
    "cell of two": (
        "cells: [[1, 1]]",
        "cells, entry 1: expected [player, row, column], found \"['1', '1']\"",
    ),
    "cell of one": (
        "cells: [1]",
        "cells, entry 1: expected [player, row, column], found '1'",
    ),
    "cell of lists": (
        "cells: [[[1], 1, 1]]",
        "cells, entry 1: expected [player, row, column], found \"[['1'], '1', '1']\"",
    ),
    "cells as text": (
        "cells: abc",
        "line 1: cells: 'abc' found, should be a list of [player, row, column]",
    ),
    "floating cell": (
        "cells: [[1, 2, 4]]",
        "row 2, column 4: floating disc (the square below it is empty)",
    ),
    # Keys and values
    "mistyped key": ("tunr: x\nmoves: 4", "line 1: tunr: unknown key (did you mean 'turn'?)"),
    "key in capitals": (
        "moves: 4\nTURN: x",
        "line 2: TURN: unknown key (did you mean 'turn'?)",
    ),
    "list as key": ("? [a]\n: 1\n", "line 1: a list cannot be a key"),
    "repeated key": ("moves: 4\nturn: o\nmoves: 5", "line 3: key 'moves' is given twice"),
    "two boards": (
        board() + "moves: 4",
        "'board' and 'moves' given (use exactly one of board, moves, cells)",
    ),
    "no board": ("turn: x", "no board given (use exactly one of board, moves, cells)"),
    "width too large": (
        "width: 41\nmoves: 4",
        "line 1: width: '41' found, should be a whole number from 1 to 40",
    ),
    "height zero": (
        "height: 0\nmoves: 4",
        "line 1: height: '0' found, should be a whole number from 1 to 40",
    ),
    "connect zero": (
        "connect: 0\nmoves: 4",
        "line 1: connect: '0' found, should be a whole number from 1 to 1000",
    ),
    "width in words": (
        "width: seven\nmoves: 4",
        "line 1: width: 'seven' found, should be a whole number from 1 to 40",
    ),
    "width as fraction": (
        "width: 7.0\nmoves: 4",
        "line 1: width: '7.0' found, should be a whole number from 1 to 40",
    ),
    "unknown turn": (
        "moves: 4\nturn: red",
        "turn: 'red' is not a player (use x or o, 1 or 2)",
    ),
    "free in words": (
        "moves: 4\nfree: maybe",
        "line 2: free: 'maybe' found, should be true or false",
    ),
    "win_in out of range": (
        "moves: 4\nwin_in: 0",
        "win_in 0 is out of range (use 1 to 42)",
    ),
    "win_in as list": (
        "moves: 4\nwin_in: [3]",
        "line 2: win_in: \"['3']\" found, should be a text",
    ),
    "no win_in": ("moves: 4\nwin_in:", "win_in '' is not a whole number (use 1 to 42)"),
    "no solution": (
        "moves: 4\nsolution: []",
        "solution: expected a list of columns, found an empty one",
    ),
    "a picture that is folded, of two rows": (
        "height: 2\nboard:\n  ..\n  x.",
        "board: a picture of several lines begins with '|' (board: |)",
    ),
    "win_in of more moves than squares": (
        "moves: 4\nwin_in: 43",
        "win_in 43 is out of range (use 1 to 42)",
    ),
    "difficulty without a number": (
        "moves: 4\ndifficulty: {depth: 1, missed: few, tempting: 0}",
        "line 2: difficulty.missed: 'few' found, should be a number",
    ),
    "difficulty of two": (
        "moves: 4\ndifficulty: {depth: 1, missed: 0}",
        "line 2: difficulty: \"{'depth': '1', 'missed': '0'}\" found, "
        "should be depth, missed and tempting with numbers",
    ),
    "difficulty of four": (
        "moves: 4\ndifficulty: {depth: 1, missed: 0, tempting: 0, luck: 1}",
        "line 2: difficulty.luck: 'luck' found, should be 'depth', 'missed' or 'tempting'",
    ),
    "note as list": ("moves: 4\nnote: [a]", "line 2: note: \"['a']\" found, should be a text"),
    "moves as mapping": (
        "moves: {a: b}",
        "line 1: moves: \"{'a': 'b'}\" found, should be a text",
    ),
    "solution out of range": (
        "moves: 4\nsolution: [8]",
        "solution: column 8 is out of range (use 1 to 7)",
    ),
    "solution as number": (
        "moves: 4\nsolution: 4",
        "line 2: solution: '4' found, should be a list of columns",
    ),
    # YAML
    "syntax error": (
        "board: |\n  .......\nmoves: [1, 2\nturn: x",
        "line 4, column 5: not valid YAML: expected ',' or ']', but got ':'",
    ),
    "tab": (
        "moves: 4\n\tturn: x",
        "line 2, column 1: not valid YAML: found character '\\t' that cannot start any token",
    ),
    "alias": (
        "title: &a [1]\nnote: *a",
        "line 1, column 8: not valid YAML: anchors and aliases are not allowed",
    ),
    "deep nesting": (
        f"board: {'[' * 1000}",
        "line 1, column 15: not valid YAML: nested more than 8 deep",
    ),
    "too many values": (
        f"cells: [{'1,' * 30_000}]",
        "line 1, column 40003: not valid YAML: more than 20000 values",
    ),
    "two documents": (
        "moves: 4\n---\nmoves: 5",
        "line 2, column 1: not valid YAML: but found another document",
    ),
    "no mapping": ("hello", "line 1: 'hello' found, should be lines like 'key: value'"),
    "a list": ("- 1\n- 2", "line 1: \"['1', '2']\" found, should be lines like 'key: value'"),
    # The file
    "empty": ("", "is empty"),
    "only blanks": (" \n\n", "is empty"),
    "only a comment": ("# nothing\n", "is empty"),
    "too large": ("# " + "x" * 1_000_000, "is too large (at most 1000000 bytes)"),
}


@pytest.mark.parametrize(("text", "expected"), BAD_YAML.values(), ids=BAD_YAML)
def test_a_bad_board_file_gets_one_line(text: str, expected: str) -> None:
    Path("board.yaml").write_text(text, encoding="utf-8")
    assert message("board.yaml") == f"board.yaml: {expected}"


BAD_FACTS = {
    "another atom": (
        "cell(1,1,4).\nplayer(1).",
        "line 2: 'player(1).' is not a fact of a board "
        "(use cell(Player,Row,Column). and turn(Player).)",
    ),
    "a rule": (
        "cell(P,1,4) :- player(P).",
        "line 1: 'cell(P,1,4) :- player(P).' is not a fact of a board "
        "(use cell(Player,Row,Column). and turn(Player).)",
    ),
    "no full stop": (
        "% board\ncell(1,1,4)\n",
        "line 2: 'cell(1,1,4)' is not a fact of a board "
        "(use cell(Player,Row,Column). and turn(Player).)",
    ),
    "unknown player": ("cell(0,1,4).", "line 1: '0' is not a player (use x or o, 1 or 2)"),
    "out of range": ("\ncell(1,1,9).", "line 2: column 9 is out of range (use 1 to 7)"),
    "variable": ("cell(1,R,1).", "line 1: row 'R' is not a whole number (use 1 to 6)"),
    "twice": (
        "cell(1,1,4). %* a\nb *%\ncell(2,1,4).",
        "line 3: row 1, column 4 already has a disc",
    ),
    "two turns": ("turn(1).\nturn(2).", "line 2: turn is given twice"),
    "turn contradicts": (
        "turn(2).",
        f"turn: o contradicts 0 x and 0 o, after which x is to move ({HINT})",
    ),
    "floating": (
        "cell(1,2,4).",
        "row 2, column 4: floating disc (the square below it is empty)",
    ),
    "empty": ("", "is empty"),
}


@pytest.mark.parametrize(("text", "expected"), BAD_FACTS.values(), ids=BAD_FACTS)
def test_a_bad_file_of_facts_gets_one_line(text: str, expected: str) -> None:
    Path("board.lp").write_text(text, encoding="utf-8")
    assert message("board.lp") == f"board.lp: {expected}"


BAD_SOURCES = {
    "4459": "'4459': move 4: column 9 is out of range (use 1 to 7)",
    "4,x": "'4,x': neither a file nor a move string: "
    "move 2: column 'x' is not a whole number (use 1 to 7)",
    "hello": "'hello': neither a file nor a move string: "
    "move 1: column 'h' is not a whole number (use 1 to 7)",
    "......./...z...": "'......./...z...': neither a file nor a picture: "
    "2 rows (expected 6 unless height says otherwise)",
    "xx.....": "'xx.....': neither a file nor a picture: "
    "1 row (expected 6 unless height says otherwise)",
    "board.yaml": "board.yaml: no such file",
    "boards/old.lp": "boards/old.lp: no such file",
    "folder": "folder: is a directory (give a file)",
    "folder.yaml": "folder.yaml: is a directory (give a file)",
    "two\nlines.yaml": "'two\\nlines.yaml': no such file",
    "4" * 5000: f"'{'4' * 37}...': move 7: column 4 is full (6 discs)",
    "nul\0.yaml": "'nul\\x00.yaml': cannot be read (embedded null byte)",
}


@pytest.mark.parametrize(("source", "expected"), BAD_SOURCES.items())
def test_a_source_that_is_no_board_gets_one_line(source: str, expected: str) -> None:
    Path("folder").mkdir()
    Path("folder.yaml").mkdir()
    assert message(source) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            b"\x89PNG\r\n",
            "board.yaml: is not a text file (byte 0x89 at position 0; use UTF-8)",
        ),
        (b"moves: 4\n\x00", "board.yaml: is not a text file (line 2 holds '\\x00')"),
    ],
)
def test_a_binary_file_gets_one_line(raw: bytes, expected: str) -> None:
    Path("board.yaml").write_bytes(raw)
    assert message("board.yaml") == expected


def test_an_unreadable_file_gets_one_line() -> None:
    Path("board.yaml").symlink_to("board.yaml")
    with pytest.raises(InputError) as caught:
        read_board("board.yaml")
    assert str(caught.value) == ("board.yaml: cannot be read (Too many levels of symbolic links)")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "stdin: is empty"),
        (b"449", "stdin: move 3: column 9 is out of range (use 1 to 7)"),
        (b"\xff\xfe", "stdin: is not a text file (byte 0xff at position 0; use UTF-8)"),
        (b"moves: 4\nturn: x: y", "stdin: line 2, column 8: not valid YAML: mapping values are "),
        (b"4" * 1_000_001, "stdin: is too large (at most 1000000 bytes)"),
    ],
)
def test_bad_standard_input_gets_one_line(raw: bytes, expected: str) -> None:
    assert message("-", stdin=io.BytesIO(raw)).startswith(expected)


def test_an_error_in_a_stream_leaves_the_place_to_the_caller() -> None:
    with pytest.raises(InputError, match=r"^move 3: column 9 is out of range \(use 1 to 7\)$"):
        parse_line("449")


# Writing


def test_the_same_position_in_every_notation() -> None:
    position = parse_line("424263")
    assert "\n".join(position.rows()) == ".......\n.......\n.......\n.......\n.o.x...\n.oox.x."
    assert one_line(position) == "......./......./......./......./.o.x.../.oox.x."
    assert to_yaml(position) == (
        "board: |\n  .......\n  .......\n  .......\n  .......\n  .o.x...\n  .oox.x.\n"
    )
    assert sorted(position.facts()) == [
        ("cell", 1, 1, 4),
        ("cell", 1, 1, 6),
        ("cell", 1, 2, 4),
        ("cell", 2, 1, 2),
        ("cell", 2, 1, 3),
        ("cell", 2, 2, 2),
        ("turn", 1),
    ]


def test_only_an_unusual_board_says_its_size_and_turn() -> None:
    small = geometry(2, 1, 3)
    assert to_yaml(Board(small)) == "width: 2\nheight: 1\nconnect: 3\nboard: |\n  ..\n"
    assert to_yaml(Board(small, turn=2)).endswith("  ..\nturn: o\nfree: true\n")


@pytest.mark.parametrize(
    ("square", "name"),
    [((1, 4), "d1"), ((6, 7), "g6"), ((12, 26), "z12"), ((1, 27), "aa1"), ((40, 40), "an40")],
)
def test_square_names(square: tuple[int, int], name: str) -> None:
    assert square_name(square) == name


@given(positions())
def test_pictures_read_back(position: Board) -> None:
    assert parse_line(one_line(position), position.geometry) == position
    assert parse_line("\n".join(position.rows()), position.geometry) == position
    assert read_board(one_line(position), size=position.geometry).position == position


@given(positions())
def test_yaml_reads_back(position: Board) -> None:
    assert read(to_yaml(position)) == position


@given(positions())
def test_composed_positions_read_back(position: Board) -> None:
    other = Board(
        position.geometry, 3 - position.turn, position.mover ^ position.mask, position.mask
    )
    assert read(to_yaml(other)) == other


@given(positions())
def test_facts_read_back(position: Board) -> None:
    text = "".join(f"{name}({','.join(map(str, rest))}).\n" for name, *rest in position.facts())
    Path("board.lp").write_text(text, encoding="utf-8")
    assert read_board("board.lp", size=position.geometry).position == position


@given(st.sampled_from(SIZES), st.lists(st.integers(1, 40), max_size=60))
def test_moves_mean_what_playing_them_means(size: tuple[int, int, int], wishes: list[int]) -> None:
    board_size = geometry(*size)
    moves: list[int] = []
    for wish in wishes:
        position = played(moves, board_size)
        if not (position.winner or position.full):
            moves.append(sorted(position.moves())[wish % len(position.moves())])
    expected = played(moves, board_size)
    assert parse_line(",".join(map(str, moves)), board_size) == expected
    keys = "".join(f"{key}: {value}\n" for key, value in board_size.constants.items())
    assert read(f"{keys}moves: {moves}\n") == expected
    if board_size.width < 10:
        assert read(f"{keys}moves: {''.join(map(str, moves))}\n") == expected


@given(st.text(alphabet="0123456789,-./xo\n :[]{}%cellturn()'\"|#&*!é", max_size=60))
def test_whatever_is_typed_gives_a_board_or_one_line(text: str) -> None:
    for name in ("board.yaml", "board.lp"):
        Path(name).write_text(text, encoding="utf-8")
    for source in (text, "board.yaml", "board.lp", "-"):
        error = complaint(source, io.BytesIO(text.encode()))
        assert error is None or str(error).isprintable()
