"""Events: effects of moves on the board, worded by a game's ``events.lp``."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from advisor.errors import EncodingError
from advisor.files.resources import Versions, versions
from advisor.games.wording import join_words
from advisor.settings.texts import EventText, fill, in_number, supporting
from aspcircuits.clingo_api import Program, Term, render
from aspcircuits.source import statements

FILE = "events.lp"
"""The file beside the rules of a game; it may be missing."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that one move does on the board.

    Attributes:
        name: such as ``force``, written as clingo does.
        where: its places; two events are the same if their names and places are.
        text: a predicate that follows the move, such as "makes c4 a winning square for red".
        mistake: it helps the mover's opponent.
        reply: it does the opponent no harm: it only answers the opponent's move, or is quiet.
        threatens: a threat if the mover had the next turn, too.
        rank: 0 for the most important event of the game.
    """

    name: str
    where: tuple[Term, ...]
    text: str
    mistake: bool
    reply: bool
    threatens: bool
    rank: int

    @classmethod
    def of(
        cls,
        name: Term,
        told: EventText,
        where: Iterable[Term],
        count: int,
        words: Mapping[str, str],
    ) -> "Event":
        """Make an event and word it.

        Args:
            name: of the event.
            told: its text and the other properties from its encoding.
            where: places in an order of their own.
            count: chooses between the singular and the plural of the text.
            words: replacements for the text's placeholders.
        """
        text = fill(in_number(told.predicate, count), words)
        marks = told.mistake, told.reply, told.threatens, told.rank
        return cls(render(name), tuple(where), text, *marks)

    @property
    def kind(self) -> str:
        """The event in a word or two, without pieces and places: "forks", "open file"."""
        return self.name.partition("(")[0].replace("_", " ")

    @property
    def identity(self) -> tuple[str, tuple[Term, ...]]:
        """Equal for events that are the same, whatever their words."""
        return self.name, self.where


@dataclass(frozen=True, slots=True)
class Danger:
    """Squares on which a player threatens something: a part of the map of threats.

    Attributes:
        player: who threatens, 0 or 1.
        kind: such as ``odd`` or ``hanging``, a word for programs.
        squares: each with its column and row, counted from 1 at the lower left.
        names: of the squares, in the same order.
        text: a predicate that follows the player's name, such as "attacks d4 and e5".
    """

    player: int
    kind: str
    squares: tuple[tuple[int, int], ...]
    names: tuple[str, ...]
    text: str

    @classmethod
    def of(
        cls,
        player: int,
        name: Term,
        told: EventText,
        squares: Mapping[tuple[int, int], str],
        called: tuple[str, str],
        language: str = "",
    ) -> "Danger":
        """Make a danger and word it.

        Args:
            player: who threatens.
            name: of the danger.
            told: its text.
            squares: their names.
            called: what sentences call the two players.
            language: of the text, if it is translated; English lists have an "and".
        """
        predicate, translated = told.predicate_in(language)
        names = [*squares.values()]
        words = {"where": ", ".join(names) if translated else join_words(names, "and")}
        words |= {"me": called[player], "you": called[1 - player]}
        text = fill(in_number(predicate, len(squares)), words)
        return cls(player, render(name), tuple(squares), tuple(squares.values()), text)


def derive_events(
    files: Iterable[Path],
    facts: Iterable[Term],
    constants: Mapping[str, int],
    predicate: str = "event",
) -> Mapping[Term, Mapping[Term, Sequence[Term]]]:
    """Ground encodings with one position and collect ``event(Event, Move, Where)``.

    Args:
        files: the encodings.
        facts: the position.
        constants: of the game.
        predicate: "event", or "standing" and "threatened" for atoms with a player in the middle.

    Returns:
        for each move, or each player, the events, each with its places.

    Raises:
        EncodingError: clingo's own message, which names the file and the place.
    """
    files, facts = tuple(files), [*facts]
    rules, _ = _rules_of(predicate, files, versions(files))
    try:
        program = Program((), facts, constants, options=("--warn=none",), rules=rules)
    except EncodingError:  # whole files have names and lines
        program = Program(files, facts, constants, options=("--warn=none",))
    found: dict[Term, dict[Term, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for atom, _ in program.atoms(predicate, 3):
        _, event, move, where = atom
        found[move][event].append(where)
    return found


def reads_moves(files: Iterable[Path]) -> bool:
    """Return whether events depend on ``does/2``, so they are derived for one move at a time."""
    each = tuple(files)
    return _rules_of("event", each, versions(each))[1]


@lru_cache(maxsize=16)
def _rules_of(predicate: str, files: tuple[Path, ...], _as_now: Versions) -> tuple[str, bool]:
    """Return the rules that events depend on, as one text, and whether these read ``does/2``."""
    found = statements(files)
    rules = [*supporting(found, {f"{predicate}/3"})]
    given = [each for each in found if each.kind in ("#const", "#defined")]
    reads = any(atom.signature == "does/2" for rule in rules for atom in rule.body)
    return "\n".join(each.text for each in (*given, *rules)), reads
