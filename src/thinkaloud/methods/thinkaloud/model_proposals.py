"""Ask a language model for the next step if no declared effect helps: it reads what was done and what failed.

As in Inner Monologue, it reads the failure's own words ("the lid is closed"). As everywhere, its answer is one call of
the robot's own skills, or nothing.
"""

from __future__ import annotations

import re

from thinkaloud.episode.told_rules import kept_of
from thinkaloud.errors import Unparseable
from thinkaloud.language.calls import call_grammar, read_call, read_step
from thinkaloud.language.name_matching import names_in
from thinkaloud.language.numbers import numbers_in
from thinkaloud.language.words import stem, words_of
from thinkaloud.models import Model, is_fluent
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Answer, Observation, Outcome, Plan, Request, Step, Value, Verdict
from thinkaloud.skills import Skill
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.understand.conversation import all_heard, notes_of
from thinkaloud.understand.prompting.prompt import render_prompt, render_trouble
from thinkaloud.understand.relevant import find_relevant
from thinkaloud.untrusted.text import quoted
from thinkaloud.worlds.contract import World

GIVE_UP = "give_up()"
_PLAIN = re.compile(r"[\w ,.;:!'’%°-]+")
_FEWEST = 3
"""Words of a sentence that asks for a step."""
_MOST_LINES = 12
_EXAMPLE = """\
# A robot tells what it did and what went wrong, and which one call helps.
def unlock(door): "Turn the key of a door."
def open(door): "Open a door."
def ring(): "Ring the bell."
# Wanted: "I will open the cellar door."
# Failed: "Open the cellar door." "The door is locked."
# Next: unlock("cellar door")

def heat(pan): "Heat a pan."
def stir(pan): "Stir what is in a pan."
# Wanted: "I will heat the small pan."
# Failed: "Heat the small pan." "The gas is empty."
# Next: give_up()

"""


class NextStep:
    """Asks a model for one call that may help."""

    def __init__(self, model: Model, world: World) -> None:
        self._model, self._world = model, world

    async def propose(self, work: str, trouble: str, monologue: Monologue) -> Step | None:
        """Return the step that the model proposes; None if it knows none, or its answer is not a call."""
        scene = monologue.last(Observation) or self._world.observe()
        if (told := find_requested_step(trouble, self._world, scene)) is not None:
            return told
        calls = call_grammar(self._world.skills, scene.vocabulary)
        ways = gbnf.choice([calls, gbnf.literal(GIVE_UP)])
        short = self._short(trouble, scene, monologue) if is_fluent(self._model) else None
        begin = gbnf.literal("" if short is None else " ")
        grammar = gbnf.grammar(gbnf.sequence(begin, ways, gbnf.literal("\n")))
        prompt = _EXAMPLE + self._render(work, trouble, monologue) if short is None else short
        answer = await self._model.complete(prompt, stop=("\n",), grammar=grammar, most=80)
        if answer.text.strip() in (GIVE_UP, ""):
            return None
        try:
            step = read_step(read_call(answer.text.strip()), self._world.skills, scene.vocabulary, reason=trouble)
        except Unparseable:
            return None
        return step if _has_known_numbers(step, self._world.skills[step.skill], trouble, monologue) else None

    def _short(self, trouble: str, scene: Observation, monologue: Monologue) -> str | None:
        """Return the prompt for a trained model: the robot, what was said, its program, what went wrong."""
        heard = [each for each in all_heard(monologue) if each.meaning is not None and each.meaning.program]
        if not heard or heard[-1].meaning is None:
            return None
        said = heard[-1]
        about = find_relevant(self._world, scene, [said.text, trouble])
        lexicon = lexicon_of(self._world, scene, notes=notes_of(monologue), kept=kept_of(monologue), about=about)
        prompt = render_prompt(lexicon, (), said.text, explained=False)
        return render_trouble(prompt, heard[-1].meaning.program, trouble)

    def _render(self, work: str, trouble: str, monologue: Monologue) -> str:
        lines = [
            f"def {skill.name}({', '.join(p.name for p in skill.signature.parameters)}): "
            f"{quoted(skill.signature.about.splitlines()[0], 100)}"
            for skill in self._world.skills.values()
        ]
        lines.append(f"# Wanted: {quoted(work)}")
        lines += self._story(monologue)[-_MOST_LINES:]
        lines.append(f"# Failed: {quoted(trouble)}")
        return "\n".join([*lines, "# Next: "])

    def _story(self, monologue: Monologue) -> list[str]:
        """Return what was done for the current request, and the results."""
        told: list[str] = []
        cut = False
        for event in monologue.task():
            match event.record:
                case Outcome(ending=ending) if cut := ending == "interrupted":
                    pass  # somebody spoke; that says nothing about the step
                case Verdict(step, ok) if step.skill not in STEPS and not cut:
                    how = "worked" if ok else "did not work"
                    told.append(f"# It {how}: {quoted(step.words)}")
                case Outcome(step, report=report) if step.skill not in STEPS and report:
                    told.append(f"# Heard: {quoted(report)}")
                case _:
                    pass
        return told


def find_requested_step(trouble: str, world: World, scene: Observation) -> Step | None:
    """Return the step that the robot's own message asks for: "Wait a few minutes and check again." needs no model.

    Only messages in plain sentences on one line count. Anything that may be somebody else's text (code, quotes, a name
    that contains an order) is not followed.
    """
    found: list[Step] = []
    if not _PLAIN.fullmatch(trouble.strip()):
        return None
    for sentence in re.split(r"(?<=[.!;:])\s+", trouble):
        if len(words_of(sentence)) < _FEWEST:
            continue
        first = stem(next(iter(words_of(sentence)), ""))
        for skill in world.skills.values():
            verbs = {stem(skill.name.split("_")[0].lower()), stem(skill.signature.says.split(" ")[0].lower())}
            arguments = _named_in(sentence, skill, scene)
            if first in verbs and arguments is not None:
                found.append(skill.step(arguments, reason=trouble))
    steps = list(dict.fromkeys(step.words for step in found if step.words.rstrip(".") not in trouble))
    return next(step for step in found if step.words == steps[0]) if len(steps) == 1 else None


def _named_in(sentence: str, skill: Skill, scene: Observation) -> dict[str, Value] | None:
    """Return a skill's arguments from a sentence; None if one is missing."""
    given: dict[str, Value] = {}
    for parameter in skill.signature.parameters:
        named = names_in(sentence, scene.vocabulary.get(parameter.kind or "", ()))
        value = named[0] if len(named) == 1 else parameter.default
        if value is None:
            return None
        given[parameter.name] = value
    return given


def _has_known_numbers(step: Step, skill: Skill, trouble: str, monologue: Monologue) -> bool:
    """Whether every number of a proposed step was said, is in a report or an earlier step, or is a default."""
    told = [trouble, *(event.record.text for event in monologue if isinstance(event.record, Request | Answer))]
    known = {number for text in told for number in numbers_in(text).numbers}
    steps = [each for plan in monologue.since(None, Plan) for each in plan.steps]
    known |= {value for each in steps for value in each.arguments.values() if isinstance(value, int | float)}
    defaults = {p.name: p.default for p in skill.signature.parameters}
    numbers = {name: value for name, value in step.arguments.items() if isinstance(value, int | float)}
    return all(
        isinstance(value, bool) or value in known or value == defaults.get(name) for name, value in numbers.items()
    )
