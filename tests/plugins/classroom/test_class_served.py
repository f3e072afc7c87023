"""A class over HTTP: a whole lab behind one address, codes, a deadline, and the teacher's page."""

import base64
import csv
import io
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from advisor.errors import InputError
from advisor.plugins.classroom.classroom import Classroom
from advisor.plugins.classroom.students import Students, make_code, plain_code
from advisor.web import app

pytestmark = pytest.mark.slow

PLAIN = "extends: default\n"
WEIGHTS = "extends: default\nencodings: {extra: [strategy.lp]}\nmoves: {edge: 200}\n"
RULES = "fires(edge, move(R, C)) :- valid_move(R, C), C = (1; width).\n"
SAME = "% Mine!\nfires(edge,move(R,C)) :-\n  valid_move(R,C), C=(1;width).\n"
RENAMED = RULES.replace("edge", "rim"), WEIGHTS.replace("edge", "rim")
MOST = 1_800  # seconds of a request, on a busy machine


class Client:
    """A client of a served class; the owner's key is known to the tests."""

    def __init__(self, port: int, owner: str) -> None:
        self._port, self._owner = port, owner

    def ask(self, path: str, **body: Any) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=MOST)
        try:
            method = "POST" if body else "GET"
            kind = {"Content-Type": "application/json"}
            connection.request(method, f"/api/{path}", dumps(body) if body else None, kind)
            answer = connection.getresponse()
            return answer.status, loads(answer.read())
        finally:
            connection.close()

    def command(self, path: str, **body: Any) -> Any:
        status, found = self.ask(f"class/{path}", key=self._owner, **body)
        assert status == 200, found
        return found

    def hand_in(
        self, name: str, key: str, weights: str = PLAIN, rules: str = ""
    ) -> tuple[int, Any]:
        return self.ask("class/hand-in", name=name, key=key, weights=weights, rules=rules)


@contextmanager
def serving(folder: Path, **options: object) -> Iterator[Client]:
    served = app.create(workers=1, options={"class_folder": str(folder), **options})
    server = uvicorn.Server(uvicorn.Config(served, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Client(port, served.state.owner.key)
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("served") / "class") as found:
        yield found


def test_thirty_students_of_one_address_hand_in_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is refused, none is lost, whatever comes first; the address is not the server's own."""
    monkeypatch.setattr("advisor.plugins.classroom.class_routes.address_of", lambda _: "192.0.2.1")
    found: dict[str, int] = {}
    with serving(tmp_path) as client:

        def send(name: str) -> None:
            found[name] = client.hand_in(name, f"the code of {name}")[0]

        names = [f"student {number}" for number in range(30)]
        threads = [threading.Thread(target=send, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == dict.fromkeys(names, 200)
        lines = client.command("overview")["students"]
    assert {line["name"] for line in lines if line["plays"] and line["versions"] == 1} == {*names}
    assert sorted(Classroom(tmp_path).view()["members"]) == sorted(names)


def test_a_code_brings_back_what_was_handed_in_on_another_machine(client: Client) -> None:
    code = make_code()
    assert client.hand_in("Ada", code, WEIGHTS, RULES)[0] == 200
    status, told = client.hand_in("Ada", code, "extends: [\n")
    assert status == 422
    for typed in (code, code.upper(), code.replace("-", " ")):
        (own,) = client.ask("class/mine", key=typed)[1]["strategies"]
        assert (own["name"], own["versions"], own["weights"]) == ("Ada", 1, "extends: [\n")
        assert own["error"] == told["error"]
    assert client.ask("class/mine", key=make_code())[1]["strategies"] == []
    (line,) = (x for x in client.command("overview")["students"] if x["name"] == "Ada")
    assert (line["plays"], line["versions"], line["tries"]) == (True, 1, 2)
    newest, oldest = client.command("versions", name="Ada")["versions"]
    assert (newest["error"], oldest["error"]) == (told["error"], "")
    assert (oldest["weights"], oldest["rules"]) == (WEIGHTS, RULES)


def test_the_teacher_sees_who_is_alike_and_takes_it_all_away(client: Client) -> None:
    rules, weights = RENAMED
    texts = {
        "eve": (WEIGHTS, RULES),
        "ivy": (f"# Mine!\n{WEIGHTS}", SAME),
        "joe": (weights, rules),
    }
    for name, (weights, rules) in texts.items():
        assert client.hand_in(name, make_code(), weights, rules)[0] == 200
    lines = {line["name"]: line for line in client.command("overview")["students"]}
    assert "ivy" in lines["eve"]["same_text"]
    assert "joe" not in lines["eve"]["same_text"]
    assert {"eve", "ivy"} <= {*lines["joe"]["same_moves"]}
    table = base64.b64decode(client.command("export", kind="csv")["base64"]).decode("utf-8-sig")
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(table))}
    assert "ivy" in rows["eve"]["says the same as"]
    packed = zipfile.ZipFile(
        io.BytesIO(base64.b64decode(client.command("export", kind="zip")["base64"]))
    )
    assert packed.read("ivy/strategy.lp").decode() == SAME
    assert {"class.csv", "games.csv", "joe/weights.yaml"} <= {*packed.namelist()}
    client.command("reset", name="ivy")
    lines = {line["name"]: line for line in client.command("overview")["students"]}
    assert "ivy" not in lines
    assert "ivy" not in lines["eve"]["same_text"]


def test_what_comes_after_the_deadline_is_refused_though_the_server_comes_again(
    tmp_path: Path,
) -> None:
    room = Classroom(tmp_path)
    now = datetime.now(UTC)
    room.freeze(True, now + timedelta(hours=1))
    for again in (room, Classroom(tmp_path)):
        assert (again.view()["frozen"], again.view()["until"]) == (
            False,
            (now + timedelta(hours=1)).isoformat(),
        )
        again.check_open(now)
        with pytest.raises(InputError, match="takes no strategies now"):
            again.check_open(now + timedelta(hours=1))
    room.freeze(True, now - timedelta(hours=1))
    assert room.view()["frozen"]
    with pytest.raises(InputError, match="takes no strategies now"):
        room.hand_in("Ada", PLAIN, "", make_code())
    room.freeze(False)
    assert (room.view()["frozen"], room.view()["until"]) == (False, None)


def test_a_list_admits_its_students_alone_with_their_codes(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("# our class\nAnna B\n\nBob\n")
    with serving(tmp_path / "class", students=str(names)) as client:
        assert client.ask("class")[1]["listed"]
        lines = {line["name"]: line for line in client.command("overview")["students"]}
        assert [*lines] == ["Anna B", "Bob"]
        codes = {name: line["code"] for name, line in lines.items()}
        for name, code in (
            ("Anna B", codes["Bob"]),
            ("Carl", codes["Bob"]),
            ("Bob", "no such code"),
        ):
            status, told = client.hand_in(name, code)
            assert (status, "does not belong to this code" in told["error"]) == (422, True)
        assert client.hand_in("anna  b", codes["Anna B"].upper())[0] == 200
        assert client.ask("class")[1]["members"] == ["Anna B"]
        client.command("reset", name="Anna B")
        assert client.hand_in("Anna B", codes["Anna B"])[0] == 422
    kept = Students(names, tmp_path / "class")
    assert kept.code("Bob") == codes["Bob"]
    assert plain_code(kept.code("Anna B")) != plain_code(codes["Anna B"])


@pytest.mark.parametrize(
    ("text", "told"),
    [("Anna\nanna\n", r"names.txt:2: 'anna' is in the list twice"), ("# none\n", "has 0 names")],
)
def test_a_wrong_list_is_named_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "names.txt").write_text(text)
    with pytest.raises(InputError, match=told):
        Students(tmp_path / "names.txt", tmp_path)


def test_a_class_plays_another_game_by_rounds_and_shows_its_games_in_pages(tmp_path: Path) -> None:
    rules = "fires(middle, put(2, 2)) :- free(2, 2).\n"
    weights = "extends: default\nencodings: {extra: [strategy.lp]}\nmoves: {middle: 2}\n"
    with serving(tmp_path, class_game="tictactoe") as client:
        assert client.ask("class")[1]["game"] == "tictactoe"
        status, told = client.hand_in("Ada", make_code(), weights, rules)
        assert (status, [each["strategy"] for each in told["fires"]]) == (200, ["middle"])
        assert client.hand_in("Bob", make_code(), "extends: default\ndepth: 1\n")[0] == 200
        assert client.hand_in("Eve", make_code(), "extends: pomakis\n")[0] == 422
        client.command("play", rounds=2, openings=1, depth=1)
        while (view := client.ask("class")[1])["playing"] is not None:
            threading.Event().wait(0.1)
        found = client.ask("class/results")[1]
        games = client.ask("class/games", page=0)[1]
        own = client.ask("class/games", player="Ada")[1]["games"]
    assert len(games["games"]) == 4  # three players: one pauses in each round
    assert sorted(row["games"] for row in found["table"]) == [2, 2, 4]
    assert own == [game for game in games["games"] if "Ada" in (game["first"], game["second"])]
    assert games["pages"] == 1
    # Another server tells another edition, so that no page keeps what it has.
    assert Classroom(tmp_path, "tictactoe").view()["edition"] != view["edition"]
