"""Chess as text, beside python-chess: FEN, algebraic notation, PGN, figurines, and mistakes."""

import io
import logging
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import advisor
from advisor.errors import InputError
from advisor.games import rooms
from advisor.games.chess import pgn, pgn_writing, pictures, san
from advisor.games.chess.notation import ChessRulePosition
from advisor.games.chess.position import START, ChessPosition, parse_fen
from advisor.games.chess.san import ChessMove
from advisor.games.tree import line

chess = pytest.importorskip("chess", reason="python-chess is not installed")
chess_pgn = pytest.importorskip("chess.pgn")

BOARDS = sorted((Path(__file__).parents[2] / "data" / "chess").glob("*.txt"))
FEN_OF = {
    "board1": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
    "board2": "7k/4pppp/8/8/8/8/8/K1Q5 w - - 0 1",
    "board4": "r2qkb1r/pp1n1ppp/2p1p3/3nP3/8/5B2/PPPN1PPP/R1BQR1K1 b kq - 0 1",
    "board5": "r2knq1r/pp1bn2p/Pp2p1pP/2p2pPR/5b2/4K3/8/1NBQ1BN1 w - - 0 1",
}


def games(count: int, seed: int, plies: int = 160) -> Iterator[chess.Board]:
    """The positions of random games, those after the last move too."""
    source = random.Random(seed)
    for _ in range(count):
        board = chess.Board()
        yield board
        while board.ply() < plies and not board.is_game_over():
            board.push(source.choice(list(board.legal_moves)))
            yield board


def fen(board: chess.Board) -> str:
    return str(board.fen(en_passant="fen"))


def moves(board: chess.Board) -> dict[ChessMove, chess.Move]:
    """The legal moves."""

    def place(square: int) -> tuple[int, int]:
        return chess.square_file(square) + 1, chess.square_rank(square) + 1

    return {
        ChessMove(
            place(move.from_square),
            place(move.to_square),
            chess.piece_symbol(move.promotion) if move.promotion else "",
        ): move
        for move in board.legal_moves
    }


def test_fen_is_read_and_written() -> None:
    for board in games(6, seed=1):
        position = parse_fen(fen(board))
        assert str(position) == fen(board)
        pieces = {chess.square_name(s): p.symbol() for s, p in board.piece_map().items()}
        assert {f"{'abcdefgh'[f - 1]}{r}": p for (f, r), p in position.pieces.items()} == pieces


@pytest.mark.parametrize("fields", [4, 5, 6])
@pytest.mark.parametrize("number", ["0", "1"])
def test_a_fen_may_leave_out_the_counters_and_count_from_0(fields: int, number: str) -> None:
    text = " ".join([*START.split()[:-1], number][:fields])
    assert str(parse_fen(text)) == chess.Board(text).fen() == START


@pytest.mark.parametrize("counters", ["", " 3", " 3 2"])
def test_moves_may_stand_behind_any_fen(counters: str) -> None:
    bare = " ".join(START.split()[:4])
    for played in ("1. e4 e5", "e4 e5", "moves e2e4 e7e5"):
        begun = ChessRulePosition.read(f"{bare}{counters} {played}")
        assert [word for word, _ in begun.moves] == played.replace("1.", "moves").split()[-2:]
        assert str(begun.origin).startswith(bare)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff1. e4 e5",
        '[Event "first"]\n\n1. e4 e5 *',
        "1. e4 {♘f3 is better} e5",
        "1. e4 (1. -- e5 2. Z0) e5",
        "1. e4 e5 e.p. *",
    ],
)
def test_what_others_write_is_read(text: str) -> None:
    theirs = chess_pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert [move.uci() for move in theirs.mainline_moves()] == ["e2e4", "e7e5"]
    begun = ChessRulePosition.read(text)
    assert [word for word, _ in begun.moves] == ["e4", "e5"]
    assert len([*ChessRulePosition.games(text + "\n\ufeff" + text)]) == 2


def test_a_move_that_is_left_out_is_none() -> None:
    given = parse_fen(START)
    for text in ("--", "Z0", "0000"):
        with pytest.raises(InputError, match="passes, which the rules of chess do not allow"):
            san.find(text, given, {})


def test_moves_have_their_algebraic_names_and_are_found_by_them() -> None:
    source = random.Random(2)
    for board in games(6, seed=2):
        position, legal = parse_fen(fen(board)), moves(board)
        named = san.names(position, legal)
        for move, theirs in legal.items():
            algebraic = board.san(theirs)
            assert named[move] == algebraic.rstrip("+#")
            assert str(move) == theirs.uci()
        for move, theirs in source.sample([*legal.items()], min(2, len(legal))):
            algebraic = board.san(theirs)
            for text in (algebraic, board.lan(theirs), theirs.uci(), f"{algebraic}!?"):
                assert san.find(text, position, named) == move, (text, fen(board))


CROWDED = "k7/8/8/1N3N2/8/1N3N2/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("position", "text", "said"),
    [
        (START, "e5", "'e5' is not legal (use Na3, Nc3, Nf3, Nh3, a3, a4, "),
        (START, "Nd2", "'Nd2' is not legal (use Na3, "),
        (START, "e9", "'e9' is not a move (write it as e4, Nbd2, exd8=Q, O-O or e2e4)"),
        (START, "O-O", "'O-O' is not legal (use Na3, "),
        (CROWDED, "Nd4", "'Nd4' can be 4 moves (use Nb3d4, Nb5d4, Nf3d4, Nf5d4)"),
        (CROWDED, "Nbd4", "'Nbd4' can be 2 moves (use Nb3d4, Nb5d4)"),
        (
            "1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
            "a8",
            "'a8' can be 4 moves (use a8=B, a8=N, a8=Q, a8=R)",
        ),
        ("7k/8/8/8/8/4p3/3P4/K7 w - - 0 1", "e3", "'e3' is not legal (use "),
    ],
)
def test_illegal_and_ambiguous_moves(position: str, text: str, said: str) -> None:
    given = parse_fen(position)
    with pytest.raises(InputError) as error:
        san.find(text, given, san.names(given, moves(chess.Board(position))))
    assert str(error.value).startswith(said)


PIECES = "FEN: pieces: "


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        (0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP", "(7 rows, use 8 with / between)"),
        (0, START.split()[0].replace("/8/", "/7/", 1), "'7' (row 6: 7 squares, use 8)"),
        (0, START.split()[0].replace("/8/", "/4p4/", 1), "'4p4' (row 6: 9 squares, use 8)"),
        (0, START.split()[0].replace("/8/", "/7x/", 1), "(row 6: 'x', use PNBRQK, pnbrqk, 1 to 8)"),
        (0, START.split()[0].replace("Q", "K"), f"{PIECES}white has 2 kings (use one)"),
        (0, START.split()[0].replace("k", "q"), f"{PIECES}black has 0 kings (use one)"),
        (0, START.split()[0].replace("/8/", "/p7/", 1), "black has 9 pawns (at most 8)"),
        (0, START.split()[0].replace("/8/", "/n7/", 1), "black has 17 pieces (at most 16)"),
        (0, "4k2P/8/8/8/8/8/8/4K3", "a pawn on h8 (use ranks 2 to 7)"),
        (1, "W", "FEN: side to move: 'W' (use w or b)"),
        (2, "KQxq", "FEN: castling: 'KQxq' (use letters of KQkq, each at most once, or -)"),
        (2, "KK", "FEN: castling: 'KK' (use letters of KQkq, each at most once, or -)"),
        (
            3,
            "e4",
            "FEN: en passant: 'e4' (use the square that a pawn has just passed, as e3, or -)",
        ),
        (3, "e3", "FEN: en passant: 'e3' (with white to move it is on rank 6)"),
        (3, "e6", "(it needs a black pawn on e5 with two empty squares behind it)"),
        (4, "-1", "FEN: halfmove clock: '-1' (use a whole number, at most 9999)"),
        (5, "one", "FEN: move number: 'one' (use a whole number, at most 9999)"),
        (0, START.split()[0].replace("/8/", "/53/", 1), "(row 6: '53', use one number for empty"),
    ],
)
def test_each_field_of_a_fen_is_checked(field: int, text: str, said: str) -> None:
    fields = START.split()
    fields[field] = text
    with pytest.raises(InputError) as error:
        parse_fen(" ".join(fields))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_fen_of_the_wrong_length_and_castling_without_a_rook() -> None:
    with pytest.raises(InputError, match=r"FEN: 3 fields \(use pieces, side to move, "):
        parse_fen(START.removesuffix(" - 0 1"))
    with pytest.raises(InputError, match=r"castling: 'KQkq' \(Q needs a white rook on a1\)"):
        parse_fen(START.replace("/R", "/1"))


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_the_prolog_programs_boards_are_read_and_written_unchanged(path: Path) -> None:
    text = path.read_text()
    position = pictures.parse_figurines(text)
    assert str(position) == FEN_OF[path.stem]
    assert pictures.figurines(position) == text.rstrip("\n")


def test_rights_to_castle_may_stand_in_any_order() -> None:
    assert parse_fen(START.replace("KQkq", "qkQK")) == parse_fen(START)
    assert advisor.position(START.replace("KQkq", "QKqk"), game="chess").fen == START


def test_figurines_tell_castling_a_passed_square_and_who_is_to_move() -> None:
    for board in games(4, seed=3):
        position = parse_fen(fen(board))
        read = pictures.parse_figurines(pictures.figurines(position))
        assert str(read).split()[:4] == fen(board).split()[:4]
    board = chess.Board()
    board.push_san("e4")
    assert pictures.figurines(parse_fen(fen(board))).splitlines()[-2] == "1 ♖♘♗♕♔♗♘♖ [♕♔e3]"


EIGHT = "8 ♜♞♝♛♚♝♞♜ [♛♚]"


@pytest.mark.parametrize(
    ("line", "found", "said"),
    [
        (1, "8 ♜♞♝♛♚♝♞♜ [♚♛]", "board: line 1: '[♚♛]' (write it as [♛♚] or [  ]☚)"),
        (1, "8 ♜♞♝♛♚♝♞♜ [♛♚e3]", "line 1: e3 (a pawn that begins at this side passes rank 6)"),
        (1, "8 ♜♞♝♛♚♝♞♜ [♛♚]☚", "board: a hand ☚ beside both ranks"),
        (2, "6 ♟♟♟♟♟♟♟♟", "board: line 2: '6 ' (begin with '7 ')"),
        (3, "6    x    ", "board: line 3: 'x' on d6 (use ♔♕♖♗♘♙♚♛♜♝♞♟ or a space)"),
        (3, "6          ♟", "board: line 3: ' ♟' behind 8 squares"),
        (7, "2 ♙♙♙♙♙♙♙♔", "board: pieces: white has 2 kings (use one)"),
        (9, "abcdefg", "board: line 9: 'abcdefg' (use '  abcdefgh')"),
    ],
)
def test_a_wrong_figurine_text(line: int, found: str, said: str) -> None:
    lines = pictures.figurines(parse_fen(START)).splitlines()
    lines[line - 1] = found
    with pytest.raises(InputError) as error:
        pictures.parse_figurines("\n".join(lines))
    assert said in str(error.value)


def test_a_game_in_pgn_with_comments_and_variations() -> None:
    text = (
        '% for other programs\n[Event "a \\"quoted\\" name"]\n[White "Anna"]\n\n'
        "1. e4 {the king's pawn (not a variation)} e5 $1 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6)\n"
        "2.Nf3! Nc6 ; to the end of the line )\n3. Bb5 a6 4. O-O-O? * \n\n"
        '[Event "second"]\n\n1. d4 1-0\n'
    )
    first, second = pgn.games(text)
    assert first.tags == {"Event": 'a "quoted" name', "White": "Anna"}
    assert (first.result, second.result) == ("*", "1-0")
    assert [said.text for said in first.moves] == [
        *("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O-O"),
    ]
    assert [said.line for said in first.moves] == [5, 5, 6, 6, 7, 7, 7]
    assert (second.line, [said.text for said in second.moves]) == (9, ["d4"])


def test_games_are_written_as_python_chess_reads_them() -> None:
    source = random.Random(4)
    for number in range(8):
        start = START if number % 2 else FEN_OF["board4"]
        board = chess.Board(start)
        words = []
        while len(words) < 90 and not board.is_game_over():
            move = source.choice(list(board.legal_moves))
            words.append(board.san(move))
            board.push(move)
        begun = parse_fen(start)
        tags, begins = {"FEN": start, "SetUp": "1"}, (begun.number, begun.turn)
        text = pgn_writing.text(line(words), "*", tags, begins)
        assert max(map(len, text.splitlines())) <= 79
        theirs = chess_pgn.read_game(io.StringIO(text))
        assert theirs is not None
        assert not theirs.errors
        assert theirs.end().board().fen() == board.fen()
        (ours,) = pgn.games(str(theirs))
        assert [said.text for said in ours.moves] == words


def main_line(game: pgn.PgnGame) -> list[str] | str:
    """The moves of a game in coordinates, or why it is refused."""
    try:
        if game.fault:
            raise InputError(game.fault)
        board, found = chess.Board(str(parse_fen(game.tag("FEN") or START))), []
        for said in game.moves:
            position, legal = parse_fen(fen(board)), moves(board)
            move = legal[san.find(said.text, position, san.names(position, legal))]
            found.append(move.uci())
            board.push(move)
    except InputError as error:
        return str(error)
    return found


def their_main_lines(text: str) -> Iterator[tuple[list[str], bool]]:
    """The moves of each game as python-chess reads it, and whether it has complained."""
    file = io.StringIO(text)
    while (game := chess_pgn.read_game(file)) is not None:
        yield [move.uci() for move in game.mainline_moves()], bool(game.errors)


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 1. ... e5 2. Nf3 2. .. Nc6 3. ...",
        "1. e4 e5 1-0{x}",
        "1. e4 e5*",
        "1. e4 e5 1/2",
        "1. e4 e5 ½-½",
        "1. e4 e5 1\u20130",
        "1. e4 e5 1:0 1:0",
        "1. e4 ± e5 +/= 2. Nf3 N Nc6 TN ∓ 3. Bb5 ⩲ a6 □ 4. Ba4 ∞ +/- -/+",
        '[Event "The "Grand" Open"]\n[Time-Control ".."]\n[Round 1]\n[White "x"]\n\n1. e4 e5 1-0',
        "1.\u200be4\u200be5",
        "1. e2-e4 e7-e5 2. Ng1-f3",
        "1. e4 {a {b} e5",
        "1) e4, e5) ] 2.",
        "1. e4 e5\n\n1. d4 d5",
        "1. e4 e5 (=) 2. Nf3 =",
        "1. e4 [%clk 0:01] e5",
        "% x\n1. e4\n%1. d4\ne5 {\n%} Nf3",
        "1. d4 f5 2. g4 fxg4 3. h4 D gxh3e.p. 4. Nc3 ep",
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#1-0",
        '[White "no result"]\n\n1. e4 e5',
        '[Variant "Chess960"]\n\n1. e4 e5 *',
    ],
)
def test_odd_games_are_read_as_python_chess_reads_them(text: str) -> None:
    assert [*map(main_line, pgn.games(text))] == [line for line, _ in their_main_lines(text)]


def test_a_damaged_game_is_read_as_python_chess_reads_it_or_refused() -> None:
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    refused = 0
    for seed in range(80):
        source = random.Random(seed)
        text = "\n\n".join(_damaged(_annotated(source), source) for _ in range(2))
        try:
            theirs = [*their_main_lines(text)]
        except IndexError:  # in python-chess, where a variation closes twice
            continue
        ours = [*map(main_line, pgn.games(text))]
        if any(isinstance(line, str) for line in ours) or any(error for _, error in theirs):
            refused += 1
        else:
            assert [*filter(None, ours)] == [line for line, _ in theirs if line], (seed, text)
    assert 0 < refused < 60


def _annotated(source: random.Random) -> str:
    """A random game with comments, signs and variations, written by python-chess."""
    game = chess_pgn.Game()
    node = game
    for _ in range(source.randrange(4, 24)):
        legal = [*node.board().legal_moves]
        if not legal:
            break
        comment = source.choice(["", "", "[%clk 0:01:02]", "a (b) 1. e4", "x; y", "1-0"])
        following = node.add_variation(source.choice(legal), comment=comment)
        if source.random() < 0.2:
            following.nags.add(source.randrange(1, 20))
            for other in [move for move in legal if move != following.move][:1]:
                node.add_variation(other)
        node = following
    game.headers["Result"] = source.choice(pgn.RESULTS)
    return str(game)


_PARTS = [*' \n().;{}[]$-/*!?+#=xNQOe45"%', "\n\n", "1. ", "...", "1-0", " N ", "e.p.", "--", "0-0"]


def _damaged(text: str, source: random.Random) -> str:
    for _ in range(source.randrange(3)):
        at = source.randrange(len(text))
        cut = source.randrange(3)
        text = text[:at] + source.choice([*_PARTS, ""]) + text[at + cut :]
    return text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4 {good", "line 1: a comment breaks off (end it with a closing brace)"),
        ("1. e4\n(1. d4 d5", "line 2: a variation breaks off (end it with ')')"),
        ('[FEN "8/8', 'line 1: \'[FEN "8/8\' is not a tag (write it as [FEN "..."])'),
        ("(1. e4)", "line 1: a variation before any move (begin with one)"),
        ("5. a3 a6", "line 1: '5.' begins a game (begin with 1., or with a FEN)"),
        ('[White "A"]', "line 1: tags without moves or a result"),
        ('[Variant "Atomic"]\n1. e4', "line 1: variant 'Atomic' (only standard chess is known)"),
        ('[variant "King of the Hill"]\n1. e4', "line 1: variant 'King of the Hill' (only "),
    ],
)
def test_a_game_that_cannot_be_read_says_why(text: str, said: str) -> None:
    (game,) = pgn.games(text)
    assert str(game.fault).startswith(said)
    with pytest.raises(InputError, match=re.escape(said)):
        ChessRulePosition.read(text)


def test_a_game_that_cannot_be_read_leaves_the_others() -> None:
    text = (
        '[White "A"]\n\n1. e4 {never closed\n\n[White "B"]\n\n1. d4 (1. c4 d5\n\n'
        '[White "C"]\n\n1. f4 1-0 2. f5\n1. g4 @ *\n1. h4\n'
    )
    found = [game.fault or [said.text for said in game.moves] for game in pgn.games(text)]
    assert found == [
        "line 3: a comment breaks off (end it with a closing brace)",
        "line 7: a variation breaks off (end it with ')')",
        ["f4"],
        "line 11: '2.' begins a game (begin with 1., or with a FEN)",
        ["g4", "@"],
        ["h4"],
    ]


def test_what_means_nothing_is_listed() -> None:
    begun = ChessRulePosition.read("[White Anna\n1. e4 ± ] e5 & {&}\n2.")
    assert [word for word, _ in begun.moves] == ["e4", "e5"]
    assert begun.passed_over == (
        "line 1: '[White Anna'",
        "line 2: ']'",
        "line 2: '&'",
        "line 3: '2.'",
    )


def test_a_picture_shows_every_piece_by_name() -> None:
    position = parse_fen(FEN_OF["board4"])
    picture = rooms.load("chess").begin(FEN_OF["board4"]).svg()
    assert picture.count('class="piece ') == len(position.pieces)
    assert "<title>black queen on d8</title>" in picture
    assert isinstance(position, ChessPosition)
