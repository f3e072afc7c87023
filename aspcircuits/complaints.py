"""clingo's errors in plain words: a statement without its full stop, a variable without values."""

import re
from collections.abc import Sequence
from pathlib import Path

from aspcircuits.scanning import line_at, open_statement

_SYNTAX = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)-[\d:]+: error: syntax error, "
    r"unexpected (?P<found>EOF|<IDENTIFIER>|#\w+|:-|\{)"
)
"""clingo's error at a token that can only belong to the next statement."""

_UNSAFE = re.compile(r"(?P<place>\S[^\n]*?:\d+:\d+)-[\d:]+: note: '(?P<name>[^']+'*)' is unsafe")


def first_error(messages: Sequence[str], error: RuntimeError) -> str:
    """Return the error in one line; clingo reports file, line and column to its logger only."""
    for message in messages:
        if "error:" in message:
            told = _explain_unsafe(message) or _explain_unended(message)
            # [#inc_base] is clingo's own.
            return told or " ".join(message.replace("[#inc_base];", "").split())
    return " ".join(str(error).split())


def _explain_unsafe(message: str) -> str | None:
    """Return which variables of a rule get no values, and where the first one is."""
    found = [*_UNSAFE.finditer(message)]
    if not found:
        return None
    names = [*dict.fromkeys(re.sub(r"#Anon\d+", "_", each["name"]) for each in found)]
    verb, them = ("is", "it") if len(names) == 1 else ("are", "them")
    return (
        f"{found[0]['place']}: {' and '.join(names)} {verb} unsafe: "
        f"no atom without 'not' in the conditions gives {them} values (comparisons do not)"
    )


def _explain_unended(message: str) -> str | None:
    """Return where the statement begins whose end clingo has not found."""
    error = _SYNTAX.match(message)
    if not error or not Path(error["file"]).is_file():
        return None
    text = Path(error["file"]).read_text(errors="replace")
    lines = text.splitlines(keepends=True)
    number, column = int(error["line"]), int(error["column"])
    end = sum(map(len, lines[: number - 1])) + column - 1
    statement = open_statement(text[:end])
    if statement is None:
        return None
    start, stop, brackets = statement
    found = "the end of the file" if error["found"] == "EOF" else f"line {number}"
    if error["found"] != "EOF" and "\n" not in text[stop:end]:
        if error["found"] != ":-":
            return None
        found = f"the ':-' on line {number}"
    missing = "closing bracket" if brackets > 0 else "full stop"
    if missing == "full stop" and error["found"] == "<IDENTIFIER>" and column > 1:
        missing = "comma or full stop"
    return (
        f"{error['file']}:{line_at(text, start)}: "
        f"the statement that begins here has no {missing} before {found}"
    )
