"""`advisor learn`: knowledge of a game from its rules alone."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from advisor.asp.clingo_api import render
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile, textfile
from advisor.files.textfile import file_name
from advisor.games import diagram, knowledge
from advisor.games.playing import Playing
from advisor.games.rules import RULES
from advisor.lab.learning.learn import GAMES, Learned, Match, Part, Task
from advisor.lab.learning.learn import learn as learn_game
from advisor.lab.learning.steps import Steps
from advisor.settings.config import KINDS
from advisor.views.learned_html import Figure, Section, page

_SECONDS = 600.0
_REPORT = "report.html"
_VERDICTS = {"stronger": "stronger", "weaker": "not stronger", None: "too few games to tell"}


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor learn breakthrough -o learned --time 300"))(learn)


def learn(
    game: options.Game,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Where the game and what was found is written."
        ),
    ],
    time: Annotated[
        float,
        typer.Option(
            callback=options.within(1, 86400),
            metavar="SECONDS",
            help="For all of it, match included.",
        ),
    ] = _SECONDS,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAMILY",
            help="Propose this family of rules; may be given several times.",
            show_default="all",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAMILY",
            help="Do not propose this family, or no strategies; may be given several times.",
            show_default=False,
        ),
    ] = None,
    candidates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Features of your own to choose from, too.", show_default=False
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="The weights of the game that have to be beaten in a match."
        ),
    ] = "rules",
    games: Annotated[
        int, typer.Option(min=64, max=100_000, help="Games of a round against itself, at most.")
    ] = GAMES,
    const: options.Constants = None,
    seed: options.Seed = 1,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    resume: options.Resume = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Find strategic knowledge of a game from its rules alone.

    Candidates are proposed from the rules, chosen by games of the game against itself, and tried in
    a match. What wins it is written as a game: its rules, features.lp, perhaps strategy.lp,
    weights.yaml and a report.
    Where nothing does, nothing is written, and the exit code is 1.
    """
    if (output / RULES).exists() or (output.exists() and not output.is_dir()):
        raise InputError(f"{file_name(output)}: exists already (choose another folder)")
    constants = options.chosen_constants(const)
    task = Task(
        game=game,
        constants=constants,
        seconds=time,
        games=games,
        seed=seed,
        only=tuple(only or ()),
        without=tuple(without or ()),
        own=candidates,
        against=against,
    )
    asked = {
        "game": game,
        "constants": constants,
        "seconds": time,
        "games": games,
        "seed": seed,
        "only": only,
        "without": without,
        "candidates": None if candidates is None else textfile.read_text(candidates),
        "against": against,
        "jobs": jobs,
    }
    journal = options.chosen_journal(resume, "learn", asked)
    workers = options.chosen_workers(jobs, dask)
    width = 1 if workers is None else workers.in_flight
    try:
        with screen.progress(no_color) as progress, Steps(workers, journal, width) as steps:
            bar = progress.add_task("reading the rules", total=100)
            found = learn_game(
                task,
                output,
                steps,
                on_progress=lambda stage, part: progress.update(
                    bar, description=stage, completed=round(100 * part)
                ),
            )
    except KeyboardInterrupt:
        kept = "" if resume is None else f" ({file_name(resume)} goes on from here)"
        raise InterruptedWorkError(f"interrupted: nothing is decided yet{kept}") from None
    if found.features.written:
        report = page(f"Learned: {found.game}", list(_sections(found, output)))
        outfile.write(output / _REPORT, report.encode())
    if json:
        screen.print_json(found.to_json())
    else:
        _print(screen.console(no_color), found)
    if not found.features.written:
        print(f"note: {_why_not(found.features)}; nothing is written", file=sys.stderr)
        raise typer.Exit(1)
    if not json:
        names = ", ".join(sorted(file.name for file in output.iterdir()))
        print(f"\nwritten: {file_name(output)} ({names})")


def _why_not(part: Part) -> str:
    """Why something that was looked for is not written."""
    if part.choice is None or not part.choice.families:
        return "nothing that was proposed tells enough"
    if part.match is None or not part.match.pairs:
        return "there was no time for a match"
    if part.match.verdict == "weaker":
        return f"what was found does not beat {part.match.against}"
    return f"too few games to tell whether what was found beats {part.match.against}"


def _heading(found: Learned) -> str:
    names = sum(found.features.tried.values())
    return (
        f"{found.game}: {len(found.features.tried)} families of features with {names} names; the "
        f"last of {found.games} games against itself had {found.positions} positions"
    )


def _rules(part: Part) -> list[tuple[str, str, str, str]]:
    """Each rule: its name, its weights, what it gains, what it is about."""
    if part.choice is None:
        return []
    rows = []
    for family, gain in part.choice.gains.items():
        own = [
            weight
            for name, weight in part.weights.items()
            if (name[0] if isinstance(name, tuple) else name) == family
        ]
        weights = str(own[0]) if len(own) == 1 else f"{min(own)} to {max(own)}"
        rows.append((family, weights, f"{gain:.4f}", part.about[family]))
    return rows


def _told(match: Match) -> str:
    limit = match.limit
    each = f"{limit.seconds:g} s a move" if limit.seconds else f"depth {limit.depth}"
    return (
        f"against {match.against}: {2 * sum(match.pairs):g} of {2 * len(match.pairs)} points at "
        f"{each}: {_VERDICTS[match.verdict]}"
    )


def _print(out: Console, found: Learned) -> None:
    out.print(_heading(found), markup=False)
    for part in (found.features, found.strategies):
        if part is None or part.choice is None or not part.choice.families:
            continue
        kind = "feature" if part is found.features else "strategy"
        columns = (kind, "weight", "gain", "what it is")
        out.print()
        out.print(screen.table(columns, _rules(part), left=(kind, "what it is")))
        if part.match is not None:
            out.print(_told(part.match), markup=False)
        if part is found.strategies and not part.written:
            out.print(f"{_why_not(part)}: strategies are not written", markup=False)
    out.print()
    out.print(
        "gain of a feature: how much the log-loss of results that were not fitted to would rise "
        "without it; of a strategy: the part of a deeper look-ahead's changes that only it tells",
        style="dim",
    )


def _sections(found: Learned, folder: Path) -> Iterator[Section]:
    """The report."""
    features, strategies = found.features, found.strategies
    circuits, config = knowledge.load(str(folder))
    assert features.choice is not None
    assert features.match is not None
    told = (
        f"Log-loss of results that weights were not fitted to: {features.choice.loss:.4f}, and "
        f"{features.choice.without:.4f} without any rule."
    )
    columns = ("rule", "weight", "gain", "what it is")
    yield Section(
        "Features", [_heading(found), told, _told(features.match)], columns, _rules(features)
    )
    if strategies is not None:
        matched = [] if strategies.match is None else [_told(strategies.match)]
        ending = "Written." if strategies.written else f"Not written: {_why_not(strategies)}."
        yield Section("Strategies", [*matched, ending], columns, _rules(strategies))
    texts = config.texts
    yield Section(
        "Weights",
        ["100 units multiply the odds of a win by 2.7."],
        ("name", "weight", "what it means"),
        [
            (render(name), str(weight), texts.comment(program, render(name)))
            for program in KINDS
            for name, weight in config.weights[program].items()
        ],
    )
    figures = []
    for family, case in found.decided.items():
        state = Playing(circuits, (), case.row)
        shown = state.diagram(case.better)
        names = circuits.rules.display.written([case.better, case.worse])
        figures.append(
            Figure(
                diagram.svg(shown) if shown else state.board(),
                f"{family}: {state.player} to move plays {names[case.better]}; without this rule "
                f"it would be {names[case.worse]}. The difference is {case.by}.",
            )
        )
    if figures:
        yield Section("Where they decide", ["By what follows at once."], figures=figures)
    for title, part in (("Features", features), ("Strategies", strategies)):
        if part is not None:
            rows = [(name, str(count)) for name, count in part.tried.items()]
            yield Section(f"{title} that were tried", (), ("family", "names that varied"), rows)
