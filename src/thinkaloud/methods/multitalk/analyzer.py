"""MultiTalk's Analyzer: a second role of the model, which looks for faults in a plan and for what was not asked.

It is told the task, the plan, what was asked and answered, what is in view and how things stand to each other, and
lists violations by the number of the step, or says that the plan is feasible. A planner that sticks to its plan is
trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from thinkaloud.methods.multitalk.analyzer_examples import ANALYZER, ANALYZER_EXAMPLES
from thinkaloud.methods.multitalk.dialogue import (
    FEASIBLE,
    HEADING,
    render_action,
    render_environment,
    render_instructions,
    render_objections,
    render_questions_and_answers,
    render_relations,
)
from thinkaloud.methods.multitalk.short_dialogue import CHECK, render_short_dialogue
from thinkaloud.methods.multitalk.short_verdicts import read_verdict, short_verdict_grammar
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.records import Critique, Observation, Plan, Request, Violation
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import TaskLanguage, TaskSpeaking, find_ability

MOST_VIOLATIONS = 4
"""Violations that are listed at once."""
_END = "\n\n"
_VIOLATION = re.compile(r"^\s*(?:step\s*)?(\d+)\s*[:.)]\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)
_NONE = re.compile(r"\W*(?:no (?:violations?|issues?|problems?)\b|feasible plan)", re.IGNORECASE)
_INTRODUCTION = """\
You look for faults in plans that another one makes for a robot. Say for each faulty step what is wrong with it.
A plan is faulty if an action cannot be done, if it has wrong arguments, if it grasps where no object is, if things
would get into each other's way, if it does not do what the task asks for, or if the planner assumed what only the
person knows (which object, which place) and did not ask. Whether a place is on the table is not for you to say.
Relations: (('a', 'b'), 'on') means that b is on a; so do in and near.
"""


@dataclass
class Analyzer:
    """Criticises plans by asking a model."""

    model: Model
    world: World
    asks: bool = True
    """Whether anybody is there whom the planner could have asked."""

    async def critique(self, plan: Plan, monologue: Monologue) -> Critique:
        """What the model finds wrong; nothing where the planner repeats what was criticised before."""
        if insisted(plan, monologue):
            return Critique(by=ANALYZER)
        speaking = find_ability(self.world, TaskSpeaking)
        if speaking is not None and is_trained(self.model):
            return await self._in_short(monologue, speaking.task_language)
        grammar = verdict_grammar(len(plan.steps))
        said = (
            await self.model.complete(self.prompt(monologue), grammar=grammar, stop=[_END], most=60 * MOST_VIOLATIONS)
        ).text
        return Critique(read_violations(said, len(plan.steps)), ANALYZER)

    async def _in_short(self, monologue: Monologue, language: TaskLanguage) -> Critique:
        """A word about the plan, at the end of the planner's own dialogue, so that nothing is read twice."""
        scene = monologue.last(Observation)
        names = scene.state.objects if scene is not None and scene.state is not None else ()
        prompt = render_short_dialogue(monologue, language, asks=self.asks) + CHECK
        said = (await self.model.complete(prompt, grammar=short_verdict_grammar(names), stop=["\n"], most=40)).text
        return Critique(read_verdict(said), ANALYZER)

    def prompt(self, monologue: Monologue) -> str:
        """Rules, actions, examples, and every version of the plan with what was said to it, up to the answer."""
        actions = [f"- {skill.signature.text()}" for skill in self.world.skills.values()]
        head = [_INTRODUCTION + "Actions:", *actions, ""]
        known = [
            render_queries(example.monologue()) for example in ANALYZER_EXAMPLES if example.fits(self.world.skills)
        ]
        return "\n".join([*head, *known, render_queries(monologue)])


def render_queries(monologue: Monologue) -> str:
    """The plans for the request at hand that the analyzer was asked about, with what it said, up to the latest."""
    request = monologue.last(Request)
    lines = [f"Task: {request.text if request else ''}"]
    shown: object = None
    for at, plan, critique in criticised(monologue):
        if critique is not None and ANALYZER not in critique.by.split(", "):
            continue
        before = monologue.where(Observation, before=at)
        scene = None if before is None else monologue[before].record
        if isinstance(scene, Observation) and scene != shown:
            shown = scene
            lines += ["Environment:", render_environment(scene), f"Relations: {render_relations(scene)}"]
        lines += ["Questions and answers:", *render_questions_and_answers(monologue, before=at)]
        lines += [HEADING, *render_instructions(plan.steps), "Violations:"]
        if critique is not None:
            lines += [*(render_objections(critique) or [FEASIBLE]), ""]
    return "\n".join(lines) + "\n"


def criticised(monologue: Monologue) -> Iterator[tuple[int, Plan, Critique | None]]:
    """The plans for the request at hand: where they are, and what was said to them, if that has been said."""
    events = [e for e in monologue.task() if isinstance(e.record, Plan | Critique)]
    for event, after in zip_longest(events, events[1:]):
        if isinstance(event.record, Plan) and event.record.steps:
            said = after.record if after is not None else None
            yield event.index, event.record, said if isinstance(said, Critique) else None


def insisted(plan: Plan, monologue: Monologue) -> bool:
    """Whether the analyzer has objected to the very same actions before."""
    actions = [render_action(step) for step in plan.steps]
    for _, earlier, critique in criticised(monologue):
        objected = critique is not None and critique.violations and critique.by.split(", ")[-1] == ANALYZER
        if objected and actions == [render_action(step) for step in earlier.steps]:
            return True
    return False


def verdict_grammar(steps: int) -> str:
    """That the plan is feasible, or violations of its steps."""
    number = gbnf.one_of(str(i) for i in range(1, steps + 1))
    line = gbnf.sequence(number, gbnf.literal(": "), r"[^\n]{8,140}")
    found = gbnf.choice([gbnf.literal(FEASIBLE), gbnf.separated(line, "\n", most=MOST_VIOLATIONS)])
    return gbnf.grammar(gbnf.sequence(found, gbnf.literal(_END)))


def read_violations(text: str, steps: int) -> tuple[Violation, ...]:
    """What is wrong with which step; what names no step of the plan is about all of it."""
    if any(_NONE.match(line) for line in text.splitlines()):
        return ()
    found = []
    for number, why in _VIOLATION.findall(text):
        if not _NONE.match(why):
            found.append(Violation(int(number) - 1 if 0 < int(number) <= steps else None, why))
    return tuple(found[:MOST_VIOLATIONS])
