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

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from thinkaloud.errors import Unparseable
from thinkaloud.language.calls import read_call, read_step, render_skill_call
from thinkaloud.methods.inner_monologue.planner import PROMPTS
from thinkaloud.models import Model, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
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
from thinkaloud.skills import Vocabulary
from thinkaloud.worlds import World

_STOP, _ROBOT, _ACTION = "robot.stop()", "robot.", "Robot action:"
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
        prompt = shown + "\n".join([*self._lines(monologue), _ACTION])
        calls = self._calls(scene.vocabulary)
        root = gbnf.sequence(gbnf.literal(" "), gbnf.one_of([*calls, _STOP]))
        said = await self.model.complete(prompt, stop=("\n",), grammar=gbnf.grammar(root), most=_MOST_TOKENS)
        text = said.text.strip()
        if text == _STOP:
            return Done("the planner has no further action")
        return Plan(request.text, (), (self._read(text, scene.vocabulary),), verbatim=text)

    def _read(self, text: str, vocabulary: Vocabulary) -> Step:
        if not text.startswith(_ROBOT):
            raise Unparseable(f'{text!r} is no action such as robot.pick_place("apple", "plate").', f"{_ACTION} {text}")
        try:
            return read_step(read_call(text.removeprefix(_ROBOT)), self.world.skills, vocabulary)
        except Unparseable as error:
            raise Unparseable(str(error), f"{_ACTION} {text}") from None

    def _calls(self, vocabulary: Vocabulary) -> list[str]:
        """Return what can be done with what is seen."""
        return [
            _ROBOT + render_skill_call(skill, call)
            for skill in self.world.skills.values()
            for call in skill.signature.calls(vocabulary)
        ]

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
                said = [f"{_ACTION} {_ROBOT}{call(step)}"]
            case Outcome(_, "failed", report):
                said = [f"Scene: That was not possible. {report}"]
            case Verdict(ok=ok) if feedback != "object":
                said = [f"Successful action: {ok}"]
            case Observation() as scene if feedback != "success" or not told:
                said = _scene(scene)
                told = True
            case Refusal(_, words, why):
                said = [*words.splitlines(), f"Scene: That is not possible. {why}"]
            case _:
                pass
        lines += [(event.index, line) for line in said]
    return lines


def _scene(scene: Observation) -> list[str]:
    """Return what is visible, what no longer is, and what is where it was put (appendix A.2, for sorting)."""
    lines = [
        f"Scene: Visible objects are {_listed(scene.objects)}",
        f"Scene: Occluded objects are {_listed(scene.hidden)}",
    ]
    put = [] if scene.state is None else [str(next(iter(c.arguments.values()))) for c in scene.state.relations]
    return [*lines, f"Scene: Moved objects are {_listed(dict.fromkeys(put))}"] if put else lines


def _listed(names: Iterable[str]) -> str:
    return json.dumps(list(names), ensure_ascii=False)
