"""The preset `multitalk`; each of its partners in dialogue can be left out."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.critique import Critic
from thinkaloud.critique.precondition_check import PreconditionCritic
from thinkaloud.critique.several_critics import SeveralCritics
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.methods.multitalk.analyzer import Analyzer
from thinkaloud.methods.multitalk.planner import MultiTalk
from thinkaloud.methods.multitalk.prompt import PROMPTS
from thinkaloud.models import PROMPTS_OPTION, Recorded
from thinkaloud.perceive.when_to_look import ScanOnOrder
from thinkaloud.presets import Preset
from thinkaloud.rehearse.twin import Twin
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds import World


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """A plan is criticised by the analyzer, approved by the person if required, and rehearsed in a twin."""
    asks, looks = options["human"] == "on", options["rescan"] == "on"
    prompts = PROMPTS.open(options.get(PROMPTS_OPTION, ""))
    critics = list[Critic]()
    if options["analyzer"] in ("both", "rules"):
        critics.append(PreconditionCritic(world))
    if options["analyzer"] in ("both", "model"):
        critics.append(Analyzer(model.as_role("analyzer"), world, asks=asks, prompts=prompts))
    return Mind(
        perceive=ScanOnOrder(world),
        plan=MultiTalk(model.as_role("planner"), world, asks=asks, looks=looks, prompts=prompts),
        execute=CallSkill(world),
        critique=SeveralCritics(*critics) if critics else None,
        rehearse=Twin(world) if options["simulator"] == "on" else None,
        verify=DetectSuccess(world),
        approved=asks and options["approval"] == "on",
    )


MULTITALK = Preset(
    "multitalk",
    "a whole plan, or questions first; criticised and rehearsed before any motion (Devarakonda et al., 2024)",
    _build,
    {"analyzer": ("model", "both", "rules", "off"), "simulator": ("on", "off"), "human": ("on", "off")}
    | {"rescan": ("on", "off"), "approval": ("off", "on")},
    Limits(steps=60, revisions=6, looks=2, questions=4),
    looks=True,
    prompts=PROMPTS,
)
