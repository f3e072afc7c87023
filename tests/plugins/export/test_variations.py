"""Games with variations come out of a page without a server as a server reads and writes them."""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
from engine_truth import ENGINE, ask_page, needs_node

import advisor
from advisor.games.chess import pgn, pgn_writing

pytestmark = needs_node

HEADING = """[Event "Casual game"]
[Site "Paris"]
[White "Morphy"]
[Black "Duke \\"Karl\\""]
[Result "1-0"]

"""
EXAMPLES = [
    "1. e4 {King's pawn} 1... e5 2. Nf3 d6 $6 {Philidor} 3. d4 Bg4?! 1-0",
    "{Opening words} 1. e4 (1. d4 {Queen's (pawn)} 1... d5 (1... Nf6 $1 2. c4)) 1... e5 1-0",
    "1. e4 (1. d4 (1. c4 e5) 1... d5) (1. f4) {Behind both} 1... c5!? $14 1-0",
    "1. e4 ; to the end of the line ) {\n1... e5 ({Sicilian} 1... c5 2. Nf3) 1-0",
    "1. e4 ({A}{B} 1. d4 {C}{D}) {E} 1... e5 [%clk 0:01] 2. f4 exf4 {} 1-0",
    "1. e4 e5 (1... Ke7 2. d4) (1... c5 ; open )\n2. Nf3 d6) 2. Nc3 ± 1-0",
]
TOKENS = (
    *("e4", "Nf3", "O-O", "exd5", "e8=Q+", "Qxf7#", "Bg4?!", "e5!", "--", "word", "N", "e.p."),
    *("1.", "1...", "2.", "12.", "(", "(", ")", ")", "{a (comment)}", "{two\nlines}", "{}"),
    *("; to the end\n", "[%clk 0:01]", "$1", "$14", "!?", "!", "=", "±", "-", "...", "*", "1/2"),
)


def read_in_node(texts: list[str]) -> list[Any]:
    """Return the games of texts as the page reads and writes them; a text for a refusal."""
    probe = Path(__file__).with_name("pgn_probe.mjs")
    command = ["node", str(probe), str(ENGINE)]
    ran = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True)
    assert not ran.stderr, ran.stderr[-2000:]
    found: list[Any] = json.loads(ran.stdout)
    return found


def test_texts_are_read_and_written_as_python_does() -> None:
    random = Random(11)
    parts = [random.choices(TOKENS, k=random.randrange(1, 40)) for _ in range(2000)]
    texts = [
        *EXAMPLES,
        *(HEADING + each for each in EXAMPLES),
        *(" ".join(["1. d4", *p]) for p in parts),
    ]
    compared = 0
    for text, found in zip(texts, read_in_node(texts), strict=True):
        games = [*pgn.games(text)]
        if len(games) > 1:
            continue
        (game,) = games
        if game.fault:
            assert isinstance(found, str), text
            continue
        compared += 1
        moves = [
            (move.text, move.follows, move.instead, move.before, move.after, move.behind)
            for move in game.tree
        ]
        keys = ("text", "follows", "instead", "before", "after", "behind")
        assert [tuple(each[key] for key in keys) for each in found["moves"]] == moves, text
        assert (found["remarks"], found["result"]) == (game.remarks, game.result), text
        assert found["tags"] == game.tags
        written = pgn_writing.text(game.tree, game.result, game.tags, remarks=game.remarks)
        assert found["text"] == written, text
    assert compared > 300


@pytest.mark.slow
def test_games_of_chess_have_the_server_s_trees() -> None:
    chess = advisor.load_game("chess", weights=None)
    texts = [HEADING + each for each in EXAMPLES]
    asked = [["tree", {"board": text}] for text in texts]
    found = ask_page("chess", asked)
    trees = [chess.read_tree(text) for text in texts]
    for tree, told in zip(trees, found, strict=True):
        wanted = tree.to_json()
        left_out = [each.partition(" (use")[0] for each in wanted["left_out"]]
        assert told == {**wanted, "left_out": left_out}
    keys = ("move", "follows", "instead", "before", "after", "behind")
    records = [
        {
            "board": told["begun"],
            "moves": [{key: move[key] for key in keys} for move in told["moves"]],
            "remarks": told["remarks"],
            "result": told["result"],
        }
        for told in found
    ]
    written = ask_page("chess", [["record", r] for r in records])
    for asked_for, told in zip(records, written, strict=True):
        begun = chess.position(asked_for["board"])
        grown = begun.grow(asked_for["moves"], asked_for["remarks"], asked_for["result"])
        assert told == {"text": grown.record, "names": grown.names}
