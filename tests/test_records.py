from __future__ import annotations

import dataclasses
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkaloud.records import Answer, Begin, Decision, ModelCall, Record, Request, Speaker
from thinkaloud.serialization import RECORD_KINDS, from_data, record_kind, to_data

# JSON has no NaN and no infinity; skills refuse them.
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", RECORD_KINDS)
@settings(max_examples=25)
@given(data=st.data())
def test_every_record_survives_json(kind: str, data: st.DataObject) -> None:
    record: Record = data.draw(st.from_type(RECORD_KINDS[kind]))
    text = msgspec.json.encode(to_data(record))
    again = from_data(kind, msgspec.json.decode(text))
    assert again == record
    assert record_kind(again) == kind
    assert msgspec.json.encode(to_data(again)) == text


def test_every_kind_of_record_has_a_name_of_its_own() -> None:
    assert len(RECORD_KINDS) == len(get_args(Record))
    assert set(get_args(Decision)) <= set(RECORD_KINDS.values())


@pytest.mark.parametrize("kind", RECORD_KINDS)
def test_records_are_frozen_and_say_what_they_are(kind: str) -> None:
    assert RECORD_KINDS[kind].__dataclass_params__.frozen
    assert RECORD_KINDS[kind].__doc__


@pytest.mark.parametrize("kind", RECORD_KINDS)
def test_no_field_is_named_like_what_an_event_adds(kind: str) -> None:
    assert not {"index", "at", "kind"} & {field.name for field in dataclasses.fields(RECORD_KINDS[kind])}


def test_measurements_are_left_out_on_demand() -> None:
    call = ModelCall("plan", "embedded", 10, 2, evaluated=10, cached=0, seconds=0.3)
    assert to_data(call, measurements=False) == {"role": "plan", "model": "embedded", "prompt": 10, "generated": 2}
    assert to_data(call)["seconds"] == 0.3


def test_a_record_without_its_measurements_can_be_read_again() -> None:
    call = ModelCall("plan", "embedded", 10, 2, seconds=0.3)
    assert from_data("modelcall", to_data(call, measurements=False)) == dataclasses.replace(call, seconds=0.0)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("request", {}),
        ("request", {"text": 3}),
        ("request", {"text": None}),
        ("ask", {"questions": "which one?"}),
        ("end", {"result": "splendid", "because": "x"}),
        ("verdict", {"step": {"skill": "x", "arguments": {}, "words": ""}, "ok": True, "level": "middling"}),
        ("outcome", {"step": {"skill": "x", "arguments": {"y": [1]}, "words": ""}, "ending": "failed"}),
        ("begin", {"world": "w", "preset": "p", "model": "m", "seed": "7"}),
    ],
)
def test_data_of_the_wrong_shape_is_refused(kind: str, data: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        from_data(kind, data)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="Unknown kind of record 'dream'"):
        from_data("dream", {})


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match="A request has no field mood, tone"):
        from_data("request", {"text": "Tidy up.", "tone": "kind", "mood": "good"})


def test_equal_records_are_equal_whatever_the_order_of_their_mappings() -> None:
    assert Begin("w", "p", "m", 1, {"a": "1", "b": "2"}) == Begin("w", "p", "m", 1, {"b": "2", "a": "1"})


def test_who_speaks_is_written_down_only_where_it_is_known() -> None:
    anna = Speaker("Anna", "nurse")
    assert to_data(Request("Tea, please.")) == {"text": "Tea, please.", "attended": True}
    written = to_data(Answer("yes", anna))
    assert written == {"text": "yes", "by": {"name": "Anna", "role": "nurse"}}
    assert from_data("answer", written) == Answer("yes", anna)
