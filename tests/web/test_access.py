"""Who is turned away, and what cannot hurt."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.settings import Settings
from thinkaloud.web import live_sessions
from thinkaloud.web.access import GUESSING_SECONDS, LARGEST_BODY, MOST_GUESSES, AccessRules, WrongTokens
from thinkaloud.web.choices import AvailableChoices
from thinkaloud.web.server import Serving, address_of, bind, clean_logs, cookie_key
from web.conftest import REQUEST, Serve, Served

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> Put the ball on the shelf."


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "192.0.2.7:80", "", "a b", "x:y", "[::1"])
def test_a_host_that_is_not_ours_is_turned_away(quiet: Served, host: str) -> None:
    answer = quiet.client.get("/api/sessions", headers={"Host": host})
    assert answer.status_code == 403 or (host in ("", "a b") and answer.status_code == 400)


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "127.0.0.1", "[::1]:80"])
def test_names_of_this_machine_are_ours(quiet: Served, host: str) -> None:
    assert quiet.client.get("/api/sessions", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""])
def test_another_page_can_neither_post_nor_open_a_stream(quiet: Served, origin: str) -> None:
    assert quiet.client.post("/api/sessions", json={}, headers={"Origin": origin}).status_code == 403
    assert quiet.get("/api/sessions") == []
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{quiet.port}/api/sessions/x/stream", origin=Origin(origin), proxy=None)


def test_our_own_page_may_do_both(served: Served) -> None:
    answer = served.client.post("/api/sessions", json={}, headers={"Origin": served.url})
    assert answer.status_code == 200
    address = f"ws://127.0.0.1:{served.port}/api/sessions/{answer.json()['id']}/stream"
    with connect(address, origin=Origin(served.url), proxy=None) as stream:
        assert json.loads(stream.recv(timeout=20))["type"] == "status"


def test_a_form_of_another_page_is_turned_away_also_without_an_origin(quiet: Served) -> None:
    answer = quiet.client.post("/api/sessions", json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_with_a_token_nothing_goes_without_it(serve: Serve) -> None:
    served = serve(AccessRules.for_host("0.0.0.0", "s3cret"))
    assert served.client.get("/api/sessions").status_code == 401
    assert served.client.get("/api/sessions", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert served.client.get("/api/sessions", headers={"Authorization": "Bearer s3cret"}).status_code == 200
    assert served.client.get("/api/sessions", headers={"Host": "192.0.2.7"}).status_code == 401
    assert served.client.get("/api/sessions", headers={"Host": "evil.example"}).status_code == 403
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{served.port}/api/sessions/x/stream", proxy=None)
    page = served.client.get("/api/sessions?token=s3cret&a=1")
    assert (page.status_code, page.headers["location"]) == (303, "/api/sessions?a=1")
    assert "HttpOnly" in page.headers["set-cookie"] and "SameSite=Strict" in page.headers["set-cookie"]
    assert served.client.get("/api/sessions").status_code == 200  # the cookie is kept


def test_a_redirect_with_the_token_stays_on_this_server(serve: Serve) -> None:
    served = serve(AccessRules.for_host("127.0.0.1", "t"))
    answer = served.client.get(f"{served.url}//evil.example/?token=t")
    assert answer.headers["location"].startswith("/evil.example")


def test_any_other_address_gets_a_token() -> None:
    assert Serving("127.0.0.1").guarded().token == Serving("localhost").guarded().token == ""
    assert len(Serving("0.0.0.0").guarded().token) >= 32
    assert Serving("192.0.2.7", token="mine" * 4).guarded().token == "mine" * 4
    assert "mine" not in repr(Serving(token="mine")) + repr(AccessRules.for_host("0.0.0.0", "mine"))


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=f"port {port}: Address already in use.*--port"):
            bind("127.0.0.1", port)
        assert address_of(Serving("0.0.0.0", port, "t"), taken) == f"http://127.0.0.1:{port}/?token=t"
    with pytest.raises(BadInput, match="no address of this machine"):
        bind("no.such.host.invalid", 0)


def test_bodies_are_limited(served: Served) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(LARGEST_BODY // 1000 + 2):
            yield b" " * 1000

    huge = {"text": "x" * LARGEST_BODY}
    assert served.client.post("/api/sessions/x/say", json=huge).status_code == 413
    assert served.client.post("/api/sessions", content=chunks()).status_code == 413
    id = served.start()
    assert served.post(id, "say", text="x" * 2001).status_code == 400
    assert served.post(id, "say", text=REQUEST, message="x" * 101).status_code == 400
    answer = served.client.post("/api/sessions", json={"scene": "x\n" * 150_000})
    assert (answer.status_code, "at most 200000" in answer.json()["error"]) == (400, True)
    with served.stream(id) as stream, pytest.raises(ConnectionClosed):
        stream.socket.send("x" * (LARGEST_BODY + 1))
        while True:
            stream.next()
    assert served.get(f"/api/sessions/{id}")["state"] == "idle"


def test_what_is_unknown_is_told_so(served: Served) -> None:
    for path in ("", "/events", "/told", "/scene", "/camera.png", "/prompt/0", "/share.html"):
        assert served.client.get(f"/api/sessions/nope{path}").status_code == 404
    for what in ("stop", "pause", "step", "go_on"):
        assert served.post("nope", what).status_code == 404
    assert "There is no session 'nope'" in served.post("nope", "say", text="x").json()["error"]
    with pytest.raises(ConnectionClosed) as closed, served.stream("nope") as stream:
        stream.next()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
    id = served.run()
    assert served.client.get(f"/api/sessions/{id}/told?at=999").status_code == 404
    assert served.client.get(f"/api/sessions/{id}/prompt/999").status_code == 404
    assert served.post(id, "fork", at=999).status_code == 404


@pytest.mark.parametrize(
    "wanted",
    [
        {"world": "moon"},
        {"world": "os:getcwd"},
        {"world": "/etc/passwd.toml"},
        {"preset": "none"},
        {"model": "none"},
        {"scene": "/etc/passwd"},
        {"guidelines": "/etc/passwd"},
        {"disturb": "much"},
        {"seed": -1},
        {"steps": 0},
        {"speed": 0},
        {"confirm": "perhaps"},
        {"robot": "x"},
        {"request": "..."},
    ],
)
def test_what_cannot_be_chosen_is_refused_in_one_line_and_leaves_nothing(
    quiet: Served, wanted: dict[str, object]
) -> None:
    answer = quiet.client.post("/api/sessions", json=wanted)
    assert answer.status_code in (400, 404), answer.text
    assert "\n" not in answer.json()["error"]
    assert quiet.get("/api/sessions") == []


def test_hostile_words_stay_words(served: Served) -> None:
    id = served.run(HOSTILE)
    assert served.get(f"/api/sessions/{id}/told")["request"] == HOSTILE
    page = served.client.get(f"/api/sessions/{id}/share.html")
    assert "attachment" in page.headers["content-disposition"]
    assert "<script>alert" not in page.text and "<img src=x" not in page.text
    assert "&lt;script&gt;alert(1)" in page.text


def test_pages_of_the_api_ask_nobody_else_for_anything(quiet: Served) -> None:
    page = quiet.client.get("/api/docs")
    assert page.headers["content-security-policy"] == "default-src 'none'"
    assert "http" not in page.text and "/api/sessions/{id}/stop" in page.text
    described = quiet.get("/api/openapi.json")
    assert {"/api/sessions", "/api/sessions/{id}/say", "/api/benches"} <= described["paths"].keys()
    assert "StartBody" in described["components"]["schemas"]
    assert page.headers["x-frame-options"] == "DENY"


def test_a_half_open_connection_holds_up_nobody(quiet: Served) -> None:
    with socket.create_connection(("127.0.0.1", quiet.port)) as half:
        half.sendall(b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{")
        assert httpx.get(f"{quiet.url}/api/sessions").status_code == 200


def test_wrong_tokens_are_counted_and_a_browser_that_was_let_in_stays_in(serve: Serve) -> None:
    token = "a token of some length"
    served = serve(AccessRules.for_host("0.0.0.0", token, key=b"k" * 32))
    right = {"Authorization": f"Bearer {token}"}
    with served.viewer("browser") as browser:
        cookie = browser.get("/api/sessions", params={"token": token}).headers["set-cookie"]
        assert token not in cookie and _cookie(token) in cookie
        for n in range(MOST_GUESSES):
            assert served.client.get("/api/sessions", headers={"Authorization": f"Bearer {n}"}).status_code == 401
        refused = served.client.get("/api/sessions", headers=right)
        assert refused.status_code == 429 and "Too many wrong tokens" in refused.json()["error"]
        assert browser.get("/api/sessions").status_code == 200
    assert _cookie(token) != _cookie("another token")


def _cookie(token: str) -> str:
    """The cookie of whoever has the one token of a server, also of one that was started again."""
    rules = AccessRules.for_host("0.0.0.0", token, key=b"k" * 32)
    (person,) = rules.people.everybody()
    return rules.cookie(person)


def test_whoever_sent_wrong_tokens_may_try_again_after_a_while() -> None:
    now = 0.0
    wrong = WrongTokens(lambda: now)
    for _ in range(MOST_GUESSES):
        wrong.count("192.0.2.7")
    assert wrong.waits("192.0.2.7") and not wrong.waits("192.0.2.8")
    now = GUESSING_SECONDS
    assert not wrong.waits("192.0.2.7")


def test_the_key_of_the_cookies_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    key = cookie_key(tmp_path / "home")
    assert key == cookie_key(tmp_path / "home") and len(key) == 32
    assert (tmp_path / "home/page.key").stat().st_mode & 0o077 == 0


def test_a_token_that_can_be_guessed_is_refused() -> None:
    for host in ("127.0.0.1", "0.0.0.0"):
        with pytest.raises(BadInput, match="at least 16 characters"):
            Serving(host, token="x").guarded()


@pytest.mark.parametrize("model", ["gguf:/etc/passwd", "gguf:/no/such/file", "openai:gpt-4o", "replay:/etc/passwd"])
def test_only_models_on_offer_are_opened(served: Served, model: str) -> None:
    answer = served.client.post("/api/sessions", json={"model": model})
    assert answer.status_code == 404 and f"There is no model '{model}'" in answer.json()["error"]
    id = served.run()
    assert served.post(id, "fork", at=1, model=model).status_code == 404
    offered = [choice["name"] for choice in served.get("/api/choices")["models"]]
    assert "obliging" in offered and not [name for name in offered if ":" in name]


def test_the_models_that_the_server_was_given_are_on_offer(tmp_path: Path) -> None:
    choices = AvailableChoices(Settings(home=tmp_path, model="openai:mine"))
    choices.check_model("openai:mine")
    with pytest.raises(UnknownName):
        choices.check_model("openai:other")


def test_a_page_cannot_have_a_file_read_as_prompts(served: Served, tmp_path: Path) -> None:
    id = served.run()
    for named in ("inner_monologue:prompts=/etc/passwd", "saycan:ask=off;prompts=/etc/passwd"):
        answer = served.client.post("/api/sessions", json={"preset": named})
        assert answer.status_code == 400 and "on the command line and in the settings only" in answer.json()["error"]
        assert served.post(id, "fork", at=1, preset=named).status_code == 400
    own = "saycan:prompts=own.txt"
    AvailableChoices(Settings(home=tmp_path, preset=own)).check_preset(own)


def test_control_codes_in_an_address_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.root.handlers[:], logging.root.level
    clean_logs()
    try:
        logging.getLogger("nicegui").warning("http://127.0.0.1/\x1b]0;mine\x07\x1b[2J\nfake line not found")
        try:
            raise ValueError("\x1b[31mred")
        except ValueError:
            logging.getLogger("uvicorn.error").exception("broke")
    finally:
        logging.root.handlers[:], logging.root.level = before
    told = capsys.readouterr().err
    assert "\x1b" not in told and "\x07" not in told
    assert told.splitlines()[0].endswith("fake line not found") and "Traceback" in told


def test_no_more_robots_are_opened_than_the_server_can_hold(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_sessions, "MOST_ROBOTS", 2)
    ids = [served.start(), served.start()]
    answer = served.client.post("/api/sessions", json={})
    assert answer.status_code == 409 and "2 robots are open" in answer.json()["error"]
    assert served.client.delete(f"/api/sessions/{ids[0]}").status_code == 200
    served.start()
