"""MultiTalk's planner: a whole plan with a reason for each step, or questions, or the order to look again.

It talks with everybody until the plan is sound: an analyzer criticises it, a simulator tries it out, perception looks
again, and a person answers. What they say is added at the end of one growing dialogue, which is the prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from thinkaloud.dialogue import (
    HEADING,
    action,
    environment,
    instruction,
    instructions,
    is_pointed,
    known_things,
    objections,
)
from thinkaloud.dialogue.examples import Example
from thinkaloud.errors import Unparseable
from thinkaloud.models import Model
from thinkaloud.monologue import Event, Monologue
from thinkaloud.outline import order_start, worked
from thinkaloud.plan.calls import names_in
from thinkaloud.plan.instructions import (
    EACH,
    END,
    MOST_STEPS,
    QUESTIONS,
    RERUN,
    WHERE,
    answer_grammar,
    kind_grammar,
    lines_in,
    orders_rerun,
    parts,
    points_in,
    question_grammar,
    questions_in,
    read_instructions,
    thought_grammar,
)
from thinkaloud.plan.known_lines import DONE, KnownLines, kinds_in
from thinkaloud.plan.multitalk_examples import examples_for
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
    Refusal,
    Rehearsal,
    Request,
    Started,
    Step,
    Verdict,
)
from thinkaloud.skills import Signature
from thinkaloud.state.lasting import lasting
from thinkaloud.worlds import World

Lines = Literal["known", "free"]
"""Said in words that the world knows, one after another; or written all at once, with whatever numbers."""
OUTPUT, THOUGHT = "Output:\n", "Thought: "
LONGEST = 40 * MOST_STEPS
KINDS = "kind"
"""The part of a vocabulary that lists all that perception could tell apart, whether it is here or not."""


@dataclass
class MultiTalk:
    """Plans, asks, or has the scene looked at again. With `asks` off nobody is there to answer."""

    model: Model
    world: World
    asks: bool = True
    lines: Lines = "known"
    examples: Sequence[Example] | None = field(default=None)

    async def plan(self, monologue: Monologue) -> Decision:
        """A plan for the request; when it has been carried out, what has to be true now."""
        request, scene = monologue.last(Request), monologue.last(Observation)
        if request is None or scene is None:
            raise ValueError("a planner needs a request and a scene")
        carried_out = self._carried_out(monologue)
        return carried_out or await self._answer(request.text, scene, monologue)

    async def _answer(self, request: str, scene: Observation, monologue: Monologue) -> Decision:
        plans, asks, looks = self._allowed(monologue)
        prompt, thought = self.prompt(monologue), ""
        if self.lines == "free":
            grammar = answer_grammar(self.world.skills, scene.vocabulary, plans=plans, asks=asks, looks=looks)
            said = await self._say(prompt, grammar)
        else:
            asked, named = spoken(monologue)
            about = f"{asked}\n{named}"
            places = KnownLines(self.world, scene, asked, named).places()
            said = await self._say(prompt + THOUGHT, thought_grammar(about, places))
            before, kind, rest = parts(said)
            thought = next(iter(lines_in(before)), "").removeprefix(THOUGHT)
            prompt += f"{THOUGHT}{thought}\n"
            if not kind:  # else the model, which no grammar holds, has said all of it at once
                said = await self._say(prompt, kind_grammar(plans=plans, asks=asks, looks=looks))
                _, kind, rest = parts(said)
            if kind == HEADING and plans:
                points = None if thought.partition(WHERE)[2].startswith(EACH) else points_in(about)
                lines = KnownLines(self.world, scene, asked, named, points)
                steps = await self._known(f"{prompt}{HEADING}\n", lines, lines_in(rest))
                return Plan(request, (), steps, thought)
            if kind == QUESTIONS and not rest.strip():
                about = "\n".join([about, *known_things(scene)])  # `soup can 1 or soup can 2?`
                grammar = question_grammar(about, trouble=not plans)
                said = f"{QUESTIONS}\n" + await self._say(f"{prompt}{QUESTIONS}\n", grammar)
        if orders_rerun(said):
            if not looks:
                raise Unparseable("The scene has been looked at again already; plan with what there is, or ask.", said)
            return Look(thought or "something that is needed is not in view")
        if questions := questions_in(said):
            if not self.asks:
                raise Unparseable("Nobody is there to answer; go ahead with your own interpretation.", said)
            if not asks:
                raise Unparseable(f"What is not in view is not asked for; say {RERUN!r} first.", said)
            return Ask(questions, thought)
        if not plans:
            raise Unparseable(f"This cannot be planned now; say {RERUN if looks else QUESTIONS!r}.", said)
        try:
            steps = read_instructions(said, self.world.skills, scene.vocabulary)
        except Unparseable as error:
            raise Unparseable(str(error), said) from None
        return Plan(request, (), steps, thought)

    async def _say(self, prompt: str, grammar: str) -> str:
        return (await self.model.complete(prompt, grammar=grammar, stop=[END], most=LONGEST)).text

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
                given = lines_in(await self._say(f"{prompt}{number}: ", lines.grammar())) or [""]
                whole = len(given) > 1
            line = given.pop(0)
            if line.rstrip(".:") == DONE and lines.steps:
                break
            prompt += f"{number}: {instruction(lines.say(line), words_first=True)}\n"
        return tuple(lines.steps)

    # The rules of asking and looking ----------------------------------------------------------------------------------

    def _allowed(self, monologue: Monologue) -> tuple[bool, bool, bool]:
        """Whether it may plan, ask, and have the scene looked at again.

        Where something is named that perception knows and does not see here, it looks again before anything else, and
        asks if that has not helped. It asks, too, when it has come up with the same plan once more that was refused.
        """
        missing, looks = bool(self.unseen(monologue)), self._may_look(monologue)
        if missing and looks:
            return False, False, True
        told = monologue.where((Look, Answer), after=monologue.task_start())  # an answer may say what to do instead
        missing = missing and told is not None and isinstance(monologue[told].record, Look)
        plans = not (self.asks and (missing or self._stuck(monologue)))
        return plans, self.asks, looks and not missing

    def _stuck(self, monologue: Monologue) -> bool:
        """Whether the two latest plans are the same; both were refused, or there would be no need to plan again."""
        told = monologue.where((Request, Answer, Look, Started))
        plans = monologue.since(told, Plan)[-2:]
        return len(plans) == 2 and plans[0].steps == plans[1].steps

    def _may_look(self, monologue: Monologue) -> bool:
        """Not twice in a row: what two looks do not show a third does not show, unless something has been done."""
        start = monologue.task_start()
        moved = monologue.where(Outcome, after=start)
        return monologue.where(Look, after=start if moved is None else moved) is None

    def unseen(self, monologue: Monologue) -> list[str]:
        """The kinds of things that the request or an answer names and that are not in view."""
        scene, start = monologue.last(Observation), monologue.task_start()
        if scene is None or start < 0:
            return []
        said = [r.text for r in monologue.since(start - 1, Request) + monologue.since(start, Answer)]
        things = known_things(scene)
        named = kinds_in("; ".join(said), {*scene.vocabulary.get(KINDS, ()), *things})
        return sorted(kind for kind in named if not any(names_in(thing, [kind]) for thing in things))

    # The end ----------------------------------------------------------------------------------------------------------

    def _carried_out(self, monologue: Monologue) -> Decision | None:
        """What is left to say once a plan has been begun; None where it is time to plan."""
        start = monologue.task_start()
        at = monologue.where(Plan, after=start)
        plan = None if at is None else monologue[at].record
        if at is None or not isinstance(plan, Plan) or monologue.where(Started, after=at) is None:
            return None if not isinstance(plan, Plan) or not plan.conditions else Done("all the steps were carried out")
        outcome, verdicts = monologue.last(Outcome), monologue.since(at, Verdict)
        if verdicts and not verdicts[-1].ok:
            if outcome is not None and outcome.ending == "interrupted":
                return None
            failed = verdicts[-1]
            why = (failed.why or failed.observed).rstrip(".")
            return Done(f"this did not work: {failed.step.words.rstrip('.')} ({why})", gave_up=True)
        conditions = lasting(self.world, before_anything(monologue), worked(monologue))
        return Plan(plan.goal, conditions, ()) if conditions else Done("all the steps were carried out")

    # The prompt -------------------------------------------------------------------------------------------------------

    def prompt(self, monologue: Monologue) -> str:
        """What the robot is and can do, examples, and the dialogue about the request at hand, up to the answer."""
        examples = examples_for(self.world.skills, asks=self.asks) if self.examples is None else self.examples
        words_first = self.lines == "known"
        told = [dialogue(example.monologue(), words_first) for example in examples]
        return "\n".join([self._introduction(), *told, dialogue(monologue, words_first)])

    def _introduction(self) -> str:
        return "\n".join(filter(None, _introduction(self.world, self.asks, self.lines)))


def spoken(monologue: Monologue) -> tuple[str, str]:
    """What a person has said about the task at hand, and what the critics and the simulator have."""
    asked: list[str] = []
    named: list[str] = []
    for event in list(monologue)[max(monologue.task_start(), 0) :]:
        match event.record:
            case Request(text) | Answer(text):
                asked.append(text)
            case Critique(violations):
                named += [violation.why for violation in violations]
            case Rehearsal(error=error):
                named.append(error)
            case _:
                pass
    return "\n".join(asked), "\n".join(named)


def before_anything(monologue: Monologue) -> Observation:
    """The latest look before anything was done for what is asked for, and what came into view only later."""
    events = list(monologue)
    first = next(e.index for e in events[order_start(monologue) :] if isinstance(e.record, Started))
    at = monologue.where(Observation, before=first)
    looks = monologue.since(None if at is None else at - 1, Observation)
    states = [look.state for look in looks if look.state is not None]
    if not states:
        return looks[0] if looks else Observation((), {})
    known = {name: each.attributes[name] for each in reversed(states) for name in each.attributes}
    objects = tuple(dict.fromkeys(name for each in states for name in each.objects))
    return replace(looks[0], state=replace(states[0], objects=objects, attributes=known))


def _introduction(world: World, asks: bool, lines: Lines) -> Iterator[str]:
    yield "You are in command of a robot. Split each task into actions that it carries out one after another."
    yield getattr(world, "about", "")
    yield "\nActions:"
    for skill in world.skills.values():
        yield f"- {_signature(skill.signature)}: {' '.join(skill.signature.about.split())}"
    yield "\nAnswers:"
    order = "what is to be done in words and the action" if lines == "known" else "an action and, after #, the reason"
    yield f"- {HEADING} and then in each line a number, {order}."
    if asks:
        yield f"- {QUESTIONS} and then numbered questions, if it is not said what to use or where to put it, or if the"
        yield "  task cannot be done and the person has to change it. Ask only for what you have to know."
    else:
        yield "- Nobody is there to answer questions: go ahead with your own interpretation."
    yield f"- {RERUN}, if something that the task needs is not in the environment. Never make things up.\n"


def _signature(signature: Signature) -> str:
    names = [p.name if p.default is None else f"[{p.name}]" for p in signature.parameters]
    inside = ", ".join(names)
    return f"{signature.name}(({inside}))" if is_pointed(signature) else f"{signature.name}({inside})"


def dialogue(monologue: Monologue, words_first: bool = False) -> str:
    """The dialogue about the request at hand, with every answer that the planner gave, up to where it goes on."""
    start = monologue.task_start()
    lines: list[str] = []
    seen = next(iter(monologue.since(start, Observation)), None)
    if seen is not None:
        lines += ["Environment:", environment(seen)]
    for event in list(monologue)[max(start, 0) :]:
        lines += _lines(event, monologue, words_first)
    return "\n".join(lines) + "\n"


def _lines(event: Event, monologue: Monologue, words_first: bool) -> list[str]:
    """What an event adds to the dialogue."""
    match event.record:
        case Request(text):
            return [f"Task: {text}", OUTPUT.strip()]
        case Plan(steps=steps) if steps:
            return [
                *_thought(event.record.thought, words_first),
                HEADING,
                *instructions(steps, words_first=words_first),
                "",
            ]
        case Ask(questions):
            asked = [f"{number}: {question}" for number, question in enumerate(questions, 1)]
            return [*_thought(event.record.because, words_first), QUESTIONS, *asked, ""]
        case Answer(text):
            return [f"Answers: {text}", OUTPUT.strip()]
        case Look(because):
            return [*_thought(because, words_first), RERUN, ""]
        case Observation() if _asked_for(event, monologue):
            return ["Environment now:", environment(event.record), OUTPUT.strip()]
        case Critique(violations) as critique if violations:
            return ["Analyzer:", *objections(critique), OUTPUT.strip()]
        case Rehearsal(feasible=False, step=step, error=error):
            return [f"Simulator: {'' if step is None else f'{step + 1}: '}{error}", OUTPUT.strip()]
        case Refusal(role="planner", why=why, words=words):
            return [words.strip(), "", f"Not usable: {why}", OUTPUT.strip()]
        case Outcome(step, "interrupted", report):
            return [f"Interrupted: {action(step)} {report}"]
        case _:
            return []


def _thought(thought: str, told: bool) -> list[str]:
    return [THOUGHT + thought] if told and thought else []


def _asked_for(event: Event, monologue: Monologue) -> bool:
    """Whether this look came because the planner wanted it, or because something was interrupted."""
    before = monologue.where((Look, Outcome, Request, Plan, Observation), before=event.index)
    cause = None if before is None else monologue[before].record
    return isinstance(cause, Look) or (isinstance(cause, Outcome) and cause.ending == "interrupted")
