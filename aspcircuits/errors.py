"""Errors that a user can fix: one line with file, place, what was found and what is allowed.

Any other exception is a bug. A command prints the line and exits with the error's code.
"""


class UserError(Exception):
    """Base class of all errors that are shown to a user as one line.

    >>> try:
    ...     aspcircuits.compile("a :- b", ["b"], ["a/0"])
    ... except aspcircuits.UserError as error:
    ...     print(error.code, error.exit_code)
    encoding 3

    Attributes:
        exit_code: the exit code of a command that ends with it.
        code: identifies the kind of error for programs; it stays when the wording changes.
    """

    exit_code = 2
    code = "input"


class InputError(UserError):
    """A value from the user that cannot be used, such as an atom or a file name.

    >>> aspcircuits.compile("a :- b.", ["b("], ["a/0"])
    Traceback (most recent call last):
    aspcircuits.errors.InputError: input 'b(' is not an atom such as edge(1,2) or edge(1..3,1)
    """


class EncodingError(UserError):
    """An answer set program that cannot be grounded, solved or compiled.

    >>> aspcircuits.compile("{a}. b :- a.", [], ["b/0"])
    Traceback (most recent call last):
    aspcircuits.errors.EncodingError: program.lp:1: 'a' is a choice; only the inputs are open
    """

    exit_code = 3
    code = "encoding"
