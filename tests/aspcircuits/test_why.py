"""Reasons against a checker of their own, on random programs, and as a student reads them."""

import json
import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import aspcircuits
from aspcircuits.clingo_api import Program, Term, parse, render

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


def check_absence(
    program: str, model: frozenset[str], told: dict[str, Any]
) -> None:
    """Accept the conditions that fail, or fail."""
    atom, lines = told["atom"], program.split("\n")
    assert atom not in model
    for lack in told["lacks"]:
        rule = lack["place"]["rule"]
        assert lines[lack["place"]["line"] - 1] == rule
        assert lack["literal_written"] in rule
        if lack["literal"]:
            assert lack["literal"] == filled(lack["literal_written"], lack["values"])
            assert not can_hold(model, f"holds :- {lack['literal']}.", "holds"), lack
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
                atom("X"),
                atom("X"),
                atom("X+1"),
                f"f(X,{rng.choice('YY1')})",
                f"not {atom('X')}",
                f"not {atom('X')}",
                f"not f(X,_)",
                f"X {rng.choice(['<', '!=', '>=', '='])} {rng.randint(1, 4)}",
                f"#count{{Z : {atom('Z')}, Z != X}} {rng.choice(['>=', '<=', '='])} {bound}",
                f"{bound} <= #sum{{Z,W : f(Z,W), {atom('Z')}; 1,W : {atom('W')}}}",
                f"#max{{Z : {atom('Z')}}} > X",
                f"{rng.randint(0, 1)} {{{atom('Z')}; f(X,Z)}} {rng.randint(1, 4)}",
                f"{atom('Z')} : f(X,Z)",
            ]
        )

    def body() -> str:
        found = [f"n(X)", *(literal() for _ in range(rng.randint(1, 3)))]
        if rng.random() < 0.5:
            found[0] = atom("X")
        return "; ".join(found)

    lines = ["n(1..4).", f"f({rng.randint(1, 4)},{rng.randint(1, 4)})."]
    for _ in range(rng.randint(1, 4)):
        lines.append(f"{atom(str(rng.randint(1, 4)))}.")
    for _ in range(rng.randint(3, 7)):
        kind = rng.random()
        if kind < 0.65:
            head = rng.choice([atom("X"), atom("X"), atom("X+1"), f"f(X,X-1)", "f(X,1..2)"])
        elif kind < 0.75:
            head = f"{rng.choice(['', '1 '])}{{{atom('X')}; {atom('Z')} : f(X,Z)}}"
            head += rng.choice(["", " 2"])
        elif kind < 0.85:
            head = f"{atom('X')} | {atom('X')}"
        else:
            head = ""
        end = "; n(X)" if re.search(r"X[+-]1", head) else ""  # numbers must not grow without end
        lines.append(f"{head} :- {body()}{end}.")
    return "\n".join(lines)


def whole_model(program: str) -> frozenset[str] | None:
    found = Program(
        (), rules=program, options=("--warn=none", "--opt-mode=ignore")
    ).solve(shown=False)
    return None if found is None else frozenset(map(render, found.atoms))


def check_program(program: str, rng: random.Random) -> str:
    """Ask why of a program's atoms, those that hold and others; or why there is no answer set."""
    model = whole_model(program)
    if model is None:
        check_conflict(program, json.loads(json.dumps(aspcircuits.why(program).to_json())))
        return "no answer set"
    rendered = sorted(model)
    for atom in rng.sample(rendered, min(3, len(rendered))):
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
