"""A proof as text and as JSON; the page in the docs shows what is printed."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from advisor.games.connect4.board import Board, geometry
from advisor.plugins.proofs.library import NO_PROOF, describe_proof
from advisor.plugins.proofs.victor.plan import DERIVED, RULES, Proof
from advisor.plugins.proofs.victor.playout import PlayOut
from advisor.plugins.proofs.victor.proof_text import picture_lines, sentences
from advisor.plugins.proofs.victor.prove import PLAN, prove
from advisor.settings import texts
from test_victor import CASES, position

PAGE = Path(__file__).parents[3] / "docs" / "proof.md"


@cache
def diagram(number: str) -> Proof:
    proof = prove(position(next(c["rows"] for c in CASES if c["diagram"] == number)))
    assert proof is not None
    return proof


@pytest.mark.slow
def test_the_page_shows_what_is_printed() -> None:
    proof = prove(Board(geometry(6, 6)))
    assert proof is not None
    block = re.search(
        r"```console\n\$ advisor prove [^\n]*--check\n(.*?)```", PAGE.read_text(), re.S
    )
    assert block is not None
    assert block.group(1).splitlines() == describe_proof(proof, check=True)[1]


def test_picture_of_an_odd_threat() -> None:
    assert picture_lines(diagram("3.14")) == [
        "  6  .  C  .  .  .  C  .",
        "  5  .  c  .  B  B  c  .",
        "  4  .  .  .  o  x  C  C",
        "  3  T  x  x  x  o  c  c",
        "  2  .  x  o  o  o  C  .",
        "  1  x  o  x  x  o  c  .",
        "     1  2  3  4  5  6  7",
        "",
        "C claimeven; B baseinverse; T odd threat; small letters: red leaves the square to yellow",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", [c["diagram"] for c in CASES if c["expect"] == "proof"])
def test_every_rule_and_every_answer_is_told(number: str) -> None:
    proof = diagram(number)
    text = "\n".join(sentences(proof))
    for rule in proof.rules:
        assert rule.name in text
    *_, legend = picture_lines(proof)
    assert all(
        f" {rule.name};" in f" {legend};" for rule in proof.rules if rule.name not in DERIVED
    )


def test_a_win_for_black_names_the_line_that_he_completes() -> None:
    proof = diagram("4.1")
    _, (first, *_) = describe_proof(proof)
    assert first == "proved by Allis' rules: o (yellow) wins"
    assert any("with the claimevens and wins" in sentence for sentence in sentences(proof))


def test_the_first_move_is_told() -> None:
    proof = prove(Board(geometry(7, 6)).play(3))
    assert proof is not None
    _, (first, *_) = describe_proof(proof)
    result = "o (yellow) holds at least a draw, beginning with column 4"
    assert first == f"proved by Allis' rules: {result}"
    assert picture_lines(proof)[5].split()[4] == "o"


def test_a_line_completed_at_once() -> None:
    proof = prove(position("0000/0000/2220/1110"), player=1)
    _, lines = describe_proof(proof)
    assert lines == ["proved by Allis' rules: x (red) wins, beginning with column 4"]


def test_no_proof_says_so() -> None:
    assert describe_proof(None) == ({"proved": None}, [NO_PROOF])


def test_json_has_the_whole_proof() -> None:
    proof = diagram("3.14")
    data = json.loads(json.dumps(describe_proof(proof, check=True)[0]))
    assert data["proved"] == {"player": "x", "outcome": "wins", "first": None}
    assert {"rule": "odd threat", "squares": [[3, 1]]} in data["rules"]
    assert len(data["lines"]) == len(proof.solved)
    for line, (squares, rule) in zip(data["lines"], proof.solved, strict=True):
        assert [tuple(square) for square in line["squares"]] == list(squares)
        assert data["rules"][line["answered_by"]]["rule"] == rule.name
    assert data["check"]["exhaustive"] is True
    assert data["check"]["failure"] is None


def test_a_plan_that_breaks_is_reported() -> None:
    assert "FAILED after the moves 4 4" in PlayOut(True, 3, (4, 4)).result_text


@pytest.mark.parametrize("name", [*(name.replace(" ", "_") for name in RULES), "waiting", "solved"])
def test_the_words_for_a_rule_stand_in_the_encodings(name: str) -> None:
    named = {"threat_combination": "combination"}.get(name, name)
    assert any(subject.partition("(")[0] == named for subject in texts.load_texts(PLAN, "sentence"))


def test_no_placeholder_is_left_in_what_is_said() -> None:
    for case in CASES:
        if case["expect"] == "proof":
            assert not re.search(r"[{}]", "\n".join(describe_proof(diagram(case["diagram"]))[1]))
