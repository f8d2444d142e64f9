"""Jobs to be killed in the middle.

    result = kill_once("franka", "multitalk", seed=3, at="random")
    assert not result.faults

Every preset in the toy world, and two worlds with an arm, by models that read their answers off the prompt alone; all
other worlds by the embedded model, which is asked for the same thing only once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import killed_session
from killing import How, Job, KillResult, kill_job
from memorised_model import Memorised
from recording import TOY_GUIDELINES
from thinkaloud.models import Model, Scripted, open_model
from thinkaloud.presets import PRESETS
from thinkaloud.records import Begin
from thinkaloud.worlds import World, open_world
from thinkaloud.worlds.tabletop import Tabletop
from toy_answers import answer
from toyworld import ToyWorld

CAN = """
object = [{name = "soup can", x = 0.3, y = 0.4}, {name = "mug", x = 0.3, y = -0.4}, {name = "lime", x = 0.1, y = 0.4}]
"""


def _toy(begin: Begin) -> World:
    return ToyWorld()


def _tabletop(begin: Begin) -> World:
    return Tabletop(killed_session.SCENE)


def _toy_answers() -> Scripted:
    return Scripted(answer)


def _tabletop_answers() -> Scripted:
    return Scripted(killed_session.answer)


def _franka_answers() -> Scripted:
    return Scripted(_talks)


def _talks(prompt: str) -> str:
    """A plan in MultiTalk's words: with what is in the hand first, and nothing that has been done already."""
    if not prompt.startswith("You are in command"):
        return "Feasible Plan!\n\n"
    now, asked = prompt.rsplit("\nTask: ", 1)[-1], prompt.rsplit("\n", 1)[-1]
    if asked == "Thought: ":
        return "What: the soup can. Where: each to its place.\n"
    if not asked.rstrip(": ").isdigit():
        return "Step-by-step Instructions:\n"
    lines = ["Put the soup can at (0.30, 0.00)", "Go home"]
    if "In the hand: soup can" not in now:
        lines.insert(0, "Grasp the soup can")
    return f"{lines[int(asked.rstrip(': ')) - 1]}:"


def toy_job(preset: str) -> Job:
    guidelines = TOY_GUIDELINES if preset.startswith("itp") else ""
    return Job(
        "toy", preset, "Put the ball on the shelf.", _toy_answers, open=_toy, guidelines=guidelines, answer="yes"
    )


@cache
def _embedded() -> Model:
    return open_model("embedded")


_said: dict[bytes, Any] = {}


def _remembered() -> Memorised:
    return Memorised(_embedded, _said)


def _first(world: World, kind: str, *, but: str = "") -> str:
    """The first thing of a kind in a scene."""
    known = world.observe().objects
    return next(name for name in known if kind in name and name != but)


def _one_on_another(world: World) -> str:
    block = _first(world, "block")
    return f"Put the {block} on the {_first(world, 'block', but=block)}."


def _one_around_another(world: World) -> str:
    thing = _first(world, "")
    return f"Put the {thing} around the {_first(world, '', but=thing)}."


REQUESTS: dict[str, Callable[[World], str]] = {
    "tabletop": lambda world: f"Put the {_first(world, 'block')} on the {_first(world, 'bowl')}.",
    "pick_and_place": _one_on_another,
    "disinfection": _one_on_another,
    "weight": _one_on_another,
    "around": _one_around_another,
    "drinks": lambda world: "May I have a cup of milk with taro?",
    "dishwasher": lambda world: "Wash the plates.",
    "franka": lambda world: f"Put the {_first(world, '')} at (0.30, 0.00).",
    "warehouse": lambda world: f"Drive to the {_first(world, '')}.",
    "household": lambda world: "Switch on the tv.",
}
"""What is asked for in a world, whatever the seed has put there."""


def job_for(world: str, preset: str, seed: int) -> Job:
    """What is to be killed in a world; `toy` is one, too."""
    if world == "toy":
        return toy_job(preset)
    opened = open_world(world)
    opened.reset(seed)
    return Job(world, preset, REQUESTS[world](opened), _remembered, seed=seed, answer="yes")


def kill_once(world: str, preset: str, seed: int, at: str = "random", *, how: How = "raise") -> KillResult:
    """Kill a run in a world at a moment and resume it: what went wrong. The seed draws the scene, and the moment."""
    return kill_job(job_for(world, preset, seed), at, seed, how=how)


TOY_JOBS = {preset: toy_job(preset) for preset in sorted(PRESETS)}
TABLETOP = Job(
    "tabletop",
    "inner_monologue:feedback=object+success",
    killed_session.REQUEST,
    _tabletop_answers,
    scene=killed_session.SCENE.to_json(),
    open=_tabletop,
)
FRANKA = Job("franka", "multitalk", "Put the soup can at (0.30, 0.00).", _franka_answers, scene=CAN)
