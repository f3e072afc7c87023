"""A class and its JSON interface: its members hand strategies in, which play a tournament.

What they hand in is a stranger's program. It is checked and played in processes of its own with
bounds of time, memory and output (`advisor.web.bounded`); it is written to a folder of its own,
and what it says is shown as plain text. A name belongs to whoever took it first: the answer to the
first strategy has a key which later ones of the name must have, too.
"""

import hashlib
import hmac
import json
import re
import secrets
import shutil
import tempfile
import threading
import unicodedata
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import anyio
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import quoted
from advisor.library import matches
from advisor.web import api, bounded, class_work
from advisor.web.class_work import ADVISOR, RULES, WEIGHTS
from advisor.web.jobs import THIS_MACHINE
from advisor.web.limits import MAX_RULES
from advisor.web.models import Json
from advisor.web.models import Request as Body

MOST = 60
"""Members of a class."""

OPENINGS, PLIES = 2, 4
"""Of each pair, with both colours; moves of an opening, which are made by chance."""

MAX_CHECKED, MAX_CHECKS, MAX_EACH = 2, 20, 2
"""Strategies that are checked side by side, and those that are checked or wait for it, of all and
of one address that is not this machine's: a check may take long."""

_side_by_side = anyio.CapacityLimiter(MAX_CHECKED)
_checked: Counter[str] = Counter()  # and those that wait, by their addresses

REVIEWED = 5.0
"""Seconds to look back on a game that a member has lost."""

_NAME = re.compile(r"[^\W_][\w -]{0,28}[^\W_]|[^\W_]")
_KEY, _RESULTS = "key", "results.json"


@dataclass(frozen=True)
class _Tournament:
    """A tournament that is being played."""

    names: list[str]
    tasks: list[str]
    pairs: list[list[Json]] = field(default_factory=list)
    faults: dict[str, list[Json]] = field(default_factory=dict)

    def results(self) -> Json:
        """What is there of it so far."""
        games: list[Json] = []
        errors: list[str] = []
        for task, pair in zip(self.tasks, self.pairs, strict=False):
            one, other, _ = json.loads(task)
            for game, first, second in zip(pair, (one, other), (other, one), strict=False):
                if "error" in game:
                    errors.append(game["error"])
                    continue
                points = game["points"] if first == one else 1 - game["points"]  # who began
                games.append(
                    {"first": first, "second": second, "moves": game["moves"], "points": points}
                )
        if missing := len(self.tasks) - len(self.pairs):
            errors.append(f"the server was ended before the last {2 * missing} games")
        standings = matches.table(self.names, self.tasks, self.pairs)
        return {
            "table": [{"place": s.place, "name": s.player, **s.total.to_json()} for s in standings],
            "games": games,
            "faults": {**self.faults},
            "not_played": errors,
        }


class Classroom:
    """The class of a folder.

    Args:
        folder: what is handed in stands there, a folder a name; it is made if it is missing.

    Raises:
        InputError: it cannot be made or written to.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder).resolve()
        outfile.make_folder(folder)
        outfile.check_writable(Path(folder) / ".member")
        self._changing = threading.Lock()
        self._stop = threading.Event()
        self._played: _Tournament | None = None
        self._results: Json = self._kept()

    def view(self) -> Json:
        """What the page shows: the members, and the table and the games of the last tournament.

        Of one that is being played how many games were, of how many. After the last one it looks
        back on games for a while.
        """
        members, played = [folder.name for folder in self._members()], self._played
        playing = played and (2 * len(played.pairs), 2 * len(played.tasks))
        return {"members": members, "playing": playing, **self._results}

    def hand_in(self, name: str, weights: str, rules: str, key: str) -> str:
        """Takes a strategy in place of an earlier one of the name, if it can play.

        Args:
            name: of the member.
            weights, rules: the texts of the files; that of the rules may be empty.
            key: what the first answer to this name was; of a new name that of another one, so
                that whoever hands in has one key for all names and spellings.

        Returns:
            the key.

        Raises:
            InputError: what is wrong with the strategy, the name or the key.
        """
        name = " ".join(unicodedata.normalize("NFKC", name).split())
        if not _NAME.fullmatch(name):
            raise InputError("name: use 1 to 30 letters, digits, blanks and hyphens")
        self._place(name, key)  # before the work, and after it: somebody may have come meanwhile
        fresh = self._folder / f".{secrets.token_hex(8)}"
        try:
            fresh.mkdir()
            (fresh / WEIGHTS).write_bytes(weights.encode())
            if rules.strip():
                (fresh / RULES).write_bytes(rules.encode())
            bounded.run_in(fresh, class_work.check)
            with self._changing:
                target, key = self._place(name, key)
                (fresh / _KEY).write_bytes(_hash(key).encode())
                shutil.rmtree(target, ignore_errors=True)
                fresh.rename(target)
        except OSError as error:
            raise InputError(f"the class's folder takes no strategy ({error.strerror})") from None
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        return key

    def _place(self, name: str, key: str) -> tuple[Path, str]:
        """The folder of a name and its key; an InputError if it is taken, or the class is full."""
        members, taken = self._members(), f"name: {quoted(name)} is taken (use another one)"
        if name.casefold() == ADVISOR:
            raise InputError(taken)
        # Where capital letters do not matter to the disk, they do not make another name.
        for member in members:
            if member.name.casefold() == name.casefold():
                if not hmac.compare_digest(_text(member / _KEY), _hash(key)):
                    raise InputError(taken)
                return member, key
        if len(members) >= MOST:
            raise InputError(f"the class is full ({MOST} members)")
        return self._folder / name, key or secrets.token_urlsafe(12)

    def play(self) -> None:
        """Begins a tournament of all strategies, as they are now, and the advisor's own.

        Raises:
            InputError: nobody has handed anything in, or one is being played.
        """
        names = [member.name for member in self._members()]
        if not names:
            raise InputError("nobody has handed in a strategy")
        names = [*dict.fromkeys((ADVISOR, *names))]
        tasks = matches.schedule(names, matches.openings(OPENINGS, PLIES, 1))
        with self._changing:
            if self._played:
                raise InputError("a tournament is being played (wait for its end)")
            played = self._played = _Tournament(names, tasks)
        threading.Thread(target=self._play, args=(played,), daemon=True).start()

    def end(self) -> None:
        """Ends a tournament that is being played; what was played is kept."""
        played = self._played  # which is None soon after the next line
        self._stop.set()
        if played and played.pairs:
            self._keep(played)

    def _play(self, played: _Tournament) -> None:
        try:
            # Copies play: whoever hands in meanwhile does so for the next tournament.
            with tempfile.TemporaryDirectory() as copies:
                for name in played.names[1:]:
                    # What cannot be read is missing, as its games then say.
                    with self._changing, suppress(OSError):
                        shutil.copytree(self._folder / name, Path(copies, name))
                for task in played.tasks:
                    pair = _pair(Path(copies), *json.loads(task))
                    if self._stop.is_set():
                        return
                    played.pairs.append(pair)
            games = played.results()["games"]
            for name in played.names[1:]:
                played.faults[name] = self._faults(name, games)
            self._keep(played)
        finally:
            self._played = None

    def _keep(self, played: _Tournament) -> None:
        with self._changing:
            self._results = played.results()
            outfile.write(self._folder / _RESULTS, json.dumps(self._results).encode())

    def _faults(self, name: str, games: list[Json]) -> list[Json]:
        """The worst moves of the first game that a member has lost."""
        for game in games:
            begins = game["first"] == name
            if name in (game["first"], game["second"]) and game["points"] == (not begins):
                if self._stop.is_set():
                    return []
                try:
                    found: list[Json] = bounded.run(
                        class_work.faults, game["moves"], begins, PLIES, REVIEWED
                    )
                except InputError:
                    return []
                against = game["second"] if begins else game["first"]
                return [{**fault, "against": against} for fault in found]
        return []

    def _members(self) -> list[Path]:
        """The folders of what was handed in; the owner may have put some there."""
        found = self._folder.glob(f"[!.]*/{WEIGHTS}")
        return sorted((file.parent for file in found), key=lambda member: member.name.casefold())

    def _kept(self) -> Json:
        try:
            found = json.loads(_text(self._folder / _RESULTS) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


def _pair(folder: Path, one: str, other: str, opening: str) -> list[Json]:
    """Both games of two members, or an "error" in place of them."""
    try:
        found: list[Json] = bounded.run_in(folder, class_work.play, one, other, opening)
    except InputError as error:
        return [{"error": f"{one} against {other}: {error}"}]
    return found


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, ValueError):
        return ""


class HandIn(Body):
    """A strategy."""

    name: str = Field(max_length=60)
    weights: str = Field(description="The text of a weights file.")
    rules: str = Field("", description="That of `strategy.lp`, which the weights may name.")
    key: str = Field("", max_length=60, description="The answer to the first strategy.")


def _classroom(request: Request) -> Classroom:
    found: Classroom | None = request.app.state.classroom
    if found is None:
        raise HTTPException(404, "no class is served (advisor serve --class FOLDER)")
    return found


async def members(request: Request) -> Response:
    """`/api/class`: the members, the table, the games and the faults."""
    classroom = _classroom(request)
    return JSONResponse(await anyio.to_thread.run_sync(classroom.view))


async def hand_in(request: Request) -> Response:
    """`/api/class/hand-in`: takes a strategy that can play."""
    classroom = _classroom(request)
    asked = await api.read(request, HandIn, MAX_RULES)
    limiter = _side_by_side.statistics()
    if limiter.borrowed_tokens + limiter.tasks_waiting >= MAX_CHECKS:
        raise HTTPException(503, "too many strategies wait to be checked", {"Retry-After": "10"})
    address = api.address_of(request)
    if address != THIS_MACHINE and _checked[address] >= MAX_EACH:
        raise HTTPException(503, "strategies of yours are being checked", {"Retry-After": "10"})
    work = partial(classroom.hand_in, asked.name, asked.weights, asked.rules, asked.key)
    _checked[address] += 1
    try:
        key = await anyio.to_thread.run_sync(work, limiter=_side_by_side)
    finally:
        _checked[address] -= 1
    return JSONResponse({"key": key})


async def play(request: Request) -> Response:
    """`/api/class/play`: begins a tournament."""
    classroom = _classroom(request)
    await api.read(request, Body)  # which no page from elsewhere can send
    await anyio.to_thread.run_sync(classroom.play)
    return JSONResponse({})


ROUTES = [
    Route("/class", members),
    Route("/class/hand-in", hand_in, methods=["POST"]),
    Route("/class/play", play, methods=["POST"]),
]
