"""Episode files: requests written by others. What is wrong with one is said with its file and episode.

[{"guidelines": "drinks.txt", "request": "I want a boba milk.", "new_request": null, "before_step": null,
  "expect": {"steps": ["take an empty cup to the working area", "add boba to the working cup", …]}},
 {"guidelines": "Options: …\\nInstructions: …", "request": "A passion fruit milk.", "expect": {"declined": true}}]

`guidelines` is a path (from where the file is), the name of guidelines that come with thinkaloud, or the text itself.
With a new request, `expect` is about what is left to do when it comes, before step n: when n steps are finished. The
order of steps is free only among neighbours that are the same sentence with another material. `world` and `scene` may
be given; else a person carries out the steps, or the robot whose own guidelines these are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from thinkaloud.errors import ThinkaloudError
from thinkaloud.guidelines import Guidelines, load_guidelines, read_guidelines, shipped_text
from thinkaloud.robots import open_world
from thinkaloud.untrusted.files import Malformed, expand, read_file
from thinkaloud.worlds import WORLDS
from thinkaloud_bench.episode_files import (
    Fail,
    failing_at,
    name_kind,
    read_episode_list,
    read_fields,
    read_text,
    render_hint,
    shorten,
)
from thinkaloud_bench.itp.episodes import OrderEpisode

ORDER_FIELDS = ("id", "guidelines", "request", "new_request", "before_step", "expect", "world", "scene")
EXPECT_FIELDS = ("steps", "declined")
_BY_HAND = "by_hand"
_ROBOTS = {"drinks": "drinks", "dishwashing": "dishwasher"}
"""The worlds whose own guidelines come with thinkaloud."""
_MOST_STEPS = 200


def read_orders(text: str, source: str = "episodes", folder: Path | None = None) -> list[OrderEpisode]:
    """Read the text of an episode file; `source` is what errors call it, `folder` is where its paths begin."""
    return [
        _episode(each, number, source, folder or Path())
        for number, each in enumerate(read_episode_list(text, source), 1)
    ]


def _episode(data: Any, number: int, source: str, folder: Path) -> OrderEpisode:
    fail = failing_at(f"{source}: episode {number}")
    data = read_fields(data, ORDER_FIELDS, "an episode", fail, needed=("guidelines", "request", "expect"))
    named = data.get("id", number)
    if isinstance(named, bool) or not isinstance(named, str | int):
        fail(f"'id' has to be a text or a number, not {name_kind(named)}")
    guidelines = _guidelines(data["guidelines"], folder, fail)
    request = read_text(data["request"], "request", fail)
    new_request = None if data.get("new_request") is None else read_text(data["new_request"], "new_request", fail)
    before = data.get("before_step")
    if before is not None and (isinstance(before, bool) or not isinstance(before, int) or before < 0):
        fail(f"'before_step' has to be a whole number, 0 or more, or null, not {shorten(before)}")
    if new_request is not None and before is None:
        fail("there is a new_request, so 'before_step' has to say how many steps are finished when it comes")
    if new_request is None and before is not None:
        fail("'before_step' is given, but there is no new_request that could come then")
    steps, declined = _expected(data["expect"], fail)
    world, scene = _world(data, guidelines, folder, fail)
    return OrderEpisode(
        str(named).strip() or str(number),
        guidelines.text,
        request,
        new_request,
        before,
        world,
        scene,
        declined=declined,
        steps=steps,
    )


def _guidelines(given: Any, folder: Path, fail: Fail) -> Guidelines:
    if not isinstance(given, str) or not given.strip():
        fail(f"'guidelines' has to be a path or the text itself, not {shorten(given)}")
    try:
        if "\n" in given.strip():
            return read_guidelines(given, "guidelines")
        path = folder / expand(given)
        return load_guidelines(path if path.exists() else given)
    except (ThinkaloudError, OSError, ValueError) as error:
        fail(f"{str(error).rstrip('.')}")


def _expected(data: Any, fail: Fail) -> tuple[tuple[str, ...], bool]:
    data = read_fields(data, EXPECT_FIELDS, "'expect'", fail)
    steps, declined = data.get("steps"), data.get("declined", False)
    if not isinstance(declined, bool):
        fail(f"'declined' has to be true or false, not {name_kind(declined)}")
    if (steps is None) is not declined:
        fail("'expect' has to have either steps or declined: true")
    if declined:
        return (), True
    if not isinstance(steps, list) or not all(isinstance(step, str) and step.strip() for step in steps):
        fail("'steps' has to be a list of texts, none of them empty")
    if not 0 < len(steps) <= _MOST_STEPS:
        fail(f"'steps' has {len(steps)} steps; there have to be 1 to {_MOST_STEPS}")
    return tuple(step.strip() for step in steps), False


def _world(data: Mapping[str, Any], guidelines: Guidelines, folder: Path, fail: Fail) -> tuple[str, str]:
    own = (world for name, world in _ROBOTS.items() if shipped_text(name).strip() == guidelines.text.strip())
    name = data.get("world")
    if name is None:
        name = next(own, _BY_HAND)
    if not isinstance(name, str) or name not in WORLDS:
        fail(f"there is no world {shorten(name)}{render_hint(str(name), WORLDS)}; there is: {', '.join(WORLDS)}")
    scene = _scene(data.get("scene"), folder, fail)
    try:
        open_world(name, scene=scene or None)
    except ThinkaloudError as error:
        fail(str(error).rstrip("."))
    return name, scene


def _scene(given: Any, folder: Path, fail: Fail) -> str:
    if given is None:
        return ""
    if isinstance(given, dict):
        return json.dumps(given, ensure_ascii=False)
    if not isinstance(given, str):
        fail(f"'scene' has to be an object, the text of a scene or its path, not {name_kind(given)}")
    if "\n" in given or given.lstrip()[:1] in ("{", ""):
        return given
    try:
        return read_file(folder / expand(given), "utf-8-sig")
    except Malformed as error:
        fail(f"the scene {given} {error}")
