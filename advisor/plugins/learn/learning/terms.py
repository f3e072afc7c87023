"""Texts of rules as tokens: arguments, brackets, line breaks."""

import re
from collections.abc import Sequence

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*\'*|%[^\n]*|\d+|\s+|.')
_WIDTH = 100


def split_arguments(text: str) -> list[str]:
    """Split the text between two brackets at its commas.

    >>> split_arguments("P, (X, Y), go(X, Y)")
    ['P', '(X, Y)', 'go(X, Y)']
    """
    found, depth = [""], 0
    for token in TOKEN.findall(text):
        depth += (token in "([{") - (token in ")]}")
        if token == "," and not depth:
            found.append("")
        else:
            found[-1] += token
    return [part.strip() for part in found]


def closing_bracket(tokens: Sequence[str], start: int) -> int:
    """Return the index of the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i] == "(") - (tokens[i] == ")")
        if not depth:
            return i
    raise ValueError("".join(tokens))


def join_variables(variables: Sequence[str], in_brackets: bool) -> str:
    """Write variables as one term in brackets, or as arguments."""
    text = ", ".join(variables)
    return f"({text})" if in_brackets and len(variables) > 1 else text


def simplify_rules(text: str) -> str:
    """Evaluate sums of numbers, and break long lines."""
    text = re.sub(r"\b(\w+) \+ 1 - 1\b", r"\1", text)
    text = re.sub(r"\b(\d+) \+ (\d+)\b", lambda m: str(int(m[1]) + int(m[2])), text)
    text = re.sub(r"\b(\d+) - (\d+)\b", lambda m: str(int(m[1]) - int(m[2])), text)
    lines: list[str] = []
    for line in text.splitlines():
        while len(line) > _WIDTH and (cut := _cut(line)):
            lines.append(line[:cut].rstrip())
            line = "    " + line[cut:].lstrip()
        lines.append(line)
    return "\n".join(lines)


def _cut(line: str) -> int:
    """Return where to break a long line: after the last comma that fits, outside brackets."""
    depth, at, cuts = 0, 0, [0, 0]
    for token in TOKEN.findall(line):
        at += len(token)
        depth += (token in "([{") - (token in ")]}")
        if at < _WIDTH and depth < len(cuts) and (token == "," or line[at - 2 : at] == ":-"):
            cuts[depth] = at
    return cuts[0] or cuts[1]
