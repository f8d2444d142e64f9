"""Named people: what their roles let them do, over the API and the stream, and what the journal says of it."""

from __future__ import annotations

import asyncio
import stat
from dataclasses import fields
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from thinkaloud.cli.people import people as people_command
from thinkaloud.errors import BadInput
from thinkaloud.web.access import MOST_GUESSES, AccessRules
from thinkaloud.web.page import browser_requests
from thinkaloud.web.page.routes import HomePage
from thinkaloud.web.page.session_page import SessionPage
from thinkaloud.web.people import ROLES, NotAllowed, People, Person, Role, Visitors, add_person, read_people
from web.conftest import Serve, Served

_RANK = {role: place for place, role in enumerate(ROLES)}


class House:
    """A server for four people, one of each role, and their clients."""

    def __init__(self, serve: Serve, folder: Path) -> None:
        self.path = folder / "people.toml"
        self.tokens = {role: add_person(self.path, Person(role.title(), role)) for role in ROLES}
        people = People.of_file(self.path)
        self.served: Served = serve(AccessRules.for_host("127.0.0.1", people=people), people=people)

    def client(self, role: Role, viewer: str = "one") -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.tokens[role]}", "X-Viewer": viewer}
        return httpx.Client(base_url=self.served.url, headers=headers, timeout=20, verify=False)

    def ask(self, role: Role, method: str, path: str, **body: object) -> httpx.Response:
        with self.client(role) as client:
            return client.request(method, path, json=body if method in ("POST", "PUT") else None)

    def start(self) -> str:
        answer = self.ask("control", "POST", "/api/sessions", preset="inner_monologue", speed=100)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])


@pytest.fixture
def house(serve: Serve, tmp_path: Path) -> House:
    return House(serve, tmp_path)


def test_each_role_may_do_what_it_is_for_and_no_more(house: House) -> None:
    """Every way to act on a robot, tried by everybody: those below the role that it needs are refused."""
    id = house.start()
    needs: list[tuple[Role, str, str, dict[str, object]]] = [
        ("control", "POST", "/api/sessions", {"preset": "inner_monologue"}),
        ("speak", "POST", f"/api/sessions/{id}/say", {"text": "Put the ball on the shelf."}),
        ("speak", "POST", f"/api/sessions/{id}/answer", {"text": "yes"}),
        ("control", "POST", f"/api/sessions/{id}/pause", {}),
        ("control", "POST", f"/api/sessions/{id}/step", {}),
        ("control", "POST", f"/api/sessions/{id}/go_on", {}),
        ("control", "POST", f"/api/sessions/{id}/disturb", {"thing": "ball", "to": "shelf"}),
        ("speak", "POST", f"/api/sessions/{id}/control", {"to": "nobody"}),
        ("control", "POST", f"/api/sessions/{id}/fork", {"at": 0}),
        ("control", "DELETE", f"/api/sessions/{id}", {}),
        ("administer", "GET", "/api/people", {}),
    ]
    for role, method, path, body in needs:
        for who in ROLES:
            if _RANK[who] < _RANK[role]:
                answer = house.ask(who, method, path, **body)
                assert (answer.status_code, f"“{role}”" in answer.text) == (403, True), (who, path, answer.text)
    assert house.ask("watch", "GET", f"/api/sessions/{id}").json()["events"] >= 1


def test_every_way_to_act_asks_for_a_role(house: House) -> None:
    """Whoever may only watch is refused at every path that changes something, also at one that is added later."""
    described = house.ask("watch", "GET", "/api/openapi.json").json()
    acting = {(method, path) for path, found in described["paths"].items() for method in found if method != "get"}
    assert len(acting) > 10
    id = house.start()
    given = {
        "text": "x",
        "yes": True,
        "thing": "x",
        "to": "x",
        "at": 0,
        "name": "x",
        "model": "x",
        "said": "x",
    }
    for method, path in sorted(acting - {("post", "/api/sessions/{id}/stop"), ("post", "/api/stop")}):
        content = described["paths"][path][method].get("requestBody", {}).get("content", {})
        named = str(content.get("application/json", {})).partition("schemas/")[2].partition("'")[0]
        known = described["components"]["schemas"][named]["properties"] if named else {}
        body = {name: given.get(name, "x") for name in known if name in given or name in ("address", "key")}
        body = {"steps": []} if path.endswith("/plan") else body
        answer = house.ask("watch", method.upper(), path.replace("{id}", id).replace("{name}", "x"), **body)
        assert answer.status_code == 403, (method, path, answer.text)


READING = {"hello", "look", "choose", "behind", "plan"}
"""What a session's page may ask for without acting; it may also stop."""


def test_every_way_to_act_over_the_pages_socket_asks_for_a_role(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser may send what the page never would: also before it has said who it is, or as another's viewer."""
    hub, id = house.served.hub, house.start()
    watcher, control = (hub.visitors.people.find(name) for name in ("Watch", "Control"))
    assert watcher is not None and control is not None
    page = object.__new__(SessionPage)
    page._hub, page._session, page._person = hub, id, watcher
    told: list[str] = []
    monkeypatch.setattr(page, "run_method", lambda name, *more: told.append(f"{name} {more}"), raising=False)
    given = {"text": "x", "message": "m", "yes": True, "thing": "x", "to": "x", "at": 0, "model": None, "preset": None}
    given |= {"say": "x", "steps": [], "approve": True, "said": "x", "means": "y", "viewer": "a viewer of sixteen"}
    before = house.ask("watch", "GET", f"/api/sessions/{id}").json()
    for viewer in (hub.visitors.bind(watcher, "a secret of one's own"), "", "a secret of one's own"):
        for name, kind in browser_requests._KINDS.items():
            if name in READING or name == "stop":
                continue
            told.clear()
            page._viewer = viewer
            act = {"do": name} | {each.name: given[each.name] for each in fields(kind)}
            work = page._on_act(SimpleNamespace(args=act))  # type: ignore[arg-type]
            asyncio.run_coroutine_threadsafe(work, house.served.loop).result(20)
            assert any("your role has to be" in each or "not on this server's list" in each for each in told), name
    after = house.ask("watch", "GET", f"/api/sessions/{id}").json()
    assert (after["events"], after["state"]) == (before["events"], before["state"])
    seen: list[str] = []
    monkeypatch.setattr(page, "_watch", seen.append)
    hello = {"do": "hello", "viewer": hub.visitors.bind(control, "a secret of one's own")}
    asyncio.run_coroutine_threadsafe(page._on_act(SimpleNamespace(args=hello)), house.served.loop).result(20)  # type: ignore[arg-type]
    assert hub.visitors.person(seen[0]) == watcher, "whatever a browser writes, it is bound to who opened the page"


def test_whoever_watches_may_stop_a_robot_and_the_story_says_who_did(house: House) -> None:
    id = house.start()
    with house.client("control") as client:
        client.post(f"/api/sessions/{id}/say", json={"text": "Put the ball on the shelf."})
    answer = house.ask("watch", "POST", f"/api/sessions/{id}/stop")
    assert answer.status_code == 200, answer.text
    acts = house.ask("administer", "GET", "/api/people").json()["acts"]
    assert [(act["who"], act["session"] == id) for act in acts if act["what"] == "stopped the robot"] == [
        ("Watch", True)
    ]


def test_what_people_did_is_in_the_journal_under_their_names(house: House) -> None:
    id = house.start()
    house.ask("control", "POST", f"/api/sessions/{id}/say", text="Put the ball on the shelf.")
    events = house.ask("watch", "GET", f"/api/sessions/{id}/events").json()
    assert [event["by"]["name"] for event in events if event["kind"] == "request"] == ["Control"]
    acts = house.ask("administer", "GET", "/api/people").json()["acts"]
    assert [(act["who"], act["what"]) for act in acts[::-1]] == [
        ("Control", "started a session"),
        ("Control", "said 'Put the ball on the shelf.'"),
    ]


def test_nobody_comes_as_somebody_else_by_their_viewer(house: House) -> None:
    """A viewer's secret is bound to a person: the same secret with another token holds no control."""
    id = house.start()
    with house.client("administer", viewer="one") as other:
        assert other.post(f"/api/sessions/{id}/say", json={"text": "hello"}).status_code == 403
        assert other.post(f"/api/sessions/{id}/control", json={}).status_code == 200
    spelled = house.served.hub.visitors.bind(Person("Administer", "administer"), "one")
    assert house.ask("control", "POST", f"/api/sessions/{id}/say", text="hello").status_code == 403
    with house.client("control", viewer=spelled.replace("\0", " ")) as liar:
        assert liar.post(f"/api/sessions/{id}/say", json={"text": "hello"}).status_code == 403


def test_whoever_is_taken_off_the_list_is_turned_away_at_once_even_in_a_stream(house: House) -> None:
    id = house.start()
    address = f"ws://127.0.0.1:{house.served.port}/api/sessions/{id}/stream"
    bearer = {"Authorization": f"Bearer {house.tokens['watch']}"}
    with connect(address, proxy=None, additional_headers=bearer) as stream:
        stream.recv(timeout=20)
        removed = CliRunner().invoke(people_command, ["remove", str(house.path), "Watch"])
        assert removed.exit_code == 0, removed.output
        assert house.ask("control", "POST", f"/api/sessions/{id}/pause").status_code == 200
        with pytest.raises(ConnectionClosed):
            for _ in range(100):
                stream.recv(timeout=20)
    assert house.ask("watch", "GET", "/api/sessions").status_code == 401
    with pytest.raises(InvalidStatus):
        connect(address, proxy=None, additional_headers=bearer)


def test_a_browser_keeps_a_cookie_that_is_worth_nothing_once_the_token_is_replaced(house: House) -> None:
    with httpx.Client(base_url=house.served.url, verify=False) as browser:
        first = browser.get(f"/api/sessions?token={house.tokens['watch']}")
        assert first.status_code == 303
        assert "HttpOnly" in first.headers["set-cookie"] and house.tokens["watch"] not in first.headers["set-cookie"]
        assert browser.get("/api/me").json() == {"name": "Watch", "role": "watch"}
        forged = {"Cookie": first.headers["set-cookie"].partition(";")[0].replace("V2F0Y2g", "Q29udHJvbA")}
        assert httpx.get(f"{house.served.url}/api/me", headers=forged).status_code == 401
        CliRunner().invoke(people_command, ["remove", str(house.path), "Watch"])
        CliRunner().invoke(people_command, ["add", str(house.path), "Watch", "--role", "watch"])
        assert browser.get("/api/me").status_code == 401


def test_a_token_that_is_wrong_missing_or_over_is_told_so_and_guesses_are_limited(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    good = add_person(path, Person("Anna", "watch"))
    over = add_person(path, Person("Bert", "administer", until=date.today() - timedelta(days=1)))
    people = People.of_file(path)
    served = serve(AccessRules.for_host("127.0.0.1", people=people), people=people)

    def told(token: str) -> tuple[int, str]:
        answer = httpx.get(f"{served.url}/api/me", headers={"Authorization": f"Bearer {token}"} if token else {})
        answers.append(answer.text)
        return answer.status_code, answer.text

    answers: list[str] = []
    assert told("")[0] == 401 and "needs a token" in told("")[1]
    assert told(over)[0] == 401 and "was good until" in told(over)[1]
    assert told(good)[0] == 200
    for _ in range(MOST_GUESSES):
        assert told("guess")[0] == 401 and "not known here" in answers[-1]
    assert told("guess")[0] == 429
    assert told(good)[0] == 429, "from that address, no token is even looked at"


def test_the_file_keeps_only_a_hash_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    made = CliRunner().invoke(
        people_command, ["add", str(path), "Anna", "--role", "control", "--as", "nurse", "--days", "7"]
    )
    assert made.exit_code == 0, made.output
    token = made.output.splitlines()[0]
    assert len(token) == 32 and token not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    listed = CliRunner().invoke(people_command, ["list", str(path)])
    assert listed.output.startswith("Anna: control, to the robot: nurse, until ") and "sha256" not in listed.output
    found = People.of_file(path).with_token(token)
    assert found is not None and str(found.speaker) == "Anna (nurse)"
    with pytest.raises(BadInput, match="already"):
        add_person(path, Person("Anna", "watch"))


_GOOD = f'token = "sha256:{"0" * 64}"'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[people.Anna]\nrole = 'king'\n" + _GOOD, "Anna"),
        ("[people.Anna]\nrole = 'watch'\ntoken = 'plain'", "Anna"),
        ("[people.Anna]\nrole = 'watch'", "token"),
        (f"[people.Anna]\nrole = 'watch'\npassword = 'x'\n{_GOOD}", "password"),
        (f'[people."<b>"]\nrole = "watch"\n{_GOOD}', "cannot be a name"),
        ("[people.Anna\n", "line 1"),
        ("people = 3", "tables"),
        ("", "nobody"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "people.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=told) as refused:
        People.of_file(path)
    assert "\n" not in str(refused.value)


def test_while_the_file_cannot_be_read_nobody_is_let_in(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    token = add_person(path, Person("Anna", "watch"))
    people = People.of_file(path)
    text = path.read_text()
    path.write_text("[people.Anna")
    assert people.with_token(token) is None and bool(people)
    path.write_text(text + "\n")
    assert people.with_token(token) is not None
    path.unlink()
    assert people.with_token(token) is None and bool(people)


def test_a_role_that_was_taken_back_is_gone_for_a_viewer_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    add_person(path, Person("Anna", "control"))
    visitors = Visitors(People.of_file(path))
    viewer = visitors.bind(read_people(path)["Anna"], "secret")
    visitors.require(viewer, "control")
    path.write_text(path.read_text().replace('"control"', '"watch"') + "\n")
    with pytest.raises(NotAllowed):
        visitors.require(viewer, "speak")
    for unbound in ("secret", "", "person\0Nobody\0x"):
        with pytest.raises(NotAllowed, match="not on this server's list"):
            visitors.require(unbound, "watch")


def test_without_named_people_whoever_reaches_the_server_may_do_everything() -> None:
    assert Visitors().require("anyone", "administer") is None


def test_a_browser_that_names_somebody_else_on_the_first_page_is_still_its_own_person(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a browser writes as its secret, it is bound to the person who opened the page."""
    hub, id = house.served.hub, house.start()
    control = hub.visitors.people.find("Control")
    assert control is not None
    forged = hub.visitors.bind(control, "one")
    told: list[str] = []

    def as_seen_by(role: Role, handler: str, *said: str) -> None:
        page = object.__new__(HomePage)
        page._hub, page._person = hub, hub.visitors.people.find(role.title())
        monkeypatch.setattr(page, "run_method", lambda name, *more: told.extend(map(str, more)), raising=False)
        work = getattr(page, handler)(SimpleNamespace(args=list(said)))
        asyncio.run_coroutine_threadsafe(work, house.served.loop).result(20)

    for handler, said in {"_remove": (id,), "_rename": (id, "mine"), "_teach": ("tabletop", "a", "b")}.items():
        told.clear()
        as_seen_by("watch", handler, *said, forged)
        assert "your role has to be “control”" in told[0], handler
    as_seen_by("control", "_teach", "tabletop", "tidy up", "Put all the blocks in the bottom left corner.", "one")
    (lesson,) = house.ask("watch", "GET", "/api/lessons").json()
    as_seen_by("control", "_forget", lesson["id"], "one")
    assert house.ask("watch", "GET", "/api/lessons").json() == []
    acts = house.ask("administer", "GET", "/api/people").json()["acts"]
    assert [act["what"] for act in acts[:2]] == ["removed the lesson 'tidy up'", "taught 'tidy up'"]
