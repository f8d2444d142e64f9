"""Whether what was read is acted on, or a person is asked first, and what they are offered.

One number says how sure the reading is; below the threshold a person is asked which of the readings was meant. What
they have said no to is not offered again.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from thinkaloud.errors import Unparseable
from thinkaloud.monologue import Monologue
from thinkaloud.program.parsing import read_program
from thinkaloud.program.switches import switchable
from thinkaloud.program.words import STOP, spelled
from thinkaloud.records import WEIGHED, Ask, Meaning, Noted, Reading, Request
from thinkaloud.saying.telling import NOT_UNDERSTOOD
from thinkaloud.understand.checking.certainty import Doubt, threshold_for
from thinkaloud.understand.checking.grounding import CERTAIN, LIKELY, is_grounded, keeps_rules
from thinkaloud.understand.conversation import Heard, came_to_nothing
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.offering import (
    STILL_UNSURE,
    Asking,
    Option,
    ask_about,
    choose_offered,
    option_of,
    outcome_of,
    refused_by,
    rejected_programs,
    unclear,
)
from thinkaloud.understand.replies import find_asked
from thinkaloud.understand.withdrawing import (
    ONLY_NOW,
    forbids_what_is_at_hand,
    forgets_unnamed,
    is_amid,
    words_for_rule,
)

WHOEVER_ASKS = "That holds whoever asks."


class Decider:
    """Decides for one model, whose likelihoods have a threshold of their own; see the module's description."""

    def __init__(self, model: str, asking: Asking) -> None:
        self._model, self._asking = model, asking

    @property
    def enough(self) -> float | None:
        """How sure is sure enough, where that alone decides whether a person is asked."""
        return threshold_for(self._model, self._asking.accepts) if self._asking.confirm == "unsure" else None

    def decide(self, meaning: Meaning, doubt: Doubt, at: Circumstances, heard: Heard, monologue: Monologue) -> Meaning:
        """The meaning with how sure it is; or the question which of the readings was meant."""
        sure = 0.0 if self.is_out_of_place(meaning, heard, monologue, at) else doubt.sure
        others = [option_of(each, run_program(each.program, at), at) for each in doubt.others]
        readings = tuple(each.reading for each in others)
        weighed = replace(meaning, sure=sure, readings=meaning.readings or readings)
        unsure = sure < threshold_for(self._model, self._asking.accepts) or sure == 0.0
        program = read_program(meaning.program, at.lexicon)
        if (unnamed := forgets_unnamed(program)) and is_amid(monologue):
            return self._leave_off(weighed, at)
        if keeps_rules(meaning):
            said = words_for_rule(heard, at.words or heard.text, meaning, monologue, at.lexicon)
            alone = self._asking.confirm == "never"
            certain = LIKELY if alone else CERTAIN
            grounded = unnamed or is_grounded(program, said, doubt.measured, certain=certain)
            if not grounded and forbids_what_is_at_hand(meaning, monologue, at.lexicon):
                return self._leave_off(weighed, at)
            if alone and not grounded:
                return unclear(weighed, NOT_UNDERSTOOD)
            unsure = unsure or not grounded
        best = option_of(Reading(meaning.program, "", sure), meaning, at)
        if meaning.sort not in WEIGHED or not self._asks(meaning, unsure=unsure):
            return replace(weighed, told=self._tell_back(best, monologue))
        # What is sure is taken although it was rejected before: else nobody could have it after all.
        offered = choose_offered(best, others, self._rejected(heard, monologue, at) if unsure else (), at)
        question = ask_about(weighed, offered)
        asked = [question for ask in monologue.in_task(Ask) if not ask.approval for question in ask.questions]
        again = sum(each.startswith(question.words) for each in asked)
        worn = again >= self._asking.repeats or len(asked) >= self._asking.budget
        return unclear(weighed, STILL_UNSURE) if worn else question

    def _leave_off(self, rule: Meaning, at: Circumstances) -> Meaning:
        """That the robot leaves off, or the question whether that was meant, or the rule."""
        stop = run_program(f"{spelled(STOP, at.lexicon)}()", at)
        if rule.sort == "question":
            return replace(stop, sure=rule.sure)
        if self._asking.confirm == "never":
            return replace(stop, words=ONLY_NOW if keeps_rules(rule) else stop.words, sure=rule.sure)
        offered = [option_of(Reading(each.program, "", 0.0), each, at) for each in (stop, rule)]
        return ask_about(rule, offered)

    def _tell_back(self, best: Option, monologue: Monologue) -> str:
        """What a person hears of it, so that they notice if it is less or more than they meant: a condition that is
        looked at only once, or a rule that holds for everybody where several people speak."""
        meaning = best.meaning
        if meaning.sort == "deeds" and best.hinges and best.reading.words != meaning.words:
            return best.reading.words
        several = any(request.by is not None for request in monologue.since(None, Request))
        if several and isinstance(meaning.content, Noted) and any(not rule.allowed for rule in meaning.rules):
            return f"{meaning.spoken} {WHOEVER_ASKS}"
        return meaning.told

    def run(self, program: str, at: Circumstances) -> Meaning | None:
        """What a program means; None for one that cannot be run."""
        try:
            return run_program(program, at)
        except Unparseable:
            return None

    def _asks(self, meaning: Meaning, *, unsure: bool) -> bool:
        acts = bool(meaning.deeds or meaning.standing) or meaning.sort in ("undo", "previous")
        return {"never": False, "unsure": unsure, "always": acts or unsure}[self._asking.confirm]

    @switchable(False)
    def is_out_of_place(self, meaning: Meaning, heard: Heard, monologue: Monologue, at: Circumstances) -> bool:
        """Whether it takes back more than what was said last, which came to nothing; or is a reading that these very
        words say no to: "no, the gray one"."""
        if meaning.sort == "undo" and at.undone and came_to_nothing(monologue):
            return True
        asked = find_asked(heard, monologue)
        found = [] if asked is None else [self.run(each.program, at) for each in refused_by(heard.text, asked.readings)]
        return outcome_of(meaning, at.world) in [outcome_of(each, at.world) for each in found if each is not None]

    def _rejected(self, heard: Heard, monologue: Monologue, at: Circumstances) -> set[Hashable]:
        """What the readings come to that a person has said no to."""
        found = (self.run(program, at) for program in rejected_programs(monologue, heard.at))
        return {outcome_of(meaning, at.world) for meaning in found if meaning is not None}
