"""Which engine is at work: machine code, or NumPy and why."""

from aspcircuits import llvm, tiers


def fast() -> bool:
    """Whether there can be machine code: the extra ``fast`` is installed and works.

    >>> advisor.fast() in (True, False)
    True
    """
    return llvm.available()


def slowed_by() -> str:
    """Why NumPy did work that machine code would do faster, in a few words; empty if unknown.

    >>> isinstance(advisor.slowed_by(), str)
    True
    """
    return tiers.reason()
