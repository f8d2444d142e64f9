"""The preset `open_loop`."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Mind
from thinkaloud.methods.open_loop.planner import PROMPTS, OpenLoop
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.perceive.when_to_look import LookOnce
from thinkaloud.presets import Preset
from thinkaloud.worlds import World


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """Look once, plan once, act."""
    prompts = PROMPTS.open(options.get(PROMPTS_OPTION, ""))
    return Mind(LookOnce(world), OpenLoop(model.as_role("planner"), world, prompts), CallSkill(world))


OPEN_LOOP = Preset(
    "open_loop", "plans once from the objects seen at the start; nothing is checked", _build, prompts=PROMPTS
)
