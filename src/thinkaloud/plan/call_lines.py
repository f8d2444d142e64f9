"""Lines in the form of Inner Monologue's Listing 2: what is visible, what is occluded, and steps as calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from thinkaloud.errors import Unparseable
from thinkaloud.language.calls import read_call, read_step, render_skill_call
from thinkaloud.records import Observation, Step
from thinkaloud.skills import Skill, Vocabulary

STOP, ROBOT, ACTION = "robot.stop()", "robot.", "Robot action:"


def render_visible(scene: Observation) -> list[str]:
    """Return what is visible, what no longer is, and what is where it was put (appendix A.2, for sorting)."""
    lines = [
        f"Scene: Visible objects are {_listed(scene.objects)}",
        f"Scene: Occluded objects are {_listed(scene.hidden)}",
    ]
    put = [] if scene.state is None else [str(next(iter(c.arguments.values()))) for c in scene.state.relations]
    return [*lines, f"Scene: Moved objects are {_listed(dict.fromkeys(put))}"] if put else lines


def _listed(names: Iterable[str]) -> str:
    return json.dumps(list(names), ensure_ascii=False)


def calls_with(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> list[str]:
    """Return what can be done with what is seen."""
    return [
        ROBOT + render_skill_call(skill, call)
        for skill in skills.values()
        for call in skill.signature.calls(vocabulary)
    ]


def read_call_line(text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary) -> Step:
    """Return the step that a call says."""
    if not text.startswith(ROBOT):
        raise Unparseable(f'{text!r} is no action such as robot.pick_place("apple", "plate").', f"{ACTION} {text}")
    try:
        return read_step(read_call(text.removeprefix(ROBOT)), skills, vocabulary)
    except Unparseable as error:
        raise Unparseable(str(error), f"{ACTION} {text}") from None
