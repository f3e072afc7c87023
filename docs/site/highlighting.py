"""Colours for answer set programs; those for Prolog stumble over primed variables."""

from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text


class AspLexer(RegexLexer):
    """Answer set programs as clingo reads them."""

    name = "ASP"
    aliases: ClassVar = ["asp"]
    tokens: ClassVar = {
        "root": [
            (r"\s+", Text),
            (r"%\*[\s\S]*?\*%", Comment),
            (r"%.*", Comment),
            (r'"(\\.|[^"\\])*"', String),
            (r"#[a-z]+", Keyword),
            (r"not\b", Keyword),
            (r"\d+", Number),
            (r"_*[A-Z][\w']*|_(?!\w)", Name.Variable),
            (r"_*[a-z][\w']*(?=\()", Name.Function),
            (r"_*[a-z][\w']*", Name),
            (r":-|:~|\.\.|!=|<=|>=|[-+*/\\|&?~^=<>@]", Operator),
            (r".", Punctuation),
        ]
    }
