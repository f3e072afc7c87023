"""Explanations why an atom holds, why it does not, and why there is no answer set."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from aspcircuits import arguments, own_process
from aspcircuits.clingo_api import Program, Term, functor, parse, render, signature, unquote_term
from aspcircuits.conflicts import find_conflict
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.programs import Source, as_files
from aspcircuits.reasons import Inference, Lack, RulePlace, Why
from aspcircuits.rewriting import PlainRule, constant_terms, find_relevant, source_text, take_apart
from aspcircuits.source import Statement, matches, statements
from aspcircuits.stopping import Stop
from aspcircuits.support import Support, derive, find_instances, order_steps
from aspcircuits.texts import file_name, quote_text
from aspcircuits.why_not import (
    Missing,
    Search,
    has_gap,
    parse_pattern,
    pattern_text,
    predicate_of,
    search_unset,
)


def why(
    program: Source,
    atom: str | Term | None = None,
    given: Iterable[str | Term] = (),
    model: str | Iterable[str | Term] | None = None,
    constants: Mapping[str, int] | None = None,
    stop: Stop | None = None,
) -> Why:
    """Explain why an atom holds or does not, or why a program has no answer set.

    >>> reach = '''reach(1).
    ... reach(Y) :- reach(X), edge(X, Y).'''
    >>> print(aspcircuits.why(reach, "reach(3)", given=["edge(1,2)", "edge(2,3)"]))
    reach(3) holds:
      reach(3) :- reach(2), edge(2,3).                        program.lp:2
        reach(2) :- reach(1), edge(1,2).                      program.lp:2
          reach(1).                                           program.lp:1
          edge(1,2) is given
        edge(2,3) is given

    Args:
        program: the text of a program, a file (`pathlib.Path`) or several.
        atom: ``_`` in it stands for any term. None: only whether there is an answer set, and if
            not, why.
        given: further atoms that hold.
        model: which answer set to explain, if there are several. None: the first that clingo finds.
            ``best``: the best by the program's ``#minimize`` and ``#maximize`` statements. Atoms:
            the answer set that has these and no others, or else no others of their predicates, or
            else any that has these.
        constants: values for ``#const`` statements.
        stop: ends the work early.

    Raises:
        InputError: an atom is not one, or the program has no such constant or answer set.
        EncodingError: clingo cannot ground the program, or it has theory atoms.
        KeyboardInterrupt: it was stopped.
    """
    arguments.several("given", given)
    asked = (
        None if atom is None else _pattern(atom),
        [_atom("given", each) for each in given],
        _named_model(model),
        arguments.constants(constants),
    )
    stop = stop or Stop()
    with as_files(program) as files:
        work = _answer, files.paths, asked, files.folder
        return own_process.run(*work, what=files.names, stop=stop, in_time=True)


_Asked = tuple[Term | None, Sequence[Term], "str | frozenset[Term] | None", Mapping[str, int]]


def _pattern(text: str | Term) -> Term:
    """Return the atom to explain, with None for ``_``."""
    return _atom("atom", text, lambda given: parse_pattern(given, named=False))


def _atom(what: str, text: str | Term, read: Callable[[str], Term] = parse) -> Term:
    """Return an atom that a caller names."""
    try:
        found = read(render(text))
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
    if not functor(found).lstrip("-_")[:1].islower():
        raise InputError(f"{what}: {quote_text(render(text))} is not an atom such as cell(1,2,3)")
    return found


def _named_model(model: str | Iterable[str | Term] | None) -> str | frozenset[Term] | None:
    if model is None or model == "best":
        return model
    if isinstance(model, str):
        raise InputError(f"model {quote_text(model)} is none (use None, 'best' or a set of atoms)")
    arguments.several("model", model)
    return frozenset(_atom("model", each) for each in model)


def _answer(files: Sequence[Path], asked: _Asked, folder: str) -> Why:
    """Return the answer, in another process: grounding may take any time and memory."""
    atom, given, model, constants = asked
    program = statements(files)
    _check_constants(program, constants)
    answer_set, possible = _solve(files, given, model, constants)
    question = _Question(program, given, constants, folder)
    if answer_set is None:
        return question.explain_conflict(possible)
    if atom is None:
        return Why("answer set")
    if held := sorted((each for each in answer_set if matches(atom, each)), key=repr):
        return question.explain_atom(held[0], answer_set)
    found = question.explain_absence(atom, answer_set)
    if not has_gap(atom) and any(not lack.literal for lack in found.lacks):
        other = Program(files, given, constants, _FIRST).solve([(atom, True)])
        told = "No answer set has it." if other is None else "Another answer set has it."
        return replace(found, hints=(told,))
    return found


_FIRST = "--warn=none", "--opt-mode=ignore"
"""Options for any answer set, not the best one."""


def _check_constants(program: Iterable[Statement], constants: Mapping[str, int]) -> None:
    defined = {s.name for s in program if s.kind == "#const"}
    for name in constants:
        if name not in defined:
            there = f"it has {', '.join(sorted(defined))}" if defined else "it has none"
            raise InputError(f"constants: the program has no #const '{name}' ({there})")


def _solve(
    files: Sequence[Path],
    given: Sequence[Term],
    model: str | frozenset[Term] | None,
    constants: Mapping[str, int],
) -> tuple[frozenset[Term] | None, list[Term]]:
    """Return the answer set to explain, and all atoms of the ground program."""
    solved = Program(files, given, constants, _FIRST[: 1 if model == "best" else 2])
    possible = [atom for pair in solved.signatures() for atom, _ in solved.atoms(*pair)]
    if not isinstance(model, frozenset):
        found = solved.solve(shown=False)
        return (found.atoms if found else None), possible
    if strange := sorted(render(each) for each in model.difference(possible)):
        raise InputError(f"model: no rule derives {strange[0]}")
    signatures = {*map(signature, model)}
    same = [each for each in possible if signature(each) in signatures]
    for known in (possible, same, model):
        found = solved.solve([(each, each in model) for each in known], shown=False)
        if found is not None:
            return found.atoms, possible
    if solved.solve() is None:
        return None, possible
    raise InputError("model: no answer set has all of these atoms")


_DEPTH, _GOALS = 6, 12
"""Levels to which failing conditions are followed, and the most atoms followed at a time."""


class _Question:
    """A program to explain.

    Args:
        folder: prefix of file names that is left out of places.
    """

    def __init__(
        self,
        program: Sequence[Statement],
        given: Sequence[Term],
        constants: Mapping[str, int],
        folder: str,
    ) -> None:
        self._program, self._given = program, given
        self._constants, self._folder = constants, folder
        self._rules = take_apart(program)
        self._terms = constant_terms(program, constants)
        self._consts = "".join(f"#const {name} = {term}.\n" for name, term in self._terms.items())

    def explain_atom(self, atom: Term, model: Collection[Term]) -> Why:
        relevant = find_relevant(self._rules, [predicate_of(atom)])
        found = find_instances(relevant, model, self._consts)
        support = derive(found, [a for a in self._given if a in model], atom, Stop())
        if atom not in support:
            raise EncodingError(f"{render(atom)} holds, but by no rule that can be explained")
        sentences = _sentences(model)
        order = order_steps(support, atom)
        steps = [self._step(each, support[each], sentences) for each in order]
        return Why("holds", render(atom), tuple(steps))

    def explain_absence(self, atom: Term, model: Collection[Term]) -> Why:
        derivable = {name for rule in self._rules for name in rule.predicates}
        derivable |= {*map(predicate_of, self._given)}
        search = Search(self._rules, model, self._consts, self._terms, derivable)
        found: dict[Term, list[Missing]] = {}
        goals = [atom]
        for _ in range(_DEPTH):
            found |= zip(goals, search.find_missing(goals), strict=True)
            asked = (each.asks_for for goal in goals for each in found[goal])
            open_ = dict.fromkeys(goal for goal in asked if goal is not None and goal not in found)
            goals = [*open_][:_GOALS]
            if not goals:
                break
        lacks = self._lacks(atom, found)
        hints = [] if lacks else search.mend(atom)
        return Why("does not hold", pattern_text(atom), lacks=lacks, hints=tuple(hints))

    def _lacks(self, goal: Term, found: dict[Term, list[Missing]]) -> tuple[Lack, ...]:
        """Return what the rules for an atom lack, and below that why; each atom comes once."""
        made = []
        for missing in found.pop(goal, ()):
            values = {name: render(value) for name, value in missing.values.items()}
            literal = missing.literal.written if missing.literal else ""
            place = self._place(missing.rule)
            deeper = () if missing.asks_for is None else self._lacks(missing.asks_for, found)
            told = missing.text, literal, values, missing.reason, missing.more
            made.append(Lack(place, *told, deeper))
        return tuple(made)

    def explain_conflict(self, possible: Collection[Term]) -> Why:
        found = find_conflict(
            self._program, self._rules, self._given, possible, self._constants, Stop()
        )
        places = []
        for rule, atom in found:
            if rule is None:
                places.append(RulePlace(f"{render(atom)} (given)", "", 0))
            elif rule.body or rule.kind != "rule":
                places.append(self._place(rule))
            else:
                place = self._place(rule)
                places.append(RulePlace(f"{render(atom)}.", place.file, place.line))
        if not places:
            places = [self._place(rule) for rule in self._rules if rule.kind == "disjunction"]
        return Why("no answer set", conflict=tuple(places), hints=tuple(self._never(found)))

    def _never(self, found: Iterable[tuple[PlainRule | None, Term]]) -> Iterable[str]:
        """Return hints for atoms in the rules of a conflict that no rule derives."""
        derivable = {name for rule in self._rules for name in rule.predicates}
        derivable |= {*map(predicate_of, self._given)}
        search = Search(self._rules, (), self._consts, self._terms, derivable)
        told = {}
        for rule, _ in found:
            for asked in rule.statement.body if rule else ():
                if asked.signature not in derivable:
                    guess = search.guess(asked.signature)
                    told[asked.signature] = f"No rule derives {asked.signature}{guess}."
        return told.values()

    def _step(self, atom: Term, support: Support, sentences: Mapping[Term, str]) -> Inference:
        says = _says(atom, sentences)
        name, instance = render(atom), support.instance
        if instance is None:
            return Inference(name, says=says)
        values = {v: render(t) for v, t in instance.values.items() if not v.startswith("_")}
        text = instance.rule.instance(name, instance.values, instance.plain, self._terms)
        return Inference(
            name,
            self._place(instance.rule),
            text,
            values,
            tuple(map(render, support.because)),
            (*support.enough, *search_unset(instance.rule, self._terms)),
            says,
        )

    def _place(self, rule: PlainRule) -> RulePlace:
        statement = rule.statement
        file = str(statement.file)
        shown = file_name(file.removeprefix(self._folder))
        return RulePlace(source_text(statement.node), shown, statement.line)


def _sentences(model: Iterable[Term]) -> dict[Term, str]:
    """Return the program's sentences for its atoms, given as ``sentence(fires(corner), "...")``."""
    found = {}
    for atom in model:
        if signature(atom) == ("sentence", 2):
            text = unquote_term(atom[2])
            if text is not None:
                found[atom[1]] = text
    return found


def _says(atom: Term, sentences: Mapping[Term, str]) -> str:
    """Return the sentence for an atom, or for the longest prefix of its arguments that has one.

    So ``fires(corner)`` stands for ``fires(corner,move(1))``. ``{1}`` in a sentence is the first
    argument.
    """
    arguments = atom[1:] if isinstance(atom, tuple) else ()
    name = signature(atom)[0]
    for length in range(len(arguments), -1, -1):
        key = (name, *arguments[:length]) if length else name
        if key in sentences:
            text = sentences[key]
            for number, argument in enumerate(arguments, 1):
                text = text.replace(f"{{{number}}}", render(argument))
            return text
    return ""
