"""Events in words, for people. Only this module words them; the front ends lay them out.

`Narrator` turns events into rows of a conversation: who says what, in which manner, and what the thinking cost. The
page shows the rows live, and a shared run shows the same rows. A row never changes, so front ends only append. The
terminal has its own lines, in the words of the papers' transcripts. From here it takes the texts that are the same
everywhere (`tell_words`), what changed in view (`SceneMemory`), repairs, and the results of checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from thinkaloud.episode.outline import difference
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.monologue import Event
from thinkaloud.records import (
    ACTS,
    Answer,
    Ask,
    Begin,
    Critique,
    Decline,
    Done,
    DueRequest,
    Emergency,
    End,
    Look,
    LookFirst,
    Meaning,
    ModelCall,
    Observation,
    Outcome,
    Plan,
    PlanEdit,
    Record,
    Refusal,
    Rehearsal,
    Request,
    Resumed,
    RuleNotice,
    Started,
    Stop,
    Taught,
    Verdict,
    WorldState,
)
from thinkaloud.skills.built_in_steps import SAY, STEPS
from thinkaloud.skills.self_repair import NOTHING_TO_DO

Manner = (
    Literal["person", "says", "asks", "understood", "thought", "plan", "action", "feedback", "scene", "memory"]
    | Literal["trouble", "end", "aside"]
)
"""The manner of a row; each looks different."""
Sign = Literal["", "=", "-", "+"]
_SIGNS: dict[str, Sign] = {"=": "=", "-": "-", "+": "+"}
MOST_LISTED = 20
NOT_CHECKED = "not checked: this skill declares nothing to check"
NO_STEP = "I have no step to offer."
_GOOD = ("goal met", "answered")
_WHO: dict[Manner, str] = {"person": "You", "understood": "I understood", "thought": "Thought", "says": "Robot"}
"""The speaker of each text that is the same everywhere."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list in a row: a step of a plan, kept (`=`), dropped (`-`) or new (`+`), and the reason for it."""

    text: str
    sign: Sign = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a thought cost: tokens read, cached and generated, and seconds."""

    role: str
    calls: int
    read: int
    cached: int
    said: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the conversation. `ok` says whether it went well, if that applies.

    `calls` are the events of the model calls behind it, and `costs` what they cost.
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
    """What a look has changed. `achieved` is the part of the goal that holds, if that is news."""

    first: bool
    gone: tuple[str, ...]
    come: tuple[str, ...]
    achieved: tuple[str, ...] | None


class SceneMemory:
    """Remembers what was in view and reports what changed."""

    def __init__(self) -> None:
        self._in_view: tuple[str, ...] | None = None
        self._achieved: tuple[str, ...] = ()

    def look(self, seen: Observation, *, goal: bool) -> SceneChange:
        """Process an observation; `goal` says whether there is a goal to measure progress against."""
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
        """The goal has changed."""
        self._achieved = ()


class Narrator:
    """Receives every event of a session in order and turns it into rows."""

    def __init__(self, speak: PersonEnglish | None = None) -> None:
        """`speak` turns what the robot says into a person's English."""
        self.speak = speak
        self._calls: dict[int, ModelCall] = {}
        self._sight = SceneMemory()
        self._goal: tuple[str, ...] = ()
        self._ahead: list[str] = []
        self._reported = ""

    def hear(self, event: Event) -> list[Row]:
        """The rows for an event."""
        if isinstance(event.record, ModelCall):
            self._calls[event.index] = event.record
            return []
        if self.speak is not None and isinstance(event.record, Observation):
            self.speak.see(event.record)
        rows = [self._spoken(row) for row in self._told(event)]
        if rows and self._calls:
            rows[-1] = replace(rows[-1], calls=tuple(self._calls), costs=sum_costs([*self._calls.values()]))
            self._calls.clear()
        return rows

    def _spoken(self, row: Row) -> Row:
        speak = self.speak
        if speak is None or row.manner in ("person", "aside", "scene", "memory", "trouble"):
            return row
        lines = tuple(replace(line, text=speak(line.text), why=speak(line.why)) for line in row.lines)
        return replace(row, text=speak(row.text), lines=lines)

    # One event --------------------------------------------------------------------------------------------------------

    def _told(self, event: Event) -> list[Row]:
        def row(manner: Manner, who: str, text: str, ok: bool | None = None, lines: tuple[Line, ...] = ()) -> Row:
            return Row(event.index, event.at, manner, who, text.strip(), ok, lines)

        if isinstance(event.record, Request):
            self._goal = ()
            self._sight.aim_anew()
        if (told := tell_words(event.record)) is not None:
            manner, text = told
            who = tell_speaker(event.record) or _WHO[manner]
            return [row(manner, who, text, False if isinstance(event.record, Stop) else None)]
        match event.record:
            case Begin(world, preset, model, seed):
                return [row("aside", "", f"{world}, seed {seed} · {preset.partition(':')[0]} · {model}")]
            case Resumed(because):
                return [row("aside", "", f"Resumed: {because}")]
            case PlanEdit(steps, left):
                changes = difference([step.words for step in left], [step.words for step in steps])
                lines = tuple(Line(words, _SIGNS[sign]) for sign, words in changes)
                return [row("person", tell_speaker(event.record) or "You", "I change the plan:", lines=lines)]
            case Taught():
                return [row("memory", "Lesson", tell_lesson(event.record))]
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
                return [row("action", "Corrects" if correcting else "Does", step.words)]
            case Outcome(step, ending, report):
                self._reported = report
                self._ahead = [*([] if ending == "completed" else [step.words]), *self._ahead]
                done = [row("feedback", *told) for told in tell_repairs(event.record)]
                if ending != "completed":
                    done.append(row("trouble", ending.capitalize(), report))
                return done
            case Verdict(ok=ok, observed=observed, unchecked=True):
                return [row("feedback", "Check", f"{NOT_CHECKED.capitalize()}." if ok else observed)]
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
            words = " ".join(view.achieved)
            words = words if self.speak is None else self.speak(words)
            rows.append(f"{len(view.achieved)} of {len(self._goal)} conditions hold. {words}")
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
    """The steps of a new plan, compared with what was left of the previous one; without signs if nothing was."""
    if not old:
        return tuple(Line(words, "", reasons.get(words, "")) for words in new)
    return tuple(Line(words, _SIGNS[sign], reasons.get(words, "")) for sign, words in difference(old, new))


def sum_costs(calls: Sequence[ModelCall]) -> tuple[Cost, ...]:
    """What model calls cost, by role."""
    found = []
    for role in dict.fromkeys(call.role for call in calls):
        own = [call for call in calls if call.role == role]
        read, cached, said = (sum(getattr(call, name) for call in own) for name in ("evaluated", "cached", "generated"))
        found.append(Cost(role, len(own), read, cached, said, round(sum(call.seconds for call in own), 3)))
    return tuple(found)


def tell_words(record: Record) -> tuple[Manner, str] | None:
    """The manner and text of a record that reads the same everywhere; None if each front end shows it its own way.

    If a request was understood as a question, a refusal or an answer, that is shown when the robot says it.
    """
    match record:
        case DueRequest(text) | RuleNotice(words=text) if text:
            return "says", text
        case RuleNotice():
            return None
        case Request(text) | Answer(text):
            return "person", text
        case Stop(because):
            return "person", f"Stop ({because})"
        case Meaning() if record.sort in ACTS:
            return "understood", record.spoken
        case Meaning(words=words, content=LookFirst() | Emergency()):
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


def tell_speaker(record: Record) -> str:
    """Who said a record's words: `Anna (nurse)`; empty if that is not known."""
    return str(record.by) if isinstance(record, Request | Answer | PlanEdit) and record.by is not None else ""


def tell_lesson(lesson: Taught) -> str:
    """A lesson in words: what is said, and what is meant by it."""
    ended = "That no longer holds: " if lesson.forgotten else ""
    return f"{ended}When you say “{lesson.said}”, you mean: {lesson.means or lesson.words}"


def tell_repairs(outcome: Outcome) -> list[tuple[str, str]]:
    """What a skill fixed, or tried to fix, by itself: a label and the words, without what its report already says."""
    label = "Fixed" if outcome.ending == "completed" else "Tried"
    return [(label, f"{fix.problem} {fix.remedy}") for fix in outcome.fixes if fix.remedy != NOTHING_TO_DO]


def tell_miss(verdict: Verdict, reported: str) -> str:
    """What is not as it should be, without what the skill reported itself."""
    return " ".join(filter(None, (verdict.observed, "" if verdict.why == reported else verdict.why)))


def tell_doubt(verdict: Verdict) -> str:
    """How likely a verdict is wrong, to be shown after it; empty if no detector is known to err."""
    return f" ({verdict.doubt})" if verdict.doubt else ""


def tell_place(step: int | None) -> str:
    """The step that a remark is about; empty if it is about the whole plan."""
    return "" if step is None else f"step {step + 1}: "


def list_names(names: Sequence[str]) -> str:
    """The names, shortened if a whole home is in view."""
    more = f" … and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED + 3 else ""
    return ", ".join(names[:MOST_LISTED] if more else names) + more
