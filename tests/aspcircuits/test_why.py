"""Reasons against a checker of their own, on random programs, and as a student reads them."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import aspcircuits
from aspcircuits.clingo_api import Program, render

REACH = "reach(1).\nreach(Y) :- reach(X), edge(X,Y)."
EDGES = ["edge(1,2)", "edge(2,3)"]


# The checker. It knows nothing of the package but clingo's own answers.


def filled(text: str, values: dict[str, str]) -> str:
    """A rule's text with values for its variables."""
    for name, value in values.items():
        text = re.sub(rf"\b{name}\b", value, text)
    return text


def can_hold(facts: Iterable[str], rule: str, atom: str) -> bool:
    """Whether some answer set of the facts and the rule has the atom."""
    text = "".join(f"{fact}." for fact in facts) + rule
    return Program((), rules=f"{text} :- not {atom}.", options=("--warn=none",)).solve() is not None


def check_derivation(
    program: str, given: Sequence[str], model: frozenset[str], told: dict[str, Any]
) -> None:
    """Accept the steps of an atom that holds, or fail.

    Each step is an instance of a rule of the program that derives its atom: from the atoms that it
    names alone, and with all others of the answer set beside them. These atoms have their own
    steps, further down, so nothing rests on itself.
    """
    lines, steps = program.split("\n"), told["steps"]
    place = {step["atom"]: number for number, step in enumerate(steps)}
    assert place[told["atom"]] == 0
    assert len(place) == len(steps)
    for number, step in enumerate(steps):
        assert step["atom"] in model
        if step["place"] is None:
            assert step["atom"] in given
            assert not step["because"]
            continue
        rule = step["place"]["rule"]
        assert lines[step["place"]["line"] - 1] == rule
        assert all(place[other] > number for other in step["because"])
        instance = filled(rule, step["values"])
        if "{" in instance.partition(":-")[0]:  # the bounds count other atoms as well
            head, _, body = instance.partition(":-")
            chosen = re.sub(r"^.*?\{|\}[^}]*$", "", head.rstrip(". "))
            instance = f"{{{chosen}}}{' :- ' + body if body else '.'}"
        assert can_hold(step["because"], instance, step["atom"]), step
        assert can_hold(model - {step["atom"]}, instance, step["atom"]), step


def check_absence(program: str, model: frozenset[str], told: dict[str, Any]) -> None:
    """Accept the conditions that fail, or fail."""
    atom, lines = told["atom"], program.split("\n")
    assert atom not in model
    waiting = [*told["lacks"]]
    for lack in waiting:
        waiting += lack["lacks"]
        rule = lack["place"]["rule"]
        assert lines[lack["place"]["line"] - 1] == rule
        assert lack["literal_written"] in rule
        if lack["literal"]:
            for literal in (lack["literal"], filled(lack["literal_written"], lack["values"])):
                assert not can_hold(model, f"holds :- {literal}.", "holds"), lack
        else:
            assert "{" in rule or "|" in rule
    for number, line in enumerate(lines, 1):
        head = line.partition(":-")[0].strip().rstrip(".")
        if head and not re.search(r"[{|]", head):
            matches = can_hold((), f"goal({atom}). holds :- goal({head}).", "holds")
            assert matches <= any(lack["place"]["line"] == number for lack in told["lacks"]), line
    assert told["lacks"] or told["hints"]


def left_open(rule: str) -> str:
    """A rule whose heads may hold or not."""
    head, neck, body = rule.rstrip().removesuffix(".").partition(":-")
    if not head.strip():
        return ""
    if "|" in head:
        return rule
    chosen = re.sub(r"^.*?\{|\}[^}]*$", "", head) if "{" in head else head
    return f"{{{chosen}}}{neck}{body}."


def check_conflict(program: str, told: dict[str, Any]) -> None:
    """Accept rules that cannot hold together and can without any one of them, or fail."""
    lines = program.split("\n")
    conflict = [(entry["line"], entry["rule"]) for entry in told["conflict"]]

    def can_be(kept: Sequence[tuple[int, str]]) -> bool:
        numbers = {line for line, rule in kept if lines[line - 1] == rule}
        rules = [
            line if number in numbers else left_open(line) for number, line in enumerate(lines, 1)
        ]
        text = "\n".join([*rules, *(rule for _, rule in kept)])
        return Program((), rules=text, options=("--warn=none",)).solve() is not None

    assert conflict
    assert not can_be(conflict)
    for one in conflict:
        assert can_be([other for other in conflict if other != one]), (one, conflict)


# Random programs, one statement on a line.


def random_program(seed: int) -> str:
    """Facts, recursion, negation in circles, choices, disjunctions, counts and constraints."""
    rng = random.Random(seed)
    names = ["a", "b", "c", "d", "-e"]

    def atom(variable: str) -> str:
        return f"{rng.choice(names)}({variable})"

    def literal() -> str:
        bound = rng.randint(0, 3)
        return rng.choice(
            [
                *[atom("X")] * 4,
                atom("X+1"),
                atom("X-1"),
                f"f(X,Z), {atom('Z')}",
                f"f(X,{rng.choice('YY1')})",
                f"not {atom('X')}",
                f"not {atom('X')}",
                "not f(X,_)",
                f"X {rng.choice(['<', '!=', '>=', '='])} {rng.randint(1, 4)}",
                f"#count{{Z : {atom('Z')}, Z != X}} {rng.choice(['>=', '<=', '='])} {bound}",
                f"{bound} <= #sum{{Z,W : f(Z,W), {atom('Z')}; 1,W : {atom('W')}}}",
                f"#max{{Z : {atom('Z')}}} > X",
                f"#count{{Z : f(Z,_)}} >= {bound}",
                f"{rng.randint(0, 1)} {{{atom('Z')}; f(X,Z)}} {rng.randint(1, 4)}",
                f"{atom('Z')} : f(X,Z)",
            ]
        )

    def body() -> str:
        found = ["n(X)", *(literal() for _ in range(rng.randint(1, 2)))]
        if rng.random() < 0.7:
            found[0] = atom("X")
        return "; ".join(found)

    lines = ["n(1..4).", f"f({rng.randint(1, 4)},{rng.randint(1, 4)})."]
    for _ in range(rng.randint(1, 4)):
        lines.append(f"{atom(str(rng.randint(1, 4)))}.")
    for _ in range(3):  # chains and circles
        step = rng.choice(["X", "X+1", "X-1"])
        lines.append(f"{atom(step)} :- {atom('X')}; n(X).")
    for _ in range(rng.randint(3, 8)):
        kind = rng.random()
        if kind < 0.7:
            head = rng.choice([atom("X"), atom("X"), atom("X+1"), "f(X,X-1)", "f(X,1..2)"])
        elif kind < 0.8:
            head = f"{rng.choice(['', '1 '])}{{{atom('X')}; {atom('Z')} : f(X,Z)}}"
            head += rng.choice(["", " 2"])
        elif kind < 0.9:
            head = f"{atom('X')} | {atom('X')}"
        else:
            head = ""
        end = "; n(X)" if re.search(r"X[+-]1", head) else ""  # numbers must not grow without end
        lines.append(f"{head} :- {body()}{end}.")
    return "\n".join(lines)


def whole_model(program: str) -> frozenset[str] | None:
    found = Program((), rules=program, options=("--warn=none", "--opt-mode=ignore")).solve(
        shown=False
    )
    return None if found is None else frozenset(map(render, found.atoms))


def check_program(program: str, rng: random.Random) -> str:
    """Ask why atoms of a program hold or do not; or why there is no answer set."""
    model = whole_model(program)
    if model is None:
        check_conflict(program, json.loads(json.dumps(aspcircuits.why(program).to_json())))
        return "no answer set"
    rendered, lines = sorted(model), program.split("\n")
    derived = [atom for atom in rendered if f"{atom}." not in lines and atom[0] != "n"]
    for atom in rng.sample(derived, min(4, len(derived))):
        found = aspcircuits.why(program, atom, model=rendered)
        check_derivation(program, [], model, json.loads(json.dumps(found.to_json())))
    pool = [f"{p}({x})" for p in ("a", "b", "c", "d", "-e", "n", "g") for x in range(7)]
    others = [atom for atom in [*pool, "f(1,3)", "f(2,1)", "f(3,3)"] if atom not in model]
    for atom in rng.sample(others, 3):
        found = aspcircuits.why(program, atom, model=rendered)
        check_absence(program, model, json.loads(json.dumps(found.to_json())))
    return "answer set"


@pytest.mark.parametrize(
    "seeds", [range(4), pytest.param(range(4, 300), marks=pytest.mark.slow)], ids=["few", "300"]
)
def test_reasons_of_random_programs_pass_the_checker(seeds: range) -> None:
    for seed in seeds:
        print("seed", seed)
        check_program(random_program(seed), random.Random(seed))


# Answers as a student reads them.

GRAPH = "edge(1,2). edge(2,3).\nreach(1).\n"
BEGINNERS = {
    "a predicate misspelt": (
        GRAPH + "reach(Y) :- raech(X), edge(X,Y).",
        "reach(2)",
        "lacks raech(X): no rule or fact derives raech/1 (did you mean reach/1?)",
    ),
    "a variable in lower case": (
        GRAPH + "reach(Y) :- reach(x), edge(x,Y).",
        "reach(2)",
        "lacks reach(x): no atom that holds has 'x'; 'x' is a name, not a variable: variables "
        "begin with a capital",
    ),
    "a variable of the head in lower case": (
        GRAPH + "reach(y) :- reach(Y), edge(Y,_).",
        "reach(2)",
        "'y' is a name, not a variable: variables begin with a capital.",
    ),
    "arguments in the wrong order": (
        GRAPH + "reach(Y) :- reach(X), edge(Y,X).",
        "reach(2)",
        "lacks edge(2,1): does not hold (edge(1,2) does: is the order of the arguments right?)",
    ),
    "a not on the wrong atom": (
        "bird(tweety). bird(pingu). penguin(pingu).\nflies(X) :- penguin(X), not bird(X).",
        "flies(pingu)",
        "lacks not bird(pingu): bird(pingu) holds",
    ),
    "one too few at the edge": (
        "cell(1..7).\nnext(X,X+1) :- cell(X), X < 6.",
        "next(6,7)",
        "lacks 6 < 6: this is false",
    ),
    "one too many at the edge": (
        "cell(1..7).\nnext(X,X+1) :- cell(X), cell(X+1).",
        "next(7,8)",
        "lacks cell(8): does not hold (nearest: cell(7))",
    ),
    "a rule that needs two": (
        "vote(ann,x). vote(bob,y).\nelected(P) :- vote(_,P), #count{V : vote(V,P)} >= 2.",
        "elected(x)",
        "lacks #count{V : vote(V,x)} >= 2: the count is 1 (ann)",
    ),
    "a fact that is missing": (
        "parent(ann,bob). parent(bob,cid). person(ann).\n"
        "grandchild(Z) :- parent(X,Y), parent(Y,Z), person(Z).",
        "grandchild(cid)",
        "lacks person(cid): does not hold (nearest: person(ann))",
    ),
    "a wrong number of arguments": (
        "edge(1,2,5).\nreach(1).\nreach(Y) :- reach(X), edge(X,Y).",
        "reach(2)",
        "lacks edge(X,2): no rule or fact derives edge/2 (edge has another number of arguments: "
        "edge/3)",
    ),
    "a constant that is never set": (
        "row(1..size).\nfree(X) :- row(X).",
        "free(2)",
        "lacks row(2): no atom of row/1 holds ('size' is a name without a value: is '#const size "
        "= ...' missing?)",
    ),
    "a condition that is never met": (
        "n(1..9).\nbetween(X) :- n(X), X > 5, X < 3.",
        "between(4)",
        "lacks 4 > 5: this is false",
    ),
}


@pytest.mark.parametrize("error", BEGINNERS)
def test_errors_of_beginners_are_named(error: str) -> None:
    program, atom, told = BEGINNERS[error]
    assert told in [line.strip() for line in str(aspcircuits.why(program, atom)).split("\n")]


def test_a_missing_condition_is_followed_down_without_circles() -> None:
    program = """n(1..3).
p(X) :- n(X), q(X).
q(X) :- p(X).
q(X) :- r(X,Y), n(Y).
r(X,f(Y)) :- n(X), n(Y), X + Y > 9."""
    told = aspcircuits.why(program, "p(2)").to_json()
    (top,) = told["lacks"]
    assert top["literal"] == "q(2)"
    circle, other = top["lacks"]
    assert (circle["literal"], circle["lacks"]) == ("p(2)", ())
    (deepest,) = other["lacks"]
    assert (other["literal"], deepest["literal"], deepest["more"]) == ("r(2,Y)", "2 + 1 > 9", 2)


def test_anything_may_stand_for_a_term_that_is_asked_for() -> None:
    program = "n(1..3).\nm(X*X,g(X)) :- n(X), X > 1.\nw(X) :- n(X), X > 4."
    found = aspcircuits.why(program, "m(_,g(_))")
    assert (found.answer, found.atom) == ("holds", "m(4,g(2))")
    assert aspcircuits.why(program, "m(9,_)").atom == "m(9,g(3))"
    (lack,) = aspcircuits.why(program, "m(5,_)").lacks
    assert lack.reason == "the head is another atom"
    assert aspcircuits.why(program, "m(_,h(_))").lacks[0].reason == "the head is another atom"
    (lack,) = aspcircuits.why(program, "w(_)").lacks
    assert lack.reason == "this is false"
    assert aspcircuits.why(program, 'n("_")').atom == 'n("_")'


def test_the_text_of_a_rule_is_that_of_the_file_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "rules.lp"
    for number in (5, 6):
        file.write_text(f"a.\nb :- a, {number} < 3.\n")
        (lack,) = aspcircuits.why(file, "b").lacks
        assert (lack.place.rule, lack.literal) == (f"b :- a, {number} < 3.", f"{number} < 3")


def test_a_tree_has_its_places_and_is_cut_where_it_is_long() -> None:
    chain = "n(0).\nn(X+1) :- n(X), X < 1500."
    found = aspcircuits.why(chain, "n(1500)")
    assert len(found.steps) == 1501
    assert found.text(3).split("\n")[-1] == "and 1499 more"
    assert len(found.text(None).split("\n")) == 1502
    assert json.loads(json.dumps(found.to_json()))["steps"][1500]["place"]["line"] == 1


def test_counts_and_recursion_show_what_was_enough() -> None:
    text = str(aspcircuits.why("q(1..9).\np :- #count{X : q(X)} >= 2.\nr :- p, r.\nr :- p.", "r"))
    assert "(2 of 9 are enough for #count{X : q(X)} >= 2)" in text
    assert "r, p" not in text


def test_steps_speak_in_the_sentences_of_the_program() -> None:
    words = 'sentence(reach(1), "we begin at 1").\nsentence(reach, "{1} can be reached").'
    text = str(aspcircuits.why(f"{REACH}\n{words}", "reach(3)", given=EDGES))
    assert [line.split("  program")[0].strip() for line in text.split("\n")][1:] == [
        "3 can be reached",
        "2 can be reached",
        "we begin at 1",
        "edge(1,2) is given",
        "edge(2,3) is given",
    ]


def test_the_answer_set_that_is_meant_is_used() -> None:
    program = "1{a(1..3)}1.\nb(X) :- a(X).\n#maximize{X : a(X)}."
    assert aspcircuits.why(program, "b(3)", model="best").answer == "holds"
    assert aspcircuits.why(program, "b(1)", model="best").answer == "does not hold"
    assert aspcircuits.why(program, "b(2)", model=["a(2)"]).answer == "holds"
    found = aspcircuits.why(program, "a(1)", model=["a(2)"])
    assert found.lacks[0].reason == "the rule may choose it, and this answer set does not"
    assert found.hints == ("Another answer set has it.",)
    assert aspcircuits.why("{a}. b :- a.", "b", model=[]).answer == "does not hold"


def test_no_answer_set_names_what_contradicts(tmp_path: Path) -> None:
    file = tmp_path / "pick.lp"
    file.write_text("n(1..3).\n1{q(X,Y) : n(Y)}1 :- n(X).\n:- q(2,_).\nother :- n(1).")
    found = aspcircuits.why(file, "other")
    assert found.answer == "no answer set"
    assert [(entry.rule, entry.line) for entry in found.conflict] == [
        ("n(2).", 1),
        ("1{q(X,Y) : n(Y)}1 :- n(X).", 2),
        (":- q(2,_).", 3),
    ]
    assert str(file) in str(found)
    assert aspcircuits.why("a.").answer == "answer set"
    lost = aspcircuits.why(":- not goal.\ngaol.")
    assert lost.hints == ("No rule derives goal/0 (did you mean gaol/0?).",)
    # without last(3) there would be no end of times
    ends = "t(0). t(X+1) :- t(X), not last(X). last(3). :- t(3)."
    assert aspcircuits.why(ends).answer == "no answer set"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"atom": "reach(X)"}, "atom: 'reach(X)' is not an atom"),
        ({"atom": "3"}, "atom: '3' is not an atom"),
        ({"atom": "a", "model": "first"}, "model 'first' is none"),
        ({"atom": "a", "model": ["b"]}, "model: no rule derives b"),
        ({"atom": "a", "constants": {"n": 1}}, "the program has no #const 'n'"),
        ({"atom": "a", "given": "edge(1,2)"}, "is one text"),
    ],
)
def test_mistakes_are_refused_in_one_line(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(aspcircuits.InputError, match=re.escape(told)) as error:
        aspcircuits.why(REACH, **arguments)
    assert "\n" not in str(error.value)


def test_programs_that_clingo_refuses_are_refused_with_their_place() -> None:
    with pytest.raises(aspcircuits.EncodingError, match=r"^program\.lp:2:.*error"):
        aspcircuits.why("a.\nb :- c(.", "a")


def test_of_equally_short_reasons_every_process_gives_the_same() -> None:
    program = "p(1..6). q(X) :- p(X). s :- q(X), q(Y), X != Y."
    ask = f"import aspcircuits; print(aspcircuits.why({program!r}, 's'))"
    told = {
        subprocess.run(
            [sys.executable, "-c", ask],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(1, 5)
    }
    assert len(told) == 1, told
