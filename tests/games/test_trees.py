"""Games with variations: read, checked and written again, with their comments and signs."""

import io
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import advisor
from advisor.errors import InputError
from advisor.games import rooms
from advisor.games.chess import pgn

HEADING = """[Event "Casual game"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy"]
[Black "Duke \\\\"Karl\\\\""]
[Result "1-0"]

"""
EXAMPLES = [
    "1. e4 {King's pawn} 1... e5 2. Nf3 d6 $6 {Philidor} 3. d4 Bg4?! 1-0",
    "{Opening words} 1. e4 (1. d4 {Queen's (pawn)} 1... d5 (1... Nf6 $1 2. c4)) 1... e5 1-0",
    "1. e4 (1. d4 (1. c4 e5) 1... d5) (1. f4) {Behind both} 1... c5!? $14 1-0",
    "1. e4 ; to the end of the line ) {\n1... e5 ({Sicilian} 1... c5 2. Nf3) 1-0",
    "1. e4 e5 (1... c5 ; open )\n2. Nf3 d6 (2... Nc6 3. d4)) 2. Nc3 ± 1-0",
    "1. e4 ({A}{B} 1. d4 {C}{D}) {E} 1... e5 [%clk 0:01] 2. f4 exf4 {} 1-0",
]


@pytest.fixture(scope="module")
def chess() -> advisor.Game:
    return rooms.load("chess", None)


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("moves", EXAMPLES)
def test_a_game_comes_out_as_it_went_in(chess: advisor.Game, moves: str) -> None:
    text = HEADING.replace("\\\\", "\\") + moves + "\n"
    tree = chess.read_tree(text)
    assert tree.left_out == []
    assert bare(tree.record) == bare(text)
    assert max(map(len, tree.record.splitlines())) <= 79


def test_a_game_comes_out_as_python_chess_reads_it(chess: advisor.Game) -> None:
    theirs = pytest.importorskip("chess.pgn")
    for moves in EXAMPLES:
        text = HEADING.replace("\\\\", "\\") + moves + "\n"
        before, after = (
            theirs.read_game(io.StringIO(each)) for each in (text, chess.read_tree(text).record)
        )
        assert not before.errors
        assert str(before) == str(after)


def test_a_sign_is_joined_to_a_move_alone() -> None:
    text = "1. b3 N ! 1... e5! ?? *"
    found = rooms.load("chess", None).read_tree(text)
    assert [move.after for move in found.moves] == [["N", "!"], ["!", "??"]]
    again = rooms.load("chess", None).read_tree(found.record)
    assert [move.after for move in again.moves] == [["N", "!"], ["!??"]]


WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="{}\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"),
    max_size=90,
)
REMARKS = st.lists(
    st.one_of(
        WORDS.map(lambda text: f"{{{' '.join(text.split())}}}"),
        st.integers(1, 139).map(lambda number: f"${number}"),
        st.sampled_from(["!", "??", "±", "=", "N", "; to the end )"]),
    ),
    max_size=2,
)


@st.composite
def trees(draw: st.DrawFn) -> advisor.MoveTree:
    """A random game with variations at any depth."""
    game = rooms.load("chess", None)
    begun = game.position(draw(st.sampled_from(["", "8/P6k/8/8/8/8/8/K7 b - - 3 60"])))
    source = random.Random(draw(st.integers(0, 2**32)))
    positions, moves = [begun], []
    for _ in range(draw(st.integers(0, 14))):
        # A variation stands in place of a move that is there already, or a line goes on.
        number = source.randrange(len(positions))
        taken = {each["move"] for each in moves if each["follows"] == number}
        instead = source.choice(
            [0, *(i for i, each in enumerate(moves, 1) if each["follows"] == number)]
        )
        if not instead and any(e["follows"] == number and not e["instead"] for e in moves):
            continue
        if instead == 0 and taken:
            continue
        legal = [
            move for move in positions[number].moves if positions[number].code(move) not in taken
        ]
        if not legal:
            continue
        move = source.choice(legal)
        moves.append(
            {
                "move": positions[number].code(move),
                "follows": number,
                "instead": instead,
                "before": draw(REMARKS) if instead else [],
                "after": draw(REMARKS),
                "behind": draw(REMARKS) if instead else [],
            }
        )
        positions.append(positions[number].play(move))
    return begun.grow(moves, draw(REMARKS), draw(st.sampled_from(pgn.RESULTS)))


@given(trees())
def test_any_tree_is_read_again_from_its_text(tree: advisor.MoveTree) -> None:
    text = tree.record
    again = tree.positions[0].game.read_tree(text)
    assert again.left_out == []
    assert again.record == text


def test_the_main_line_of_a_tree_is_the_game(chess: advisor.Game) -> None:
    for moves in EXAMPLES:
        text = HEADING.replace("\\\\", "\\") + moves + "\n"
        assert chess.read_tree(text).main == chess.position(text)


def test_an_illegal_move_ends_its_variation_and_is_told(chess: advisor.Game) -> None:
    text = "1. e4\n(1. d4 d5 2. Ke3 (2. c4) 2... c6) (1. --) 1... e5 (1... e6) *"
    tree = chess.read_tree(text)
    assert tree.names == ["e4", "d4", "d5", "e5", "e6"]
    assert [told.partition(" (use")[0] for told in tree.left_out] == [
        "line 2: 2. 'Ke3' is not legal",
        "line 2: 1. '--' passes, which the rules of chess do not allow",
    ]


def test_an_illegal_move_of_the_main_line_refuses_the_game(chess: advisor.Game) -> None:
    with pytest.raises(InputError, match=r"^line 3: 2\. 'Ke3' is not legal"):
        chess.read_tree("1. e4 (1. d4)\n1... e5\n2. Ke3 *")


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([("e4", 1, 0)], "move 1: comes after move 1 (use 0 to 0)"),
        ([("e4", 0, 0), ("d4", 0, 0)], "move 2: follows the same move as move 1 (use instead)"),
        ([("e4", 0, 0), ("e5", 1, 1)], "move 2: stands in place of move 1, which follows another"),
        ([("e4", 0, 0), ("e5", 0, 1)], "move 2: 'e5' is not legal"),
    ],
)
def test_a_wrong_tree_says_why(
    chess: advisor.Game, moves: list[tuple[str, int, int]], said: str
) -> None:
    told = [{"move": move, "follows": follows, "instead": i} for move, follows, i in moves]
    with pytest.raises(InputError, match=re.escape(said)):
        chess.position().grow(told)


@pytest.mark.parametrize(
    "remark", ["1. e4", "{a} b", "{a", ")", "", " ", "*", '[White "x"]', ";a\nb", "..."]
)
def test_only_a_comment_or_a_sign_is_a_remark(chess: advisor.Game, remark: str) -> None:
    tree = chess.position().grow([{"move": "e4", "follows": 0, "after": [remark]}])
    with pytest.raises(InputError, match=r"^remark "):
        _ = tree.record


def test_other_games_are_a_line() -> None:
    tree = rooms.load("tictactoe", None).read_tree("b2 a1")
    assert [(move.text, move.follows) for move in tree.moves] == [("put(2,2)", 0), ("put(1,1)", 1)]
    assert tree.record == tree.main.record
    tree = rooms.load("connect4", None).read_tree("44")
    assert (tree.names, tree.main.text) == (["4", "4"], "44")
