"""The preset `progprompt`."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.methods.progprompt.planner import PROMPTS, ProgPrompt
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.presets import Preset
from thinkaloud.verify.failure_levels import TwoLevels
from thinkaloud.worlds import World


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """A program, written once; nothing is checked except its own assertions."""
    return Mind(
        perceive=WatchProgress(world),
        plan=ProgPrompt(model.as_role("planner"), world, prompts=PROMPTS.open(options.get(PROMPTS_OPTION, ""))),
        execute=CallSkill(world),
        verify=TwoLevels(world),  # for the record: the program itself uses only its assertions
    )


PROGPROMPT = Preset(
    "progprompt",
    "a program with assertions and what to do if they fail, written once (Singh et al., 2023)",
    _build,
    limits=Limits(steps=60, plans=60),
    prompts=PROMPTS,
)
