"""Terms as clingo writes them, and ground programs in another process."""

import pickle
from pathlib import Path

import clingo
import pytest
from clingo import SymbolType
from hypothesis import given, settings
from hypothesis import strategies as st

from aspcircuits.clingo_api import (
    GroundProgram,
    Program,
    Sum,
    Term,
    from_symbol,
    parse,
    render,
    to_symbol,
)
from aspcircuits.errors import InputError
from aspcircuits.scanning import DEEPEST, LARGEST

EDGES = [-LARGEST - 1, -LARGEST, -1, 0, 1, LARGEST]
NAMES = st.from_regex(r"[_']{0,2}[a-z][A-Za-z0-9_']{0,3}", fullmatch=True).filter("not".__ne__)
SYMBOLS = st.recursive(
    st.one_of(
        (st.integers(-LARGEST - 1, LARGEST) | st.sampled_from(EDGES)).map(clingo.Number),
        st.builds(clingo.Function, NAMES, st.just([]), st.booleans()),
        st.text(max_size=5).filter(lambda text: "\0" not in text).map(clingo.String),
        st.sampled_from([clingo.Infimum, clingo.Supremum, clingo.Function("", [])]),
    ),
    lambda inner: st.builds(
        clingo.Function,
        NAMES | st.just(""),
        st.lists(inner, min_size=1, max_size=4),
        st.booleans(),
    ),
    max_leaves=12,
)


def by_parts(symbol: clingo.Symbol) -> Term:
    """The term of a symbol, found by asking for each of its parts."""
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is not SymbolType.Function:
        return str(symbol)
    sign = "" if symbol.positive else "-"
    if not symbol.arguments and symbol.name:
        return sign + symbol.name
    return (sign + symbol.name, *map(by_parts, symbol.arguments))


@given(SYMBOLS)
def test_every_symbol_is_read_and_written_as_it_was(symbol: clingo.Symbol) -> None:
    term = from_symbol(symbol)
    assert term == by_parts(symbol)
    assert to_symbol(term) == symbol
    assert render(term) == str(symbol)
    if "\r" in str(
        symbol
    ):  # clingo writes it into a quoted text, and leaves it out as it reads one
        with pytest.raises(InputError):
            parse(str(symbol))
    else:
        assert clingo.parse_term(str(symbol)) == symbol
        assert parse(str(symbol)) == term


@settings(max_examples=30)
@given(st.lists(SYMBOLS.filter(lambda symbol: "\r" not in str(symbol)), unique=True))
def test_every_symbol_comes_back_from_a_program(symbols: list[clingo.Symbol]) -> None:
    program = Program((), [("holds", from_symbol(symbol)) for symbol in symbols])
    assert {atom[1] for atom, _ in program.atoms("holds", 1)} == {*map(from_symbol, symbols)}


def test_atoms_with_a_sign_have_a_predicate_of_their_own() -> None:
    program = Program((), rules="p(1). -p(2). -q.")
    assert {*program.signatures()} == {("p", 1), ("-p", 1), ("-q", 0)}
    assert [atom for atom, _ in program.atoms("p", 1)] == [("p", 1)]
    assert [atom for atom, _ in program.atoms("-p", 1)] == [("-p", 2)]
    model = program.solve([("-q", True)])
    assert model is not None
    assert model.atoms == {("p", 1), ("-p", 2), "-q"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"p({LARGEST + 1})", 3),
        (f"p(1,-{LARGEST + 2})", 6),
        ("0xffffffff", 1),
        ("9" * 5000, 1),
        ("é", 1),
        ('f("a)', 3),
        ("f(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1), 2 * DEEPEST + 2),
        ("1" + "+1" * (DEEPEST + 1), 2 * DEEPEST + 2),
        ("-" * 200_000 + "1", DEEPEST + 1),
        ("|" * 200_000, DEEPEST + 1),
        ("%*" * 400_000, 1),
        ('"' + '\\"' * 400_000, 1),
    ],
)
def test_a_term_that_clingo_cannot_hold_is_refused_with_its_place(text: str, place: int) -> None:
    with pytest.raises(InputError, match=rf"^'.*': character {place}: "):
        parse(text)


@pytest.mark.parametrize(
    "text", ["", "X", "1..2", "a;b", "a\0b", '"a\rb"', "#true", "@f(1)", "f(1"]
)
def test_a_text_that_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not an atom such as"):
        parse(text)


def test_another_process_is_told_what_was_asked_for_and_every_rule(tmp_path: Path) -> None:
    file = tmp_path / "program.lp"
    file.write_text(
        'b(X, f("a,b", -X)) :- a(X). c(X) :- b(X, _), not a(X+1). many :- #sum{X : a(X)} > 3. d.'
    )
    program = GroundProgram.of([file], [("a", x) for x in range(1, 4)], {})
    asked = {name: dict(program.atoms(name, arity)) for name, arity in (("a", 1), ("b", 2))}
    assert ("b", 2, ("f", '"a,b"', -2)) in asked["b"]
    assert any(isinstance(body, Sum) for bodies in program.rules.values() for body in bodies)
    told = pickle.loads(pickle.dumps(program))
    assert told.rules == program.rules
    assert {name: dict(told.atoms(name, len(next(iter(asked[name]))) - 1)) for name in asked} == (
        asked
    )
    assert told.number("many") == program.number("many") > 0
    assert told.number("none") == 0
    with pytest.raises(LookupError, match="c/1"):
        told.atoms("c", 1)
    program.ask_all()
    assert dict(pickle.loads(pickle.dumps(program)).atoms("c", 1)) == dict(program.atoms("c", 1))
