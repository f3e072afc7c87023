"""The command line, run inside the test's own process."""

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from advisor.cli import main
from commands import environment


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    code: int | str | None
    out: str
    err: str


def advisor(*arguments: object, stdin: bytes = b"") -> Done:
    """Runs ``advisor`` with these arguments."""
    out, err = io.StringIO(), io.StringIO()
    argv = ["advisor", *map(str, arguments)]
    with (
        patch.dict(os.environ, environment(), clear=True),
        patch.object(sys, "argv", argv),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            return Done(ended.code, out.getvalue(), err.getvalue())
    raise AssertionError("main() returns by sys.exit()")
