"""Let the engine of an exported game play as a program of `advisor match` and `bench quality`.

    advisor bench quality benchmarks/data/quality_pons.txt --weights \\
        "program:python benchmarks/compare/exported_play.py connect4:time=1"
    advisor match "program:python benchmarks/compare/exported_play.py hex:time=0.3" \\
        "program:python benchmarks/compare/openspiel.py hex:time=0.3" --game hex --games 40

It needs node, and speaks the part of UCI that this needs (see docs/own-game.md). The engine runs
as in the file, one thread, without the page. Constants follow the game: ``hex size=11``.
"""

import sys
from typing import Any

from advisor.games.rooms import USUAL
from exported_engine import ExportedEngine


def read_position(words: list[str]) -> dict[str, Any]:
    """Read the words after ``position`` as the engine takes them: a beginning, then moves."""
    kind, *told = words
    end = told.index("moves") if "moves" in told else len(told)
    begun = {"board": " ".join(told[:end])} if kind == "fen" else {}
    return {**begun, "moves": told[end + 1 :]}


def serve(engine: ExportedEngine) -> None:
    """Answer commands until the input ends."""
    position: dict[str, Any] = {}
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("id name exported\nuciok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", *words]:
                position = read_position(words)
            case ["go", "movetime", milliseconds]:
                asked = {**position, "time": int(milliseconds) / 1000}
                best = engine.ask("page", path="suggest", body=asked)["best"]
                print("bestmove", best[0], flush=True)
            case ["quit"]:
                return


def main() -> None:
    game, *chosen = sys.argv[1:] or [USUAL]
    pairs = (each.split("=") for each in chosen)
    with ExportedEngine(game, {constant: int(value) for constant, value in pairs}) as engine:
        serve(engine)


if __name__ == "__main__":
    main()
