"""The first sentence of an explanation, which pages show alone: it is whole, and has a reason."""

import re
from random import Random

import pytest

import advisor


def is_bare(text: str) -> bool:
    """Whether a sentence has a result and nothing about how it comes about."""
    return re.search(r"\b(wins?|loses?|leads? to a draw)\b[^:;]*\.$", text) is not None


@pytest.mark.parametrize(
    ("moves", "first", "second"),
    [
        (
            "",
            "Column 4 lies in the middle, through which most lines run.",
            "It wins in 21 moves, whatever yellow does.",
        ),
        (
            "4343",
            "Column 4 threatens to win on d4, so yellow must answer there.",
            "It wins in 15 moves, whatever yellow does.",
        ),
    ],
)
def test_a_reason_comes_before_a_bare_result(moves: str, first: str, second: str) -> None:
    advice = advisor.suggest(advisor.position(moves), depth=4, exact=30.0)
    (told, *_) = advisor.explained(advice)["explanation"]
    assert told[:2] == [first, second]


@pytest.mark.slow
def test_the_first_sentence_is_whole_and_has_a_reason_where_there_is_one() -> None:
    random = Random(4453)
    decided = 0
    for _ in range(60):
        position = advisor.position("")
        for _ in range(random.randrange(30)):
            if position.over:
                break
            position = position.play(random.choice(position.moves))
        if position.over:
            continue
        found = advisor.explained(advisor.suggest(position, depth=2))
        first, *others = found["explanation"][0]
        assert first.endswith(".")
        assert not re.match(r"(It|They|That|This|Then|Otherwise|On the other hand)\b", first)
        decided += found["score"]["kind"] != "heuristic"
        if is_bare(first):
            name = " ".join(first.split(" ")[:2])
            assert not [t for t in others if t.startswith((f"{name} ", "It ")) and not is_bare(t)]
    assert decided > 0
