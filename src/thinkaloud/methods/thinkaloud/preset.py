"""The preset `thinkaloud`: all the parts; each can be left out, to see what it contributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from thinkaloud.correct.retry import TryAgain
from thinkaloud.critique.precondition_check import PreconditionCritic
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.methods.thinkaloud.beliefs import Recall
from thinkaloud.methods.thinkaloud.bounded_rehearsal import BoundedRehearsal
from thinkaloud.methods.thinkaloud.model_proposals import NextStep
from thinkaloud.methods.thinkaloud.planner import FromMeaning
from thinkaloud.methods.thinkaloud.second_looks import looked_at_again
from thinkaloud.methods.thinkaloud.second_thoughts import CarefulReader
from thinkaloud.methods.thinkaloud.speech_steps import Speak, SpokenIsDone
from thinkaloud.methods.thinkaloud.standing_rules import StandingRules
from thinkaloud.models import Recorded
from thinkaloud.perceive.when_to_look import WatchFacts
from thinkaloud.presets import Preset
from thinkaloud.program.switches import SWITCHES
from thinkaloud.rehearse.twin import Twin
from thinkaloud.understand.checking.certainty import threshold_for
from thinkaloud.understand.offering import Asking, Confirm
from thinkaloud.verify.failure_levels import TwoLevels
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Twinned, find_ability
from thinkaloud.worlds.full_world import FullWorld

_LOW_LEVEL_FIXES = 3
"""How many problems of one step are corrected where they occur."""
_ON_OFF = ("on", "off")
_UNMEASURED = (
    "The certainty of the model {model} was not measured, so the robot asks before every action. "
    "Use --confirm never to turn this off, or a larger --preset thinkaloud:accept=… to be asked less often."
)


def _build(world: World, model: Recorded, options: Mapping[str, str], guidelines: Guidelines | None) -> Mind:
    """Understand, search, criticise by rules, rehearse if there is a twin, act, check, correct."""
    whole: World = FullWorld(world)
    if options["again"] == "on":
        whole = looked_at_again(whole)
    without = options["without"].split("+")
    asking = Asking(cast(Confirm, options["confirm"]), _accepted(options))
    reader = CarefulReader(model.as_role("listener"), whole, asking, guidelines, without)
    proposer = NextStep(model.as_role("proposer"), whole) if options["propose"] == "on" else None
    fixes = _LOW_LEVEL_FIXES if options["fix"] == "on" else 0
    rehearses = options["rehearse"] == "on" and find_ability(whole, Twinned) is not None
    return Mind(
        perceive=Recall(WatchFacts(whole), whole),
        understand=reader,
        plan=FromMeaning(whole, proposer, reader.chose),
        execute=Speak(CallSkill(whole, fixes, needs=True), whole),
        critique=PreconditionCritic(whole, careful=False) if options["critique"] == "on" else None,
        rehearse=BoundedRehearsal(Twin(whole, fixes)) if rehearses else None,
        verify=SpokenIsDone(TwoLevels(whole), whole) if options["verify"] == "on" else None,
        correct=TryAgain(2, failed=False, world=whole) if options["correct"] == "on" else None,
        rules=StandingRules(whole),
    )


def _accepted(options: Mapping[str, str]) -> float | None:
    """The share of silent errors that is accepted; None for what was chosen for the model."""
    return None if options["accept"] == "usual" else float(options["accept"])


def _warning(model: str, options: Mapping[str, str]) -> str:
    """Return the notice that the robot will always ask, if no reading by this model is certain enough."""
    always = options["confirm"] == "unsure" and threshold_for(model, _accepted(options)) >= 1
    return _UNMEASURED.format(model=model) if always else ""


THINKALOUD = Preset(
    "thinkaloud",
    "understands first, asks if it is unsure, finds the way by search, checks and corrects (ours)",
    _build,
    {
        "confirm": ("unsure", "never", "always"),
        "accept": ("usual", "0.01", "0.02", "0.05", "0.1", "0.15", "0.2", "0.5"),
        "critique": _ON_OFF,
        "rehearse": _ON_OFF,
        "verify": _ON_OFF,
        "correct": _ON_OFF,
        "fix": _ON_OFF,
        "propose": _ON_OFF,
        "again": _ON_OFF,
        "without": ("none", *sorted(SWITCHES)),
    },
    Limits(steps=60),
    guided=True,
    looks=True,
    understands=True,
    several=frozenset({"without"}),
    warning=_warning,
)
