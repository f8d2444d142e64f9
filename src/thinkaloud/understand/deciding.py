"""Whether what was read is acted on, or a person is asked first, and what they are offered.

By how sure the reading is, and by what in the words speaks against it: a misfit is asked about however sure it is, and
what would fit takes its place. What a person has said no to is not offered again.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from thinkaloud.errors import Unparseable
from thinkaloud.language.calls import RunsCode
from thinkaloud.language.words import denies_all
from thinkaloud.monologue import Monologue
from thinkaloud.records import WEIGHED, Ask, Meaning, Reading
from thinkaloud.understand.checking.certainty import Doubt, threshold_for
from thinkaloud.understand.checking.fitting import Misfit
from thinkaloud.understand.checking.losing import Lost, find_lost
from thinkaloud.understand.checking.misfits import find_misfit
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.conversation import Heard, came_to_nothing
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.orders.amending import with_orders
from thinkaloud.understand.replies import find_asked
from thinkaloud.understand.saying import narrowing
from thinkaloud.understand.saying.offering import (
    STILL_UNSURE,
    Asking,
    Option,
    are_set_phrases,
    ask_about,
    choose_offered,
    option_of,
    outcome_of,
    rejected_programs,
    unclear,
)


class Decider:
    """Decides for one model, whose likelihoods have a threshold of their own; see the module's description."""

    def __init__(self, model: str, sandbox: RunsCode, asking: Asking) -> None:
        self._model, self._sandbox, self._asking = model, sandbox, asking

    def decide(self, meaning: Meaning, doubt: Doubt, at: Circumstances, heard: Heard, monologue: Monologue) -> Meaning:
        """The meaning with how sure it is; or the question which of the readings was meant."""
        misfit = self.find_misfit(meaning, heard, at)
        others = [*self._fitting(misfit, heard, at), *(self._option(each, heard, at) for each in doubt.others)]
        elsewhere = came_to_nothing(monologue) or narrowing.says_back(heard.text)
        misfits = misfit is not None or (meaning.sort == "undo" and bool(at.undone) and elsewhere)
        misfits = misfits or self._is_denied(meaning, heard, monologue, at)
        sure = 0.0 if misfits else doubt.sure  # what does not fit is asked about at any threshold
        weighed = replace(meaning, sure=sure, readings=tuple(each.reading for each in others))
        if meaning.sort not in WEIGHED and not (misfit and others):
            return weighed
        acts = bool(meaning.deeds) or meaning.sort in ("undo", "previous")
        unsure = misfits or sure < threshold_for(self._model, self._asking.accepts)
        asks = {"never": False, "unsure": unsure, "always": acts or unsure}
        if not asks[self._asking.confirm]:
            return weighed
        asked = [question for ask in monologue.in_task(Ask) if not ask.approval for question in ask.questions]
        best = option_of(Reading(meaning.program, "", sure), meaning, at)
        fitting = [each for each in others if each.meaning.sort in (*WEIGHED, "question")]
        if misfit is not None and fitting:  # what fits takes its place
            best, *others = fitting
        if best.meaning.sort == "question":
            return best.meaning
        # What is sure is taken although it was rejected before: else nobody could have it after all.
        rejected = self._rejected(heard, monologue, at) if unsure else ()
        offered = choose_offered(best, others, rejected, at)
        if are_set_phrases(offered, at.lexicon.things):
            return weighed
        lost = Lost() if misfit else find_lost([Said(heard.text, at.lexicon, each.meaning) for each in offered])
        question = ask_about(weighed, offered, lost)
        again = sum(each.startswith(question.question or question.words) for each in asked)
        worn = again >= self._asking.repeats or len(asked) >= self._asking.budget
        return unclear(weighed, STILL_UNSURE) if worn else question

    def find_misfit(self, meaning: Meaning, heard: Heard, at: Circumstances) -> Misfit | None:
        """What in the words speaks against a reading."""
        return find_misfit(Said(heard.text, at.lexicon, meaning), at)

    def run(self, program: str, at: Circumstances) -> Meaning | None:
        """What a program means; None for one that cannot be run."""
        try:
            return run_program(program, at, self._sandbox)
        except Unparseable:
            return None

    def _fitting(self, misfit: Misfit | None, heard: Heard, at: Circumstances) -> list[Option]:
        """What fits the words in place of a reading that does not."""
        programs = misfit.instead if misfit is not None else ()
        found: dict[Hashable, Option] = {}
        for program in programs:
            meaning = self.run(program, at)
            if meaning is None or meaning.sort not in ("deeds", "answer", "question", "note"):
                continue
            if self.find_misfit(meaning, heard, at) is None:
                found.setdefault(outcome_of(meaning, at.world), option_of(Reading(program, "", 0.0), meaning, at))
        return [*found.values()]

    def _option(self, reading: Reading, heard: Heard, at: Circumstances) -> Option:
        reading = replace(reading, program=with_orders(reading.program, heard.text, at))
        return option_of(reading, run_program(reading.program, at, self._sandbox), at)

    def _is_denied(self, meaning: Meaning, heard: Heard, monologue: Monologue, at: Circumstances) -> bool:
        """Whether this is one of the readings to all of which these very words say no: "neither, the gray one"."""
        asked = find_asked(heard, monologue) if denies_all(heard.text) else None
        found = [] if asked is None else [self.run(each.program, at) for each in asked.readings]
        return outcome_of(meaning, at.world) in [outcome_of(each, at.world) for each in found if each is not None]

    def _rejected(self, heard: Heard, monologue: Monologue, at: Circumstances) -> set[Hashable]:
        """What the readings come to that a person has said no to."""
        found = (self.run(program, at) for program in rejected_programs(monologue, heard.at))
        return {outcome_of(meaning, at.world) for meaning in found if meaning is not None}
