"""Another program decides, our rules explain: what is taken over from it, and what may go wrong."""

import json
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import advisor as library
from advisor.advice import uci_program
from command import advisor
from commands import ENTRY, environment

TINY = Path(__file__).parents[1] / "uci_engine.py"


def engine(fault: str = "") -> str:
    """The command of the tests' own engine."""
    return shlex.join([sys.executable, str(TINY), fault])


def is_running(*arguments: str) -> bool:
    """Whether the tests' engine runs with these arguments."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if command[1:-1] == [str(TINY), *arguments]:
            return True
    return False


def test_values_lines_and_depth_are_the_engines() -> None:
    position = library.position("b2 b1", game="tictactoe")
    found = library.suggest(position, engine=f"{engine()};MultiPV=7")
    assert found.engine == "Tiny 1"
    assert len(found.moves) == 7
    kinds = {name: score.kind for name, score in found.scores.items()}
    assert {name for name, kind in kinds.items() if kind == "win"} == {
        "a1",
        "c1",
        "a2",
        "c2",
        "a3",
        "c3",
    }
    assert kinds["b3"] == "heuristic"
    assert found.score.moves == 3  # the second player can make it last that long
    assert found.depth == len(found.variation) == 5
    told = found.to_json()
    assert told["engine"] == "Tiny 1"
    assert told["moves"][0]["expected"]["line"] == told["pv"]


def test_the_rules_explain_along_the_lines_of_an_engine() -> None:
    position = library.position("b2 b1 a1", game="tictactoe")
    found = library.suggest(position, engine=engine())
    assert found.best == ("c3",)
    assert library.explain(found)[0].startswith("c3 loses in 2 moves at most, says Tiny 1: c3 ")
    assert library.explain(found, numbers=True) == []
    assert library.headline(found) == (
        "Play c3: a loss within 4 plies (Tiny 1, depth 4), and every other move loses sooner."
    )


def test_a_move_that_an_engine_does_not_tell_of_is_unknown() -> None:
    found = library.suggest(
        library.position("b2", game="tictactoe"), engine=f"{engine()};MultiPV=2"
    )
    unknown = next(name for name in found.position.moves if name not in found.scores)
    with pytest.raises(library.InputError, match="Tiny 1 tells of its best 2"):
        library.explain(found, unknown)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-engine", "'no-such-engine' cannot be started (No such file or directory)"),
        ("", "--engine: '' names no program (use COMMAND;NAME=VALUE;...)"),
        ("tiny;Threads", "--engine: 'tiny;Threads': 'Threads' is not NAME=VALUE"),
        ("tiny;nodes=x", "--engine: 'tiny;nodes=x': nodes 'x' is not a number"),
        ("tiny;depth=0", "--engine: 'tiny;depth=0': depth 0 is out of range (use 1 to 100)"),
        (f"{engine()};Multi PV=2", "has no option 'Multi PV' (did you mean MultiPV?)"),
        (f"{engine()};MultiPV=x", "takes no MultiPV='x' (use 1 to 9)"),
        (engine("dies"), "has ended without bestmove"),
        (engine("cheats"), "answers 'put(9,9)', which is no legal move of tictactoe"),
        (engine("garbage"), "answers '?', which is no legal move of tictactoe"),
        (engine("lies"), "says that a1 wins at once (it does not)"),
    ],
)
def test_what_an_engine_does_wrong_is_one_line(command: str, said: str) -> None:
    done = advisor("suggest", "b2", "--game", "tictactoe", "--engine", command)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not is_running("dies")


@pytest.mark.parametrize(("fault", "word"), [("mute", "uciok"), ("hangs", "bestmove")])
def test_an_engine_that_hangs_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, fault: str, word: str
) -> None:
    monkeypatch.setattr(uci_program, "_PATIENCE", 1.0)
    done = advisor("suggest", "b2", "--game", "tictactoe", "--engine", engine(fault), "--depth", 3)
    assert (done.code, done.out) == (2, "")
    assert f"does not answer {word} in time" in done.err
    assert not is_running(fault)


def test_an_engine_that_has_ended_is_started_again() -> None:
    position = library.position("b2", game="tictactoe")
    with pytest.raises(library.InputError, match="has ended"):
        library.suggest(position, engine=engine("dies"))
    later = library.position("b2 a1 c1", game="tictactoe")
    assert library.suggest(later, engine=engine("dies")).best == ("a3",)


def test_whoever_stops_an_engine_gets_what_it_has_said() -> None:
    stop, told = library.Stop(), []

    def enough(so_far: library.Advice) -> None:
        told.append(so_far.best)
        stop.set()

    asked = {"engine": engine("endless"), "depth": 3, "stop": stop, "on_iteration": enough}
    found = library.suggest(library.position("b2", game="tictactoe"), **asked)
    assert found.interrupted
    assert found.best == told[0] == ("a1", "c1", "a3")  # of equal value


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")
def test_ctrl_c_ends_an_engine_that_hangs(tmp_path: Path) -> None:
    command = [*ENTRY, "suggest", "b2", "--game", "tictactoe"]
    asked = tmp_path / "asked"
    process = subprocess.Popen(
        [*command, "--engine", f"{engine('hangs')} {asked}", "--depth", "3"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not asked.exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert not is_running("hangs", str(asked))


def test_an_engine_does_not_go_with_other_ways_to_decide() -> None:
    for options, said in (
        (["b2", "--game", "tictactoe", "--exact"], "--engine and --exact are both given"),
        (["b2", "--game", "tictactoe", "--level", 3], "--engine and --level are both given"),
        (["b2", "--game", "tictactoe", "--jobs", 2], "--jobs: threads of an engine are its own"),
        (["b2", "--game", "tictactoe", "--depth", 0], "--depth: an engine looks ahead"),
        (["4453"], "--engine: connect4 needs none, it has exact scores (--exact)"),
    ):
        done = advisor("suggest", *options, "--engine", engine())
        assert (done.code, done.out) == (2, "")
        assert said in done.err


def test_a_review_grades_by_the_word_of_an_engine() -> None:
    game = library.position("b2 b1 b3 a1", game="tictactoe")
    found = library.review(game, engine=engine())
    second, third = found.moves[1:3]
    assert second.mark.grade == "blunder"
    assert second.refutation is not None
    assert second.engine == "Tiny 1, depth 8"
    assert (second.mark.proved, second.mark.exact, second.mark.unit) == (False, False, "engine")
    assert "at most, says Tiny 1" in second.reasons[0]
    assert third.mark.grade == "blunder"  # the win is gone
    assert third.better[0] in ("a1", "c1", "a2", "c2", "a3", "c3")
    told = found.to_json()["moves"][1]
    assert told["engine"] == "Tiny 1, depth 8"


def test_a_review_keeps_what_is_done_when_an_engine_dies(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.write_text("b2 b1 a1 c3 a2\nb2 a1\n")
    command = "review", games, "--game", "tictactoe", "--engine", engine("dies"), "--json"
    done = advisor(*command)
    assert done.code == 2
    told = [json.loads(line) for line in done.out.splitlines()]
    assert [move["ply"] for move in told[0]["moves"]] == [4, 5]
    assert "has ended without bestmove" in told[0]["error"]
    assert done.err.count("\n") == 1


def test_an_engine_analyses_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_text("b2 b1\nb2 b2\n")
    command = "analyse", file, "--game", "tictactoe", "--engine", engine()
    done = advisor(*command, "--resume", tmp_path / "done")
    first, second = map(json.loads, done.out.splitlines())
    assert first["engine"] == "Tiny 1"
    assert "not legal" in second["error"]
    other = advisor(*command[:-1], f"{engine()};MultiPV=2", "--resume", tmp_path / "done")
    assert (other.code, other.out) == (2, "")
    assert "engine" in other.err


STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"

needs_stockfish = pytest.mark.skipif(
    not Path(STOCKFISH).is_file(), reason="Stockfish is not installed"
)


@pytest.mark.slow
@needs_stockfish
def test_stockfish_decides_and_the_rules_of_chess_explain() -> None:
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
    command = f"{STOCKFISH};nodes=50000;Hash=8"
    mate = library.suggest(library.position(fen, game="chess"), engine=command)
    assert (mate.best, mate.score.moves, len(mate.moves)) == (("Qxf7#",), 1, 3)
    assert mate.engine.startswith("Stockfish")
    legal = library.position("e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1", game="chess")
    found = library.suggest(legal, engine=command)
    assert (found.best, found.score.within) == (("Bxf7+",), True)
    line = f"says {found.engine}: Bxf7+ Ke7 Nd5#"
    assert library.explain(found)[0].startswith(f"Bxf7+ wins in 2 moves at most, {line}.")
    again = library.suggest(legal, engine=command)
    assert [m.score for m in again.moves] == [m.score for m in found.moves]


@pytest.mark.slow
@needs_stockfish
def test_stockfish_blames_the_move_that_lost_a_known_game() -> None:
    file = Path(__file__).parents[1] / "data" / "chess" / "miniatures.pgn"
    text = "[Event".join(["", *file.read_text().split("[Event")[2:3]])
    games = library.Summary([text], game="chess", player="saint", engine=f"{STOCKFISH};depth=10")
    assert len([*games]) == 1
    assert games.done[0]["people"] == ["Legall de Kermeur", "Saint Brie"]
    errors = {e["move"]: e for kind in games.kinds("allowed") for e in kind.errors}
    assert errors["Bxd1"]["grade"] == "blunder"
    assert errors["Bxd1"]["allowed"]["event"] == "a forced loss"
    assert errors["Bxd1"]["better"] == ["dxe5"]
