"""Processor time of each test, with the processes that it started.

Unlike the clock, it does not depend on the load. It is only reported: code that is made in the
    background counts for any test that runs beside it.
"""

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

LONG = 5.0
"""Seconds of processor time from which on a test belongs to the slow ones."""

_NAME = "processor time"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Note the processor time that a test takes in its report."""
    before = spent()
    try:
        return (yield)
    finally:
        item.user_properties.append((_NAME, spent() - before))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the tests that should be marked slow, the longest first."""
    found = [
        (value, report.nodeid)
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call" and "slow" not in report.keywords
        for name, value in report.user_properties
        if name == _NAME and value > LONG
    ]
    if found:
        terminalreporter.section(f"over {LONG:g} s of processor time and not marked slow")
        for value, test in sorted(found, reverse=True):
            terminalreporter.write_line(f"{value:6.1f} s  {test}")


def spent() -> float:
    """Sum up the seconds of this process and of its descendants, ended or not."""
    own = os.times()
    ticks = sum(map(_ticks, _descendants(os.getpid())))
    return sum(own[:4]) + ticks / os.sysconf("SC_CLK_TCK") if ticks else sum(own[:4])


def _descendants(process: int) -> Generator[int, None, None]:
    """Find the processes below this one, where they can be found."""
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, _read(file).split()):
            yield child
            yield from _descendants(child)


def _ticks(process: int) -> int:
    """Read the time of a process and of its ended children, which follow its state."""
    fields = _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def _read(file: Path) -> str:
    """Read a file of /proc; it is empty once the process has ended."""
    try:
        return file.read_text()
    except OSError:
        return ""
