"""Inner Monologue's planner: the next step from the whole transcript, in the language of the paper's Listing 1.

The model decides what is open, what to do about it and when it is over. If the model supports grammars, its answer is
limited to sentences about the current skills and objects; it is parsed in any case. All feedback variants use this
planner. As in the paper, the variant that is told its progress states a goal first, and thinks before it acts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from thinkaloud.errors import Unparseable
from thinkaloud.language.sentences import (
    MISSING,
    action_grammar,
    condition_grammar,
    read_action,
    read_goal,
    read_missing,
)
from thinkaloud.models import Model, PromptForm, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.transcript import DONE_LINE, NOTHING_LEFT, Feedback, Transcript
from thinkaloud.records import Condition, Decision, Decline, Done, Observation, Plan, Started, Step
from thinkaloud.skills import Vocabulary
from thinkaloud.worlds import World

_T = TypeVar("_T")
_OVER = "the planner has no further action"
_LONGEST = 800  # tokens; the grammar ends a sentence long before, save for a goal of a dozen things with long names
_MOST_CONDITIONS = 12
_THOUGHT = r"[^\n]{1,320}"
PROMPTS = PromptForm("thinkaloud.methods.inner_monologue")
"""What both forms of the planner are shown first."""


@dataclass
class InnerMonologue:
    """Thinks one step ahead. With Scene feedback it states the goal first and a thought before each action."""

    model: Model
    world: World
    feedback: Feedback = "object+scene"
    prompts: Prompts = field(default_factory=PROMPTS.open)

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the goal, the next step, or Done."""
        request, scene = monologue.situation()
        prompt = self._prompt(monologue)
        if self.feedback != "object+scene":
            step = await self._action(prompt, scene.vocabulary)
            return Done(_OVER) if step is None else Plan(request.text, (), (step,))
        goal, thought = monologue.goal(), ""
        if not goal:
            return await self._goal(prompt, request.text, scene)
        if scene.achieved or monologue.in_task(Started):  # there is progress to think about
            thought, step = await self._thought_and_action(prompt, scene.vocabulary)
        else:
            step = await self._action(prompt, scene.vocabulary)
        if step is None:
            return _conclude(goal, scene)
        return Plan(request.text, goal, (step,), thought, verbatim=thought)

    def _prompt(self, monologue: Monologue) -> str:
        shown = self.prompts.introduce(self.model, "planner", (self.feedback,))
        return shown + "\n".join(Transcript(self.feedback).lines(monologue)) + "\n"

    async def _goal(self, prompt: str, request: str, scene: Observation) -> Decision:
        """Return the goal as a list of conditions, or a refusal if something is missing."""
        rules = {"condition": condition_grammar(self.world.relations, scene.vocabulary)}
        listed = gbnf.separated("condition", ", ", most=_MOST_CONDITIONS)
        goal = gbnf.sequence(gbnf.literal("Goal state is ["), listed, gbnf.literal("]."))
        missing = gbnf.sequence(gbnf.literal(MISSING), "[a-z0-9' -]{2,40}", gbnf.literal(" here."))
        grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), gbnf.choice([goal, missing])), rules)

        def read(text: str) -> Decision:
            if (name := read_missing(text, scene.vocabulary)) is not None:
                return Decline(f"There is no {name} here. There is: {', '.join(scene.objects) or 'nothing'}.")
            return Plan(request, read_goal(text, self.world.relations, scene.vocabulary), (), verbatim=text.strip())

        return await self._say("Robot thought:", prompt, grammar, read)

    async def _action(self, prompt: str, vocabulary: Vocabulary) -> Step | None:
        """Return the next step; None if it is over."""
        grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), self._actions(vocabulary)))
        return await self._say("Robot action:", prompt, grammar, lambda text: self._read(text, vocabulary))

    async def _thought_and_action(self, prompt: str, vocabulary: Vocabulary) -> tuple[str, Step | None]:
        acting = gbnf.sequence(_THOUGHT, gbnf.literal("\nRobot action: "), self._actions(vocabulary))
        root = gbnf.sequence(gbnf.literal(" "), gbnf.choice([gbnf.literal(NOTHING_LEFT), acting]))

        def read(text: str) -> tuple[str, Step | None]:
            thought, separator, sentence = text.partition("\nRobot action:")
            if _is(thought, NOTHING_LEFT):  # ignore anything that follows
                return thought.strip(), None
            if not separator:
                raise Unparseable("After the thought comes a line that begins with 'Robot action:'.")
            return thought.strip(), self._read(sentence, vocabulary, thought.strip())

        return await self._say("Robot thought:", prompt, gbnf.grammar(root), read, stop=("\nScene:", "\nHuman:"))

    def _actions(self, vocabulary: Vocabulary) -> str:
        return gbnf.choice([action_grammar(self.world.skills, vocabulary), gbnf.literal(DONE_LINE)])

    def _read(self, text: str, vocabulary: Vocabulary, thought: str = "") -> Step | None:
        return None if _is(text, DONE_LINE) else read_action(text, self.world.skills, vocabulary, reason=thought)

    async def _say(
        self, label: str, prompt: str, grammar: str, read: Callable[[str], _T], stop: tuple[str, ...] = ("\n",)
    ) -> _T:
        said = await self.model.complete(prompt + label, stop=stop, grammar=grammar, most=_LONGEST)
        try:
            return read(said.text)
        except Unparseable as error:
            raise Unparseable(str(error), label + said.text) from None


def _is(text: str, word: str) -> bool:
    return text.strip().rstrip(".").lower() == word.rstrip(".").lower()


def _conclude(goal: Sequence[Condition], scene: Observation) -> Done:
    """Return the result when the model sees nothing left to do: not a success if a condition is known to be false."""
    achieved = {condition.words for condition in scene.achieved or ()}
    if open_ := [condition.words for condition in goal if condition.words not in achieved]:
        return Done(f"{_OVER}, and this is not so: {' '.join(open_)}", "gave up")
    return Done(_OVER)
