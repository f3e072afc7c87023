"""Texts of rules in other languages: short/3 and sentence/3, read, shown and refused."""

from pathlib import Path

import pytest

import advisor
from advisor.errors import EncodingError
from advisor.files.resources import ENCODINGS
from advisor.settings import texts

STRATEGY = ENCODINGS / "connect4" / "strategy.lp"
STRATEGIES = {
    "connect4": (STRATEGY,),
    "chess": tuple(
        ENCODINGS / "chess" / name
        for name in ("board.lp", "rules.lp", "strategy.lp", "features.lp")
    ),
}
LANGUAGES = ("de", "es", "fr")

RULES = """
fires(corner, move(R, C)) :- valid_move(R, C), R = 1, C = 1.
sentence(fires(corner), "takes the corner {square}").
feature(edge(N), P, square(R, C)) :- cell(P, R, C), C = 1, N = R.
sentence(feature(edge(N)), "{a disc|discs} at the edge, in row {N}") :- N = 1..2.
"""


def read(folder: Path, more: str) -> texts.Texts:
    file = folder / "own.lp"
    file.write_text(RULES + more)
    return texts.read([file])


def test_a_text_in_a_language_stands_beside_the_one_for_all_others(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        'sentence(fires(corner), "nimmt die Ecke {square}", de).\n'
        'sentence(feature(edge(N)), "{ein Stein|Steine} am Rand, Zeile {N}", de) :- N = 1.\n',
    )
    assert set(found.translated) == {"de"}
    assert found.translated["de"].strategies["corner"].predicate == "nimmt die Ecke {square}"
    assert found.comment("features", "edge(1)", "de") == "ein Stein am Rand, Zeile 1"
    # What has no text in the language keeps its own.
    for name, language in (("edge(2)", "de"), ("edge(1)", "fr"), ("edge(1)", "")):
        assert found.comment("features", name, language).startswith("a disc at the edge, in row")
    assert found.strategies["corner"].predicate == "takes the corner {square}"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('sentence(fires(corner), "x", "de").', "'\"de\"' is not a language"),
        ('sentence(fires(corner), "x", DE).', "'DE' is not a language"),
        ('short(fires(corner), "x", deutsch).', "'deutsch' is not a language"),
        ('sentence(feature(edge(3)), "x", de).', "for other languages (add it)"),
        ('sentence(fires(corner), "nimmt {where}", de).', "'{where}' is not a placeholder"),
        ('sentence(fires(corners), "x", de).', "no rule derives the strategy 'corners'"),
    ],
)
def test_an_error_is_one_line_with_its_place(tmp_path: Path, text: str, error: str) -> None:
    with pytest.raises(EncodingError) as caught:
        read(tmp_path, text)
    assert error in str(caught.value)
    assert "own.lp:6" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", STRATEGIES)
def test_the_advisors_own_texts_are_in_each_language_or_in_none(game: str) -> None:
    found = texts.read(STRATEGIES[game])
    for language in LANGUAGES:
        assert set(found.translated[language].strategies) == set(found.strategies)
        assert all(found.translated[language].comment("moves", name) for name in found.strategies)
        assert set(found.translated[language].features) == set(found.features)
    events = [ENCODINGS / game / "events.lp", *STRATEGIES[game]]
    map_of_threats = texts.read_events(events, kind="threatened")
    assert map_of_threats
    for told in map_of_threats.values():
        assert sorted(told.translated) == sorted(LANGUAGES)


def test_only_what_stands_alone_is_in_another_language() -> None:
    advice = advisor.suggest(advisor.position("4455"), depth=2)
    english, german = advisor.explained(advice), advisor.explained(advice, "de")
    assert english["explanation"] == german["explanation"]
    (fork,) = (f for f in german["moves"][2]["fires"] if f["strategy"] == "fork")
    assert fork["sentence"] == "Schafft zwei Gewinnzüge zugleich."
    given = advisor.position("142454")
    assert advisor.threats(given, language="de").dangers[0].text == "gewinnt sofort auf d4"
    assert advisor.threats(given).dangers[0].text == "wins on d4, a square open now"
    titles = [weight["title"] for weight in advisor.load_weights().to_json("fr")["weights"]]
    assert "se trouve au milieu" in titles
