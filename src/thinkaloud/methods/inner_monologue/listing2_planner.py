"""Inner Monologue's planner in the form of the paper's Listing 2: what is visible, what is occluded, and calls.

    Task: Stack all the blocks.
    Scene: Visible objects are ["brown block", "purple block"]
    Scene: Occluded objects are []
    Robot action: robot.pick_place("brown block", "purple block")
    Successful action: True

For worlds in which steps are written as calls. The examples are our own, as each variant of the feedback would have
seen them (`prompts.txt`). The model must know categories ("sort the fruits from the bottles") by itself: the code has
none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from thinkaloud.language.calls import render_skill_call
from thinkaloud.methods.inner_monologue.planner import PROMPTS
from thinkaloud.models import Model, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.call_lines import ACTION, ROBOT, STOP, calls_with, read_call_line, render_visible
from thinkaloud.plan.transcript import Feedback
from thinkaloud.records import (
    Answer,
    Ask,
    Decision,
    Done,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Request,
    Started,
    Step,
    Verdict,
)
from thinkaloud.worlds import World

_MOST_TOKENS = 120
CALLS_PART = "planner in calls"
"""The part of the prompts with examples in calls."""


@dataclass
class CallingMonologue:
    """Thinks one step ahead, in calls."""

    model: Model
    world: World
    feedback: Feedback = "object+success"
    prompts: Prompts = field(default_factory=PROMPTS.open)

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the next step, or Done."""
        request, scene = monologue.situation()
        shown = self.prompts.introduce(self.model, CALLS_PART, (self.feedback,))
        prompt = shown + "\n".join([*self._lines(monologue), ACTION])
        calls = calls_with(self.world.skills, scene.vocabulary)
        root = gbnf.sequence(gbnf.literal(" "), gbnf.one_of([*calls, STOP]))
        said = await self.model.complete(prompt, stop=("\n",), grammar=gbnf.grammar(root), most=_MOST_TOKENS)
        text = said.text.strip()
        if text == STOP:
            return Done("the planner has no further action")
        return Plan(request.text, (), (read_call_line(text, self.world.skills, scene.vocabulary),), verbatim=text)

    def _lines(self, monologue: Monologue) -> list[str]:
        """Return everything so far, one line each; lines are only ever added at the end."""

        def call(step: Step) -> str:
            return render_skill_call(self.world.skills[step.skill], step.arguments)

        return [line for _, line in worded_as_calls(monologue, self.feedback, call)]


# The prompt -----------------------------------------------------------------------------------------------------------


def worded_as_calls(
    monologue: Monologue, feedback: Feedback, call: Callable[[Step], str] = lambda step: step.words
) -> list[tuple[int, str]]:
    """Return everything so far: each line, and the index of the event that it tells. `call` renders a step."""
    lines: list[tuple[int, str]] = []
    told = False
    for event in monologue:
        said: list[str] = []
        match event.record:
            case Request(text):
                said = [f"Task: {text}"]
                told = False
            case Answer(text):
                said = [f"Human: {text}"]
            case Ask(questions):
                said = [f"Robot ask: {question}" for question in questions]
            case Started(step):
                said = [f"{ACTION} {ROBOT}{call(step)}"]
            case Outcome(_, "failed", report):
                said = [f"Scene: That was not possible. {report}"]
            case Verdict(ok=ok) if feedback != "object":
                said = [f"Successful action: {ok}"]
            case Observation() as scene if feedback != "success" or not told:
                said = render_visible(scene)
                told = True
            case Refusal(_, words, why):
                said = [*words.splitlines(), f"Scene: That is not possible. {why}"]
            case _:
                pass
        lines += [(event.index, line) for line in said]
    return lines
