"""The preset `inner_monologue`, with the feedback of your choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from thinkaloud.execute.skill import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Mind
from thinkaloud.methods.inner_monologue.planner import InnerMonologue
from thinkaloud.models import Recorded, is_trained
from thinkaloud.perceive.looking import LookAfterEachStep, WatchProgress, WatchRelations
from thinkaloud.plan.transcript import Feedback
from thinkaloud.presets import Preset
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds import World


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """Object feedback always; success or scene feedback where it is asked for."""
    feedback = cast(Feedback, options["feedback"])
    watch = WatchRelations if is_trained(model) else WatchProgress
    return Mind(
        perceive=watch(world) if feedback == "object+scene" else LookAfterEachStep(world),
        plan=InnerMonologue(model.as_role("planner"), world, feedback),
        execute=CallSkill(world),
        verify=None if feedback == "object" else DetectSuccess(world),
    )


INNER_MONOLOGUE = Preset(
    "inner_monologue",
    "the next step from everything said so far, with the feedback of your choice (Huang et al., 2022)",
    _build,
    {"feedback": ("object+scene", "object+success", "object")},
)
