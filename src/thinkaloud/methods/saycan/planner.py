"""SayCan's planner: the model's likelihood for the next step, times how likely the step is to work.

The model says what would be useful, the robot's value functions say what is possible, and the product decides. Steps
with the value 0 are not scored, because they could not win. As in the paper, likelihoods are those of whole phrases,
not per word.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkaloud.errors import ModelRefused
from thinkaloud.methods.saycan.dialogue import CONTINUE_PREFIX, DONE_PHRASES, Dialogue, phrase
from thinkaloud.methods.saycan.scene_questions import QuestionChooser
from thinkaloud.models import Model, PromptForm, Prompts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.affordances import valued_steps
from thinkaloud.records import Decision, Done, Plan, Step
from thinkaloud.worlds import World

DONE_VALUE = 0.2
"""The value of being done: a constant, because no policy knows it; small, so that possible steps come first."""

PROMPTS = PromptForm("thinkaloud.methods.saycan")
PLANNER, ASKING = "planner", "planner that asks"


@dataclass(frozen=True)
class Weighed:
    """A possible next step (None means done), its log-likelihood according to the model, and its value."""

    words: str
    step: Step | None
    score: float
    value: float

    @property
    def worth(self) -> float:
        """The logarithm of likelihood times value."""
        return self.score + math.log(self.value)


@dataclass
class SayCan:
    """Chooses one step at a time. With `asking`, it may ask after each one."""

    model: Model
    world: World
    dialogue: Dialogue
    asking: QuestionChooser | None = None
    prompts: Prompts = field(default_factory=PROMPTS.open)

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the next step, a question, or Done."""
        request, scene = monologue.situation()
        part = ASKING if self.dialogue.asks else PLANNER
        prompt = self.prompts.introduce(self.model, part, (self.dialogue.feedback,)) + self.dialogue.lines(monologue)
        if self.asking is not None and self.dialogue.is_undecided(monologue):
            if (question := await self.asking.choose(prompt, monologue)) is not None:
                return question
            prompt += f"{CONTINUE_PREFIX}\n{_count(prompt) + 1}."
        steps = valued_steps(self.world, scene, " ".join(monologue.heard()))
        options = [(phrase(each.step), each.step, each.value) for each in steps]
        weighed = await self._weigh(prompt, [*options, *((words, None, DONE_VALUE) for words in DONE_PHRASES)])
        best = weighed[0]
        if best.worth == -math.inf:
            return Done("nothing that can be done here has any likelihood by the model, so I do nothing", "gave up")
        if best.step is None:
            return Done("the planner says so")
        return Plan(request.text, (), (best.step,), _render_weighed(weighed))

    async def _weigh(self, prompt: str, options: Sequence[tuple[str, Step | None, float]]) -> list[Weighed]:
        """Return all candidates, best first; among equals, the one offered first."""
        worth = [value for _, _, value in options]
        scores = await self.model.score(prompt, [f" {words}" for words, _, _ in options], worth=worth)
        if len(scores.values) != len(options) or any(math.isnan(each) or each > 0.5 for each in scores.values):
            raise ModelRefused(f"{self.model.name} gave scores that are no log-likelihoods; use another model.")
        weighed = [Weighed(*option[:2], score, option[2]) for option, score in zip(options, scores.values, strict=True)]
        return sorted(weighed, key=lambda each: -each.worth)


def _count(prompt: str) -> int:
    """Return the number of the step that the prompt ends with."""
    return int(prompt.rpartition("\n")[2].removeprefix("Robot: ").partition(".")[0])


def _render_weighed(weighed: Sequence[Weighed]) -> str:
    """Say why the best candidate won, and what came second; for the others the model gives only upper bounds."""
    best, *others = weighed
    next_best = f"; before: {others[0].words}" if others else ""
    return f"{best.words}: useful {math.exp(best.score):.2g} x possible {best.value:.2f}{next_best}, of {len(weighed)}."
