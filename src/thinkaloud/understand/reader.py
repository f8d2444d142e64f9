"""The stage: a model writes what a person said as a program, code runs it, and where it is in doubt a person is asked.

An answer to one of our own questions is read here first: a yes, a no, the number of a reading. A no is a no.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Literal

from thinkaloud.calls import RunsCode
from thinkaloud.errors import Unparseable
from thinkaloud.guidelines import Guidelines
from thinkaloud.models import Model, is_fluent
from thinkaloud.models.contract import read_ahead
from thinkaloud.monologue import Monologue
from thinkaloud.records import WEIGHED, Answer, Ask, Meaning, Observation, Reading, Refusal, Request, Step
from thinkaloud.understand.certainty import Doubt, Written, measure_doubt, threshold_for, write_program
from thinkaloud.understand.conversation import (
    MOST_TURNS,
    Heard,
    all_heard,
    came_of,
    kept_of,
    notes_of,
    past_of,
    story_of,
    undone_of,
)
from thinkaloud.understand.doubts import Said
from thinkaloud.understand.grammar import program_grammar
from thinkaloud.understand.guided import tell_guidelines
from thinkaloud.understand.hints import take_hint
from thinkaloud.understand.language import KEEP, UNCLEAR, UNDO, spelled
from thinkaloud.understand.lexicon import Lexicon, lexicon_of
from thinkaloud.understand.prompt import PastTurn, render_beginning, render_prompt
from thinkaloud.understand.relevant import find_relevant
from thinkaloud.understand.running import Circumstances, run_program
from thinkaloud.understand.wishes import promises_of
from thinkaloud.words import NUMBERS, ORDINALS, PICKING, answer_words, says_no, says_yes, stems
from thinkaloud.worlds.contract import World

Confirm = Literal["unsure", "always", "never"]
_TRIES = 3
_BARE = frozenset(("Yes.", "No."))
_SAYS_NOTHING = "This says and does nothing; call a function, or unclear() if you do not know what is meant."
NO_MEANS_NO = "You said no, so I leave that."


@dataclass(frozen=True)
class Asking:
    """When a person is asked whether they were understood: never, always, or where that is too unsure.

    `accepts` is the share of requests that may be misunderstood in silence; which threshold that is was measured.
    """

    confirm: Confirm = "unsure"
    accepts: float = 0.05
    budget: int = 2


class Reader:
    """Reads what a person says with a language model; see the module's description."""

    def __init__(
        self,
        model: Model,
        world: World,
        sandbox: RunsCode,
        asking: Asking | None = None,
        guidelines: Guidelines | None = None,
    ) -> None:
        self._model, self._world, self._sandbox = model, world, sandbox
        self._asking, self._guidelines = asking or Asking(), guidelines

    async def understand(self, monologue: Monologue) -> Meaning:
        """What was said last means; Unparseable where the model wrote no program, which it is then told."""
        heard = all_heard(monologue)[-1]
        scene = monologue.last(Observation) or self._world.observe()
        at = self._circumstances(heard, monologue, scene)
        chosen = self._chosen(heard, monologue, at)
        if chosen is not None:
            return chosen
        shown, turns = self._shown(heard, monologue, scene)
        prompt = render_prompt(shown, turns, heard.text, explained=not is_fluent(self._model))
        refused = [r for r in monologue.since(heard.at, Refusal) if r.role == "understanding"]
        if len(refused) >= _TRIES - 1:
            return Meaning("", "unclear", "I did not understand that. Please say it differently.", why=refused[-1].why)
        for each in refused:
            prompt += f"{each.words.strip()}\n# That cannot be run: {' '.join(each.why.split())[:200]} Once more:\n"
        grammar = program_grammar(shown)
        written = await write_program(self._model, prompt, grammar)
        if self._asked(heard, monologue):  # nothing was done yet that could be taken back
            undo = rf"\A{re.escape(spelled(UNDO, shown))}\(\d*\)\n(?=.)"
            written = replace(written, program=re.sub(undo, "", written.program))
        try:
            meaning = run_program(written.program, at, self._sandbox)
        except Unparseable as error:
            raise Unparseable(str(error), written.program, role="understanding") from error
        if meaning.sort == "unclear" and spelled(UNCLEAR, shown) not in written.program:
            raise Unparseable(_SAYS_NOTHING, written.program, role="understanding")
        hint = self._hint(meaning, heard, monologue, scene, shown)
        if hint is not None:
            return hint
        doubt = await self._doubt(written, meaning, prompt, grammar, heard, at, monologue)
        return self._weighed(meaning, doubt, at, monologue)

    def _hint(
        self, meaning: Meaning, heard: Heard, monologue: Monologue, scene: Observation, shown: Lexicon
    ) -> Meaning | None:
        """What a remark about what has just gone wrong comes to for the request under way, if it is one."""

        def rerun(program: str, scene: Observation) -> Meaning:
            return run_program(program, self._circumstances(heard, monologue, scene), self._sandbox)

        return take_hint(heard.text, meaning, monologue, self._world, scene, rerun, spelled(KEEP, shown))

    async def prepare(self) -> None:
        """Let the model read what there is to speak of, so that the first request takes no longer than others."""
        scene = self._world.observe()
        shown = self._lexicon("", Monologue(self._world.clock), scene, find_relevant(self._world, scene, []))
        await read_ahead(self._model, render_beginning(shown, explained=not is_fluent(self._model)))

    def _lexicon(self, said: str, monologue: Monologue, scene: Observation, about: list[str] | None = None) -> Lexicon:
        return lexicon_of(
            self._world,
            scene,
            notes=notes_of(monologue),
            kept=kept_of(monologue),
            about=about,
            guidelines=tell_guidelines(self._guidelines, said),
        )

    def _circumstances(self, heard: Heard, monologue: Monologue, scene: Observation) -> Circumstances:
        lexicon = self._lexicon(heard.text, monologue, scene)
        return Circumstances(self._world, scene, lexicon, past_of(monologue), story_of(monologue), undone_of(monologue))

    def _shown(self, heard: Heard, monologue: Monologue, scene: Observation) -> tuple[Lexicon, list[PastTurn]]:
        """What of the robot a model is shown, and what was said before."""
        earlier = [each for each in all_heard(monologue)[:-1] if each.meaning is not None and each.meaning.program]
        turns = [PastTurn(e.text, e.meaning.program if e.meaning else "", came_of(e, monologue)) for e in earlier]
        talk = [each.text for each in earlier[-2:]]
        about = find_relevant(self._world, scene, [*talk, heard.text])
        return self._lexicon(heard.text, monologue, scene, about), turns[-MOST_TURNS:]

    # How sure ---------------------------------------------------------------------------------------------------------

    async def _doubt(
        self,
        written: Written,
        meaning: Meaning,
        prompt: str,
        grammar: str,
        heard: Heard,
        at: Circumstances,
        monologue: Monologue,
    ) -> Doubt:
        def outcome(program: str) -> Hashable | None:
            try:
                return outcome_of(run_program(program, at, self._sandbox), at.world)
            except Unparseable:
                return None

        before = all_heard(monologue)[-3:-1]
        earlier = [text for e in before for text in (e.text, e.meaning.program if e.meaning else "")]
        said = Said(heard.text, at.lexicon, meaning, earlier)
        return await measure_doubt(self._model, prompt, grammar, written, said, outcome)

    def _weighed(self, meaning: Meaning, doubt: Doubt, at: Circumstances, monologue: Monologue) -> Meaning:
        """The meaning with how sure it is; or the question which of the readings was meant."""
        readings = tuple(self._read(each, at) for each in doubt.others)
        weighed = replace(meaning, sure=doubt.sure, readings=readings)
        if meaning.sort not in WEIGHED:
            return weighed
        acts = bool(meaning.deeds) or meaning.sort in ("undo", "previous")
        unsure = doubt.sure < threshold_for(self._model.name, self._asking.accepts)
        asks = {"never": False, "unsure": unsure, "always": acts or unsure}
        return self._question(weighed, doubt, monologue) if asks[self._asking.confirm] else weighed

    def _read(self, reading: Reading, at: Circumstances) -> Reading:
        return replace(reading, words=run_program(reading.program, at, self._sandbox).words)

    def _question(self, meaning: Meaning, doubt: Doubt, monologue: Monologue) -> Meaning:
        asked = sum(not ask.approval for ask in monologue.in_task(Ask))
        if asked >= self._asking.budget:
            why = "I am still not sure what you mean, so I do nothing. Please say it in other words."
            return replace(meaning, sort="unclear", words=why, why=why, deeds=(), wishes=())
        first = Reading(meaning.program, meaning.words, doubt.sure)
        others = [each for each in meaning.readings if each.words != meaning.words]
        if meaning.sort == "answer" and not _BARE.isdisjoint((meaning.words, *(each.words for each in others))):
            others = []  # nobody can choose between a yes and a no
        readings = (first, *others)
        if others:
            listed = " ".join(f"{number}. {each.words}" for number, each in enumerate(readings, 1))
            question = f"What do you mean? {listed}"
        elif meaning.sort == "answer":
            question = f"I am not sure that I understood the question. My answer would be: {meaning.words} Is that it?"
        elif meaning.sort == "note":
            question = f"{meaning.words} There is nothing that I should do. Is that right?"
        else:
            question = f"I understood: {meaning.words} Is that right?"
        options = tuple(each.words for each in readings) if others else ("yes", "no")
        return replace(
            meaning,
            sort="question",
            words=question,
            question=question,
            options=options,
            readings=readings,
            deeds=(),
            wishes=(),
            why="",
        )

    # Answers to our own questions -------------------------------------------------------------------------------------

    def _asked(self, heard: Heard, monologue: Monologue) -> Meaning | None:
        """The question that this is the answer to."""
        asked = monologue.last((Meaning, Request), before=heard.at)
        is_answer = isinstance(monologue[heard.at].record, Answer)
        return asked if is_answer and isinstance(asked, Meaning) and asked.sort == "question" else None

    def _chosen(self, heard: Heard, monologue: Monologue, at: Circumstances) -> Meaning | None:
        """What an answer settles without a model, if it does."""
        asked = self._asked(heard, monologue)
        if asked is None:
            return None
        if says_no(heard.text):
            return Meaning("", "refusal", NO_MEANS_NO, why=NO_MEANS_NO)
        reading = _picked(heard.text, asked.readings)
        return None if reading is None else replace(run_program(reading.program, at, self._sandbox), sure=1.0)


def outcome_of(meaning: Meaning, world: World) -> Hashable:
    """What a meaning comes to in the world at hand: two programs with the same outcome mean the same."""
    unchecked = tuple(step.words for step in meaning.deeds if not _promises(step, world))
    already = {condition.words for condition in meaning.already}
    wishes = frozenset(condition.words for condition in meaning.wishes if condition.words not in already)
    kept = frozenset(meaning.kept if meaning.lasting else ())  # for this time only: it is not touched in any case
    deeds: Hashable = (wishes, unchecked, kept, meaning.goes_on)
    match meaning.sort:
        case "deeds":
            return ("deeds", deeds)
        case "answer":
            return ("answer", meaning.said)
        case "note":
            return ("note", meaning.kept, meaning.freed)
        case "undo" | "previous" | "stop":
            return (meaning.sort, deeds, meaning.why)
    return (meaning.sort,)


def _promises(step: Step, world: World) -> bool:
    return bool(promises_of(world.skills[step.skill], step.arguments, world))


def _picked(text: str, readings: tuple[Reading, ...]) -> Reading | None:
    """The reading that an answer names: the only one by yes, one of several by its number or its own words."""
    if len(readings) < 2:
        return readings[0] if readings and says_yes(text) else None
    words = answer_words(text)
    which = [word for word in words if word not in PICKING] or [word for word in words if word == "one"]
    if len(which) == 1:
        (word,) = which
        numbers = {str(n): n for n in range(1, len(readings) + 1)}
        numbers |= {each: n for names in (ORDINALS, NUMBERS) for n, each in enumerate(names, 1)}
        if 1 <= numbers.get(word, 0) <= len(readings):
            return readings[numbers[word] - 1]
    said = stems(text)
    besides = sorted((len(stems(each.words) - said), n) for n, each in enumerate(readings) if said <= stems(each.words))
    if not said or not besides or (len(besides) > 1 and besides[0][0] == besides[1][0]):
        return None
    return readings[besides[0][1]]
