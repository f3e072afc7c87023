"""A class whose members hand in strategies, which play a tournament.

A strategy is an untrusted program. It is checked and played in its own process with limits of time,
memory and output (`bounded`), it is stored in its own folder, and its messages are shown as plain
text. A name belongs to the client that took it first: each client makes a key, keeps it, and sends
it along. The class belongs to the owner of the server, who alone starts, stops and freezes it.
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
from pathlib import Path

from pydantic import TypeAdapter

from advisor.errors import InputError
from advisor.files import outfile
from advisor.library import matches
from advisor.plugins.classroom import answers, bounded, class_work
from advisor.plugins.classroom.class_work import ADVISOR, PLIES, RULES, WEIGHTS
from advisor.web.jobs import THIS_MACHINE
from advisor.web.models import Json
from aspcircuits.texts import quote_text

MAX_MEMBERS = 60

MAX_OF_A_KEY, MAX_OF_AN_ADDRESS = 3, MAX_MEMBERS // 2
"""Maximum names of one key, and names that one address may take while the server runs.

A whole class may share an address. Requests from the server's own machine are not counted.
"""

OPENINGS = 2
"""Number of openings from which each pair plays, with both colours."""

MAX_FAILURES = 2
"""Number of failures after which a strategy is left out and loses its other games."""

REVIEW_SECONDS = 5.0
"""Seconds to review a game that a member has lost."""

_NAME = re.compile(r"[^\W_][\w -]{0,28}[^\W_]|[^\W_]")
_KEY, _RESULTS, _FROZEN = "key", "results.json", "frozen"
_OLD = ".old"  # suffix of the hidden folder of a strategy that is being replaced
_UNDONE = re.compile(r"\.[0-9a-f]{16}")  # the folder of a strategy that is being checked


@dataclass(frozen=True)
class _Tournament:
    """A tournament in progress."""

    names: list[str]
    tasks: list[str]
    pairs: list[list[Json]] = field(default_factory=list)
    faults: dict[str, list[Json]] = field(default_factory=dict)
    failures: dict[str, list[str]] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)

    def play(self, hall: class_work.Hall) -> None:
        """Play until all games are over or the tournament is stopped."""
        for task in self.tasks:
            if self.stopped.is_set():
                return
            one, other, opening = json.loads(task)
            out = {one, other} & self.left_out.keys()
            # A strategy that is left out loses its other games, so that all have the same number.
            if out:
                points = 0.5 if len(out) == 2 else float(other in out)
                pair = [{"moves": "", "points": points, "left_out": sorted(out)} for _ in range(2)]
            else:
                pair = matches.named_errors(one, other, hall.play(one, other, opening))
            if self.stopped.is_set():
                return
            self.pairs.append(pair)
            for game in pair:
                if "error" in game:
                    loser = other if game["points"] else one
                    self.failures.setdefault(loser, []).append(str(game["error"]))

    @property
    def left_out(self) -> dict[str, str]:
        """The last error of each strategy that failed too often, by name."""
        return {n: errors[-1] for n, errors in self.failures.items() if len(errors) >= MAX_FAILURES}

    def results(self) -> Json:
        """Sum up the games so far."""
        games: list[Json] = []
        for task, pair in zip(self.tasks, self.pairs, strict=False):
            one, other, _ = json.loads(task)
            for game, first, second in zip(pair, (one, other), (other, one), strict=True):
                if "left_out" not in game:
                    points = game["points"] if first == one else 1 - game["points"]  # who began
                    games.append({**game, "first": first, "second": second, "points": points})
        missing = 2 * (len(self.tasks) - len(self.pairs))
        standings = matches.table(self.names, self.tasks, self.pairs)
        return {
            "table": [{"place": s.place, "name": s.player, **s.total.to_json()} for s in standings],
            "games": games,
            "faults": {**self.faults},
            "left_out": self.left_out,
            "not_played": missing,
        }


class Classroom:
    """The class of a folder.

    Args:
        folder: holds a folder for each member's strategy; it is created if it is missing.

    Raises:
        InputError: the folder cannot be created or written to, or this system cannot limit
            programs.
    """

    def __init__(self, folder: str | Path) -> None:
        if not bounded.has_bounds:
            raise InputError(
                "`class`: is not served on this system, which cannot bound the memory and "
                "the processor time of students' programs (use Linux or macOS)"
            )
        self._folder = Path(folder).resolve()
        outfile.make_folder(folder)
        outfile.check_writable(Path(folder) / ".member")
        self._changing = threading.Lock()
        self._played: _Tournament | None = None
        self._hall: class_work.Hall | None = None
        self._taken: Counter[str] = Counter()  # number of new names, by address
        self._restore()
        self._results: Json = self._kept()

    def view(self) -> Json:
        """Return the members, and the table and games of the last tournament, for the page.

        During a tournament, `playing` holds the number of finished games and of all games. After
        its last game the tournament goes on for a while, with reviews of lost games.
        """
        members, played = [folder.name for folder in self._members()], self._played
        playing = played and (2 * len(played.pairs), 2 * len(played.tasks))
        return {"members": members, "playing": playing, "frozen": self._frozen, **self._results}

    def hand_in(
        self, name: str, weights: str, rules: str, key: str, address: str = THIS_MACHINE
    ) -> list[Json]:
        """Accept a strategy if it can play; it replaces an earlier one of the same name.

        Args:
            name: the member's name.
            weights, rules: the texts of the files; `rules` may be empty.
            key: the client's key; it must match that of an earlier strategy of this name.
            address: the client's address.

        Returns:
            Why each strategy of its own rules fires in the class's example position, or why not.

        Raises:
            InputError: the strategy, the name or the key is refused; the message says why.
        """
        name = " ".join(unicodedata.normalize("NFKC", name).split())
        if not _NAME.fullmatch(name):
            raise InputError("name: use 1 to 30 letters, digits, blanks and hyphens")
        # Checked before the work and again after it: another client may take the name meanwhile.
        self._place(name, key, address)
        fresh = self._folder / f".{secrets.token_hex(8)}"
        try:
            fresh.mkdir()
            (fresh / WEIGHTS).write_bytes(weights.encode())
            if rules.strip():
                (fresh / RULES).write_bytes(rules.encode())
            # Half the time of a tournament game is a margin, since other games may take longer.
            with class_work.Hall({name: fresh}, bounded.BOUNDS.halved) as hall:
                hall.check(name)
                example = hall.explain(name)
            (fresh / _KEY).write_bytes(_hash(key).encode())
            with self._changing:
                target = self._place(name, key, address)
                if not target.exists():
                    self._taken[address] += 1
                self._replace(target, fresh)
            return example
        except OSError as error:
            raise InputError(f"the class's folder takes no strategy ({error.strerror})") from None
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _place(self, name: str, key: str, address: str) -> Path:
        """Find the folder for a name.

        Raises:
            InputError: the name belongs to another client, the client or the class has too many
                names, or the owner has frozen the class.
        """
        if self._frozen:
            raise InputError("the class takes no strategies now (its owner can open it again)")
        members, taken = self._members(), f"name: {quote_text(name)} is taken (use another one)"
        if name.casefold() == ADVISOR:
            raise InputError(taken)
        own = [
            member for member in members if hmac.compare_digest(_text(member / _KEY), _hash(key))
        ]
        # Some file systems ignore case, so names that differ only by case are the same name.
        for member in members:
            if member.name.casefold() == name.casefold():
                if member not in own:
                    raise InputError(taken)
                return member
        if len(own) >= MAX_OF_A_KEY:
            names = ", ".join(quote_text(member.name) for member in own)
            raise InputError(f"name: you have {names} already (hand in as one of these)")
        if address != THIS_MACHINE and self._taken[address] >= MAX_OF_AN_ADDRESS:
            raise InputError(f"name: your address has taken {MAX_OF_AN_ADDRESS} (no more)")
        if len(members) >= MAX_MEMBERS:
            raise InputError(f"the class is full ({MAX_MEMBERS} members)")
        return self._folder / name

    def _replace(self, target: Path, fresh: Path) -> None:
        """Replace an old strategy; `_restore` repairs the folder after a crash in between."""
        old = self._folder / f".{target.name}{_OLD}"
        with suppress(FileNotFoundError):
            target.rename(old)
        fresh.rename(target)
        shutil.rmtree(old, ignore_errors=True)

    def _restore(self) -> None:
        """Undo replacements that a crash interrupted, and delete other traces of it."""
        for left in self._folder.glob(".*"):
            target = self._folder / left.name[1:].removesuffix(_OLD)
            if left.name.endswith(_OLD) and not target.exists():
                left.rename(target)
            elif left.name.endswith(_OLD) or _UNDONE.fullmatch(left.name):
                shutil.rmtree(left, ignore_errors=True)

    def play(self) -> None:
        """Start a tournament between the present strategies and the advisor.

        Raises:
            InputError: there are no strategies, or a tournament is in progress.
        """
        names = [member.name for member in self._members()]
        if not names:
            raise InputError("nobody has handed in a strategy")
        names = [*dict.fromkeys((ADVISOR, *names))]
        tasks = matches.schedule(names, matches.openings(OPENINGS, PLIES, 1))
        with self._changing:
            if self._played:
                raise InputError("a tournament is being played (wait for its end, or stop it)")
            played = self._played = _Tournament(names, tasks)
        threading.Thread(target=self._play, args=(played,), daemon=True).start()

    def stop(self) -> None:
        """Stop the tournament in progress, if any; the games so far are kept."""
        played, hall = self._played, self._hall  # the tournament's thread may soon set both to None
        if played:
            played.stopped.set()
            if played.pairs:
                self._keep(played)
        if hall:
            hall.stop()

    def freeze(self, frozen: bool) -> None:
        """Stop or resume accepting strategies; the folder keeps this for later servers."""
        try:
            if frozen:
                (self._folder / _FROZEN).touch()
            else:
                (self._folder / _FROZEN).unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"the class's folder cannot be changed ({error.strerror})") from None

    @property
    def _frozen(self) -> bool:
        return (self._folder / _FROZEN).exists()

    def _play(self, played: _Tournament) -> None:
        try:
            # Copies play, so a strategy handed in meanwhile joins only the next tournament.
            with tempfile.TemporaryDirectory() as copies:
                folders = {name: Path(copies, name) for name in played.names if name != ADVISOR}
                for name, folder in folders.items():
                    # An unreadable strategy is missing in the copy; its games then report that.
                    with self._changing, suppress(OSError):
                        shutil.copytree(self._folder / name, folder)
                with class_work.Hall(folders, bounded.BOUNDS) as self._hall:
                    played.play(self._hall)
            games = played.results()["games"]
            for name in folders:
                played.faults[name] = self._faults(played, name, games)
            if not played.stopped.is_set():
                self._keep(played)
        finally:
            self._played = self._hall = None

    def _keep(self, played: _Tournament) -> None:
        with self._changing:
            self._results = played.results()
            outfile.write(self._folder / _RESULTS, json.dumps(self._results).encode())

    def _faults(self, played: _Tournament, name: str, games: list[Json]) -> list[Json]:
        """Find the worst moves of the first game that a member has lost."""
        for game in games:
            begins = game["first"] == name
            if name in (game["first"], game["second"]) and game["points"] == (not begins):
                if played.stopped.is_set():
                    return []
                try:
                    found: list[Json] = bounded.run(
                        class_work.find_faults, game["moves"], begins, PLIES, REVIEW_SECONDS
                    )
                except InputError:
                    return []
                against = game["second"] if begins else game["first"]
                return [{**fault, "against": against} for fault in found]
        return []

    def _members(self) -> list[Path]:
        """List the folders with strategies, which the owner may have added too."""
        found = self._folder.glob(f"[!.]*/{WEIGHTS}")
        return sorted((file.parent for file in found), key=lambda member: member.name.casefold())

    def _kept(self) -> Json:
        """Read the results of the last tournament; empty if another version wrote the file."""
        kept = TypeAdapter(answers.ClassResults)
        try:
            found = kept.validate_json(_text(self._folder / _RESULTS) or "{}")
        except ValueError:
            return {}
        return {**found}


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, ValueError):
        return ""
