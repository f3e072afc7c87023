"""Second implementations of the games that are given by their rules, in plain Python.

A state is a dictionary of stones by place, with what else the game needs; every function takes the
base atoms of a state and returns terms as the encodings have them.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from advisor.files.resources import ENCODINGS

Term = Any
State = frozenset[Term]
OTHER = {"x": "o", "o": "x", "white": "black", "black": "white", "red": "blue", "blue": "red"}


def turn(state: State) -> Term:
    (player,) = [atom[1] for atom in state if atom[0] == "turn"]
    return player


def stones(state: State, name: str) -> dict[Term, Term]:
    """Owner by place; a place is one argument or several."""
    return {(a[2] if len(a) == 3 else a[2:]): a[1] for a in state if a[0] == name}


def after(state: State, name: str, board: dict[Term, Term], player: Term) -> State:
    """The state with this board and this player to move."""
    placed = {(name, p, *at) for at, p in board.items()}
    return frozenset(placed | {("turn", player)})


# Complete lines on boards, which map (x, y) to a player


def in_line(board: dict[Term, Term], player: Term, connect: int) -> bool:
    return any(
        all(board.get((x + i * dx, y + i * dy)) == player for i in range(connect))
        for x, y in board
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


class Line:
    """Tic-tac-toe and gomoku: put a stone anywhere."""

    def __init__(self, name: str, roles: tuple[str, str], size: tuple[int, int], connect: int):
        self.name, self.roles, self.size, self.connect = name, roles, size, connect

    def free(self, state: State) -> list[Term]:
        board = stones(state, self.name)
        width, height = self.size
        cells = [(x, y) for x in range(1, width + 1) for y in range(1, height + 1)]
        return [cell for cell in cells if cell not in board]

    def result(self, state: State) -> int | None:
        board = stones(state, self.name)
        for value, role in zip((1, -1), self.roles, strict=True):
            if in_line(board, role, self.connect):
                return value
        return None if self.free(state) else 0

    def moves(self, state: State) -> set[Term]:
        return {("put", *cell) for cell in self.free(state)}

    def play(self, state: State, move: Term) -> State:
        player = turn(state)
        board = stones(state, self.name) | {move[1:]: player}
        return after(state, self.name, board, OTHER[player])


class Hex(Line):
    """As above, with sides to join, found by walking."""

    def result(self, state: State) -> int | None:
        board = stones(state, "stone")
        size = self.size[0]
        for value, role, axis in ((1, "red", 0), (-1, "blue", 1)):
            reached = [cell for cell, p in board.items() if p == role and cell[axis] == 1]
            seen = set(reached)
            for x, y in reached:
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
                    cell = (x + dx, y + dy)
                    if board.get(cell) == role and cell not in seen:
                        seen.add(cell)
                        reached.append(cell)
            if any(cell[axis] == size for cell in seen):
                return value
        return None


class Breakthrough:
    def __init__(self, width: int, height: int):
        self.width, self.height = width, height

    def result(self, state: State) -> int | None:
        board = stones(state, "man")
        for value, role, row in ((1, "white", self.height), (-1, "black", 1)):
            if any(p == role and cell[1] == row for cell, p in board.items()):
                return value
            if OTHER[role] not in board.values():
                return value
        return None

    def moves(self, state: State) -> set[Term]:
        board, player = stones(state, "man"), turn(state)
        step = 1 if player == "white" else -1
        found = set()
        for (x, y), owner in board.items():
            for to in ((x - 1, y + step), (x, y + step), (x + 1, y + step)):
                inside = 1 <= to[0] <= self.width and 1 <= to[1] <= self.height
                allowed = (None,) if to[0] == x else (None, OTHER[player])
                if owner == player and inside and board.get(to) in allowed:
                    found.add(("go", x, y, *to))
        return found

    def play(self, state: State, move: Term) -> State:
        board, player = stones(state, "man"), turn(state)
        del board[move[1:3]]
        board[move[3:]] = player
        return after(state, "man", board, OTHER[player])


class Reversi:
    def __init__(self, size: int):
        self.size = size

    def turned(self, board: dict[Term, Term], player: str, x: int, y: int) -> list[Term]:
        found: list[Term] = []
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                row, at = [], (x + dx, y + dy)
                while board.get(at) == OTHER[player]:
                    row.append(at)
                    at = (at[0] + dx, at[1] + dy)
                if (dx or dy) and board.get(at) == player:
                    found += row
        return found

    def puts(self, state: State, player: str) -> set[Term]:
        board, sides = stones(state, "disc"), range(1, self.size + 1)
        free = [(x, y) for x in sides for y in sides if (x, y) not in board]
        return {("put", *cell) for cell in free if self.turned(board, player, *cell)}

    def result(self, state: State) -> int | None:
        if self.puts(state, "black") or self.puts(state, "white"):
            return None
        owners = [*stones(state, "disc").values()]
        black, white = owners.count("black"), owners.count("white")
        return (black > white) - (black < white)

    def moves(self, state: State) -> set[Term]:
        return self.puts(state, turn(state)) or {"pass"}

    def play(self, state: State, move: Term) -> State:
        board, player = stones(state, "disc"), turn(state)
        if move != "pass":
            board |= dict.fromkeys(self.turned(board, player, *move[1:]), player)
            board[move[1:]] = player
        return after(state, "disc", board, OTHER[player])


class Morris:
    """Points are counted round each of three squares, from a corner on: corners are even."""

    POINTS = (*((s, i) for s in (1, 2, 3) for i in range(8)),)
    RING = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))

    def __init__(self, quiet: int):
        self.quiet = quiet
        sides = [[(s, i), (s, i + 1), (s, (i + 2) % 8)] for s in (1, 2, 3) for i in (0, 2, 4, 6)]
        self.mills = sides + [[(1, i), (2, i), (3, i)] for i in (1, 3, 5, 7)]

    def term(self, point: tuple[int, int]) -> Term:
        return ("", point[0], *self.RING[point[1]])

    def point(self, term: Term) -> tuple[int, int]:
        return term[1], self.RING.index(term[2:])

    def beside(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        if a[0] == b[0]:
            return (a[1] - b[1]) % 8 in (1, 7)
        return a[1] == b[1] and a[1] % 2 == 1 and abs(a[0] - b[0]) == 1

    def board(self, state: State) -> dict[Term, str]:
        return {self.point(at): p for at, p in stones(state, "man").items()}

    def in_mill(self, board: dict[Term, str], at: Term) -> bool:
        return any(at in mill and len({board.get(p) for p in mill}) == 1 for mill in self.mills)

    def hand(self, state: State, player: str) -> int:
        return next((a[2] for a in state if a[0] == "hand" and a[1] == player), 0)

    def idle(self, state: State) -> int:
        return next((a[1] for a in state if a[0] == "idle"), 0)

    def gos(self, state: State, player: str) -> set[Term]:
        board = self.board(state)
        own = [at for at in board if board[at] == player]
        return {
            ("go", self.term(a), self.term(b))
            for a in own
            for b in self.POINTS
            if b not in board and (len(own) == 3 or self.beside(a, b))
        }

    def result(self, state: State) -> int | None:
        player = turn(state)
        lost = [
            role
            for role in ("white", "black")
            if not self.hand(state, role) and [*self.board(state).values()].count(role) < 3
        ]
        stuck = not self.hand(state, player) and not self.gos(state, player)
        if stuck and "mill" not in state:
            lost.append(player)
        if lost:
            return -1 if lost[0] == "white" else 1
        return 0 if self.idle(state) == self.quiet else None

    def moves(self, state: State) -> set[Term]:
        board, player = self.board(state), turn(state)
        if "mill" in state:
            theirs = [at for at in board if board[at] != player]
            loose = [at for at in theirs if not self.in_mill(board, at)]
            return {("take", self.term(at)) for at in loose or theirs}
        if self.hand(state, player):
            return {("place", self.term(at)) for at in self.POINTS if at not in board}
        return self.gos(state, player)

    def play(self, state: State, move: Term) -> State:
        board, player = self.board(state), turn(state)
        hands = {role: self.hand(state, role) for role in ("white", "black")}
        idle, closed = 0, False
        if move[0] == "take":
            del board[self.point(move[1])]
        else:
            if move[0] == "go":
                del board[self.point(move[1])]
                idle = self.idle(state) + 1
            else:
                hands[player] -= 1
            to = self.point(move[-1])
            board[to] = player
            closed = self.in_mill(board, to)
        atoms: set[Term] = {("man", p, self.term(at)) for at, p in board.items()}
        atoms |= {("hand", role, n) for role, n in hands.items() if n}
        atoms |= {("turn", player if closed else OTHER[player])}
        atoms |= {"mill"} if closed else {("idle", idle)} if idle else set()
        return frozenset(atoms)


SECOND: dict[str, tuple[Callable[[], Any], dict[str, int]]] = {
    "tictactoe": (lambda: Line("mark", ("x", "o"), (3, 3), 3), {}),
    "gomoku": (
        lambda: Line("stone", ("black", "white"), (5, 6), 4),
        {"width": 5, "height": 6, "connect": 4},
    ),
    "hex": (lambda: Hex("stone", ("red", "blue"), (5, 5), 0), {"size": 5}),
    "breakthrough": (lambda: Breakthrough(5, 6), {"width": 5, "height": 6}),
    "reversi": (lambda: Reversi(6), {"size": 6}),
    "morris": (lambda: Morris(20), {"quiet": 20}),
}
"""Each game's second implementation and the constants that make the encoding the same game."""


def perft(game: Any, states: Iterable[State], plies: int) -> int:
    """The number of ways to play this number of plies."""
    if not plies:
        return sum(1 for _ in states)
    return sum(
        perft(game, [game.play(state, move) for move in game.moves(state)], plies - 1)
        for state in states
        if game.result(state) is None
    )


def misere(folder: Path) -> Path:
    """Tic-tac-toe in which a line loses."""
    rules = (ENCODINGS / "tictactoe" / "rules.lp").read_text()
    lines = {"goal(P, 100) :- line(P).": "goal(P, 0) :- line(P)."}
    lines["goal(P, 0)   :- other(P, P'), line(P')."] = "goal(P, 100) :- other(P, P'), line(P')."
    for line, instead in lines.items():
        assert line in rules
        rules = rules.replace(line, instead)
    (folder / "rules.lp").write_text(rules)
    return folder
