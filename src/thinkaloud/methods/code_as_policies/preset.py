"""The presets `code_as_policies` and `code_as_policies_cot`."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.correct.retry import TryAgain
from thinkaloud.execute.mind_step import SpeakAndNote
from thinkaloud.execute.sandbox import Sandbox
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Mind
from thinkaloud.methods.code_as_policies.conversation import GUIDED_READER, PROMPTS, READER, ConversationForm
from thinkaloud.methods.code_as_policies.guidelines_form import GuidedForm
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.plan.programs.planner import ProgramPlanner
from thinkaloud.plan.programs.program_form import ProgramForm
from thinkaloud.presets import Build, Preset
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds import World


def _code_as_policies(*, states: bool) -> Build:
    def build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
        """Programs without memory: the model knows only the conversation."""
        reader = model.as_role("reader")
        think = options.get("think", "yes") == "yes"
        prompts = PROMPTS.open(options.get(PROMPTS_OPTION, ""), READER if guidelines is None else GUIDED_READER)
        form: ProgramForm = ConversationForm(world, reader, states, think, prompts)
        if guidelines is not None:
            form = GuidedForm(world, guidelines, reader, states, prompts)
        return Mind(
            perceive=WatchProgress(world),
            plan=ProgramPlanner(reader, world, Sandbox(), form),
            execute=SpeakAndNote(CallSkill(world)),
            verify=DetectSuccess(world),
            correct=TryAgain(),
        )

    return build


_THINK = {"think": ("yes", "no")}

CODE_AS_POLICIES = Preset(
    "code_as_policies",
    "a program for each query, from the queries and programs before it; Statler without state",
    _code_as_policies(states=False),
    _THINK,
    guided=True,
    prompts=PROMPTS,
)
CODE_AS_POLICIES_COT = Preset(
    "code_as_policies_cot",
    "the same, but the model works out all states so far before each program",
    _code_as_policies(states=True),
    _THINK,
    guided=True,
    prompts=PROMPTS,
)
