"""Changing a plan over the API, keeping lessons, and naming, deleting, comparing and downloading sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from page_robots import models
from thinkaloud.records import Step
from thinkaloud.web.messages import Foreseen
from thinkaloud.web.session_state import foresee
from web.conftest import REQUEST, Serve, Served

SORT = "Put the blocks in their matching bowls."
TABLE = {"world": "tabletop", "scene": "two_colours", "model": "scripted", "speed": None}
OURS = "thinkaloud:confirm=never;rehearse=off;critique=off"
SCENES = Path(__file__).parents[2] / "examples/scenes"


@pytest.fixture
def table(serve: Serve) -> Served:
    """A server with models that write programs, and the shipped scenes."""
    return serve(models=models(), scenes=SCENES)


def _asks(served: Served, **more: object) -> str:
    """A session that asks whether it may carry out its plan."""
    id = served.start(**{**TABLE, "preset": OURS, "request": SORT, "approve_plans": True, **more})
    with served.stream(id) as stream:
        stream.until_state("asking")
    return id


def _ended(served: Served, id: str) -> dict[str, object]:
    with served.stream(id) as stream:
        stream.until(lambda s: s.status.get("state") == "idle" and s.kinds[-1:] == ["end"])
        return dict(stream.status["told"])


def test_a_plan_is_asked_about_changed_and_carried_out_as_it_was_written(table: Served) -> None:
    id = _asks(table)
    status = table.get(f"/api/sessions/{id}")
    assert status["told"]["question"]["plan"] and "edit_plan" in status["can"]
    plan = table.get(f"/api/sessions/{id}/plan")
    assert [step["arguments"]["object"] for step in plan["steps"]] == ["red block", "blue block"]
    assert "green bowl" in plan["skills"][0]["arguments"][1]["options"]
    wanted = [{"skill": "pick_and_place", "arguments": {"object": "blue block", "target": "green bowl"}}]
    with table.viewer("one") as client:
        answer = client.put(f"/api/sessions/{id}/plan", json={"steps": wanted, "approve": True})
    assert answer.status_code == 200, answer.text
    told = _ended(table, id)
    assert (told["result"], told["edited"], len(told["plan"])) == ("goal met", 1, 1)  # type: ignore[arg-type]
    edits = [event for event in table.get(f"/api/sessions/{id}/events") if event["kind"] == "planedit"]
    assert edits[0]["by"] == {"name": "one", "role": ""} and len(edits[0]["left"]) == 2


def test_an_impossible_step_is_named_and_others_may_not_change_the_plan(table: Served) -> None:
    id = _asks(table)
    wanted = [{"skill": "pick_and_place", "arguments": {"object": "piano", "target": "green bowl"}}]
    with table.viewer("one") as client, table.viewer("two") as other:
        refused = client.put(f"/api/sessions/{id}/plan", json={"steps": wanted})
        assert refused.status_code == 400
        assert refused.json()["error"].startswith("Step 1: There is no object in view 'piano' here")
        assert other.put(f"/api/sessions/{id}/plan", json={"steps": wanted}).status_code == 403
    table.post(id, "approve", yes=False)
    assert _ended(table, id)["result"] == "declined"
    with table.viewer("one") as client:
        assert client.put(f"/api/sessions/{id}/plan", json={"steps": wanted}).status_code == 409


def test_a_lesson_from_an_edited_plan_holds_in_the_next_session_until_it_is_removed(table: Served) -> None:
    id = _asks(table)
    wanted = [{"skill": "pick_and_place", "arguments": {"object": "blue block", "target": "green bowl"}}]
    with table.viewer("one") as client:
        client.put(f"/api/sessions/{id}/plan", json={"steps": wanted, "approve": True})
        _ended(table, id)
        kept = client.post(f"/api/sessions/{id}/lesson", json={})
        assert kept.status_code == 200, kept.text
        assert (kept.json()["said"], kept.json()["by"]) == (SORT, "one")
        assert [each["id"] for each in table.get("/api/lessons?world=tabletop")] == [kept.json()["id"]]
        again = table.run(SORT.lower(), **{**TABLE, "preset": OURS})
        done = [step["words"] for step in table.get(f"/api/sessions/{again}/told")["plan"]]
        assert done == ["Pick the blue block and place it on the green bowl."]
        assert client.delete(f"/api/lessons/{kept.json()['id']}").status_code == 200
        assert client.delete(f"/api/lessons/{kept.json()['id']}").status_code == 404
    after = table.run(SORT, **{**TABLE, "preset": OURS})
    assert len(table.get(f"/api/sessions/{after}/told")["plan"]) == 2


def test_a_lesson_in_other_words_is_kept_for_a_world_and_nonsense_is_refused(table: Served) -> None:
    with table.viewer("one") as client:
        lesson = {"world": "tabletop", "said": "Ordnung!", "means": SORT}
        assert client.post("/api/lessons", json=lesson).status_code == 200
        for wrong in ({**lesson, "means": ""}, {**lesson, "said": " !"}, {**lesson, "means": "ordnung"}, {"said": "a"}):
            assert client.post("/api/lessons", json=wrong).status_code == 400
    id = table.run("ordnung", **{**TABLE, "preset": OURS})
    assert len(table.get(f"/api/sessions/{id}/told")["plan"]) == 2


def test_sessions_are_named_and_deleted_but_never_a_running_one(table: Served) -> None:
    id = _asks(table)
    with table.viewer("one") as client:
        assert client.put(f"/api/sessions/{id}/name", json={"name": " The  first "}).status_code == 200
        assert table.get("/api/sessions")[0]["name"] == "The first"
        assert client.put(f"/api/sessions/{id}/name", json={"name": "x" * 81}).status_code == 400
        running = client.delete(f"/api/sessions/{id}?forever=true")
        assert (running.status_code, "running" in running.json()["error"]) == (409, True)
        table.post(id, "stop")
        with table.stream(id) as stream:
            stream.until_state("idle")
        assert client.delete(f"/api/sessions/{id[:-1]}?forever=true").status_code == 400
        assert client.delete(f"/api/sessions/{id}?forever=true").status_code == 200
        assert client.get(f"/api/sessions/{id}").status_code == 404
    assert table.get("/api/sessions") == []


def test_a_fork_shows_its_parent_and_two_sessions_are_compared_line_by_line(served: Served) -> None:
    id = served.run(REQUEST)
    at = next(e["index"] for e in served.get(f"/api/sessions/{id}/events") if e["kind"] == "request")
    other = served.post(id, "fork", at=at).json()["id"]
    rows = {row["id"]: row for row in served.get("/api/sessions")}
    assert (rows[other]["parent"], rows[id]["parent"]) == (f"{id}@{at}", "")
    found = served.get(f"/api/compare?a={id}&b={other}")
    same = [row for row in found["rows"] if row["same"]]
    assert same and all(row["a"]["text"] == row["b"]["text"] for row in same)
    assert found["rows"][found["first"]]["b"] is None  # the fork waits, and the other went on
    assert served.get(f"/api/compare?a={id}&b={id}")["first"] is None


def test_a_run_can_be_downloaded_as_a_film_and_as_json(table: Served) -> None:
    id = table.run(SORT, **{**TABLE, "preset": OURS})
    film = table.client.get(f"/api/sessions/{id}/film.gif")
    assert film.content.startswith(b"GIF89a") and "attachment" in film.headers["content-disposition"]
    lines = table.client.get(f"/api/sessions/{id}/events.json").text.splitlines()
    assert [json.loads(line)["index"] for line in lines] == list(range(len(lines)))


def test_a_robot_without_pictures_has_no_film(served: Served) -> None:
    assert served.client.get(f"/api/sessions/{served.run()}/film.gif").status_code == 404


def test_what_an_answer_would_do_is_told_as_things_and_moves() -> None:
    deeds = (Step("put", {"thing": "cup", "on": "shelf"}, ""), Step("wave", {"times": 2}, ""))
    assert foresee(deeds) == Foreseen(("cup", "shelf"), (("cup", "shelf"),))
    assert foresee(()) == Foreseen()
