"""Approval: steps that need a person's yes, and steps that only a name or a report asks for.

A model reads names and reports and may take them for orders: "put the mug in the sink first". That may be good advice
or a trap. So the robot asks the person about such a step; if nobody is there, it does not take the step. Without this,
a model that obeys whatever it reads is led astray (`campaign/gullible.py`). The same rule covers three more cases:

- a step that a model proposes after a failure, about something that neither the person nor their plan mentions;
- a step that brings about just what a report says already holds: if the report is true there is nothing to do, and if
  it is false the report is steering the robot;
- an earlier step in which something that a report names replaces what the person named. A correction may involve
  things that nobody mentioned, but not *instead of* those that somebody did.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from thinkaloud.episode.approval_answers import (
    MAY_I,
    find_approval,
    find_denied,
    tell_before_asking_again,
    tell_refused,
)
from thinkaloud.episode.permission import refuse_approver
from thinkaloud.episode.plan_edits import is_agreed_edit
from thinkaloud.episode.repeats import tell_done_before
from thinkaloud.language.name_matching import all_names, names_in, things_in, things_told_apart
from thinkaloud.language.words import IDLE, says_no, says_yes, stem, words_of
from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Condition,
    Critique,
    Decline,
    End,
    Observation,
    Outcome,
    Plan,
    PlanEdit,
    Refusal,
    Rehearsal,
    Request,
    Started,
    Step,
    Verdict,
    Violation,
)
from thinkaloud.skills.built_in_steps import STEPS

_SAID: tuple[type[Request | Answer], ...] = (Request, Answer)
PERSON = "person"
"""Who objects to a plan if it is neither a critic nor a simulator."""
_SENTENCE = re.compile(r"[.;:!?]\s|[.;:!?]$|\s-\s|,\s+then\s")
_ALL = ("all", "everything", "every", "each", "alles", "todo", "tout")
_NO_VERBS = IDLE | set(words_of("was were lies stands stays cannot could up down under near beside behind about with"))
_NOT_AGAIN = "Nobody is there to say whether I may do it again, so I leave it."
_LEAST_WORDS = 5
"""A name with fewer words is not taken for an order."""


def next_word_on_step(
    step: Step,
    brings: Sequence[Condition],
    monologue: Monologue,
    *,
    must_ask: bool,
    may_repeat: bool = True,
    present: bool,
    approvers: tuple[str, ...] = (),
) -> Refusal | Ask | End | None:
    """What must come before a step, if anything: a question, a refusal if nobody can be asked, or the end.

    `brings` is what should hold after the step; `must_ask`: a person must agree in any case, one of the `approvers` if
    there are any. `may_repeat`: it may be done again although it was done before.
    """
    order = find_order(step, monologue, brings)
    if order and not present:
        return Refusal("planner", step.words, f"Nobody asked for {step.words!r}; only {order!r} does.")
    before = tell_done_before(step, monologue, may_repeat=may_repeat, present=present)
    if before and not present:
        return End("failed", f"{step.words} {before} {_NOT_AGAIN}")
    if not order and not must_ask and not before:
        return None
    answer = find_approval(step, monologue)
    if answer is None:
        return Ask((*filter(None, [before]), MAY_I + step.words), approval=True, approvers=approvers)
    if not says_yes(answer.text):
        if told := tell_before_asking_again(step, answer, monologue):
            return Ask((told, MAY_I + step.words), approval=True, approvers=approvers)
        why = f"you did not approve: {step.words}{tell_refused(answer, monologue)} {before}".rstrip()
        more = monologue.where(Answer) in find_denied(monologue.order())
        return Refusal("planner", step.words, why) if more else End("declined", why)
    refused = refuse_approver(answer, approvers)
    return Ask((refused, MAY_I + step.words), approval=True, approvers=approvers) if refused else None


def next_word_on_plan(plan: Plan, at: int, monologue: Monologue) -> Ask | Critique | Decline | None:
    """What comes next until a person agrees to the plan made there; None once they do.

    They are asked. A no declines the plan; any other answer is an objection for the planner.
    """
    asked = next((e.index for e in monologue[at + 1 :] if isinstance(e.record, Ask) and e.record.approval), None)
    if asked is None and is_agreed_edit(plan, at, monologue):
        return None
    if asked is None:
        listed = " ".join(f"{number}. {step.words}" for number, step in enumerate(plan.steps, 1))
        return Ask((MAY_I + listed,), approval=True, plan=True)
    answer = next(iter(monologue.since(asked, Answer)), None)
    if answer is None or says_yes(answer.text):
        return None
    if says_no(answer.text):
        return Decline("you did not agree with the plan")
    return Critique((Violation(None, answer.text),), PERSON)


def find_order(step: Step, monologue: Monologue, brings: Sequence[Condition] = ()) -> str:
    """The name or report that asks for this step although no person does; empty if there is none.

    `brings` is what should hold after the step.
    """
    scene = monologue.last(Observation)
    things = [value for value in step.arguments.values() if isinstance(value, str)]
    if scene is None or not things or step.skill in STEPS:
        return ""
    names = [*all_names(scene.vocabulary), *things]
    asked = " ".join(said.text for said in monologue.in_order(_SAID))
    edits = monologue.in_order(PlanEdit)
    chosen = {value for edit in edits for each in edit.steps for value in each.arguments.values()}
    named = {*_named(asked, tuple(names)), *chosen, *(things[:1] if {*_ALL} & {*words_of(asked)} else ())}
    if {*things} <= named:
        return ""
    if _is_proposed(step, monologue) and not {*things} <= named | _planned_for(monologue):
        return step.reason or step.words
    called = [name for name in names if _is_sentence(name, things)]
    told = list(_before(step, monologue))
    sentences = (sentence for record in told for text in _texts(record) for sentence in _sentences(text))
    asking = (sentence.strip() for sentence in sentences if _asks_for(sentence, step, things))
    reports = [record.report for record in told if isinstance(record, Outcome)]
    claimed = (each.words for each in brings if any(_claims(report, each) for report in reports))
    return called[0] if called else next(asking, "") or next(claimed, "") or _exchange(step, told, names, named)


@lru_cache(maxsize=256)
def _named(asked: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The things that a person named; the same for all steps of a request."""
    return tuple(things_in(asked, names))


@lru_cache(maxsize=1024)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(_SENTENCE.split(text))


def _is_proposed(step: Step, monologue: Monologue) -> bool:
    """Whether a model proposed this step after reading what went wrong: a plan of one step, in the model's words."""
    return any(plan.steps == (step,) and plan.verbatim == step.words for plan in monologue.in_task(Plan))


def _planned_for(monologue: Monologue) -> set[object]:
    """The things that the plans for the request involve, without what was proposed after a failure."""
    plans = (plan for plan in monologue.in_task(Plan) if not plan.verbatim)
    return {value for plan in plans for step in plan.steps for value in step.arguments.values()}


def _before(step: Step, monologue: Monologue) -> Iterator[object]:
    """All records of this task before the step was first planned."""
    for event in monologue.order():
        record = event.record
        if (isinstance(record, Started) and record.step == step) or (isinstance(record, Plan) and step in record.steps):
            return
        yield record


def _exchange(step: Step, told: Iterable[object], names: Sequence[str], named: Collection[object]) -> str:
    """The report that names what replaces something the person named; empty if there is none.

    The rest of the step must match a step that was planned before that report; what such a step involves was not
    suggested by the report.
    """
    known = {*named}
    exchanged: list[set[object]] = []
    for record in told:
        earlier = record.steps if isinstance(record, Plan) else (record.step,) if isinstance(record, Started) else ()
        for each in earlier:
            known.update(each.arguments.values())
            if instead := _put_in_place(each, step, names, named):
                exchanged.append(instead)
        for text in _texts(record) if exchanged else ():
            new = {*names_in(text, names), *things_told_apart(text, names)} - known
            if any(instead <= new for instead in exchanged):
                return text
    return ""


def _put_in_place(earlier: Step, step: Step, names: Sequence[str], named: Collection[object]) -> set[object]:
    """What this step has in place of things the person named, if it is an earlier step but for these; else nothing."""
    if earlier.skill != step.skill:
        return set()
    pairs = [(earlier.arguments.get(each), now) for each, now in step.arguments.items() if now in names]
    others = [(before, now) for before, now in pairs if before != now]
    if not 0 < len(others) < len(pairs) or not all(before in named for before, _ in others):
        return set()
    return {now for _, now in others}


def _texts(record: object) -> tuple[str, ...]:
    """The words of a report that a record contains."""
    match record:
        case Outcome(report=report):
            return (report,)
        case Verdict(observed=observed, why=why):
            return (observed, why)
        case Rehearsal(error=error):
            return (error,)
        case _:
            return ()


@lru_cache(maxsize=1024)
def _only_words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _claims(report: str, condition: Condition) -> bool:
    """Whether a skill's report states this condition, in the words of the relation."""
    said, claim = _only_words(report), _only_words(condition.words)
    return bool(claim) and f" {claim} " in f" {said} "


def _is_sentence(name: str, things: Sequence[str]) -> bool:
    """Whether a name is as long as a sentence and mentions something other than the thing it names."""
    others = (thing.lower() for thing in things if thing != name)
    return len(name.split()) >= _LEAST_WORDS and any(other in name.lower() for other in others)


def _asks_for(sentence: str, step: Step, things: Sequence[str]) -> bool:
    """Whether a sentence has a verb (or a function call) for the first thing or for all, and names the others."""
    said = " ".join(sentence.lower().replace("_", " ").split())
    first, *others = (thing.lower() for thing in things)
    if not all(other in said for other in others):
        return False
    one = "|".join(map(re.escape, (first, *_ALL)) if others else [re.escape(first)])
    if re.search(rf"\w\(['\"]?(?:{one})\b", said):
        return True
    before = re.search(rf"([^\W\d_]+)\s+(?:the |a |an |of |my |our )*(?:{one})\b", said)
    if (
        before is None or before[1] in _NO_VERBS or before[1].endswith(("ed", "ing"))
    ):  # a verb form that describes what was, or is, done
        return False
    own = {stem(word.lower()) for word in (step.words.split()[0], *step.skill.split("_")[:1])}
    return bool(others) or stem(before[1]) in own
