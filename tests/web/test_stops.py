"""A stop is answered once the robot's run has heard it, stops one session or none, and is not lost on its way."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from typing import Any

import httpx
import pytest

from thinkaloud.records import Outcome, Speaker, Step, Stop
from thinkaloud.web.halting import Halt, Halts, NotConfirmed, OpenHalts, tell_pressed
from thinkaloud.web.live_sessions import LiveSessions
from thinkaloud.web.server import HubServer, bind
from web.conftest import REQUEST, Serve, Served

WALK = "Walk."


def walking(served: Served, id: str) -> None:
    """Have the robot of a session walk, and wait until it does."""
    assert served.post(id, "say", text=WALK).status_code == 200
    with served.stream(id) as stream:
        stream.until(lambda s: s.complete and s.status["state"] == "moving")


def kinds(served: Served, id: str) -> list[str]:
    return [event["kind"] for event in served.get(f"/api/sessions/{id}/events")]


def state(served: Served, id: str) -> str:
    return str(served.get(f"/api/sessions/{id}")["state"])


def test_the_answer_to_a_stop_means_that_the_run_has_heard_it(served: Served) -> None:
    id = served.start()
    walking(served, id)
    answer = served.post(id, "stop", message="a")
    assert answer.json() == {"ok": True, "still": True, "message": "a"}
    assert kinds(served, id).count("stop") == 1
    assert "outcome" in kinds(served, id)


def test_a_stop_that_the_run_does_not_hear_is_not_confirmed(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unheard(*_: Any, **__: Any) -> bool:
        await Halt().wait_until_heard(0.01)
        return True

    monkeypatch.setattr(served.hub, "stop_and_wait", unheard)
    answer = served.post(served.start(), "stop")
    assert answer.status_code == 503
    assert answer.json()["error"] == "The robot has not confirmed the stop. Use the robot's own stop."


def test_the_beginning_of_several_ids_stops_none_of_them(served: Served) -> None:
    first, second = served.start(), served.start()
    for id in (first, second):
        walking(served, id)
    answer = served.post(first[0], "stop")
    assert answer.status_code == 400 and "2 sessions begin with" in answer.json()["error"]
    assert served.post("nope", "stop").status_code == 404
    assert [state(served, id) for id in (first, second)] == ["moving", "moving"]
    assert served.post(first[:-1] if second[:-1] != first[:-1] else first, "stop").status_code == 200
    assert "stop" in kinds(served, first) and "stop" not in kinds(served, second)
    assert state(served, second) == "moving"


def test_all_robots_can_be_stopped_at_once(served: Served) -> None:
    ids = {served.start(), served.start()}
    for id in ids:
        walking(served, id)
    answer = served.client.post("/api/stop")
    assert (answer.status_code, {*answer.json()["sessions"]}) == (200, ids)
    assert all("stop" in kinds(served, id) for id in ids)


def test_a_stop_of_all_robots_that_is_sent_again_does_not_stop_what_was_begun_since(served: Served) -> None:
    id = served.start()
    walking(served, id)
    assert served.client.post("/api/stop", json={"message": "a"}).json() == {
        "ok": True,
        "sessions": [id],
        "still": True,
        "message": "a",
    }
    walking(served, id)
    assert served.client.post("/api/stop", json={"message": "a"}).status_code == 200
    assert state(served, id) == "moving"
    assert served.client.post("/api/stop", json={"message": "b"}).json()["still"]


def test_a_stop_of_all_robots_says_which_of_them_have_not_heard_it(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf, good = served.start(), served.start()
    stop_all, unheard = LiveSessions.stop_all, Halt()

    async def wait(patience: float = 0.0) -> None:
        raise NotConfirmed("not heard")

    monkeypatch.setattr(unheard, "wait_until_heard", wait)
    monkeypatch.setattr(LiveSessions, "stop_all", lambda *given: stop_all(*given) | {deaf: unheard})
    answer = served.client.post("/api/stop")
    assert answer.status_code == 503
    assert deaf in answer.json()["error"] and good not in answer.json()["error"]


def test_a_stop_that_is_sent_again_does_not_stop_what_was_begun_since(served: Served) -> None:
    id = served.start()
    walking(served, id)
    assert served.post(id, "stop", message="a").json()["still"]
    walking(served, id)
    assert served.post(id, "stop", message="a").json()["ok"]
    assert state(served, id) == "moving"
    assert served.post(id, "stop", message="b").json()["still"]
    assert kinds(served, id).count("stop") == 2


def test_what_was_stopped_can_be_gone_on_with(served: Served) -> None:
    id = served.start()
    walking(served, id)
    served.post(id, "stop")
    with served.stream(id) as stream:
        stream.until(lambda s: s.complete and s.status["state"] == "idle")
        assert "go_on" in stream.status["can"]
        assert served.post(id, "go_on").status_code == 200
        stream.until(lambda s: s.complete and s.status["state"] == "moving")
        assert [event["text"] for event in stream.events if event["kind"] == "request"] == [WALK, WALK]
    served.post(id, "stop")
    done = served.run(REQUEST)
    assert served.post(done, "go_on").status_code == 409


def test_a_stop_after_a_restart_reaches_the_same_session_where_nothing_moves(serve: Serve) -> None:
    first = serve()
    id = first.start()
    walking(first, id)
    first.close()
    second = serve()
    assert second.post(id, "stop", message="from before").json() == {
        "ok": True,
        "still": True,
        "message": "from before",
    }
    assert state(second, id) == "asleep"


def test_a_stop_while_a_request_is_being_checked_keeps_it_from_beginning(served: Served) -> None:
    id = served.start()
    robot = served.hub.robot_of(id)
    check = robot._agent.check

    def checked(*said: Any) -> str:
        assert served.hub.stop(id).still
        return check(*said)

    robot._agent.check = checked  # type: ignore[assignment, method-assign]
    answer = served.post(id, "say", text=WALK)
    assert (answer.status_code, answer.json()["error"]) == (409, "Somebody pressed stop before that was heard.")
    assert "request" not in kinds(served, id)


def test_a_stop_while_a_change_of_mind_is_being_checked_has_the_last_word(served: Served) -> None:
    id = served.start()
    walking(served, id)
    robot = served.hub.robot_of(id)
    say = robot._agent.say

    def said(text: str, by: Speaker | None = None) -> None:
        served.hub.stop(id)
        say(text, by)

    robot._agent.say = said  # type: ignore[method-assign]
    assert served.post(id, "say", text="Walk again.").status_code == 409
    with served.stream(id) as stream:
        stream.until(lambda s: s.complete and s.status["state"] == "idle")
        assert stream.kinds[-1] == "end" and stream.events[-1]["result"] == "stopped"


def test_a_stop_is_not_heard_by_way_of_another_one() -> None:
    halts, first, second = OpenHalts(), Halt(), Halt()
    one, two = Stop("one"), Stop("one")
    halts.add(one, first)
    halts.add(two, second)
    halts.hear(one, moving=True)
    assert (first.heard, first.still, second.heard) == (True, False, False)
    halts.hear(Outcome(Step("walk", {}, "Walk."), "interrupted", ""), moving=False)
    assert (first.still, second.heard) == (True, False)
    halts.settle()
    assert second.heard and second.still


def test_a_session_remembers_a_limited_number_of_stops() -> None:
    halts, made = Halts(), list[Halt]()

    def stop() -> Halt:
        made.append(Halt())
        return made[-1]

    first = halts.once("0", stop)
    assert halts.once("0", stop) is first
    assert halts.once("", stop) is not halts.once("", stop)
    for number in range(200):
        halts.once(str(number), stop)
    assert halts.once("0", stop) is not first


def test_whoever_waits_for_a_stop_is_told_when_it_takes_too_long() -> None:
    halt = Halt()
    with pytest.raises(NotConfirmed, match="robot's own stop"):
        asyncio.run(halt.wait_until_heard(0.01))
    halt.confirm(still=False)
    asyncio.run(halt.wait_until_heard(0.01))
    with pytest.raises(NotConfirmed):
        asyncio.run(halt.wait_until_still(0.01))


def test_a_stop_needs_no_body_and_says_what_it_cannot_read(served: Served) -> None:
    id = served.start()
    with httpx.Client(base_url=served.url, verify=False) as client:
        assert client.post(f"/api/sessions/{id}/stop").status_code == 200
        assert client.post(f"/api/sessions/{id}/stop", json={"message": "x" * 101}).status_code == 400


def test_a_terminal_that_is_closed_stops_all_robots_and_ends_the_server() -> None:
    stopped: list[str] = []

    class Watched:
        def stop_all(self, because: str) -> None:
            stopped.append(because)

    server = HubServer(Watched(), None)  # type: ignore[arg-type]
    ended: list[int] = []
    before = signal.signal(signal.SIGHUP, lambda number, frame: ended.append(number))
    try:
        with server.capture_signals():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert stopped and server.should_exit and ended == [signal.SIGHUP]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other names for it")
def test_a_connection_whose_other_side_fell_silent_is_noticed_within_ten_seconds() -> None:
    with bind("127.0.0.1", 0) as bound, socket.create_connection(bound.getsockname()):
        bound.setblocking(True)
        taken, _ = bound.accept()
        with taken:
            assert taken.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            idle, between, times = (
                taken.getsockopt(socket.IPPROTO_TCP, option)
                for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            )
            assert idle + between * times <= 10
            assert 0 < taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 10_000


def test_a_stop_by_voice_is_told_as_said(served: Served) -> None:
    assert tell_pressed(said=True) == "you said stop"
    assert tell_pressed(2.4, "Ada", said=True) == "Ada said stop 2 s before it got through"
    id = served.start()
    walking(served, id)
    served.hub.stop(id, said=True)
    with served.stream(id) as stream:
        assert stream.until_kind("end")["because"] == "you said stop"
