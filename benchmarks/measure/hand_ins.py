"""Send fifty hostile hand-ins to `advisor serve --class`, and check that none does harm.

    python benchmarks/measure/hand_ins.py [--beside 2] [--only WORD] [--no-tournament]

It starts its own server with a class in which Anna has handed in a strategy. Hostile hand-ins come,
`--beside` at a time, then in a flood, while a player plays and asks for advice. The accepted ones
play a tournament with Anna. It prints the answer to each, and checks: no other advice, file or page
changes, an error is one line without control characters, nothing is written outside the class's
folder, and processes and memory return to their former size. The exit code is 1 if a check fails.
Linux only: processes are read from /proc.
"""

import argparse
import http.client
import json
import math
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from web_load import server

WEIGHTS = "extends: default\nencodings: {extra: [strategy.lp]}\nmoves: {edge: 200}\n"
RULE = "because(edge, move(R, C), square(R, C)) :- valid_move(R, C), C = (1; width).\n"
SAID = 'sentence(fires(edge), "takes {square} at the edge").\n'
RULES = RULE + SAID
PIGEONS = "1 { p(X, Y) : Y = 1..11 } 1 :- X = 1..12. :- p(X, Y), p(Z, Y), X < Z.\n"
BOARDS = ("", "44", "4453", "444433", "12345", "4444", "35241")
DEPTH = 4
FLOOD = 60
SETTLED = 10.0
"""Seconds after which processes and memory must be back."""
GROWN = 100.0
"""MB of growth that are no leak: what a server keeps after a hundred checks."""


@dataclass
class HandIn:
    """A hand-in to send: a raw body, or these texts as JSON."""

    kind: str
    weights: str = WEIGHTS
    rules: str = RULES
    name: str = ""
    key: str = ""
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    slow: bool = False
    plays: bool = False

    def sent(self, number: int) -> bytes:
        """Return the body of the request."""
        key = self.key or f"the key of client {number}"
        texts = {"weights": self.weights, "rules": self.rules, "key": key}
        named = {"name": self.name or f"Eve {number}", **texts}
        return json.dumps(named).encode() if self.body is None else self.body


def hostile() -> list[HandIn]:
    """List all hostile hand-ins; the ones that may play do no harm there."""
    deep = 5_000
    more = {
        "grounding without end: numbers": "a(0). a(X + 1) :- a(X).",
        "grounding without end: terms": "a(0). a(f(X)) :- a(X).",
        "grounding: 10^8 atoms": "p(1..9999, 1..9999).",
        "grounding: six free variables": "a(1..60). b(A, B, C, D, E, F) :- a(A), a(B), a(C), a(D), "
        "a(E), a(F).",
        "solving: pigeonholes by choices": PIGEONS,
        "solving: a disjunction": "a(1..40). b(X) ; c(X) :- a(X).",
        "a cycle through not": "a :- not b. b :- not a.",
        "a constraint against all moves": ":- valid_move(R, C).",
        "other moves as the best": "best_move(R, C) :- valid_move(R, C), C = 1.",
        "discs of its own": "cell(1, R, 4) :- R = 1..6.",
        "moves of its own": "valid_move(7, 9).",
        "#minimize": "#minimize { C, R : valid_move(R, C) }.",
        "#const of the board": "#const width = 99.",
        "#external, #program, #show": "#program base. #external a. #show a/0.",
        "a theory": "#theory t { s {}; &d/0 : s, any }. &d { 1 }.",
        "#script (python)": "#script (python)\nimport os\nos.system('touch /tmp/OWNED')\n#end.",
        "#script (lua)": "#script (lua)\nos.execute('touch /tmp/OWNED')\n#end.",
        "a call of a function": 'a(@system("touch /tmp/OWNED")).',
        "#include /etc/passwd": '#include "/etc/passwd".',
        "#include beside a comment": '%* *% #include "../Anna/strategy.lp". %* *%',
        "#include <incmode>": "#include <incmode>.",
        "brackets, 5,000 deep": f"a({'f(' * deep}1{')' * deep}).",
        "letters that are no ASCII": "b(\N{GREEK SMALL LETTER ALPHA}) :- cell(_, _, _).",
        "a NUL byte": "a(1).\0a(2).",
        "a byte order mark": "\N{ZERO WIDTH NO-BREAK SPACE}a(1).",
        "numbers that overflow": "a(2147483647 + 1). b(2 ** 99999).",
        "1,800 facts": "".join(f"a{n}. " for n in range(1_800)),
    }
    harmless = ("numbers that overflow", "1,800 facts")
    found = [
        HandIn(kind, rules=f"{RULES}{rules}", plays=kind in harmless)
        for kind, rules in more.items()
    ]
    yaml = {
        "aliases that multiply (YAML)": "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        "an alias of itself (YAML)": "encodings: &a {extra: [*a]}\n",
        "a Python object (YAML)": "extends: !!python/object/apply:os.system ['touch /tmp/OWNED']\n",
        "lists, 5,000 deep (YAML)": f"moves: {'[' * deep}{']' * deep}\n",
        "a number of 10,000 digits": f"extends: default\nmoves: {{win: 1{'0' * 10_000}}}\n",
        "infinity as a weight": "extends: default\nmoves: {win: .inf}\n",
        "1,500 weights without a rule": "extends: default\nmoves: {"
        + ", ".join(f"a{n}: 1" for n in range(1_500))
        + "}\n",
        "weights of /etc/passwd": "extends: /etc/passwd\n",
        "rules of another student": "extends: default\nencodings: {extra: [../Anna/strategy.lp]}\n",
        "terminal codes in weights": 'extends: "\\e]0;OWNED\\a\\e[2J"\n',
    }
    found += [HandIn(kind, weights=text, rules="") for kind, text in yaml.items()]
    sentences = {
        "attributes of objects in a sentence": "{square.__class__.__init__.__globals__}",
        "HTML in a sentence": "<img src=x onerror=alert(1)><script>alert(1)</script>",
        "terminal codes in a sentence": "\x1b]0;OWNED\x07\x1b[2J",
        "signs that turn a line round": "\N{RIGHT-TO-LEFT OVERRIDE}takes {square}",
    }
    for kind, text in sentences.items():
        rules = f'{RULE}sentence(fires(edge), "{text}").\n'
        found.append(HandIn(kind, rules=rules, plays=True))
    huge = (
        "extends: default\nencodings: {extra: [strategy.lp]}\nmoves: {edge: 1000000}\ndepth: 20\n"
    )
    found.append(HandIn("the largest weight, the deepest look-ahead", weights=huge, plays=True))
    names = ("../up", "/tmp/OWNED", "..", "a\0b", "<b>Anna</b>", "Anna\N{RIGHT-TO-LEFT OVERRIDE}")
    found += [HandIn(f"the name {name!a}", name=name) for name in names]
    found += [
        HandIn("the name of another student", name="Anna"),
        HandIn("the same in other letters", name="\uff21\uff2e\uff2e\uff21"),
        HandIn("the same with a guessed key", name="anna", key="\N{SNOWMAN}" * 20),
        HandIn("a megabyte", rules="%" * 1_000_000),
        HandIn("letters of Latin-1", body=b'{"name": "J\xf6rg", "weights": ""}'),
        HandIn("UTF-16", body='{"name": "a", "weights": ""}'.encode("utf-16")),
        HandIn("half a letter", body=b'{"name": "a", "weights": "\\ud800"}'),
        HandIn("JSON, 5,000 deep", body=b"[" * deep + b"]" * deep),
        HandIn("a key too many", body=b'{"name": "a", "weights": "", "folder": "/tmp"}'),
        HandIn("a form of another page", headers={"Content-Type": "text/plain"}),
        HandIn("a body that never ends", slow=True),
    ]
    return found


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a hand-in: its status (0 for none), its text, and its seconds."""

    status: int
    said: str
    seconds: float


def send(address: str, what: HandIn, number: int) -> Answer:
    """Send a hand-in."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    began, body = time.monotonic(), what.sent(number)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=300)
    try:
        headers = {**what.headers, "Content-Length": str(len(body) + 100 * what.slow)}
        connection.request("POST", "/api/class/hand-in", body, headers)
        response = connection.getresponse()
        said = response.read().decode()
        status = response.status
    except (OSError, http.client.HTTPException) as error:
        status, said = 0, repr(error)
    finally:
        connection.close()
    with suppress(ValueError):
        said = json.loads(said).get("error", "plays")
    return Answer(status, said, time.monotonic() - began)


def ask(address: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    """Send a harmless request; return the status and the answer."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=300)
    kind = {"Content-Type": "application/json"}
    try:
        method = "GET" if body is None else "POST"
        connection.request(method, f"/api/{path}", json.dumps(body), kind)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


class Player:
    """A client that plays and asks for advice while others hand in."""

    def __init__(self, address: str) -> None:
        self._address, self._end = address, threading.Event()
        self.wrong = list[str]()
        self.took = list[float]()
        self._expected = {board: self._advice(board) for board in BOARDS}

    def _ask(self, path: str, **body: Any) -> tuple[int, Any]:
        return ask(self._address, path, body)

    def _advice(self, board: str) -> tuple[int, Any]:
        status, found = self._ask("suggest", board=board, depth=DEPTH, explain=True)
        return status, {key: found.get(key) for key in ("best", "score", "explanation")}

    @contextmanager
    def playing(self) -> Iterator[None]:
        thread = threading.Thread(target=self.play, args=(math.inf,))
        thread.start()
        try:
            yield
        finally:
            self._end.set()
            thread.join()

    def play(self, seconds: float) -> None:
        """Play for some seconds, or until the end."""
        deadline = time.monotonic() + seconds
        while not self._end.is_set() and time.monotonic() < deadline:
            for board, expected in self._expected.items():
                began = time.monotonic()
                status, found = self._ask("position", board=board)
                if status != 200 or found["discs"] != len(board):
                    self.wrong.append(f"position {board!r}: {status}")
                if (told := self._advice(board)) != expected:
                    self.wrong.append(f"advice on {board!r}: {told}")
                self.took.append(time.monotonic() - began)
                time.sleep(0.1)


def family(process: int) -> dict[int, float]:
    """Return the memory in MB of a process and its descendants."""
    above, found = dict[int, int](), {process: 0.0}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                status = (entry / "status").read_text()
            except OSError:
                continue  # it has ended
            above[int(entry.name)] = int(stat[1])
            memory = [line for line in status.splitlines() if line.startswith("VmRSS")]
            found[int(entry.name)] = int(memory[0].split()[1]) / 1024 if memory else 0.0

    def below(each: int) -> bool:
        return each == process or (each in above and below(above[each]))

    return {each: memory for each, memory in found.items() if below(each)}


def settled(process: int, most: int) -> dict[int, float]:
    """Wait until the family is as small as before or the time is up; return it."""
    deadline = time.monotonic() + SETTLED
    while len(found := family(process)) > most and time.monotonic() < deadline:
        time.sleep(0.2)
    return found


def files(folder: Path) -> dict[str, bytes]:
    """Read all files in a folder."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def flood(address: str) -> Counter[int]:
    """Send many hand-ins at the same time; count the statuses."""
    one = HandIn("flood", weights="extends: default\nmoves: {none: 1}\n", rules="")
    with ThreadPoolExecutor(FLOOD) as together:
        return Counter(
            answer.status
            for answer in together.map(lambda n: send(address, one, 1_000 + n), range(FLOOD))
        )


def tournament(address: str, owner: str) -> str:
    """Play the tournament to its end; return what is wrong with it, if anything."""
    stranger, _ = ask(address, "class/play", {"key": "guessed"})
    status, _ = ask(address, "class/play", {"key": owner})
    while ask(address, "class")[1]["playing"] is not None:
        time.sleep(1)
    _, found = ask(address, "class/results")
    names = [row["name"] for row in found.get("table", ())]
    print(f"tournament: {len(names)} players, {len(found.get('errors', ()))} errors")
    expected = (stranger, status) == (403, 200) and {"Anna", "default"} <= {*names}
    if expected and not found["not_played"] and not {"Anna", "default"} & found["left_out"].keys():
        return ""
    return f"tournament: {status}, {names}, {found.get('not_played')}, {found.get('left_out')}"


def judged(what: HandIn, answer: Answer) -> str:
    """Return what is wrong with an answer, if anything."""
    if answer.status not in ((200,) if what.plays else (400, 408, 413, 415, 422)):
        allowed = answer.status == 422 and what.plays  # better than required
        if not allowed:
            return f"{what.kind}: status {answer.status}"
    if not answer.said.isprintable() or len(answer.said) > 2_500:
        return f"{what.kind}: {answer.said[:200]!r} is no line"
    return ""


def main() -> None:
    """Send all hand-ins and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--beside", type=int, default=2, help="hand-ins at a time")
    parser.add_argument("--warm", type=float, default=60, help="seconds of honest play before")
    parser.add_argument("--only", default="", help="those with this word in their kind")
    parser.add_argument("--tournament", action=argparse.BooleanOptionalAction, default=True)
    options = parser.parse_args()
    sent = [what for what in hostile() if options.only in what.kind]
    with tempfile.TemporaryDirectory() as place:
        here = Path(place)
        for name in ("current", "home", "temporary"):
            (here / name).mkdir()
        environment = {
            **os.environ,
            "HOME": str(here / "home"),
            "TMPDIR": str(here / "temporary"),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        members = here / "class"
        arguments = ("--class", str(members))
        how: dict[str, Any] = {"cwd": here / "current", "env": environment}
        with server(*arguments, lines=3, **how) as (address, process):
            wrong = attacked(address, process, here, sent, options)
    print("no harm" if not wrong else "\n".join(["HARM:", *wrong]))
    sys.exit(bool(wrong))


def attacked(
    address: str, process: int, here: Path, sent: list[HandIn], options: argparse.Namespace
) -> list[str]:
    """Send all hand-ins to the class owner's address; return what is wrong."""
    owner = urlsplit(address).fragment.removeprefix("owner=")
    anna = send(address, HandIn("honest", name="Anna"), 0)
    player = Player(address)
    assert anna.status == 200, anna
    player.play(options.warm)  # until workers and their children have compiled what they need
    honest, before = files(here), family(process)
    with player.playing(), ThreadPoolExecutor(options.beside) as together:
        answers = [*together.map(lambda i: send(address, sent[i], i), range(len(sent)))]
        flooded = flood(address)
    for what, answer in zip(sent, answers, strict=True):
        print(f"{what.kind:45} {answer.status} {answer.seconds:6.1f} s  {answer.said[:120]}")
    wrong = [judged(*each) for each in zip(sent, answers, strict=True)]
    counts = ", ".join(f"{count} times {status}" for status, count in sorted(flooded.items()))
    print(f"{FLOOD} at the same time: {counts}")
    if not {*flooded} <= {200, 422, 503}:
        wrong.append(f"flood: {counts}")
    if options.tournament:
        wrong.append(tournament(address, owner))
    wrong += player.wrong
    share = statistics.quantiles(player.took, n=20, method="inclusive")[-1]
    median = statistics.median(player.took)
    print(
        f"beside them {len(player.took)} positions with advice: median {median:.2f} s, "
        f"95 % within {share:.2f} s, {len(player.wrong)} wrong"
    )
    after = files(here)
    wrong += [f"{name}: changed" for name in honest if after.get(name) != honest[name]]
    allowed = {"key", "strategy.lp", "weights.yaml", "results.json"}
    strange = [
        name
        for name in after
        if not name.startswith("class/.tries/")
        and (not name.startswith("class/") or Path(name).name not in allowed)
    ]
    wrong += [f"{name}: left behind" for name in strange]
    if Path("/tmp/OWNED").exists():
        wrong.append("/tmp/OWNED: a program of a hand-in was run")
    found = settled(process, len(before))
    told = [f"{len(each)} processes, {sum(each.values()):.0f} MB" for each in (before, found)]
    print(f"before: {told[0]}; after: {told[1]}")
    if len(found) > len(before) or sum(found.values()) > sum(before.values()) + GROWN:
        wrong.append(f"more than before: {told[1]}")
    return [each for each in wrong if each]


if __name__ == "__main__":
    main()
