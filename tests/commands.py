"""The command line as its users meet it: another process, its two outputs and its exit code."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ENTRY = [
    sys.executable,
    "-c",
    # Whoever runs the tests may ignore or block Ctrl-C, and children inherit that.
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT}); "
    "from advisor.cli import main; main()",
]
"""`advisor`, to which Ctrl-C can be sent."""


def environment() -> dict[str, str]:
    """The surroundings without what a terminal or another run may have left in them."""
    ours = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    paths = [str(ROOT), *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}


def run(*arguments: str, stdin: bytes = b"", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs `advisor` with these arguments, its outputs piped."""
    done = subprocess.run(
        [*ENTRY, *arguments],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(),
        check=False,
    )
    return subprocess.CompletedProcess(
        arguments, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


MEASURED = ("seconds", "nodes", "leaves", "machine_code", "slowed_by")
"""What differs from run to run: machine code, once there is some, counts in its own way."""


def without_measures(answer: dict[str, Any]) -> dict[str, Any]:
    """An object of JSON without what differs from run to run."""
    return {key: value for key, value in answer.items() if key not in MEASURED}
