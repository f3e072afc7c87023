"""Checks a solution's file as fast as possible, and records what was checked.

`solutions/check.py` makes the same check and shares nothing with the project; its result is the one
that counts. Here machine code tries every plan, and the record lists unfinished positions.
"""

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from advisor.errors import InputError
from advisor.files import outfile, textfile
from advisor.games.players import MARKS
from advisor.plugins.proofs.building.decisions import open_replies, roots
from advisor.plugins.proofs.building.solution import EMPTY, Leaf, Play, Solution, parse, whole_part
from advisor.plugins.proofs.plans.compiled_trial import trial
from advisor.plugins.proofs.plans.solved import CheckedRecord
from advisor.plugins.proofs.plans.trial import PlanTrial, State
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name

_HEAD = """\
# What has been checked of {name}: its first bytes, by their number and their SHA-256. In them
# every plan reaches its goal against all replies; "open" are positions with a reply that leads to
# one that has no line yet, and those that lead to them. Made by: advisor solution check {name}
"""


@dataclass(frozen=True, slots=True)
class CheckedCounts:
    """The counts of a check that found nothing wrong.

    Attributes:
        moves, leaves, plans: see `advisor.plugins.proofs.building.growing.GrowthProgress`.
        tried: positions that occurred when plans were tried.
        unfinished: of the moves, those with a reply that leads to an unanswered position; one more
            if there is an unanswered position at the beginning.
    """

    moves: int
    leaves: int
    plans: int
    tried: int
    unfinished: int


def check(path: Path, stop: Stop | None = None) -> CheckedCounts:
    """Check a solution as far as it goes, and write a record of the check beside it.

    Raises:
        InputError: the file holds something else, or something in it is wrong; names the first.
        KeyboardInterrupt: `stop` was set; nothing was written.
    """
    stop = stop or Stop()
    whole = whole_part(textfile.read_text(path))
    name = file_name(path)
    solution = parse(whole, name, stop)
    work = _Check(solution, name)
    answered: set[State] = set()
    unfinished: set[str] = set()
    # A reply has more discs than the position it answers.
    latest = sorted(solution.said.items(), key=lambda entry: -len(entry[1].moves))
    for key, said in latest:
        stop.check()
        if isinstance(said, Leaf):
            work.leaf(said)
        elif not answered.issuperset(map(solution.key_of, work.replies(said))):
            unfinished.add(said.moves or EMPTY)
            continue
        answered.add(key)
    if not answered.issuperset(map(solution.key_of, roots(solution))):
        unfinished.add(EMPTY)
    data = whole.encode()
    text = f"{_HEAD.format(name=path.name)}\nbytes {len(data)}\nsha256 {sha256(data).hexdigest()}\n"
    text += "".join(f"open {moves}\n" for moves in sorted(unfinished, key=lambda m: (len(m), m)))
    outfile.write(str(CheckedRecord.file(path)), text.encode())
    moves, plans = solution.moves, len(solution.plans)
    return CheckedCounts(moves, len(solution.said) - moves, plans, work.tried, len(unfinished))


class _Check:
    """The state of a check of a solution's positions."""

    def __init__(self, solution: Solution, name: str) -> None:
        self.tried = 0
        self._solution, self._name = solution, name
        self._trials: dict[int, PlanTrial] = {}

    def leaf(self, said: Leaf) -> None:
        """Try the plan of a position in full."""
        solution = self._solution
        if said.threats not in self._trials:
            self._trials[said.threats] = trial(replace(solution.goal, threats=said.threats))
        result = self._trials[said.threats].try_plan(
            solution.state(said.moves), solution.plans[said.plan - 1]
        )
        self.tried += result.states
        if not result.right:
            verb = "hold" if solution.goal.hold else "win"
            raise InputError(f"{self._name}: plan {said.plan} does not {verb} after {said.moves}")

    def replies(self, said: Play) -> list[str]:
        """Return the positions after the replies to a move that need a line."""
        solution = self._solution
        moves = said.after
        if solution.given_away(solution.position(moves)):
            verb = "hold" if solution.goal.hold else "win"
            player = MARKS[solution.player]
            raise InputError(f"{self._name}: {player} does not {verb} after {moves}")
        return open_replies(solution.goal, moves)
