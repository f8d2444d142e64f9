"""A robot on the page keeps its standing rules: it does what has come due by itself, and does not go to sleep."""

from __future__ import annotations

import pytest

from cli.conftest import SCENE
from thinkaloud import agent
from thinkaloud.models import Scripted
from thinkaloud.web import live_sessions
from web.conftest import ROBOT, Serve

RULE = 'whenever(not at("ball", "shelf"), move("ball", "shelf"))'
SAID = "Whenever the ball is not on the shelf, move it there."


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits a second."""
    monkeypatch.setattr(agent, "_EVERY", 0.01)


def test_what_comes_due_while_the_robot_is_idle_is_done_by_itself(serve: Serve) -> None:
    served = serve(models={"obliging": Scripted([RULE, "say(rules())"], name="obliging")})
    id = served.start(world=ROBOT, preset="thinkaloud:confirm=never", request=SAID)
    with served.stream(id) as stream:
        stream.until(lambda s: s.kinds.count("end") == 2)
        due = stream.until_kind("duerequest")
        assert due["text"] == f'Because you said: "{SAID}"'
        assert [event["result"] for event in stream.events if event["kind"] == "end"] == ["answered", "goal met"]
        served.post(id, "say", text="Which rules are there?")
        stream.until(lambda s: s.kinds.count("end") == 3)
        assert stream.events[-1]["because"].startswith("Whenever ")


def test_going_on_after_a_stop_takes_up_the_rule_and_not_its_words(serve: Serve) -> None:
    rule = 'once(not at("ball", "shelf"), walk())'
    served = serve(models={"obliging": Scripted([rule], name="obliging")})
    preset, said = "thinkaloud:confirm=never;rehearse=off", "Once the ball is off the shelf, walk."
    id = served.start(world=ROBOT, preset=preset, request=said)
    with served.stream(id) as stream:
        stream.until_kind("started")
        served.post(id, "stop")
        stream.until(lambda s: s.kinds.count("end") == 2 and s.status.get("state") == "idle")
        assert served.post(id, "go_on").status_code == 200
        stream.until(lambda s: s.kinds.count("duerequest") == 2 and s.kinds.count("started") == 2)
        served.post(id, "stop")
        stream.until(lambda s: s.kinds.count("end") == 3)
        assert stream.kinds.count("request") == 1


def test_a_robot_with_rules_does_not_go_to_sleep(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_sessions, "MOST_IDLE_ROBOTS", 0)
    monkeypatch.setattr(live_sessions, "IDLE_SECONDS", 0.0)
    programs = {"one": 'once(clock("3:33", "monday"), remind("Call."))', "two": "say(clock())"}
    said, preset = "Remind me to call on Monday at 3:33.", "thinkaloud:confirm=never"
    served = serve(models={name: Scripted([program], name=name) for name, program in programs.items()})
    ids = {name: served.run(said, world="tabletop", scene=SCENE, preset=preset, model=name) for name in programs}
    served.start(model="one")
    while (states := {row["id"]: row["state"] for row in served.get("/api/sessions")})[ids["two"]] != "asleep":
        pass
    assert states[ids["one"]] == "idle"
