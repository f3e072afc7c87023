"""`advisor threats`: what the opponent threatens."""

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command


@command("threats", "advisor threats 142454")
def threats(*, where: options.Where, output: options.Output) -> None:
    """Say what the opponent threatens in a position.

    It gives the opponent the turn and shows their wins at once, or else the effects of their moves.
    In Connect Four it also shows the squares on which either player can win later.
    """
    name, position = where.position(weights=None)
    found = advisor.threats(position)
    if output.json:
        screen.print_json(found.to_json())
        return
    out = screen.console()
    out.paragraph(f"{name}: {position.status}")
    screen.print_board(out, position, lettered=True)
    for sentence in found.sentences:
        out.print(sentence)
