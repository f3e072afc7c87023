"""Checks of what a caller hands over, before it is used where a wrong value would show late."""

import os
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import TypeGuard

from aspcircuits.errors import InputError


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number, of NumPy's kinds too, and no boolean."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def several(name: str, given: object) -> None:
    """That it is a list, not one text."""
    if isinstance(given, str):
        raise InputError(f"{name}: '{given}' is one text (give a list, as ['{given}'])")
    if not isinstance(given, Iterable):
        raise InputError(f"{name}: {given!r} is not a list")


def path(name: str, value: object) -> str:
    """The name or the path of what is read, as text."""
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{name} {value!r} is neither a name nor a path")
    return os.fspath(value)


def constants(given: object) -> dict[str, int]:
    """Numbers for what a program leaves open; None for none."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"constants {given!r} must be names with numbers such as {{'size': 5}}")
    most = 2**31 - 1  # clingo's own numbers
    return {str(name): whole(f"#const {name}", value, -most, most) for name, value in given.items()}


def whole(name: str, value: object, low: int, high: int) -> int:
    """A whole number, of NumPy's kinds too, as Python's own."""
    if not is_whole(value):
        raise InputError(f"{name} {value!r} is not a whole number")
    number = int(value)
    if not low <= number <= high:
        raise InputError(f"{name} {value} is out of range (use {low} to {high})")
    return number
