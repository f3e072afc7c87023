"""Checks that by a file one player wins, or holds a draw: python check.py FILE [MOVES]

Positions after all replies (to MOVES) must be in the file or won by its number of threats in a row,
and plans hold against all replies. Last come the numbers of bad and missing: 0, or exit code 1.
"""

import sys


class Board:  # discs are bits, p's and the opponent's q: column by column, upwards, then one empty
    def __init__(self, width=7, height=6):
        self.width, self.height, self.stride, self.holds = width, height, height + 1, 0
        self.columns = [((1 << height) - 1) << c * self.stride for c in range(width)]
        self.bottom, self.all = sum(1 << c * self.stride for c in range(width)), sum(self.columns)

    def playable(self, p, q):
        return (p | q) + self.bottom & self.all

    def single(self, playable):
        return [playable & column for column in self.columns if playable & column]

    def completing(self, p):
        """Return the squares that, together with three discs of p, make four in line."""
        found = p << 1 & p << 2 & p << 3
        for d in (self.stride - 1, self.stride, self.stride + 1):
            up, down = p << d, p >> d
            found |= up & up << d & (down | up << 2 * d) | down & down >> d & (up | down >> 2 * d)
        return found

    def wins(self, p, q, threats):
        """Whether p completes a line at once, or after at most this number of blocked threats."""
        squares, his = self.playable(p, q), self.completing(q)
        won, blocks = self.completing(p) & squares, his & squares
        further = threats > 0 and not won | blocks & blocks - 1
        for s in self.single(blocks or squares) if further else []:
            replies = self.playable(p | s, q)
            forced = 0 if his & replies else self.completing(p | s) & replies
            if forced and (forced & forced - 1 or self.wins(p | s, q | forced, threats - 1)):
                return True
        return won > 0

    def after(self, p, q):
        """Return the positions after q's moves, none if p holds; None if q wins or p cannot win."""
        squares, left = self.playable(p, q), self.all & ~p
        held = self.holds and not self.completing(left) & left  # q has no open line
        lost = self.completing(q) & squares or not (squares or self.holds)
        return None if lost else [(p, q | s) for s in self.single(squares) if not held]

    def follow(self, plan, p, q):
        """Play by the plan: block, else the lowest number; then `after`, None if two share it."""
        squares = self.playable(p, q)
        choice = self.single(self.completing(q) & squares or squares)
        lowest = [s for s in choice if plan[s] == min(map(plan.get, choice))]
        return self.after(p | lowest[0], q) if len(lowest) == 1 else None

    def position(self, moves):
        p = q = 0
        for column in moves.strip("-"):
            (square,) = self.single(self.playable(p, q) & self.columns[int(column) - 1])
            p, q = q, p | square
        return p, q

    def key(self, *position):
        """Return the same key for a position and its mirror image."""
        ends = [(c * self.stride, (self.width - 1 - c) * self.stride) for c in range(self.width)]
        image = [sum((p >> a & self.columns[0]) << b for a, b in ends) for p in position]
        return min(position, tuple(image))


def check(lines, moves="-"):
    """Return a summary as text, and the numbers of bad and of missing positions."""
    board, second, threats, plans, said, seen, leaves = Board(), 0, 0, {}, {}, set(), {}
    for words in lines:
        if words[0] == "board" and not said:
            board = Board(*map(int, words[1:]))
        elif words[0] == "goal" and not said:
            second, board.holds = ["x", "o"].index(words[1]), ["wins", "holds"].index(words[2])
        elif words[0] == "threats":
            threats = int(words[1])
        elif words[0] == "plan" and words[1] not in plans:
            rows = enumerate([next(lines) for _ in range(board.height)][::-1])
            plans[words[1]] = {1 << c * board.stride + r: int(row[c])
                               for r, row in rows for c in range(board.width)}  # fmt: skip
        elif said.setdefault(board.key(*board.position(words[0])), words) is not words:
            raise ValueError(f"{words[0]} stands there twice")
    first, missing, tried = board.position(moves), 0, set()
    todo = [first] if len(moves.strip("-")) % 2 == second else board.after(*reversed(first))
    bad = sum(x[1] not in ("play", "plan") for x in said.values()) + (todo is None)
    while todo:
        key = board.key(*(position := todo.pop()))
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
        for position in todo:  # the list grows
            if (name, most, position) not in tried and not board.wins(*position, int(most)):
                tried.add((name, most, position))
                after = board.follow(plans[name], *position)
                bad, todo[len(todo) :] = bad + (after is None), after or []
    counts = len(seen) - planned - missing, planned, len(distinct), len(tried)
    return "moves {} leaves {} plans {} positions tried {}".format(*counts), bad, missing


if __name__ == "__main__":
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            lines = filter(None, (line.partition("#")[0].split() for line in file))
            told, bad, missing = check(lines, *sys.argv[2:])
    except (OSError, KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
        told, bad, missing = f"cannot be used: {error!r}", 1, 0
    print(f"{told}\nbad {bad} missing {missing}")
    sys.exit(bool(bad or missing))
