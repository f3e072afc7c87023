"""The rules of the game as bitboards."""

from advisor.games.connect4.board import Board, geometry

REACHABLE = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]
"""Distinct positions of the standard board after 0..8 plies (OEIS A212693; J. Tromp)."""


def test_the_number_of_positions_reachable_in_up_to_eight_plies() -> None:
    # The key tells positions of one root apart, so that a dictionary does without hashing them.
    root = Board(geometry())
    layer = {root.key: root}
    counts = [1]
    for _ in REACHABLE[1:]:
        layer = {
            child.key: child
            for position in layer.values()
            if not position.winner
            for child in map(position.play, position.moves())
        }
        counts.append(len(layer))
    assert counts == REACHABLE
