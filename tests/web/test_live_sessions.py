"""Robots that nobody needs go to sleep, and wake up as they were."""

from __future__ import annotations

import pytest

from cli.conftest import SCENE, obedient
from thinkaloud.web import live_sessions
from web.conftest import REQUEST, ROBOT, Serve, Served

PUT = "Put the red block in the blue bowl."


@pytest.fixture(autouse=True)
def sleepy(monkeypatch: pytest.MonkeyPatch) -> None:
    """One may stay awake, and nobody takes time to think."""
    monkeypatch.setattr(live_sessions, "MOST_IDLE_ROBOTS", 1)
    monkeypatch.setattr(live_sessions, "IDLE_SECONDS", 0.0)


def test_of_many_sessions_at_rest_the_oldest_give_back_what_they_hold_and_wake_when_they_are_needed(
    serve: Serve,
) -> None:
    served = serve(models={"obliging": obedient(), "scripted": obedient()})
    first = served.run(PUT, world="tabletop", scene=SCENE)
    watched = served.run(PUT, world="tabletop", scene=SCENE)
    with served.stream(watched) as stream:
        stream.until_state("idle")
        second = served.run(PUT, world="tabletop", scene=SCENE)
        served.start(world="tabletop", scene=SCENE)
        _until_asleep(served, first)
        states = {row["id"]: row["state"] for row in served.get("/api/sessions")}
        assert (states[watched], states[second]) == ("idle", "idle")
    answer = served.post(first, "say", text=PUT)
    assert answer.status_code == 200, answer.text
    with served.stream(first) as stream:
        stream.until(lambda s: s.kinds.count("request") == 2 and s.status["state"] != "asleep")
        served.post(first, "stop")
        stream.until(lambda s: s.kinds.count("end") == 2)


def _until_asleep(served: Served, id: str) -> None:
    while {row["id"]: row["state"] for row in served.get("/api/sessions")}[id] != "asleep":
        pass


def test_a_robot_of_ones_own_stays_awake(serve: Serve) -> None:
    served = serve()
    ids = [served.run(REQUEST, world=ROBOT) for _ in range(3)]
    served.start()
    assert {served.get(f"/api/sessions/{id}")["state"] for id in ids} == {"idle"}
