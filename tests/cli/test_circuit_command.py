"""`advisor circuit`: from rules to gates."""

import json
from pathlib import Path

from commands import run


def test_an_atom_is_followed_from_its_rules_to_its_gate() -> None:
    shown = run("circuit", "empty(2,3)")
    assert shown.returncode == 0
    rule, gate = shown.stdout.splitlines()
    assert rule == "empty(2,3) :- not cell(1,2,3), not cell(2,2,3)."
    assert gate.startswith("% a gate of level 1: ")


def test_the_levels_hold_all_gates_and_every_feature_has_its_cost() -> None:
    told = json.loads(run("circuit", "--json").stdout)
    assert sum(told["levels"]) == told["gates"]
    assert {"slope(N)", "threat(first,next,N)", "decided", "drawn"} <= told["cost"].keys()
    for cost in told["cost"].values():
        assert 0 <= cost["alone"] <= cost["gates"] <= told["gates"]


def test_an_atom_that_does_not_exist_is_one_line_and_code_2() -> None:
    for atom in ("threat(1,2,30)", "threat(1,", "Threat(1,2,3)"):
        shown = run("circuit", atom)
        assert shown.returncode == 2
        assert not shown.stdout
        assert len(shown.stderr.splitlines()) == 1
        assert atom in shown.stderr


def test_a_program_of_any_kind_has_a_circuit_too(tmp_path: Path) -> None:
    file = tmp_path / "votes.lp"
    file.write_text("#external yes(1..3).\npassed :- 2 { yes(X) }.\n#show passed/0.\n")
    shown = run("circuit", "passed", "--game", str(file))
    assert "% a gate of level 1: the MAJORITY of 3" in shown.stdout
    gone = run("circuit", "--game", str(tmp_path / "none.lp"))
    assert (gone.returncode, gone.stderr.count("\n")) == (2, 1)
