"""Checks that a file holds a solution, by which x wins: python check.py FILE [MOVES]

Every position after a move of o must be in the file, or x wins it by no more than the file's number
of threats in a row; each plan is tried against all that o can do. With MOVES only what follows them
is checked. The last line says what is bad and missing; unless both are 0 the exit code is 1.
"""

import sys


class Board:
    """The discs of x and of o are bits: column by column, upwards, an empty bit above each."""

    def __init__(self, width=7, height=6):
        self.width, self.height, self.stride = width, height, height + 1
        self.columns = [((1 << height) - 1) << c * self.stride for c in range(width)]
        self.bottom, self.all = sum(1 << c * self.stride for c in range(width)), sum(self.columns)

    def playable(self, x, o):
        return (x | o) + self.bottom & self.all

    def single(self, playable):
        return [playable & column for column in self.columns if playable & column]

    def completing(self, p):
        """The squares on which the player who has p completes four in line."""
        found = p << 1 & p << 2 & p << 3
        for d in (self.stride - 1, self.stride, self.stride + 1):
            up, down = p << d, p >> d
            found |= up & up << d & (down | up << 2 * d) | down & down >> d & (up | down >> 2 * d)
        return found

    def wins(self, x, o, threats):
        """Whether x completes a line, at once or after so many threats that o can only block."""
        squares, his = self.playable(x, o), self.completing(o)
        won, blocks = self.completing(x) & squares, his & squares
        further = threats > 0 and not won | blocks & blocks - 1
        for s in self.single(blocks or squares) if further else []:
            replies = self.playable(x | s, o)
            forced = 0 if his & replies else self.completing(x | s) & replies
            if forced and (forced & forced - 1 or self.wins(x | s, o | forced, threats - 1)):
                return True
        return won > 0

    def after(self, x, o):
        """What o can make of it; None if o can win at once, or has no move left and x no line."""
        squares = self.playable(x, o)
        lost = not squares or self.completing(o) & squares
        return None if lost else [(x, o | s) for s in self.single(squares)]

    def follow(self, plan, x, o):
        """The same after x's move by the plan: block, else the lowest number if only one has it."""
        squares = self.playable(x, o)
        choice = list(self.single(self.completing(o) & squares)) or list(self.single(squares))
        lowest = [s for s in choice if plan[s] == min(map(plan.get, choice))]
        return self.after(x | lowest[0], o) if len(lowest) == 1 else None

    def position(self, moves):
        x = o = 0
        for column in moves.strip("-"):
            (square,) = self.single(self.playable(x, o) & self.columns[int(column) - 1])
            x, o = o, x | square
        return x, o

    def key(self, *position):
        """The same for a position and its mirror image."""
        ends = [(c * self.stride, (self.width - 1 - c) * self.stride) for c in range(self.width)]
        image = [sum((p >> a & self.columns[0]) << b for a, b in ends) for p in position]
        return min(position, tuple(image))


def check(lines, moves="-"):
    """What was seen, as text; how much of it is bad, and how many positions are missing."""
    board, threats, plans, said, seen, leaves = Board(), 0, {}, {}, set(), {}
    for words in lines:
        if words[0] == "board" and not said:
            board = Board(*map(int, words[1:]))
        elif words[0] == "threats":
            threats = int(words[1])
        elif words[0] == "plan" and words[1] not in plans:
            rows = enumerate([next(lines) for _ in range(board.height)][::-1])
            plans[words[1]] = {1 << c * board.stride + r: int(row[c])
                               for r, row in rows for c in range(board.width)}  # fmt: skip
        elif said.setdefault(board.key(*board.position(words[0])), words) is not words:
            raise ValueError(f"{words[0]} stands there twice")
    bad = sum(words[1] not in ("play", "plan") for words in said.values())
    todo, missing, tried = [board.position(moves)], 0, set()
    while todo:
        position = todo.pop()
        key = board.key(*position)
        if key not in seen and not board.wins(*position, threats):
            seen.add(key)
            start, what, name, *most = said.get(key, ("", "nothing", ""))
            if what == "plan" and most[:1] == ["threats"]:
                leaves.setdefault((name, *most), []).append(board.position(start))
            elif what == "play" and not most:
                after = board.after(*reversed(board.position(start + name)))
                bad, todo = bad + (after is None), todo + (after or [])
            else:
                missing += 1
    planned, distinct = sum(map(len, leaves.values())), {str(plans[name]) for name, *_ in leaves}
    for (name, _, most), todo in leaves.items():
        for position in todo:  # which grows meanwhile
            if (name, most, position) not in tried and not board.wins(*position, int(most)):
                tried.add((name, most, position))
                after = board.follow(plans[name], *position)
                bad, todo[len(todo) :] = bad + (after is None), after or []
    counts = len(seen) - planned - missing, planned, len(distinct), len(tried)
    return "moves {} leaves {} plans {} positions tried {}".format(*counts), bad, missing


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = filter(None, (line.partition("#")[0].split() for line in file))
        try:
            told, bad, missing = check(lines, *sys.argv[2:])
        except (KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
            told, bad, missing = f"cannot be used: {error!r}", 1, 0
    print(f"{told}\nbad {bad} missing {missing}")
    sys.exit(bool(bad or missing))
