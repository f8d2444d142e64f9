"""What a person says when the robot asks "May I do this?": a yes, a no, a question, or something new to do.

Only a clear yes is a yes. Something new counts as no for the step as it was planned: it is understood and planned
first, and if the new plan needs the same step, the robot says what it understood and asks about the step anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from thinkaloud.language.words import begins_with_no, says_no, says_yes
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import Act, Answer, Answered, Ask, End, Meaning, Noted, Refused, Started, Step, UndoWork
from thinkaloud.skills.built_in_steps import STEPS

MAY_I = "May I do this? "
YES_OR_NO = "Please say yes or no."
_MOST_IN_VAIN, _MOST_ASKED = 1, 5
"""How many answers may be neither a yes nor a no nor anything that was heard, and how many there may be at all."""


def find_approval(step: Step, monologue: Monologue) -> Answer | None:
    """What a person said when they were asked to agree to this step, or None if that is still to come."""
    asked_or_over = (Ask, Started, End)  # what was said to an earlier request is no answer to this one
    at, asked = monologue.where(asked_or_over), monologue.last(asked_or_over)
    answers = monologue.since(at, Answer)
    if not isinstance(asked, Ask) or asked.questions[-1] != MAY_I + step.words or not answers:
        return None
    return answers[-1]


def tell_before_asking_again(step: Step, answer: Answer, monologue: Monologue) -> str:
    """What a person is told who did not say yes or just no: the answer to what they asked, or what was understood.

    Empty if they are not to be asked again: they said no, or asking is in vain.
    """
    if says_no(answer.text):
        return ""
    vain, said, told, heard = 0, 0, "", False
    asked: Ask | None = None
    before: Meaning | None = None
    for record in monologue.in_order((Ask, Answer, Meaning, Started)):
        match record:
            case Started(each) if each.skill not in STEPS:
                vain, said = 0, 0
            case Ask():
                asked = record
            case Answer(text) if _is_about(asked, step) and not says_yes(text):
                vain, said, told, heard = vain + 1, said + 1, YES_OR_NO, False
            case Meaning():
                if _is_about(asked, step) and not heard and (words := _tell_heard(record, before)):
                    vain, told, heard = vain - 1, words, True
                    said -= _asks_for_something_new(record, before)
                before = record
            case _:
                pass
    if begins_with_no(answer.text) and not _asks_for_something_new(monologue.last(Meaning), _before_last(monologue)):
        return ""
    return told if vain <= _MOST_IN_VAIN and said <= _MOST_ASKED else ""


def tell_refused(answer: Answer, monologue: Monologue) -> str:
    """Why what a person wanted instead cannot be done, if they wanted something in the same breath as their no."""
    at = monologue.where(Answer)
    meaning = monologue.last(Meaning, after=-1 if at is None else at)
    refused = meaning is not None and isinstance(meaning.content, Refused) and not says_no(answer.text)
    return f" {meaning.spoken}" if refused and meaning is not None else ""


def find_denied(events: list[Event]) -> dict[int, tuple[int, str]]:
    """Where a person said no to a step after they had asked for more: at which event of a run, with where they were
    first asked about that step.

    What they asked for since then is still to be done.
    """
    found: dict[int, tuple[int, str]] = {}
    first: tuple[int, str] | None = None
    added: Meaning | None = None
    for event in events:
        match event.record:
            case Started(step) if step.skill not in STEPS:
                first, added = None, None
            case Ask(approval=True, plan=False, questions=(*_, words)):
                first, added = (first, added) if first and first[1] == words else ((event.index, words), None)
            case Meaning(content=Act(goes_on=True)) if first:
                added = event.record
            case Meaning(content=Act() | UndoWork()):
                first, added = None, None
            case Answer(text) if first and added and says_no(text):
                found[event.index] = first[0], first[1].removeprefix(MAY_I)
            case _:
                pass
    return found


def _is_about(asked: Ask | None, step: Step) -> bool:
    return asked is not None and asked.approval and asked.questions[-1] == MAY_I + step.words


def _tell_heard(meaning: Meaning, before: Meaning | None) -> str:
    """What the robot says to what it heard in place of a yes or a no; nothing where that was none of these."""
    match meaning.content:
        case Answered() | Refused():
            return meaning.spoken
        case Act() | UndoWork() | Noted() if _asks_for_something_new(meaning, before):
            return meaning.spoken if isinstance(meaning.content, Noted) else f"I understood: {meaning.spoken}"
    return ""


def _asks_for_something_new(meaning: Meaning | None, before: Meaning | None) -> bool:
    """Whether a person asked for something, and not for the same as before."""
    match None if meaning is None else meaning.content:
        case (Act() | UndoWork() | Noted()) as content:
            return before is None or content != before.content
    return False


def _before_last(monologue: Monologue) -> Meaning | None:
    latest: Iterator[Meaning] = reversed(monologue.in_order(Meaning))
    next(latest, None)
    return next(latest, None)
