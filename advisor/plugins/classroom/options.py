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
