"""Robots and models that people add on the page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest

import thinkaloud.web.page as web_page
from thinkaloud.errors import BadInput, ModelMissing, ModelUnreachable, UnknownName
from thinkaloud.robots import open_world
from thinkaloud.robots.abilities import tell_abilities
from thinkaloud.settings import Settings
from thinkaloud.web.added_robots import AddedRobots
from thinkaloud.web.model_shelf import ModelShelf, ModelState
from thinkaloud.web.world_names import find_world, name_worlds, tell_world
from thinkaloud.worlds.contract import briefing_of
from web.conftest import Serve, Served

SETTINGS = Path(web_page.__file__).parent / "settings.js"
CORRIDOR = Path(__file__).parents[2] / "examples/robots/hotel_corridor.toml"

GREENHOUSE = (SETTINGS.read_text().partition("const EXAMPLE = `")[2]).partition("`")[0]
"""The page's own example."""
KEY = "sk-a-key-that-nobody-may-see-anywhere"


def test_a_robot_in_a_text_file_is_checked_added_and_played_with(served: Served) -> None:
    found = served.client.post("/api/robots", json={"name": "greenhouse", "text": GREENHOUSE}).json()
    assert found["problems"] == [] and found["abilities"]["skills"][0]["example"] == "Water the fern."
    world = next(each for each in served.get("/api/choices")["worlds"] if each["name"] == "greenhouse")
    assert world["about"] == "A robot that looks after plants."
    told = served.get(f"/api/abilities?world={world['name']}")
    assert (told["about"], told["kinds"]) == ("A robot that looks after plants.", [["plant", ["fern", "tomato"]]])
    id = served.start(world=world["name"])
    assert served.get(f"/api/sessions/{id}/abilities")["skills"] == told["skills"]


def test_what_a_robot_can_do_is_told_once_with_what_was_measured_first() -> None:
    measured, own = (tell_abilities(open_world(each)) for each in ("tabletop", str(CORRIDOR)))
    assert measured.examples[0] == briefing_of(open_world("tabletop")).examples[0]
    assert not {each.example for told in (measured, own) for each in told.skills} & {*measured.examples, *own.examples}
    assert [each.words for each in own.relations][:2] == ["The robot is at the room.", "The thing is at the room."]


@pytest.mark.parametrize(
    ("wrong", "line", "told"),
    [
        (GREENHOUSE.replace('says = "Water the {plant}."', 'says = "Water the {plnt}."'), 13, "plnt"),
        (GREENHOUSE.replace("makes", "maeks"), 16, "makes"),
        (GREENHOUSE.replace('["fern", "tomato"]', '["fern", "tomato"'), None, ""),
        (GREENHOUSE.replace("facts = []", 'facts = ["wet(oak)"]'), 19, "oak"),
    ],
)
def test_what_is_wrong_in_a_robots_file_is_told_at_its_line(
    tmp_path: Path, wrong: str, line: int | None, told: str
) -> None:
    robots = AddedRobots(tmp_path / "robots")
    (problem,) = robots.check(wrong).problems
    assert told in problem.text and (line is None or problem.line == line), problem
    assert robots.add("greenhouse", wrong).problems and not robots.worlds()


def test_a_robot_is_called_by_its_name_and_nobody_hears_where_its_file_is(served: Served, tmp_path: Path) -> None:
    served.client.post("/api/robots", json={"name": "plants", "text": GREENHOUSE})
    assert served.get("/api/robots") == [{"name": "plants", "world": "greenhouse"}]
    id = served.start(world="greenhouse", request="Put the ball on the shelf.")
    with served.stream(id) as stream:
        stream.until(lambda s: s.status.get("state") == "idle" and s.kinds[-1:] == ["end"])
    assert stream.events[0]["world"] == "greenhouse" and served.get("/api/sessions")[0]["world"] == "greenhouse"
    served.client.post("/api/lessons", json={"said": "tidy", "means": "Water the fern.", "world": "greenhouse"})
    paths = [
        *_all_paths(id),
        "/api/lessons?world=greenhouse",
        "/api/abilities?world=greenhouse",
        "/api/examples?world=greenhouse",
    ]
    told = [served.client.get(path) for path in paths]
    assert all(each.status_code == 200 for each in told) and served.get("/api/lessons?world=greenhouse")
    assert not [each.url for each in told if "plants.toml" in each.text]


def test_a_robot_that_was_added_can_be_changed_and_removed(served: Served) -> None:
    served.client.post("/api/robots", json={"name": "plants", "text": GREENHOUSE})
    assert served.get("/api/robots/plants") == {"name": "plants", "text": GREENHOUSE}
    served.client.post("/api/robots", json={"name": "plants", "text": GREENHOUSE.replace("looks after", "waters")})
    (world,) = (each for each in served.get("/api/choices")["worlds"] if each["name"] == "greenhouse")
    assert world["about"] == "A robot that waters plants."
    assert served.client.delete("/api/robots/plants").status_code == 200
    assert not [each for each in served.get("/api/choices")["worlds"] if each["name"] == "greenhouse"]
    for path in ("plants", "moon", "..%2F..%2Fplants"):
        assert served.client.delete(f"/api/robots/{path}").status_code == 404


def test_robots_of_one_name_are_told_apart_and_a_world_of_ours_keeps_its_name(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    for path in (one, other):
        path.write_text(GREENHOUSE.replace('name = "greenhouse"', 'name = "kitchen"'))
    worlds = [str(one), str(other), "kitchen"]
    assert name_worlds(worlds) == {"kitchen": "kitchen", "kitchen 2": str(one), "kitchen 3": str(other)}
    assert find_world("kitchen 2", worlds) == find_world(str(one), worlds) == str(one)
    one.unlink()
    assert tell_world(str(one)) == "one"  # nobody knows any more what it was called
    with pytest.raises(UnknownName):
        find_world("moon", worlds)


def test_all_that_is_wrong_in_a_robots_file_is_told_at_once_but_nothing_that_follows_from_it(tmp_path: Path) -> None:
    wrong = GREENHOUSE.replace('says = "The {plant} is wet."', 'says = "It is wet."').replace("makes", "maeks")
    wrong = wrong.replace("facts = []", 'facts = ["wet(fern)", "dry(fern)"]\nvalues = ["height(fern) = 3"]')
    problems = AddedRobots(tmp_path).check(wrong).problems
    assert [each.line for each in problems] == [8, 16, 19, 20]  # wet(fern) itself is right
    assert [word in each.text for word, each in zip(("says", "maeks", "dry", "height"), problems, strict=True)] == [
        True
    ] * 4
    assert len(AddedRobots(tmp_path).check("").problems) == 3  # no name, no purpose, no skills


@pytest.mark.parametrize("name", ["../evil", "a/b", "A", "", ".x", "a.toml", "a\n", "a" * 41, "con:x"])
def test_a_robots_name_cannot_lead_out_of_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="name"):
        AddedRobots(tmp_path / "robots").add(name, GREENHOUSE)
    assert not list(tmp_path.iterdir())


def test_python_is_never_taken_for_a_robot_and_no_picture_is_read_from_the_server(tmp_path: Path) -> None:
    robots = AddedRobots(tmp_path / "robots")
    flag = tmp_path / "ran"
    python = f"import pathlib\npathlib.Path({str(flag)!r}).touch()\nclass Robot: pass\n"
    assert robots.check(python).problems and robots.add("robot", python).problems
    assert not flag.exists() and not robots.worlds()
    with_picture = GREENHOUSE + '\n[view]\npicture = "../../../etc/x.png"\nsize = [10, 10]\n'
    (problem,) = robots.check(with_picture).problems
    assert "icture" in problem.text, problem


MARKUP = "<img src=x onerror=alert(1)>"


def test_markup_in_names_and_sentences_is_refused_or_stays_text(served: Served) -> None:
    """The page shows texts as text (a browser tries that, too); here, that no part of the server makes them more."""
    for place in ("fern", "Water the {plant}.", "The {plant} is wet.", "A robot that looks after plants."):
        text = GREENHOUSE.replace(place, f"{place[:-1]} {MARKUP}{place[-1]}")
        answer = served.client.post("/api/robots/check", json={"text": text})
        assert answer.headers["content-type"] == "application/json" and answer.status_code == 200


# Models ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def endpoint() -> Iterator[tuple[str, list[str]]]:
    """A model's address that answers nothing useful, and the keys that came to it."""
    keys: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            keys.append(self.headers.get("Authorization", ""))
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(401)
            self.end_headers()
            self.wfile.write(b'{"error": {"message": "no such key: ' + KEY.encode() + b'"}}')

        do_GET = do_POST

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1", keys
    server.shutdown()
    server.server_close()


def test_a_key_goes_to_its_address_and_nowhere_else(
    served: Served, endpoint: tuple[str, list[str]], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Even where the address itself says it back: not in the journal, any other file, a log, an export or an answer."""
    address, keys = endpoint
    with caplog.at_level(logging.DEBUG):
        added = served.client.post("/api/models/hosted", json={"address": address, "model": "m", "key": KEY})
        assert added.json() == {"name": "hosted:m"}
        id = served.start(model="hosted:m", preset="inner_monologue", request="Put the ball on the shelf.")
        with served.stream(id) as stream:
            stream.until(lambda s: s.status.get("state") == "idle" and s.kinds[-1:] == ["end"])
        told = [served.client.get(path).text for path in _all_paths(id)]
        events = [str(event) for event in stream.events]
    served.close()
    assert f"Bearer {KEY}" in keys
    assert not [text for text in [*told, *events, caplog.text] if KEY in text]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "journal.db" for path in files)
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def _all_paths(id: str) -> list[str]:
    session = [f"/api/sessions/{id}{rest}" for rest in ("", "/events", "/told", "/share.html", "/prompt/1")]
    return [*session, "/api/models", "/api/choices", "/api/sessions", "/api/people"]


def test_a_hosted_model_is_gone_after_a_restart_and_its_session_says_so(tmp_path: Path) -> None:
    shelf = ModelShelf(Settings(home=tmp_path))
    assert shelf.add_hosted("https://api.example.com/v1/", "m", KEY) == "hosted:m"
    assert shelf.open("hosted:m").name == "hosted:m" and KEY not in repr(vars(shelf))
    with pytest.raises(ModelMissing, match="Enter them again"):
        ModelShelf(Settings(home=tmp_path)).open("hosted:m")
    shelf.remove_hosted("hosted:m")
    with pytest.raises(ModelMissing):
        shelf.open("hosted:m")


@pytest.mark.parametrize(
    ("address", "model", "key"),
    [
        ("file:///etc/passwd", "m", ""),
        ("https://user:word@example.com/v1", "m", ""),
        ("https://example.com/v1?key=x", "m", ""),
        ("https://example.com/v1", "", ""),
        ("https://example.com/v1", "m\n", ""),
        ("https://example.com/v1", "m", "key with\r\nheader: x"),
    ],
)
def test_an_address_or_a_key_that_cannot_be_one_is_refused_without_being_repeated(
    tmp_path: Path, address: str, model: str, key: str
) -> None:
    with pytest.raises(BadInput) as refused:
        ModelShelf(Settings(home=tmp_path)).add_hosted(address, model, key)
    assert "word" not in str(refused.value).replace("password", "") and "header" not in str(refused.value)


def test_a_body_with_a_key_that_does_not_fit_is_not_repeated(quiet: Served) -> None:
    answer = quiet.client.post("/api/models/hosted", json={"address": "https://x.example/v1", "model": 3, "key": KEY})
    assert answer.status_code == 400 and KEY not in answer.text


def test_fetching_tells_how_far_it_has_got_and_what_went_wrong(tmp_path: Path) -> None:
    going, over = threading.Event(), threading.Event()

    def fetch(report: object) -> None:
        assert callable(report)
        report("fetching", 5, 10)
        going.set()
        assert over.wait(10)
        raise ModelUnreachable("The index is not there.")

    shelf = ModelShelf(Settings(home=tmp_path), fetch)
    shelf.fetch_large()
    shelf.fetch_large()  # under way already
    assert going.wait(10)
    large = next(each for each in shelf.states() if each.name == "embedded-large")
    assert (large.fetch, large.doing, large.done, large.total) == ("running", "fetching", 5, 10)
    over.set()
    for thread in threading.enumerate():
        if thread.name == "fetching a model":
            thread.join(10)
    large = next(each for each in shelf.states() if each.name == "embedded-large")
    assert (large.fetch, large.hint) == ("failed", "The index is not there.")


def test_fetching_can_be_stopped_and_begun_again(tmp_path: Path) -> None:
    begun, pieces, again = threading.Event(), threading.Semaphore(0), threading.Event()

    def fetch(report: Callable[[str, int, int], None]) -> None:
        begun.set()
        pieces.acquire(timeout=10)
        report("fetching", 5, 10)
        again.set()

    def end() -> ModelState:
        pieces.release()
        for thread in threading.enumerate():
            if thread.name == "fetching a model":
                thread.join(10)
        return next(each for each in shelf.states() if each.name == "embedded-large")

    shelf = ModelShelf(Settings(home=tmp_path), fetch)
    shelf.stop_fetching()  # nothing is under way: it counts for nothing later
    shelf.fetch_large()
    assert begun.wait(10)
    shelf.stop_fetching()
    stopped = end()
    assert stopped.fetch == "failed" and "stopped" in stopped.hint and not again.is_set()
    shelf.fetch_large()
    assert end().fetch == "done" and again.is_set()


def test_visitors_still_cannot_name_a_file_or_the_owners_models(serve: Serve) -> None:
    served = serve()
    for model in ("hosted:unknown", "gguf:/etc/passwd", "openai:gpt-4o"):
        assert served.client.post("/api/sessions", json={"model": model}).status_code == 404
    assert isinstance(served.client, httpx.Client)


def test_a_robot_behind_an_address_is_refused_before_anything_connects(tmp_path: Path) -> None:
    robots = AddedRobots(tmp_path / "robots")
    for table, row in (
        ("mcp", f'command = ["touch", "{tmp_path / "ran"}"]'),
        ("rosbridge", 'url = "ws://127.0.0.1:1"'),
        ("zenoh", 'url = "tcp/127.0.0.1:1"'),
    ):
        text = f'{GREENHOUSE}\n[{table}]\n{row}\nstop = "cancel"\n'
        found = robots.add("greenhouse", text)
        assert [problem.line for problem in found.problems] == [text[: text.index(f"[{table}]")].count("\n") + 1]
        assert f"[{table}]" in found.problems[0].text
    assert not robots.worlds() and not (tmp_path / "ran").exists()
