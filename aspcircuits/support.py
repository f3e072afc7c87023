"""Why an atom holds: its shortest derivation from facts and given atoms by rules of the program."""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from aspcircuits.clingo_api import Program, Term, render, to_symbol
from aspcircuits.rewriting import BodyLiteral, PlainRule, as_tuple, filled_in
from aspcircuits.stopping import Stop

CountedElement = tuple[tuple[Term, ...], Sequence[Term]]
"""An element of an aggregate: its tuple, and the atoms in its condition."""


@dataclass(slots=True)
class Count:
    """An aggregate in an instance of a rule, and the elements that hold."""

    literal: BodyLiteral
    guards: list[tuple[str, Term]]
    elements: list[CountedElement] = field(default_factory=list)


@dataclass(slots=True)
class Instance:
    """A rule with values for its variables whose body holds in the answer set."""

    rule: PlainRule
    head: Term
    values: dict[str, Term]
    plain: list[Term]
    """The atoms of the positive literals of the body, then those in the condition of the head."""
    needed: list[Term]
    """The atoms of `plain`, and the atoms that conditional literals require."""
    counts: list[Count]
    rival: bool = False
    """True for a disjunction with another head that holds, so it need not derive this one."""


@dataclass(frozen=True, slots=True)
class Support:
    """The derivation step of an atom; `instance` is None if the atom is given."""

    instance: Instance | None
    because: tuple[Term, ...] = ()
    enough: tuple[str, ...] = ()


def find_instances(
    rules: Sequence[PlainRule], model: Collection[Term], constants: str
) -> list[Instance]:
    """Return the rule instances whose bodies hold in an answer set, one for each head atom.

    Args:
        constants: the ``#const`` statements.
    """
    text = [constants]
    for number, rule in enumerate(rules):
        values = as_tuple(rule.variables)
        atoms = as_tuple(literal.term for literal in rule.positive)
        guards = as_tuple(t for x in rule.body if x.kind == "aggregate" for _, t in x.guards)
        text.append(f"_why_body({number},{values},{atoms},{guards}) :- {rule.body_text}.")
        body = f"_why_body({number},{values},_,_)"
        for head in rule.heads:
            told = f"{as_tuple(head.local)},{as_tuple(head.atoms)},{head.tuple}"
            text.append(f"_why_head({number},{values},{told}) :- {body}, {head.condition}.")
        for place, literal in enumerate(rule.body):
            for element in literal.elements if literal.kind in ("aggregate", "each") else ():
                told = f"{element.tuple},{as_tuple(element.atoms)}"
                text.append(
                    f"_why_element({number},{place},{values},{told}) :- {body},"
                    f" {element.condition}."
                )
    program = Program((), model, options=("--warn=none",), rules="\n".join(text))
    bodies = {(a[1], a[2]): (a[3][1:], a[4][1:]) for a, _ in program.atoms("_why_body", 4)}
    elements: dict[tuple[int, Term], list[tuple[int, Term, Term]]] = defaultdict(list)
    for atom, _ in program.atoms("_why_element", 5):
        elements[atom[1], atom[3]].append((atom[2], atom[4][1:], atom[5][1:]))
    found = []
    holding: dict[tuple[int, Term], set[Term]] = defaultdict(set)
    for atom, _ in program.atoms("_why_head", 5):
        number, values, _, conditions, head = atom[1:]
        atoms, guards = bodies[number, values]
        counted = elements.get((number, values), ())
        made = _instance(rules[number], head, values[1:], conditions[1:], atoms, guards, counted)
        found.append((made, (number, values)))
    # The order decides among trees of one size, and clingo's order depends on that of the model.
    found.sort(key=lambda each: (each[1][0], repr(each[1][1]), repr(each[0].head)))
    for instance, key in found:
        if instance.head in model:
            holding[key].add(instance.head)
    for instance, key in found:
        others = holding[key] - {instance.head}
        instance.rival = instance.rule.kind == "disjunction" and bool(others)
    return [instance for instance, _ in found]


def _instance(
    rule: PlainRule,
    head: Term,
    values: Sequence[Term],
    conditions: Sequence[Term],
    atoms: Sequence[Term],
    guards: Sequence[Term],
    elements: Iterable[tuple[int, Term, Term]],
) -> Instance:
    known, counts = iter(guards), {}
    for place, literal in enumerate(rule.body):
        if literal.kind == "aggregate":
            bounds = [(sign, next(known)) for sign, _ in literal.guards]
            counts[place] = Count(literal, bounds)
    plain = [*atoms, *conditions]
    needed = [*plain]
    for place, counted, rests_on in elements:
        if place in counts:
            counts[place].elements.append((counted, rests_on))
        else:
            needed += counted
    named = dict(zip(rule.variables, values, strict=True))
    return Instance(rule, head, named, plain, needed, [*counts.values()])


def derive(
    instances: Iterable[Instance], given: Iterable[Term], goal: Term, stop: Stop
) -> dict[Term, Support]:
    """Return the support of an atom and of all atoms that it depends on, smallest trees first.

    Only if there is no other way, an aggregate or a conditional literal through which an atom would
    depend on itself is taken as it is in the answer set, and a disjunction may derive two of its
    heads.
    """
    instances = [*instances]
    strict = [instance for instance in instances if not instance.rival]
    found = _derive(strict, given, goal, stop, strict=True)
    return found if goal in found else _derive(instances, given, goal, stop, strict=False)


def _derive(
    instances: Sequence[Instance], given: Iterable[Term], goal: Term, stop: Stop, strict: bool
) -> dict[Term, Support]:
    """Run Knuth's version of Dijkstra's algorithm: the cost of an atom is the size of its tree."""
    cost: dict[Term, int] = {}
    support: dict[Term, Support] = {}
    order = count()
    heap = [(1, next(order), atom, Support(None)) for atom in sorted(given, key=repr)]
    users: dict[Term, list[int]] = defaultdict(list)
    missing: list[set[Term] | None] = []

    def offer(number: int) -> None:
        """Offer an instance whose atoms all have support, if its aggregates have it as well."""
        instance = instances[number]
        because, enough = dict.fromkeys(instance.needed if strict else instance.plain), []
        for counted in instance.counts if strict else ():
            chosen = _choose(counted, cost)
            if chosen is None:
                return
            because |= dict.fromkeys(atom for _, atoms in chosen for atom in atoms)
            if len(chosen) < len({t for t, _ in counted.elements}):
                enough.append(_enough(instance, counted, len(chosen)))
        total = 1 + sum(cost[atom] for atom in because)
        made = Support(instance, tuple(because), tuple(enough))
        heapq.heappush(heap, (total, next(order), instance.head, made))
        missing[number] = None

    for number, instance in enumerate(instances):
        needed = instance.needed if strict else instance.plain
        missing.append({*needed})
        counted = {a for c in instance.counts for _, atoms in c.elements for a in atoms}
        for atom in {*needed} | (counted if strict else set()):
            users[atom].append(number)
        if not missing[number]:
            offer(number)
    while heap and goal not in support:
        stop.check()
        total, _, atom, made = heapq.heappop(heap)
        if atom in support:
            continue
        cost[atom], support[atom] = total, made
        for number in users[atom]:
            open_atoms = missing[number]
            if open_atoms is not None:
                open_atoms.discard(atom)
                if not open_atoms:
                    offer(number)
    return support


def _choose(counted: Count, cost: Mapping[Term, int]) -> list[CountedElement] | None:
    """Return the cheapest elements that suffice for an aggregate, whichever others hold besides."""
    every: dict[tuple[Term, ...], list[Sequence[Term]]] = defaultdict(list)
    for terms, atoms in counted.elements:
        every[terms].append(atoms)
    chosen: dict[tuple[Term, ...], tuple[int, Sequence[Term]]] = {}
    for terms, ways in every.items():
        known = [(sum(cost[a] for a in w), w) for w in ways if all(a in cost for a in w)]
        if known:
            chosen[terms] = min(known, key=lambda way: way[0])
    function = counted.literal.function
    if not _suffices(function, counted.guards, [*every], chosen):
        return None
    for terms in sorted(chosen, key=lambda t: (-chosen[t][0], render(("", *t)))):
        taken = chosen.pop(terms)
        if not _suffices(function, counted.guards, [*every], chosen):
            chosen[terms] = taken
    return [(terms, atoms) for terms, (_, atoms) in chosen.items()]


def _suffices(
    function: str,
    guards: Iterable[tuple[str, Term]],
    every: Sequence[tuple[Term, ...]],
    chosen: Iterable[tuple[Term, ...]],
) -> bool:
    """Return whether all guards hold for the chosen elements with any of the others added."""
    chosen = {*chosen}
    others = [terms for terms in every if terms not in chosen]
    low, high = _range(function, [*chosen], others)
    for sign, bound in guards:
        bound = to_symbol(bound)
        held = {
            "<": high < bound,
            "<=": high <= bound,
            ">": low > bound,
            ">=": low >= bound,
            "=": low == bound == high,
            "!=": high < bound or low > bound,
        }
        if not held[sign]:
            return False
    return True


def _range(
    function: str, chosen: Sequence[tuple[Term, ...]], others: Sequence[tuple[Term, ...]]
) -> tuple[object, object]:
    """Return the lowest and the highest value of an aggregate, as clingo orders terms."""
    if function in ("min", "max"):
        empty = to_symbol("#sup" if function == "min" else "#inf")
        best = min if function == "min" else max
        sure = best([to_symbol(t[0]) for t in chosen], default=empty)
        some = best([sure, *(to_symbol(t[0]) for t in others)])
        return min(sure, some), max(sure, some)
    if function == "count":
        return to_symbol(len(chosen)), to_symbol(len(chosen) + len(others))
    low = high = sum(_weight(function, terms) for terms in chosen)
    for terms in others:
        weight = _weight(function, terms)
        low, high = low + min(weight, 0), high + max(weight, 0)
    return to_symbol(low), to_symbol(high)


def _weight(function: str, terms: tuple[Term, ...]) -> int:
    weight = terms[0] if terms and isinstance(terms[0], int) else 0
    return max(weight, 0) if function == "sum+" else weight


def value_of(function: str, elements: Iterable[tuple[Term, ...]]) -> str:
    """Return the value of an aggregate."""
    return str(_range(function, [*{*elements}], ())[0])


def _enough(instance: Instance, counted: Count, chosen: int) -> str:
    text = filled_in(counted.literal.written, instance.values, {})
    number = len({terms for terms, _ in counted.elements})
    verb = "is" if chosen == 1 else "are"
    return f"{chosen} of {number} {verb} enough for {text}"


def order_steps(support: Mapping[Term, Support], goal: Term) -> list[Term]:
    """Return the goal and the atoms that it depends on, each atom before its own dependencies."""
    done: dict[Term, None] = {}
    waiting = [(goal, False)]
    while waiting:
        atom, closed = waiting.pop()
        if closed:
            done[atom] = None
        elif atom not in done:
            waiting.append((atom, True))
            waiting += [(each, False) for each in support[atom].because if each not in done]
    return [*done][::-1]
