"""Several viewers, of whom one holds control."""

from __future__ import annotations

import pytest

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.web.control import Control, NotInControl, public_id
from web.conftest import REQUEST, Served


def test_one_holds_control_and_everybody_may_stop(served: Served) -> None:
    id = served.start(request="Walk.")
    with served.stream(id) as first, served.stream(id, viewer="two") as second:
        second.until_kind("started")
        refused = served.post(id, "say", viewer="two", text=REQUEST)
        assert refused.status_code == 403
        assert refused.json()["error"] == "one holds control of this session. Ask them to hand it over."
        for what in ("pause", "step", "go_on"):
            assert served.post(id, what, viewer="two").status_code == 403
        assert served.post(id, "control", viewer="two").status_code == 403
        assert served.post(id, "stop", viewer="two").status_code == 200
        assert second.until_kind("end")["result"] == "stopped"
        first.until_kind("end")
        assert "request" in first.kinds and first.kinds.count("request") == 1
        second.until_state("idle")
        here = {viewer["name"]: viewer["id"] for viewer in second.status["viewers"]}
        assert served.post(id, "control", to=here["two"]).status_code == 200
        assert served.post(id, "say", text=REQUEST).status_code == 403
        assert served.post(id, "say", viewer="two", text=REQUEST).status_code == 200
        second.until(lambda s: s.kinds.count("end") == 2)
    assert second.status["control"] == here["two"] == served.hub.viewer_id("two")


def test_control_of_somebody_who_is_gone_can_be_taken(served: Served) -> None:
    id = served.start()
    with served.stream(id, viewer="two") as stream:
        stream.next()
        refused = served.post(id, "say", viewer="two", text=REQUEST)
        assert refused.json()["error"] == "one holds control of this session. They are gone: you can take it."
        assert served.post(id, "control", viewer="two").status_code == 200
        assert served.post(id, "say", viewer="two", text=REQUEST).status_code == 200
        stream.until_kind("end")


def test_a_public_id_does_not_tell_the_secret() -> None:
    assert "secret" not in public_id("secret")
    assert public_id("secret") != public_id("another")


def test_control_goes_only_to_somebody_who_is_there() -> None:
    control = Control()
    control.require("one")
    with pytest.raises(UnknownName):
        control.hand_over("one", public_id("two"))
    with control.watching("two", "Zoë"):
        with pytest.raises(NotInControl):
            control.hand_over("two", public_id("two"))
        control.hand_over("one", public_id("two"))
        assert [viewer.name for viewer in control.viewers()] == ["Zoë"]
    control.take("one")
    assert control.holder == "one"


def test_whoever_only_tries_leaves_nothing_behind() -> None:
    control = Control()
    control.require("one")
    for number in range(100):
        with pytest.raises(NotInControl):
            control.require(f"stranger {number}")
    assert len(control.viewers()) == 1
    with pytest.raises(BadInput, match="at most 100 characters"), control.watching("x" * 101):
        pass
