"""MultiTalk's planner: a whole plan with a reason for each step, or questions, or the order to look again.

It talks with everybody until the plan is sound: an analyzer criticises it, a simulator tries it out, perception looks
again, and a person answers. What they say is added at the end of one growing dialogue, which is the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from thinkaloud.errors import Unparseable
from thinkaloud.methods.multitalk.dialogue import (
    HEADING,
    known_things,
    render_action,
    render_instruction,
)
from thinkaloud.methods.multitalk.dialogue_examples import DialogueExample
from thinkaloud.methods.multitalk.instructions import (
    ANSWER_END,
    EACH,
    MOST_STEPS,
    QUESTIONS,
    RERUN,
    WHERE,
    answer_grammar,
    is_rerun,
    kind_grammar,
    question_grammar,
    read_instructions,
    read_lines,
    read_points,
    read_questions,
    split_answer,
    thought_grammar,
)
from thinkaloud.methods.multitalk.known_lines import PLAN_OVER, KnownLines
from thinkaloud.methods.multitalk.planner_examples import examples_for
from thinkaloud.methods.multitalk.prompt import THOUGHT, LineForm, render_dialogue, render_introduction
from thinkaloud.methods.multitalk.short_answers import NOT_HERE, read_short_answer, short_answer_grammar
from thinkaloud.methods.multitalk.short_dialogue import MEANT, points_of, render_short_dialogue
from thinkaloud.models import Model, is_trained
from thinkaloud.monologue import Monologue
from thinkaloud.names import missing_kinds
from thinkaloud.plan.ending import check_or_done, find_lasting
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Decision,
    Done,
    Look,
    Observation,
    Outcome,
    Plan,
    Rehearsal,
    Request,
    Started,
    Step,
    Verdict,
    WorldState,
)
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import TaskLanguage, TaskSpeaking, find_ability

_LONGEST = 40 * MOST_STEPS
_KINDS = "kind"
"""The part of a vocabulary that lists all that perception could tell apart, whether it is here or not."""


class _Allowed(NamedTuple):
    """Whether the planner may plan, ask, and have the scene looked at again."""

    plans: bool
    asks: bool
    looks: bool


@dataclass
class MultiTalk:
    """Plans, asks, or has the scene looked at again. With `asks` off nobody is there to answer."""

    model: Model
    world: World
    asks: bool = True
    lines: LineForm = "known"
    examples: Sequence[DialogueExample] | None = field(default=None)

    async def plan(self, monologue: Monologue) -> Decision:
        """A plan for the request; when it has been carried out, what has to be true now."""
        request, scene = monologue.situation()
        carried_out = self._carried_out(monologue)
        return carried_out or await self._answer(request.text, scene, monologue)

    async def _answer(self, request: str, scene: Observation, monologue: Monologue) -> Decision:
        allowed = self._allowed(monologue)
        if self._task_language is not None:
            return await self._in_short(request, scene, monologue, allowed, self._task_language)
        prompt = self.prompt(monologue)
        if self.lines == "known":
            return await self._in_words(request, scene, everything_said(monologue), allowed, prompt)
        grammar = answer_grammar(self.world.skills, scene.vocabulary, **allowed._asdict())
        return self._read(await self._say(prompt, grammar), request, scene, allowed)

    @property
    def _task_language(self) -> TaskLanguage | None:
        """The tasks that the world knows, for a model that was trained to name them."""
        speaking = find_ability(self.world, TaskSpeaking)
        trained = self.lines == "known" and is_trained(self.model)
        return speaking.task_language if speaking is not None and trained else None

    async def _in_short(
        self, request: str, scene: Observation, monologue: Monologue, allowed: _Allowed, language: TaskLanguage
    ) -> Decision:
        """What is meant and the answer, at once and in few words; where only one answer is allowed, nobody is asked."""
        unseen = self.unseen(monologue)
        if not allowed.plans and not allowed.asks:
            return Look(f"{', '.join(unseen)}{NOT_HERE}" if unseen else "")
        points = points_of(monologue)
        grammar = short_answer_grammar(language, scene.state or WorldState(), points, **allowed._asdict())
        prompt = render_short_dialogue(monologue, language, asks=self.asks, gone=unseen) + MEANT
        return read_short_answer(await self._say(prompt, grammar), request, scene, points, self.world, language)

    async def _in_words(
        self, request: str, scene: Observation, said_so_far: tuple[str, str], allowed: _Allowed, prompt: str
    ) -> Decision:
        """A thought, then the kind of answer, then that; where a model that no grammar holds says all of it at once,
        it is not asked again.
        """
        asked, named = said_so_far
        about = f"{asked}\n{named}"
        places = KnownLines(self.world, scene, asked, named).places()
        said = await self._say(prompt + THOUGHT, thought_grammar(about, places))
        before, kind, rest = split_answer(said)
        thought = next(iter(read_lines(before)), "").removeprefix(THOUGHT)
        prompt += f"{THOUGHT}{thought}\n"
        if not kind:
            said = await self._say(prompt, kind_grammar(**allowed._asdict()))
            _, kind, rest = split_answer(said)
        if kind == HEADING and allowed.plans:
            each = thought.partition(WHERE)[2].startswith(EACH)
            lines = KnownLines(self.world, scene, asked, named, None if each else read_points(about), each)
            return Plan(
                request, (), await self._known(f"{prompt}{HEADING}\n", lines, read_lines(rest)), thought, thought
            )
        if kind == QUESTIONS and not rest.strip():
            about = "\n".join([about, *known_things(scene)])  # `soup can 1 or soup can 2?`
            grammar = question_grammar(about, trouble=not allowed.plans)
            said = f"{QUESTIONS}\n" + await self._say(f"{prompt}{QUESTIONS}\n", grammar)
        return self._read(said, request, scene, allowed, thought)

    def _read(self, said: str, request: str, scene: Observation, allowed: _Allowed, thought: str = "") -> Decision:
        """What an answer says; Unparseable for what is none, or none that is allowed now."""
        if is_rerun(said):
            if not allowed.looks:
                raise Unparseable("The scene has been looked at again already; plan with what there is, or ask.", said)
            return Look(thought or "something that is needed is not in view")
        if questions := read_questions(said):
            if not self.asks:
                raise Unparseable("Nobody is there to answer; go ahead with your own interpretation.", said)
            if not allowed.asks:
                raise Unparseable(f"What is not in view is not asked for; say {RERUN!r} first.", said)
            return Ask(questions, thought)
        if not allowed.plans:
            raise Unparseable(f"This cannot be planned now; say {RERUN if allowed.looks else QUESTIONS!r}.", said)
        try:
            steps = read_instructions(said, self.world.skills, scene.vocabulary)
        except Unparseable as error:
            raise Unparseable(str(error), said) from None
        return Plan(request, (), steps, thought, verbatim=thought)

    async def _say(self, prompt: str, grammar: str) -> str:
        return (await self.model.complete(prompt, grammar=grammar, stop=[ANSWER_END], most=_LONGEST)).text

    async def _known(self, prompt: str, lines: KnownLines, given: list[str]) -> tuple[Step, ...]:
        """A plan line by line, each of them in words that mean something after those before it.

        `given` are the lines of a model that said them all at once; one may also do so in the middle.
        """
        whole = bool(given)
        while not lines.over and (given or not whole):
            number = len(lines.steps) + 1
            if number > MOST_STEPS:
                raise Unparseable(f"The plan does not come to an end; {MOST_STEPS} steps at most.")
            if not given:
                given = read_lines(await self._say(f"{prompt}{number}: ", lines.grammar())) or [""]
                whole = len(given) > 1
            line = given.pop(0)
            if line.rstrip(".:") == PLAN_OVER and lines.steps:
                break
            prompt += f"{number}: {render_instruction(lines.say(line), words_first=True)}\n"
        return tuple(lines.steps)

    # The rules of asking and looking ----------------------------------------------------------------------------------

    def _allowed(self, monologue: Monologue) -> _Allowed:
        """Which answers there are now.

        Where something is named that perception knows and does not see here, it looks again before anything else, and
        asks if that has not helped. It asks, too, when it has come up with the same plan once more that was refused.
        """
        gone, looks = bool(self.unseen(monologue)), self._may_look(monologue)
        if gone and looks:
            return _Allowed(plans=False, asks=False, looks=True)
        latest = monologue.last((Look, Answer), after=monologue.task_start())  # an answer may say what to do instead
        gone = gone and isinstance(latest, Look)
        plans = not (self.asks and (gone or self._stuck(monologue)))
        return _Allowed(plans, self.asks, looks and not gone)

    def _stuck(self, monologue: Monologue) -> bool:
        """Whether the latest plan is one that had been refused before; it was, too, or there would be no new one."""
        told = monologue.where((Request, Answer, Look, Started))
        plans = [[render_action(step) for step in plan.steps] for plan in monologue.since(told, Plan)]
        return len(plans) > 1 and plans[-1] in plans[:-1]

    def _may_look(self, monologue: Monologue) -> bool:
        """Not twice in a row: what two looks do not show a third does not show, unless something has been done."""
        start = monologue.task_start()
        moved = monologue.where(Outcome, after=start)
        return monologue.where(Look, after=start if moved is None else moved) is None

    def unseen(self, monologue: Monologue) -> list[str]:
        """The kinds of things that the request or an answer names and that are not in view."""
        scene = monologue.last(Observation)
        if scene is None or monologue.task_start() < 0:
            return []
        return missing_kinds("; ".join(monologue.heard()), scene.vocabulary.get(_KINDS, ()), known_things(scene))

    # The end ----------------------------------------------------------------------------------------------------------

    def _carried_out(self, monologue: Monologue) -> Decision | None:
        """What is left to say once a plan has been begun; None where it is time to plan."""
        at = monologue.where(Plan, after=monologue.task_start())
        plan = monologue.last(Plan, after=monologue.task_start())
        if at is None or plan is None or monologue.where(Started, after=at) is None:
            return Done("all the steps were carried out") if plan is not None and plan.conditions else None
        outcome, verdicts = monologue.last(Outcome), monologue.since(at, Verdict)
        if verdicts and not verdicts[-1].ok:
            if outcome is not None and outcome.ending == "interrupted":
                return None
            failed = verdicts[-1]
            why = (failed.why or failed.observed).rstrip(".")
            return Done(f"this did not work: {failed.step.words.rstrip('.')} ({why})", "gave up")
        conditions = find_lasting(self.world, _before_anything(monologue), monologue.worked())
        return check_or_done(plan.goal, conditions, "all the steps were carried out", monologue)

    # The prompt -------------------------------------------------------------------------------------------------------

    def prompt(self, monologue: Monologue) -> str:
        """What the robot is and can do, examples, and the dialogue about the request at hand, up to the answer."""
        examples = examples_for(self.world.skills, asks=self.asks) if self.examples is None else self.examples
        words_first = self.lines == "known"
        told = [render_dialogue(example.monologue(), words_first) for example in examples]
        return "\n".join([self._introduction(), *told, render_dialogue(monologue, words_first)])

    def _introduction(self) -> str:
        return "\n".join(filter(None, render_introduction(self.world, self.asks, self.lines)))


def everything_said(monologue: Monologue) -> tuple[str, str]:
    """What a person has said about the task at hand, and what the critics and the simulator have."""
    named: list[str] = []
    for event in monologue.task():
        match event.record:
            case Critique(violations):
                named += [violation.why for violation in violations]
            case Rehearsal(error=error):
                named.append(error)
            case _:
                pass
    return "\n".join(monologue.heard()), "\n".join(named)


def _before_anything(monologue: Monologue) -> Observation:
    """The latest look before anything was done for what is asked for, and what came into view only later."""
    first = next(event.index for event in monologue.order() if isinstance(event.record, Started))
    at = monologue.where(Observation, before=first)
    looks = monologue.since(None if at is None else at - 1, Observation)
    states = [look.state for look in looks if look.state is not None]
    if not states:
        return looks[0] if looks else Observation((), {})
    known = {name: each.attributes[name] for each in reversed(states) for name in each.attributes}
    objects = tuple(dict.fromkeys(name for each in states for name in each.objects))
    return replace(looks[0], state=replace(states[0], objects=objects, attributes=known))
