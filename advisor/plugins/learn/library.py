"""Knowledge of a game from its rules alone, found, tried and told."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from advisor.errors import InputError
from advisor.files import outfile, textfile
from advisor.games import diagram, knowledge
from advisor.games.playing import Playing
from advisor.games.rules import RULES
from advisor.lab.batch import Sharing, shared
from advisor.plugins.learn.learning.learn import learn as learned
from advisor.plugins.learn.learning.outcome import Learned, MatchResult, Part
from advisor.plugins.learn.learning.task import GAMES, Steps, Task
from advisor.library import arguments
from advisor.settings.config import KINDS
from advisor.views.document import cards, section
from aspcircuits.clingo_api import functor, render
from aspcircuits.texts import file_name

__all__ = ["GAMES", "Learned", "heading", "learn", "rows", "told", "why_not"]

_REPORT = "report.html"
_VERDICTS = {"stronger": "stronger", "weaker": "not stronger", None: "too few games to tell"}


def learn(
    game: str,
    folder: str | os.PathLike[str],
    *,
    constants: Mapping[str, int] | None = None,
    seconds: float = 600.0,
    games: int = GAMES,
    seed: int = 1,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    candidates: str | os.PathLike[str] | None = None,
    beside: str | None = None,
    against: str = "rules",
    sharing: Sharing | None = None,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> Learned:
    """Looks for strategic knowledge; what wins a match is written as a game, with a report.

    >>> advisor.learn("nothing", "learned")
    Traceback (most recent call last):
    advisor.errors.InputError: 'nothing' is neither a game ...

    Args:
        game, constants: by its rules.
        folder: a new one, where the game and what was found is written if it is worth it.
        seconds: for all of it, match included.
        games: of a round against itself, at most.
        only, without: families of rules to propose, or not to.
        candidates: a file of features of one's own to choose from, too.
        beside: weights of the game whose features are to choose from, too.
        against: the weights of the game that have to be beaten.
        sharing: who does the work, and what is kept of it.
        on_progress: told what is being done, and how much of the time is over (0 to 1).

    Raises:
        InputError, ConfigError, EncodingError: what cannot be used.
        BatchError: workers or a file that cannot be used.
        KeyboardInterrupt: Ctrl-C; nothing is decided yet.
    """
    arguments.several("only", only)
    arguments.several("without", without)
    output, sharing = Path(arguments.path("folder", folder)), shared(sharing)
    if (output / RULES).exists() or (output.exists() and not output.is_dir()):
        raise InputError(f"{file_name(output)}: exists already (choose another folder)")
    own = None if candidates is None else Path(candidates)
    task = Task(
        game=arguments.path("game", game),
        constants=arguments.constants(constants),
        seconds=arguments.positive(seconds),
        games=arguments.games(games),
        seed=arguments.seed(seed),
        only=tuple(only),
        without=tuple(without),
        own=own,
        beside=beside,
        against=against,
    )
    # Who goes on may give more time; what a file of one's own says matters, not where it is.
    run = asdict(task) | {"own": own and textfile.read_text(own), "jobs": sharing.jobs}
    del run["seconds"]
    with Steps(*sharing.ready("learn", run)) as steps:
        found = learned(task, output, steps, on_progress)
    if found.features.written:
        report = cards(f"Learned: {found.game}", _sections(found, output))
        outfile.write(output / _REPORT, report.encode())
    return found


def why_not(part: Part) -> str:
    """Why it is not written."""
    if not part.gains:
        return "nothing that was proposed tells enough"
    if part.match is None or not part.match.pairs:
        return "there was no time for a match"
    if part.match.verdict == "weaker":
        return f"what was found does not beat {part.match.against}"
    return f"too few games to tell whether what was found beats {part.match.against}"


def heading(found: Learned) -> str:
    names = sum(found.features.tried.values())
    return (
        f"{found.game}: {len(found.features.tried)} families of features with {names} names; the "
        f"last of {found.games} games against itself had {found.positions} positions"
    )


def rows(part: Part) -> list[tuple[str, str, str, str]]:
    """Each rule: its name, its weights, what it gains, what it is about."""
    found = []
    for family, gain in part.gains.items():
        own = [weight for name, weight in part.weights.items() if functor(name) == family]
        weights = str(own[0]) if len(own) == 1 else f"{min(own)} to {max(own)}"
        found.append((family, weights, f"{gain:.4f}", part.about[family]))
    return found


def told(match: MatchResult) -> str:
    limit = match.limit
    each = f"{limit.seconds:g} s a move" if limit.seconds else f"depth {limit.depth}"
    return (
        f"against {match.against}: {2 * sum(match.pairs):g} of {2 * len(match.pairs)} points at "
        f"{each}: {_VERDICTS[match.verdict]}"
    )


def _sections(found: Learned, folder: Path) -> Iterator[str]:
    """The report."""
    features, strategies = found.features, found.strategies
    circuits, config = knowledge.load(str(folder))
    assert features.choice is not None
    assert features.match is not None
    fitted = (
        f"Log-loss of results that weights were not fitted to: {features.choice.loss:.4f}, and "
        f"{features.choice.without:.4f} without any rule."
    )
    columns = ("rule", "weight", "gain", "what it is")
    paragraphs = [heading(found), fitted, told(features.match)]
    yield section("Features", paragraphs, columns, rows(features))
    if strategies is not None:
        matched = [] if strategies.match is None else [told(strategies.match)]
        ending = "Written." if strategies.written else f"Not written: {why_not(strategies)}."
        yield section("Strategies", [*matched, ending], columns, rows(strategies))
    texts = config.texts
    yield section(
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
        caption = (
            f"{family}: {state.player} to move plays {names[case.better]}; without this rule "
            f"it would be {names[case.worse]}. The difference is {case.by}."
        )
        figures.append((diagram.svg(shown) if shown else [], caption))
    if figures:
        yield section("Where they decide", ["By what follows at once."], figures=figures)
    for title, part in (("Features", features), ("Strategies", strategies)):
        if part is not None:
            tried = [(name, str(count)) for name, count in part.tried.items()]
            yield section(f"{title} that were tried", (), ("family", "names that varied"), tried)
