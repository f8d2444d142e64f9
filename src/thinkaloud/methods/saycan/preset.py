"""The preset `saycan`, with the feedback of your choice: none is SayCan, the others Inner Monologue in its kitchen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from thinkaloud.converse.automatic_answers import AnswerByLooking
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.methods.saycan.dialogue import Dialogue, SayCanFeedback
from thinkaloud.methods.saycan.planner import ASKING, PLANNER, PROMPTS, SayCan
from thinkaloud.methods.saycan.scene_questions import QuestionChooser
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.monologue import Monologue
from thinkaloud.perceive.when_to_look import LookAfterEachStep
from thinkaloud.presets import Preset
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds import World

_PATIENCE = 300.0
"""Seconds that the robot waits for an answer."""


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """Value functions see after each step; the planner reads what its variant may."""
    feedback, asks = cast(SayCanFeedback, options["feedback"]), options["ask"] != "off"
    planner = model.as_role("planner")
    return Mind(
        perceive=LookAfterEachStep(world),
        plan=SayCan(
            planner,
            world,
            Dialogue(feedback, asks),
            QuestionChooser(planner, int(options["questions"])) if asks else None,
            PROMPTS.open(options.get(PROMPTS_OPTION, ""), ASKING if asks else PLANNER, (feedback,)),
        ),
        execute=CallSkill(world),
        verify=None if feedback == "none" else DetectSuccess(world),
        answer=AnswerByLooking(world) if options["ask"] == "scene" else None,
    )


def _worded(monologue: Monologue, options: Mapping[str, str]) -> list[tuple[int, str]]:
    """Return the feedback of each event as it is written after a step of the dialogue."""
    return Dialogue(cast(SayCanFeedback, options["feedback"])).worded(monologue)


SAYCAN = Preset(
    "saycan",
    "the model's score for a step times how likely it is to work (Ahn et al., 2022); feedback of your choice",
    _build,
    {
        "feedback": ("none", "success", "object+success"),
        "ask": ("off", "person", "scene"),
        "questions": ("3", "1", "5", "10"),
    },
    Limits(steps=20, patience=_PATIENCE),
    looks=True,
    prompts=PROMPTS,
    worded=_worded,
)
