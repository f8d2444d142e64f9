"""The microphone of a browser, at the server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from websockets.sync.client import connect

from heard_sounds import Counting, LoudStop, tone
from thinkaloud import speech
from thinkaloud.cli import cli
from thinkaloud.speech.sound import write_pcm
from thinkaloud.web import ears as web_ears
from web.conftest import Serve


def test_without_the_extra_everything_says_what_to_install(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "_PACKAGES", ("a_package_that_nobody_has",))
    answer = CliRunner().invoke(cli, ["chat", "--ears"])
    assert 'pip install "thinkaloud[speech]"' in answer.output
    served = serve()
    assert served.get("/api/speech") == {
        "here": False,
        "hint": "Voice needs the extra 'speech': pip install \"thinkaloud[speech]\"",
    }


def test_a_browsers_microphone_stops_the_robot_and_its_words_do_nothing_by_themselves(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_ears, "StopWord", LoudStop)
    monkeypatch.setattr(web_ears, "open_recogniser", Counting)
    served = serve()
    id = served.start()
    before = served.get(f"/api/sessions/{id}")["events"]
    with connect(f"ws://127.0.0.1:{served.port}/api/sessions/{id}/ears?viewer=one", proxy=None) as socket:

        def told() -> dict[str, Any]:
            message: dict[str, Any] = json.loads(socket.recv(timeout=20))
            return message

        assert told() == {"type": "ready"}
        socket.send("begin")
        socket.send(write_pcm(tone(0.5, 0.3)))
        socket.send("end")
        assert told() == {"type": "words", "text": "5 tenths"}
        assert served.get(f"/api/sessions/{id}")["events"] == before
        with served.stream(id) as stream:
            served.post(id, "say", text="Put the ball on the shelf.")
            socket.send(write_pcm(tone(0.1, 0.95)))
            assert told()["type"] == "stop"
            stream.until(lambda s: s.status.get("state") == "idle" and s.kinds[-1:] == ["end"])
    assert served.get(f"/api/sessions/{id}/told")["result"] in ("stopped", "goal met")
