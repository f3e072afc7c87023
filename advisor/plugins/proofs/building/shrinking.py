"""Makes a solution small: fewer moves, one plan for many positions, few numbers in a plan.

The known plans are tried in other places. New ones are only looked for if `guesses` are given, in
place of moves whose replies all have a plan. An unfinished solution stays so; missing parts are not
touched.
"""

from collections.abc import Callable, Iterator, Sequence
from zlib import crc32

import numpy as np

from advisor.plugins.proofs.building.decisions import fitting, open_replies, roots
from advisor.plugins.proofs.building.solution import Leaf, Play, Solution
from advisor.plugins.proofs.plans.compiled_trial import Trials
from advisor.plugins.proofs.plans.synthesis import Effort, Hints, find
from advisor.plugins.proofs.plans.trial import PlanNumbers, Plans, State, bits
from aspcircuits.stopping import Stop

_UNKNOWN = 2
"""Most replies to another move that may be new: with more, it is hardly ever a better one."""


def shrink_solution(
    solution: Solution, stop: Stop, told: Callable[[str], None] = lambda _: None, guesses: int = 0
) -> Solution:
    """Return the same solution, smaller; see `advisor.plugins.proofs.building.growing.shrink`."""
    return _Shrinking(solution, stop, told, guesses).run()


class _Shrinking:
    """Makes one solution small."""

    def __init__(
        self, solution: Solution, stop: Stop, told: Callable[[str], None], guesses: int
    ) -> None:
        goal = solution.goal
        self._board = goal.geometry
        said = dict(solution.said)
        self._solution = Solution(goal, solution.player, list(solution.plans), said)
        self._stop, self._told, self._guesses = stop, told, guesses
        self._hints = Hints(goal)
        self._trials = Trials(goal)
        self._pool: Plans = np.array(solution.plans, np.int64).reshape(len(solution.plans), -1)

    def run(self) -> Solution:
        self._fewer_moves()
        said = self._reachable_lines()
        leaves = [each for each in said if isinstance(each, Leaf)]
        cover = self._cover(leaves)
        plans = self._few_numbers(cover)
        small = Solution(self._solution.goal, self._solution.player)
        names: dict[PlanNumbers, int] = {}
        planned: dict[State, Leaf] = {}
        for place, covered in cover.items():
            numbers = plans[place]
            name = names.setdefault(numbers, len(names) + 1)
            for moves in covered:
                state = small.state(moves)
                threats = self._trials.fewest([state], numbers)
                planned[small.key(state)] = Leaf(moves, name, threats)
        small.plans = list(names)
        for each in said:
            key = small.key_of(each.moves)
            small.add(planned.get(key, each) if isinstance(each, Leaf) else each)
        return small

    def _fewer_moves(self) -> None:
        """Let plans end the tree sooner, and moves lead to smaller trees, or to complete ones.

        It works from the leaves up, so the size of the tree after a move is known.
        """
        s = self._solution
        size: dict[State, int] = {}
        plays = [each for each in s.said.values() if isinstance(each, Play)]
        plays.sort(key=lambda each: (-len(each.moves), each.moves))
        for done, play in enumerate(plays):
            self._told(f"moves {done} of {len(plays)}")
            key = s.key_of(play.moves)
            fitting = self._first_fitting(play.moves) or self._new_fitting(play)
            if fitting is not None:
                s.said[key] = fitting
                continue
            best = self._size(play, size)
            position = s.position(play.moves)
            for column in position.moves():
                other = Play(play.moves, column)
                if other != play and not s.given_away(position.after(column)):
                    found = self._size(other, size, best)
                    if found is not None:
                        best = found
                        s.said[key] = other
            if best is not None:
                size[key] = best

    def _size(self, play: Play, size: dict[State, int], less: int | None = None) -> int | None:
        """Return the number of positions that a move leads to, its own included.

        None if there are `less` or more, or unknown ones. A position reached in several ways counts
        each time.
        """
        s, total = self._solution, 1
        unknown: list[str] = []
        for moves in open_replies(s.goal, play.after):
            key = s.key_of(moves)
            said = s.said.get(key)
            if said is None:
                unknown.append(moves)
            elif isinstance(said, Play) and key not in size:
                return None
            total += size[key] if isinstance(said, Play) else 1
        if len(unknown) > _UNKNOWN or (less is not None and total >= less):
            return None
        new = {}
        for moves in unknown:
            leaf = self._first_fitting(moves)
            if leaf is None:
                return None
            new[s.key_of(moves)] = leaf
        s.said.update(new)
        return total

    def _first_fitting(self, moves: str) -> Leaf | None:
        """Return a position with the latest plan that suits it, if there is one."""
        found = next(self._fitting_plans(moves), None)
        if found is None:
            return None
        led, place = found
        return Leaf(led, place + 1, self._solution.goal.threats)

    def _new_fitting(self, play: Play) -> Leaf | None:
        """Return the position with a new plan, if all replies to the move have one.

        Only then is there a chance. The new plan may suit positions that come later.
        """
        s = self._solution
        replies = open_replies(s.goal, play.after) if self._guesses else []
        keys = [s.key_of(moves) for moves in replies]
        if not keys or not all(isinstance(s.said.get(key), Leaf) for key in keys):
            return None
        seed = crc32(play.moves.encode()) >> 1
        effort, state = Effort(self._guesses), s.state(play.moves)
        found = find(self._trials.most, self._hints, state, (effort,), seed, self._stop)
        if not isinstance(found.numbers, tuple):
            return None
        s.plans.append(found.numbers)
        self._pool = np.vstack([self._pool, found.numbers])
        return Leaf(play.moves, len(s.plans), s.goal.threats)

    def _fitting_plans(self, moves: str) -> Iterator[tuple[str, int]]:
        """Yield all plans that suit a position or its image: the moves that led there, and its
        place.
        """
        state = self._solution.state(moves)
        return fitting(self._trials.most, moves, state, self._pool, self._stop)

    def _reachable_lines(self) -> list[Play | Leaf]:
        """Return the lines of positions that can occur, in the order in which they are written."""
        s, seen = self._solution, set()
        todo = roots(s)
        said: list[Play | Leaf] = []
        while todo:
            self._stop.check()
            moves = todo.pop()
            key = s.key_of(moves)
            each = s.said.get(key)
            if key in seen or each is None:
                continue
            seen.add(key)
            said.append(each)
            if isinstance(each, Play):
                todo += open_replies(s.goal, each.after)
        return sorted(said, key=lambda each: (len(each.moves), each.moves))

    def _cover(self, leaves: Sequence[Leaf]) -> dict[int, list[str]]:
        """Return few plans, by their places, for all leaves: each suits most of the rest."""
        suited: dict[int, dict[int, str]] = {}
        for number, leaf in enumerate(leaves):
            self._told(f"plans for {number} of {len(leaves)} leaves")
            for led, place in self._fitting_plans(leaf.moves):
                suited.setdefault(place, {}).setdefault(number, led)
        left = set(range(len(leaves)))
        cover: dict[int, list[str]] = {}
        while left:
            self._stop.check()
            place = max(suited, key=lambda place: (len(left & suited[place].keys()), -place))
            here = sorted(left & suited[place].keys())
            left.difference_update(here)
            cover[place] = [suited[place][number] for number in here]
        return cover

    def _few_numbers(self, cover: dict[int, list[str]]) -> dict[int, PlanNumbers]:
        """Merge numbers of each plan where neighbours in its order may have the same number."""
        found = {}
        for done, (place, covered) in enumerate(cover.items()):
            self._told(f"numbers of {done} of {len(cover)} plans")
            states = [self._solution.state(moves) for moves in covered]
            found[place] = self._merge_numbers(self._solution.plans[place], states)
        return found

    def _merge_numbers(self, numbers: PlanNumbers, states: Sequence[State]) -> PlanNumbers:
        """Return the plan with the largest groups of equal numbers, from the first square on."""
        squares = [bit.bit_length() - 1 for bit in bits(self._board.full)]
        order = sorted(squares, key=lambda square: numbers[square])
        merged, first, group = list(numbers), 0, 1
        for number, square in enumerate(order):
            merged[square] = 100 + number  # all different, behind the groups
        while first < len(order):
            # The reach of a group: a larger right group implies that smaller ones are right.
            fits, fails = first + 1, len(order) + 1
            while fails - fits > 1:
                middle = (fits + fails) // 2
                if self._right(self._set_group(merged, order[first:middle], group), states):
                    fits = middle
                else:
                    fails = middle
            merged = self._set_group(merged, order[first:fits], group)
            first, group = fits, group + 1
        return tuple(merged)

    @staticmethod
    def _set_group(numbers: Sequence[int], squares: Sequence[int], number: int) -> list[int]:
        grouped = list(numbers)
        for square in squares:
            grouped[square] = number
        return grouped

    def _right(self, numbers: Sequence[int], states: Sequence[State]) -> bool:
        self._stop.check()
        return all(self._trials.most.try_plan(state, numbers).right for state in states)
