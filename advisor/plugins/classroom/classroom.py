"""A class whose members hand in strategies, which play a tournament.

A strategy is an untrusted program. It is checked and played in its own process with limits of time,
memory and output (`bounded`), it is stored in its own folder, and its messages are shown as plain
text. A name belongs to the code that came with it first, or to the code that a list of students
gives it: each client makes a code, keeps it, and sends it along. The class belongs to the owner of
the server, who alone starts, stops, freezes and resets it.
"""

import hashlib
import hmac
import json
import secrets
import shutil
import tempfile
import threading
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from advisor.errors import InputError
from advisor.files import outfile
from advisor.lab.arena.likeness import Likeness, find_alike
from advisor.plugins.classroom import answers, bounded, class_work
from advisor.plugins.classroom.bounded import TellLine, ignore
from advisor.plugins.classroom.class_work import ADVISOR, RULES, USUAL, WEIGHTS
from advisor.plugins.classroom.names import clean_name
from advisor.plugins.classroom.students import Students, plain_code
from advisor.plugins.classroom.tournament import ClassTournament, TournamentPlan
from advisor.plugins.classroom.tries import SentStrategy, Tries
from advisor.web.jobs import THIS_MACHINE
from advisor.web.models import Json
from aspcircuits.texts import quote_text

MAX_MEMBERS = 60

MAX_OF_A_KEY, MAX_OF_AN_ADDRESS = 3, MAX_MEMBERS // 2
"""Maximum names of one code, and names that one address may take while the server runs.

A whole class may share an address. Requests from the server's own machine are not counted, nor are
the students of a list.
"""

PAGE = 50
"""Games on a page."""

_KEY, _RESULTS, _FROZEN = "key", "results.json", "frozen"
_OLD = ".old"  # suffix of the hidden folder of a strategy that is being replaced
_UNDONE = 17  # letters of the hidden folder of a strategy that is being checked
_REMOVED = ".removed"  # folder of what a reset has put away


class Classroom:
    """The class of a folder.

    Args:
        folder: holds a folder for each member's strategy; it is created if it is missing.
        game: the game that is played: a name, or a folder.
        students: a list of the students, see `Students`; None: everybody may hand in.

    Raises:
        InputError: the folder cannot be created or written to, the list cannot be read, the game
            cannot be played, or this system cannot limit programs.
    """

    def __init__(
        self, folder: str | Path, game: str = USUAL, students: str | Path | None = None
    ) -> None:
        if not bounded.has_bounds:
            raise InputError(
                "`class`: is not served on this system, which cannot bound the memory and "
                "the processor time of students' programs (use Linux or macOS)"
            )
        self._folder, self.game = Path(folder).resolve(), game
        self.example = class_work.make_example(game)
        outfile.make_folder(folder)
        outfile.check_writable(Path(folder) / ".member")
        self.students = None if students is None else Students(Path(students), self._folder)
        self._changing = threading.Lock()
        self._played: ClassTournament | None = None
        self._taken: Counter[str] = Counter()  # number of new names, by address
        self._restore()
        self._tries = Tries(self._folder)
        self._results: Json = self._kept()
        self._edition = secrets.token_hex(4), 0

    def view(self) -> Json:
        """Return the state of the class, for its page.

        During a tournament, `playing` holds the number of finished games and of all games. After
        its last game the tournament goes on for a while, with reviews of lost games. `edition`
        changes with the results.
        """
        played = self._played
        progress = played and played.progress
        run, number = self._edition
        return {
            "members": [folder.name for folder in self._members()],
            "playing": progress,
            "frozen": self.is_frozen(),
            "until": self.until(),
            "listed": self.students is not None,
            "game": Path(self.game).name,
            "edition": f"{run}-{number}-{progress[0] if progress else 'over'}",
        }

    def results(self) -> Json:
        """Return the table of the tournament in progress, or of the last one, without its games."""
        return {key: value for key, value in self._all_results().items() if key != "games"} | {
            "errors": [*dict.fromkeys(g["error"] for g in self.all_games() if "error" in g)]
        }

    def games(self, player: str, page: int) -> Json:
        """Return a page of the games of a player, or of all players if the name is empty."""
        found = [g for g in self.all_games() if player in ("", g["first"], g["second"])]
        return {"games": found[PAGE * page :][:PAGE], "pages": -(-len(found) // PAGE)}

    def _all_results(self) -> Json:
        played = self._played
        return played.results() if played and played.progress[0] else self._results

    def all_games(self) -> list[Json]:
        """Return the games of the tournament in progress, or of the last one."""
        games: list[Json] = self._all_results().get("games", [])
        return games

    # Handing in

    def hand_in(
        self,
        name: str,
        weights: str,
        rules: str,
        key: str,
        address: str = THIS_MACHINE,
        sent: datetime | None = None,
        tell: TellLine = ignore,
    ) -> list[Json]:
        """Accept a strategy if it can play; it replaces an earlier one of the same name.

        Args:
            name: the member's name.
            weights, rules: the texts of the files; `rules` may be empty.
            key: the client's code; it must match that of an earlier strategy of this name.
            address: the client's address.
            sent: when it came, which counts where strategies are taken until some time.
            tell: is called with a line if the strategy takes long to ground.

        Returns:
            Why each strategy of its own rules fires in the class's example position, or why not.

        Raises:
            InputError: the strategy, the name or the code is refused; the message says why.
        """
        name, sent = clean_name(name), sent or _now()
        self.check_open(sent)
        # Checked before the work and again after it: another client may take the name meanwhile.
        place = self._place(name, key, address)
        known = {
            "owner": hash_code(key),
            "time": sent.isoformat(timespec="seconds"),
            "weights": weights,
            "rules": rules,
        }
        try:
            example, marks = self._check(name, weights, rules, key, address, tell)
        except InputError as error:
            self._tries.add(place.name, error=str(error), **known)
            raise
        self._tries.add(place.name, error="", text=marks[0], moves=marks[1], **known)
        return example

    def _check(
        self, name: str, weights: str, rules: str, key: str, address: str, tell: TellLine
    ) -> tuple[list[Json], tuple[str, str]]:
        """Check a strategy and put it into the class's folder; return its example and marks."""
        fresh = self._folder / f".{secrets.token_hex(8)}"
        try:
            fresh.mkdir()
            (fresh / WEIGHTS).write_bytes(weights.encode())
            if rules.strip():
                (fresh / RULES).write_bytes(rules.encode())
            # Half the time of a tournament game is a margin, since other games may take longer.
            with class_work.Hall(
                {name: fresh}, bounded.BOUNDS.halved, self.game, tell=tell
            ) as hall:
                hall.check(name)
                example = hall.explain(name, self.example)
                marks = hall.mark(name)
            (fresh / _KEY).write_bytes(hash_code(key).encode())
            with self._changing:
                target = self._place(name, key, address)
                if not target.exists():
                    self._taken[address] += 1
                self._replace(target, fresh)
        except OSError as error:
            raise InputError(f"the class's folder takes no strategy ({error.strerror})") from None
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        return example, marks

    def check_code(self, name: str, key: str) -> None:
        """Refuse a code that cannot hand in as this name, before any work.

        Raises:
            InputError: the class has a list, and the code is not that of the name.
        """
        if self.students:
            self._place(clean_name(name), key, THIS_MACHINE)

    def check_open(self, sent: datetime) -> None:
        """Refuse a strategy that comes too late.

        Raises:
            InputError: the owner has frozen the class.
        """
        if self.is_frozen(sent):
            raise InputError("the class takes no strategies now (its owner can open it again)")

    def find_own(self, key: str) -> list[Json]:
        """Return what somebody with this code has handed in, the last try of each name."""
        return [
            {
                "name": last.name,
                "time": last.time,
                "error": last.error,
                "versions": sum(not each.error for each in tries),
                "weights": last.weights,
                "rules": last.rules,
            }
            for tries in self._tries.of_owner(hash_code(key))
            for last in tries[-1:]
        ]

    def _place(self, name: str, key: str, address: str) -> Path:
        """Find the folder for a name.

        Raises:
            InputError: the name belongs to another client, or the client or the class has too many
                names.
        """
        if self.students:
            listed = self.students.find(name)
            code = plain_code(self.students.code(listed)) if listed else ""
            if not listed or not hmac.compare_digest(code.encode(), plain_code(key).encode()):
                raise InputError(
                    f"name: {quote_text(name)} does not belong to this code (write your name as "
                    "your teacher has it, and the code that you were given)"
                )
            return self._folder / listed
        members, taken = self._members(), f"name: {quote_text(name)} is taken (use another one)"
        if name.casefold() == ADVISOR:
            raise InputError(taken)
        own = [
            member
            for member in members
            if hmac.compare_digest(_text(member / _KEY), hash_code(key))
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
            elif left.name.endswith(_OLD) or _is_undone(left.name):
                shutil.rmtree(left, ignore_errors=True)

    # What the owner sees and does

    def overview(self) -> list[Json]:
        """Return a line for each student: what they have handed in, and who is alike."""
        members = {member.name: member for member in self._members()}
        listed = self.students.names if self.students else ()
        names = {name.casefold(): name for name in (*self._tries.names, *listed, *members)}
        last = {name: self._last_taken(name) for name in names.values()}
        # Strategies that the owner has put into the folder, or changed there, have no marks.
        marks = {
            name: Likeness(t.text, t.moves) for name, t in last.items() if t and name in members
        }
        alike = find_alike(marks)
        found = []
        for name in sorted(names.values(), key=str.casefold):
            tries = self._tries.of(name)
            same: dict[str, set[str]] = {"text": set(), "moves": set()}
            for group in alike:
                if name in group.players:
                    same[group.how] |= {*group.players} - {name}
            found.append(
                {
                    "name": name,
                    "code": self.students.code(name) if name in listed and self.students else None,
                    "plays": name in members,
                    "time": tries[-1].time if tries else None,
                    "versions": sum(not each.error for each in tries),
                    "tries": tries[-1].number if tries else 0,
                    "error": tries[-1].error if tries else "",
                    "same_text": sorted(same["text"]),
                    "same_moves": sorted(same["moves"]),
                }
            )
        return found

    def versions(self, name: str) -> list[Json]:
        """Return all tries of a student whose texts are kept, the newest first."""
        keys = ("number", "time", "error", "weights", "rules")
        return [{key: getattr(t, key) for key in keys} for t in reversed(self._tries.of(name))]

    def _last_taken(self, name: str) -> SentStrategy | None:
        return next((t for t in reversed(self._tries.of(name)) if not t.error), None)

    def reset(self, name: str) -> None:
        """Put away what a student has handed in, which frees the name.

        A student of the list gets a new code. An empty name means everybody, and the results too;
        codes then stay. Nothing is deleted: all lies in a hidden folder of the class's folder.

        Raises:
            InputError: there is no such student, or the folder cannot be changed.
        """
        known = [line["name"] for line in self.overview()]
        if name and name not in known:
            raise InputError(f"name: {quote_text(name)} has handed in nothing")
        away = self._folder / _REMOVED / _now().strftime("%Y-%m-%dT%H-%M-%S.%f")
        try:
            away.mkdir(parents=True)
            with self._changing:
                for each in [name] if name else known:
                    if (self._folder / each / WEIGHTS).exists():
                        (self._folder / each).rename(away / each)
                    self._tries.remove(each, away / "tries")
                    if name and self.students and each in self.students.names:
                        self.students.renew(each)
                if not name:
                    with suppress(FileNotFoundError):
                        (self._folder / _RESULTS).rename(away / _RESULTS)
                    self._results = {}
            self._renew_edition()
        except OSError as error:
            raise InputError(f"the class's folder cannot be changed ({error.strerror})") from None

    def play(self, plan: TournamentPlan) -> None:
        """Start a tournament between the present strategies and the advisor.

        Raises:
            InputError: there are no strategies, a tournament is in progress, or the game has not
                enough openings.
        """
        members = {member.name: member for member in self._members()}
        if not members:
            raise InputError("nobody has handed in a strategy")
        names = [*dict.fromkeys((ADVISOR, *members))]
        tournament = ClassTournament(names, plan, self.game)
        with self._changing:
            if self._played:
                raise InputError("a tournament is being played (wait for its end, or stop it)")
            self._played = tournament
        threading.Thread(target=self._play, args=(tournament, names), daemon=True).start()

    def stop(self) -> None:
        """Stop the tournament in progress, if any; the games so far are kept."""
        played = self._played  # the tournament's thread may soon set it to None
        if played:
            played.stop()
            if played.progress[0]:
                self._keep(played)

    def freeze(self, frozen: bool, at: datetime | None = None) -> None:
        """Stop or resume accepting strategies; the folder keeps this for later servers.

        Args:
            frozen: whether to stop.
            at: when; None: now.

        Raises:
            InputError: the folder cannot be changed.
        """
        if frozen:
            outfile.write(self._folder / _FROZEN, at.isoformat().encode() if at else b"")
            return
        try:
            (self._folder / _FROZEN).unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"the class's folder cannot be changed ({error.strerror})") from None

    def is_frozen(self, when: datetime | None = None) -> bool:
        """Return whether strategies are refused that come at a time, by default now."""
        until = self.until()
        return (self._folder / _FROZEN).exists() and (
            until is None or (when or _now()) >= datetime.fromisoformat(until)
        )

    def until(self) -> str | None:
        """The time until which strategies are taken, as an ISO text; None if none is set."""
        try:
            return datetime.fromisoformat(_text(self._folder / _FROZEN)).isoformat()
        except ValueError:
            return None

    def strategies(self) -> dict[str, dict[str, str]]:
        """Return the texts of all strategies that play, by name and file."""
        return {
            member.name: {
                file: _text(member / file) for file in (WEIGHTS, RULES) if (member / file).exists()
            }
            for member in self._members()
        }

    def _play(self, played: ClassTournament, names: list[str]) -> None:
        try:
            # Copies play, so a strategy handed in meanwhile joins only the next tournament.
            with tempfile.TemporaryDirectory() as copies:
                folders = {name: Path(copies, name) for name in names if name != ADVISOR}
                for name, folder in folders.items():
                    # An unreadable strategy is missing in the copy; its games then report that.
                    with self._changing, suppress(OSError):
                        shutil.copytree(self._folder / name, folder)
                played.play(folders)
            if not played.stopped:
                self._keep(played)
        finally:
            self._played = None

    def _keep(self, played: ClassTournament) -> None:
        with self._changing:
            self._results = played.results()
            self._renew_edition()
            outfile.write(self._folder / _RESULTS, json.dumps(self._results).encode())

    def _renew_edition(self) -> None:
        run, number = self._edition
        self._edition = run, number + 1

    def _members(self) -> list[Path]:
        """List the folders with strategies, which the owner may have added too."""
        found = self._folder.glob(f"[!.]*/{WEIGHTS}")
        return sorted((file.parent for file in found), key=lambda member: member.name.casefold())

    def _kept(self) -> Json:
        """Read the results of the last tournament; empty if another version wrote the file."""
        kept = TypeAdapter(answers.KeptResults)
        try:
            found = kept.validate_json(_text(self._folder / _RESULTS) or "{}")
        except ValueError:
            return {}
        return {**found}


def hash_code(key: str) -> str:
    """Return what is kept of a code."""
    return hashlib.sha256(plain_code(key).encode()).hexdigest()


def _is_undone(name: str) -> bool:
    return len(name) == _UNDONE and all(sign in "0123456789abcdef" for sign in name[1:])


def _now() -> datetime:
    return datetime.now(UTC)


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, ValueError):
        return ""
