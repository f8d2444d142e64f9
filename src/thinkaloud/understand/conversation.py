"""What has been said and done so far, as far as it matters for what is said next: turns, notes, the past, the story.

All of it is read off the monologue, so that a run that is taken up again knows it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from thinkaloud.episode.rule_givers import find_giver
from thinkaloud.language.words import in_a_row, sentence_of
from thinkaloud.monologue import Monologue, summary
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import read_program
from thinkaloud.program.switches import switchable
from thinkaloud.program.tree import Call, Number, Text
from thinkaloud.program.words import AT_START, BEFORE
from thinkaloud.records import (
    ACTS,
    Answer,
    Ask,
    Content,
    Decline,
    DueRequest,
    End,
    Look,
    Meaning,
    MeaningKind,
    NotClear,
    Observation,
    Outcome,
    Plan,
    Question,
    Refused,
    Request,
    Speaker,
    Started,
    Step,
    UndoWork,
    Verdict,
    WorldState,
)
from thinkaloud.saying.telling import tell_why_asked, uncapitalised
from thinkaloud.skills.built_in_steps import HELP, STEPS
from thinkaloud.skills.signatures import capitalised
from thinkaloud.understand.meaning.circumstances import PastDeed, Story, Undone
from thinkaloud.understand.prompting.prompt import ASKED, PastTurn

MOST_TURNS = 6
_TOGETHER = 3
"""Turns that leave the prompt at once: what goes on as it was need not be read again."""
_REASONED: tuple[MeaningKind, ...] = (*ACTS, "refusal", "emergency")
"""What there is a reason to give for: something was done, or was not, or help was called."""
_MOST_OFFERED = 4
_MOST_EARLIER = 12
"""Steps for earlier requests that are told beside what was done for the latest."""
_UNDERSTOOD = "I understood:"


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that a person said, what it was understood to mean (if it has been), and where in the monologue."""

    at: int
    text: str
    meaning: Meaning | None


@summary
def all_heard(monologue: Monologue) -> Sequence[Heard]:
    """Everything that was said, the oldest first, each with the meaning that it was given."""
    found: list[Heard] = []
    for event in monologue.events_of((Request, Answer, Meaning)):
        if isinstance(event.record, Request | Answer):
            found.append(Heard(event.index, event.record.text, None))
        elif isinstance(event.record, Meaning) and found:
            found[-1] = Heard(found[-1].at, found[-1].text, event.record)
    return found


@switchable(())
def chosen_in_vain(heard: Heard, monologue: Monologue) -> tuple[str, ...]:
    """The things that were the robot's own choice and that were not to be had: each before a look for another one.

    What has come into view since was only not found then.
    """
    found: dict[str, None] = {}
    now = monologue.last(Observation)
    for event in monologue.events_of(Look, after=heard.at):
        verdict = monologue.last(Verdict, after=heard.at, before=event.index)
        if verdict is not None and not verdict.ok:
            meaning = monologue.last(Meaning, after=heard.at, before=event.index)
            then = monologue.last(Observation, before=event.index)
            came = set[str]() if now is None or then is None else {*now.objects} - {*then.objects}
            found |= dict.fromkeys(each for each in chosen_for(verdict.step, meaning) if each not in came)
    return tuple(found)


def chosen_for(step: Step, meaning: Meaning | None) -> list[str]:
    """What a step is done with for something that was understood, where no name in the program says that."""
    wanted = {value for deed in (meaning.deeds if meaning is not None else ()) for value in deed.arguments.values()}
    program = (meaning.written or meaning.program) if meaning is not None else ""
    own = [str(value) for value in step.arguments.values() if value in wanted]
    return [each for each in own if f'{each}"' not in program and f"{each}'" not in program]


def turns_of(heard: Iterable[Heard], monologue: Monologue) -> list[PastTurn]:
    """What was said and understood, as a prompt shows it: with what was meant, or was offered, and what came of it."""
    return [
        PastTurn(
            each.text,
            each.meaning.written or each.meaning.program,
            came_of(each, monologue),
            offered_of(each.meaning),
            each.meaning.meant,
        )
        for each in heard
        if each.meaning is not None and each.meaning.program
    ]


def latest_turns(heard: Sequence[Heard]) -> Sequence[Heard]:
    """The turns that a prompt shows: the latest six at most, and always from the same one for a few requests."""
    over = max(0, len(heard) - MOST_TURNS)
    return heard[-(-over // _TOGETHER) * _TOGETHER :]


def came_of(heard: Heard, monologue: Monologue) -> str:
    """What came of something that was said, in a word or two; nothing where it came as it was said."""
    meaning = heard.meaning
    if meaning is None or meaning.sort not in ACTS:
        return ASKED if meaning is not None and _is_open(meaning) else ""
    end = monologue.first(End, after=heard.at)
    if end is None:
        return "under way"
    return "" if end.result in ("goal met", "unconfirmed") else end.result


def offered_of(meaning: Meaning) -> tuple[str, ...]:
    """The programs that a person was asked to choose from, or to confirm."""
    return tuple(each.program for each in meaning.readings[:_MOST_OFFERED]) if meaning.sort == "question" else ()


def _is_open(meaning: Meaning) -> bool:
    """Whether a person was asked, or asked for other words, instead of anything being done."""
    match meaning.content:
        case Question() | NotClear(undecided=True):
            return True
    return False


def orders_of(heard: Heard, monologue: Monologue) -> tuple[tuple[str, ...], tuple[Step, ...]]:
    """The programs that were acted on before, and what was done for those of them that are not finished."""
    acted = [each for each in all_heard(monologue) if each.at < heard.at and each.meaning is not None]
    acted = [each for each in acted if each.meaning is not None and each.meaning.sort in ACTS]
    since: int | None = None
    for each in acted:
        over = came_of(each, monologue) == ""
        since = None if over else each.at if since is None else since
    done = () if since is None else tuple(monologue.worked_between(since, None))
    return tuple(each.meaning.program for each in acted if each.meaning is not None), done


# What was told, and holds on ------------------------------------------------------------------------------------------


def notes_of(monologue: Monologue) -> list[str]:
    """What people told and asked to be remembered."""
    return list(dict.fromkeys(note for meaning in monologue.since(None, Meaning) for note in meaning.notes))


# The past -------------------------------------------------------------------------------------------------------------


def past_of(monologue: Monologue) -> dict[str, WorldState | None]:
    """How things were at the very beginning, and before the latest request that something was done for."""
    start = latest_deeds_start(monologue)
    looks = (monologue.first(Observation), monologue.first(Observation, after=-1 if start is None else start))
    first, before = (None if look is None else look.state for look in looks)
    return {AT_START: first, BEFORE: before}


def latest_deeds_start(monologue: Monologue) -> int | None:
    """Where the latest request begins that something was done for."""
    done = [work for work in works_of(monologue, len(monologue)) if work.steps]
    return done[-1].start if done else None


@dataclass(frozen=True, slots=True)
class PastWork:
    """What was done for one request, and for all that was said about it until another took its place."""

    start: int
    meaning: Meaning
    steps: tuple[Step, ...]


@summary
def works_of(monologue: Monologue, before: int) -> Sequence[PastWork]:
    """All that was done for what was said before an event, the oldest first; questions amid it are part of it."""
    begun: list[tuple[int, Meaning]] = []
    request: int | None = None
    for event in monologue.events_of((Request, Meaning), before=before):
        if isinstance(event.record, Request):
            request = event.index
        elif isinstance(event.record, Meaning) and event.record.sort in ("deeds", "undo") and request is not None:
            begun += [(request, event.record)] if not begun or not event.record.act.goes_on else []
    ends = [*(start for start, _ in begun[1:]), *([before] if begun else [])]
    return [PastWork(start, m, _worked(monologue, start, end)) for (start, m), end in zip(begun, ends, strict=True)]


def undo_count(meaning: Meaning) -> int:
    """How many requests are taken back."""
    return meaning.content.count if isinstance(meaning.content, UndoWork) else 1


def work_to_undo(monologue: Monologue, count: int = 1) -> PastWork | None:
    """What was done last, for so many requests before the one at hand, and has not been taken back."""
    done = _not_taken_back(monologue)
    if not 0 < count <= len(done):
        return None
    return replace(done[-count], steps=tuple(step for work in done[-count:] for step in work.steps))


def _not_taken_back(monologue: Monologue) -> list[PastWork]:
    """What was done before the request at hand and has not been taken back, the oldest first."""
    done: list[PastWork] = []
    for work in works_of(monologue, monologue.task_start()):
        if work.meaning.sort == "undo" and work.steps and done:
            del done[-undo_count(work.meaning) :]
        if work.steps and (work.meaning.sort != "undo" or work.meaning.deeds):
            done.append(work)
    return done


@switchable(False)
def came_to_nothing(monologue: Monologue) -> bool:
    """Whether nothing was done for what was said right before: then a correction of it has nothing to take back."""
    before = all_heard(monologue)[-2:-1]
    meaning = before[0].meaning if before else None
    if meaning is None or meaning.sort not in (*ACTS, "refusal", "unclear", "question"):
        return False
    return not any(step.skill not in STEPS for step in monologue.worked_between(before[0].at, None))


def undone_of(monologue: Monologue) -> tuple[Undone, ...]:
    """How things were before what can be taken back now, and what was handled since: the latest request, the latest
    two, and so on."""
    found: list[Undone] = []
    handled: frozenset[str] = frozenset()
    for work in reversed(_not_taken_back(monologue)):
        look = monologue.first(Observation, after=work.start)
        handled |= {value for step in work.steps for value in step.arguments.values() if isinstance(value, str)}
        found.append(Undone(None if look is None else look.state, handled))
    return tuple(found)


def _worked(monologue: Monologue, start: int, end: int) -> tuple[Step, ...]:
    """The steps that worked; what was under way when something else was said may have been finished after it."""
    over = monologue.first_where((Plan, Started), after=end - 1)
    return tuple(step for step in monologue.worked_between(start, over) if step.skill not in STEPS)


# The story ------------------------------------------------------------------------------------------------------------


def story_of(monologue: Monologue, lexicon: Lexicon | None = None) -> Story:
    """What was done, for the latest request first; what comes next, and why things were so."""
    begun = [(work.start, work.steps) for work in works_of(monologue, len(monologue)) if work.steps]
    works = [steps for _, steps in sorted([*begun, *_calls_for_help(monologue)], key=lambda each: each[0])]
    done = [f"I did this: {_one_by_one(steps)}." for steps in works[-1:]]
    earlier = [step for steps in works[:-1] for step in steps][-_MOST_EARLIER:]
    done += [f"Before that I did this: {_one_by_one(earlier)}."] if earlier else []
    why = _why_waiting(monologue) or _why_asked(monologue) or tuple(_reasons(monologue))
    return Story(
        done=tuple(done) or ("I have done nothing yet.",),
        todo=tuple(step.words for step in _coming(monologue)) or ("Nothing is left to be done.",),
        why=why or ("There is nothing yet that I could give a reason for.",),
        deeds=partial(deeds_of, monologue, lexicon),
    )


def _one_by_one(steps: Sequence[Step]) -> str:
    return in_a_row([uncapitalised(step.words) for step in steps], "and then")


def _calls_for_help(monologue: Monologue) -> list[tuple[int, tuple[Step, ...]]]:
    """When help was called, as steps beside those of the works: it was no request, and nothing can take it back."""
    ended = [(event.index, event.record) for event in monologue.events_of(Outcome)]
    called = [(at, each) for at, each in ended if isinstance(each, Outcome) and each.step.skill == HELP]
    return [(at, (_CALLED,)) for at, each in called if each.ending == "completed"]


_CALLED = Step(HELP, {}, "Call for help.")
"""A call for help as it is told; what happened to whom stays in the person's words."""


def deeds_of(monologue: Monologue, lexicon: Lexicon | None) -> list[PastDeed]:
    """All that was done, or was to be done and was not, the oldest first, each with its reasons."""
    found: list[PastDeed] = []
    asked = ""
    meaning: Meaning | None = None
    monologue = monologue.whole()
    for event in monologue:
        match event.record:
            case Request():
                asked = _asked_by(event.record, monologue)
            case Meaning():
                meaning = event.record
                found += [
                    PastDeed(step, None, False, (asked, _why(meaning.content)))
                    for step in _refused_deeds(meaning, lexicon)
                ]
            case Started(step, correcting) if step.skill not in STEPS or step.skill == HELP:
                plan = monologue.last(Plan, before=event.index)
                reasons = _reasons_for(step, plan, asked, correcting=correcting) + _agreed(monologue, event.index)
                found.append(PastDeed(step, None, False, reasons))
            case Outcome(step, ending, report, time=time) if found and found[-1].step == step:
                told = () if ending == "completed" else (f"It {_ENDED[ending]}: {report}" if report else "",)
                date = datetime.fromisoformat(time) if time else None
                found[-1] = replace(
                    found[-1], time=date, worked=ending == "completed", reasons=found[-1].reasons + told
                )
            case Verdict(step, False, observed=observed, why=why) if found and found[-1].step == step:
                more = () if not found[-1].worked else (f"It went wrong: {observed or why}",)
                found[-1] = replace(found[-1], worked=False, reasons=found[-1].reasons + more)
            case End(result, because) if meaning is not None and result not in ("goal met", "answered", "unconfirmed"):
                tried = [each.step for each in found]
                undone = [step for step in meaning.deeds if step not in tried]
                found += [PastDeed(step, None, False, (asked, because)) for step in undone]
            case _:
                pass
    found += _waiting(monologue, asked)
    return [replace(each, step=_CALLED) if each.step.skill == HELP else each for each in found]


def _why_waiting(monologue: Monologue) -> tuple[str, ...]:
    """Why the robot wants to do what it is asking about, if it is."""
    request = monologue.last(Request)
    asked = "" if request is None else _asked_by(request, monologue)
    return tuple(reason for each in _waiting(monologue, asked) for reason in each.reasons)


def _why_asked(monologue: Monologue) -> tuple[str, ...]:
    """Why the robot asked what a person is just answering: what they said, and what that leaves open."""
    at, asked = monologue.where((Request, Answer)), monologue.last(Meaning)
    request = monologue.last(Request)
    if at is None or asked is None or request is None or not isinstance(monologue[at].record, Answer):
        return ()
    return (_asked_by(request, monologue), tell_why_asked(asked)) if asked.sort == "question" else ()


def _asked_by(request: Request, monologue: Monologue, *more: str) -> str:
    """Who asked for something, and in which words; whoever wants to know it now is "you"."""
    if isinstance(request, DueRequest):
        who = _called(find_giver(request.rule, monologue), monologue)
        return f'Because {who} said: "{sentence_of(request.rule.said)}"' if request.rule.said else request.text
    told = " ".join(f'"{sentence_of(each)}"' for each in (request.text, *more))
    return f"{capitalised(_called(request.by, monologue))} said: {told}"


def _called(person: Speaker | None, monologue: Monologue) -> str:
    """The name of somebody who said something, for whoever speaks now."""
    latest = monologue.last((Request, Answer))
    here = latest.by if isinstance(latest, Request | Answer) else None
    return "you" if person is None or person == here else person.name


def _waiting(monologue: Monologue, asked: str) -> list[PastDeed]:
    """The step that a person is being asked to agree to, with why it is to be done."""
    latest, coming = monologue.last((Ask, Started, End)), _coming(monologue)
    if not isinstance(latest, Ask) or not latest.approval or latest.plan or not coming:
        return []
    why = f"It is {coming[0].reason}." if coming[0].reason else ""
    return [PastDeed(coming[0], None, False, (*filter(None, (asked, why)), _ONLY_IF_AGREED), waits=True)]


_ONLY_IF_AGREED = "I do it only if you agree."


def _agreed(monologue: Monologue, at: int) -> tuple[str, ...]:
    """That a person agreed to the step that was begun at an event, if they were asked right before."""
    asked = monologue.where((Ask, Plan, Started, Request), before=at)
    record = None if asked is None else monologue[asked].record
    if not isinstance(record, Ask) or not record.approval:
        return ()
    answer = monologue.last(Answer, before=at)
    who = _called(None if answer is None else answer.by, monologue)
    return ("I asked you first, and you agreed." if who == "you" else f"I asked first, and {who} agreed.",)


_ENDED = {"failed": "failed", "interrupted": "was interrupted"}


def _reasons_for(step: Step, plan: Plan | None, asked: str, *, correcting: bool) -> tuple[str, ...]:
    """Why a step was taken: who asked, and what in the plan needed it."""
    planned = next((each for each in plan.steps if each == step), step) if plan is not None else step
    helps = plan is not None and bool(plan.verbatim) and bool(planned.reason)
    why = f"It was {planned.reason}." if planned.reason else ""
    why = f"It was to help with this: {planned.reason}" if helps else why
    again = "It was to put right what had gone wrong." if correcting and not helps else ""
    return tuple(filter(None, (asked, why, again)))


def _refused_deeds(meaning: Meaning, lexicon: Lexicon | None) -> list[Step]:
    """The deeds that a request was about which was refused, as far as their arguments are written out."""
    if lexicon is None or not isinstance(meaning.content, Refused) or not meaning.program:
        return []
    program = read_program(meaning.program, lexicon)
    calls = [] if program is None else [each.call for each in program.deeds if each.call.role == "skill"]
    return [step for call in calls if (step := _written_step(call, lexicon)) is not None]


def _written_step(call: Call, lexicon: Lexicon) -> Step | None:
    given = call.arguments(lexicon.skills[call.name])
    values = {name: each.value for name, each in given.items() if isinstance(each, Text | Number)}
    own = lexicon.own_names.get(call.name, call.name)
    return Step(own, values, "") if len(values) == len(given) else None


def _coming(monologue: Monologue) -> list[Step]:
    """The steps of the plan at hand that have not worked yet; nothing where it is over."""
    ended = monologue.where(End)
    for event in reversed(monologue[0 if ended is None else ended :]):
        steps = event.record.steps if isinstance(event.record, Plan) else ()
        if any(step.skill not in STEPS for step in steps):
            worked = [step for step in monologue.worked_between(event.index, None) if step.skill not in STEPS]
            return list(steps[len(worked) :])
    return []


def _why(content: Content) -> str:
    """Why nothing is done, if nothing is."""
    return content.why if isinstance(content, Refused | NotClear) else ""


def _once(told: Iterable[tuple[str, str]]) -> Iterable[str]:
    """Sentences behind their labels, without those that another has in it: a step that failed, and the end for it."""
    labels: dict[str, str] = {}
    for label, words in told:
        if words:
            labels.setdefault(words, label)
    for words, label in labels.items():
        if not any(words in other and words != other for other in labels):
            yield f"{label} {words}".strip()


def _reasons(monologue: Monologue) -> Iterable[str]:
    """Who asked for the latest that was done or refused, what went wrong on the way, and how it ended."""
    told = [heard for heard in all_heard(monologue) if heard.meaning is not None and heard.meaning.sort in _REASONED]
    for heard in told[-1:]:
        request = monologue.last(Request, before=heard.at + 1)
        if request is not None:
            more = (heard.text,) if request.text != heard.text else ()
            yield _asked_by(request, monologue, *more)
        yield from _once(_course_of(heard, monologue))


def _course_of(heard: Heard, monologue: Monologue) -> Iterable[tuple[str, str]]:
    """How something was understood, what went wrong on the way, and how it ended; each with what it is."""
    if heard.meaning is not None:
        if heard.meaning.sort in ACTS:
            yield _UNDERSTOOD, heard.meaning.words
        over = monologue.first(Request, after=heard.at)
        for event in monologue[heard.at :]:
            record = event.record
            if record is over and over is not None:
                break
            match record:
                case Verdict(ok=False, observed=observed, why=why):
                    yield "It went wrong:", f"{record.step.words} {observed or why}"
                case Outcome(ending="failed", report=report):
                    yield "It failed:", f"{record.step.words} {report}"
                case Decline(why=why):
                    yield "", why
                case End(because=because) if because != _why(heard.meaning.content):
                    checked = because.removeprefix(f"{_UNDERSTOOD} {heard.meaning.words}").strip()
                    yield "It ended so:" if checked == because else "", checked
                case _:
                    pass
