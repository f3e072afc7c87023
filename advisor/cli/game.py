"""`advisor game`: games that are given by their rules alone."""

import sys
from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import Group, example
from advisor.files.textfile import file_name
from advisor.library import checking

_game = typer.Typer(help="Games from their rules alone.", cls=Group)


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    _game.command(epilog=example("advisor game check tictactoe"))(check)
    _game.command("import", epilog=example("advisor game import nim.kif -o nim"))(import_sheet)
    app.add_typer(_game, name="game")


def check(
    game: options.Game,
    games: Annotated[
        int, typer.Option(min=1, max=100_000, help="How many random games to play.")
    ] = checking.GAMES,
    compare: Annotated[
        int, typer.Option(min=0, help="On how many of their states to ask clingo too, at most.")
    ] = checking.COMPARED,
    seed: options.Seed = 1,
    const: options.Constants = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Play random games and check that the rules keep the contract.

    It also describes the game and warns of likely mistakes: atoms that nothing derives, a turn that
    never passes, legal moves of the same name.
    """
    report = advisor.check_game(
        game,
        games=games,
        compare=compare,
        seed=seed,
        constants=options.chosen_constants(const),
        on_warning=lambda warning: print(f"warning: {warning}", file=sys.stderr),
    )
    if json:
        screen.print_json(report.to_json())
    else:
        _print_report(report, no_color)


def import_sheet(
    sheet: Annotated[
        Path, typer.Argument(metavar="RULES.kif", help="A rule sheet in GDL, in prefix notation.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the game is written.")
    ],
    no_color: options.NoColor = False,
) -> None:
    """Turn a rule sheet of the Game Description Language into a game."""
    target, found = advisor.import_game(sheet, output)
    screen.print_noted(found.notes)
    rows = {
        "players": " and ".join(found.players),
        "atoms of a state": f"{found.base:,}",
        "moves": " and ".join(f"{count:,}" for count in found.moves),
    }
    out = screen.console(no_color)
    out.print(screen.table((file_name(target), "found"), rows.items(), left=("found",)))


def bench(
    game: options.Game,
    const: options.Constants = None,
    seed: options.Seed = 1,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Measure how fast the circuits of a game are.

    The ways to play it are counted, and it is played at random.
    """
    constants = options.chosen_constants(const)
    measured = advisor.bench_game(game, constants, seed)
    if json:
        screen.print_json(measured.to_json())
        return
    native = {}
    if measured.native is not None:
        names = "random games as machine code", "their moves as machine code"
        native = {n: f"{rate:,.0f}/s" for n, rate in zip(names, measured.native, strict=True)}
    if measured.native_perft is not None:
        native["ways to play as machine code"] = f"{measured.native_perft:,.0f}/s"
    rows = {
        "grounded": f"{measured.ground_seconds:.2f} s",
        "compiled": f"{measured.compile_seconds:.2f} s",
        f"{measured.nodes:,} ways to play {measured.plies} plies": f"{measured.perft:,.0f}/s",
        "random games": f"{measured.playouts:,.0f}/s",
        "their moves": f"{measured.plies_played:,.0f}/s",
        **native,
        "look, batches of 1,024": f"{measured.look:,.0f}/s",
        "step": f"{measured.step:,.0f}/s",
        "leaf": f"{measured.leaf:,.0f}/s",
    }
    out = screen.console(no_color)
    out.print(screen.table((measured.game, "speed"), rows.items(), left=(measured.game,)))


def _print_report(report: checking.Report, no_color: bool) -> None:
    out = screen.console(no_color)
    out.print(f"{report.name}: keeps the contract", style="bold")
    out.print()
    first, second = report.roles
    one, two, drawn = report.results
    shortest, mean, longest = report.length
    unfinished = f", unfinished {report.unfinished}" if report.unfinished else ""
    rows = {
        "random games": str(report.games),
        "results": f"{first} won {one}, {second} won {two}, drawn {drawn}{unfinished}",
        "length in plies": f"{shortest} to {longest}, mean {mean:.1f}",
        "moves of a state": f"mean {report.branching[0]:.1f}, at most {report.branching[1]}",
        "moves in all": str(report.moves),
        "atoms of a state": str(report.base),
        "states met": f"{report.states}, {report.distinct} of them different",
        "equal to clingo on": f"{report.compared} of them",
        **{
            f"circuit {name}": f"{gates} gates on {report.levels[name]} levels"
            for name, gates in report.gates.items()
        },
        "plies a second": f"{report.plies_per_second:,.0f}",
    }
    out.print(screen.table(("what", "found"), rows.items(), left=("what", "found")))
