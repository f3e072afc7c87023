"""`advisor game`: games that are given by their rules alone."""

from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.files.textfile import amount
from advisor.library import checking


@command("game check", "advisor game check tictactoe")
def check(
    *,
    game: options.Game,
    games: Annotated[int, typer.Option(min=1, max=100_000)] = checking.GAMES,
    compare: Annotated[int, typer.Option(min=0)] = checking.COMPARED,
    seed: options.Seed = 1,
    const: options.Constants = None,
    output: options.Output,
) -> None:
    """Play random games and check that the rules keep the contract.

    It also describes the game and warns of likely mistakes: atoms that nothing derives, a turn that
    never passes, legal moves of the same name, games that never end.

    Args:
        games: How many random games to play.
        compare: On how many of their states to ask clingo too, at most.
    """
    report = advisor.check_game(
        game,
        games=games,
        compare=compare,
        seed=seed,
        constants=options.constants(const),
        on_warning=lambda warning: options.note(warning, "warning"),
    )
    screen.answer(output.json, report.to_json, lambda out: _print_report(out, report))


def _print_report(out: screen.Out, report: checking.Report) -> None:
    out.paragraph(f"{report.name}: keeps the contract", style="bold")
    first, second = report.roles
    one, two, drawn = report.results
    unfinished = f", unfinished {report.unfinished}" if report.unfinished else ""
    length = report.length and "{0} to {2}, mean {1:.1f}".format(*report.length)
    rows = {
        "random games": report.games,
        "results": f"{first} won {one}, {second} won {two}, drawn {drawn}{unfinished}",
        "length in plies": length or "unknown, as no game has ended",
        "moves of a state": f"mean {report.branching[0]:.1f}, at most {report.branching[1]}",
        "moves in all": report.moves,
        "atoms of a state": report.base,
        "states met": f"{report.states}, {report.distinct} of them different",
        "equal to clingo on": f"{report.compared} of them",
        **{
            f"circuit {name}": f"{amount(gates, 'gate')} on {amount(report.levels[name], 'level')}"
            for name, gates in report.gates.items()
        },
        "plies a second": f"{report.plies_per_second:,.0f}",
    }
    out.print(screen.table(("what", "found"), rows.items(), left=("what", "found")))
