"""Matches: fair openings, legal games, and what the points say of the players' strength."""

import json
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random
from shutil import copy
from typing import Any

import pytest

from advising import advise
from advisor import extras
from advisor.advice.choice import near_best
from advisor.engine.row_search import RowEvaluator
from advisor.errors import InputError
from advisor.games import rooms
from advisor.games.connect4.notation import parse_line
from advisor.games.rules import rule_files
from advisor.lab.arena import elo, players
from advisor.lab.arena.match import Umpire, random_openings
from advisor.lab.batch import local, run
from advisor.settings import reading
from aspcircuits.stopping import Stop
from command import advisor
from ctrl_c import ctrl_c

ROOM = rooms.load()
FOUND = Path(__file__).parents[2] / "examples" / "found"


def points(wins: int, draws: int, losses: int) -> list[float]:
    """Pairs of games, each of two alike."""
    return [1.0] * wins + [0.5] * draws + [0.0] * losses


def test_elo_of_well_known_scores() -> None:
    """FIDE's handbook (B.02, 8.1): 0.76 of the points is a difference of about 200, 0.64 of 100."""
    assert elo.estimate(points(76, 0, 24)).elo == pytest.approx(200, abs=3)
    assert elo.estimate(points(64, 0, 36)).elo == pytest.approx(100, abs=3)
    assert elo.estimate(points(5, 9, 5)).elo == 0


def test_players_may_have_the_game_from_different_rooms(tmp_path: Path) -> None:
    """One knows Connect Four by its rules alone, as any game; their games are legal in both."""
    for file in rule_files("connect4"):
        copy(file, tmp_path)
    bare = players.parse("random", str(tmp_path))
    for pair in ((players.parse("central"), bare), (bare, players.parse("central"))):
        assert type(pair[0].game) is not type(pair[1].game)
        for game in Umpire(*pair, seed=1)("4 4 5 3", Stop()):
            spaced = " ".join(game["moves"].replace(" ", ""))
            ends = [game.position(spaced) for game in (ROOM, bare.game)]
            assert all(end.over for end in ends)
            assert {end.winning_side for end in ends} == {ends[0].winning_side}


def test_elo_turns_round_with_the_sides() -> None:
    one, other = elo.estimate(points(10, 3, 7)), elo.estimate(points(7, 3, 10))
    assert one.elo is not None
    assert one.low is not None
    assert one.high is not None
    assert (-one.elo, -one.low, -one.high) == pytest.approx((other.elo, other.high, other.low))


def test_a_match_won_throughout_is_bounded_on_one_side() -> None:
    found = elo.estimate(points(10, 0, 0))
    assert (found.elo, found.high) == (None, None)
    assert found.low is not None
    more = elo.estimate(points(40, 0, 0))
    assert more.low is not None
    assert more.low > found.low > 0


def drawn_pairs(rng: Random, count: int, share: float) -> list[float]:
    """Pairs of games, of which a good part is drawn, with this expected share of the points."""
    lot = [min(1.0, max(0.0, rng.gauss(share, 0.3))) for _ in range(count)]
    return [round(4 * pair) / 4 for pair in lot]


@pytest.mark.parametrize("share", [0.5, 0.65])
def test_the_interval_holds_the_truth_19_times_in_20(share: float) -> None:
    rng = Random(1)
    truth = elo.estimate(drawn_pairs(rng, 200_000, share)).elo
    assert truth is not None
    held = 0
    for _ in range(1000):
        found = elo.estimate(drawn_pairs(rng, 50, share))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert 930 <= held <= 975


@pytest.mark.parametrize(("share", "expected"), [(0.5288, "stronger"), (0.4712, "weaker")])
def test_the_sequential_test_is_seldom_wrong(share: float, expected: str) -> None:
    """Shares that are a difference of 20 Elo, for which an error of 5 % is allowed."""
    rng = Random(2)
    wrong = 0
    for _ in range(200):
        pairs: list[float] = []
        while (verdict := elo.decision(pairs) if pairs else None) is None:
            pairs += drawn_pairs(rng, 10, share)
        wrong += verdict != expected
    assert wrong <= 20


@pytest.mark.parametrize("plies", [1, 4, 12])
def test_random_openings_are_open_and_different(plies: int) -> None:
    count = 7 if plies == 1 else 60
    openings = random_openings(ROOM, count, plies, 1)
    positions = [parse_line(opening) for opening in openings]
    assert len(set(positions)) == count
    for position in positions:
        assert position.discs == plies
        assert position.result() is None
        assert not position.wins_at_once()
    assert random_openings(ROOM, count, plies, 1) == openings
    assert random_openings(ROOM, count, plies, 2) != openings


def test_openings_can_be_used_up() -> None:
    with pytest.raises(InputError, match=r"only 7 openings of length 1 .* for 16 games"):
        random_openings(ROOM, 8, 1, 1)
    with pytest.raises(InputError, match=r"only 0 openings .* \(use another number of plies\)"):
        random_openings(ROOM, 1, 43, 1)


def test_openings_that_there_are_not_are_not_looked_for_long() -> None:
    with pytest.raises(InputError, match=r"only 7 openings of length 1 .* for 2000000 games"):
        random_openings(ROOM, 1_000_000, 1, seed=1)
    done = advisor("match", "random", "random", "--games", 10**9)
    assert done.code == 2
    assert "'1000000000' found, should be less than or equal to 1000000" in done.err


@pytest.mark.parametrize(
    ("one", "two"), [("random", "default:depth=1"), ("default:depth=0", "central")]
)
def test_games_are_legal_and_told_right(one: str, two: str) -> None:
    work = Umpire(players.parse(one), players.parse(two), 1)
    for opening in random_openings(ROOM, 3, 4, 1):
        begun, answered = work(opening, Stop())
        for game, side in ((begun, 1), (answered, 2)):
            assert game["moves"].startswith(opening)
            position = parse_line(game["moves"])
            assert position.result() is not None
            assert game["points"] == {side: 1, 0: 0.5}.get(position.winner, 0)


def test_one_job_or_two_play_the_same_games() -> None:
    work = Umpire(players.parse("random"), players.parse("default:depth=2"), 7)
    openings = random_openings(ROOM, 6, 4, 3)
    assert list(run(work, openings, local(2))) == list(run(work, openings))


def test_nobody_beats_perfect_play() -> None:
    """Positions that exact scores call won or drawn for the side to move."""
    work = Umpire(players.parse("perfect"), players.parse("default:depth=2"), 1)
    won, drawn = "233344435533", "23163416124767223154467471272416755633"
    for opening, least in ((won, 1), (drawn, 0.5)):
        as_x, _ = work(opening, Stop())
        assert parse_line(opening).turn == 1
        assert as_x["points"] >= least


def told(*arguments: object) -> dict[str, Any]:
    done = advisor("match", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    result: dict[str, Any] = json.loads(done.out)
    return result


def test_a_match_is_told_and_saved(tmp_path: Path) -> None:
    saved = tmp_path / "games"
    found = told("default:depth=2", "random", "--games", 6, "--save", saved)
    assert list(found) == ["a", "b", "games", "wins", "draws", "losses", "elo", "elo_95"]
    assert (found["a"], found["b"], found["games"]) == ("default:depth=2", "random", 6)
    assert found["wins"] + found["draws"] + found["losses"] == 6
    games = saved.read_text().splitlines()
    winners = [parse_line(game).winner for game in games]
    assert [w for w, a in zip(winners, (1, 2) * 3, strict=True) if w == a] == winners[
        : found["wins"]
    ]
    assert advisor("suggest", games[0]).code == 0
    assert len(advisor("analyse", saved).out.splitlines()) == 6


def test_the_same_seed_is_the_same_match(tmp_path: Path) -> None:
    openings = tmp_path / "openings"
    openings.write_text("# two of them\n44\n\n4\n")
    given = ("random", "central", "--openings", openings, "--seed", 4)
    assert told(*given) == told(*given, "--jobs", 2)
    assert told(*given)["games"] == 4
    assert told(*given, "--games", 2)["games"] == 2


def test_a_clear_match_stops_early() -> None:
    found = told("default:depth=3", "random", "--games", 200, "--sprt")
    assert found["sprt"] == "stronger"
    assert found["games"] < 40


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nobody", "random"), "'nobody' is neither a weights file nor a preset"),
        (("random:depth=2", "random"), "'random:depth=2': random has no depth"),
        (("default:width=2", "random"), "'default:width=2': unknown 'width'"),
        (("default:depth=x", "random"), "'default:depth=x': 'x' is not a number"),
        (("default:level=0", "random"), "'default:level=0': level 0 is out of range (use 1 to 20)"),
        (("default:time=nan", "random"), "'default:time=nan': time nan is out of range"),
        (("random", "random", "--games", 3), "--games: 3 is odd"),
        (
            ("random", "random", "--plies", 0),
            "only 1 opening of length 0 in which",
        ),
        (("random", "random", "--openings", "no/such"), "no/such: no such file"),
    ],
)
def test_what_cannot_be_played_gets_one_line(arguments: tuple[object, ...], expected: str) -> None:
    done = advisor("match", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {expected}")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("44\n1212121\n", "line 2: '1212121' ends the game"),
        ("448\n", "line 1: '448': move 3: column 8 is out of range (use 1 to 7)"),
        ("x\n", "line 1: 'x': 1 row (expected 6 unless height says otherwise)"),
        ("12121213\n", "line 1: '12121213': move 8: the game is over"),
        ("x....../x......\n", "line 1: 'x....../x......': 2 rows"),
        ("# none\n", "holds no positions"),
        ("44\n", "1 openings are not enough for 4 games"),
    ],
)
def test_an_opening_that_cannot_be_played_gets_one_line(
    text: str, expected: str, tmp_path: Path
) -> None:
    openings = tmp_path / "openings"
    openings.write_text(text)
    done = advisor("match", "random", "random", "--openings", openings, "--games", 4)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {openings}: {expected}")


def test_a_player_who_lacks_his_engine_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitbully", None)  # importing it fails now
    with ctrl_c("bound"):
        done = advisor("match", "random", "perfect", "--games", 2, "--plies", 0)
    note, error = done.err.splitlines()
    assert note.startswith("note: perfect takes minutes or hours a move early in the game.")
    assert note.endswith("pip install bitbully")
    assert (done.code, done.out, error) == (130, "", "error: interrupted")


def test_nobody_else_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitbully", None)
    assert players.slowness(players.parse("random"), players.parse("default")) is None
    monkeypatch.undo()
    perfect = players.parse("perfect")
    assert (players.slowness(perfect) is None) == extras.has_extra("exact")


def test_moves_are_told_as_they_are_played() -> None:
    told: list[str] = []
    begun, answered = Umpire(players.parse("random"), players.parse("random"), 3, told.append)(
        "44", Stop()
    )
    both = [begun["moves"], answered["moves"]]
    assert told == [f"{made} moves long" for moves in both for made in range(2, len(moves))]


def test_a_level_is_that_of_play() -> None:
    """It looks as far (three plies at level 2), and has more than the best moves to choose from."""
    found, settings = players.parse("default:level=2"), replace(reading.load(), book=False)
    for moves in ("", "44", "4453"):
        position = parse_line(moves)
        advice = advise(position, settings, depth=3)
        assert found.moves(found.game.begin(position), Stop()) == near_best(advice, 2)
    weak, strong = (players.parse(f"default:{limit}=2") for limit in ("level", "depth"))
    position = ROOM.position("443322")
    assert set(strong.moves(position, Stop())) < set(weak.moves(position, Stop()))
    assert weak.identity != strong.identity


@pytest.mark.parametrize("player", ["central", "perfect", "default:level=3", "rules:depth=2"])
def test_every_player_plays_every_game(player: str) -> None:
    one = players.parse(player, "tictactoe")
    work = Umpire(one, players.parse("random", "tictactoe"), 1)
    for opening in random_openings(one.game, 2, 1, 1):
        for game in work(opening, Stop()):
            assert game["moves"].startswith(opening)
            assert one.game.position(game["moves"]).over
    if player == "perfect":  # which never loses
        assert all(sum(g["points"] for g in work(o, Stop())) >= 1 for o in ("b2", "a1", "b1"))


@pytest.mark.skipif(find_spec("numba") is None, reason="machine code needs the extra fast")
@pytest.mark.parametrize("weights", [str(FOUND / "breakthrough.yaml"), "rules"])
def test_a_prepared_player_has_machine_code_for_its_first_move(weights: str) -> None:
    player = players.parse(weights, "breakthrough", {"width": 4, "height": 5})
    player.prepare()
    game = player.game.circuits
    assert game.tree.by_code is not None
    assert game.tree.machine_search(RowEvaluator(game), player.game.position().root) is not None
    assert weights != "rules" or game.tree.grower() is not None


@pytest.mark.slow
@pytest.mark.skipif(find_spec("numba") is None, reason="machine code needs the extra fast")
def test_what_looks_ahead_selectively_never_begins_at_full_width() -> None:
    """Otherwise a match would depend on when its machine code is ready."""
    state = players.parse("default:depth=2", "chess").game.position("")
    evaluator = RowEvaluator(state.circuits, selective=True)
    assert state.circuits.tree.machine_search(evaluator, state.root) is not None


def test_the_middle_is_nearest_to_the_middle_in_every_game() -> None:
    for game, moves in (("tictactoe", ["b2"]), ("gomoku", ["h8"]), (None, [4])):
        central = players.parse("central", game)
        state = central.game.position("")
        assert [state.names[move] for move in central.moves(state, Stop())] == moves
