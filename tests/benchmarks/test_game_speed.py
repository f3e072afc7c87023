"""The program that measures games: what it counts."""

import pytest

import game_speed
from aspcircuits import llvm


@pytest.mark.slow
def test_it_counts_and_plays(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["game_speed.py", "tictactoe"])
    found = game_speed.main()
    assert found is not None
    assert found.nodes == 127_872
    assert found.playouts > 0
    if llvm.available():
        assert found.native is not None
        games, moves = found.native
        assert found.playouts < games < moves
    else:
        assert found.native is None
    assert "random games" in capsys.readouterr().out
