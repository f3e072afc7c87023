"""Measure the time and memory of each step of learning a game.

    python benchmarks/learn/learning.py GAME FOLDER [--time 600] [--jobs 1] [--beside WEIGHTS]

It writes the result into FOLDER, as `advisor learn` does. The features of WEIGHTS are candidates,
too, and WEIGHTS is the opponent to beat. Memory is the peak of this process at the end of a step;
for workers it prints only the largest peak, at the end.
"""

import argparse
import resource
import time
from collections.abc import Iterator

import advisor
from advisor.lab.batch import Sharing
from advisor.plugins.learn import report


class Steps:
    """The steps of a run, from its reports."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._most: dict[str, int] = {}
        self._step, self._since = "reading the rules", time.perf_counter()

    def reported(self, stage: str, _: float) -> None:
        """Record a report: the step and, after a colon, its progress."""
        now, step = time.perf_counter(), self._step
        self._seconds[step] = self._seconds.get(step, 0.0) + now - self._since
        self._most[step] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self._step, self._since = stage.partition(":")[0], now

    def lines(self) -> Iterator[str]:
        """Yield a line for each step."""
        self.reported("", 1.0)
        for step, seconds in self._seconds.items():
            yield f"{step:24} {seconds:7.1f} s {self._most[step] / 1024:6,.0f} MB"
        workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        yield f"{'all':24} {sum(self._seconds.values()):7.1f} s, a worker {workers / 1024:,.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("folder")
    parser.add_argument("--time", type=float, default=600.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--beside")
    given = parser.parse_args()
    steps = Steps()
    found = advisor.learn(
        given.game,
        given.folder,
        seconds=given.time,
        beside=given.beside,
        against=given.beside or "rules",
        sharing=Sharing(jobs=given.jobs),
        on_progress=steps.reported,
    )
    for part in filter(None, (found.features, found.strategies)):
        for row in report.family_rows(part):
            print(*row, sep="  ")
        print("no match" if part.match is None else report.describe_match(part.match))
        if not part.written:
            print(f"not written: {report.why_not_written(part)}")
    print("\n".join(steps.lines()))


if __name__ == "__main__":
    main()
