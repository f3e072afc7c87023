"""Run each command for each game, and show in a table which ones answer.

    python benchmarks/measure/abilities.py [GAMES ...]

The games are the advisor's own and the game of docs/own-game.md, in a new folder. It prints a table
in Markdown and, below it, the text of each refusal. It exits with 1 if a command ends with a
traceback.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import advisor

OWN = "squares"
GAMES = ("connect4", "chess", "hex", "breakthrough", "reversi", "gomoku", "morris", "tictactoe")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "own-game.md"
SECONDS = 240
"""Seconds after which a command is stopped."""

Arguments = Callable[[str, Sequence[str]], Sequence[str]]
"""A function that returns the arguments of `advisor` for a game and some moves from its start."""

ABILITIES: dict[str, Arguments] = {
    "suggest, reasons": lambda g, m: ["suggest", *at(g, m), "--explain", "--time", "0.5"],
    "exact results": lambda g, m: ["suggest", *at(g, m), "--exact", "--time", "0.5"],
    "play": lambda g, m: ["play", *at(g, m), "--time", "0.2"],
    "levels": lambda g, m: ["suggest", *at(g, m), "--level", "3"],
    "legal moves": lambda g, m: ["moves", *at(g, m)],
    "review": lambda g, m: ["review", *at(g, m), "--depth", "1"],
    "pictures": lambda g, m: ["draw", *at(g, m), "-o", "board.svg"],
    "solve": lambda g, m: ["solve", *at(g, m), "--time", "1"],
    "prove": lambda g, m: ["prove", *at(g, m), "--time", "1"],
    "analyse": lambda g, m: ["analyse", "lines", *of(g), "--depth", "1"],
    "puzzles made": lambda g, m: [
        *("puzzles", "make", "--count", "1", "-o", "made", "--win-in", "2", "--many", *of(g))
    ],
    "puzzles replayed": lambda g, m: ["puzzles", "replay", "made"],
    "quiz": lambda g, m: ["quiz", "made"],
    "match": lambda g, m: ["match", "default:depth=1", "random", "--games", "2", *of(g)],
    "tournament": lambda g, m: ["tournament", "class", "--games", "2", "--depth", "1", *of(g)],
    "weights": lambda g, m: ["weights", *of(g)],
    "tune": lambda g, m: ["tune", "--games", "20", "-o", "tuned.yaml", "--game", g],
    "fires": lambda g, m: ["fires", "--games", "2", *of(g)],
    "facts": lambda g, m: ["facts", *at(g, m)],
    "circuit": lambda g, m: ["circuit", *of(g)],
    "check": lambda g, m: ["game", "check", g, "--games", "2"],
}


def of(game: str) -> list[str]:
    """Return the arguments that name a game."""
    return [] if game == "connect4" else ["--game", game]


def at(game: str, moves: Sequence[str]) -> list[str]:
    """Return the arguments that name a game and a position of it."""
    return [*of(game), ("" if game == "connect4" else " ").join(moves)]


def own_game(folder: Path) -> None:
    """Write the game of the page into a folder."""
    text = PAGE.read_text(encoding="utf-8")
    files = re.findall(rf"```prolog\n% ({OWN}/\S+)\n(.*?)```", text, re.DOTALL)
    for name, program in files:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(program, encoding="utf-8")
    begun = folder / OWN / "rules.lp"
    others = [Path(name).name for name, _ in files if not name.endswith("/rules.lp")]
    named = [name for name in others if name not in ("features.lp", "strategy.lp")]
    for name in {*others} - {*named}:
        (folder / OWN / name).unlink()  # the page adds weights only later
    uses = "".join(f'uses("{name}").\n' for name in named)
    begun.write_text(begun.read_text(encoding="utf-8") + uses, encoding="utf-8")


def run(arguments: Sequence[str], folder: Path) -> tuple[str, str]:
    """Run a command; return its cell of the table, and its message."""
    command = [sys.executable, "-m", "advisor", *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, input="", capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return "too slow", f"still at work after {SECONDS} s"
    if "Traceback" in done.stderr:
        return "TRACEBACK", done.stderr
    if done.returncode in (0, 1):  # 1 means "no"
        return "yes", ""
    return "no", done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no word"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[*GAMES, OWN])
    games = parser.parse_args().games
    cells: dict[str, list[str]] = {name: [] for name in ABILITIES}
    refusals: list[str] = []
    for game in games:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            own_game(folder)
            loaded = advisor.load_game(folder / OWN if game == OWN else game)
            position = loaded.position()
            for _ in range(4):
                position = position.play(position.moves[len(position.moves) // 2])
            moves = [str(move) for move in position.played]
            (folder / "lines").write_text(at(game, moves)[-1] + "\n", encoding="utf-8")
            (folder / "class").mkdir()
            for student in ("ada", "ben"):
                text = "extends: default\n"
                (folder / "class" / f"{student}.yaml").write_text(text, encoding="utf-8")
            for name, arguments in ABILITIES.items():
                cell, said = run(arguments(game, moves), folder)
                cells[name].append(cell)
                if said:
                    refusals.append(f"{game}, {name}: {said}")
                print(f"{game}, {name}: {cell}", file=sys.stderr, flush=True)
    print(f"| | {' | '.join(games)} |\n|---{'|---' * len(games)}|")
    for name, row in cells.items():
        print(f"| {name} | {' | '.join(row)} |")
    print("", *refusals, sep="\n")
    return int(any("TRACEBACK" in row for row in cells.values()))


if __name__ == "__main__":
    sys.exit(main())
