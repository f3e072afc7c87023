"""Names of students, which are names of folders and cells of tables, too."""

import re
import unicodedata

from advisor.errors import InputError

_NAME = re.compile(r"[^\W_][\w -]{0,28}[^\W_]|[^\W_]")


def clean_name(text: str) -> str:
    """Return a name without needless blanks.

    >>> clean_name(" Anna   B")
    'Anna B'

    Raises:
        InputError: it has other signs than names have, or too many.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not _NAME.fullmatch(name):
        raise InputError("name: use 1 to 30 letters, digits, blanks and hyphens")
    return name
