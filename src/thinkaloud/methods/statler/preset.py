"""The presets `statler`, `statler_unified` and `statler_auto`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from thinkaloud.correct.retry import TryAgain
from thinkaloud.execute.mind_step import SpeakAndNote
from thinkaloud.execute.sandbox import Sandbox
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Mind
from thinkaloud.methods.statler.reader_prompt import PROMPTS, READER, SHOWN_EARLIER, StateForm
from thinkaloud.methods.statler.unified_form import UnifiedPlanner
from thinkaloud.methods.statler.writer import Extent, Writer
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.plan.programs.planner import ProgramPlanner
from thinkaloud.presets import Build, Preset
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds import World

_USUAL, _ALL = str(SHOWN_EARLIER), "all"
"""How many earlier queries a reader is shown."""


def _statler(*, examples: bool = True, unified: bool = False) -> Build:
    def build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
        """A reader that writes a program, and a writer that keeps the state."""
        reader, extent = model.as_role("reader"), cast(Extent, options.get("writer", "full"))
        prompts = PROMPTS.open(options.get(PROMPTS_OPTION, ""), READER)
        think, earlier = options.get("think", "yes") == "yes", options.get("earlier", _USUAL)
        shown = None if earlier == _ALL else int(earlier)
        form = StateForm(world, reader, not unified, think, shown, prompts)
        planner = ProgramPlanner(reader, world, Sandbox(), form)
        return Mind(
            perceive=WatchProgress(world),
            plan=UnifiedPlanner(planner) if unified else planner,
            execute=SpeakAndNote(CallSkill(world)),
            verify=DetectSuccess(world),
            correct=TryAgain(),
            remember=Writer(model.as_role("writer"), world, extent, examples, prompts=prompts),
        )

    return build


_READER = {"think": ("yes", "no"), "earlier": (_USUAL, "0", _ALL)}
_WRITER = {"writer": ("full", "delta")}

STATLER = Preset(
    "statler",
    "a program for each query, from a written world state that is kept up to date (Yoneda et al., 2023)",
    _statler(),
    _READER | _WRITER,
    prompts=PROMPTS,
)
STATLER_UNIFIED = Preset(
    "statler_unified",
    "Statler with one model that writes both the program and the next state",
    _statler(unified=True),
    _READER,
    prompts=PROMPTS,
)
STATLER_AUTO = Preset(
    "statler_auto",
    "Statler whose writer gets instructions instead of examples",
    _statler(examples=False),
    _READER | _WRITER,
    prompts=PROMPTS,
)
