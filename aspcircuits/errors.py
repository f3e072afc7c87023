"""Errors that a user can mend: one line with file, place, what was found and what is allowed.

Everything else is a bug. A command prints the line and exits with the error's code.
"""


class UserError(Exception):
    """Root of all errors that are shown to a user as one line.

    Attributes:
        exit_code: the exit code of a command that ends with it.
        code: names its kind for programs; it stays when the wording changes.
    """

    exit_code = 2
    code = "input"


class InputError(UserError):
    """A value that a user gave and that cannot be used, such as an atom or a file name."""


class EncodingError(UserError):
    """An answer set program that cannot be grounded, solved or compiled."""

    exit_code = 3
    code = "encoding"
