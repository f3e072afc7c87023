"""The examples that hand games to other packages, used by these packages themselves."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import advisor
from commands import ROOT


@pytest.fixture(autouse=True)
def _adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "adapters"))


@pytest.mark.parametrize(
    "name", ["tictactoe", "connect4", pytest.param("chess", marks=pytest.mark.slow)]
)
def test_a_state_as_openspiel_has_it(name: str) -> None:
    """Its random games end as often for each side as the game's own random games."""
    pyspiel = pytest.importorskip("pyspiel")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    theirs = {"tictactoe": "tic_tac_toe", "connect4": "connect_four", "chess": "chess"}[name]
    other = pyspiel.load_game(theirs).new_initial_state()
    adapter = import_module("openspiel_state")
    state, rng = adapter.State(advisor.Arrays(name)), np.random.default_rng(1)
    assert adapter.TERMINAL == pyspiel.PlayerId.TERMINAL
    # Of chess it is another player who begins, and moves are written otherwise.
    first = other.current_player()
    for _ in range(30 if name == "chess" else 100):
        ended = state.is_terminal()
        assert ended == other.is_terminal()
        if ended:
            assert state.current_player() == other.current_player() == adapter.TERMINAL
            assert state.returns()[0] == other.returns()[first]
            break
        assert state.current_player() == other.current_player() ^ first
        named = {written(name, other, action): action for action in other.legal_actions()}
        ours = {state.action_to_string(action): action for action in state.legal_actions()}
        assert named.keys() == ours.keys()
        move = rng.choice(sorted(named))
        before = state.clone()
        state.apply_action(ours[move])
        other.apply_action(named[move])
        assert (before.states != state.states).any()
    start = adapter.State(advisor.Arrays("tictactoe"))
    won = mcts.RandomRolloutEvaluator(50, np.random.RandomState(1)).evaluate(start)
    assert won[0] == -won[1] > 0


def written(name: str, state: Any, action: int) -> str:
    """An action of OpenSpiel as the advisor writes the move."""
    if name == "tictactoe":
        row, column = divmod(action, 3)
        return f"{'abc'[column]}{3 - row}"
    if name == "connect4":
        return str(action + 1)
    import pyspiel

    told: str = pyspiel.chess.action_to_move(action, state.board()).to_lan()
    return told


@pytest.mark.filterwarnings("ignore::UserWarning")  # what observations and agents should be like
@pytest.mark.parametrize("name", ["tictactoe", "morris"])
def test_an_environment_of_pettingzoo(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By its own test; in morris a player who closes a mill moves twice."""
    api_test = pytest.importorskip("pettingzoo.test").api_test
    api_test(import_module("pettingzoo_env").GameEnv(name), num_cycles=300)
    assert "Passed" in capsys.readouterr().out


def test_a_vector_environment_of_gymnasium() -> None:
    """Through its wrapper that counts games; random players win as often as elsewhere."""
    gymnasium = pytest.importorskip("gymnasium")
    environment = import_module("gymnasium_vector").GamesAgainstChance("tictactoe", 200)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(environment)
    seen, info = wrapped.reset(seed=1)
    rng, results = np.random.default_rng(1), []
    for _ in range(40):
        assert seen in wrapped.observation_space
        moves = (rng.random(info["action_mask"].shape) * info["action_mask"]).argmax(axis=1)
        seen, rewards, over, stopped, info = wrapped.step(moves)
        assert not stopped.any()
        results += rewards[over].tolist()
        if over.any():
            assert (info["episode"]["r"][over] == rewards[over]).all()
    arrays = advisor.Arrays("tictactoe")
    expected = arrays.random_games(arrays.start(1), 20_000).mean()
    assert len(results) > 1000
    assert abs(np.mean(results) - expected) < 4 / len(results) ** 0.5
    with pytest.raises(advisor.InputError, match="is not legal"):
        wrapped.step(info["action_mask"].argmin(axis=1))
