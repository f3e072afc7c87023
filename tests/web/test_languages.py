"""The page's own words: each language has all of them, and each of them is used."""

import json
import re
from pathlib import Path

import pytest

STATIC = Path("advisor/web/static")
PLUGINS = Path("advisor/plugins")
SCRIPTS = [*STATIC.glob("*.js"), *PLUGINS.glob("*/static/*.js")]
PAGES = [STATIC / "index.html", *PLUGINS.glob("*/static/*.html")]
LANGUAGES = ("en", "de", "fr", "es")


def words(language: str) -> dict[str, str]:
    text = (STATIC / "languages" / f"{language}.js").read_text()
    found: dict[str, str] = json.loads(text.removeprefix("export default ").removesuffix(";\n"))
    return found


def used() -> set[str]:
    keys = {
        key for page in PAGES for key in re.findall(r'data-say[a-z-]*="([^"]+)"', page.read_text())
    }
    for script in SCRIPTS:
        # A key is a text with a dot that begins with a word of the files of languages.
        keys.update(re.findall(r'"([a-z]+\.[a-z0-9-]+)"', script.read_text()))
    return keys


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_same_keys_in_order(language: str) -> None:
    found = words(language)
    assert list(found) == sorted(words("en"))
    assert all(found.values())


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_translations_have_the_same_places_and_forms(language: str) -> None:
    english = words("en")
    for key, text in words(language).items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key
        assert text.count("|") == english[key].count("|"), key


def test_each_word_is_used_and_each_used_word_is_there() -> None:
    english = words("en")
    kinds = {key.split(".")[0] for key in english}
    wanted = {
        key for key in used() if key.split(".")[0] in kinds and not key.endswith((".js", ".yaml"))
    }
    assert wanted - set(english) == set()
    assert set(english) - used() == set()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_page_says_in_english_what_its_words_are(path: Path) -> None:
    english = words("en")
    page = path.read_text()
    for key, text in re.findall(r'data-say="([^"]+)"[^>]*>([^<]*)<', page):
        assert text == english[key]
    for name in ("label", "title"):
        attribute = "aria-label" if name == "label" else name
        pattern = rf'{attribute}="([^"]+)" data-say-{name}="([^"]+)"'
        for text, key in re.findall(pattern, page):
            assert text == english[key]
