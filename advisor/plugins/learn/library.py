"""`learn` and `tune` of the public interface: find strategies in rules, and learn weights."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from advisor.errors import InputError
from advisor.files import outfile, textfile
from advisor.games import knowledge
from advisor.games.rules import RULES
from advisor.lab.batch import Sharing, check_sharing
from advisor.library import arguments
from advisor.plugins.learn import report
from advisor.plugins.learn.learning import task
from advisor.plugins.learn.learning.learn import find_knowledge
from advisor.plugins.learn.learning.outcome import Learned
from advisor.plugins.learn.learning.task import Steps, Task
from advisor.plugins.learn.tuning import selfplay
from advisor.plugins.learn.tuning.selfplay import SelfTuning, tune_by_selfplay
from advisor.plugins.learn.tuning.tune import ROUNDS, Aim, Tuning, fit_weights
from advisor.settings import reading
from advisor.settings.config import DEFAULT
from aspcircuits.texts import file_name

HOLDOUT = 0.2
"""Default share of positions held back."""

REPORT = "report.html"


def learn(
    game: str,
    folder: str | os.PathLike[str],
    *,
    constants: Mapping[str, int] | None = None,
    seconds: float = 600.0,
    games: int = task.GAMES,
    seed: int = 1,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    candidates: str | os.PathLike[str] | None = None,
    beside: str | None = None,
    against: str = task.RULES,
    force: bool = False,
    sharing: Sharing | None = None,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> Learned:
    """Find strategic knowledge of a game; write a report and, if it wins a match, the game with it.

    >>> advisor.learn("nothing", "learned")
    Traceback (most recent call last):
    aspcircuits.errors.InputError: 'nothing' is neither a game ...

    Args:
        game: a game's name, or a folder with its rules.
        folder: a new folder for the game with its knowledge.
        constants: constants of the rules, by name.
        seconds: time for the whole run, including matches.
        games: maximum number of games against itself in one round.
        seed: seed of all random choices that do not depend on the clock.
        only: propose only these families of rules.
        without: do not propose these families.
        candidates: a file with features of your own, which are candidates too.
        beside: weights of the game whose features are candidates too.
        against: weights of the game to beat in a match.
        force: write the game even if its knowledge does not win.
        sharing: processes for the work, and a file that keeps its results.
        on_progress: called with the stage and the share of the time that has passed (0 to 1).

    Raises:
        InputError, ConfigError, EncodingError: an argument, file or rule cannot be used.
        BatchError: the workers or the file with results cannot be used.
        KeyboardInterrupt: Ctrl-C; nothing is decided yet.
    """
    arguments.several("only", only)
    arguments.several("without", without)
    output, sharing = Path(arguments.path("folder", folder)), check_sharing(sharing)
    if (output / RULES).exists() or (output.exists() and not output.is_dir()):
        raise InputError(f"{file_name(output)}: exists already (choose another folder)")
    own = None if candidates is None else Path(candidates)
    wanted = Task(
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
        force=bool(force),
    )
    # A resumed run may have more time, be forced, or find its own candidates in another place.
    run = asdict(wanted) | {"own": own and textfile.read_text(own), "jobs": sharing.jobs}
    del run["seconds"], run["force"]
    with Steps(*sharing.ready("learn", run)) as steps:
        found = find_knowledge(wanted, output, steps, on_progress)
    outfile.make_folder(output)
    outfile.write(output / REPORT, report.page(found, output).encode())
    return found


def tune(
    data: str | os.PathLike[str] | None = None,
    *,
    game: str | None = None,
    constants: Mapping[str, int] | None = None,
    weights: str = DEFAULT,
    to: Aim = "results",
    holdout: float = HOLDOUT,
    rounds: int | None = None,
    games: int | None = None,
    seed: int = 1,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> Tuning | SelfTuning:
    """Learn weights of features and, if moves are the aim, of strategies.

    >>> advisor.tune()
    Traceback (most recent call last):
    aspcircuits.errors.InputError: `data` is missing: a file of positions with results, or `game`

    Args:
        data: a file of positions of Connect Four with results: rows of the UCI data set, moves and
            an exact score, or lines of `benchmarks/train/label.py`.
        game: without data, a game that learns from games against itself.
        constants: constants of the game's rules, by name.
        weights: weights to begin with.
        to: with data, the target of the fit.
        holdout: with data, the share of positions held back.
        rounds: number of rounds of games or, if moves are the aim, of look-aheads.
        games: without data, the number of games of a round.
        seed: seed of all random choices.
        on_progress: called with the stage and the share of it (0 to 1) that is done.

    Returns:
        The outcome: whether the new weights are `worse`, with `to_json` and `to_yaml`.

    Raises:
        InputError: arguments exclude each other, scikit-learn is missing, or there is nothing to
            learn from the positions or games.
        ConfigError, EncodingError: the weights or rules cannot be used.
    """
    numbers, seed = arguments.constants(constants), arguments.seed(seed)
    if rounds is not None:
        rounds = arguments.whole("rounds", rounds, 1, 100)
    if data is None and game is None:
        raise InputError("`data` is missing: a file of positions with results, or `game`")
    if game is not None:
        if data is not None:
            raise InputError("`game` learns from games of its own (leave out `data`)")
        if (to, holdout) != ("results", HOLDOUT):
            raise InputError("`to` and `holdout` go with `data`, not with `game`")
        circuits, settings = knowledge.load(game, weights, numbers)
        many = selfplay.GAMES if games is None else arguments.games(games, 10)
        rounds = rounds or selfplay.ROUNDS
        return tune_by_selfplay(circuits, settings, many, rounds, seed, on_progress)
    if numbers:
        raise InputError("`constants` goes with `game` (Connect Four has `size` and `connect`)")
    if games is not None:
        raise InputError("`games` goes with `game`")
    if rounds is not None and to != "moves":
        raise InputError("`rounds` goes with `to` moves and with `game`")
    path, begun = Path(arguments.path("data", data)), reading.load(weights)
    return fit_weights(path, begun, holdout, seed, to, rounds or ROUNDS, on_progress)
