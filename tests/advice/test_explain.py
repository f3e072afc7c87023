"""Explanations: a text for everything that the encodings derive, and for nothing else."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

import advisor
from advising import advise
from advisor.advice import explain
from advisor.advice.facade import add_exact_results
from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.phrasing import outcome
from advisor.games.score import Score
from advisor.games.wording import count_noun
from advisor.settings.reading import load
from aspcircuits.stopping import Stop
from games import positions

FOUND = Path(__file__).parents[2] / "examples" / "found"


@settings(max_examples=12)
@given(positions([(7, 6, 4), (6, 5, 4), (5, 4, 3)], open_only=True))
def test_every_text_is_a_finished_sentence(position: Board) -> None:
    for depth in (0, 2):
        advice = advise(position, load(), depth=depth)
        paragraphs = advisor.explain(advice)
        paragraphs += [explain.main_reason(advice, move.move) + "." for move in advice.moves]
        for text in paragraphs:
            assert text.endswith(".")
            assert not set("{}") & set(text)
            assert "None" not in text
            assert " N " not in text


@pytest.mark.parametrize("moves", ["", "1", "11", "12", "33", "321"])
def test_whatever_is_proved_so_far_can_be_told(moves: str) -> None:
    """On 5x4, where no book helps: of moves called equally good, all or none are proved."""
    advice = advise(parse_line(moves, geometry(5, 4)), load(), depth=1)
    seen = [advice]
    seen.append(add_exact_results(advice, 5.0, Stop(), on_progress=seen.append))
    for each in seen:
        assert len({each.move(column).score.kind for column in each.best}) == 1
        assert all(text.endswith(".") for text in [explain.headline(each), *advisor.explain(each)])
        assert all(advisor.explain(each, move.move)[0] for move in each.moves)


def test_a_proof_that_does_not_tell_when_the_game_ends() -> None:
    advice = advise(parse_line("251333346445645566546"), load(), depth=1)
    lost = Score("loss", proved=True)
    moves = tuple(replace(move, score=lost) for move in advice.moves)
    told = " ".join(advisor.explain(replace(advice, chosen=(3,), score=lost, moves=moves)))
    assert told.startswith("Column 3 loses, whatever yellow does.")
    assert "All other columns lose, whatever yellow does." in told
    assert "longer" not in told
    assert [outcome(Score(kind, proved=True)) for kind in ("win", "loss", "draw")] == [
        "wins (proved)",
        "loses (proved)",
        "draws (proved)",
    ]


@pytest.mark.parametrize(
    ("size", "connect", "moves", "suggested", "all_others"),
    [
        # Two moves win, each in its own way, and as many others do not.
        ((4, 4), 3, "11323344", "Column 2 wins in 2 moves", False),
        # Two hold out longest, and the other two lose sooner, each in its own way.
        ((4, 4), 4, "134223342", "Columns 2 and 3 lose in 3 moves", False),
        # Red has three discs on each other, and column 1 alone keeps the fourth away.
        ((7, 6), 4, "12131", "Yellow must play column 1: it keeps red from completing a", False),
    ],
)
def test_all_others_are_those_that_are_not_suggested(
    size: tuple[int, int], connect: int, moves: str, suggested: str, all_others: bool
) -> None:
    position = parse_line(moves, geometry(*size, connect))
    told = advisor.explain(advise(position, load(), depth=4, traced=True))
    assert told[0].startswith(suggested)
    assert any(text.startswith("All other columns") for text in told) is all_others


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        # x threatens row 1; only column 4 stops it.
        ("17273", "keeps red from completing a line on a1-d1"),
        ("112233", "completes a line on a1-d1"),
        ("121212", "completes a line on a1-a4"),
    ],
)
def test_the_reason_names_the_squares(moves: str, sentence: str) -> None:
    assert sentence in " ".join(advisor.explain(advise(parse_line(moves), load(), depth=0)))


@pytest.mark.parametrize(
    ("text", "two"),
    [
        ("{a disc|discs} at the edge", "two discs at the edge"),
        ("{a disc that touches|discs that touch} the edge", "two discs that touch the edge"),
        ("{a box|boxes} beside {a city|cities}", "two boxes beside cities"),
        ("{a pawn|pawns} on {its|their} first rank", "two pawns on their first rank"),
        ("3 discs side by side", "twice 3 discs side by side"),
        ("the feature corner", "twice the feature corner"),
    ],
)
def test_several_of_a_thing_are_written_as_its_text_has_them(text: str, two: str) -> None:
    assert count_noun(text, 2) == two
    assert "{" not in count_noun(text, 1)


@pytest.mark.parametrize("file", sorted(ENCODINGS.rglob("*.lp")), ids=lambda file: file.stem)
def test_features_that_come_along_have_a_plural(file: Path) -> None:
    """Texts that begin with an article name a thing that a player may have several times."""
    found = re.findall(r'^sentence\(feature\(.*?"([^"]*)"', file.read_text(), re.DOTALL | re.M)
    for text in found:
        assert not re.match("an? ", text) or "lone king" in text, text


@pytest.mark.parametrize(
    ("size", "moves", "weights", "depth", "told"),
    [
        # At the end of the line red lacks d3 and e3 of b3-e3, and nothing else.
        (
            (5, 4),
            "3224352154331",
            "default",
            2,
            "two gaps in an open level or diagonal line that lacks two discs, on a row that "
            "zugzwang favours (d3 and e3; ",
        ),
        # Yellow has b3 and c3, so that a3-d3 lacks a3 and d3, and b3-e3 lacks d3 and e3.
        (
            (7, 6),
            "3277321",
            "default",
            3,
            "four gaps on row 3 in an open level or diagonal line that lacks two discs "
            "(in three places: a3, d3 and e3; ",
        ),
        # Red's b1 is so in three directions, c3 in two (in two more both ends are free), e1 in one.
        (
            (7, 6),
            "4453",
            "alex",
            4,
            "six directions in which a disc is alone, with an empty square at one end, "
            "instead of three (in three places: b1, c3 and e1; +6)",
        ),
    ],
)
def test_as_many_are_told_as_there_are(
    size: tuple[int, int], moves: str, weights: str, depth: int, told: str
) -> None:
    position = parse_line(moves, geometry(*size))
    advice = advise(position, load(weights), depth=depth, traced=True)
    assert told in " ".join(advisor.explain(advice, numbers=True))


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ("461716351", "Every column loses in 1."),
        ("112233", "Play column 4: wins in 1."),
        ("4453", "Play column 3, 6 or 7 (equally good): loses in 18 (proved), and every other "
         "column loses sooner."),
        ("", "Play column 4: wins in 21 (proved)."),
    ],
)  # fmt: skip
def test_the_headline_says_what_all_columns_come_to(moves: str, told: str) -> None:
    config = load() if len(moves) <= 4 else replace(load(), book=False)
    assert explain.headline(advise(parse_line(moves), config, depth=1)) == told


def test_where_every_move_loses_that_is_said_of_any_game() -> None:
    # Blue's stone in the middle of 3x3 joins two of its sides, whatever red does.
    hex_ = advisor.position("a1 b2", game="hex", constants={"size": 3})
    seen = advisor.suggest(hex_, depth=4)
    assert explain.headline(seen) == "Every move: a loss in 4 plies."
    assert len(seen.best) == len(hex_.moves) == 7
    # The king may go to the left or to the right, and the queen mates below her king.
    edge = advisor.position("8/8/8/8/1Q6/1K6/8/1k6 b - - 0 1", game="chess")
    assert explain.headline(advisor.suggest(edge, depth=2)) == "Every move: mated in 1."
    assert len(edge.moves) == 2


def test_features_of_chess_say_whose_they_are_and_where() -> None:
    beside = advisor.position("3q1rk1/pp3ppp/8/8/8/6P1/PPPPP2p/R2QRK2 w - - 0 1", game="chess")
    told = " ".join(advisor.explain(advisor.suggest(beside, depth=1), numbers=True))
    assert "white has two files with or beside the king, without own pawns" in told
    assert "(f and h; which counts against white; -24)" in told
    alone = advisor.position("8/8/4k3/8/8/8/1R6/K7 w - - 0 1", game="chess")
    texts = advisor.suggest(alone, depth=0).phrasing.texts.features
    near = {texts[f"near({n})"] for n in range(1, 7)}
    assert len(near) == 6
    told = " ".join(advisor.explain(advisor.suggest(alone, depth=1), numbers=True))
    assert "white has black's lone king near the middle (f6; +36)" in told
    assert "a king at most four squares from black's lone king" in told


def test_moves_that_come_to_the_same_are_said_to_be_alike() -> None:
    game = advisor.load_game("breakthrough", weights=str(FOUND / "breakthrough.yaml"))
    # Each of the 22 moves brings a man from the second row to the third, where none is in danger.
    seen = advisor.suggest(game.position(), depth=1)
    assert len({move.value for move in seen.moves}) == 1
    assert seen.best == tuple(seen.scores)
    assert explain.headline(seen).startswith("Play a2-a3, a2-b3, b2-a3 or 19 more (equally good)")
    assert advisor.explain(seen)[-1].endswith(" a2-b3, b2-a3, b2-b3 and 18 more do as well.")


def test_what_has_to_be_done_is_said_first_and_is_no_part_of_the_score() -> None:
    advice = advise(parse_line("142454"), load(), depth=4, traced=True)
    assert advisor.explain(advice)[0].startswith(
        "Red must play column 4: it keeps yellow from completing a line on d1-d4."
    )
    first = advice.first
    assert first.total > 5000
    assert first.trace is not None
    assert first.score.value == first.ahead == first.trace.value
    assert "strategies +500" in advisor.explain(advice, numbers=True)[0]


def test_what_the_next_best_move_runs_into_does_not_happen_on_the_best_line() -> None:
    advice = advise(parse_line("46636345244"), load(), depth=8, traced=True)
    told = advisor.explain(advice)[0]
    found = re.search(
        r"(?:C|Not c)olumn (\d)(?:: it)? runs into (?:\w+'s )?column (\d), which ([^.]*)\.",
        told,
    )
    assert found
    other = advice.move(int(found[1]))
    assert other.move not in advice.chosen
    assert other.trace is not None
    assert other.trace.line[:2] == (other.move, int(found[2]))
    reply = advice.game.after(other.move)
    assert found[3] in {event.text for event in reply.events(int(found[2]))}
    assert advice.first.trace is not None
    game = advice.game
    for move in advice.first.trace.line[:4]:
        if game.phrasing.turn != advice.phrasing.turn:
            assert found[3] not in {event.text for event in game.events(move)}
        game = game.after(move)


def test_a_strategy_of_ones_own_is_told_where_it_decides() -> None:
    file = Path(__file__).parents[2] / "examples" / "copy.yaml"
    advice = advise(parse_line("444444676776"), load(str(file)), depth=4, traced=True)
    assert advice.best == (6,)
    assert "Column 6 lands on top of yellow's disc." in advisor.explain(advice)[0]
