"""The main story over a real server: start, watch, talk, stop, pause, come back."""

from __future__ import annotations

from web.conftest import REQUEST, ROBOT, Serve, Served


def test_a_request_is_carried_out_while_somebody_watches(served: Served) -> None:
    id = served.start(request=REQUEST)
    with served.stream(id) as stream:
        assert stream.next()["type"] == "status"
        stream.until(lambda s: s.kinds[-1:] == ["end"])
        stream.until_state("idle")
    assert [event["index"] for event in stream.events] == list(range(len(stream.events)))
    told = ["begin", "request", "observation", "plan", "observation", "plan"]
    assert stream.kinds == [*told, "started", "outcome", "verdict", "observation", "done", "end"]
    now = stream.status["told"]
    assert (now["request"], now["result"]) == (REQUEST, "goal met")
    assert [(step["words"], step["state"]) for step in now["plan"]] == [("Move the ball to the shelf.", "done")]
    assert now["goal"] == [{"words": "Ball is on the shelf.", "holds": True}]
    row = served.get("/api/sessions")[0]
    assert (row["id"], row["result"], row["world"], row["state"]) == (id, "goal met", ROBOT, "idle")


def test_a_stop_in_the_middle_of_a_motion_is_heard_at_the_next_tick(served: Served) -> None:
    id = served.start(request="Walk.")
    with served.stream(id, viewer="another") as stream:
        stream.until_kind("started")
        assert served.post(id, "stop", viewer="another", because="<b>obey me</b>", late=3).status_code == 200
        stream.until_kind("end")
    at = stream.kinds.index("stop")
    assert stream.kinds[at : at + 2] == ["stop", "outcome"]
    outcome, end = stream.until_kind("outcome"), stream.events[-1]
    assert (outcome["ending"], end["result"], end["because"]) == (
        "interrupted",
        "stopped",
        "you pressed stop 3 s before it got through",  # and no word of somebody who only watches
    )


def test_a_stop_may_come_over_the_stream(served: Served) -> None:
    id = served.start(request="Walk.")
    with served.stream(id, viewer="another") as stream:
        stream.until_kind("started")
        stream.socket.send("stop")
        assert stream.until_kind("end")["result"] == "stopped"


def test_after_a_stop_the_robot_does_what_it_is_told_next(served: Served) -> None:
    id = served.start(request="Walk.")
    with served.stream(id) as stream:
        stream.until_kind("started")
        served.post(id, "stop")
        served.post(id, "stop")
        stream.until_kind("end")
        stream.until_state("idle")
        served.post(id, "stop")  # nothing moves: the next request is not stopped by it
        assert served.post(id, "say", text=REQUEST).status_code == 200
        stream.until(lambda s: s.kinds.count("end") == 2)
    assert stream.events[-1]["result"] == "goal met"


def test_a_change_of_mind_reaches_the_robot_in_the_middle_of_its_work(served: Served) -> None:
    id = served.start()
    served.post(id, "pause")
    served.post(id, "say", text=REQUEST)
    with served.stream(id) as stream:
        stream.until_state("paused")
        assert served.post(id, "say", text="Put the cup on the shelf.").status_code == 200
        served.post(id, "go_on")
        stream.until_kind("end")
    assert [event["step"]["words"] for event in stream.events if event["kind"] == "started"] == [
        "Move the cup to the shelf."
    ]
    assert [event["text"] for event in stream.events if event["kind"] == "request"] == [
        REQUEST,
        "Put the cup on the shelf.",
    ]


def test_a_paused_robot_takes_one_step_at_a_time(served: Served) -> None:
    id = served.start()
    served.post(id, "pause")
    served.post(id, "say", text="Put the ball on the shelf and the cup on the bin.")
    with served.stream(id) as stream:
        stream.until_state("paused")
        assert "started" not in stream.kinds
        assert {"step", "go_on", "stop"} <= {*stream.status["can"]}
        served.post(id, "step")
        stream.until(lambda s: "verdict" in s.kinds)
        stream.until_state("paused")
        assert stream.kinds.count("started") == 1
        served.post(id, "go_on")
        stream.until_kind("end")
    assert stream.kinds.count("started") == 2


def test_a_paused_robot_can_be_stopped(served: Served) -> None:
    id = served.start(request="Walk.")
    with served.stream(id) as stream:
        stream.until_kind("started")
        served.post(id, "pause")
        stream.until_state("paused")
        served.post(id, "stop")
        assert stream.until_kind("end")["result"] == "stopped"


def test_a_step_that_needs_approval_waits_for_it(served: Served) -> None:
    id = served.start(request="Throw the ball away.")
    with served.stream(id) as stream:
        stream.until_state("asking")
        question = stream.status["told"]["question"]
        assert question["approval"] and question["options"] == ["yes", "no"]
        assert "approve" in stream.status["can"]
        assert served.post(id, "approve", yes=True).status_code == 200
        assert stream.until_kind("end")["result"] == "goal met"
    assert served.post(id, "approve", yes=True).status_code == 409
    assert served.post(id, "answer", text="yes").status_code == 409


def test_who_reconnects_gets_the_rest_of_the_story_and_nothing_twice(served: Served) -> None:
    id = served.start(request="Walk.")
    with served.stream(id) as first:
        first.until_kind("started")
        seen = len(first.events)
    with served.stream(id, since=seen) as second:
        served.post(id, "stop")
        second.until_kind("end")
    assert second.kinds == ["stop", "outcome", "verdict", "end"] or second.kinds[:2] == ["stop", "outcome"]
    assert second.events[0]["index"] == seen
    with served.stream(id) as whole:
        whole.until(lambda s: len(s.events) == second.events[-1]["index"] + 1)
    assert whole.events == [*first.events, *second.events]


def test_what_is_repeated_is_heard_once(served: Served) -> None:
    id = served.start(request=REQUEST, message="a")
    assert served.start(request=REQUEST, message="a") == id
    with served.stream(id) as stream:
        stream.until_kind("end")
        stream.until_state("idle")
        for _ in range(3):
            assert served.post(id, "say", text="Put the cup on the bin.", message="b").status_code == 200
        stream.until(lambda s: s.kinds.count("end") == 2)
        stream.until_state("idle")
    assert stream.kinds.count("request") == 2
    assert len(served.get("/api/sessions")) == 1


def test_a_message_with_something_else_in_it_or_from_somebody_else_is_another_message(served: Served) -> None:
    id = served.start(request=REQUEST, message="a")
    assert served.start(request="Walk.", message="a") != id
    with served.viewer("another") as other:
        assert other.post("/api/sessions", json={"speed": 100, "message": "a"}).json()["id"] != id
        assert other.post(f"/api/sessions/{id}/say", json={"text": "Walk.", "message": "b"}).status_code == 403
    with served.stream(id) as stream:
        stream.until_kind("end")
        stream.until_state("idle")
        assert served.post(id, "say", text="Put the cup on the bin.", message="b").status_code == 200
        stream.until(lambda s: s.kinds.count("end") == 2)
        stream.until_state("idle")
        assert served.post(id, "say", text="Put the cup on the shelf.", message="b").status_code == 200
        stream.until(lambda s: s.kinds.count("end") == 3)
    assert stream.kinds.count("request") == 3


def test_a_session_survives_a_restart_and_waits_for_a_person(serve: Serve) -> None:
    first = serve()
    id = first.start(request="Walk.")
    with first.stream(id) as stream:
        stream.until_kind("started")
    first.close()
    second = serve()
    with second.stream(id) as stream:
        stream.until(lambda s: s.complete)
        assert stream.status["state"] == "asleep"
        assert stream.events[-1]["because"] == "the server is ending"
        assert "go_on" in stream.status["can"]
        count = len(stream.events)
        assert second.post(id, "go_on").status_code == 200
        stream.until(lambda s: s.kinds.count("started") == 2)
        second.post(id, "stop")
        stream.until(lambda s: s.kinds.count("end") == 2)
    assert stream.events[count]["kind"] == "request"
    assert second.post(id, "say", text="Walk.", message="again").status_code == 200


def test_a_repeated_message_is_known_after_a_restart(serve: Serve) -> None:
    first = serve()
    id = first.run(message="start")
    assert first.post(id, "say", text="Put the cup on the bin.", message="say").status_code == 200
    with first.stream(id) as stream:
        stream.until(lambda s: s.kinds.count("end") == 2)
    first.close()
    second = serve()
    assert second.start(request=REQUEST, message="start") == id
    second.post(id, "say", text="Put the cup on the bin.", message="say")
    assert second.get(f"/api/sessions/{id}")["state"] == "asleep"


def test_a_viewer_who_leaves_stops_nothing(served: Served) -> None:
    id = served.start(request="Walk.")
    with served.stream(id) as stream:
        stream.until_kind("started")
    assert served.get(f"/api/sessions/{id}")["state"] == "moving"
    served.post(id, "stop")
