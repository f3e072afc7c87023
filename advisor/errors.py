"""Errors that a user can fix. Any other exception is a bug.

Each error is one line that names the file, the place in it, what was found and what is allowed.
The command line prints it and exits with the error's code.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from aspcircuits.errors import EncodingError, InputError
from aspcircuits.errors import UserError as AdvisorError

__all__ = ["AdvisorError", "EncodingError", "InputError"]


class ConfigError(AdvisorError):
    """Weights or settings that cannot be used.

    >>> advisor.load_weights("nobody")
    Traceback (most recent call last):
    advisor.errors.ConfigError: 'nobody' is neither a weights file nor a preset (presets: alex, ...
    """

    code = "settings"


class InterruptedWorkError(AdvisorError):
    """Ctrl-C ended the work; results finished before it have been shown."""

    exit_code = 130
    code = "interrupted"


class FaultError(AdvisorError):
    """Two parts of the advisor disagree: a bug, which its user can only report.

    >>> raise advisor.FaultError("two answers differ")
    Traceback (most recent call last):
    advisor.errors.FaultError: two answers differ (a fault of the advisor; please report it)
    """

    exit_code = 70
    code = "fault"

    def __init__(self, text: str) -> None:
        super().__init__(f"{text} (a fault of the advisor; please report it)")


class BatchError(AdvisorError):
    """A batch run whose workers cannot be reached or die, or whose results cannot be kept.

    >>> next(advisor.analyse(["44"], sharing=advisor.Sharing(resume=pathlib.Path("no/such/file"))))
    Traceback (most recent call last):
    advisor.errors.BatchError: no/such/file: No such file or directory
    """

    code = "batch"


@contextmanager
def at(place: str) -> Iterator[None]:
    """Puts the place in front of an `InputError` from within."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
