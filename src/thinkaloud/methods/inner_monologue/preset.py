"""The preset `inner_monologue`, with the feedback of your choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Mind
from thinkaloud.methods.inner_monologue.listing2_planner import CALLS_PART, CallingMonologue, worded_as_calls
from thinkaloud.methods.inner_monologue.planner import PROMPTS, InnerMonologue
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.monologue import Monologue
from thinkaloud.perceive import Perceive
from thinkaloud.perceive.when_to_look import LookAfterEachStep, LookOnce, WatchProgress
from thinkaloud.plan.transcript import Feedback, Transcript
from thinkaloud.presets import Preset
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """Build the method with the chosen feedback; with success feedback alone, it sees the objects once per request.

    If a world writes steps as calls, the prompt is that of the paper's Listing 2, which contains no progress.
    """
    feedback = cast(Feedback, options["feedback"])
    watching: dict[str, Callable[[World], Perceive]] = {"object+scene": WatchProgress, "success": LookOnce}
    by_calls = briefing_of(world).calls and feedback != "object+scene"
    planner = CallingMonologue if by_calls else InnerMonologue
    prompts = PROMPTS.open(options.get(PROMPTS_OPTION, ""), CALLS_PART if by_calls else "planner", (feedback,))
    return Mind(
        perceive=watching.get(feedback, LookAfterEachStep)(world),
        plan=planner(model.as_role("planner"), world, feedback, prompts),
        execute=CallSkill(world),
        verify=None if feedback == "object" else DetectSuccess(world),
        says_when_done=True,
    )


def _worded(monologue: Monologue, options: Mapping[str, str]) -> list[tuple[int, str]]:
    """Return each event in the words of both listings; which of them a prompt has depends on the world."""
    feedback = cast(Feedback, options["feedback"])
    return [*Transcript(feedback).worded(monologue), *worded_as_calls(monologue, feedback)]


INNER_MONOLOGUE = Preset(
    "inner_monologue",
    "the next step from everything said so far, with the feedback of your choice (Huang et al., 2022)",
    _build,
    {"feedback": ("object+scene", "object+success", "object", "success")},
    prompts=PROMPTS,
    worded=_worded,
)
