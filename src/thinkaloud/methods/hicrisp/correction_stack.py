"""HiCRISP's correction stack (Ming et al., Algorithm 1): an error is put right within the step, not after the task.

What failed is on a stack, with the reason. The model is told the reason on top, and says what is needed and the one
thing to do first. If that works, what is on the stack is tried again from the top; if it fails, it is put on the stack
itself. After so many corrections, or when the stack is too deep, the step is given up. The stack is read off the
monologue (`cases`): this works under any planner, and goes on after a crash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from thinkaloud.errors import Unparseable
from thinkaloud.methods.hicrisp.cases import Case, under_way
from thinkaloud.methods.hicrisp.correction_examples import (
    CORRECTION_EXAMPLES,
    FIRST,
    HOPELESS,
    NOTHING_NEEDED,
    CorrectionExample,
)
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.names import all_names, restrict_vocabulary, things_in
from thinkaloud.records import Observation, Request, Step, Verdict, WorldState
from thinkaloud.sentences import read_action
from thinkaloud.signatures import Vocabulary
from thinkaloud.state.facts import facts_about, surely_holds
from thinkaloud.worlds import World

_THRESHOLD = 5
"""So many corrections are tried for a step, and so many failures lie on the stack at most."""
_INTRODUCTION = (
    "A robot does one thing after another. When something fails, it is told why. It says what is needed for it to "
    "work, and the one thing that it does first, so that it works when it is tried again."
)
_LATELY = 4
_SEEN = 8
"""So much is said to a trained model of how things are."""
_PLACES = 12
"""Up to so many names that are no things are always known: the parts of a table, not the rooms of a home."""
_ROLE = "corrector"


class CorrectionStack:
    """Proposes corrections with a language model, and says when to try again what failed."""

    def __init__(
        self,
        model: Model,
        world: World,
        threshold: int = _THRESHOLD,
        examples: Sequence[CorrectionExample] = CORRECTION_EXAMPLES,
    ) -> None:
        self._model, self._world, self._threshold = model, world, threshold
        self._examples = [each for each in examples if each.skills <= world.skills.keys()] or list(examples)

    async def correct(self, verdict: Verdict, monologue: Monologue) -> Step | None:
        """What is on top of the stack, after a correction that worked; else a correction, or None to give it up."""
        case = under_way(monologue)
        if case is None:
            return None
        if case.retrying:
            return case.top.step
        if len(case.tries) >= self._threshold or len(case.stack) > self._threshold:
            return None
        return await self._proposed(case, monologue)

    async def _proposed(self, case: Case, monologue: Monologue) -> Step | None:
        scene = monologue.last(Observation) or self._world.observe()
        vocabulary = restrict_vocabulary(scene.vocabulary, set(self._relevant(case, scene, monologue)))
        vain = case.in_vain()
        possible = [step for step in self._steps(vocabulary) if all(step.words != other.words for other in vain)]
        free = self._free(vocabulary)
        if not possible and not free:
            return None  # nothing is left that could be tried
        prompt = self._prompt(case, scene, monologue)
        needed = await self._needed(prompt, possible)
        if needed == HOPELESS:
            return None
        serving = [step for step in possible if needed in self._promised(step)]
        if len(serving) == 1 or (len(possible) == 1 and not free):  # there is one way only
            return replace((serving or possible)[0], reason=needed)
        known = {step.words: step for step in reversed(serving or possible)}
        said = await self._say(f"{prompt} {needed}\n{FIRST}", [*reversed(known)], [] if serving else free)
        if said in known:
            return replace(known[said], reason=needed)
        try:
            step = read_action(said, self._world.skills, scene.vocabulary, reason=needed)
        except Unparseable as error:
            raise Unparseable(str(error), said, _ROLE) from None
        if any(step.words == other.words for other in vain):
            raise Unparseable(f"{step.words!r} was tried for this in vain; say something else.", said, _ROLE)
        return step

    async def _needed(self, prompt: str, possible: Sequence[Step]) -> str:
        """What has to be so first, among all that is not so yet and could be brought about; or nothing of that."""
        wanted = {words: None for step in possible for words in self._promised(step)}
        if is_trained(self._model):
            return await self._say(prompt, [*wanted, NOTHING_NEEDED, HOPELESS])
        return await self._say(prompt, [*wanted, NOTHING_NEEDED]) if wanted else NOTHING_NEEDED

    async def _say(self, prompt: str, options: Sequence[str], free: Sequence[str] = ()) -> str:
        """One of the options, or what one of the free expressions allows."""
        expression = gbnf.choice([*([gbnf.branching(options)] if options else []), *free])
        grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), expression, gbnf.literal("\n")))
        said = await self._model.complete(prompt, stop=["\n"], grammar=grammar, most=40)
        return said.text.strip()

    def _steps(self, vocabulary: Vocabulary) -> Iterator[Step]:
        for skill in self._world.skills.values():
            yield from (skill.step(call) for call in skill.signature.calls(vocabulary))

    def _free(self, vocabulary: Vocabulary) -> list[str]:
        """The sentences of skills that take numbers or free words: what they can be is not counted up."""
        found: list[str] = []
        for skill in self._world.skills.values():
            if any(p.default is None and p.options(vocabulary) is None for p in skill.signature.parameters):
                found += skill.signature.expressions(vocabulary).values()
        return found

    def _promised(self, step: Step) -> list[str]:
        """What a step would bring about that is not so yet."""
        try:
            promised = self._world.skills[step.skill].promises(step.arguments, self._world.relations)
        except Exception:  # a fault in a robot builder's own code: it promises nothing that could be relied on
            return []
        return [condition.words for condition in promised if not surely_holds(self._world, condition)]

    def _prompt(self, case: Case, scene: Observation, monologue: Monologue) -> str:
        request = monologue.last(Request)
        worked = [each.step.words for each in monologue.in_task(Verdict) if each.ok]
        refused = monologue.refusals(Verdict)
        note = f"Not usable: {refused[-1].why}\n" if refused else ""
        at_hand = CorrectionExample(
            task="" if request is None else request.text,
            seen=tuple(self._seen(case, scene))[: _SEEN if is_trained(self._model) else None],
            done=tuple(worked[-_LATELY:]),
            failed=case.top.step.words,
            why=case.top.why,
        )
        if is_trained(self._model):
            return note + at_hand.text()
        return "\n\n".join([_INTRODUCTION, *(each.text() for each in self._examples), note + at_hand.text()])

    def _relevant(self, case: Case, scene: Observation, monologue: Monologue) -> Iterator[str]:
        """What a correction may be about: all that the task, the failures and what is seen of these name."""
        names = all_names(scene.vocabulary)
        request = monologue.last(Request)
        words = [each.step.words + " " + each.why for each in case.stack]
        words += [] if request is None else [request.text]
        yield from things_in(" ".join([*words, *self._seen(case, scene)]), names)
        places = [name for name in names if name not in scene.objects and name not in scene.hidden]
        if is_trained(self._model) and len(places) <= _PLACES:  # where something can be put out of the way
            yield from places

    def _seen(self, case: Case, scene: Observation) -> Iterator[str]:
        """What is seen of the things that failed; where nobody writes that down, it is asked of the world."""
        if scene.state is None and is_trained(self._model):
            about = things_in(" ".join(each.step.words for each in case.stack), all_names(scene.vocabulary))
            told = facts_about(scene.objects, self._world, scene)
            yield from (words for words in told if things_in(words, about))
        else:
            yield from _state(case, scene)


def _state(case: Case, scene: Observation) -> Iterator[str]:
    """What is seen of the things that failed to be handled, and of what is in the robot's hands."""
    state = scene.state or WorldState()
    names = all_names(scene.vocabulary)
    about = things_in(" ".join(f"{each.step.words} {each.why}" for each in case.stack), names)
    for relation in state.relations:
        things = [str(value) for value in relation.arguments.values()]
        if relation.relation in ("holding", "held") or any(thing in about for thing in things):
            yield relation.words
    for thing in about:
        yield from (
            f"The {thing} is {word}." for word, value in state.attributes.get(thing, {}).items() if value is True
        )
