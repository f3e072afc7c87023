"""Checks of a caller's arguments, before a wrong value would cause an error somewhere else."""

import os
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import TypeGuard

from aspcircuits.errors import InputError


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer, including NumPy's, but not a boolean."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def several(name: str, given: object) -> None:
    """Raise an `InputError` unless the value is a list rather than a single text."""
    if isinstance(given, str):
        raise InputError(f"{name}: '{given}' is one text (give a list, as ['{given}'])")
    if not isinstance(given, Iterable):
        raise InputError(f"{name}: {given!r} is not a list")


def path(name: str, value: object) -> str:
    """Return the name or path of an input as text."""
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{name} {value!r} is neither a name nor a path")
    return os.fspath(value)


def constants(given: object) -> dict[str, int]:
    """Return values for the constants of a program; None stands for none."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"constants {given!r} must be names with numbers such as {{'size': 5}}")
    most = 2**31 - 1  # clingo's own numbers
    return {str(name): whole(f"#const {name}", value, -most, most) for name, value in given.items()}


def whole(name: str, value: object, low: int, high: int) -> int:
    """Return an integer within bounds as Python's own type; NumPy's integers are accepted."""
    if not is_whole(value):
        raise InputError(f"{name} {value!r} is not a whole number")
    number = int(value)
    if not low <= number <= high:
        raise InputError(f"{name} {value} is out of range (use {low} to {high})")
    return number
