"""Checks that a file holds a solution: x, who begins, wins whatever o does.

    python check.py FILE [MOVES]

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
        self.bottom = sum(1 << c * self.stride for c in range(width))

    def playable(self, x, o):
        above = (x | o) + self.bottom
        return [above & column for column in self.columns if above & column]

    def completing(self, p):
        """The squares on which the player who has p completes four in line."""
        found = p << 1 & p << 2 & p << 3
        for d in (self.stride - 1, self.stride, self.stride + 1):
            found |= p << d & p << 2 * d & (p << 3 * d | p >> d)
            found |= p >> d & p >> 2 * d & (p >> 3 * d | p << d)
        return found

    def wins(self, x, o, threats):
        """Whether x completes a line, at once or after so many threats that o can only block."""
        squares, own, his = self.playable(x, o), self.completing(x), self.completing(o)
        if any(s & own for s in squares):
            return True
        blocks = [s for s in squares if s & his]
        for s in (blocks or squares) if threats > 0 and len(blocks) < 2 else []:
            replies, own = self.playable(x | s, o), self.completing(x | s)
            forced = [r for r in replies if r & own]
            safe = forced and not any(r & his for r in replies)
            if safe and (len(forced) > 1 or self.wins(x | s, o | forced[0], threats - 1)):
                return True
        return False

    def after(self, x, o):
        """What o can make of it; None if o can win at once, or has no move left and x no line."""
        squares, his = self.playable(x, o), self.completing(o)
        lost = not squares or any(s & his for s in squares)
        return None if lost else [(x, o | s) for s in squares]

    def follow(self, plan, x, o):
        """The same after x's move by the plan: block, else the lowest number if only one has it."""
        squares, his = self.playable(x, o), self.completing(o)
        choice = [s for s in squares if s & his]
        choice = choice or [s for s in squares if plan[s] == min(map(plan.get, squares))]
        return self.after(x | choice[0], o) if len(choice) == 1 else None

    def position(self, moves):
        x = o = 0
        for column in moves.strip("-"):
            (square,) = (s for s in self.playable(x, o) if s & self.columns[int(column) - 1])
            x, o = o, x | square
        return x, o

    def key(self, *position):
        """The same for a position and its mirror image."""
        bits = [(c * self.stride + r, (self.width - 1 - c) * self.stride + r)
                for c in range(self.width) for r in range(self.height)]  # fmt: skip
        return min(position, tuple(sum((p >> a & 1) << b for a, b in bits) for p in position))


def check(lines, moves="-"):
    """What was seen, as text; how much of it is bad, and how many positions are missing."""
    board, threats, plans, said, seen, leaves = Board(), 0, {}, {}, set(), {}
    for words in lines:
        if words[0] == "board" and not said:
            board = Board(*map(int, words[1:]))
        elif words[0] == "threats":
            threats = int(words[1])
        elif words[0] == "plan" and words[1] not in plans:
            rows = [next(lines) for _ in range(board.height)][::-1]
            squares = [(r, c) for r in range(board.height) for c in range(board.width)]
            plans[words[1]] = {1 << c * board.stride + r: int(rows[r][c]) for r, c in squares}
        elif said.setdefault(board.key(*board.position(words[0])), words) is not words:
            raise ValueError(f"{words[0]} stands there twice")
    todo, bad, missing, tried = [board.position(moves)], 0, 0, set()
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
    for (name, _, most), todo in leaves.items():
        while todo:
            position = todo.pop()
            if (name, most, position) not in tried and not board.wins(*position, int(most)):
                tried.add((name, most, position))
                after = board.follow(plans[name], *position)
                bad, todo = bad + (after is None), todo + (after or [])
    return f"positions {len(seen)} plans {len(plans)} tried {len(tried)}", bad, missing


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = filter(None, (line.partition("#")[0].split() for line in file))
        try:
            told, bad, missing = check(lines, *sys.argv[2:])
        except (KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
            told, bad, missing = f"cannot be used: {error!r}", 1, 0
    print(f"{told}\nbad {bad} missing {missing}")
    sys.exit(bool(bad or missing))
