"""Inner Monologue's planner: the next step from the whole transcript, in the language of the paper's Listing 1.

The model decides what is open, what to do about it and when it is over. If the model supports grammars, goals and
actions are limited to sentences about the current skills and objects; they are parsed in any case. All feedback
variants use this planner. As in the paper, the variant that is told its progress states a goal first, and thinks before
it acts. What a person says need not be a task, so the first thought may be any other sentence: with an action after it,
it is a reason; without one, it is what the robot answers. A later thought may state the goal anew.
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
from thinkaloud.plan.transcript import (
    DONE_LINE,
    GOAL,
    IDLE,
    NOTHING_LEFT,
    SAY_PREFIX,
    Feedback,
    Transcript,
)
from thinkaloud.records import Condition, Decision, Decline, Done, Observation, Plan, Started, Step
from thinkaloud.skills import Vocabulary
from thinkaloud.worlds import World

_T = TypeVar("_T")
_OVER = "the planner has no further action"
_LONGEST = 800  # tokens; the grammar ends a sentence long before, save for a goal of a dozen things with long names
_MOST_CONDITIONS = 12
_THEN = "\nRobot action: "
_ELSE = ("\nScene:", "\nHuman:")
"""What comes after a thought and its action."""
_THOUGHT = r"[^\n]{1,320}"
_SAID = r'([^\nG ] | "G" [^\no] | "Go" [^\na]) [^\n]{0,240}'
"""One line in any words and any language; only a goal begins like a goal."""
_ENDS, _CLOSING = ".!?", "\"')"
"""What a sentence ends with, and what may stand after that; scripts other than Latin have other ends, or none."""
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
        """Return the goal, the next step, an answer, or Done."""
        request, scene = monologue.situation()
        prompt = self._prompt(monologue)
        if not monologue.in_task(Plan):
            return await self._reply(prompt, request.text, scene)
        if self.feedback != "object+scene":
            step = await self._action(prompt, scene.vocabulary)
            return Done(_OVER) if step is None else Plan(request.text, (), (step,))
        goal, thought = monologue.goal(), ""
        if scene.achieved or monologue.in_task(Started):  # there is progress to think about
            goal, thought, step = await self._thought_and_action(prompt, goal, scene.vocabulary)
        else:
            step = await self._action(prompt, scene.vocabulary)
        if step is None and goal == monologue.goal():
            return _conclude(goal, scene)
        return Plan(request.text, goal, () if step is None else (step,), thought, verbatim=thought)

    def _prompt(self, monologue: Monologue) -> str:
        shown = self.prompts.introduce(self.model, "planner", (self.feedback,))
        return shown + "\n".join(Transcript(self.feedback).lines(monologue)) + "\n"

    async def _reply(self, prompt: str, request: str, scene: Observation) -> Decision:
        """Return what the model makes of what a person has just said."""
        if self.feedback == "object+scene":
            return await self._first_thought(prompt, request, scene)
        actions = [self._actions(scene.vocabulary), gbnf.sequence(gbnf.literal(SAY_PREFIX), _SAID, gbnf.literal("\n"))]

        def read(text: str) -> Decision:
            if text.strip().startswith(SAY_PREFIX):
                return _answer(text.strip().removeprefix(SAY_PREFIX))
            step = self._read(text, scene.vocabulary)
            return Done(IDLE, "answered") if step is None else Plan(request, (), (step,))

        grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), gbnf.choice(actions)))
        return await self._say("Robot action:", prompt, grammar, read)

    async def _first_thought(self, prompt: str, request: str, scene: Observation) -> Decision:
        """Return the goal, an answer, a refusal because something is missing, or a first step and the reason for it."""
        rules = {"condition": condition_grammar(self.world.relations, scene.vocabulary)}
        listed = gbnf.separated("condition", ", ", most=_MOST_CONDITIONS)
        goal = gbnf.sequence(gbnf.literal(f"{GOAL}["), listed, gbnf.literal("]."))
        missing = gbnf.sequence(gbnf.literal(MISSING), "[a-z0-9' -]{2,40}", gbnf.literal(" here."))
        free = gbnf.sequence(_SAID, gbnf.literal(_THEN), self._actions(scene.vocabulary))
        thoughts = gbnf.choice([goal, missing, gbnf.literal(NOTHING_LEFT), free])

        def read(text: str) -> Decision:
            thought, _, sentence = (part.strip() for part in text.partition(_THEN.rstrip()))
            if thought == NOTHING_LEFT:  # to the letter: nothing at all often comes out as None
                return Done(IDLE, "answered")
            if (name := read_missing(thought, scene.vocabulary)) is not None:
                return Decline(f"There is no {name} here. There is: {', '.join(scene.objects) or 'nothing'}.")
            if thought.startswith((GOAL.rstrip(), '"', "[")):
                stated = read_goal(thought, self.world.relations, scene.vocabulary)
                return Plan(request, stated, (), verbatim=thought)
            if not sentence:
                return _answer(_sentence(thought))
            if (step := self._read(sentence, scene.vocabulary, thought)) is None:
                return _answer(thought)
            return Plan(request, (), (step,), thought, verbatim=thought)

        grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), thoughts), rules)
        return await self._say("Robot thought:", prompt, grammar, read, stop=_ELSE)

    async def _action(self, prompt: str, vocabulary: Vocabulary) -> Step | None:
        """Return the next step; None if it is over."""
        grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), self._actions(vocabulary)))
        return await self._say("Robot action:", prompt, grammar, lambda text: self._read(text, vocabulary))

    async def _thought_and_action(
        self, prompt: str, goal: tuple[Condition, ...], vocabulary: Vocabulary
    ) -> tuple[tuple[Condition, ...], str, Step | None]:
        """Return the goal, which the thought may state anew, the thought, and the next step; None if there is none."""
        acting = gbnf.sequence(_THOUGHT, gbnf.literal(_THEN), self._actions(vocabulary))
        root = gbnf.sequence(gbnf.literal(" "), gbnf.choice([gbnf.literal(NOTHING_LEFT), acting]))

        def read(text: str) -> tuple[tuple[Condition, ...], str, Step | None]:
            thought, separator, sentence = text.partition(_THEN.rstrip())
            thought = thought.strip()
            if _is(thought, NOTHING_LEFT):  # ignore anything that follows
                return goal, thought, None
            restated = read_goal(thought, self.world.relations, vocabulary) if thought.startswith(GOAL) else goal
            if not separator and restated == goal:
                raise Unparseable("After the thought comes a line that begins with 'Robot action:'.")
            return restated, thought, self._read(sentence, vocabulary, thought) if separator else None

        return await self._say("Robot thought:", prompt, gbnf.grammar(root), read, stop=_ELSE)

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


def _answer(words: str) -> Done:
    """Return what is said to a person where nothing is to be done."""
    if not words.strip():
        raise Unparseable("Say what is to be done, or what you answer.")
    return Done(words.strip(), "answered")


def _sentence(thought: str) -> str:
    """Return a thought that stands alone and may be said to a person; code, say, does not end as a sentence does."""
    last = thought.rstrip(_CLOSING)[-1:]
    if (last.isascii() and last not in _ENDS) or not any(letter.isalnum() for letter in thought):
        raise Unparseable("State the goal, or say what you answer, in a whole sentence with a full stop.")
    return thought


def _is(text: str, word: str) -> bool:
    return text.strip().rstrip(".").lower() == word.rstrip(".").lower()


def _conclude(goal: Sequence[Condition], scene: Observation) -> Done:
    """Return the result when the model sees nothing left to do: not a success if a condition is known to be false."""
    achieved = {condition.words for condition in scene.achieved or ()}
    if open_ := [condition.words for condition in goal if condition.words not in achieved]:
        return Done(f"{_OVER}, and this is not so: {' '.join(open_)}", "gave up")
    return Done(_OVER)
