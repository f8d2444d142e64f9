"""What a person can put into a plan: the skills that there are, and what each of their arguments may be here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thinkaloud.records import Step
from thinkaloud.skills import Skill
from thinkaloud.skills.signatures import Parameter, Vocabulary
from thinkaloud.web.messages import ArgumentChoice, EditablePlan, EditedStep, SkillChoice

_MOST_OPTIONS = 500


def tell_editable(steps: Sequence[Step], skills: Mapping[str, Skill], vocabulary: Vocabulary) -> EditablePlan:
    """The steps of a plan, and all that could be a step of it."""
    return EditablePlan(
        tuple(EditedStep(step.skill, dict(step.arguments)) for step in steps),
        tuple(_tell_skill(skill, vocabulary) for skill in skills.values()),
    )


def _tell_skill(skill: Skill, vocabulary: Vocabulary) -> SkillChoice:
    signature = skill.signature
    arguments = tuple(_tell_argument(each, vocabulary) for each in signature.parameters)
    return SkillChoice(skill.name, signature.about, signature.says, arguments)


def _tell_argument(parameter: Parameter, vocabulary: Vocabulary) -> ArgumentChoice:
    options = parameter.options(vocabulary)
    shown = None if options is None else tuple(options[:_MOST_OPTIONS])
    return ArgumentChoice(parameter.name, parameter.about, shown, parameter.type in (int, float), parameter.default)
