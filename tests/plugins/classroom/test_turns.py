"""Who waits to be checked: fair to students and addresses, and nobody is forgotten."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from advisor.plugins.classroom.waiting import CheckQueue
from advisor.web.jobs import BusyError

Enter = Callable[[str, str], Awaitable[None]]


def played(turns: CheckQueue, come: list[tuple[str, str]]) -> list[str]:
    """Let these students come, one after the other, and return them in the order of their turns."""
    order = list[str]()

    async def check(student: str, address: str) -> None:
        async with turns.turn(student, address, trusted=False):
            order.append(student)
            await asyncio.sleep(0.001)

    async def everybody() -> None:
        await asyncio.gather(*(check(*each) for each in come))

    asyncio.run(everybody())
    assert turns.count == 0
    return order


def test_a_whole_class_behind_one_address_is_served_in_its_order() -> None:
    come = [(f"student {number}", "lab") for number in range(30)]
    assert played(CheckQueue(2, 90, 60), come) == [student for student, _ in come]


def test_an_address_that_floods_lets_others_in_between() -> None:
    come = [(f"flood {number}", "one") for number in range(20)] + [("anna", "two")]
    assert played(CheckQueue(2, 90, 60), come).index("anna") <= 3


def test_the_same_student_waits_once_and_no_address_takes_all_places() -> None:
    with pytest.raises(BusyError, match="your last strategy"):
        played(CheckQueue(1, 90, 60), [("anna", "lab")] * 2)
    with pytest.raises(BusyError, match="of your address"):
        played(CheckQueue(1, 90, 2), [(str(number), "lab") for number in range(3)])
    with pytest.raises(BusyError, match="too many strategies wait"):
        played(CheckQueue(1, 2, 60), [(str(number), str(number)) for number in range(3)])


def test_who_goes_away_takes_no_turn() -> None:
    turns, order = CheckQueue(1, 90, 60), list[str]()

    async def check(student: str) -> None:
        async with turns.turn(student, "lab", trusted=False):
            order.append(student)
            await asyncio.sleep(0.01)

    async def everybody() -> None:
        tasks = [asyncio.create_task(check(student)) for student in ("a", "b", "c")]
        await asyncio.sleep(0)
        assert [turns.ahead_of(student) for student in ("a", "b", "c")] == [0, 0, 1]
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(everybody())
    assert (order, turns.count) == (["a", "c"], 0)
