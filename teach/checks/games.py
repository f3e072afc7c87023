"""Lessons 7 and 8: your own games and players."""

import json
import math
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Collection
from pathlib import Path

from advisor import AdvisorError, Game, load_game, position, suggest
from checks.verdicts import BEGIN, Verdict, difference, explain_difference, nothing_yet
from course import ProgramError, answer_sets

State = tuple[int, ...]
"""Number of matches in each heap."""


def _check_rules(
    text: str, begin: State, taken: Callable[[State], dict[str, State]], last_wins: bool
) -> Verdict:
    """Check a game of matches in every state that can occur.

    Args:
        text: the rules of the game.
        begin: the matches of each heap at the start.
        taken: the moves of a state, each with the state that it leads to.
        last_wins: whether taking the last match wins.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rules.lp").write_text(text)
        try:
            return _check_game(load_game(folder), begin, taken, last_wins)
        except AdvisorError as error:
            told = str(error).replace(f"{folder}/", "").replace("rules.lp: ", "")
            return Verdict(False, told.replace("rules.lp:", "line "))


def _check_game(
    game: Game, begin: State, taken: Callable[[State], dict[str, State]], last_wins: bool
) -> Verdict:
    """Check a loaded game; see `_check_rules`."""
    seen: set[tuple[State, str]] = set()
    states = [(begin, game.position())]
    for heaps, state in states:  # the list grows
        here = f"after {' '.join(state.played)}" if state.played else "at the beginning"
        moves = taken(heaps)
        if state.over and moves:
            return Verdict(False, f"{here} the game is over by your rules, and should go on")
        if not moves:
            loser, winner = state.turn, next(p for p in game.players if p != state.turn)
            wanted = winner if last_wins else loser
            if not state.over or state.winner != wanted:
                found = f"{state.winner or 'nobody'} has" if state.over else "the game goes on"
                return Verdict(False, f"{here} {wanted} has won; by your rules {found}")
        elif difference := set(state.moves) ^ set(moves):
            move = min(difference)
            legal = "is" if move in state.moves else "is not"
            return Verdict(False, f"{here} {move} {legal} legal by your rules")
        for move, left in moves.items():
            following = state.play(move)
            if not following.over and following.turn == state.turn:
                line = " ".join(following.played)
                return Verdict(False, f"after {line} it is still {state.turn}'s turn by your rules")
            if (left, following.turn) not in seen:
                seen.add((left, following.turn))
                states.append((left, following))
    return Verdict(True, f"{len(states)} states, each as it should be")


def _one_heap(heaps: State) -> dict[str, State]:
    (left,) = heaps
    return {f"take({k})": (left - k,) for k in (1, 2, 3) if k <= left}


def misere(matches: str, goals: str) -> Verdict:
    """7.1: the last match loses."""
    if nothing_yet(goals):
        return BEGIN
    kept = [line for line in matches.splitlines() if not line.startswith("goal(")]
    return _check_rules("\n".join([*kept, goals]), (11,), _one_heap, last_wins=False)


def two_heaps(text: str) -> Verdict:
    """7.2: matches from two heaps."""
    if nothing_yet(text):
        return BEGIN

    def taken(heaps: State) -> dict[str, State]:
        return {
            f"take({h + 1},{k})": (*heaps[:h], heaps[h] - k, *heaps[h + 1 :])
            for h in (0, 1)
            for k in range(1, heaps[h] + 1)
        }

    return _check_rules(text, (3, 4), taken, last_wins=True)


def leave(matches: str, program: str) -> Verdict:
    """7.3: a rule for the winning moves."""
    if nothing_yet(program):
        return BEGIN
    for left in range(1, 12):
        lost = {0, 4, 8}
        wanted = {f"fires(leave,take({k}))" for k in (1, 2, 3) if left - k in lost}
        given = f"true(left({left})). true(turn(first))."
        try:
            found = answer_sets(matches, given, program, show=["fires"])
        except ProgramError as error:
            return Verdict(False, str(error))
        sets = {answer.atoms for answer in found}, {frozenset(wanted)}
        if sets[0] != sets[1]:
            says = f"with {left} matches left: {difference(*sets)}"
            return Verdict(False, says, why=explain_difference(program, [matches, given], *sets))
    return Verdict(True, "nobody has to look ahead any more")


_MIDDLE_ONLY = "fires(near(N), move(R, C)) :- valid_move(R, C), N = |2*C - width - 1| / 2."


def _handed_in(folder: Path, name: str, program: str, weights: str) -> Path:
    """Write the two files of a player."""
    (folder / f"{name}.lp").write_text(program)
    indented = textwrap.indent(textwrap.dedent(weights).strip() or "{}", "  ")
    file = folder / f"{name}.yaml"
    head = f"extends: default\nencodings: {{moves: [{name}.lp]}}\n"
    file.write_text(f"{head}moves:\n{indented}\n")
    return file


def player(program: str, weights: str) -> Verdict:
    """8.1: a player that beats one that only knows the middle."""
    if nothing_yet(program):
        return BEGIN
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _handed_in(folder, "you", program, weights)
        _handed_in(folder, "middle", _MIDDLE_ONLY, "near: {0: 3, 1: 2, 2: 1, 3: 0}")
        command = [sys.executable, "-m", "advisor", "tournament", name, "--json"]
        done = subprocess.run(
            [*command, "--depth", "0", "--games", "12", "--plies", "5"],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            told = done.stderr.strip().replace(f"{name}/", "")
            return Verdict(False, told.removeprefix("error: "))
    points = {line["player"]: line["points"] for line in json.loads(done.stdout)["table"]}
    says = f"{points['you']:g} of 12 points against the middle"
    return Verdict(points["you"] >= 9, says if points["you"] >= 9 else f"{says}; 9 are asked for")


def enough_games(games: int) -> Verdict:
    """8.2: the number of games after which 55 % is more than chance."""
    if games < 1:
        return Verdict(False, "no number yet")
    noise = 1.96 * 0.5 / math.sqrt(games)
    says = f"after {games} games chance stays within {100 * noise:.2f} % of a half"
    if noise > 0.05:
        return Verdict(False, f"{says}; 5 % are no more than that")
    if games > 1 and 1.96 * 0.5 / math.sqrt(games - 1) <= 0.05:
        return Verdict(False, f"{says}; that is enough, but fewer are too")
    return Verdict(True, says)


FILES = {
    "a": "fires(low, move(1, C)) :- valid_move(1, C).",
    "b": "valid_move(R, C) :- square(R, C).",
    "c": "near(C) :- C = 3..5. fires(near, move(R, C)) :- valid_move(R, C), near(C).",
    "d": ":- best_move(R, C), C = 1.",
    "e": "{ fires(any, move(R, C)) : valid_move(R, C) }.",
    "f": "fires(quiet, move(R, C)) :- valid_moves(R, C).",
}
"""The files of exercise 8.3."""


def refused(letters: Collection[str]) -> Verdict:
    """8.3: contents that a user's file must not have; only the answer's letters are named."""
    if not letters:
        return Verdict(False, "no letter yet")
    if strange := sorted(set(letters) - set(FILES)):
        return Verdict(False, f"{strange[0]} is none of {', '.join(FILES)}")
    right = {letter for letter, text in FILES.items() if _is_refused(letter, text)}
    if taken := sorted(set(letters) - right):
        return Verdict(False, f"{taken[0]} is taken: it adds a strategy, and nothing else")
    if missing := len(right - set(letters)):
        more = "1 more is" if missing == 1 else f"{missing} more are"
        return Verdict(False, f"these are refused, but {more}")
    return Verdict(True, "files may add strategies and features, and nothing else")


def _is_refused(letter: str, text: str) -> bool:
    """Return whether the advisor refuses a file."""
    names = dict.fromkeys(re.findall(r"fires\((\w+)", text))
    weights = "".join(f"{name}: 1\n" for name in names)
    with tempfile.TemporaryDirectory() as folder:
        file = _handed_in(Path(folder), letter, text, weights)
        try:
            suggest(position(), weights=file, depth=0)
        except AdvisorError:
            return True
    return False
