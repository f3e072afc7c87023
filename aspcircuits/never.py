"""Rules and atoms of a program that never hold, for any choice of its open atoms, and why."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from aspcircuits.clingo_api import Term
from aspcircuits.rewriting import BodyLiteral, PlainRule, constant_terms, take_apart
from aspcircuits.source import Statement
from aspcircuits.why_not import Missing, Search, predicate_of


class Never:
    """Search for rules and atoms that never hold.

    Args:
        possible: the atoms that hold for some choice of the open ones.
    """

    def __init__(
        self,
        program: Iterable[Statement],
        possible: Collection[Term],
        constants: Mapping[str, int],
    ) -> None:
        program = [*program]
        terms = constant_terms(program, constants)
        consts = "".join(f"#const {name} = {term}.\n" for name, term in terms.items())
        rules = [_drop_uncertain(rule) for rule in take_apart(program)]
        self._parts = Counter(map(_key, rules))
        derivable = {*map(predicate_of, possible)}
        self._search = Search(rules, possible, consts, terms, derivable)
        names = "|".join(terms)
        self._to_constant = re.compile(rf"\.\.\s*({names})\b") if terms else None

    def find_idle(self) -> list[Missing]:
        """Return the rules that never apply, each with the first condition that fails.

        A statement with pools is several rules; it counts only if none of them applies. Rules with
        a range up to a constant are left out, since they may apply if that has another value.
        """
        idle = [lack for lack in self._search.find_idle() if not self._has_range(lack.rule)]
        found = Counter(_key(lack.rule) for lack in idle)
        whole = {key for key, number in found.items() if number == self._parts[key]}
        return [lack for lack in idle if _key(lack.rule) in whole]

    def _has_range(self, rule: PlainRule) -> bool:
        return bool(self._to_constant and self._to_constant.search(rule.statement.text))

    def find_cause(self, atom: Term) -> Missing | None:
        """Return why an atom never holds: what a rule that could derive it lacks, or None.

        The cause is followed downwards as long as only one rule could derive the missing atom.

        Args:
            atom: None in it stands for any term.
        """
        cause, asked = None, [atom]
        seen = set[Term]()
        while len(asked) == 1 and asked[0] is not None and asked[0] not in seen:
            seen.add(asked[0])
            (found,) = self._search.find_missing(asked)
            if len(found) == 1:
                (cause,) = found
            asked = [each.asks_for for each in found]
        return cause


def _key(rule: PlainRule) -> tuple[str, str]:
    """Return the statement to which a rule belongs."""
    return rule.statement.place, rule.statement.text


def _drop_uncertain(rule: PlainRule) -> PlainRule:
    """Return a rule without the conditions that fail for some choices only."""
    return replace(rule, body=[literal for literal in rule.body if _is_certain(literal)])


def _is_certain(literal: BodyLiteral) -> bool:
    """Return whether the literal fails for good if it fails for all possible atoms."""
    return literal.kind in ("atom", "range") or (literal.kind == "test" and not literal.holds_atoms)
