"""`advisor draw`: a position as a picture."""

import importlib
import sys
from typing import Annotated, Any

import typer

import advisor
from advisor import extras
from advisor.cli import options
from advisor.cli.groups import command
from advisor.errors import InputError
from advisor.files import outfile
from aspcircuits.stopping import interruptible
from aspcircuits.texts import file_name

_SHARPNESS = 2
"""Pixels of a PNG for each of the picture's natural size, so that it stays crisp when enlarged."""


@command("draw", "advisor draw chapter2/28 -o board.svg --advice")
def draw(
    *,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE")],
    advice: bool = False,
    look: options.LookOptions,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    where: options.Where,
) -> None:
    """Draw a position as SVG, or as PNG with the extra `png`.

    Args:
        output: A .svg or .png file, or - for SVG on stdout.
        advice: Also the suggested move, what each column is worth, squares and lines that win.
    """
    suffix = ".svg" if output == "-" else output.lower()[-4:]
    if suffix not in (".svg", ".png"):
        name = file_name(output)
        raise InputError(f"{name}: cannot tell the kind of picture (use a name in .svg or .png)")
    if not advice and (look, weights) != (options.LookOptions(), options.DEFAULT_WEIGHTS):
        raise InputError("--depth, --level, --time and --weights are for --advice (give it too)")
    cairosvg = _cairosvg() if suffix == ".png" else None
    limit = look.limit
    _, position = where.position(weights if advice else None)
    advised = None
    if advice:
        with interruptible() as stop:
            advised = advisor.suggest(
                position, depth=limit.depth, seconds=limit.seconds, traced=False, stop=stop
            )
        if advised.interrupted:
            options.note(f"interrupted: the picture shows what depth {advised.depth} sees")
    picture = position.svg(advised)
    if output == "-":
        sys.stdout.write(picture)
    elif cairosvg:
        outfile.write(output, cairosvg.svg2png(bytestring=picture.encode(), scale=_SHARPNESS))
    else:
        outfile.write(output, picture.encode())


def _cairosvg() -> Any:
    """Import the optional package that turns SVG into PNG."""
    try:
        return importlib.import_module("cairosvg")
    except ImportError:
        raise InputError(
            f"PNG needs CairoSVG ({extras.install('png')}); SVG needs nothing"
        ) from None
    except OSError:
        raise InputError(
            "PNG needs the system's cairo library (apt install libcairo2); SVG needs nothing"
        ) from None
