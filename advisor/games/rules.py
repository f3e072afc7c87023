"""The contract between a game's encodings and every module that plays it, checked once per game.

A folder of ``.lp`` files is a game if its ``rules.lp`` uses the vocabulary of the Game Description
Language (see ``encodings/README.md``). `advisor.games.check` finds the faults that show only in
play.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from advisor import registry
from advisor.errors import EncodingError, InputError
from advisor.files import textfile
from advisor.files.resources import ENCODINGS, game_of, not_ours
from advisor.games import display
from advisor.games.display import Display, no_move, no_role
from aspcircuits import circuit, code_cache, own_process, source
from aspcircuits.clingo_api import GroundProgram, Program, Term, render
from aspcircuits.loops import components
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name, quote_text

T = TypeVar("T")

RULES = "rules.lp"
NOOP = "noop"
"""The move of a player out of turn, in encodings that have one."""

_MOST = 999
"""The most columns or rows of a text board."""

_NEEDED = {"legal": 2, "next": 1, "goal": 2, "terminal": 0}
_SAID = {"feature": 3, "decided": 2, "fires": 2, "because": 3}
_SEARCHED = {"turn": 1, "drawn": 0, "candidate": 1, "noisy": 1, "deeper": 1, "may_pass": 0}
_OPTIONAL = {**_SAID, **_SEARCHED, "at": 3, "slanted": 0}
_FACTS = {"role": 1, "base": 1, "input": 2, "init": 1}
_SIDES = {"mover": 1, "view": 2}
_DRAWS = {"repetition": 1, "counter": 1, "moot": 1, "late": 0}
_OPEN = {"true": 1, "does": 2}
_STATES = {**_OPEN, **_NEEDED, **_OPTIONAL, "moot": 1, "late": 0}
"""Predicates that depend on the state or the move; the rest of the contract are facts."""
CONTRACT = {**_FACTS, **_SIDES, **display.FACTS, **_DRAWS, **_STATES}

_GROUNDING = RLock()
"""The compiler of machine code may ask for a program while the player does."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A game's ground program and the contents of its facts.

    Attributes:
        name: of the game's folder.
        constants: values for ``#const`` statements.
        numbers: all constants that the rules leave open, without constants of knowledge files.
        roles: both players; all results are from the first one's view.
        base, start: the atoms that states are made of, and the atoms that hold at the beginning.
        moves: all moves of either player; `NOOP` is the last one if both players have it: they pass
            if neither has another move.
        inputs: (role, move) pairs that can occur, `NOOP` included.
        by_mover: every state is seen from the side to move, which is always the first role; a move
            exchanges the roles.
        players: the names of the roles at the start, the first one's first.
        view: the other side's counterparts of base atoms, moves and places; empty if both sides see
            the same.
        repetition: a state that occurs this often is a draw; None for no such rule.
        counters: base atoms that only count towards a draw.
        key: a cache key for objects made of the rules; differs for different texts.
        display: the rules' facts for display.
    """

    name: str
    files: tuple[Path, ...]
    constants: Mapping[str, int]
    numbers: Mapping[str, int]
    roles: tuple[Term, Term]
    base: tuple[Term, ...]
    start: frozenset[Term]
    moves: tuple[Term, ...]
    inputs: frozenset[tuple[Term, Term]]
    by_mover: bool
    players: tuple[str, str]
    view: Mapping[Term, Term] = field(repr=False)
    repetition: int | None
    counters: frozenset[Term]
    key: str = field(repr=False)
    display: Display = field(repr=False)
    _programs: list[GroundProgram] = field(repr=False, compare=False)
    _derived: dict[str, list[tuple[Term, int]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def source(self) -> str:
        """The name or folder that loads the rules again."""
        return game_of(self.files[0])

    @property
    def program(self) -> GroundProgram:
        """The ground program with ``true/1`` and ``does/2`` open; errors as in `read`."""
        with _GROUNDING:
            if not self._programs:
                self.check_unchanged()
                self._derived.clear()  # these have the numbers of another grounding
                made = _run_apart(_ground_rules, self.files, self.open_atoms, self.constants)
                self._programs.append(made)
            return self._programs[0]

    @property
    def open_atoms(self) -> list[Term]:
        """The open atoms of a state and a move: ``true/1`` and ``does/2``."""
        does = (("does", *pair) for pair in sorted(self.inputs, key=repr))
        return [*(("true", atom) for atom in self.base), *does]

    @property
    def without_program(self) -> "Rules":
        """The rules without the ground program, which is made again when needed."""
        alone = replace(self, _programs=[])
        alone._derived.update((name, self.derived_atoms(name)) for name in _STATES)
        return alone

    def of_files(self, files: tuple[Path, ...]) -> "Rules":
        """Return the same rules with the paths of equal files elsewhere."""
        moved = replace(self, files=files, name=_name(files))
        moved._derived.update(self._derived)
        return moved

    def check_unchanged(self) -> None:
        """Raise an EncodingError if the files have changed since they were loaded.

        Otherwise one half would be old, and be cached under the key of the old texts.
        """
        with suppress(OSError):
            if _key(self.files, self.constants) == self.key:
                return
        raise EncodingError(f"{self.name}: its files are not what was loaded (load the game again)")

    def derived_atoms(self, name: str) -> list[tuple[Term, int]]:
        """Return the ground atoms of a predicate that depends on the state or move, with numbers.

        For any other name, it is the atom of the rules' own with that name and no arguments, if
        any.
        """
        found = self._derived.get(name)
        if found is None:  # a thread that grounds the program may clear them meanwhile
            found = self._derived[name] = [*self.program.atoms(name, CONTRACT.get(name, 0))]
        return found

    def pair(self, name: Term) -> tuple[Term, Term] | None:
        """Return the base atoms ``name(role)`` of both roles, such as ``turn(x)`` and ``turn(o)``.

        None unless both exist and exactly one of them holds at the start.
        """
        first, second = ((name, role) for role in self.roles)
        found = {first, second}
        return (first, second) if found <= {*self.base} and len(found & self.start) == 1 else None

    def joint(self, role: Term, move: Term) -> list[tuple[Term, Term]]:
        """Return both players' moves when one of them makes a move."""
        return [  # if both pass, the move of either is NOOP
            (role, move),
            *((r, NOOP) for r in self.roles if r != role and (r, NOOP) in self.inputs),
        ]

    def seen(self, term: Term, exchanged: bool) -> Term:
        """Return a term as the player who began sees it, given how the side to move sees it.

        `exchanged`: the other player is to move. The inverse is the same function, since each side
        sees the other's counterparts.
        """
        if not exchanged or not self.view:
            return term
        if term in self.view:
            return self.view[term]
        if isinstance(term, tuple):
            return (term[0], *(self.seen(part, True) for part in term[1:]))
        return term

    def place(self, atom: Term) -> str:
        """Return the place where the game's files derive an atom, ``file:line: ``, or its rules."""
        return _place(self.files, atom)


def games() -> list[str]:
    """Return the names of the games that come with the advisor."""
    return sorted(file.parent.name for file in ENCODINGS.glob(f"*/{RULES}"))


def read(
    game: str,
    knowledge: Sequence[Path] = (),
    constants: Mapping[str, int] | None = None,
    stop: Stop | None = None,
) -> Rules:
    """Read the rules of a game, and check whatever can be checked without playing.

    Args:
        game: the name of one that comes with the advisor, or a folder.
        knowledge: more encodings, of strategies, of features or of certain results.
        constants: values for ``#const`` statements.
        stop: may end the work on unusual sizes and on files that are not the advisor's own.

    Raises:
        InputError: there is no such game.
        EncodingError: the advisor cannot play the game; one line that names the file, what was
            found and what is allowed.
        KeyboardInterrupt: `stop` was set.
    """
    files = (*rule_files(game), *knowledge)
    given = constants or {}
    key = _key(files, given)
    read_now: list[Rules] = []

    def read_rules() -> Rules:
        read_now.append(_run_apart(_read, files, key, given, stop=stop))
        return read_now[0].without_program.of_files(())

    kept = code_cache.keep(key, Rules, read_rules)
    return read_now[0] if read_now else kept.of_files(files)


def _key(files: Sequence[Path], constants: Mapping[str, int]) -> str:
    """Return a cache key for objects made of the rules: their texts, wherever the files are."""
    names = [file.name for file in files]
    return circuit.name(__name__, files, (names, sorted(constants.items())))


def _name(files: Sequence[Path]) -> str:
    """Return the folder of the rules; empty for cached rules, which have none."""
    return files[0].resolve().parent.name if files else ""


def _run_apart(
    function: Callable[..., T], files: Sequence[Path], *arguments: Any, stop: Stop | None = None
) -> T:
    """Apply a function to files in another process: for chess that may take seconds."""
    strange = ", ".join(map(file_name, not_ours(files)))
    what = strange or files[0].resolve().parent.name
    return own_process.run(function, files, *arguments, what=what, stop=stop)


def numbers(files: Iterable[Path]) -> dict[str, int]:
    """Return the constants that rules leave open as plain numbers, with their usual values."""
    texts = [s.text for s in source.statements(files) if s.kind == "#const"]
    found = [re.fullmatch(r"#const (\w+) ?= ?(\d+)\..*", text, re.DOTALL) for text in texts]
    return {match[1]: int(match[2]) for match in found if match}


def same(game: str, other: str) -> bool:
    """Return whether two names stand for one game, as a relative and an absolute path may."""
    return _folder(game).resolve() == _folder(other).resolve()


def _folder(game: str) -> Path:
    if game in games():
        return ENCODINGS / game
    folder = Path(game)
    if (folder / RULES).is_file() or len(folder.parts) != 1:
        return folder
    return registry.find("games", game) or folder


def rule_files(game: str) -> tuple[Path, ...]:
    """Return the rules of a game: ``rules.lp`` first, then the files that it names.

    Raises:
        InputError: there is no such game.
        EncodingError: there is no such file.
    """
    folder = _folder(game)
    if not (folder / RULES).is_file():
        known = ", ".join(games())
        raise InputError(
            f"{quote_text(game)} is neither a game ({known}) nor a folder with a {RULES}"
        )
    _check_plain(folder / RULES)
    found = [folder / RULES]
    for statement in source.statements(found[:1]):
        for head in statement.heads:
            if head.signature != "uses/1":  # #include looks in the current folder first
                continue
            part = str(head.argument(0)).strip('"')
            if Path(part).name != part or not (folder / part).is_file():
                raise statement.error(f"uses({part}): no such file beside it")
            found.append(folder / part)
            _check_plain(found[-1])
    return tuple(found)


def _read(files: tuple[Path, ...], key: str, constants: Mapping[str, int]) -> Rules:
    _check_constants(files, constants)
    facts = _Facts(files, constants)
    roles = facts.roles()
    base = facts.values("base")
    inputs = facts.inputs(roles)
    start = facts.of_base("init", facts.values("init"), base)
    moves = tuple(dict.fromkeys(move for _, move in inputs if move != NOOP))
    if {(role, NOOP) for role in roles} <= {*inputs}:
        moves = (*moves, NOOP)
    open_atoms = [*(("true", atom) for atom in base), *(("does", *pair) for pair in inputs)]
    program = _ground_rules(files, open_atoms, constants)
    wrong = partial(_wrong, files)
    for name, arity in display.FACTS.items():
        told = {*facts.arguments_of(name)}
        for atom, _ in program.atoms(name, arity):
            if atom[1:] not in told:
                raise wrong(atom, "it must hold in every state")
    known = [*open_atoms, *(atom for name in _SAID for atom, _ in program.atoms(name, _SAID[name]))]
    places = {part for atom in known for part in _parts(atom)}
    called, shown = display.read(facts.arguments_of, roles, moves, places, wrong)
    rules = Rules(
        _name(files),
        files,
        constants,
        {**numbers(rule_files(str(files[0].parent))), **constants},
        roles,
        base,
        start,
        moves,
        frozenset(inputs),
        facts.by_mover(roles),
        called,
        facts.view(base, moves),
        facts.repetition(),
        facts.of_base("counter", [atom for (atom,) in facts.arguments_of("counter")], base),
        key,
        shown,
        [program],
    )
    _check_derived(rules, wrong)
    return rules


def _parts(term: Term) -> Iterator[Term]:
    """Yield the constants and numbers in the arguments of a term."""
    for part in term[1:] if isinstance(term, tuple) else ():
        yield from _parts(part) if isinstance(part, tuple) else (part,)


def _place(files: Sequence[Path], atom: Term) -> str:
    return source.place(files, "rule", atom) or f"{file_name(files[0])}: "


def _wrong(files: Sequence[Path], atom: Term, text: str) -> EncodingError:
    return EncodingError(f"{_place(files, atom)}{render(atom)}: {text}")


def _ground_rules(
    files: tuple[Path, ...], open_atoms: Sequence[Term], constants: Mapping[str, int]
) -> GroundProgram:
    """Ground the program, and collect atoms here so that another process gets them, too."""
    program = circuit.ground(files, open_atoms, constants)
    for name, arity in _STATES.items():
        program.atoms(name, arity)
    components(program)
    return program


def _check_plain(file: Path) -> None:
    """Raise an EncodingError for things that no rules may have: includes and scripts."""
    name = file_name(file)
    source.check_size(file)
    for line in source.includes(file):
        raise EncodingError(f'{name}:{line}: #include is not read (write uses("board.lp") instead)')
    for statement in source.statements([file]):
        if statement.kind == "#script":
            raise statement.error("#script is not run (write rules instead)")


def _check_constants(files: Sequence[Path], constants: Mapping[str, int]) -> None:
    known = [s.name for s in source.statements(files) if s.kind == "#const"]
    for name in constants:
        if name not in known:
            there = f"has #const {', '.join(known)}" if known else "has none"
            game = files[0].resolve().parent.name
            raise InputError(f"{game}: no #const {quote_text(name)} (the game {there})")


class _Facts:
    """The facts of the encodings about the game, whatever the state."""

    def __init__(self, files: Sequence[Path], constants: Mapping[str, int]) -> None:
        self._program = Program(files, constants=constants, options=("--warn=none",))
        self._name = file_name(files[0])

    def arguments_of(self, name: str) -> list[tuple[Term, ...]]:
        """Return the arguments of a predicate's atoms, if there are any."""
        return [atom[1:] for atom, _ in self._program.atoms(name, CONTRACT[name])]

    def values(self, name: str) -> tuple[Term, ...]:
        """Return the arguments of a predicate's atoms, unwrapped if single; there must be some."""
        found = tuple(each[0] if len(each) == 1 else each for each in self.arguments_of(name))
        if not found:
            raise self._error(f"no fact {_WANTED[name]}")
        return found

    def of_base(self, name: str, atoms: Iterable[Term], base: Sequence[Term]) -> frozenset[Term]:
        """Return the atoms that a predicate names, all of which must be base atoms."""
        known = {*base}
        for atom in atoms:
            if atom not in known:
                raise self._error(f"{name}({render(atom)}) holds, but there is no such base/1")
        return frozenset(atoms)

    def roles(self) -> tuple[Term, Term]:
        if any(True for _ in self._program.atoms("sees", 2)):
            raise self._error("sees/2: hidden information; only games of open information fit")
        roles = self.values("role")
        named = ", ".join(map(render, roles))
        if "random" in roles:
            raise self._error(f"role(random): chance; the players found are {named}, use two")
        if len(roles) != 2:
            many = textfile.amount(len(roles), "player")
            raise self._error(f"{many} found ({named}); a game has two")
        return roles[0], roles[1]

    def by_mover(self, roles: tuple[Term, Term]) -> bool:
        movers = [mover for (mover,) in self.arguments_of("mover")]
        if movers and movers != [roles[0]]:
            first = render(roles[0])
            raise self._error(f"mover({render(movers[0])}): only the first role, {first}, can be")
        return bool(movers)

    def view(self, base: Sequence[Term], moves: Sequence[Term]) -> Mapping[Term, Term]:
        """Return the other side's counterpart of each term."""
        pairs: Sequence[Any] = self.arguments_of("view")
        view = dict(pairs)
        if not view:
            return view
        if not self.arguments_of("mover"):
            raise self._error("view/2 holds, but no mover/1 (view/2 is for games with a mover)")
        for seen, other in pairs:
            if view.get(other) != seen or view[seen] != other:
                found, back = render(("view", seen, other)), render(("view", other, seen))
                raise self._error(f"{found} holds, so that {back} alone must hold as well")
        known = {*base}
        for term in (*base, *moves):
            if term != NOOP and (term not in view or (term in known and view[term] not in known)):
                what = "a base atom" if term in known else "a move"
                raise self._error(f"no view({render(term)}, ..) that is {what} for the other side")
        return view

    def repetition(self) -> int | None:
        numbers = [number for (number,) in self.arguments_of("repetition")]
        if numbers and not (len(numbers) == 1 and isinstance(numbers[0], int) and numbers[0] > 1):
            found = render(("repetition", numbers[0]))
            raise self._error(f"{found}: there must be one number, 2 or more")
        return numbers[0] if numbers else None

    def inputs(self, roles: tuple[Term, Term]) -> list[tuple[Term, Term]]:
        inputs = [(role, move) for role, move in self.values("input")]
        for role, move in inputs:
            if role not in roles:
                found = render(("input", role, move))
                raise self._error(f"{found}: {no_role(role, roles)}")
        return inputs

    def _error(self, text: str) -> EncodingError:
        return EncodingError(f"{self._name}: {text}")


_WANTED = {
    "role": "role(A): the two players",
    "base": "base(A): what a state is made of",
    "input": "input(P, M): the moves that a player can have",
    "init": "init(A): what holds at the start",
}


def _check_derived(rules: Rules, wrong: Callable[[Term, str], EncodingError]) -> None:
    """Check that all required predicates are derived, with the right number of arguments."""
    for name, arity in _NEEDED.items():
        if not rules.derived_atoms(name):
            others = sorted(
                len(atom) - 1
                for atom in rules.program.names.values()
                if isinstance(atom, tuple) and atom[0] == name
            )
            for statement in source.statements(rules.files):
                if any(head.signature == f"{name}/{arity}" for head in statement.heads):
                    raise statement.error(f"no rule for {name}/{arity} can ever hold")
            found = f" (there is {name}/{others[0]})" if others else ""
            file = file_name(rules.files[0])
            raise EncodingError(f"{file}: no rule derives {name}/{arity}{found}")
    for name, number in (("legal", 1), ("goal", 1), ("feature", 2), ("decided", 1)):
        for atom, _ in rules.derived_atoms(name):
            if atom[number] not in rules.roles:
                raise wrong(atom, no_role(atom[number], rules.roles))
    moves = {*rules.moves}
    for name in ("fires", "because"):
        for atom, _ in rules.derived_atoms(name):
            if atom[2] not in moves:
                raise wrong(atom, no_move(atom[2]))
    for atom, _ in rules.derived_atoms("goal"):
        if not isinstance(atom[2], int):
            raise wrong(atom, "a goal is a number, as 0, 50 or 100")
    for atom, _ in rules.derived_atoms("at"):
        if not all(isinstance(number, int) and 1 <= number <= _MOST for number in atom[1:3]):
            raise wrong(atom, f"columns and rows of a board are numbers from 1 to {_MOST}")
