from __future__ import annotations

import asyncio

import pytest

from thinkaloud.errors import ModelError, ModelRefused
from thinkaloud.models import Call, Recorded, Scripted, Turn
from thinkaloud.records import ModelCall


def test_answers_come_in_their_order_and_the_prompts_are_kept() -> None:
    model = Scripted(["one\ntwo", "three"])
    assert asyncio.run(model.complete("A:", stop=["\n"])).text == "one"
    assert asyncio.run(model.complete("B:")).text == "three"
    assert model.prompts == ["A:", "B:"]


def test_a_script_that_has_run_out_says_so() -> None:
    model = Scripted(["only one"])
    asyncio.run(model.complete("A:"))
    with pytest.raises(ModelError, match=r"no more answers \(it had 1\).*B:"):
        asyncio.run(model.complete("B:"))


def test_a_scripted_call_is_read_as_a_call() -> None:
    model = Scripted(['{"name": "pick", "arguments": {"thing": "cup"}}', "no call"])
    pick = {"name": "pick", "parameters": {"type": "object", "properties": {}}}
    assert asyncio.run(model.chat([Turn("user", "go")], tools=[pick])).calls == (Call("pick", {"thing": "cup"}),)
    with pytest.raises(ModelRefused):
        asyncio.run(model.chat([Turn("user", "go")], tools=[pick]))


def test_scores_come_from_the_script() -> None:
    model = Scripted(scores={"a": -1.0, "b": -2.0})
    assert asyncio.run(model.score("?", ["b", "a"])).values == (-2.0, -1.0)
    with pytest.raises(ModelError, match="'c'"):
        asyncio.run(model.score("?", ["c"]))


def test_every_answer_is_recorded_under_its_role_and_heard_as_it_comes() -> None:
    calls: list[ModelCall] = []
    heard: list[tuple[str, str]] = []
    own: list[str] = []
    model = Recorded(
        Scripted(["pick up", "all is well"], scores={"a": -1.0}), calls.append, lambda *it: heard.append(it)
    )
    planner, reader = model.as_role("planner"), model.as_role("reader")
    asyncio.run(planner.complete("one two three", listener=own.append))
    asyncio.run(reader.chat([Turn("user", "hi")]))
    asyncio.run(planner.score("?", ["a"]))
    assert [(call.role, call.model, call.prompt, call.generated) for call in calls] == [
        ("planner", "scripted", 3, 2),
        ("reader", "scripted", 2, 3),
        ("planner", "scripted", 0, 0),
    ]
    assert heard[:2] == [("planner", ""), ("planner", "pick")]
    assert heard[-1] == ("planner", "")  # a call has begun, though nothing is said in it
    assert "".join(piece for role, piece in heard if role == "reader") == "all is well"
    assert "".join(own) == "pick up"


def test_a_call_that_fails_leaves_no_record() -> None:
    calls: list[ModelCall] = []
    with pytest.raises(ModelError):
        asyncio.run(Recorded(Scripted([]), calls.append).complete("?"))
    assert calls == []


def test_words_that_utf8_cannot_hold_are_made_writable() -> None:
    heard: list[str] = []
    script = ["caf\udce9", '{"name": "pick", "arguments": {"thing": "\udce9", "many": ["\udce9", 1]}}']
    model = Recorded(Scripted(script), lambda _: None, lambda _, piece: heard.append(piece))
    assert asyncio.run(model.complete("?")).text == "".join(heard) == "caf?"
    pick = {"name": "pick", "parameters": {"type": "object", "properties": {}}}
    called = asyncio.run(model.chat([Turn("user", "go")], tools=[pick])).calls
    assert called == (Call("pick", {"thing": "?", "many": ["?", 1]}),)
