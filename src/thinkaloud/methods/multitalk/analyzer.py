"""MultiTalk's Analyzer: a second role of the model, which looks for faults in a plan and for missing questions.

It is told the task, the plan, the questions and answers, what is in view and how things are related. It writes one line
of thought, and lists violations by the number of the step, or says that the plan is feasible. It is also told to trust
a planner that repeats its plan; the model decides what follows from that.

Of a plan it sees the actions alone, as in the paper. The planner's reasons say where it means to put something. A model
that reads them takes that for what was asked, and finds every plan right.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from thinkaloud.methods.multitalk.analyzer_examples import ANALYZER, ANALYZER_EXAMPLES
from thinkaloud.methods.multitalk.dialogue_text import (
    FEASIBLE,
    HEADING,
    THOUGHT_LABEL,
    render_action,
    render_environment,
    render_objections,
    render_questions_and_answers,
    render_relations,
)
from thinkaloud.methods.multitalk.prompt import PROMPTS, render_robot_description, thinks
from thinkaloud.models import Model, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.records import Critique, Observation, Plan, Request, Violation
from thinkaloud.worlds import World

_KEPT = 2
"""How many versions of a plan the prompt contains."""
MOST_VIOLATIONS = 4
"""How many violations may be listed at once."""
_END, _LONGEST = "\n\n", 60 * MOST_VIOLATIONS + 120
_THOUGHT = r"[^\n]{3,600}"
_VIOLATION = re.compile(r"^\s*(?:step\s*)?(\d+)\s*[:.)]\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)
_FEASIBLE = re.compile(r"\W*feasible plan", re.IGNORECASE)
_NONE = re.compile(r"\W*(?:no (?:violations?|issues?|problems?)\b|feasible plan)", re.IGNORECASE)
SAME_AS_BEFORE = "The same as before."
"""Marks a plan that the planner repeats."""


@dataclass
class Analyzer:
    """Criticises plans by asking a model."""

    model: Model
    world: World
    asks: bool = True
    """Whether there is a person whom the planner could have asked."""
    prompts: Prompts = field(default_factory=PROMPTS.open)

    async def critique(self, plan: Plan, monologue: Monologue) -> Critique:
        """Return what the model finds wrong."""
        thought = thinks(self.prompts, ANALYZER)
        grammar = verdict_grammar(len(plan.steps), thinks=thought)
        said = await self.model.complete(self.prompt(monologue), grammar=grammar, stop=[_END] * thought, most=_LONGEST)
        return Critique(read_violations(said.text, len(plan.steps)), ANALYZER)

    def prompt(self, monologue: Monologue) -> str:
        """Return rules, examples, the robot, and every version of the plan with its critique, up to the answer."""
        robot = render_robot_description(self.world, asks=self.asks)
        fitting = [example for example in ANALYZER_EXAMPLES if example.fits(self.world.skills)]
        told = "\n".join(render_queries(each.monologue(), each.thoughts) for each in fitting)
        first = self.prompts.introduce(self.model, ANALYZER, (), {"examples": told})
        label = THOUGHT_LABEL if thinks(self.prompts, ANALYZER) else ""
        return first + render_queries(monologue, (), robot, self.prompts) + label


def render_queries(
    monologue: Monologue, thoughts: Sequence[str] = (), robot: str = "", prompts: Prompts | None = None
) -> str:
    """Return the latest plans for the current request that the analyzer was asked about, with its answers.

    `thoughts` are its earlier thoughts, one for each answer, if they are shown.
    """
    words = prompts or PROMPTS.open()
    request = monologue.last(Request)
    task = " ".join(request.text.split()) if request else ""
    lines: list[str] = []
    shown: object = None
    former: list[str] = []
    thought = iter(thoughts)
    mine = [each for each in criticised(monologue) if each[2] is None or ANALYZER in each[2].by.split(", ")]
    for at, plan, critique in mine[-_KEPT:]:
        before = monologue.where(Observation, before=at)
        scene = None if before is None else monologue[before].record
        known = {"robot": robot.rstrip("\n"), "task": task, "objects": "", "semantic_relations": "", "scene": ""}
        if isinstance(scene, Observation):
            objects, relations = render_environment(scene), render_relations(scene)
            known |= {"objects": objects, "semantic_relations": relations}
            if scene != shown:
                known["scene"] = f"Environment:\n{objects}\nRelations: {relations}"
            shown = scene
        actions = [render_action(step) for step in plan.steps]
        numbered = [f"{number}: {action}" for number, action in enumerate(actions, 1)]
        known["plan"] = "\n".join([HEADING, *numbered])
        known["plan or the same"] = f"{HEADING}\n{SAME_AS_BEFORE}" if actions == former else known["plan"]
        known["question_and_answers"] = "\n".join(render_questions_and_answers(monologue, before=at))
        lines += words.text("analyzer query again" if former else "analyzer query", (), known).splitlines()
        former = actions
        if critique is not None:
            told = [f"{THOUGHT_LABEL} {text}" for text in itertools.islice(thought, 1)]
            lines += [*told, *(render_objections(critique) or [FEASIBLE]), ""]
    return "\n".join([*lines, ""])


def criticised(monologue: Monologue) -> Iterator[tuple[int, Plan, Critique | None]]:
    """Return the plans for the current request: where they are, and what was said about them, if anything."""
    events = [e for e in monologue.task() if isinstance(e.record, Plan | Critique)]
    for event, after in itertools.zip_longest(events, events[1:]):
        if isinstance(event.record, Plan) and event.record.steps:
            said = after.record if after is not None else None
            yield event.index, event.record, said if isinstance(said, Critique) else None


def verdict_grammar(steps: int, *, thinks: bool = True) -> str:
    """Return the grammar: the plan is feasible, or violations of its steps; before that a thought, if it thinks."""
    number = gbnf.one_of(str(i) for i in range(1, steps + 1))
    line = gbnf.sequence(number, gbnf.literal(": "), r"[^\n]{8,200}")
    found = gbnf.choice([gbnf.literal(FEASIBLE), gbnf.separated(line, "\n", most=MOST_VIOLATIONS)])
    thought = ['" "', _THOUGHT, gbnf.literal("\n")] * thinks
    return gbnf.grammar(gbnf.sequence(*thought, found, gbnf.literal(_END)))


def read_violations(text: str, steps: int) -> tuple[Violation, ...]:
    """Parse what is wrong with which step; without a step, it is about the whole plan. Thoughts are no verdicts."""
    if any(map(_FEASIBLE.match, text.splitlines())):
        return ()
    found = []
    for number, why in _VIOLATION.findall(text):
        if not _NONE.match(why):
            found.append(Violation(int(number) - 1 if 0 < int(number) <= steps else None, why))
    return tuple(found[:MOST_VIOLATIONS])
