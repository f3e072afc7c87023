"""`advisor prove`: Allis' strategic rules, as a plan that a person can read and play by."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from advisor.cli import options, screen
from advisor.errors import InputError
from advisor.games.connect4.board import DISCS
from advisor.games.connect4.notation import read_board
from advisor.games.connect4.victor import proof_text, prove
from advisor.games.connect4.victor.playout import play_out
from advisor.lab.measure.prove import BenchProve, bench_prove, bench_search, sample
from advisor.lab.measure.solve import read_test_set
from advisor.limits import interruptible
from advisor.settings import config

_PLAYERS = {symbol: player for player, symbol in DISCS.items() if player}


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(name="prove")(find)


def find(
    board: options.BoardArgument,
    player: Annotated[
        str | None,
        typer.Option("--for", metavar="x|o", help="Prove something for this player only."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Use nothing that goes beyond Allis' thesis.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Play the plan out, against every reply if possible.")
    ] = False,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Prove by Allis' nine rules that a player holds or wins a position, and say how."""
    if player is not None and player not in _PLAYERS:
        raise InputError(f"--for: '{player}' is no player (use x or o)")
    given = read_board(board, size=options.chosen_size(size, connect))
    try:
        with interruptible() as stop:
            wanted = _PLAYERS[player] if player else None
            found = prove.prove(given.position, strict, wanted, stop)
    except InputError as error:
        raise InputError(f"{given.name}: {error}") from None
    played = play_out(found) if check and found else None
    if json:
        screen.print_json(proof_text.to_json(found, played))
    else:
        out = screen.console(no_color)
        for line in proof_text.report(found, played):
            out.print(_coloured(line), soft_wrap=_is_picture(line))
    if found is None:
        raise typer.Exit(1)


def bench(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A test set: moves and exact score on each line. Random positions if none.",
        ),
    ] = None,
    positions: Annotated[int, typer.Option(min=1, help="How many random positions.")] = 500,
    seed: options.Seed = 1,
    depth: Annotated[int, typer.Option(min=1, help="Of the look-aheads compared.")] = 9,
    searches: Annotated[int, typer.Option(min=0, help="How many look-aheads to compare.")] = 20,
    strict: Annotated[
        bool, typer.Option("--strict", help="Use nothing that goes beyond Allis' thesis.")
    ] = False,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Measure the prover: speed, share of true claims proved, wrong claims, help to the search."""
    if file is None:
        cases = sample(positions, seed)
    else:
        cases = [(case.position, case.score) for case in read_test_set(file)]
    with screen.progress(no_color) as progress:
        measured = bench_prove(progress.track(cases, description="positions"), strict)
    compared = [position for position, _ in cases[:searches]]
    without, with_prover = bench_search(compared, config.load(), depth)
    if json:
        efforts = {"without": asdict(without), "with": asdict(with_prover)}
        screen.print_json({**measured.to_json(), "search": {"depth": depth, **efforts}})
    else:
        out = screen.console(no_color)
        _print_proofs(out, measured)
        out.print()
        rows = [
            (name, str(len(compared)), str(e.nodes), str(e.leaves), f"{e.seconds:.2f}")
            for name, e in (("without", without), ("with", with_prover))
        ]
        names = (f"depth {depth}", "positions", "nodes", "leaves", "seconds")
        out.print(screen.table(names, rows, left=names[:1]))
    if measured.wrong:
        raise typer.Exit(1)


def _print_proofs(out: Console, measured: BenchProve) -> None:
    rows = []
    for discs, tally in sorted(measured.by_discs.items()):
        counts = [f"{tally.proved[player]} of {tally.true[player]}" for player in (1, 2)]
        rows.append((str(discs), *counts))
    out.print(screen.table(("discs", "x wins, proved", "o holds, proved"), rows))
    out.print()
    rate = measured.calls / measured.seconds if measured.seconds else 0.0
    out.print(
        f"{measured.calls} questions, {rate:.0f} a second, median "
        f"{1000 * measured.median_seconds:.2f} ms; {len(measured.wrong)} wrong claims",
        style="bold",
    )


def _is_picture(line: str) -> bool:
    """Rows of a board are never wrapped."""
    return line.startswith("  ")


def _coloured(line: str) -> Text:
    text = Text(line)
    if _is_picture(line):
        text.highlight_regex(r"(?<= )x(?= |$)", "bold red")
        text.highlight_regex(r"(?<= )o(?= |$)", "bold yellow")
        text.highlight_regex(r"(?<= )[A-Zh]\d*", "bold cyan")
    elif line.startswith("proved"):
        text.stylize("bold")
    return text
