"""Progress bars: on a terminal, but never in what a notebook keeps."""

import sys

import pytest

from commands import ROOT, environment

BAR = """
from advisor.cli import screen
with screen.progress() as bar:
    bar.advance(bar.add_task("games", total=2))
    bar.refresh()
print("end")
"""


@pytest.mark.parametrize(("kernel", "shown"), [({}, True), ({"JPY_PARENT_PID": "1"}, False)])
def test_a_bar_is_drawn_on_a_terminal_but_not_in_a_notebook(
    kernel: dict[str, str], shown: bool
) -> None:
    pexpect = pytest.importorskip("pexpect")
    surroundings = {**environment(), "TERM": "xterm", "COLUMNS": "80"}
    surroundings.pop("JPY_PARENT_PID", None)
    child = pexpect.spawn(
        sys.executable, ["-c", BAR], cwd=ROOT, env={**surroundings, **kernel}, encoding="utf-8",
        timeout=300,
    )  # fmt: skip
    child.expect(pexpect.EOF)
    assert ("games" in child.before) is shown
    assert "end" in child.before
    child.close()
