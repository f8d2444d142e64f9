"""Attacks on the server of the page, by somebody on its list who may only watch, and by somebody who is on no list.

The server runs as it does for people, with a list of them. An attack fails if it is turned away in one line and has
changed nothing; if it is a text that people may say, if that text is only ever shown as text.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from importlib.util import find_spec
from itertools import count
from typing import Any
from urllib.parse import quote

import httpx

from campaign.contract import Attempt, Finding, NotHere, NotTried, Stage
from campaign.page_server import ROBOT, PageServer
from thinkaloud.untrusted.output import harmless
from thinkaloud.web.people import Person, Role, add_person, hash_token

_PATIENCE = 20.0
_LONGEST_REFUSAL = 2000
_ROLES: Mapping[str, Role] = {"Wendy": "watch", "Carl": "control"}
_CODES = ("\x1b[31mred", "\x1b]0;title\x07", "\x07", "\x9b2J", "\u202eabc", "a\nb", "\x00", "\r\nSet-Cookie: a=b")
_MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "</script><script>alert(3)</script>",
    "<svg/onload=alert(4)>",
    "{{constructor.constructor('alert(5)')()}}",
    "javascript:alert(6)",
    '"><iframe src=//evil.example>',
)
_UP = ("../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd")
_PATHS = (*_UP, "a" * 5000, "%00", "\\..\\..", "~root")
_HOSTS = (
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "192.0.2.7",
    "[::1",
    "",
    "a b",
    "0x7f.1:99999",
)
_ORIGINS = ("http://evil.example", "null", "https://127.0.0.1", "file://", "http://127.0.0.1:1", "chrome-extension://x")
_MODELS = (
    "gguf:/etc/passwd",
    "gguf:/proc/self/environ",
    "openai:gpt-4o",
    "anthropic:x",
    "replay:/etc/passwd",
    "embedded:x",
)
_SCENES = ("/etc/passwd", "../../../etc/shadow", "[[objects]]\nname = 'x'", "\x00", "a = " + "[" * 5000)
_BODIES = (
    "{",
    "[]",
    "null",
    "[" * 50_000,
    '{"text": ' + "9" * 5000 + "}",
    '{"text": {}}',
    "\xff\xfe",
    "a=b",
    '{"say": 1}',
)
_ACTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("POST", "/api/sessions", {}),
    ("POST", "/api/sessions/{id}/say", {"text": "Walk about."}),
    ("POST", "/api/sessions/{id}/approve", {"yes": True}),
    ("POST", "/api/sessions/{id}/control", {}),
    ("POST", "/api/sessions/{id}/disturb", {"thing": "counter", "to": "over"}),
    ("POST", "/api/sessions/{id}/pause", {}),
    ("POST", "/api/sessions/{id}/fork", {"at": 1}),
    ("PUT", "/api/sessions/{id}/name", {"name": "mine"}),
    ("PUT", "/api/sessions/{id}/plan", {"steps": []}),
    ("DELETE", "/api/sessions/{id}?forever=true", {}),
    ("POST", "/api/lessons", {"said": "a", "means": "b", "world": "tabletop"}),
    ("POST", "/api/robots", {"name": "mine", "text": "name = 'mine'"}),
    ("POST", "/api/models/hosted", {"address": "http://evil.example", "model": "x", "key": "k"}),
    ("POST", "/api/models/fetch", {}),
    ("GET", "/api/people", {}),
)


class PageAttacks:
    """Attacks on a server that is running; each has a kind, and what must not come of it."""

    def __init__(self, stage: Stage) -> None:
        self._folder = stage.folder
        self._server: PageServer | None = None
        self._tokens: dict[str, str] = {}
        self._tried: Counter[str] = Counter()
        self._id = ""

    def _begin(self) -> PageServer:
        """The server with its people, and a session."""
        if self._server is not None:
            return self._server
        if find_spec("fastapi") is None or find_spec("nicegui") is None:
            raise NotHere("the extra web is not here")
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        people = self._folder / "people.toml"
        self._tokens = {name: add_person(people, Person(name, role)) for name, role in _ROLES.items()}
        self._server = PageServer(self._folder, people)
        self._server.start()
        begun = self._ask("Carl", "POST", "/api/sessions", json={"world": ROBOT, "preset": "inner_monologue"})
        self._id = str(begun.json()["id"])
        return self._server

    @property
    def figures(self) -> dict[str, float]:
        """How many attacks of each kind were tried."""
        return {kind: float(number) for kind, number in sorted(self._tried.items())}

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """All kinds in turn, each with something drawn."""
        rng = random.Random(f"page attacks {seed}")
        for number in count():
            kind = _KINDS[number % len(_KINDS)]
            yield Attempt("page_attacks", f"{kind} {number}", {"kind": kind} | _DRAW[kind](rng))

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Attack, then look whether the server is well, and what it wrote to its terminal."""
        data = dict(attempt.data)
        kind = data.pop("kind")
        server = self._begin()
        self._tried[kind] += 1
        before = server.log()
        try:
            finding = self._said(data) if kind in ("markup", "control codes in texts") else self._refused(data)
            if finding is None and self._ask("Carl", "GET", f"/api/sessions/{self._id}").status_code != 200:
                finding = Finding("crash", "the session is gone")
        except httpx.TimeoutException:
            return Finding("hang", f"no answer within {_PATIENCE:g} s")
        except httpx.TransportError as error:
            if not server.alive:
                return Finding("crash", f"the server has ended: {error}")
            raise NotTried(f"not sent: {error}") from None
        written = server.log()[len(before) :]
        if finding is None and written != harmless(written):
            finding = Finding("terminal", repr(written[:200]))
        return finding or (Finding("crash", written[-300:]) if "Traceback" in written else None)

    def close(self) -> None:
        """End the server."""
        if self._server is not None:
            self._server.kill()

    def _refused(self, data: Mapping[str, Any]) -> Finding | None:
        """What has to be turned away: with a status that says so, in one line, and without anything that is secret."""
        body = {"content": data["body"].encode("utf-8", "replace")} if "body" in data else {"json": data.get("json")}
        if data["method"] in ("GET", "DELETE"):
            body = {}
        path = data["path"].replace("{id}", self._id)
        answer = self._ask(data.get("who", ""), data["method"], path, headers=data.get("headers", {}), **body)
        text = answer.text
        if answer.status_code >= 500:
            return Finding("crash", f"{answer.status_code}: {text[:200]}")
        if answer.is_success and not data.get("harmless"):
            return Finding("silent", f"{answer.status_code}: {text[:200]}")
        if "root:" in text or any(hash_token(token) in text or token in text for token in self._tokens.values()):
            return Finding("secret", text[:200])
        page = answer.headers.get("content-type", "").startswith("text/html")
        told = answer.is_success or answer.has_redirect_location or page or len(text) < _LONGEST_REFUSAL
        return None if told and "Traceback" not in text else Finding("unclear", text[:300])

    def _said(self, data: Mapping[str, Any]) -> Finding | None:
        """A text that people may say; where it is shown, it is only ever text."""
        self._ask("Carl", "PUT", f"/api/sessions/{self._id}/name", json={"name": data["text"]})
        self._ask("Carl", "POST", f"/api/sessions/{self._id}/say", json={"text": data["text"]})
        self._ask("Carl", "POST", f"/api/sessions/{self._id}/stop")
        shared = self._ask("Carl", "GET", f"/api/sessions/{self._id}/share.html").text
        found = _Elements()
        found.feed(shared)
        if found.strange:
            return Finding("posing", f"an element of somebody's words: {found.strange[0]}")
        home = self._ask("Carl", "GET", "/").text
        return Finding("posing", "markup in the first page") if data["text"] in home and "<" in data["text"] else None

    def _ask(self, who: str, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"X-Viewer": who or "nobody", **more.pop("headers", {})}
        if who:
            headers["Authorization"] = f"Bearer {self._tokens[who]}"
        raw = {name.encode(): value.encode("utf-8", "replace") for name, value in headers.items()}
        assert self._server is not None
        with httpx.Client(base_url=f"http://127.0.0.1:{self._server.port}", timeout=_PATIENCE) as client:
            return client.request(method, path, headers=raw, **more)


class _Elements(HTMLParser):
    """Elements and handlers that a shared page has not of itself."""

    def __init__(self) -> None:
        super().__init__()
        self.strange: list[str] = []
        self._scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A third script, or anything that runs something."""
        self._scripts += tag == "script"
        runs = any(name.startswith("on") or (value or "").startswith("javascript:") for name, value in attrs)
        if runs or tag in ("iframe", "svg", "object", "embed") or self._scripts > 2:
            self.strange.append(self.get_starttag_text() or tag)


# What is tried --------------------------------------------------------------------------------------------------------


def _draw_host(rng: random.Random) -> dict[str, Any]:
    return {"method": "GET", "path": "/api/sessions", "who": "Wendy", "headers": {"Host": rng.choice(_HOSTS)}}


def _draw_origin(rng: random.Random) -> dict[str, Any]:
    method, path, json_ = rng.choice(_ACTS[:-1])
    return {"method": method, "path": path, "json": json_, "who": "Carl", "headers": {"Origin": rng.choice(_ORIGINS)}}


def _draw_token(rng: random.Random) -> dict[str, Any]:
    made = "".join(rng.choices("abcdefghij-_0123456789", k=rng.choice((0, 1, 16, 32, 4000))))
    way = rng.choice(("header", "cookie", "basic"))
    headers = {"Authorization": f"Bearer {made}"} if way == "header" else {"Cookie": f"thinkaloud_token=Q2FybA.{made}"}
    headers = {"Authorization": f"Basic {made}"} if way == "basic" else headers
    return {"method": "GET", "path": rng.choice(("/", "/api/sessions", "/api/me", "/settings")), "headers": headers}


def _draw_role(rng: random.Random) -> dict[str, Any]:
    method, path, json_ = rng.choice(_ACTS)
    viewer = rng.choice(("Carl", "person Carl x", "person\tCarl", "Carl\u0000"))
    headers = {} if "\u0000" in viewer else {"X-Viewer": viewer}
    return {"method": method, "path": path, "json": json_, "who": "Wendy", "headers": headers}


def _draw_path(rng: random.Random) -> dict[str, Any]:
    end, who = rng.choice(_PATHS), rng.choice(("Carl", "Wendy", ""))
    place = rng.choice(
        ("/api/sessions/{}", "/api/sessions/{}/told", "/s/{}", "/api/abilities?world={}", "/api/scenes?world={}")
    )
    shown = place in ("/s/{}", "/api/scenes?world={}")  # a page, or a list, that says that there is no such thing
    return {"method": "GET", "path": place.format(end), "who": who, "harmless": shown}


def _draw_code_in_address(rng: random.Random) -> dict[str, Any]:
    code, who = quote(rng.choice(_CODES).replace("\x00", "%00"), safe="%"), rng.choice(("Carl", ""))
    place = rng.choice(("/api/sessions/{}", "/{}", "/s/{}?a=b", "/api/compare?a={}&b=x"))
    return {"method": "GET", "path": place.format(code), "who": who, "harmless": place.startswith(("/s/", "/{"))}


def _draw_body(rng: random.Random) -> dict[str, Any]:
    path = rng.choice(("/api/sessions", "/api/sessions/{id}/say", "/api/sessions/{id}/approve", "/api/lessons"))
    body = rng.choice((*_BODIES, "x" * 2_000_000))
    return {
        "method": "POST",
        "path": path,
        "body": body,
        "who": "Carl",
        "headers": {"Content-Type": "application/json"},
    }


def _draw_choice(rng: random.Random) -> dict[str, Any]:
    wanted = rng.choice(
        (
            {"model": rng.choice(_MODELS)},
            {"world": rng.choice((*_UP, "os:system", "/etc/passwd", "campaign.page_server:main"))},
            {"world": "tabletop", "scene": rng.choice(_SCENES)},
            {"world": "tabletop", "guidelines": "/etc/passwd", "preset": "itp:x=1"},
            {"preset": rng.choice(("nope", "thinkaloud:confirm=;", "a" * 3000))},
            {"speed": -1, "seed": 10**30},
        )
    )
    return {"method": "POST", "path": "/api/sessions", "json": wanted, "who": "Carl"}


def _draw_repeat(rng: random.Random) -> dict[str, Any]:
    """The mark of a message that somebody else has sent, with other words."""
    mark = rng.choice(("m" * 5000, "\x1b[31m", "mark"))
    return {
        "method": "POST",
        "path": "/api/sessions/{id}/say",
        "json": {"text": "Walk.", "message": mark},
        "who": "Wendy",
    }


def _draw_markup(rng: random.Random) -> dict[str, Any]:
    return {"text": " ".join(rng.choices(_MARKUP, k=rng.randint(1, 3)))}


def _draw_codes(rng: random.Random) -> dict[str, Any]:
    return {"text": f"Walk {rng.choice(_CODES)} {rng.choice(_MARKUP)}"}


_DRAW: Mapping[str, Callable[[random.Random], dict[str, Any]]] = {
    "another host": _draw_host,
    "another page": _draw_origin,
    "a wrong token": _draw_token,
    "more than one's role": _draw_role,
    "odd addresses": _draw_path,
    "control codes in addresses": _draw_code_in_address,
    "odd bodies": _draw_body,
    "what is not on offer": _draw_choice,
    "another's mark": _draw_repeat,
    "markup": _draw_markup,
    "control codes in texts": _draw_codes,
}
_KINDS = tuple(_DRAW)
