"""`advisor uci`, beside python-chess and what the library says of the same positions."""

import re
import subprocess
import threading
from collections.abc import Sequence
from random import Random

import pytest

import advisor
from commands import ENTRY, ROOT, environment

chess = pytest.importorskip("chess", reason="python-chess is not installed")

MATE = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4"


def uci(*lines: str, options: Sequence[str] = ()) -> list[str]:
    """What the engine says to some lines, by a process of its own."""
    done = subprocess.run(
        [*ENTRY, "uci", *options],
        input="\n".join([*lines, ""]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.slow
def test_uci_finds_a_mate_and_obeys() -> None:
    three_times = " ".join(["g1f3 g8f6 f3g1 f6g8"] * 2)
    said = uci(
        "uci",
        "isready",
        "nonsense",
        f"position fen {MATE}",
        "go depth 3",
        "ucinewgame",
        "position startpos moves e2e4 e7e5",
        "go movetime 100",
        "go infinite",
        "stop",
        "position startpos moves e2e4 e2e4",
        "go depth 1",
        "position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        f"position startpos moves {three_times}",
        "go searchmoves a2a3 h2h4 depth 1",
        f"position startpos moves {three_times} e2e4",
        "go depth 1 searchmoves e7e4",
        "go nodes 1000",
    )
    assert said[0].startswith("id name ")
    assert said.index("uciok") < said.index("readyok")
    assert any(re.match(r"info depth 1 score mate 1 .* pv f3f7$", line) for line in said)
    best = [line.split()[1] for line in said if line.startswith("bestmove ")]
    assert best[0] == "f3f7"
    assert any("'e2e4' is not legal" in line for line in said)
    board = chess.Board()
    for move in ("e2e4", "e7e5"):
        board.push_uci(move)
    for move in best[1:3]:
        assert chess.Move.from_uci(move) in board.legal_moves
    assert best[3:5] == ["(none)", "(none)"], "a position that cannot be, and a mate"
    assert best[5] in ("a2a3", "h2h4")
    assert best[6] == "(none)"
    assert len(best) == 8
    # The end of the input ends nothing that ends by itself.
    *_, looked, _ = said
    assert re.match(r"info depth [2-6] ", looked)
    assert 30 < int(looked.split()[7]) < 10_000  # no iteration is cut short


@pytest.mark.slow
def test_uci_answers_odd_commands_once_and_goes_on() -> None:
    digits = "9" * 5000
    mated = "position fen k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"
    with subprocess.Popen(
        [*ENTRY, "uci"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment(),
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        watchdog = threading.Timer(600, engine.kill)
        watchdog.start()

        def say(line: str) -> list[str]:
            """Send a line and return what is said before the answer to `isready` behind it."""
            engine.stdin.write(f"{line}\nisready\n".encode("latin-1"))
            engine.stdin.flush()
            return until("readyok")

        def until(wanted: str) -> list[str]:
            said: list[str] = []
            while not said or not said[-1].startswith(wanted):
                line = engine.stdout.readline()
                assert line, (wanted, said)
                said.append(line.decode().strip())
            return said

        say("\xff\xfe not UTF-8")
        for go in (
            "depth",
            "depth --5",
            "depth 1.9",
            "movetime 30.0",
            "wtime 200.5 btime x",
            "wtime -30 btime -30 winc -1 movestogo -1",
            "movestogo 0 wtime 100 btime 100",
            f"nodes {digits} depth 1",
            f"movetime {digits} depth 1 mate {digits}",
            "depth 1 depth",
            "nodes 0",
        ):
            said = say(f"position startpos\ngo {go}")
            found = [line for line in said if line.startswith("bestmove")] or until("bestmove")
            assert found[-1] != "bestmove (none)", go
        # No answer before it is wanted, not even where there is nothing to find.
        for position in ("position startpos", mated, "position nonsense"):
            for go in ("", "infinite", "infinite depth 1", "ponder", "ponder depth 1"):
                said = say(f"{position}\ngo {go}") + say("nonsense")
                assert not any(line.startswith("bestmove") for line in said), (position, go)
                if "ponder" in go:
                    say("")
                    answers = [*say("ponderhit")]
                else:
                    assert not any(line.startswith("bestmove") for line in say("ponderhit"))
                    answers = say("stop")
                found = [line for line in answers if line.startswith("bestmove")]
                found = found or [until("bestmove")[-1]]
                assert len(found) == 1
                assert (found == ["bestmove (none)"]) == (position != "position startpos")
        engine.stdin.write(b"quit\n")
        engine.stdin.close()
        assert not any(b"bestmove" in line for line in engine.stdout)
        assert engine.stderr.read() == b""
        watchdog.cancel()
    assert engine.returncode == 0


def told(said: Sequence[str]) -> list[str]:
    """The moves that are answered."""
    return [line.split()[1] for line in said if line.startswith("bestmove ")]


def test_several_lines_have_the_values_that_the_moves_have() -> None:
    depth, position = 4, advisor.load_game("connect4", weights="pomakis").position("4453")
    lines = [
        "setoption name MultiPV value 7",
        "position startpos moves 4 4 5 3",
        f"go depth {depth}",
    ]
    said = uci(*lines, options=["--game", "connect4", "--weights", "pomakis"])
    last = [line for line in said if line.startswith(f"info depth {depth} multipv")]
    found = {int(line.split(" pv ")[1].split()[0]): line for line in last}
    values = {c: int(re.search(r"cp (-?\d+)", line)[1]) for c, line in found.items()}  # type: ignore[index]
    expected = {each.move: each.value for each in advisor.suggest(position, depth=depth).moves}
    assert values == expected
    ranked = [values[int(line.split(" pv ")[1].split()[0])] for line in last]
    assert ranked == sorted(ranked, reverse=True)
    assert told(said) == [last[0].split(" pv ")[1].split()[0]]


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 20])
@pytest.mark.parametrize(
    ("game", "constants"),
    [
        ("connect4", {}),
        ("tictactoe", {}),
        ("hex", {"size": 3}),
        ("breakthrough", {}),
        ("morris", {}),
        ("reversi", {"size": 6}),
        ("gomoku", {"width": 9, "height": 9}),
    ],
)
def test_every_game_is_played_by_its_rules(
    game: str, constants: dict[str, int], level: int
) -> None:
    rng, position = Random(level), advisor.load_game(game, constants=constants).position()
    asked, positions, moves = ["uci", f"setoption name Skill Level value {level}"], [], ""
    for _ in range(4):
        asked += [f"position startpos moves {moves}", "go movetime 100"]
        positions.append(position)
        move = rng.choice(position.moves)
        moves, position = f"{moves} {position.code(move)}", position.play(move)
    given = [f"--const={name}={value}" for name, value in constants.items()]
    answers = told(uci(*asked, options=["--game", game, *given]))
    assert len(answers) == len(positions)
    for answer, before in zip(answers, positions, strict=True):
        assert answer in {before.code(move) for move in before.moves}


def test_options_are_told_and_wrong_numbers_refused() -> None:
    *_, wrong, best = said = uci(
        "uci",
        "setoption name Hash value 64",
        "setoption name Nonsense",
        "setoption name Skill Level value 21",
        "position startpos moves 4 1 4 1 4 1 4",
        "go depth 1",
        options=["--game", "connect4"],
    )
    assert "option name MultiPV type spin default 1 min 1 max 256" in said
    assert wrong == "info string error: Skill Level: '21' is out of range (use 1 to 20)"
    assert best == "bestmove (none)"
