"""Checks of the exercises: right, or a line on what is wrong and the position where it shows.

What should come out is worked out here by plain Python, so that reading this file gives no rule
away. Each check takes what the exercise asks for and returns a `Verdict`.
"""

import html
import itertools
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor import (
    AdvisorError,
    Board,
    Game,
    compile,
    explain,
    load_game,
    position,
    prove,
    solve,
    suggest,
)
from course import (
    BOARD,
    CONNECT4,
    FITTED,
    MOVES,
    ProgramError,
    answer_sets,
    completes,
    empty_squares,
    escape,
    evaluator,
    examples,
    facts,
    fit,
    log_loss,
    planned,
    table,
)


@dataclass(frozen=True)
class Verdict:
    """What a check says.

    Attributes:
        right: whether the exercise is solved.
        says: one line.
        at: the position in which it shows, if there is one.
    """

    right: bool
    says: str
    at: Board | None = None

    def __repr__(self) -> str:
        text = f"{'Right' if self.right else 'Not yet'}: {self.says}"
        return text if self.at is None else f"{text}\n{self.at}"

    def _repr_html_(self) -> str:
        colour = "#17723f" if self.right else "#8a2a4a"
        word = "Right" if self.right else "Not yet"
        shown = "" if self.at is None else self.at.svg()
        return f'<p style="color: {colour}"><b>{word}</b>: {html.escape(self.says)}</p>{shown}'


def _random_positions(
    count: int, seed: int, least: int = 0, sizes: Sequence[tuple[int, int]] = ((7, 6),)
) -> Iterator[Board]:
    """Positions of random games that go on."""
    rng = random.Random(seed)
    while count:
        width, height = size = rng.choice(list(sizes))
        board = position(size=size)
        for _ in range(rng.randrange(least, width * height - 2)):
            if board.over:
                break
            board = board.play(rng.choice(board.moves))
        if not board.over:
            count -= 1
            yield board


Square = tuple[int, int]
"""Row and column, from 1."""


def _row(board: Board, column: int) -> int:
    """Where the next disc of a column comes to rest."""
    return int((board.cells[:, column - 1] > 0).sum()) + 1


def _lines(size: tuple[int, int]) -> list[list[Square]]:
    """All lines of four."""
    width, height = size
    found = []
    for r, c in np.ndindex(height, width):
        for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
            line = [(r + i * dr + 1, c + i * dc + 1) for i in range(4)]
            if 1 <= line[3][0] <= height and line[3][1] <= width:
                found.append(line)
    return found


def _completing(board: Board, player: int) -> set[Square]:
    """The empty squares on which a player (1 or 2) would complete a line."""
    found = set()
    for line in _lines(board.size):
        discs = [int(board.cells[r - 1, c - 1]) for r, c in line]
        if discs.count(player) == 3 and 0 in discs:
            found.add(line[discs.index(0)])
    return found


def _player(board: Board) -> int:
    """Who is to move, 1 or 2."""
    return 1 if board.turn == "x" else 2


_MOST = 1000
"""Answer sets that are looked at; no exercise has so many."""

_SIZES = (7, 6), (5, 4), (8, 5)

Expected = Callable[[Board], set[frozenset[str]]]


def _nothing_yet(program: str) -> bool:
    """Whether a program is comments only."""
    return not [line for line in program.splitlines() if line.split("%")[0].strip()]


_BEGIN = Verdict(False, "there is no rule here yet; write yours between the quotes")


def _compared(
    program: str,
    files: Iterable[Path],
    show: Sequence[str],
    positions: Iterable[Board],
    expected: Expected,
    praise: str,
) -> Verdict:
    """Whether a program has the answer sets that it should have in some positions."""
    if _nothing_yet(program):
        return _BEGIN
    positions = [*positions]
    for at in positions:
        try:
            given = answer_sets(*files, facts(at), program, show=show, most=_MOST)
        except ProgramError as error:
            return Verdict(False, str(error))
        found = {answer.atoms for answer in given}
        if found != (wanted := expected(at)):
            return Verdict(False, _difference(found, wanted), at)
    return Verdict(True, f"{praise} ({len(positions)} positions compared)")


def _difference(found: set[frozenset[str]], wanted: set[frozenset[str]]) -> str:
    if not found:
        return "in this position your program has no answer set; it contradicts itself"
    if len(found) == len(wanted) == 1:
        ((have,), (should,)) = found, wanted
        if extra := have - should:
            return f"in this position your answer set has {_some(extra)}, which should not hold"
        return f"in this position your answer set lacks {_some(should - have)}"
    count = f"{_many(len(found))} in this position, and there should be {len(wanted)}"
    if extra := found - wanted:
        return f"your program has {count}; {{{_some(_first(extra))}}} should be none"
    return f"your program has {count}; {{{_some(_first(wanted - found))}}} is missing"


def _first(sets: set[frozenset[str]]) -> frozenset[str]:
    return min(sets, key=sorted)


def _many(count: int) -> str:
    if count == 1:
        return "one answer set"
    return f"{count} answer sets{' or more' if count >= _MOST else ''}"


def _some(atoms: Iterable[str]) -> str:
    """The first few."""
    named = sorted(atoms)
    more = f" and {len(named) - 3} more" if len(named) > 3 else ""
    return ", ".join(named[:3]) + more


# Lesson 1


def full_column(program: str) -> Verdict:
    """1.1: the columns that are full."""

    def expected(at: Board) -> set[frozenset[str]]:
        full = set(range(1, at.size[0] + 1)) - set(at.moves)
        return {frozenset(f"full_column({column})" for column in full)}

    positions = [position("444444"), position("11221122", size=(5, 4))]
    positions += _random_positions(20, 1, 12, _SIZES)
    return _compared(program, BOARD, ["full_column"], positions, expected, "on boards of any size")


def mirrored(program: str) -> Verdict:
    """1.2: the discs with left and right exchanged."""

    def expected(at: Board) -> set[frozenset[str]]:
        turned = at.cells[:, ::-1]
        discs = [(r, c) for r, c in np.ndindex(turned.shape) if turned[r, c]]
        return {frozenset(f"mirrored({turned[r, c]},{r + 1},{c + 1})" for r, c in discs)}

    positions = [position("1"), *_random_positions(20, 2, 3, _SIZES)]
    return _compared(program, BOARD, ["mirrored"], positions, expected, "left is right now")


def two_plies(program: str) -> Verdict:
    """1.3: two moves in a row."""

    def expected(at: Board) -> set[frozenset[str]]:
        return {
            frozenset({f"first({one})", f"reply({other})"})
            for one in at.moves
            for other in at.moves
            if one != other or _row(at, one) < at.size[1]
        }

    positions = [position(), position("44444"), *_random_positions(12, 3, 12, _SIZES)]
    return _compared(
        program, BOARD, ["first", "reply"], positions, expected, "every way to play on, once"
    )


# Lesson 2


def on_top(program: str) -> Verdict:
    """2.1: moves onto a disc of the opponent."""

    def expected(at: Board) -> set[frozenset[str]]:
        rows = {column: _row(at, column) for column in at.moves}
        his = 3 - _player(at)
        chosen = [(r, c) for c, r in rows.items() if r > 1 and at.cells[r - 2, c - 1] == his]
        return {frozenset(f"fires(on_top,move({r},{c}))" for r, c in chosen)}

    positions = [position("4"), position("44"), *_random_positions(20, 4, 2)]
    files = (*BOARD, CONNECT4 / "threats.lp")
    praise = "it fires where it should and nowhere else"
    return _compared(program, files, ["fires"], positions, expected, praise)


def sensible(weights: Mapping[str, int]) -> Verdict:
    """2.2: weights by which the program first wins, then blocks, then gives nothing away."""
    if not any(weights.values()):
        return Verdict(False, "all weights are 0, so that every move is as good as any other")
    if strange := [name for name, value in weights.items() if not isinstance(value, int)]:
        return Verdict(False, f"the weight of {strange[0]} is no whole number")
    told = " ".join(f"weight({name},{value})." for name, value in weights.items())
    positions = [position("14121"), position("3444454635"), *_random_positions(40, 5, 6)]
    for at in positions:
        try:
            found = answer_sets(*MOVES, facts(at), told, optimal=True, show=["best_move"])
        except ProgramError as error:
            return Verdict(False, str(error))
        chosen = {int(atom[:-1].split(",")[1]) for answer in found for atom in answer.atoms}
        wanted, why = _sensible_moves(at)
        if wrong := chosen - wanted:
            best = " or ".join(map(str, sorted(wanted)))
            says = f"your weights choose column {min(wrong)} here; {why}: column {best}"
            return Verdict(False, says, at)
    return Verdict(True, f"it wins, blocks, gives nothing away ({len(positions)} positions tried)")


def _sensible_moves(at: Board) -> tuple[set[int], str]:
    columns, mover = at.moves, _player(at)

    def completing(player: int, above: int = 0) -> set[int]:
        squares = _completing(at, player)
        return {c for c in columns if (_row(at, c) + above, c) in squares}

    if wins := completing(mover):
        return wins, "a line can be completed"
    if blocks := completing(3 - mover):
        # Of several blocks none is better: all is lost.
        return blocks, "the opponent's line must be blocked"
    fair = set(columns) - completing(3 - mover, 1) or set(columns)
    middle = (at.size[0] + 1) / 2
    nearest = min(abs(c - middle) for c in fair)
    return {c for c in fair if abs(c - middle) == nearest}, "what is nearest to the middle is safe"


def posts(program: str) -> Verdict:
    """2.3: the fewest squares that meet every line."""
    if _nothing_yet(program):
        return _BEGIN
    for (width, height), fewest in {(5, 4): 5, (4, 4): 4, (6, 4): 6}.items():
        at = position(size=(width, height))
        try:
            found = answer_sets(*BOARD, facts(at), program, optimal=True, show=["post"], most=_MOST)
        except ProgramError as error:
            return Verdict(False, str(error))
        if not found:
            return Verdict(False, "your program has no answer set on this board", at)
        lines = _lines(at.size)
        for answer in found:
            chosen = {tuple(map(int, atom[5:-1].split(","))) for atom in answer.atoms}
            if missed := [line for line in lines if not chosen & set(line)]:
                (r, c), *_, (r2, c2) = sorted(missed[0], key=lambda square: square[::-1])
                says = f"your squares {sorted(chosen)} miss the line from ({r},{c}) to ({r2},{c2})"
                return Verdict(False, f"{says} (row, column)", at)
            if len(chosen) > fewest:
                says = f"{len(chosen)} squares on {width}x{height}, and {fewest} are enough"
                return Verdict(False, says, at)
    return Verdict(True, "no fewer squares will do")


# Lesson 3


def _compiled(
    program: str, output: str, wanted: Callable[[Board], set[tuple[int, ...]]], praise: str
) -> Verdict:
    """Whether a program, as a circuit, derives what it should in a thousand positions."""
    if _nothing_yet(program):
        return _BEGIN
    try:
        circuit = compile(program, ["cell(1..2, 1..6, 1..7)"], [output])
    except AdvisorError as error:
        return Verdict(
            False, str(error).replace("program.lp: ", "").replace("program.lp:", "line ")
        )
    boards = [position("1213"), position("4142414"), *_random_positions(1000, 6)]
    cells = np.stack([board.cells for board in boards])
    inputs = [cells[:, row - 1, column - 1] == player for _, player, row, column in circuit.inputs]
    held = circuit.evaluate(np.stack(inputs, axis=1))
    name = output.partition("/")[0]
    for board, row in zip(boards, held, strict=True):
        found = {atom[1:] for atom, holds in zip(circuit.outputs, row, strict=True) if holds}
        if found != (should := wanted(board)):
            sets = [
                frozenset(f"{name}({','.join(map(str, a))})" for a in s) for s in (found, should)
            ]
            return Verdict(False, _difference({sets[0]}, {sets[1]}), board)
    return Verdict(True, f"{praise}: {len(circuit.gates)} gates, {len(boards)} positions compared")


def tower(program: str) -> Verdict:
    """3.1: three discs on top of each other."""

    def wanted(board: Board) -> set[tuple[int, ...]]:
        cells, three = board.cells, range(board.size[1] - 2)
        return {
            (player, column + 1)
            for player in (1, 2)
            for column in range(board.size[0])
            if any((cells[row : row + 3, column] == player).all() for row in three)
        }

    return _compiled(program, "tower/2", wanted, "a circuit")


def rooted(program: str) -> Verdict:
    """3.2: chains of discs down to the bottom row."""

    def wanted(board: Board) -> set[tuple[int, ...]]:
        cells = board.cells
        height, width = cells.shape
        found = [(0, column) for column in range(width) if cells[0, column]]
        for row, column in found:  # which grows
            for r, c in (
                (row + 1, column),
                (row - 1, column),
                (row, column + 1),
                (row, column - 1),
            ):
                inside = 0 <= r < height and 0 <= c < width
                if inside and cells[r, c] == cells[row, column] and (r, c) not in found:
                    found.append((r, c))
        return {(int(cells[r, c]), r + 1, c + 1) for r, c in found}

    return _compiled(program, "rooted/3", wanted, "recursion as a circuit")


# Lesson 4


def probability(function: Callable[[float], float]) -> Verdict:
    """4.1: from a value to a probability."""
    for value in (0, 100, -100, 250, -600):
        wanted = 1 / (1 + math.exp(-value / 100))
        try:
            found = float(function(value))
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            return Verdict(False, f"for {value} your function raises {told}")
        if not math.isclose(found, wanted, abs_tol=1e-6):
            says = (
                f"for a value of {value} your function says {found:.4f}, it should be {wanted:.4f}"
            )
            return Verdict(False, says)
    return Verdict(True, "+100 is a win 2.7 times as likely as a loss")


_GAIN = 0.008


def features(program: str, weights: str) -> Verdict:
    """4.2: features that say more than how many threats there are."""
    _, results = examples()
    try:
        evaluators = {
            "threats": evaluator("feature(t, P, (R, C)) :- threat(P, R, C).", "{t: 1}"),
            "yours": evaluator(program, weights),
        }
    except AdvisorError as error:
        return Verdict(False, str(error))
    losses = {}
    for name, each in evaluators.items():
        counts = table(each)
        for feature, column in zip(each.features, counts.T, strict=False):
            if not column.any():
                says = f"{feature} says nothing: x has it as often as o in every position"
                return Verdict(False, says)
        learned = fit(counts[:FITTED], results[:FITTED])
        losses[name] = log_loss(counts[FITTED:], results[FITTED:], learned)
    yours, threats = losses["yours"], losses["threats"]
    says = f"log-loss on what was held back {yours:.3f}, threats alone {threats:.3f}"
    if yours > threats - _GAIN:
        return Verdict(False, f"{says}; it should be lower by {_GAIN} or more")
    return Verdict(True, says)


# Lesson 5

_MIDDLE = position("465176323244335146654646")

SMALL = position("774626712665227774546554446155")
"""Of exercise 5.2."""


def refutation(columns: str) -> Verdict:
    """5.1: how o escapes from the plan of odd rows first."""
    if not columns:
        return Verdict(False, "no moves yet; give the columns that o plays")
    order = sorted(empty_squares(_MIDDLE), key=lambda square: (square // 10 % 2 == 0, square))
    board = _MIDDLE
    for number, column in enumerate(columns, 1):
        square, _ = planned(board, order)
        board = board.play(square % 10)
        if board.winner:
            return Verdict(False, f"x has completed a line before move {number} of o", board)
        if not column.isdigit() or int(column) not in board.moves:
            return Verdict(False, f"o cannot play {column!r} as move {number}", board)
        board = board.play(int(column))
        if board.over:
            return Verdict(True, "this plan is refuted", board)
    return Verdict(False, "so far so good, but nobody has won; o goes on when x has moved", board)


def plan(order: Sequence[int]) -> Verdict:
    """5.2: a plan by hand."""
    squares = empty_squares(SMALL)
    if not order:
        return Verdict(False, f"no order yet; write the {len(squares)} empty squares in one")
    if sorted(order) != squares:
        missing = sorted(set(squares) - set(order))
        strange = sorted(set(order) - set(squares))
        what = f"lacks {missing[0]}" if missing else f"has {[*strange, 'a square twice'][0]}"
        return Verdict(False, f"your order {what}; each empty square should come once")
    found = escape(SMALL, order)
    if found is None:
        return Verdict(True, "x wins by this plan, whatever o does")
    line = found.end.played[len(SMALL.played) :]
    end = "o wins" if found.end.winner else "the game is drawn"
    return Verdict(False, f"{end} by x and o playing {' '.join(map(str, line))}", found.end)


def lesson(program: str) -> Verdict:
    """5.3: what a counterexample says."""
    if _nothing_yet(program):
        return _BEGIN
    squares, order_lp = (1, 2, 3, 4), CONNECT4 / "plans" / "order.lp"
    given = " ".join(f"square({square})." for square in squares)
    try:
        found = answer_sets(order_lp, given, program, show=["earlier"])
    except ProgramError as error:
        return Verdict(False, str(error))
    left = set()
    for answer in found:
        pairs = [(int(atom[8]), int(atom[10])) for atom in answer.atoms]
        left.add(tuple(sorted(squares, key=lambda square: -sum(a == square for a, _ in pairs))))
    for order in itertools.permutations(squares):
        first, then = min((1, 2, 3), key=order.index), min((3, 4), key=order.index)
        told = " before ".join(map(str, order))
        if (first, then) == (2, 3) and order in left:
            return Verdict(False, f"{told} is left, which makes the same choices and fails again")
        if (first, then) != (2, 3) and order not in left:
            return Verdict(False, f"{told} is thrown away, though it chooses {first}, then {then}")
    return Verdict(True, f"{len(left)} of 24 orders are left")


# Lesson 6


def answered(program: str) -> Verdict:
    """6.1: the lines that Claimevens answer."""
    rng = random.Random(7)
    boards = [position(size=(6, 4)), position("1"), *_random_positions(12, 8)]
    claims = [set(rng.sample(range(1, board.size[0] + 1), 3)) for board in boards]
    claims[1] = {1, 2, 3}
    if _nothing_yet(program):
        return _BEGIN
    for board, columns in zip(boards, claims, strict=True):
        claimed = " ".join(f"claim({column})." for column in sorted(columns))
        given = (CONNECT4 / "victor" / "squares.lp", facts(board), "controller(2).", claimed)
        try:
            found = answer_sets(*given, program, show=["answered"])
        except ProgramError as error:
            return Verdict(False, str(error))
        wanted = frozenset(_answered(board, columns))
        if {answer.atoms for answer in found} != {wanted}:
            says = _difference({answer.atoms for answer in found}, {wanted})
            return Verdict(False, f"with {claimed}: {says}", board)
    return Verdict(True, f"what each Claimeven answers ({len(boards)} positions compared)")


def _answered(board: Board, columns: set[int]) -> Iterator[str]:
    """The open lines with an even square whose lower neighbour is empty too, in these columns."""
    cells = board.cells
    for line in _lines(board.size):
        if any(cells[r - 1, c - 1] == 2 for r, c in line):
            continue
        if any(r % 2 == 0 and c in columns and not cells[r - 2, c - 1] for r, c in line):
            (r, c), (r2, c2) = line[:2]
            yield f"answered(g({r},{c},{r2 - r},{c2 - c}))"


def on_top_of_it(columns: str) -> Verdict:
    """6.2: x against an opponent who always plays on top."""
    board = position()
    if not columns:
        return Verdict(False, "no moves yet; give the columns that x plays")
    for number, column in enumerate(columns, 1):
        if not column.isdigit() or int(column) not in board.moves:
            return Verdict(False, f"x cannot play {column!r} as move {number}", board)
        board = board.play(int(column))
        if board.winner:
            return Verdict(
                True, f"x has won with move {number}: row 1 is nobody's by Claimeven", board
            )
        board = board.play(int(column))
    return Verdict(False, "so far nobody has won; x goes on", board)


def won_by_rules(columns: str) -> Verdict:
    """6.3: a position that Allis' rules prove won."""
    try:
        board = position(columns)
        if len(board.played) > 16:
            return Verdict(False, f"{len(board.played)} discs; at most 16 are allowed", board)
        if board.over:
            return Verdict(False, "this game is over", board)
        for player in (1, 2):
            if any(completes(board, column, player) for column in board.moves):
                return Verdict(False, f"{'xo'[player - 1]} can complete a line at once", board)
        proof = prove(board, player="x")
    except AdvisorError as error:
        return Verdict(False, str(error))
    if proof is None or proof.outcome != "wins":
        outcome = solve(board).outcome if len(board.played) > 12 else None
        mover = {"win": board.turn, "loss": "o" if board.turn == "x" else "x", "draw": "nobody"}
        known = f" (by exact play {mover[outcome]} wins)" if outcome else ""
        return Verdict(False, f"the rules do not prove that x wins here{known}", board)
    return Verdict(True, explain(proof)[0], board)


# Lesson 7


State = tuple[int, ...]
"""The matches of each heap."""


def _played(
    text: str, begin: State, taken: Callable[[State], dict[str, State]], last_wins: bool
) -> Verdict:
    """Whether a game of matches is what it should be, in every state that can come up.

    Args:
        text: its rules.
        begin: the matches of each heap.
        taken: the moves of a state, and what they leave.
        last_wins: whether taking the last match wins.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rules.lp").write_text(text)
        try:
            return _walked(load_game(folder), begin, taken, last_wins)
        except AdvisorError as error:
            told = str(error).replace(f"{folder}/", "").replace("rules.lp: ", "")
            return Verdict(False, told.replace("rules.lp:", "line "))


def _walked(
    game: Game, begin: State, taken: Callable[[State], dict[str, State]], last_wins: bool
) -> Verdict:
    """See `_played`."""
    seen: set[tuple[State, str]] = set()
    states = [(begin, game.position())]
    for heaps, state in states:  # which grows
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
    if _nothing_yet(goals):
        return _BEGIN
    kept = [line for line in matches.splitlines() if not line.startswith("goal(")]
    return _played("\n".join([*kept, goals]), (11,), _one_heap, last_wins=False)


def two_heaps(text: str) -> Verdict:
    """7.2: matches from two heaps."""
    if _nothing_yet(text):
        return _BEGIN

    def taken(heaps: State) -> dict[str, State]:
        return {
            f"take({h + 1},{k})": (*heaps[:h], heaps[h] - k, *heaps[h + 1 :])
            for h in (0, 1)
            for k in range(1, heaps[h] + 1)
        }

    return _played(text, (3, 4), taken, last_wins=True)


def leave(matches: str, program: str) -> Verdict:
    """7.3: the winning moves by a rule."""
    if _nothing_yet(program):
        return _BEGIN
    for left in range(1, 12):
        lost = {0, 4, 8}
        wanted = {f"fires(leave,take({k}))" for k in (1, 2, 3) if left - k in lost}
        given = f"true(left({left})). true(turn(first))."
        try:
            found = answer_sets(matches, given, program, show=["fires"])
        except ProgramError as error:
            return Verdict(False, str(error))
        if {answer.atoms for answer in found} != {frozenset(wanted)}:
            says = _difference({answer.atoms for answer in found}, {frozenset(wanted)})
            return Verdict(False, f"with {left} matches left: {says}")
    return Verdict(True, "nobody has to look ahead any more")


# Lesson 8

_MIDDLE_ONLY = "fires(near(N), move(R, C)) :- valid_move(R, C), N = |2*C - width - 1| / 2."


def _handed_in(folder: Path, name: str, program: str, weights: str) -> Path:
    """A player's two files."""
    (folder / f"{name}.lp").write_text(program)
    indented = textwrap.indent(textwrap.dedent(weights).strip() or "{}", "  ")
    file = folder / f"{name}.yaml"
    head = f"extends: default\nencodings: {{moves: [{name}.lp]}}\n"
    file.write_text(f"{head}moves:\n{indented}\n")
    return file


def player(program: str, weights: str) -> Verdict:
    """8.1: a player who beats one that knows the middle only."""
    if _nothing_yet(program):
        return _BEGIN
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
    """8.2: so that 55 % is more than chance."""
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
"""Of exercise 8.3."""


def refused(letters: Collection[str]) -> Verdict:
    """8.3: what a user's file may not say."""
    if strange := sorted(set(letters) - set(FILES)):
        return Verdict(False, f"{strange[0]} is none of {', '.join(FILES)}")
    for letter, text in FILES.items():
        names = re.findall(r"fires\((\w+)", text)
        told = None
        with tempfile.TemporaryDirectory() as folder:
            weights = "".join(f"{name}: 1\n" for name in dict.fromkeys(names))
            file = _handed_in(Path(folder), letter, text, weights)
            try:
                suggest(position(), weights=file, depth=0)
            except AdvisorError as error:
                told = str(error).replace(f"{folder}/", "")
        if told and letter not in letters:
            return Verdict(False, f"{letter} is refused: {told}")
        if not told and letter in letters:
            return Verdict(False, f"{letter} is taken")
    return Verdict(True, "files may add strategies and features, and nothing else")
