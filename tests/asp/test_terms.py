"""Terms as clingo writes them, and ground programs in another process."""

import pickle
from pathlib import Path

import clingo
import pytest
from clingo import SymbolType
from hypothesis import given
from hypothesis import strategies as st

from advisor.asp.clingo_api import GroundProgram, Sum, Term, from_symbol

NAMES = st.from_regex(r"_?[a-z][A-Za-z0-9_']{0,3}", fullmatch=True)
SYMBOLS = st.recursive(
    st.one_of(
        st.integers(-1000, 1000).map(clingo.Number),
        NAMES.map(clingo.Function),
        st.text(max_size=5).filter(lambda text: "\0" not in text).map(clingo.String),
        st.sampled_from([clingo.Infimum, clingo.Supremum]),
    ),
    lambda inner: st.builds(
        clingo.Function, NAMES | st.just(""), st.lists(inner, min_size=1, max_size=4)
    ),
    max_leaves=12,
)


def by_parts(symbol: clingo.Symbol) -> Term:
    """The term of a symbol, found by asking for each of its parts."""
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is not SymbolType.Function:
        return str(symbol)
    if not symbol.arguments and symbol.name:
        return symbol.name
    return (symbol.name, *map(by_parts, symbol.arguments))


@pytest.mark.slow
@given(SYMBOLS)
def test_a_text_is_read_as_the_term_that_it_was_written_for(symbol: clingo.Symbol) -> None:
    assert from_symbol(symbol) == by_parts(symbol)


def test_another_process_is_told_what_was_asked_for_and_every_rule(tmp_path: Path) -> None:
    file = tmp_path / "program.lp"
    file.write_text(
        'b(X, f("a,b", -X)) :- a(X). c(X) :- b(X, _), not a(X+1). many :- #sum{X : a(X)} > 3. d.'
    )
    program = GroundProgram([file], [("a", x) for x in range(1, 4)], {})
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
