"""Episode files of MultiTalk: what is read, and what is said about what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.errors import BadInput
from thinkaloud_bench import BENCHES
from thinkaloud_bench.multitalk.episodes import At, AtRest
from thinkaloud_bench.multitalk.reading import read_requests

SCENE = {
    "object": [
        {"name": "soup can", "kind": "soup can", "x": 0.3, "y": 0.4},
        {"name": "mustard bottle", "kind": "mustard bottle", "x": 0.3, "y": -0.2},
    ]
}
AT: dict[str, Any] = {"type": "at", "objects": ["soup can"], "x": 0.3, "y": -0.4}
PLAIN: dict[str, Any] = {"request": "Move the soup can to (0.30, -0.40).", "scene": SCENE, "goal": [AT]}


def test_an_episode_is_read_with_what_is_left_out() -> None:
    asked = {"preferences": {"place": "At (0.30, -0.40)."}, "needed": ["place"], "seed": 7, "id": "mine"}
    first, second = read_requests(json.dumps([{**PLAIN, **asked}, PLAIN]))
    assert (first.id, first.seed, first.needed) == ("mine", 7, ("place",))
    assert first.goal == (At(("soup can",), 0.3, -0.4), AtRest())
    assert first.names == ("soup can", "mustard bottle")
    assert (second.id, second.task, second.feasible) == ("2", "file", True)


def test_a_scene_may_be_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('[[object]]\nname = "soup can"\nx = 0.3\ny = 0.4\n')
    episodes = [{**PLAIN, "scene": "table.toml"}]
    path = tmp_path / "episodes.json"
    path.write_text(json.dumps(episodes))
    bench = BENCHES["multitalk"]
    assert bench.read is not None
    found = bench.read(path.read_bytes(), str(path))
    assert [episode.names for episode in found["file"]] == [("soup can",)]


def test_what_cannot_be_done_has_no_goal() -> None:
    episode = {"request": "Put it on the moon.", "scene": SCENE, "feasible": False, "why": "it is too far"}
    assert read_requests(json.dumps([episode]))[0].goal == ()


WRONG = {
    "has to have a field 'scene'": {"request": "Go.", "goal": [AT]},
    "has no field 'prefrences'; did you mean 'preferences'?": {**PLAIN, "prefrences": {}},
    "'request' has to be a text that is not empty": {**PLAIN, "request": " "},
    "there is no topic \"placce\" (did you mean 'place'?)": {**PLAIN, "preferences": {"placce": "There."}},
    "'object' has to be asked for, so 'preferences' has to say": {**PLAIN, "needed": ["object"]},
    "there is no 'soup cann' in the scene (did you mean 'soup can'?)": {
        **PLAIN,
        "goal": [{**AT, "objects": ["soup cann"]}],
    },
    "condition 1 of the goal has no 'type' that is known (did you mean 'lined'?)": {
        **PLAIN,
        "goal": [{"type": "line", "objects": ["soup can"]}],
    },
    "condition 1 of the goal: Expected `float`": {**PLAIN, "goal": [{**AT, "x": "far"}]},
    "condition 1 of the goal has no field 'object'; did you mean 'objects'?": {
        **PLAIN,
        "goal": [{"type": "at", "object": ["soup can"], "x": 0.3, "y": 0.1}],
    },
    "an episode has either a 'goal' or 'feasible': false": {**PLAIN, "feasible": False},
    "a thing cannot be interchanged with itself": {
        **PLAIN,
        "goal": [{"type": "swapped", "first": "soup can", "second": "soup can"}],
    },
    "has at least two objects, each once": {
        **PLAIN,
        "goal": [{"type": "lined", "objects": ["soup can"], "axis": "x"}],
    },
    "'seed' has to be a whole number": {**PLAIN, "seed": -1},
    "there is no kind 'sofa'": {**PLAIN, "scene": {"object": [{"name": "sofa", "x": 0.3, "y": 0.4}]}},
    "'scene' has to be an object, the text of a scene or its path, not a list": {**PLAIN, "scene": []},
    "nowhere.toml cannot be read": {**PLAIN, "scene": "nowhere.toml"},
}


@pytest.mark.parametrize(("problem", "episode"), WRONG.items(), ids=range(len(WRONG)))
def test_what_is_wrong_is_said_with_its_place(problem: str, episode: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as error:
        read_requests(json.dumps([PLAIN, episode]), "mine.json")
    assert str(error.value).startswith("mine.json: episode 2: ")
    assert problem in str(error.value)


def test_what_is_no_text_is_refused() -> None:
    bench = BENCHES["multitalk"]
    assert bench.read is not None
    with pytest.raises(BadInput, match="is not a text file"):
        bench.read(b"\xff\xfe\x00", "mine.bin")
