"""Checks users' games against clingo."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from advisor.errors import EncodingError
from advisor.games import check as checking
from advisor.games import knowledge, slips
from advisor.games.check import COMPARED, GAMES, Report
from advisor.games.rules import rule_files
from advisor.library import arguments
from advisor.limits import MAX_GAMES

__all__ = ["COMPARED", "GAMES", "Report", "check_game"]


def check_game(
    game: str,
    *,
    games: int = GAMES,
    compare: int = COMPARED,
    seed: int = 1,
    constants: Mapping[str, int] | None = None,
    on_warning: Callable[[str], None] = lambda _: None,
) -> Report:
    """Play random games and check every state against the contract of rules.

    >>> report = advisor.check_game("tictactoe", games=20, compare=5)
    >>> report.name, report.games, report.moves, report.warnings
    ('tictactoe', 20, 9, ())

    Args:
        game: a name or a folder.
        compare: most states that are also compared with clingo.
        seed: of the moves.
        constants: values for the constants that the rules leave open.
        on_warning: called with each likely mistake, even in rules that are no game yet.

    Raises:
        InputError: there is no such game, or a number that is none.
        EncodingError: the rules break the contract: file, atom, and the moves that led there.
    """
    many, compare = arguments.games(games), arguments.whole("compare", compare, 0, MAX_GAMES)
    seed, warnings = arguments.seed(seed), list[str]()
    try:
        circuits, _ = knowledge.load(game, constants=arguments.constants(constants))
        warnings += slips.ground_warnings(circuits.rules)
        report = checking.check(circuits, many, seed, compare)
    except EncodingError:
        files = rule_files(game)
        warnings = warnings or [*slips.text_warnings(files), *slips.unheld(files)]
        for warning in warnings:
            on_warning(warning)
        raise
    report = replace(report, warnings=(*warnings, *report.warnings))
    for warning in report.warnings:
        on_warning(warning)
    return report
