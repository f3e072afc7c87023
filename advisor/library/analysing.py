"""Advice on a stream of positions, one a line."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

from advisor.advice.advice import Advice
from advisor.errors import InputError
from advisor.files.linefile import LONGEST, read_lines
from advisor.games import rooms
from advisor.games.game import Game, Position
from advisor.lab.batch import Sharing, check_sharing, run
from advisor.library import arguments
from advisor.library.suggesting import suggest
from advisor.settings.config import DEFAULT, fingerprint
from aspcircuits.stopping import Stop


def analyse(
    lines: Iterable[str],
    *,
    game: str | None = None,
    constants: Mapping[str, int] | None = None,
    weights: str | None = DEFAULT,
    depth: int | None = None,
    seconds: float | None = None,
    exact: float | None = None,
    engine: str | None = None,
    sharing: Sharing | None = None,
) -> Generator[dict[str, Any], None, None]:
    """Yield an advice on every line, in their order, each as soon as it is ready.

    >>> for found in advisor.analyse(["4453", "9"], depth=2):
    ...     print(found.get("best"), found.get("error"))
    [3, 6, 7] None
    None move 1: column 9 is out of range (use 1 to 7)

    Args:
        lines: a move string or a picture each, or the moves so far; read when needed.
        game, constants, weights: see `load_game`; by default Connect Four.
        depth, seconds, exact, engine: of each, see `suggest`. An engine that fails ends the work.
        sharing: the workers, and the file of finished results.

    Yields:
        the object of ``suggest --json``, or an "error" and its "code"; before it the number of the
        "line", from 1, and the "position" on it.

    Raises:
        InputError, ConfigError, EncodingError: a game or weights that cannot be used.
        BatchError: workers or a file that cannot be used.
        KeyboardInterrupt: Ctrl-C; every result until then has been yielded.
    """
    arguments.several("lines", lines)
    numbers = arguments.constants(constants)
    limit, exact = arguments.limit(depth, seconds), arguments.time(exact)
    file = None if weights is None else arguments.path("weights", weights)
    named = rooms.name_game(arguments.path("game", game or rooms.USUAL), file, numbers)
    loaded = rooms.load_once(named)
    if arguments.engine(engine, loaded) is None:
        limit = limit.with_default_depth(loaded.settings.depth)
    told = {
        "weights": fingerprint(loaded.settings),
        "depth": limit.depth,
        "time": limit.seconds,
        **({"exact": exact} if exact else {}),
        **({"engine": engine} if engine else {}),
        "game": loaded.name,
        "const": numbers,
    }
    # By default a question has the same random games for a line, wherever it stands.
    ask = partial(
        suggest,
        depth=limit.depth,
        seconds=limit.seconds,
        exact=exact,
        engine=engine,
        traced=False,
    )
    ready = check_sharing(sharing).ready("analyse", told)
    found = run(partial(_analyse, named, ask), arguments.texts("lines", lines), *ready)
    return ({"line": number, **each} for number, each in enumerate(found, 1))


def _analyse(
    named: rooms.Named, ask: Callable[..., Advice], line: str, stop: Stop
) -> dict[str, Any]:
    return analysed(rooms.load_once(named), line, partial(ask, stop=stop))


def analysed(game: Game, line: str, ask: Callable[[Position], Advice]) -> dict[str, Any]:
    """Return the "position" of a line with advice on it as JSON, or with its "error".

    >>> advisor.analysed(advisor.load_game("connect4"), " 9", advisor.suggest)
    {'position': '9', 'error': 'move 1: column 9 is out of range (use 1 to 7)', 'code': 'input'}
    """
    given = line.strip()
    try:
        if len(line) > LONGEST:
            raise InputError(f"is longer than {LONGEST} characters")
        position = game.line(line)
    except InputError as error:
        return {"position": given, "error": str(error), "code": error.code}
    return {"position": given, **ask(position).to_json()}


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream, each as soon as it arrives.

    >>> import io
    >>> list(advisor.lines_of(io.BytesIO(b"4453\\n\\n44")))
    ['4453', '', '44']

    Every line counts, an empty one too (the move string of the empty board), so that results match
    the lines of the input. Bytes that are no UTF-8 become lone surrogates; a line that is too long
    is cut off a little after `LONGEST`.
    """
    return read_lines(stream, "surrogateescape")
