"""The scripts of the page: what is computed without a browser, their types, a linter."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "node_modules" / ".bin"
TESTS = sorted((Path(__file__).parent / "scripts").glob("*.test.js"))

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None, reason="no node here: the page's scripts are not checked"
)


def check(*command: str | Path) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name.split(".")[0])
def test_modules_do_without_a_browser_what_they_should(file: Path) -> None:
    check("node", "--test", file)


LINTER = ("eslint", "advisor", "tests/web/scripts")


@pytest.mark.parametrize(
    "tool",
    [("tsc", "--project", "tsconfig.json"), pytest.param(LINTER, marks=pytest.mark.slow)],
    ids=lambda tool: tool[0],
)
def test_scripts_have_no_findings(tool: tuple[str, ...]) -> None:
    name, *arguments = tool
    if not (TOOLS / name).exists():
        pytest.skip(f"no {name} here: make lint-scripts installs it")
    check(TOOLS / name, *arguments)
