"""Plans and proofs on the page, in a real browser, and over HTTP."""

import json
import re
from functools import cache
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

import advisor
import command
from advisor.games.connect4.board import geometry
from advisor.games.connect4.notation import parse_line
from advisor.plugins.proofs import answers
from advisor.plugins.proofs.plans.plan_text import PlannedMove, on_squares
from advisor.plugins.proofs.plans.solved import known_step, solution_of
from advisor.plugins.proofs.plans.trial import By
from asking import ask, refusal
from browser import (
    Server,
    column,
    expect,
    faults,
    looking,
    needs_browser,
    status,
    visit,
    wait_for_turn,
)

pytestmark = pytest.mark.slow


def test_a_proof_is_the_object_of_the_command_line(server: Server) -> None:
    client = httpx.Client(base_url=server.address, timeout=180)
    found = ask(client, "prove", width=6, height=4)
    printed = json.loads(command.advisor("prove", "--size", "6x4", "", "--json").out)
    assert {**found, "text": None} == {**printed, "text": None}
    assert found["text"][0] == "proved by the solution: o (yellow) wins"
    assert ask(client, "prove", board="4444", player="o", by="rules")["proved"] is None
    told = refusal(client, "prove", board="1212121")
    assert told == "board: the game is over: there is nothing left to prove"
    plan = ask(client, "prove", width=4, height=4, by="plan", time=20)
    assert plan["by"] == "plan"
    assert plan["plans"]


@pytest.mark.parametrize(("size", "by"), [((7, 6), None), ((6, 6), "rules"), ((4, 4), "plan")])
def test_all_that_a_proof_tells_is_described(size: tuple[int, int], by: str | None) -> None:
    """The server would not send anything else."""
    found = advisor.prove(advisor.position(size=size), by=by, seconds=20.0)
    assert found
    proof, text = advisor.describe_proof(found)
    TypeAdapter(answers.Proof).validate_python({**proof, "text": text}, extra="forbid")


def open_fold(page: Any, title: str) -> None:
    """Open a part of the card of reasons."""
    page.locator("summary", has_text=re.compile(f"^{title}$")).click()


@needs_browser
def test_a_proof_is_filled_in_with_its_sentences(page: Any, server: Server) -> None:
    visit(page, server, "size=5x4x4&moves=1&level=1")
    card = page.locator("#proof-card")
    expect(card.locator(".proved")).to_contain_text("Proved by Allis' rules: ")
    proof = advisor.prove(advisor.position("1", size=(5, 4)))
    assert proof
    # On the page discs need no letters.
    verdict, *told = (
        re.sub(r"\b[xo] \((\w+)\)", r"\1", line) for line in advisor.explain(proof) if line
    )
    verdict = verdict[0].upper() + verdict[1:]
    expect(card.locator(".proved")).to_have_text(f"{verdict}.")
    expect(card.locator(".how li").first).to_be_hidden()
    open_fold(page, "Proof")
    card.locator("summary").click()
    for sentence in told:
        expect(card).to_contain_text(sentence)
    # Kept while one steps to and fro; gone with exact play, and where nobody is to move.
    column(page, 1).click()
    with page.expect_request("**/api/prove"):
        expect(column(page, 1).locator("use:not([href='#disc-empty'])")).to_have_count(2)
    page.keyboard.press("u")
    expect(card.locator(".proved")).to_have_text(f"{verdict}.")
    page.keyboard.press("x")
    expect(card).to_be_hidden()


@cache
def leaf() -> str:
    """The moves to a position in which a plan of the solution begins, with a number to play."""
    solution = solution_of(geometry())
    assert solution
    steps = ((moves, known_step(parse_line(moves))) for moves in solution.starts)
    return next(moves for moves, step in steps if step and step.plan and step.by is By.NUMBER)


@needs_browser
def test_a_plan_is_shown_and_beats_who_tries(page: Any, server: Server) -> None:
    visit(page, server, f"moves={leaf()}&level=1&exact=off")
    position = parse_line(leaf())
    step = known_step(position)
    assert step
    assert step.plan
    expect(page.locator("#plan-card .sentences li")).to_have_text(
        PlannedMove(position, step).sentences()
    )
    for (row, place), number in on_squares(step.plan, position).items():
        cell = column(page, place).locator(".square").nth(6 - row)
        expect(cell.locator(".number")).to_have_text(str(number))
    expect(column(page, step.column).locator(".now")).to_have_count(1)
    expect(column(page, step.column)).to_have_attribute("aria-label", re.compile(r"number \d+"))
    open_fold(page, "Plan")
    page.get_by_label("Numbers on the board").uncheck()
    expect(page.locator(".planned")).to_have_count(0)
    page.get_by_label("Numbers on the board").check()
    assert faults(page, looking()) == []
    # A game against it, from here on: red follows the plan and wins.
    page.click("#challenge")
    moves = wait_for_turn(page, 1)
    assert moves == str(step.column)
    expect(page.locator("#plan-card")).to_be_visible()
    while position.play_all(map(int, moves)).result() is None:
        reached = position.play_all(map(int, moves))
        reply = max(reached.moves())
        after = reached.after(reply)
        column(page, reply).click()
        expected = known_step(after)
        assert expected
        moves = wait_for_turn(page, len(moves) + 2)
        assert moves.endswith(f"{reply}{expected.column}")
    expect(status(page)).to_contain_text("Red has won")
    # Whoever begins again begins where the plan does.
    page.click("#restart")
    assert wait_for_turn(page, 1) == str(step.column)


@needs_browser
def test_yellow_plays_by_a_plan_where_it_is_his(page: Any, server: Server) -> None:
    visit(page, server, "size=4x4x4&moves=2&level=1&exact=off")
    position = parse_line("2", geometry(4, 4))
    step = known_step(position)
    assert step
    expect(page.locator("#plan-card .sentences li")).to_have_text(
        PlannedMove(position, step).sentences()
    )
    open_fold(page, "Plan")
    page.click("#challenge")
    assert wait_for_turn(page, 1) == str(step.column)
    expect(page.get_by_label("Yellow follows the plan of the solution")).to_be_checked()
