"""The preset `itp`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from thinkaloud.errors import BadInput
from thinkaloud.execute.mind_step import SpeakAndNote
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.methods.itp.executor import PROMPTS, CallForm, Executor
from thinkaloud.methods.itp.order_check import NoOrderCheck, OrderCheck
from thinkaloud.methods.itp.planner import InteractiveTaskPlanning
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.presets import Preset
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds import World


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """A planner for the list of steps, an executor that turns each into calls, and the check of what was ordered."""
    if guidelines is None:
        raise BadInput(
            f"itp needs task guidelines, and the world {world.name!r} has none of its own: give --guidelines FILE."
        )
    prompts = PROMPTS.open(options.get(PROMPTS_OPTION, ""))
    executor = Executor(model.as_role("executor"), world, cast(CallForm, options["executor"]), prompts)
    checks = options["check"] == "on"
    check = OrderCheck(model.as_role("listener"), world, guidelines) if checks else NoOrderCheck()
    return Mind(
        perceive=WatchProgress(world),
        plan=InteractiveTaskPlanning(model.as_role("planner"), executor, world, guidelines, check, prompts),
        execute=SpeakAndNote(CallSkill(world)),
        verify=DetectSuccess(world),
    )


ITP = Preset(
    "itp",
    "a list of steps from task guidelines, each step turned into calls; replans for new requests (Li et al., 2023)",
    _build,
    {"executor": ("text", "tools"), "check": ("on", "off")},
    Limits(steps=150, plans=300),
    guided=True,
    prompts=PROMPTS,
)
