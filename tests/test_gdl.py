"""Rule sheets become games that are the games of the sheets, or are refused in one line."""

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.asp.clingo_api import Term
from advisor.asp.source import statements
from advisor.errors import AdvisorError
from advisor.games.check import check
from advisor.games.circuits import Circuits
from advisor.games.gdl.importing import convert, facts
from advisor.games.gdl.kif import parse
from advisor.games.reference import answer
from advisor.games.rules import Rules, read
from resolution import Interpreter

SHEETS = sorted((Path(__file__).parent / "data" / "gdl").glob("*.kif"))
SIMULTANEOUS = ["at_once"]
PLAYED = [file for file in SHEETS if file.stem not in SIMULTANEOUS]
WAITING = {"in_a_row": "wait"}
"""What a sheet calls the move that is noop here."""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory):
    """The game of a sheet, made once."""

    @cache
    def made(file: Path) -> Rules:
        folder = tmp_path_factory.mktemp(file.stem)
        (folder / "rules.lp").write_text(convert(file.read_text(), file.name, file.stem).rules)
        return read(str(folder))

    return made


PLAIN = {"+": "plus", "++": "plusplus", "01": "n01"}


def term_of(term: Term) -> Term:
    """A term of the interpreter as one of ours."""
    if isinstance(term, tuple):
        return tuple(map(term_of, term)) if len(term) > 1 else term_of(term[0])
    return int(term) if re.fullmatch("0|[1-9][0-9]*", term) else PLAIN.get(term, term)


@pytest.mark.parametrize("file", SHEETS, ids=lambda file: file.stem)
def test_a_game_says_what_its_sheet_says(file: Path, imported) -> None:
    """Random games by the sheet itself; in every state the encoding, asked by clingo, agrees."""
    rules, sheet, random = imported(file), Interpreter(file.read_text()), Random(7)
    waiting = WAITING.get(file.stem, "noop")

    def ours(atom: Term) -> Term:
        found = term_of(atom)
        return (*found[:2], "noop") if found[-1] == waiting else found

    roles = [role for _, role in sheet.all(("role", "?r"))]
    assert {*map(term_of, roles)} == {*rules.roles}
    ended = 0
    for _ in range(8):
        state = [("true", fact) for _, fact in sheet.all(("init", "?f"))]
        assert {term_of(fact) for _, fact in state} == rules.start
        while True:
            here = [term_of(fact) for _, fact in state]
            found = answer(rules, here)
            legal = sorted(sheet.all(("legal", "?p", "?m"), state))
            passes = {pair for pair in found.legal if pair[1] == "pass"}
            assert {ours(atom)[1:] for atom in legal} == found.legal - passes
            assert found.terminal == bool(sheet.all("terminal", state))
            if found.terminal:
                goals = {term_of(atom)[1:] for atom in sheet.all(("goal", "?p", "?v"), state)}
                assert goals == found.goals
                ended += 1
                break
            joint = [random.choice([atom for atom in legal if atom[1] == role]) for role in roles]
            does = [("does", *atom[1:]) for atom in joint]
            state = [("true", f) for _, f in sheet.all(("next", "?f"), [*state, *does])]
            after = answer(rules, here, [ours(atom)[1:] for atom in does]).following
            assert {term_of(fact) for _, fact in state} == after
            if {ours(atom)[2] for atom in does} == {"noop"}:
                (mover, move) = min(passes)
                assert answer(rules, here, rules.joint(mover, move)).following == after
    assert ended == 8


@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.stem)
def test_circuits_of_an_imported_game_equal_clingo(file: Path, imported) -> None:
    report = check(Circuits(imported(file)), games=100, compared=60)
    assert report.unfinished == 0
    assert sum(report.results) == 100
