"""The options of `advisor serve` for a class."""

from dataclasses import dataclass
from typing import Annotated

import typer


@dataclass(frozen=True, slots=True)
class ClassOptions:
    """A class to be served."""

    class_folder: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="FOLDER",
            help="Let a class hand in strategies at class.html and play a tournament; they are "
            "kept in this folder.",
        ),
    ] = None
    class_game: Annotated[
        str | None,
        typer.Option(
            "--class-game",
            metavar="NAME",
            help="The game that the class plays, one of the advisor's or the name of a folder of "
            "--game.",
            show_default="connect4",
        ),
    ] = None
    students: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The names of the students, one a line; only they may hand in, each with a code "
            "that the teacher's page shows.",
        ),
    ] = None
