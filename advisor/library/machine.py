"""The engine at work: machine code, or NumPy and the reason."""

from aspcircuits import llvm, tiers


def fast() -> bool:
    """Return whether machine code is possible: the extra ``fast`` is installed and works.

    >>> advisor.fast() in (True, False)
    True
    """
    return llvm.available()


def slowed_by() -> str:
    """Say in a few words why NumPy did work that machine code does faster; empty if unknown.

    >>> isinstance(advisor.slowed_by(), str)
    True
    """
    return tiers.reason()
