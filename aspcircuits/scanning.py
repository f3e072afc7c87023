"""Scan of a program, before clingo reads it, for text that would crash or mislead clingo.

clingo ends the process at a term nested too deep and at some characters, and it keeps only the last
32 bits of a larger number.
"""

import re
from collections.abc import Iterator
from itertools import islice

from aspcircuits.texts import quote_text

DEEPEST = 100
"""Greatest nesting of brackets and operators, in an encoding or a term.

The code that reads, sorts, hashes and sends terms recurses as deeply.
"""

LARGEST = 2**31 - 1
"""clingo's largest number; the smallest one is ``-LARGEST - 1``."""

_TOKEN = re.compile(
    r"""
    (?P<words> [^][(){},;.:<>=!"%*+/\\^?&~|#\x80-\U0010ffff-]*+ )
    (?:
        (?P<separator> :[-~] | [<>!]?= | [<>!,;:] | \.(?!\.) )
        | (?P<open> [(\[{] )
        | (?P<close> [)\]}] )
        | (?P<text> "(?:\\["\\n]|[^"\\\n])*+" )
        | (?P<comment> %(?!\*)[^\n]*+ )
        | (?P<operator> \*\* | \.\. | [-+*/\\^?&~|] )
        | (?P<block> %\* )
        | (?P<unclosed> " )
        | (?P<directive> \#(?:script|include|sum)?+ )
        | (?P<foreign> [^\x00-\x7f] )
        | (?P<end> \Z )
    )
    """,
    re.VERBOSE | re.ASCII,
)
"""The next token that matters here, and the words and numbers before it."""

_LONG_NUMBER = re.compile(
    r"(?<![\w'])(?:0x[0-9A-Fa-f]{8,}|0o[0-7]{11,}|0b[01]{32,}|[1-9]\d{9,})", re.ASCII
)
_BLOCK_MARK = re.compile(r"%\*|\*%")
_COMMENT = re.compile(r"%\*|%[^\n]*")


def find_fault(text: str) -> tuple[int, str] | None:
    """Return the first thing in a program or a term that clingo must not get.

    Returns:
        Its position and a description of the fault; None for a text without fault.
    """
    depth = innermost = 0
    around: list[tuple[int, int]] = []
    after_minus, has_long_numbers = False, _LONG_NUMBER.search(text) is not None
    for token in _tokens(text):
        kind = str(token.lastgroup)
        if has_long_numbers:
            if number := _too_large(token["words"], after_minus):
                told = f"{quote_text(number[0])} is out of range (use {-LARGEST - 1} to {LARGEST})"
                return token.start() + number.start(), told
            after_minus = token[kind] == "-"
        if kind == "separator":
            depth = innermost
        elif kind == "open":
            around.append((depth, innermost))
            depth = innermost = depth + 1
        elif kind == "close":
            depth, innermost = around.pop() if around else (0, 0)
        elif kind == "operator":
            depth += 1
        elif kind in _FAULTS:
            return token.start(kind), _FAULTS[kind].format(quote_text(token[kind]))
        if depth > DEEPEST:
            told = f"brackets or operators are nested more than {DEEPEST} deep"
            return token.start(kind), told
    return None


_FAULTS = {
    "foreign": "{} is in no comment and no quoted text (use ASCII)",
    "unclosed": r"this quoted text does not end on its line (its escapes are \", \\ and \n)",
    "block": "this comment is never closed (close it with *%)",
}


def find_lines(text: str, directive: str) -> Iterator[int]:
    """Yield the lines of a program with ``#include`` or ``#sum`` outside comments."""
    for token in _tokens(text):
        if token["directive"] == directive:
            yield line_at(text, token.start("directive"))


def line_at(text: str, position: int) -> int:
    """Return the number of the line, from 1 on, that contains a position."""
    return text.count("\n", 0, position) + 1


def open_statement(text: str) -> tuple[int, int, int] | None:
    """Find the unfinished statement at the end of a text, if there is one.

    Returns:
        Where it begins, where it stops apart from space and comments, and its open brackets.
    """
    start, stop, depth = -1, 0, 0
    for token in _tokens(text):
        kind, words = str(token.lastgroup), token["words"]
        if words.strip():
            stop = token.start() + len(words.rstrip())
            start = token.end("words") - len(words.lstrip()) if start < 0 else start
        if kind in ("comment", "end"):
            continue
        if token[kind] == ".":
            start, depth = -1, 0
            continue
        start, stop = token.start(kind) if start < 0 else start, token.end()
        depth += {"open": 1, "close": -1}.get(kind, 0)
    return None if start < 0 else (start, stop, depth)


def has_more_signs(text: str, most: int) -> bool:
    """Return whether a program has more than `most` signs, or more than `most` comments.

    Signs are brackets, separators, operators and texts.
    """
    return text.count("%") > most or any(True for _ in islice(_tokens(text), most, None))


def blank_comments(text: str) -> str:
    """Replace comments by the line ends in them, so that lines keep their numbers.

    An unclosed comment stays. Quoted texts are not recognised here.
    """
    parts, start = [], 0
    while found := _COMMENT.search(text, start):
        end = found.end() if found[0] != "%*" else _block_end(text, found.end())
        if end < 0:
            break
        parts += [text[start : found.start()], "\n" * text.count("\n", found.start(), end)]
        start = end
    return "".join([*parts, text[start:]])


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the tokens of a program, in order; a comment in ``%* *%`` only if it is not closed."""
    start = 0
    while start >= 0:
        for token in _TOKEN.finditer(text, start):
            if token.lastgroup == "block":
                start = _block_end(text, token.end())
            elif token["directive"] == "#script":
                start = text.find("#end", token.end())
            else:
                yield token
                if token.lastgroup != "unclosed":
                    continue
                return
            if start < 0:
                yield token
            break
        else:
            return


def _block_end(text: str, start: int) -> int:
    """Return the end of a comment in ``%* *%`` from the start of its inside; -1 if unclosed.

    Such comments may be nested.
    """
    depth = 1
    for mark in _BLOCK_MARK.finditer(text, start):
        depth += 1 if mark[0] == "%*" else -1
        if not depth:
            return mark.end()
    return -1


def _too_large(words: str, after_minus: bool) -> re.Match[str] | None:
    """Return the first number that clingo would not keep as it is written."""
    for number in _LONG_NUMBER.finditer(words):
        signed = after_minus and not words[: number.start()].strip()
        # Python refuses to read numbers of thousands of digits.
        if len(number[0]) > 2 + LARGEST.bit_length() or int(number[0], 0) > LARGEST + signed:
            return number
    return None
