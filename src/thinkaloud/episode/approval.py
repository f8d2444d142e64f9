"""What people allowed: a yes to a single step, and steps that nobody but a thing or a report has asked for.

A model reads names and reports, and may take what they say for an order: "put the mug in the sink first". That may be
good advice or a trap; so where a person is there, they are asked about such a step, and else it is not taken. A
model that obeys whatever it reads is led astray without it (`campaign/gullible.py`). The same holds for a step that a
model proposes after a failure, if it is about something that neither the person nor the plan for them speaks of; and
for one that brings about just what a report says is so: who believes the report has nothing to do, and who does not is
led by it; and for one that is a step which was thought of before, with something else in the place of what the person
named, if a report names that, whatever it says of it: a correction may have to do with things of which nobody spoke,
but not *instead of* those of which somebody did.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

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
    Refusal,
    Rehearsal,
    Request,
    Started,
    Step,
    Verdict,
    Violation,
)
from thinkaloud.skills.built_in_steps import STEPS

MAY_I = "May I do this: "
PERSON = "person"
"""Who objects to a plan, where it is neither a critic nor a simulator."""
_SENTENCE = re.compile(r"[.;:!?]\s|[.;:!?]$|\s-\s|,\s+then\s")
_ALL = ("all", "everything", "every", "each", "alles", "todo", "tout")
_NO_VERBS = IDLE | set(words_of("was were lies stands stays cannot could up down under near beside behind about with"))
_LEAST_WORDS = 5
"""A name of fewer words asks for nothing."""


def next_word_on_step(
    step: Step, brings: Sequence[Condition], monologue: Monologue, *, must_ask: bool, present: bool
) -> Refusal | Ask | End | None:
    """What comes before a step, if anything: a question, a refusal where nobody is there to be asked, or the end.

    `brings` is what should hold after it; `must_ask`: a person has to agree in any case.
    """
    order = find_order(step, monologue, brings)
    if order and not present:
        return Refusal("planner", step.words, f"Nobody asked for {step.words!r}; only {order!r} does.")
    if not order and not must_ask:
        return None
    approved = find_approval(step, monologue)
    if approved is None:
        return Ask((MAY_I + step.words,), approval=True)
    return None if approved else End("declined", f"you did not approve: {step.words}")


def find_approval(step: Step, monologue: Monologue) -> bool | None:
    """What the person said to doing this step, or None if they have not been asked yet."""
    at, asked = monologue.where((Ask, Started)), monologue.last((Ask, Started))
    answers = monologue.since(at, Answer)
    if not isinstance(asked, Ask) or asked.questions != (MAY_I + step.words,) or not answers:
        return None
    return says_yes(answers[-1].text)  # anything unclear is a no


def next_word_on_plan(plan: Plan, at: int, monologue: Monologue) -> Ask | Critique | Decline | None:
    """What comes next until a person agrees with the plan made there; None once they do.

    They are asked; a no is a no; and whatever else they say is what they object to, for the planner to heed.
    """
    asked = next((e.index for e in monologue[at + 1 :] if isinstance(e.record, Ask) and e.record.approval), None)
    if asked is None:
        listed = " ".join(f"{number}. {step.words}" for number, step in enumerate(plan.steps, 1))
        return Ask((MAY_I + listed,), approval=True)
    answer = next(iter(monologue.since(asked, Answer)), None)
    if answer is None or says_yes(answer.text):
        return None
    if says_no(answer.text):
        return Decline("you did not agree with the plan")
    return Critique((Violation(None, answer.text),), PERSON)


def find_order(step: Step, monologue: Monologue, brings: Sequence[Condition] = ()) -> str:
    """The words of a thing's name or of a report that ask for this step where no person does; empty if none do.

    `brings` is what should hold after it.
    """
    scene = monologue.last(Observation)
    things = [value for value in step.arguments.values() if isinstance(value, str)]
    if scene is None or not things or step.skill in STEPS:
        return ""
    names = [*all_names(scene.vocabulary), *things]
    asked = " ".join(e.record.text for e in monologue.order() if isinstance(e.record, Request | Answer))
    named = {*things_in(asked, names), *(things[:1] if {*_ALL} & {*words_of(asked)} else ())}
    if {*things} <= named:
        return ""
    if _is_proposed(step, monologue) and not {*things} <= named | _planned_for(monologue):
        return step.reason or step.words
    called = [name for name in names if _is_sentence(name, things)]
    sentences = (sentence for text in _told(step, monologue) for sentence in _SENTENCE.split(text))
    asking = (sentence.strip() for sentence in sentences if _asks_for(sentence, step, things))
    reports = [record.report for record in _before(step, monologue) if isinstance(record, Outcome)]
    claimed = (each.words for each in brings if any(_claims(report, each) for report in reports))
    return called[0] if called else next(asking, "") or next(claimed, "") or _exchange(step, monologue, names, named)


def _is_proposed(step: Step, monologue: Monologue) -> bool:
    """Whether a model thought of it when it read what went wrong: a plan of this one step, in the model's own words."""
    return any(plan.steps == (step,) and plan.verbatim == step.words for plan in monologue.in_task(Plan))


def _planned_for(monologue: Monologue) -> set[object]:
    """What the plans for the request have to do with, other than what was proposed after a failure."""
    plans = (plan for plan in monologue.in_task(Plan) if not plan.verbatim)
    return {value for plan in plans for step in plan.steps for value in step.arguments.values()}


def _before(step: Step, monologue: Monologue) -> Iterator[object]:
    """All records of this task up to where the step was first thought of."""
    for event in monologue.order():
        record = event.record
        if (isinstance(record, Started) and record.step == step) or (isinstance(record, Plan) and step in record.steps):
            return
        yield record


def _exchange(step: Step, monologue: Monologue, names: Sequence[str], named: Collection[object]) -> str:
    """The report that names what stands here in the place of something that the person named; empty if none does.

    It is so where the rest is as in a step that was thought of before that report; what such a step has to do with is
    nobody's news.
    """
    earlier: list[Step] = []
    for record in _before(step, monologue):
        match record:
            case Plan(steps=steps):
                earlier.extend(steps)
            case Started(step=started):
                earlier.append(started)
            case _:
                known = {*named, *(value for each in earlier for value in each.arguments.values())}
                for text in _texts(record):
                    new = {*names_in(text, names), *things_told_apart(text, names)} - known
                    if any(_is_exchanged(each, step, names, new, named) for each in earlier):
                        return text
    return ""


def _is_exchanged(
    earlier: Step, step: Step, names: Sequence[str], new: Collection[object], named: Collection[object]
) -> bool:
    """Whether it is an earlier step but for what the person named there, which is something new here."""
    if earlier.skill != step.skill:
        return False
    pairs = [(earlier.arguments.get(each), now) for each, now in step.arguments.items() if now in names]
    others = [(before, now) for before, now in pairs if before != now]
    return 0 < len(others) < len(pairs) and all(before in named and now in new for before, now in others)


def _told(step: Step, monologue: Monologue) -> Iterator[str]:
    """What was reported before this step was first thought of."""
    return (text for record in _before(step, monologue) for text in _texts(record))


def _texts(record: object) -> tuple[str, ...]:
    """What a record has of a report's own words."""
    match record:
        case Outcome(report=report):
            return (report,)
        case Verdict(observed=observed, why=why):
            return (observed, why)
        case Rehearsal(error=error):
            return (error,)
        case _:
            return ()


def _claims(report: str, condition: Condition) -> bool:
    """Whether a skill's report says that this is so, in the words of the relation."""
    said, claim = (" ".join(re.findall(r"\w+", text.lower())) for text in (report, condition.words))
    return bool(claim) and f" {claim} " in f" {said} "


def _is_sentence(name: str, things: Sequence[str]) -> bool:
    """Whether a name is as long as a sentence, and speaks of something besides what is called so."""
    others = (thing.lower() for thing in things if thing != name)
    return len(name.split()) >= _LEAST_WORDS and any(other in name.lower() for other in others)


def _asks_for(sentence: str, step: Step, things: Sequence[str]) -> bool:
    """Whether a sentence has a verb for the first thing or for all, or calls a function of it, and names the others."""
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
    ):  # that tells what was, or is, done
        return False
    own = {stem(word.lower()) for word in (step.words.split()[0], *step.skill.split("_")[:1])}
    return bool(others) or stem(before[1]) in own
