"""A game as plain data: its functions, and everything else that an engine in a browser needs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from advisor.files import textfile
from advisor.files.resources import OPENINGS
from advisor.games import knowledge, rooms, set_up
from advisor.games import puzzles as files
from advisor.games.circuits import Circuits
from advisor.games.diagram import text_of
from advisor.games.game import Game
from advisor.games.opening_names import FILE as OPENING_NAMES
from advisor.games.opening_names import read_names
from advisor.games.phrasing import Json, Phrasing
from advisor.games.rule_game import RuleGame
from advisor.games.rule_position import RulePosition
from advisor.games.rules import rule_files
from advisor.plugins.export.functions import StateFunctions, differences
from advisor.settings import chances, grading, texts
from aspcircuits.clingo_api import Term, render

_STILL = (
    "game",
    "roles",
    "slanted",
    "shapes",
    "aim",
    "columns",
    "beside",
    "lines",
    "sides",
    "colours",
    "accepts",
    "constants",
    "tags",
)
"""Keys of a position that are the same in all positions of a game."""

_TITLES = {
    "connect4": "Connect Four",
    "tictactoe": "Tic-tac-toe",
    "morris": "Nine men's morris",
}
"""Titles of games that cannot be made from their names."""

_USUAL = {"width": 7, "height": 6, "connect": 4}
"""The board of the opening book."""


def describe_game(source: str, weights: str, constants: Mapping[str, int]) -> Json:
    """Describe a game as the engine reads it.

    Args:
        source: the game's name or folder.
        weights: a preset or a file.
        constants: of its rules.

    Raises:
        InputError: there is no such game.
        ConfigError: weights that do not fit.
        EncodingError: the rules do not make a game that can be played.
    """
    return describe_loaded(rooms.load(source, weights, constants))


def describe_loaded(game: Game) -> Json:
    """Describe a game with the weights and constants that it was loaded with.

    Raises:
        EncodingError: its weights name rules that cannot be compiled.
    """
    if isinstance(game, RuleGame):
        source, circuits = game.source, game.circuits
    else:
        source = rooms.USUAL
        by_rules = knowledge.home(rule_files(source))  # whose circuits need no choice of a move
        settings = replace(game.settings, home=by_rules)
        circuits, _ = knowledge.load(source, settings, game.constants)
    return {**_Description(game, circuits).to_json(), "puzzles": _puzzles(source, game)}


@dataclass(frozen=True)
class _Description:
    game: Game
    circuits: Circuits

    @cached_property
    def by_rules(self) -> RulePosition:
        """The beginning, as the rules alone show it."""
        return rooms.by_circuits(self.circuits).begin()

    @property
    def title(self) -> str:
        """The game's name for people."""
        return _TITLES.get(self.game.name, self.game.name.replace("_", " ").capitalize())

    @property
    def has_columns(self) -> bool:
        """Whether moves are columns, as in Connect Four, which has a module of its own."""
        return not isinstance(self.game, RuleGame)

    def to_json(self) -> Json:
        circuits, rules, begun = self.circuits, self.circuits.rules, self.by_rules
        chess = type(begun) is not RulePosition  # which alone has a notation of its own
        functions = StateFunctions(circuits, ["check"] if chess else [])
        numbers = {atom: number for number, atom in enumerate(rules.base)}
        moves = {move: number for number, move in enumerate(rules.moves)}
        step = circuits.tree.code
        still = begun.to_json()
        name, settings = self.game.name, self.game.settings
        pieces, blanks = set_up.pieces(circuits), set_up.blanks(circuits)
        pairs = {rules.pair(atom[0]) for atom in rules.base if isinstance(atom, tuple)} - {None}
        described = {
            "name": name,
            "title": self.title,
            "notation": "columns" if self.has_columns else "chess" if chess else "",
            "functions": functions.to_json(),
            "values": functions.values,
            "bits": len(rules.base),
            "start": [numbers[atom] for atom in sorted(rules.start, key=render)],
            "seen": [numbers[rules.seen(atom, True)] for atom in rules.base],
            "counters": [numbers[atom] for atom in sorted(rules.counters, key=render)],
            "repetition": rules.repetition,
            "exchanges": circuits.exchanges,
            "alternates": circuits.alternates,
            "noisy_plies": circuits.noisy_plies,
            "by_chance": circuits.search == "tree",
            "columns": 64 * circuits.words,
            "patterns": [_bits(row) for row in step.table],
            "moves": [self._moves(False), *([self._moves(True)] if rules.view else [])],
            "still": {key: still[key] for key in _STILL},
            "squares": sorted(circuits.squares.all),
            "size": circuits.squares.size,
            "pieces": [[*at, text, numbers[atom]] for (at, text), atom in pieces.items()],
            "blanks": [[*at, numbers[atom]] for at, atom in blanks.items()],
            "atoms": [*map(render, rules.base)],
            "standing": [
                [*at, [*map(numbers.get, on)]] for at, on in circuits.squares.atoms.items()
            ],
            "pairs": sorted([numbers[a], numbers[b]] for a, b in filter(None, pairs)),
            "scale": grading.load().scale_of(name),
            "chances": chances.calibrations(name),
            "depth": settings.depth,
            "weighed": bool(circuits.weights),
            "program": [
                {"name": file.name, "text": textfile.read_text(file)} for file in rules.files
            ],
            **self._describe_atoms(functions, moves),
        }
        if not rules.constants:
            names = read_names(rules.files[0].parent / OPENING_NAMES)
            described["opening_names"] = {" ".join(moves): text for moves, text in names.items()}
        if self.has_columns and rules.numbers == _USUAL:
            described["openings"] = _openings()
        return described

    def _moves(self, exchanged: bool) -> list[Json]:
        """Return the moves by their numbers, as the player who began sees them.

        Args:
            exchanged: where the other player makes them, in a game seen by the side to move.
        """
        rules, begun, squares = self.circuits.rules, self.by_rules, self.circuits.squares
        moves = [rules.seen(move, exchanged) for move in rules.moves]
        names = begun.names_of(moves)
        return [
            {
                "code": begun.code_of(move),
                "name": names[move],
                "squares": squares.of(move),
                "clicks": rules.display.clicks.get(move, ()),
            }
            for move in moves
        ]

    def _describe_atoms(self, functions: StateFunctions, moves: Mapping[Term, int]) -> Json:
        """Describe the atoms that functions report, and their words."""
        circuits, rules = self.circuits, self.circuits.rules
        base = {atom: number for number, atom in enumerate(rules.base)}
        places: dict[Term, int] = {}
        strategies = {name: number for number, name in enumerate(circuits.strategies)}
        features = {name: number for number, name in enumerate(circuits.weights)}

        def place(term: Term) -> int:
            return places.setdefault(term, len(places))

        def all_of(function: str) -> list[tuple[Term, int]]:
            return [*functions.atoms.get(function, ())]

        told = {
            "board": [[x, y, text_of(s), n] for (_, x, y, s), n in all_of("board")],
            "moot": [[base[atom], n] for (_, atom), n in all_of("moot")],
            "deeper": [[plies, n] for (_, plies), n in all_of("deeper")],
            "held": _columns(
                (features[name], rules.roles.index(role), place(where), n)
                for (_, name, role, where), n in all_of("features")
                if circuits.weights[name]
            ),
            "fires": _columns(
                (strategies[atom[1]], moves[atom[2]], place(atom[3]) if atom[3:] else -1, n)
                for atom, n in all_of("says")
                if circuits.strategies[atom[1]]
            ),
        }
        words = self._phrasing.texts
        return told | {
            "strategies": [
                {"name": name, "weight": weight, **_meaning(words, name)}
                for name, weight in zip(
                    map(render, strategies), circuits.strategies.values(), strict=True
                )
            ],
            "features": [
                {"name": name, "weight": weight, "text": words.features.get(name, "")}
                for name, weight in zip(
                    map(render, features), circuits.weights.values(), strict=True
                )
            ],
            "places": [self._place(term) for term in places],
        }

    @cached_property
    def _phrasing(self) -> Phrasing:
        return self.game.see(self.game.begin()).phrasing

    def _place(self, term: Term) -> Json:
        """Name a place, as both sides see it; on a board of columns also its squares."""
        if self.has_columns:
            named = self._phrasing.where_json(term)
            return {"name": named["where"], "squares": named["squares"]}
        rules, begun = self.circuits.rules, self.by_rules
        names = [begun.place(rules.seen(term, exchanged)) for exchanged in (False, True)]
        return {"name": names[0], "seen": names[1]}


def _meaning(words: texts.Texts, name: str) -> Json:
    known = words.strategies.get(name)
    if known is None:
        return {"short": "", "sentence": "", "final": False}
    return {"short": known.short, "sentence": known.predicate, "final": known.final}


def _columns(rows: Iterable[tuple[int, ...]]) -> list[list[int]]:
    """Return a table of numbers column by column, as `differences`."""
    return [differences(column) for column in zip(*rows, strict=True)]


def _bits(row: Iterable[Any]) -> list[int]:
    """Return the numbers of the bits of a row of words."""
    words = [int(word) for word in row]
    return [64 * i + b for i, word in enumerate(words) for b in range(64) if word >> b & 1]


def _puzzles(source: str, game: Game) -> list[Json]:
    """Return the puzzles that come with a game, for the board that it has here."""
    known = [files.load(name, source) for name in files.ids(source)]
    begun = [game.begin(posed.position) for posed in known]
    return [
        {
            "id": posed.id,
            "text": posed.position if isinstance(posed.position, str) else position.text,
            "win_in": posed.win_in,
            "extra": posed.extra,
            "solution": posed.solution,
            "source": posed.source,
        }
        for posed, position in zip(known, begun, strict=True)
        if position.game.constants == game.constants
    ]


def _openings() -> list[str]:
    """Return the lines of the opening book."""
    lines = textfile.read_text(OPENINGS).splitlines()
    return [line for line in lines if line and not line.startswith("#")]
