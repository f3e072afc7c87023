"""Play the tournament of a class of thirty: hand in thirty strategies, and time all against all.

    python benchmarks/measure/thirty.py [--own] [--depth 2] [--openings 2] [--students 30]

It starts `advisor serve --class` and hands in small strategies, all at once and from one address:
five are broken, each in its own way, and two differ only by names and comments. Then it plays a
tournament as the teacher's page does, and prints the table, what the teacher sees, and the times.
With `--own` the class plays a game that the advisor knows by its rules alone, on 5x5.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from hand_ins import ask, family
from web_load import server

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from walking import write_games


class Words(NamedTuple):
    """How a game says what a strategy needs: a move to (R, C), that it is legal, a disc there."""

    move: str
    legal: str
    disc: str
    ideas: dict[str, str]


CONNECT4 = Words(
    "move(R, C)",
    "valid_move(R, C)",
    "cell(P, R, C)",
    {
        "edge": "C = (1; width)",
        "middle": "2 * C = width + 1",
        "low": "R <= 2",
        "high": "R >= 4",
        "even": "R \\ 2 = 0",
        "left": "C <= 3",
        "beside": "cell(P, R, C'), |C - C'| = 1",
        "covers": "opponent(P, P'), cell(P', R - 1, C)",
        "meets": "opponent(P, P'), cell(P', R, C'), |C - C'| = 1",
        "slope": "cell(P, R - 1, C'), |C - C'| = 1",
        "good": "good_row(P, R)",
        "open": "on_line(L, R, C), open(P, L), cell(P, R', C'), on_line(L, R', C'), C != C'",
    },
)
OWN = Words(
    "put(R, C)",
    "free(R, C)",
    "mark(P, R, C)",
    {
        "rim": "R = (1; 5)",
        "side": "C = (1; 5)",
        "centre": "R = 3, C = 3",
        "inside": "R = 2..4, C = 2..4",
        "diagonal": "R = C",
        "beside": "mark(P, R, C'), |C - C'| = 1",
        "above": "mark(P, R', C), |R - R'| = 1",
        "meets": "other(P, P'), mark(P', R, C'), |C - C'| = 1",
        "between": "mark(P, R, C - 1), mark(P, R, C + 1)",
        "upright": "mark(P, R - 1, C), mark(P, R + 1, C)",
    },
)
"""Conditions under which a move, or a disc, is worth something."""

BROKEN = {
    "a full stop is missing": "fires(bad, MOVE) :- LEGAL\n",
    "an unsafe variable": "fires(bad, MOVE) :- turn(P), R = 1.\n",
    "a misspelt predicate": "fires(bad, MOVE) :- turn(P), LEGAL, trn(P).\n",
    "endless grounding": "n(0). n(X + 1) :- n(X).\nfires(bad, MOVE) :- LEGAL, n(C).\n",
    "a misspelt weight": "fires(bed, MOVE) :- LEGAL.\n",
}


class Strategy(NamedTuple):
    """A strategy to hand in; `wrong` is empty if it can play."""

    name: str
    weights: str
    rules: str
    wrong: str = ""


def strategies(words: Words) -> Iterator[Strategy]:
    """Yield the broken ones, the two that are alike, then different ones."""
    for number, (wrong, rules) in enumerate(BROKEN.items(), 1):
        rules = rules.replace("MOVE", words.move).replace("LEGAL", words.legal)
        yield Strategy(f"Broken {number}", weigh("moves: {bad: 5}"), rules, wrong)
    first, *_ = words.ideas
    alike = make(words, "Alike 1", first, first, 80)
    mine = alike.rules.replace(first, "mine"), alike.weights.replace(first, "mine")
    yield alike
    yield Strategy("Alike 2", mine[1], f"% All my own work.\n\n{mine[0]}")
    ideas = [*words.ideas]
    for number in range(1, len(ideas) ** 2):
        one = ideas[number % len(ideas)]
        other = ideas[(number + 1 + number // len(ideas)) % len(ideas)]
        yield make(words, f"{one} {other}", one, other, 100 + number)


def make(words: Words, name: str, one: str, other: str, weight: int) -> Strategy:
    """Make a strategy: one idea speaks for moves, another is a feature."""
    move, legal, disc, ideas = words
    rules = (
        f"fires({one}, {move}) :- turn(P), {legal}, {ideas[one]}.\n"
        f"feature({other}, P, (R, C)) :- {disc}, {ideas[other]}.\n"
        f'sentence(fires({one}), "is {one}").\nsentence(feature({other}), "{other}").\n'
    )
    return Strategy(name, weigh(f"moves: {{{one}: {weight}}}\nfeatures: {{{other}: 50}}"), rules)


def weigh(more: str) -> str:
    """Return the text of a weights file."""
    return f"extends: default\nencodings: {{extra: [strategy.lp]}}\n{more}\n"


def main() -> None:
    """Hand in, play, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--own", action="store_true", help="a game of one's own")
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--openings", type=int, default=2)
    parser.add_argument("--students", type=int, default=30)
    options = parser.parse_args()
    words = OWN if options.own else CONNECT4
    handed = [*islice(strategies(words), options.students)]
    with tempfile.TemporaryDirectory() as place:
        arguments = ["--class", f"{place}/class"]
        if options.own:
            game, *_ = write_games(Path(place))
            arguments += ["--game", str(game), "--class-game", game.name]
        with server(*arguments, lines=3) as (address, process):
            key = urlsplit(address).fragment.removeprefix("owner=")
            began, worked = time.monotonic(), processor_time(process)
            with ThreadPoolExecutor(len(handed)) as together:
                for each, took in zip(
                    handed, together.map(lambda s: hand_in(address, s), handed), strict=True
                ):
                    print(f"{each.name:15} {took}")
            took, worked = time.monotonic() - began, processor_time(process) - worked
            print(f"all were checked in {took:.0f} s, {worked:.0f} s of processor time\n")
            play(address, key, process, options)
            tell(address, key)


def hand_in(address: str, each: Strategy) -> str:
    """Hand in a strategy; return the time and the answer."""
    began = time.monotonic()
    texts = {"name": each.name, "weights": each.weights, "rules": each.rules}
    status, found = ask(address, "class/hand-in", {**texts, "key": f"the code of {each.name}"})
    if (status == 200) == bool(each.wrong):
        sys.exit(f"{each.name}: {status} {found}")
    told = f"{each.wrong}: {found['error']}" if each.wrong else "plays"
    return f"{time.monotonic() - began:5.1f} s  {told}"


def play(address: str, key: str, process: int, options: argparse.Namespace) -> None:
    """Play the tournament to its end, and print the times and the largest memory."""
    began, worked = time.monotonic(), processor_time(process)
    games_over, largest = 0.0, 0.0
    plan = {"depth": options.depth, "openings": options.openings}
    status, found = ask(address, "class/play", {"key": key, **plan})
    if status != 200:
        sys.exit(str(found))
    while (playing := ask(address, "class")[1]["playing"]) is not None:
        over, total = playing
        if over == total and not games_over:
            games_over = time.monotonic() - began
        largest = max(largest, sum(family(process).values()))
        time.sleep(0.5)
    took, worked = time.monotonic() - began, processor_time(process) - worked
    print(
        f"{total} games in {games_over:.0f} s, reviews of lost ones in {took - games_over:.0f} s; "
        f"{worked:.0f} s of processor time; server and children had at most {largest:.0f} MB\n"
    )


def processor_time(process: int) -> float:
    """Return the seconds that a process and its descendants, also those that ended, have used."""
    spent = 0
    for each in family(process):
        with suppress(OSError):  # it has just ended, and its parent counts its time
            stat = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            spent += sum(map(int, stat[11:15]))
    return spent / os.sysconf("SC_CLK_TCK")


def tell(address: str, key: str) -> None:
    """Print the table, and what the teacher sees of each student."""
    _, found = ask(address, "class/results")
    for row in found["table"]:
        share = f"{100 * row['share']:5.1f} %"
        print(f"{row['place']:3} {row['name']:15} {share} {row['points']:5} / {row['games']}")
    for error in (*found["errors"], *found["left_out"].values()):
        print(error)
    print()
    _, seen = ask(address, "class/overview", {"key": key})
    for line in seen["students"]:
        remarks = {name: line[name] for name in ("error", "same_text", "same_moves") if line[name]}
        print(f"{line['name']:15} {line['versions']} / {line['tries']}  {remarks or ''}")


if __name__ == "__main__":
    main()
