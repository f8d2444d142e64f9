"""The eyes `model:NAME`: a served model that looks at pictures says what it sees, and in which boxes.

    thinkaloud run --eyes model:google:NAME …         any model with `describe`, if a probe has shown that it sees

The model gets the picture and the names of the catalogue. What it says is checked like any answer: names that are not
in the catalogue and boxes outside the picture are left out, and depth decides whether a box can be the thing at all.

Not covered: what these questions cost is not in the journal and does not count towards a request's limits. While it
looks, the robot holds still and hears nothing, for as long as `timeout` allows.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from thinkaloud.errors import BadInput, ModelRefused
from thinkaloud.models.contract import Model, find_eyes
from thinkaloud.models.json_schema import find_misfit
from thinkaloud.models.pictures import as_png
from thinkaloud.models.registry import open_as_set
from thinkaloud.models.tool_calls import json_of
from thinkaloud.perceive.detector_boxes import DetectingEyes, Detection
from thinkaloud.worlds.vision import Appearance, View

_SCALE = 1000
_MOST = 2000
"""Tokens of an answer: twenty for each box."""
_QUESTION = """Which of these things do you see in the picture: {names}?
Answer with a JSON list alone, one entry for each thing that you see, and none for the others:
[{{"name": "…", "box": [left, top, right, bottom]}}]
The numbers run from 0 to 1000, from the left edge to the right one and from the top edge to the bottom one."""
_BOX = {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}
_SEEN = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "box": _BOX},
        "required": ["name", "box"],
    },
}


def open_describing(name: str) -> DetectingEyes:
    """Open the eyes of a model by its name; BadInput if it does not look at pictures."""
    model = open_as_set(name)
    detector = Describing(model)
    if not detector.sees():
        raise BadInput(f"The model {model.name!r} does not look at pictures. Choose other eyes, or another model.")
    return DetectingEyes(detector)


class Describing:
    """A detector that asks a model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def sees(self) -> bool:
        """Whether the model looks at pictures."""

        async def ask() -> bool:
            try:
                return await find_eyes(self._model) is not None
            finally:
                await self._model.close()

        return bool(_wait_for(ask))

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> list[Detection]:
        """Return what the model says it sees of the catalogue."""
        names = [each.name for each in catalogue]
        if not names:
            return []
        tall, wide = view.rgb.shape[:2]
        picture = as_png(view.rgb.astype("uint8").tobytes(), wide, tall)

        async def ask() -> str:
            eyes = await find_eyes(self._model)
            if eyes is None:
                raise BadInput(f"The model {self._model.name!r} does not look at pictures.")
            try:
                asked = _QUESTION.format(names=", ".join(map(json.dumps, names)))
                return (await eyes.describe(picture, asked, most=_MOST)).text
            finally:
                await self._model.close()

        seen = json_of(_wait_for(ask), self._model.name, _MOST)
        if misfit := find_misfit(seen, _SEEN):
            raise ModelRefused(f"{self._model.name} did not say what it sees in the form that was asked for: {misfit}.")
        return [found for each in seen if (found := _detection(each, names, wide, tall)) is not None]


def _detection(said: dict[str, Any], names: Sequence[str], wide: int, tall: int) -> Detection | None:
    left, top, right, bottom = said["box"]
    inside = 0 <= left < right <= _SCALE and 0 <= top < bottom <= _SCALE
    if said["name"] not in names or not inside:
        return None
    across, down = (wide - 1) / _SCALE, (tall - 1) / _SCALE
    box = (round(left * across), round(top * down), round(right * across), round(bottom * down))
    return Detection(said["name"], box)


def _wait_for(ask: Any) -> Any:
    """Wait for an answer in a thread: eyes are asked from inside an event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, ask()).result()
