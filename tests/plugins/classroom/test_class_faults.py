"""The worst moves that a member of a class is shown."""

from dataclasses import replace

import advisor
from advisor.plugins.classroom.class_work import pick_faults


def test_nobody_is_blamed_for_the_moves_of_an_opening() -> None:
    moves = "1223334444"
    found = advisor.review(advisor.position(moves, size=(4, 4)), depth=2)
    blunders = [
        replace(move, mark=replace(move.mark, grade="blunder", better=(*move.names,)[:2]))
        for move in found.moves[:-1]
    ]
    best = replace(found.moves[-1], mark=replace(found.moves[-1].mark, grade="best"))
    review = replace(found, moves=(*blunders, best))
    for begins, plies in ((True, [5, 7, 9]), (False, [6, 8])):
        faults = pick_faults(review, moves, begins, 4)
        assert [fault["ply"] for fault in faults] == plies
        assert [fault["moves"] for fault in faults] == [moves[: ply - 1] for ply in plies]
    assert [fault["ply"] for fault in pick_faults(review, moves, True, 5)] == [7, 9]
