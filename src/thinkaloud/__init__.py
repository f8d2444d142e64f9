"""thinkaloud: a robot that plans in plain words, checks every step against the world, and says all of it aloud.

    from thinkaloud import Agent, open_model, open_world

Everything a robot builder needs can be imported from here; the modules behind it are loaded when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thinkaloud.agent import Agent as Agent
    from thinkaloud.clock import ManualClock as ManualClock
    from thinkaloud.clock import WallClock as WallClock
    from thinkaloud.converse.inbox import Inbox as Inbox
    from thinkaloud.episode.limits import Limits as Limits
    from thinkaloud.episode.ticks import safe_point as safe_point
    from thinkaloud.episode.ticks import tick as tick
    from thinkaloud.errors import DidNotWork as DidNotWork
    from thinkaloud.errors import SkillError as SkillError
    from thinkaloud.loop import Mind as Mind
    from thinkaloud.models import Model as Model
    from thinkaloud.models import Scripted as Scripted
    from thinkaloud.models import open_model as open_model
    from thinkaloud.presets import Preset as Preset
    from thinkaloud.presets import open_preset as open_preset
    from thinkaloud.records import Condition as Condition
    from thinkaloud.records import End as End
    from thinkaloud.records import Observation as Observation
    from thinkaloud.records import Plan as Plan
    from thinkaloud.records import Speaker as Speaker
    from thinkaloud.remember.journal import Journal as Journal
    from thinkaloud.robots import open_world as open_world
    from thinkaloud.skills import Amount as Amount
    from thinkaloud.skills import Kind as Kind
    from thinkaloud.skills import measure as measure
    from thinkaloud.skills import measures_of as measures_of
    from thinkaloud.skills import relation as relation
    from thinkaloud.skills import relations_of as relations_of
    from thinkaloud.skills import skill as skill
    from thinkaloud.skills import skills_of as skills_of
    from thinkaloud.skills.self_repair import may_fix as may_fix
    from thinkaloud.worlds import World as World
    from thinkaloud.worlds.contract import Briefing as Briefing

__version__ = "0.1.0"

_HOMES = {
    "Agent": "agent",
    "Amount": "skills",
    "Briefing": "worlds.contract",
    "Condition": "records",
    "End": "records",
    "Inbox": "converse.inbox",
    "Journal": "remember.journal",
    "Kind": "skills",
    "Limits": "episode.limits",
    "ManualClock": "clock",
    "Mind": "loop",
    "Model": "models",
    "Observation": "records",
    "Plan": "records",
    "Preset": "presets",
    "Scripted": "models",
    "DidNotWork": "errors",
    "SkillError": "errors",
    "Speaker": "records",
    "WallClock": "clock",
    "World": "worlds",
    "may_fix": "skills.self_repair",
    "measure": "skills",
    "measures_of": "skills",
    "open_model": "models",
    "open_preset": "presets",
    "open_world": "robots",
    "relation": "skills",
    "relations_of": "skills",
    "safe_point": "episode.ticks",
    "skill": "skills",
    "skills_of": "skills",
    "tick": "episode.ticks",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'thinkaloud' has no attribute {name!r}")
    return getattr(importlib.import_module(f"thinkaloud.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
