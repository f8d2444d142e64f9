"""Second thoughts about a reading: what else was probably meant, where that would go wrong in silence.

A call for help that the model missed, and a rule that is taken back in words that it read as something else. The robot
asks; whoever says no gets what the first reading comes to. A rule that somebody else gave is not taken back.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from thinkaloud.episode.rule_givers import refuse_to_take_back
from thinkaloud.errors import ModelError, Unparseable
from thinkaloud.language.words import in_a_row, stems
from thinkaloud.methods.thinkaloud.emergency_question import (
    ask_for_help,
    may_be_emergency,
    moves_nothing,
    offered_call,
)
from thinkaloud.methods.thinkaloud.rule_questions import ask_about_rules
from thinkaloud.methods.thinkaloud.sharper_readings import prefer_sharper
from thinkaloud.models import is_fluent
from thinkaloud.monologue import Monologue
from thinkaloud.program.switches import switched_off
from thinkaloud.program.words import EMERGENCY, spelled
from thinkaloud.records import Answer, Answered, DueRequest, Meaning, NotClear, Observation, Refused, Request
from thinkaloud.understand.checking.certainty import Doubt, Written
from thinkaloud.understand.conversation import all_heard
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.referents import described_words
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.prompt import render_prompt
from thinkaloud.understand.reader import Reader
from thinkaloud.understand.replies import find_asked

TAKEN_FOR = "I take “{}” to be {}."


class CarefulReader(Reader):
    """A reader that thinks twice; see the module's description."""

    async def understand(self, monologue: Monologue) -> Meaning:
        """What was said last means, or the question whether something else was meant."""
        failed: Unparseable | None = None
        try:
            meaning = await super().understand(monologue)
        except Unparseable as error:
            failed, meaning = error, Meaning("", "", NotClear())
        other: Meaning | None = None
        if not isinstance(monologue.last((Request, Answer)), DueRequest):
            with switched_off(self._without):
                other = await self._think_twice(meaning, monologue)
        if failed is not None and other is None:
            raise failed
        meaning = self._tell_guesses(other or meaning, monologue)
        refused = refuse_to_take_back(meaning, monologue)
        return meaning if refused is None else Meaning(meaning.program, refused.why, refused)

    def _tell_guesses(self, meaning: Meaning, monologue: Monologue) -> Meaning:
        """An answer with what was only guessed to be meant: that "the old man" is Bert."""
        if not isinstance(meaning.content, Answered) or not meaning.meant or not self._sorts:
            return meaning
        at = self._circumstances(all_heard(monologue)[-1], monologue, self._world.observe())
        guesses = {words: things for (words, _), things in self._sorts.items()}
        told = [
            TAKEN_FOR.format(words, in_a_row(found))
            for words in described_words(meaning.written, at.lexicon)
            if (found := [each for each in guesses.get(words.lower(), ()) if each in meaning.meant])
            and not stems(words) & stems(" ".join(found))
        ]
        return replace(meaning, told=" ".join((*told, meaning.spoken))) if told else meaning

    async def score_emergency(self, monologue: Monologue) -> float | None:
        """The log-likelihood that the program for what was said last begins with `emergency("`, if the model tells."""
        heard = all_heard(monologue)[-1]
        shown, turns = self._shown(heard, monologue, monologue.last(Observation) or self._world.observe())
        prompt = render_prompt(shown, turns, heard.text, explained=not is_fluent(self._model))
        with suppress(ModelError):
            return (await self._model.score(prompt, [f'{spelled(EMERGENCY, shown)}("'])).values[0]
        return None

    async def _doubt(
        self, written: Written, meaning: Meaning, prompt: str, grammar: str, at: Circumstances, monologue: Monologue
    ) -> Doubt:
        doubt = await super()._doubt(written, meaning, prompt, grammar, at, monologue)
        return prefer_sharper(doubt, written.program, self._model.name, at)

    async def _think_twice(self, meaning: Meaning, monologue: Monologue) -> Meaning | None:
        if meaning.deeds and not meaning.standing:
            return None  # nothing goes wrong in silence
        heard = all_heard(monologue)[-1]
        at = self._circumstances(heard, monologue, monologue.last(Observation) or self._world.observe())
        asked = find_asked(heard, monologue)
        if asked is not None and _is_second_thought(asked) and meaning.content == Refused("you said no", meaning.words):
            return self._decider.run(asked.program, at)
        other = await self._alert(meaning, asked, at, monologue) or ask_about_rules(meaning, at, monologue)
        before = [each.content for each in monologue.in_task(Meaning)]
        return None if other is not None and other.content in before else other  # it was answered

    async def _alert(
        self, meaning: Meaning, asked: Meaning | None, at: Circumstances, monologue: Monologue
    ) -> Meaning | None:
        """The question whether somebody needs help; whoever answers it with yet another emergency has said yes."""
        score = await self.score_emergency(monologue) if moves_nothing(meaning, at.lexicon) else None
        if score is None or not may_be_emergency(score, self._model.name):
            return None
        call = None if asked is None else offered_call(asked, at.lexicon)
        return ask_for_help(meaning, at) if call is None else run_program(call, at)


def _is_second_thought(asked: Meaning) -> bool:
    """Whether a question offers something else in place of the reading that it is about."""
    return bool(asked.readings) and asked.program not in [each.program for each in asked.readings]
