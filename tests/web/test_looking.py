"""Looking at a session: events, prompts, scenes, pictures; looking back, forking, sharing."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import SCENE, obedient
from thinkaloud.models import Scripted
from thinkaloud.robots import open_world
from thinkaloud.settings import Settings
from thinkaloud.web.choices import AvailableChoices
from thinkaloud.worlds import WORLDS, learned_files
from thinkaloud.worlds.drawing import draw, find_poses
from thinkaloud.worlds.interventions import intervene
from tray_robot import GREENHOUSE
from walkworld import obliging
from web.conftest import REQUEST, ROBOT, Serve, Served
from written_detector import write_detector

PUT = "Put the red block in the blue bowl."
ALIKE = """
[[objects]]
name = "red block"
kind = "block"
x = -0.1
y = -0.5

[[objects]]
name = "other block"
kind = "block"
colour = "red"
x = 0.1
y = -0.5
"""


def test_what_is_behind_a_line_can_be_read_word_for_word(served: Served) -> None:
    id = served.run()
    events = served.get(f"/api/sessions/{id}/events")
    calls = [event["index"] for event in events if event["kind"] == "modelcall"]
    plan = next(event["index"] for event in events if event["kind"] == "plan")
    (behind,) = served.get(f"/api/sessions/{id}/prompt/{plan}")
    assert behind == served.get(f"/api/sessions/{id}/prompt/{calls[0]}")[0]
    assert (behind["event"], behind["role"], behind["model"]) == (calls[0], "planner", "obliging")
    assert behind["prompt"].rstrip().endswith("Robot thought:") or f"Human: {REQUEST}" in behind["prompt"]
    assert behind["answer"] == ' Goal state is ["Ball is on the shelf."].'
    assert served.get(f"/api/sessions/{id}/prompt/1") == []


def test_events_are_those_of_the_journal_from_any_one_on(served: Served) -> None:
    id = served.run()
    events = served.get(f"/api/sessions/{id}/events")
    assert [event["kind"] for event in events[:2]] == ["begin", "request"]
    assert served.get(f"/api/sessions/{id}/events?since=3") == events[3:]
    assert {"seconds", "cached"} <= next(event for event in events if event["kind"] == "modelcall").keys()


def test_a_story_can_be_told_as_it_stood_at_any_event(served: Served) -> None:
    id = served.run()
    kinds = [event["kind"] for event in served.get(f"/api/sessions/{id}/events")]
    before = served.get(f"/api/sessions/{id}/told?at={kinds.index('started') - 1}")
    during = served.get(f"/api/sessions/{id}/told?at={kinds.index('started')}")
    assert [step["state"] for step in before["plan"]] == ["pending"]
    assert [step["state"] for step in during["plan"]] == ["running"]
    assert (during["result"], served.get(f"/api/sessions/{id}/told")["result"]) == (None, "goal met")


def test_a_fork_takes_the_events_and_the_world_up_to_an_event_and_goes_its_own_way(serve: Serve) -> None:
    served = serve(models={"obliging": obliging(), "other": obliging("other")})
    id = served.run()
    events = served.get(f"/api/sessions/{id}/events")
    at = next(event["index"] for event in events if event["kind"] == "started") - 1
    fork = served.post(id, "fork", at=at, model="other").json()["id"]
    with served.stream(fork) as stream:
        stream.until(lambda s: s.complete)
        assert stream.status["state"] == "idle" and "go_on" in stream.status["can"]
        assert [e["kind"] for e in stream.events] == [e["kind"] for e in events[: at + 1]]
        assert (stream.events[0]["model"], stream.events[0]["options"]["forked"]) == ("other", f"{id}@{at}")
        served.post(fork, "go_on")
        stream.until_kind("end")
    assert stream.kinds.count("started") == 1
    assert served.get(f"/api/sessions/{id}/events") == events
    assert served.get(f"/api/sessions/{fork}/prompt/{at}") == served.get(f"/api/sessions/{id}/prompt/{at}") != []
    preset = "inner_monologue:feedback=object"
    other = served.post(id, "fork", at=1, preset=preset).json()["id"]
    assert served.get(f"/api/sessions/{other}")["begin"]["preset"] == preset
    assert served.post(id, "fork", at=1, preset="none").status_code == 404


def test_a_fork_may_be_told_something_else_at_once(served: Served) -> None:
    id = served.run()
    body: dict[str, Any] = {"at": 2, "say": "Put the cup on the bin.", "message": "once"}
    fork = served.post(id, "fork", **body).json()["id"]
    assert served.post(id, "fork", **body).json()["id"] == fork
    with served.stream(fork) as stream:
        stream.until_kind("end")
    assert [event["text"] for event in stream.events if event["kind"] == "request"] == [REQUEST, body["say"]]
    assert stream.events[-1]["result"] == "goal met"


def test_a_session_that_is_over_can_be_talked_to_again(serve: Serve) -> None:
    first = serve()
    id = first.run()
    first.close()
    second = serve()
    assert second.post(id, "go_on").status_code == 409
    assert second.post(id, "say", text="Put the cup on the shelf.").status_code == 200
    with second.stream(id) as stream:
        stream.until(lambda s: s.kinds.count("end") == 2)
    assert stream.events[-1]["result"] == "goal met"


def test_a_shared_page_needs_nothing_else(served: Served) -> None:
    id = served.run()
    page = served.client.get(f"/api/sessions/{id}/share.html").text
    assert not re.findall(r"""(?:src|href)=["'](?!data:)""", page)
    assert "default-src 'none'" in page
    told = json.loads(re.search(r'id="told">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    assert told[-1]["plan"][0]["state"] == "done" and "Move the ball to the shelf." in page


def test_benchmark_results_are_found(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "bench" / "mine"
    folder.mkdir(parents=True)
    row = {
        "preset": "p",
        "task": "t",
        "metric": "success",
        "value": 0.5,
        "low": 0.1,
        "high": 0.9,
        "n": 2,
        "paper": None,
    }
    found = {"bench": "b", "model": "m", "seed": 0, "seconds": 1.0, "rows": [row]}
    (folder / "results.json").write_text(json.dumps(found))
    (tmp_path / "bench" / "results.json").write_text("nothing of that kind")
    (results,) = serve(results=tmp_path / "bench").get("/api/benches")
    assert (results["name"], results["bench"], results["rows"]) == ("mine", "b", [row])


def test_what_there_is_to_choose_from(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text(SCENE)
    choices = serve(scenes=tmp_path).get("/api/choices")
    worlds = {world["name"]: world for world in choices["worlds"]}
    assert worlds["tabletop"]["scene"] == "space" and worlds["tabletop"]["noise"]
    assert choices["wanted"]["world"] == "walkworld:Walker" and worlds["walkworld:Walker"]["about"]
    assert choices["scenes"] == ["scene"]
    assert {"embedded", "obliging"} <= {model["name"] for model in choices["models"]}
    assert next(preset for preset in choices["presets"] if preset["name"] == "inner_monologue")["options"]["feedback"]


def test_a_table_is_drawn_photographed_and_meddled_with(serve: Serve) -> None:
    served = serve(models={"obliging": obedient()})
    id = served.start(world="tabletop", scene=SCENE)
    scene = served.get(f"/api/sessions/{id}/scene")
    assert scene["kind"] == "space" and len(scene["shapes"]) == len(scene["poses"])
    assert {"red block", "robot", "table"} <= {shape["name"] for shape in scene["shapes"]}
    red = next(i for i, shape in enumerate(scene["shapes"]) if shape["name"] == "red block")
    assert scene["poses"][red][:2] == [0.1, -0.5]
    assert {place["name"] for place in scene["places"]} >= {"top left corner"}
    png = served.client.get(f"/api/sessions/{id}/camera.png")
    assert png.headers["content-type"] == "image/png" and png.content[:4] == b"\x89PNG"
    with served.stream(id) as stream:
        stream.until(lambda s: s.complete)
        assert "red block" in stream.status["movable"]
        assert served.post(id, "disturb", thing="red block", to=[0.0, -0.4]).status_code == 200
        while (message := stream.next())["type"] != "frame" or message["poses"][red][:2] == [0.1, -0.5]:
            pass
        assert message["poses"][red][:2] == pytest.approx([0.0, -0.4], abs=0.005)
        assert served.post(id, "disturb", thing="green block", to="over").status_code == 200
        assert served.post(id, "disturb", thing="green block", to="blue bowl").status_code == 200
        for bad in ([5, 5], "moon", "green block"):
            assert served.post(id, "disturb", thing="green block", to=bad).status_code in (400, 404)
        assert served.post(id, "disturb", thing="moon", to="over").status_code == 404
        served.post(id, "say", text=PUT)
        stream.until_kind("end")
        assert stream.events[-1]["result"] == "goal met"
    first = served.get(f"/api/sessions/{id}/scene?at=1")
    assert first["poses"][red] != served.get(f"/api/sessions/{id}/scene")["poses"][red]
    page = served.client.get(f"/api/sessions/{id}/share.html").text
    assert page.count('src="data:image/png;base64,') >= 2


def test_eyes_can_be_chosen_where_there_is_a_camera_and_its_picture_shows_what_they_find(serve: Serve) -> None:
    served = serve(models={"obliging": obedient()})
    choices = served.get("/api/choices")
    cameras = {world["name"] for world in choices["worlds"] if world["camera"]}
    assert cameras == {"tabletop", "real_table", "franka", "kitchen", "dishwasher"}
    assert choices["eyes"] == ["camera", "learned"]
    id = served.start(world="tabletop", scene=ALIKE, eyes="camera")
    with served.stream(id) as stream:
        stream.until(lambda s: s.complete)
        assert stream.events[0]["options"]["eyes"] == "camera"
        seen = served.client.get(f"/api/sessions/{id}/camera.png").content
        assert seen[:4] == b"\x89PNG"
        served.post(id, "say", text=PUT)
        look = stream.until_kind("observation")
        assert len(look["objects"]) == 1  # two blocks of one colour look alike: they are one name, and not two
    plain = served.start(world="tabletop", scene=ALIKE)
    assert served.client.get(f"/api/sessions/{plain}/camera.png").content != seen
    for wanted in ({"world": "tabletop", "eyes": "owlv2:/etc"}, {"world": "drinks", "eyes": "camera"}):
        assert served.client.post("/api/sessions", json=wanted).status_code in (400, 404, 422)


def test_learned_eyes_are_offered_where_their_weights_are(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    monkeypatch.setattr(learned_files, "SHIPPED", tmp_path)
    served = serve(models={"obliging": obedient()})
    wanted = {"world": "tabletop", "eyes": "learned", "preset": "inner_monologue"}
    assert served.client.post("/api/sessions", json=wanted).status_code in (400, 404, 422)
    write_detector(tmp_path / "eyes.onnx")
    assert served.get("/api/choices")["eyes"] == ["camera", "learned"]
    id = served.start(world="tabletop", scene=ALIKE, eyes="learned")
    with served.stream(id) as stream:
        stream.until(lambda s: s.complete)
        assert stream.events[0]["options"]["eyes"] == "learned"
        served.post(id, "say", text=PUT)
        assert {*stream.until_kind("observation")["objects"]} <= {"red block", "blue block"}


def test_where_there_is_no_picture_and_no_space_there_is_a_board(served: Served) -> None:
    id = served.run()
    scene = served.get(f"/api/sessions/{id}/scene")
    assert (scene["kind"], scene["things"], scene["camera"]) == ("board", ["ball", "cup", "box"], False)
    facts = {thing["name"]: thing["facts"] for group in scene["board"] for thing in group["things"]}
    assert facts["ball"] == ["Ball is on the shelf."] and "cup" in facts
    assert served.client.get(f"/api/sessions/{id}/camera.png").status_code == 404
    assert served.post(id, "disturb", thing="ball", to="over").status_code == 400


def test_a_board_of_the_past_marks_the_changes_of_that_moment(serve: Serve) -> None:
    served = serve(models={"amounts": Scripted(lambda prompt: f'water("basil tray", {60 if "60" in prompt else 110})')})
    assert served.client.post("/api/robots", json={"name": "greenhouse", "text": GREENHOUSE}).status_code == 200
    world = str(served.hub.settings.home / "robots/greenhouse.toml")
    preset = "thinkaloud:confirm=never"
    id = served.run("Give the basil tray 110 ml.", world=world, model="amounts", preset=preset)
    served.post(id, "say", text="Give the basil tray 60 ml.")
    with served.stream(id) as stream:
        stream.until(lambda s: s.kinds.count("end") == 2 and s.status.get("state") == "idle")
        ends = [event["index"] for event in stream.events if event["kind"] == "end"]

    def basil(query: str) -> list[list[str]]:
        board = served.get(f"/api/sessions/{id}/scene{query}")["board"]
        thing = next(each for group in board for each in group["things"] if each["name"] == "basil tray")
        return [thing["facts"], thing["fresh"], thing["gone"]]

    water = "The water of the basil tray is {} ml.".format
    now = [["The basil tray is wet.", water(60)], [water(60)], [water(110)]]
    first = ["The basil tray is wet.", water(110)]
    assert basil("") == basil(f"?at={ends[1]}") == now
    assert basil(f"?at={ends[0]}") == [first, first, [water(0)]]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted({*WORLDS} - {"household"}))
def test_every_world_can_be_drawn_and_drawing_changes_nothing(name: str) -> None:
    world = open_world(name)
    scene = world.observe()  # what is seen may be remembered; what is drawn is not
    before = world.snapshot()
    first: Any = draw(world, scene)
    assert first.kind in ("space", "plan", "board", "none")
    assert len(first.shapes) == len(first.poses) == len(find_poses(world))
    assert all(len(pose) == 7 for pose in first.poses)
    assert draw(world, scene, first).version == first.version
    if first.kind == "space":
        assert "robot" in {shape.role for shape in first.shapes}
    assert world.snapshot() == before


def test_a_thing_that_is_knocked_over_falls_and_the_world_stays_sound() -> None:
    import asyncio

    for name in ("tabletop", "franka"):
        world = open_world(name)
        thing = world.movable()[0]  # type: ignore[attr-defined]
        before = find_poses(world)
        intervene(world, thing, "over")
        asyncio.run(world.clock.sleep(1.0))
        assert find_poses(world) != before
        world.restore(world.snapshot())
        assert thing in world.movable()  # type: ignore[attr-defined]


def test_only_scenes_of_a_world_are_offered_for_it(serve: Serve) -> None:
    served = serve(scenes=Path(__file__).parents[2] / "examples/scenes")
    tables = served.get("/api/scenes?world=tabletop")
    assert "two_colours" in tables and not {"hall", "office_kitchen"} & {*tables}
    assert served.get("/api/scenes?world=warehouse") == ["hall"]
    assert served.get(f"/api/scenes?world={ROBOT}") == []
    assert served.client.get("/api/scenes?world=moon").status_code == 404


def test_a_model_whose_file_is_missing_is_not_here(tmp_path: Path) -> None:
    name = f"gguf:{tmp_path / 'none.gguf'}"
    [model] = [
        each for each in AvailableChoices(Settings(home=tmp_path, model=name)).choices().models if each.name == name
    ]
    assert not model.here and "There is no file" in model.hint


def test_a_robot_that_takes_long_to_tell_what_is_true_holds_up_nobody() -> None:
    world: Any = open_world(ROBOT)
    quick, asked = world.holds, []

    def slow(condition: Any) -> bool:
        asked.append(condition)
        time.sleep(0.03)
        return bool(quick(condition))

    world.holds = slow
    drawing = draw(world, world.observe())
    assert (drawing.kind, drawing.whole) == ("board", False) and len(asked) < 5
    world.holds = quick
    assert draw(world, world.observe()).whole


def test_whoever_comes_later_sees_things_where_they_are_now(serve: Serve) -> None:
    served = serve(models={"obliging": obedient()})
    id = served.start(world="tabletop", scene=SCENE)
    before = served.get(f"/api/sessions/{id}/scene")["poses"]
    assert served.post(id, "say", text=PUT).status_code == 200
    while served.get(f"/api/sessions/{id}/told")["result"] is None:
        time.sleep(0.05)
    after = served.get(f"/api/sessions/{id}/scene")["poses"]
    with served.stream(id) as stream:
        while (message := stream.next())["type"] != "frame":
            pass
    assert message["poses"] == after != before
