"""Words for what takes long while clingo grounds."""

import math
from collections.abc import Sequence
from contextlib import suppress

from aspcircuits.errors import UserError
from aspcircuits.sizes import Growth
from aspcircuits.source import Statement, statements
from aspcircuits.texts import listed

_MANY = 1_000_000
"""Instances of a rule from which on it may be why grounding takes long."""


def describe_growth(growth: Growth) -> str:
    """Say what takes long, as a part of a sentence; empty if that cannot be told."""
    rules: list[Statement] = []
    with suppress(UserError, OSError):  # a file may have changed meanwhile
        rules = statements(growth.files)
    if growth.grew is None:
        return _widest(rules, growth)
    heads = [rule for rule in rules if growth.grew in {head.signature for head in rule.heads}]
    most = max((len(rule.variables) for rule in heads), default=0)
    places = [_place(rule) for rule in heads if len(rule.variables) == most]
    told = f"{growth.grew} has {growth.sizes[growth.grew]:,} instances"
    return f"{told} ({listed(places)})" if places else told


def _widest(rules: Sequence[Statement], growth: Growth) -> str:
    """The rule whose body can be met in most ways, where no predicate grows."""
    ways = {
        math.prod(growth.sizes.get(a.signature, 0) for a in rule.body if not a.negative): rule
        for rule in rules
    }
    most = max(ways, default=0)
    if most < _MANY:
        return ""
    heads = listed([head.signature for head in ways[most].heads]) or ways[most].kind
    return f"{heads} may have {most:,} instances ({_place(ways[most])})"


def _place(rule: Statement) -> str:
    return f"{rule.file.name}:{rule.line}"
