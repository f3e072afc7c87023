"""Arguments and options that several commands share."""

from typing import Annotated

import typer

from advisor.config import DEFAULT, MAX_DEPTH

BoardArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="A board or puzzle file (YAML), a .lp file of cell/3 facts, a move string such as "
        "4453, a one-line picture with / between rows, or - for standard input.",
        show_default=False,
    ),
]
Weights = Annotated[
    str, typer.Option(metavar="FILE", help="A weights file (YAML) or the name of a preset.")
]
Depth = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=MAX_DEPTH,
        help="Plies to look ahead; 0 asks for the answer set of the position alone.",
        show_default="the weights file's",
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        "--time",
        min=0.001,
        max=86400,
        metavar="SECONDS",
        help="Look ahead as deep as this time allows.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="Print without colours.")]

DEFAULT_WEIGHTS = DEFAULT
