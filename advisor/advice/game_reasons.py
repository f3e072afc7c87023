"""Why a move is suggested in any game, in sentences, with the words that stand beside its rules."""

from collections.abc import Mapping, Sequence

from advisor.advice.any_game import Chance, Firing, GameAdvice
from advisor.advice.contrast import Features, Strategies, compare
from advisor.advice.game_line import Held
from advisor.advice.wording import counted, listed, number
from advisor.asp.clingo_api import Term
from advisor.games.knowledge import home
from advisor.games.playing import Playing
from advisor.settings import texts
from advisor.settings.texts import Texts

_REASONS = 3
"""Differences told, the weightiest first, besides one that speaks against the move."""

_PLACES = 3
"""Places told of a feature or a strategy."""


def explain(playing: Playing, advice: GameAdvice) -> list[str]:
    """Sentences on the best move: what decides between it and the next one.

    Args:
        playing: the state.
        advice: with traces.
    """
    best, *others = advice.moves
    teller = _Teller(playing)
    names = playing.names
    if best.plies == 1 and best.kind == "win":
        return [f"{playing.notation.won_by(names[best.move])}."]
    if best.kind != "heuristic":
        final = [teller.sentence(best, firing) for firing in best.fires if firing.weight > 0]
        return [*_shown(playing, best), *final[:_REASONS]]
    open_ = [chance for chance in others if chance.kind == "heuristic"]
    other = next((chance for chance in open_ if chance.value != best.value), (*open_, None)[0])
    told = _standing(best, other, names)
    if best.expected:
        told += _expected(playing, advice, other)
    if best.value is None:
        return told
    sides = [chance for chance in (best, other) if chance]
    held = [chance.trace.features if chance.trace else () for chance in sides]
    found = compare([*held, ()][:2], [*(chance.fires for chance in sides), ()][:2])
    speaking = [difference for difference in found if difference.amount > 0]
    against = [difference for difference in found if difference.amount < 0]
    for difference in speaking[:_REASONS]:
        text = teller.difference(difference, best, other)
        told.append(text.replace("after", "After", 1) if text.startswith("after ") else text)
    told += [f"Although {teller.difference(difference, best, other)}" for difference in against[:1]]
    return told


def explain_move(
    playing: Playing, move: Chance, other: Chance | None, results: tuple[str, str]
) -> list[str]:
    """Sentences on any move beside another: what each leads to, and what the better one has.

    What strategies say is no part of the values here, which are the look-ahead's.

    Args:
        playing: the state.
        move, other: with traces; the other is a better one, or the next best. None if there is
            only one move.
        results: what they lead to, in a few words; the second means nothing without another.
    """
    names = playing.names
    if other is None:
        return [f"{names[move.move]} is the only legal move."]
    told = [f"{names[move.move]}: {results[0]}; {names[other.move]}: {results[1]}."]
    teller = _Teller(playing)
    held = [chance.trace.features if chance.trace else () for chance in (move, other)]
    found: list[Features[Held] | Strategies[Firing]] = compare(held, ((), ()))
    if all(chance.kind == "heuristic" for chance in (move, other)):
        for difference in found[:_REASONS]:
            text = teller.difference(difference, move, other)
            told.append(text.replace("after", "After", 1))
    for chance, speaks_for in ((move, False), (other, True)):
        told += [
            teller.sentence(chance, firing)
            for firing in chance.fires
            if chance.plies != 1  # of the last move of a game its result is the reason
            and firing.reasons
            and (firing.weight > 0) is speaks_for
        ][:_REASONS]
    return told


def _standing(best: Chance, other: Chance | None, names: Mapping[Term, str]) -> list[str]:
    """How the first two moves compare as a whole."""
    name = names[best.move]
    told = []
    if best.value is not None:
        rest = f", {names[other.move]} {other.value}" if other else ""
        told.append(f"{name} scores {best.value}{rest}.")
    if best.mean is not None:
        rest = ""
        if other and other.mean is not None:
            rest = f", after {names[other.move]} {other.mean:+.2f}"
        told.append(
            f"Random games after {name} end with {best.mean:+.2f} on the average{rest} "
            "(-1 is a loss, 1 a win)."
        )
    return told


def _shown(playing: Playing, best: Chance) -> list[str]:
    """How a tree of random games has shown a result."""
    if not best.within or best.expected is None:
        return []
    line = " ".join(playing.told(best.expected.line))
    if best.kind == "win":
        return [f"In a tree of random games every reply loses; the longest play there is {line}."]
    return [f"In a tree of random games every move loses; the longest play there is {line}."]


def _expected(playing: Playing, advice: GameAdvice, other: Chance | None) -> list[str]:
    """What a tree of random games expects, and why not the next best move."""
    best, *others = advice.moves
    names = playing.names
    games = sum(chance.playouts for chance in advice.moves)
    told = [f"{100 * best.playouts / games:.0f} % of the {games} games began with it."]
    if best.expected and len(best.expected.line) > 1:
        line, share = " ".join(playing.told(best.expected.line)), best.expected.share
        told[0] = told[0][:-1] + f"; the expected line is {line} ({100 * share:.0f} % of these)."
    if other and other.expected and len(other.expected.line) > 1:
        move, reply = playing.told(other.expected.line[:2])
        told.append(f"After {move} the answer is {reply}.")
    lost = [chance for chance in others if chance.kind == "loss"]
    if lost:
        verb = "loses" if len(lost) == 1 else "lose"
        told.append(f"{_first_few([names[chance.move] for chance in lost])} {verb} for certain.")
    return told


class _Teller:
    """Puts names of strategies and features into words."""

    def __init__(self, playing: Playing) -> None:
        rules = playing.game.rules
        self._playing = playing
        self._texts: Texts = texts.read(rules.files, home(rules.files).placeholders)
        self._me = playing.player
        self._you = rules.players[1 - playing.turn]

    def sentence(self, chance: Chance, firing: Firing) -> str:
        """What a strategy says of a move."""
        move = self._playing.names[chance.move]
        where = _first_few(firing.reasons)
        meaning = self._texts.strategies.get(firing.strategy)
        if meaning is None:
            reason = f" ({where})" if where else ""
            side = "for" if firing.weight > 0 else "against"
            return f"The strategy {firing.strategy} speaks {side} {move}{reason}."
        values = {"me": self._me, "you": self._you, "where": where, "move": move}
        told = texts.fill(meaning.predicate, values)
        return f"{move} {meaning.short if '{' in told else told}."

    def difference(
        self,
        difference: Features[Held] | Strategies[Firing],
        best: Chance,
        other: Chance | None,
    ) -> str:
        """What one of two moves has and the other lacks, with what it counts."""
        amount = f"{difference.amount:+d}"
        if isinstance(difference, Strategies):
            whose = best if difference.own or other is None else other
            return f"{self.sentence(whose, difference.firing).removesuffix('.')} ({amount})."
        own = len(difference.here) > len(difference.there)
        more, fewer = difference.here, difference.there
        if not own:
            more, fewer = fewer, more
        whose = best if own or other is None else other
        line = " ".join(self._playing.told(whose.trace.line if whose.trace else (whose.move,)))
        name = more[0].feature
        things = counted(self._texts.features.get(name) or f"the feature {name}", len(more))
        instead = f", instead of {number(len(fewer))}" if fewer else ""
        where = _first_few([held.where for held in more])
        verb = "has" if own else "would have"
        return f"after {line}, {more[0].player} {verb} {things}{instead} ({where}; {amount})."


def _first_few(places: Sequence[str]) -> str:
    """The first of many places, and how many more there are."""
    more = [f"{len(places) - _PLACES} more"] if len(places) > _PLACES else []
    return listed([*places[:_PLACES], *more], "and")
