"""`advisor moves`: everything that can be played in a position of any game."""

from advisor.cli import options, screen
from advisor.cli.groups import command


@command("moves", "advisor moves 'b2 a1' --game tictactoe")
def moves(
    *,
    boards: bool = False,
    where: options.Where,
    json: options.Json = False,
) -> None:
    """List the legal moves of a position.

    Args:
        boards: Print every following board, with ~ between; of a drawn game DRAW.
    """
    _, position = where.position(weights=None)
    names = position.moves
    pictures = (position.play(move).picture for move in names)
    if json:
        told = [
            {"move": position.code(move), "name": str(move), "san": str(move)} for move in names
        ]
        if boards:
            told = [each | {"board": picture} for each, picture in zip(told, pictures, strict=True)]
        screen.print_json({"moves": told})
    elif names:
        print("\n~\n".join(pictures) if boards else "\n".join(map(str, names)))
    elif boards and not position.winner:
        print("DRAW")
