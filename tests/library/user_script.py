"""An example of a user's program: it names everything public, and the types.

`test_user_script` checks it with mypy and pyright, and runs it.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import advisor


def positions() -> Iterator[advisor.Position]:
    yield advisor.position("4453")
    yield advisor.load_game("tictactoe").position("a1 b2 a2 c3")


def suggestions() -> None:
    for position in positions():
        advice: advisor.Advice = advisor.suggest(position, depth=2)
        move: advisor.Move = advice.move(advice.best[0])
        score: advisor.Score = move.score
        kind: Literal["win", "draw", "loss", "heuristic"] = score.kind
        outcome: Literal["win", "draw", "loss"] | None = score.outcome
        print(advice, kind, outcome, advice.chance)
        texts: list[str] = advisor.explain(advice) + advisor.proofs(advice)
        print(advisor.headline(advice), advisor.reason(advice, advice.best[0]), *texts)
        print(advisor.explained(advice)["best"], advisor.choices(advice, 3))
        after: advisor.Position = position.play(*advice.variation)
        print(after.turn, len(after.rows), position.svg(advice)[:4])


def certainties() -> None:
    position = advisor.position("44", size=(5, 4))
    solved: advisor.Solved = advisor.solve(position, columns=True)
    bounds: advisor.Bounds = solved.position
    result: Literal["win", "draw", "loss"] | None = bounds.outcome
    engine: Literal["search", "solver", "bitbully", "book"] = solved.engine
    print(result, engine, solved.score, solved.plies)
    certain: advisor.Certain = advisor.certain(position, seconds=1)
    print({move: known.score for move, known in certain.bounds.items()})
    proof: advisor.Proof | advisor.PlanProof | None = advisor.prove(advisor.position(size=(6, 6)))
    data, lines = advisor.describe_proof(proof)
    print(sorted(data), lines[0])
    plan: advisor.Plan | None = advisor.plan(advisor.position())
    print(plan.now if plan else "no plan")


def questions() -> None:
    position = advisor.position("142454")
    threats: advisor.Threats = advisor.threats(position)
    threat: advisor.Threat = threats.found[0]
    print(threat.wins, threat.moves, threats.sentences)
    held: dict[str, advisor.Holding] = advisor.atoms(position)
    atom = held["cell/3"].atoms[0]
    answers: list[advisor.Why] = [
        advisor.why(position, atom),
        advisor.why_fires(position, "center(0)", 4),
        advisor.why_feature(position, "threat"),
    ]
    answer: Literal["holds", "does not hold", "no answer set", "answer set"] = answers[0].answer
    fired: list[advisor.Fired] = advisor.firing(position)
    print(answer, fired[0].rule)
    fires: advisor.Fires = advisor.fires(position.game, "win", games=2)
    use: advisor.Use = fires.uses[0]
    print(use.rule, use.points)


def reviews() -> None:
    review: advisor.Review = advisor.review(advisor.position("4453"))
    worst: advisor.Reviewed = max(review.moves, key=lambda move: move.mark.drop)
    mark: advisor.Mark[int | str] = worst.mark
    grade: Literal["best", "good", "unclear", "inaccuracy", "mistake", "blunder"] = mark.grade
    prospect: advisor.Prospect = worst.best
    scene: advisor.Scene = worst.before
    side: advisor.Side = review.sides[0]
    print(review, grade, mark.unit, prospect.kind, len(scene.text()), side.accuracy)
    print(advisor.logit_scale("connect4"))
    summary = advisor.Summary(["4453", "4455333"], player="o")
    print(len([*summary]), summary.accuracy)
    error: advisor.ErrorKind = summary.kinds("missed")[0]
    print(error.event, error.blamed)


def puzzles() -> None:
    print(len(advisor.puzzles()), advisor.is_puzzle("chapter3/5"))
    puzzle: advisor.Puzzle = advisor.puzzle("chapter3/5")
    attempt = advisor.Attempt(puzzle.position, puzzle.win_in)
    hint: advisor.Hint = attempt.hint()
    judged: advisor.Judged = attempt.play(puzzle.solution[0])
    print(hint.kind, judged.verdict)
    reply: advisor.Reply = advisor.reply(puzzle.position.play(1), 2)
    replayed: advisor.Replayed = advisor.replay("chapter1/1")
    print(reply.outcome, replayed.solved, len(replayed.steps))
    book = advisor.Book("chapter1")
    print(book.total)
    with tempfile.TemporaryDirectory() as folder:
        small = {"width": 5, "height": 4, "connect": 3}
        posed: list[Path] = [*advisor.Posing(folder, 2, 1, constants=small)]
        print(len(posed))


def strengths() -> None:
    match = advisor.Match("default:depth=1", "random", games=2, sharing=advisor.Sharing())
    print([len(games) for games in match], match)
    estimate: advisor.Estimate = match.elo
    verdict: Literal["stronger", "weaker"] | None = match.verdict
    print(estimate.low, verdict, match.results)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("ann", "bob"):
            Path(folder, f"{name}.yaml").write_text("extends: default")
        contest = advisor.Tournament(folder, games=2, depth=1)
        print(len([*contest]))
        standing: advisor.Standing = contest.standings[0]
        alike: list[advisor.Alike] = contest.alike
        print(standing.place, standing.beaten, alike)
        labelled = Path(folder, "labelled")
        labelled.write_text("7272456227752556353746443337 -6 -5 -5 1 1 1 -")
        examination = advisor.Examination(labelled, depth=2)
        print(len([*examination]))
        quality: advisor.Quality = examination.rows[0]
        print(quality.total.good)


def knowledge() -> None:
    game: advisor.Game = advisor.load_game("tictactoe")
    print(game.name in advisor.game_names(), game.players)
    tree: advisor.MoveTree = advisor.load_game("chess").read_tree("1. e4 e5 (1... c5)")
    print(len(tree.moves))
    with tempfile.TemporaryDirectory() as folder:
        print(advisor.export("tictactoe", Path(folder, "tictactoe.html")))
    report: advisor.Report = advisor.check_game("tictactoe", games=5, compare=1)
    print(report.results)
    weights: advisor.Weights = advisor.load_weights()
    print(weights.name in advisor.presets(), weights.moves["win"])
    circuit: advisor.Circuit = advisor.circuit_of(game)
    own: advisor.Circuit = advisor.compile("b :- a.", ["a"], ["b/0"])
    print(len(circuit.gates), own.evaluate([[True]]).tolist())
    evaluator = advisor.Evaluator()
    cells = advisor.position("44").cells
    print(evaluator.score(int(evaluator.values(cells[None])[0])).kind)
    advisor.prepare()
    print(advisor.fast(), advisor.slowed_by())
    diagnosis = advisor.Diagnosis()
    print(diagnosis.python, advisor.__version__)


def many() -> None:
    rows = [*advisor.analyse(["44", "4x"], depth=0)]
    print([row.get("error") for row in rows])
    arrays = advisor.Arrays("tictactoe")
    print(arrays.random_games(arrays.start(2), 3).shape)
    with tempfile.TemporaryDirectory() as folder:
        print(advisor.write_table(rows, Path(folder, "rows.csv"), columns=["line", "best"]))
    game = advisor.load_game("connect4")
    print(advisor.analysed(game, "44", lambda each: advisor.suggest(each, depth=0))["best"])
    with tempfile.TemporaryFile() as file:
        print([*advisor.lines_of(file)])
    stop = advisor.Stop(0.2)
    print(advisor.suggest(advisor.position("4", size=(8, 7)), stop=stop).depth)


def mistakes() -> None:
    tried: dict[type[advisor.AdvisorError], Callable[[], object]] = {
        advisor.InputError: lambda: advisor.position("9"),
        advisor.ConfigError: lambda: advisor.load_weights("nobody"),
        advisor.EncodingError: lambda: advisor.compile("a :-", [], ["a/0"]),
        advisor.BatchError: lambda: [*advisor.analyse([""], sharing=advisor.Sharing(dask="none"))],
    }
    for kind, call in tried.items():
        try:
            call()
        except kind as error:
            print(error.code, error)
        else:
            raise AssertionError(kind)

    print(advisor.FaultError("a bug").exit_code)


def outcomes_of_long_work(folder: Path) -> None:
    """Not called: it takes long, and needs files of one's own."""
    file, imported = advisor.import_game("sheet.kif", folder / "game")
    sheet: advisor.Imported = imported
    learned: advisor.Learned = advisor.learn(str(file), str(folder / "learned"))
    tuned: advisor.Tuning | advisor.SelfTuning = advisor.tune("labelled.txt")
    print(sheet.players, learned.games, tuned.worse)


if __name__ == "__main__":
    suggestions()
    certainties()
    questions()
    reviews()
    puzzles()
    strengths()
    knowledge()
    many()
    mistakes()
