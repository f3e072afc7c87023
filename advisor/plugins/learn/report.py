"""Reports of `learn`: in words, in tables and as a page."""

from collections.abc import Iterator
from pathlib import Path

from advisor.games import diagram, knowledge, rooms
from advisor.games.circuits import Circuits
from advisor.games.rule_position import RulePosition
from advisor.plugins.learn.learning.outcome import Learned, MatchResult, Part
from advisor.settings.config import KINDS, Config
from advisor.views.document import cards, section
from aspcircuits.clingo_api import functor, render

_VERDICTS = {"stronger": "stronger", "weaker": "not stronger", None: "too few games to tell"}


def why_not_written(part: Part) -> str:
    """Say why a part was not written."""
    if not part.gains:
        return "nothing that was proposed tells enough"
    if part.match is None or not part.match.pairs:
        return "there was no time for a match"
    if part.match.verdict == "weaker":
        return f"what was found does not beat {part.match.against}"
    return f"too few games to tell whether what was found beats {part.match.against}"


def describe(found: Learned) -> str:
    """Describe the games and the tried families in one line, without a full stop."""
    names = sum(found.features.tried.values())
    return (
        f"{found.game}: {len(found.features.tried)} families of features with {names} names; the "
        f"last of {found.games} games against itself had {found.positions} positions"
    )


def family_rows(part: Part) -> list[tuple[str, str, str, str]]:
    """Return table rows of the chosen families: name, weights, gain, description."""
    found = []
    for family, gain in part.gains.items():
        own = [weight for name, weight in part.weights.items() if functor(name) == family]
        weights = str(own[0]) if len(own) == 1 else f"{min(own)} to {max(own)}"
        found.append((family, weights, f"{gain:.4f}", part.about[family]))
    return found


def describe_match(match: MatchResult) -> str:
    """Describe a match in one line, without a full stop."""
    limit = match.limit
    each = f"{limit.seconds:g} s a move" if limit.seconds else f"depth {limit.depth}"
    return (
        f"against {match.against}: {2 * sum(match.pairs):g} of {2 * len(match.pairs)} points at "
        f"{each}: {_VERDICTS[match.verdict]}"
    )


def page(found: Learned, folder: Path) -> str:
    """Write the report as HTML; the folder has the game if features were written."""
    return cards(f"Learned: {found.game}", _sections(found, folder))


def _sections(found: Learned, folder: Path) -> Iterator[str]:
    parts = [("Features", found.features), ("Strategies", found.strategies)]
    for title, part in parts:
        if part is not None:
            yield _show_chosen(title, part, found)
    if found.features.written:
        circuits, config = knowledge.load(str(folder))
        yield _weights(config)
        if found.decided:
            yield _decisions(found, circuits)
    for title, part in parts:
        if part is not None:
            tried = [(name, str(count)) for name, count in part.tried.items()]
            yield section(f"{title} that were tried", (), ("family", "names that varied"), tried)


def _show_chosen(title: str, part: Part, found: Learned) -> str:
    """Show the chosen families of a part, with its match."""
    paragraphs = [] if part.match is None else [describe_match(part.match)]
    won, why = part.match is not None and part.match.is_stronger, why_not_written(part)
    lost = f"Written all the same: {why}." if part.written else f"Not written: {why}."
    paragraphs.append("Written." if won else lost)
    if part is found.features and part.choice is not None:
        fitted = (
            f"Log-loss of results that weights were not fitted to: {part.choice.loss:.4f}, and "
            f"{part.choice.without:.4f} without any rule."
        )
        paragraphs = [describe(found), fitted, *paragraphs]
    columns = ("rule", "weight", "gain", "what it is")
    return section(title, paragraphs, columns, family_rows(part))


def _weights(config: Config) -> str:
    """List every weight with the sentence of its feature or strategy."""
    return section(
        "Weights",
        ["100 units multiply the odds of a win by 2.7."],
        ("name", "weight", "what it means"),
        [
            (render(name), str(weight), config.texts.comment(program, render(name)))
            for program in KINDS
            for name, weight in config.weights[program].items()
        ],
    )


def _decisions(found: Learned, circuits: Circuits) -> str:
    """Show positions in which one family decides."""
    figures, game = [], rooms.by_circuits(circuits)
    for family, case in found.decided.items():
        position = RulePosition(game, (), case.row)
        shown = position.diagram(case.better)
        names = circuits.rules.display.move_texts([case.better, case.worse])
        caption = (
            f"{family}: {position.turn} to move plays {names[case.better]}; without this rule "
            f"it would be {names[case.worse]}. The difference is {case.by}."
        )
        figures.append((diagram.svg(shown) if shown else [], caption))
    return section("Where they decide", ["By what follows at once."], figures=figures)
