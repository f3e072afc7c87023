"""The page's server writes a game as one file: over HTTP, and by a button on the page."""

from pathlib import Path
from typing import Any

import httpx
import pytest

import advisor
from asking import ask, refusal
from browser import Server, expect, needs_browser, status, visit

pytestmark = pytest.mark.slow


def test_the_file_is_the_one_that_the_command_writes(server: Server, tmp_path: Path) -> None:
    client = httpx.Client(base_url=server.address, timeout=180)
    file = tmp_path / "game.html"
    for game, constants in (("tictactoe", {}), ("hex", {"size": 4}), ("connect4", {"width": 6})):
        advisor.export(game, file, constants=constants)
        sizes = constants if game == "connect4" else {"constants": constants}
        assert ask(client, "export/game", game=game, **sizes) == {"html": file.read_text("utf-8")}


def test_what_cannot_be_written_is_refused_in_one_line(server: Server) -> None:
    client = httpx.Client(base_url=server.address, timeout=180)
    assert refusal(client, "export/game", game="nothing").startswith("game: no game 'nothing'")
    told = refusal(client, "export/game", game="hex", constants={"sise": 4})
    assert "sise" in told
    assert "\n" not in told


def test_changed_weights_are_those_of_the_file(server: Server) -> None:
    client = httpx.Client(base_url=server.address, timeout=180)
    changed = "extends: default\nmoves: {center: {0: 900}}\n"
    found = ask(client, "export/game", weights=changed, width=4, height=4)
    assert found != ask(client, "export/game", width=4, height=4)


@needs_browser
def test_a_button_saves_the_game_as_one_file(page: Any, server: Server, tmp_path: Path) -> None:
    visit(page, server, "game=tictactoe&moves=b2")
    page.locator("#share-card summary").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the game as one file").click()
    assert saved.value.suggested_filename == "tictactoe.html"
    saved.value.save_as(tmp_path / "tictactoe.html")
    expect(page.locator("#share-card")).to_contain_text("Written.")
    page.goto((tmp_path / "tictactoe.html").as_uri())
    expect(status(page)).to_have_text("X to move.")
    page.locator("#share-card summary").click()
    expect(page.locator("#copy-link")).to_be_visible()
    expect(page.locator("#export-game")).to_be_hidden()
