"""The preset `hicrisp`; each of its two levels of correction can be left out."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.methods.hicrisp.expected_states import IntermediateStates
from thinkaloud.methods.hicrisp.planner import PROMPTS, WholePlan
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.presets import Preset
from thinkaloud.worlds import World

_LOW_LEVEL_FIXES = 3
"""How many problems of one step are corrected where they occur."""


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """A whole plan with its states, each compared with what is observed, and corrections on two levels."""
    prompts = PROMPTS.open(options.get(PROMPTS_OPTION, ""))
    corrector = CorrectionStack(model.as_role("corrector"), world, prompts=prompts)
    return Mind(
        perceive=WatchProgress(world),
        plan=WholePlan(model.as_role("planner"), world, prompts=prompts),
        execute=CallSkill(world, fixes=_LOW_LEVEL_FIXES if options["low"] == "on" else 0),
        verify=IntermediateStates(world),
        correct=corrector if options["high"] == "on" else None,
    )


HICRISP = Preset(
    "hicrisp",
    "a whole plan; corrects errors within the step, by predefined fixes, then by a stack (Ming et al., 2023)",
    _build,
    {"low": ("on", "off"), "high": ("on", "off")},
    Limits(steps=120),
    prompts=PROMPTS,
)
