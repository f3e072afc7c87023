"""The page of figures and what measures them: one row each, and numbers read as they stand."""

import figures
from commands import ROOT

README = ROOT / "README.md"


def test_every_row_of_the_page_is_measured_and_nothing_else() -> None:
    names = list(figures.page_rows(figures.PAGE.read_text()))
    matches = [[name for name in names if name.startswith(row.name)] for row in figures.ROWS]
    assert [found for found in matches if len(found) != 1] == []
    assert sorted(found[0] for found in matches) == sorted(names)


def test_the_readme_repeats_figures_of_the_page() -> None:
    page = figures.PAGE.read_text()
    repeated = figures.page_rows(README.read_text())
    assert len(repeated) == 3
    assert all(figure in page for figure in repeated.values())


def test_numbers_are_read_and_written_as_the_page_has_them() -> None:
    figure = "0.25 s, 1.1 million, 25,896 of 1000, none wrong, 98.5 %"
    assert figures.numbers(figure) == [0.25, 1_100_000, 25_896, 1000, 0, 98.5]
    assert figures.in_words_of(figure, figures.numbers(figure)) == figure
    assert (
        figures.in_words_of(figure, [0.004, 2_340_000, 1_000_000, 1200, 3, 7])
        == "0.004 s, 2.3 million, 1,000,000 of 1200, 3 wrong, 7.0 %"
    )


def test_off_by_more_than_two_either_way() -> None:
    assert not figures.off([1, 0, 100], [2, 0, 50])
    assert figures.off([1, 0, 100], [2.1, 0, 100])
    assert figures.off([1, 0, 100], [1, 0, 49])
    assert figures.off([1, 0, 100], [1, 1, 100])
