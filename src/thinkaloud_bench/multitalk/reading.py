"""Episode files: scenes, requests and goals written by others. What is wrong with one is said with its file and number.

[{"request": "Give me the soup can.",
  "scene": {"object": [{"name": "soup can", "kind": "soup can", "x": 0.3, "y": 0.4}]},
  "preferences": {"place": "At (0.30, -0.30)."}, "needed": ["place"],
  "goal": [{"type": "at", "objects": ["soup can"], "x": 0.3, "y": -0.3}, {"type": "rest"}]},
 {"request": "Put the soup can at (0.90, 0.10).", "scene": "kitchen.toml", "feasible": false}]

`scene` is a scene of the world franka, or its path from where the file is. Conditions of a goal are `at` (objects, x,
y), `swapped` (first, second), `lined` (objects, axis, ordered), `within` (objects, target), `near` (objects, other),
`region` (objects, low, high) and `rest` (free), which is there whether it is written or not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from thinkaloud.errors import ThinkaloudError
from thinkaloud.untrusted.files import Malformed, expand, read_file
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
from thinkaloud_bench.multitalk.episodes import (
    AXES,
    TOPICS,
    At,
    AtRest,
    InRegion,
    Lined,
    Near,
    Swapped,
    TalkEpisode,
    TalkGoal,
    Topic,
    Within,
    things_of_goal,
)

FILE = "file"
_EPISODE = ("id", "task", "request", "scene", "seed", "preferences", "needed", "goal", "feasible", "why")
_GOALS: Mapping[str, type[msgspec.Struct]] = {
    "at": At,
    "swapped": Swapped,
    "lined": Lined,
    "within": Within,
    "near": Near,
    "region": InRegion,
    "rest": AtRest,
}


def read_requests(text: str, source: str = "episodes", folder: Path | None = None) -> list[TalkEpisode]:
    """Read the text of an episode file; `source` is what errors call it, `folder` is where its paths begin."""
    where = folder or Path()
    return [_episode(each, number, source, where) for number, each in enumerate(read_episode_list(text, source), 1)]


def _episode(data: Any, number: int, source: str, folder: Path) -> TalkEpisode:
    fail = failing_at(f"{source}: episode {number}")
    data = read_fields(data, _EPISODE, "an episode", fail, needed=("request", "scene"))
    identity = data.get("id", number)
    if isinstance(identity, bool) or not isinstance(identity, str | int):
        fail(f"'id' has to be a text or a number, not {name_kind(identity)}")
    seed, feasible = data.get("seed", 0), data.get("feasible", True)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        fail(f"'seed' has to be a whole number, 0 or more, not {shorten(seed)}")
    if not isinstance(feasible, bool):
        fail(f"'feasible' has to be true or false, not {name_kind(feasible)}")
    scene = _scene(data["scene"], folder, fail)
    preferences = _preferences(data.get("preferences", {}), fail)
    episode = TalkEpisode(
        str(identity).strip() or str(number),
        FILE,
        read_text(data["request"], "request", fail),
        scene,
        seed,
        preferences,
        _needed(data.get("needed", []), preferences, fail),
        feasible=feasible,
        why=read_text(data["why"], "why", fail) if data.get("why") else "",
    )
    goal = _goals(data.get("goal", []), episode.names, fail)
    if feasible is not any(not isinstance(each, AtRest) for each in goal):
        fail("an episode has either a 'goal' or 'feasible': false")
    return msgspec.structs.replace(episode, goal=goal if feasible else ())


def _scene(given: Any, folder: Path, fail: Fail) -> dict[str, Any]:
    from thinkaloud_worlds.franka import read_franka_scene

    text = json.dumps(given) if isinstance(given, dict) else ""
    if isinstance(given, str):
        text = given if "\n" in given or given.lstrip()[:1] in ("{", "") else _read(folder / given, fail)
    elif not text:
        fail(f"'scene' has to be an object, the text of a scene or its path, not {name_kind(given)}")
    try:
        scene = read_franka_scene(text, "the scene")
    except ThinkaloudError as error:
        fail(str(error).rstrip("."))
    found: dict[str, Any] = json.loads(scene.to_json())
    return found


def _read(path: Path, fail: Fail) -> str:
    try:
        return read_file(expand(path), "utf-8-sig")
    except Malformed as error:
        fail(f"the scene {path} {error}")


def _preferences(given: Any, fail: Fail) -> dict[Topic, str]:
    if not isinstance(given, dict):
        fail(f"'preferences' has to be an object of topics and answers, not {name_kind(given)}")
    return {_topic(topic, fail): read_text(answer, f"preferences.{topic}", fail) for topic, answer in given.items()}


def _needed(given: Any, preferences: Mapping[Topic, str], fail: Fail) -> tuple[Topic, ...]:
    if not isinstance(given, list):
        fail(f"'needed' has to be a list of topics, not {name_kind(given)}")
    topics = tuple(dict.fromkeys(_topic(each, fail) for each in given))
    for topic in topics:
        if topic not in preferences:
            fail(f"{topic!r} has to be asked for, so 'preferences' has to say what is answered")
    return topics


def _topic(given: Any, fail: Fail) -> Topic:
    found = next((topic for topic in TOPICS if given == topic), None)
    if found is None:
        fail(f"there is no topic {shorten(given)}{render_hint(str(given), TOPICS)}; there is: {', '.join(TOPICS)}")
    return found


def _goals(given: Any, names: tuple[str, ...], fail: Fail) -> tuple[TalkGoal, ...]:
    if not isinstance(given, list):
        fail(f"'goal' has to be a list of conditions, not {name_kind(given)}")
    goals = tuple(_goal(each, number, names, fail) for number, each in enumerate(given, 1))
    return goals if any(isinstance(each, AtRest) for each in goals) else (*goals, AtRest())


def _goal(data: Any, number: int, names: tuple[str, ...], fail: Fail) -> TalkGoal:
    what = f"condition {number} of the goal"
    if not isinstance(data, dict):
        fail(f"{what} has to be an object, not {name_kind(data)}")
    tag = data.get("type")
    if not isinstance(tag, str) or tag not in _GOALS:
        fail(f"{what} has no 'type' that is known{render_hint(str(tag), _GOALS)}; there is: {', '.join(_GOALS)}")
    read_fields(data, ("type", *_GOALS[tag].__struct_fields__), what, fail)
    try:
        goal: TalkGoal = msgspec.convert(data, TalkGoal)
    except msgspec.ValidationError as error:
        fail(f"{what}: {error}")
    for name in things_of_goal(goal):
        if name not in names:
            fail(f"{what}: there is no {name!r} in the scene{render_hint(name, names)}")
    if not isinstance(goal, Swapped | AtRest) and not goal.objects:
        fail(f"{what}: 'objects' is empty")
    if isinstance(goal, Lined) and (len(goal.objects) < 2 or len(goal.objects) != len({*goal.objects})):
        fail(f"{what}: a line along {' or '.join(AXES)} has at least two objects, each once")
    if isinstance(goal, Swapped) and goal.first == goal.second:
        fail(f"{what}: a thing cannot be interchanged with itself")
    return goal
