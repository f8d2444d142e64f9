"""What an event is in words, for people: the one place that says so. Whoever shows it only lays it out.

`Narrator` makes rows of a conversation: who says what, in which manner, and what it cost to think it up; the page shows
them live, and a run that is shared shows the same ones. A row never changes once it is there, so that whoever shows it
only ever adds at the end. The terminal has lines of its own, in the words of the papers' transcripts, and takes from
here what is said in the same words everywhere (`tell_words`), what has changed in view (`SceneMemory`), what was put
right, and what a check has found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from thinkaloud.episode.outline import difference
from thinkaloud.monologue import Event
from thinkaloud.records import (
    ACTS,
    Answer,
    Ask,
    Begin,
    Critique,
    Decline,
    Done,
    End,
    Look,
    Meaning,
    ModelCall,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Rehearsal,
    Request,
    Resumed,
    Started,
    Stop,
    Verdict,
    WorldState,
)
from thinkaloud.skills.built_in_steps import SAY, STEPS
from thinkaloud.skills.self_repair import NOTHING_TO_DO

Manner = (
    Literal["person", "says", "asks", "understood", "thought", "plan", "action", "feedback", "scene", "memory"]
    | Literal["trouble", "end", "aside"]
)
"""How something is said; each looks different."""
Sign = Literal["", "=", "-", "+"]
MOST_LISTED = 20
NO_STEP = "I have no step to offer."
_GOOD = ("goal met", "answered")
_WHO: dict[Manner, str] = {"person": "You", "understood": "I understood", "thought": "Thought", "says": "Robot"}
"""Who says what is told in the same words everywhere."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list in a row: a step of a plan, kept (`=`), dropped (`-`) or new (`+`), and the reason for it."""

    text: str
    sign: Sign = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """What it took to think something up: tokens that were read anew, taken from the cache and said, and seconds."""

    role: str
    calls: int
    read: int
    cached: int
    said: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """Something that is said. `ok` says how it went, where it went somehow.

    `calls` are the events that say that a model was asked, and `costs` what that cost.
    """

    index: int
    at: float
    manner: Manner
    who: str
    text: str
    ok: bool | None = None
    lines: tuple[Line, ...] = ()
    calls: tuple[int, ...] = ()
    costs: tuple[Cost, ...] = ()


@dataclass(frozen=True, slots=True)
class SceneChange:
    """What a look has brought. `achieved` is what of the goal holds, where that is news."""

    first: bool
    gone: tuple[str, ...]
    come: tuple[str, ...]
    achieved: tuple[str, ...] | None


class SceneMemory:
    """Remembers what was in view, and tells what is different."""

    def __init__(self) -> None:
        self._in_view: tuple[str, ...] | None = None
        self._achieved: tuple[str, ...] = ()

    def look(self, seen: Observation, *, goal: bool) -> SceneChange:
        """Take a look in; `goal` says whether there is one to be measured by."""
        before = self._in_view
        gone = tuple(name for name in before or () if name not in seen.objects)
        come = tuple(name for name in seen.objects if name not in (before or ()))
        self._in_view = seen.objects
        achieved = None
        if seen.achieved is not None and goal:
            words = tuple(condition.words for condition in seen.achieved)
            achieved = words if words != self._achieved else None
            self._achieved = words
        return SceneChange(before is None, gone, come, achieved)

    def aim_anew(self) -> None:
        """The goal is another one."""
        self._achieved = ()


class Narrator:
    """Hears every event of a session in its order, and tells it in rows."""

    def __init__(self) -> None:
        self._calls: dict[int, ModelCall] = {}
        self._sight = SceneMemory()
        self._goal: tuple[str, ...] = ()
        self._ahead: list[str] = []
        self._reported = ""

    def hear(self, event: Event) -> list[Row]:
        """Take an event in; the rows that it is worth."""
        if isinstance(event.record, ModelCall):
            self._calls[event.index] = event.record
            return []
        rows = self._told(event)
        if rows and self._calls:
            rows[-1] = replace(rows[-1], calls=tuple(self._calls), costs=sum_costs([*self._calls.values()]))
            self._calls.clear()
        return rows

    # One event --------------------------------------------------------------------------------------------------------

    def _told(self, event: Event) -> list[Row]:
        def row(manner: Manner, who: str, text: str, ok: bool | None = None, lines: tuple[Line, ...] = ()) -> Row:
            return Row(event.index, event.at, manner, who, text.strip(), ok, lines)

        if isinstance(event.record, Request):
            self._goal = ()
            self._sight.aim_anew()
        if (told := tell_words(event.record)) is not None:
            manner, text = told
            return [row(manner, _WHO[manner], text, False if isinstance(event.record, Stop) else None)]
        match event.record:
            case Begin(world, preset, model, seed):
                return [row("aside", "", f"{world}, seed {seed} · {preset.partition(':')[0]} · {model}")]
            case Resumed(because):
                return [row("aside", "", f"Taken up again: {because}")]
            case Ask(questions):
                return [row("asks", "Question", " ".join(questions))]
            case Refusal(role, words, why):
                said = f"“{words.strip()}” " if words.strip() else ""
                return [row("trouble", f"{role.capitalize()} not usable", f"{said}{why}")]
            case Critique(violations, by):
                found = tuple(Line(tell_place(each.step).capitalize() + each.why, "-") for each in violations)
                text = "This does not go yet." if found else f"No objections{f' ({by})' if by else ''}."
                return [row("feedback", "Critic", text, not found, found)]
            case Rehearsal(feasible, step, error):
                text = "It would work." if feasible else tell_place(step).capitalize() + error
                return [row("feedback", "Rehearsal", text, feasible)]
            case Started(step) | Outcome(step) | Verdict(step) if step.skill in STEPS:
                return []
            case Started(step, correcting):
                self._ahead = self._ahead[1:] if self._ahead[:1] == [step.words] else self._ahead
                return [row("action", "Puts right" if correcting else "Does", step.words)]
            case Outcome(step, ending, report):
                self._reported = report
                self._ahead = [*([] if ending == "completed" else [step.words]), *self._ahead]
                done = [row("feedback", *told) for told in tell_repairs(event.record)]
                if ending != "completed":
                    done.append(row("trouble", ending.capitalize(), report))
                return done
            case Verdict(ok=ok, expected=expected):
                text = expected or "It worked." if ok else tell_miss(event.record, self._reported) or "No."
                return [row("feedback", "Check", text + tell_doubt(event.record), ok)]
            case End(result, because):
                return [row("end", result.capitalize(), because, result in _GOOD)]
            case Observation():
                return self._seen(event, event.record)
            case WorldState(changes=changes):
                return [row("memory", "Remembers", c.what, None, (Line(c.cause),) if c.cause else ()) for c in changes]
            case Plan():
                return self._planned(event, event.record)
        return []

    def _seen(self, event: Event, seen: Observation) -> list[Row]:
        view, rows = self._sight.look(seen, goal=bool(self._goal)), list[str]()
        if view.first:
            rows.append(f"I see {list_names(seen.objects)}." if seen.objects else "I see nothing.")
        else:
            rows += [f"No longer in view: {list_names(view.gone)}."] if view.gone else []
            rows += [f"Now in view: {list_names(view.come)}."] if view.come else []
        if view.achieved is not None:
            rows.append(f"{len(view.achieved)} of {len(self._goal)} conditions hold. {' '.join(view.achieved)}")
        return [Row(event.index, event.at, "scene", "Sees", text.strip()) for text in rows]

    def _planned(self, event: Event, plan: Plan) -> list[Row]:
        rows: list[Row] = []

        def add(manner: Manner, who: str, text: str, lines: tuple[Line, ...] = ()) -> None:
            rows.append(Row(event.index, event.at, manner, who, text, None, lines))

        goal = tuple(condition.words for condition in plan.conditions)
        if goal and goal != self._goal:
            add("thought", "Goal", " ".join(goal))
        self._goal = goal or self._goal
        if plan.thought:
            add("thought", "Thought", plan.thought)
        outline = plan.outline
        if outline is not None and outline.line is not None and outline.at is not None:
            add("thought", "Plan", f"Step {outline.at + 1} of {len(outline.lines)}: {outline.line}")
            return rows
        reasons = {step.words: step.reason for step in plan.steps if step.reason != plan.thought}
        steps = [step.words for step in plan.steps if step.skill not in STEPS] if outline is None else outline.lines
        lines = _changed(self._ahead, list(steps), reasons)
        changed = any(line.sign in ("-", "+") for line in lines)
        if changed or (len(steps) > 1 and not self._ahead):
            add("plan", "Plan", "I change my plan:" if changed else "I am going to do this:", lines)
        elif not goal and not plan.steps and not plan.thought:
            add("thought", "Thought", NO_STEP)
        self._ahead = list(steps)
        return rows


def _changed(old: list[str], new: list[str], reasons: dict[str, str]) -> tuple[Line, ...]:
    """The steps of a new plan, beside what was left of the one before it; without signs where nothing was left."""
    if not old:
        return tuple(Line(words, "", reasons.get(words, "")) for words in new)
    signs: dict[str, Sign] = {"=": "=", "-": "-", "+": "+"}
    return tuple(Line(words, signs[sign], reasons.get(words, "")) for sign, words in difference(old, new))


def sum_costs(calls: Sequence[ModelCall]) -> tuple[Cost, ...]:
    """What calls of models cost, for each role."""
    found = []
    for role in dict.fromkeys(call.role for call in calls):
        own = [call for call in calls if call.role == role]
        read, cached, said = (sum(getattr(call, name) for call in own) for name in ("evaluated", "cached", "generated"))
        found.append(Cost(role, len(own), read, cached, said, round(sum(call.seconds for call in own), 3)))
    return tuple(found)


def tell_words(record: Record) -> tuple[Manner, str] | None:
    """What is told in the same words everywhere: in which manner, and the words; None for what each shows its own way.

    A question or a refusal that a request was understood as is heard when it is uttered, and so is an answer.
    """
    match record:
        case Request(text) | Answer(text):
            return "person", text
        case Stop(because):
            return "person", f"Stop ({because})"
        case Meaning(sort=sort, words=words) if sort in ACTS:
            return "understood", words
        case Meaning(sort="look", words=words):
            return "says", words
        case Look(because):
            return "thought", f"I look again: {because}"
        case Done(because, how) if how != "answered":
            return "thought", f"Done: {because}"
        case Decline(why):
            return "says", why
        case Started(step) if step.skill == SAY:
            return "says", str(step.arguments.get("text", step.words))
    return None


def tell_repairs(outcome: Outcome) -> list[tuple[str, str]]:
    """What a skill has put right, or tried to, on its own: a label and the words; not what the report says already."""
    label = "Put right" if outcome.ending == "completed" else "Tried"
    return [(label, f"{fix.problem} {fix.remedy}") for fix in outcome.fixes if fix.remedy != NOTHING_TO_DO]


def tell_miss(verdict: Verdict, reported: str) -> str:
    """What is not as it should be; nothing that the skill has reported itself."""
    return " ".join(filter(None, (verdict.observed, "" if verdict.why == reported else verdict.why)))


def tell_doubt(verdict: Verdict) -> str:
    """How far a verdict may be wrong, to stand after it; nothing where nothing is known to err."""
    return f" ({verdict.doubt})" if verdict.doubt else ""


def tell_place(step: int | None) -> str:
    """The step that something is said about; nothing where it is the plan as a whole."""
    return "" if step is None else f"step {step + 1}: "


def list_names(names: Sequence[str]) -> str:
    """The names, or the first of them where a whole home is in view."""
    more = f" … and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED + 3 else ""
    return ", ".join(names[:MOST_LISTED] if more else names) + more
