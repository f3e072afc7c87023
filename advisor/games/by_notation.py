"""How a game says what is said of it that has its rules and a notation, and nothing more."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from advisor.asp.clingo_api import Term
from advisor.games.knowledge import home
from advisor.games.phrasing import Json, Phrasing
from advisor.games.playing import Playing
from advisor.games.score import Score
from advisor.games.wording import few
from advisor.settings import texts
from advisor.settings.texts import Texts


class ByNotation(Phrasing):
    """What a game says by its notation and the texts beside its rules."""

    noun = "move"

    def __init__(self, playing: Playing) -> None:
        self._playing = playing
        self.game = playing.game.rules.name
        self.players = playing.game.rules.players
        self.turn = playing.turn

    @cached_property
    def texts(self) -> Texts:
        """Those of the rules' files."""
        files = self._playing.game.rules.files
        return texts.read(files, home(files).placeholders)

    def called(self, player: int) -> str:
        """By the role's name."""
        return self.players[player]

    def code(self, move: Term) -> str:
        return self._playing.code(move)

    def played(self, move: Term) -> str:
        """As people write it."""
        return self._playing.names[move]

    def moves(self, moves: Sequence[Term], last: str = "and") -> str:
        """The first few, as people write them."""
        return few([self.played(move) for move in moves], last)

    def told(self, line: Sequence[Term]) -> list[str]:
        """As people write them."""
        return self._playing.told(line)

    def reasons(self, reasons: Sequence[Term]) -> list[str]:
        """In words of the notation."""
        return sorted(map(self._playing.place, reasons))

    def places(self, places: Sequence[Term]) -> list[str]:
        """In words of the notation."""
        return [self._playing.place(place) for place in places]

    def values(self, move: Term, reasons: Sequence[Term]) -> Mapping[str, str]:
        """The move."""
        return {"move": self.played(move)}

    def outcome(self, score: Score) -> str:
        """See `Playing.outcome`; and whether it is proved."""
        if score.kind == "heuristic":
            return ""
        proved = " (proved)" if score.proved else ""
        if score.plies is None:
            return f"a {score.kind}{proved}"
        return self._playing.outcome(score.kind, score.plies, score.within) + proved

    def leads(self, moves: Sequence[Term], score: Score) -> str:
        """In the notation's words, where a move wins at once."""
        if score.kind == "win" and score.plies == 1 and len(moves) == 1:
            return self._playing.won_by(self.played(moves[0]))
        return super().leads(moves, score)

    def ending(self, move: Term, score: Score, line: Sequence[Term]) -> str:
        """The line, move by move."""
        return f": {' '.join(self.told(line))}" if len(line) > 1 else ""

    def won(self, score: Score) -> str:
        return self.outcome(score)

    def blocked(self, move: Term, better: Sequence[Term]) -> list[str]:
        """By the move that would win, if there is but one."""
        after = self._playing.play(move)
        if after.over or after.turn == self.turn:
            return []
        winning = [after.names[term] for term in after.foreseen("")[0]]
        return [f"a block of {winning[0]}" if len(winning) == 1 else "a block"] if winning else []

    def move_json(self, move: Term) -> Json:
        """By its code and as people write it."""
        return {"move": self.code(move), "name": self.played(move)}

    def because_json(self, reasons: Sequence[Term]) -> Json:
        """In words of the notation."""
        return {"reasons": self.reasons(reasons)}

    def where_json(self, place: Term) -> Json:
        """In words of the notation."""
        return {"where": self._playing.place(place)}
