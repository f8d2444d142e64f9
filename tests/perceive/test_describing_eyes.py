"""Eyes that are a served model: what it says it sees is checked like any answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from thinkaloud.errors import ModelRefused
from thinkaloud.models import ModelSettings, Recorded
from thinkaloud.models.contract import find_eyes
from thinkaloud.models.google import Google
from thinkaloud.models.pictures import two_halves
from thinkaloud.models.scripted import Scripted
from thinkaloud.perceive.describing_eyes import Describing
from thinkaloud.perceive.detector_boxes import DetectingEyes
from thinkaloud.records import ModelCall
from thinkaloud.robots import open_world
from thinkaloud.worlds.vision import open_eyes


def seeing(answer: Callable[[dict[str, Any]], str]) -> Google:
    def reply(request: httpx.Request) -> httpx.Response:
        parts = json.loads(request.content)["contents"][0]["parts"]
        assert parts[0]["inlineData"]["data"].startswith("iVBOR")  # a PNG
        return httpx.Response(200, json={"candidates": [{"content": {"parts": [{"text": answer(parts[1])}]}}]})

    return Google("eyes", ModelSettings(base_url="http://robot.test/v1"), transport=httpx.MockTransport(reply))


def test_a_model_that_sees_finds_what_the_colours_find() -> None:
    world = open_world("tabletop")
    world.reset(3)
    view = world.view()  # type: ignore[attr-defined]
    catalogue = world.appearances()  # type: ignore[attr-defined]
    tall, wide = view.rgb.shape[:2]
    known = open_eyes("camera").look(view, catalogue).sightings
    said = [{"name": "unicorn", "box": [0, 0, 9, 9]}, {"name": known[0].name, "box": [0, 0, 2000, 9]}]
    for each in known:
        left, top, right, bottom = each.box
        box = [left * 1000 / (wide - 1), top * 1000 / (tall - 1), right * 1000 / (wide - 1), bottom * 1000 / (tall - 1)]
        said.append({"name": each.name, "box": box})
    eyes = DetectingEyes(Describing(seeing(lambda _: f"```json\n{json.dumps(said)}\n```")))
    found = eyes.look(view, catalogue)
    assert [(each.name, each.box) for each in found.sightings] == [(each.name, each.box) for each in known]


@pytest.mark.parametrize("words", ["I see a block.", '[{"name": "red block"}]'])
def test_a_description_in_another_form_is_refused(words: str) -> None:
    world = open_world("tabletop")
    world.reset(3)
    with pytest.raises(ModelRefused):
        Describing(seeing(lambda _: words)).detect(world.view(), world.appearances())  # type: ignore[attr-defined]


def test_eyes_are_offered_only_by_a_model_that_looks() -> None:
    assert asyncio.run(find_eyes(Scripted(["red"]))) is None
    assert not Describing(Scripted(["red"])).sees() and Describing(seeing(lambda _: "red")).sees()


def test_what_was_asked_of_a_picture_is_recorded_without_the_picture() -> None:
    calls: list[ModelCall] = []
    kept: list[str] = []
    recorded = Recorded(seeing(lambda _: "A mug."), calls.append, keep=lambda said: kept.append(said.prompt))
    png = two_halves("red", "blue")
    assert asyncio.run(recorded.sees())

    async def ask() -> str:
        return (await recorded.describe(png, "What is there?")).text

    assert asyncio.run(ask()) == "A mug."
    assert len(calls) == 1 and kept == [f"picture of {len(png)} bytes\nWhat is there?"]
