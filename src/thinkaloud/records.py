"""The records: the only things that pass between stages. Each is frozen, and each is an event of the monologue.

A field marked `measured` depends on the machine, not on the episode (seconds, cache hits). Exports leave it out, so
that the same seed gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

Value = str | int | float | bool
Arguments = Mapping[str, Value]


def _measured(default: Any, *, compared: bool = True) -> Any:
    """A field whose value depends on the machine, not on the episode."""
    return field(default=default, compare=compared, metadata={"measured": True})


_OPTIONAL = {"optional": True}
"""Marks a field that is only written down where it says something."""


# What a person says ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person who talks to the robot: a name, and a role such as `nurse`."""

    name: str
    role: str = ""

    @classmethod
    def read(cls, text: str) -> Speaker:
        """The person in a text: `Anna:nurse`, or only `Anna`."""
        name, _, role = text.partition(":")
        return cls(" ".join(name.split()), " ".join(role.split()))

    def __str__(self) -> str:
        return f"{self.name} ({self.role})" if self.role else self.name

    def is_one_of(self, people: Collection[str]) -> bool:
        """Whether this person's role or name is among these."""
        named = {each.casefold() for each in people}
        return self.name.casefold() in named or self.role.casefold() in named


@dataclass(frozen=True, slots=True)
class Request:
    """A person wants something done; a later one replaces or extends an earlier one.

    `attended` says whether somebody was there to answer questions about it, and `by` who said it, if that is known.
    """

    text: str
    attended: bool = field(default=True, compare=False)
    by: Speaker | None = field(default=None, metadata=_OPTIONAL)


@dataclass(frozen=True, slots=True)
class StandingRule:
    """Something to do when a condition or a time comes: each time anew, or the next time only.

    `program` is its text: `whenever(ringing("bell"), open("door"))`. `when` and `deeds` say it in words. `said` are the
    person's words, and `since` is the moment they were said. `timed`: it waits for a time, and no condition; `due` is
    the moment of something that is done once.
    """

    program: str
    when: str
    deeds: str
    said: str = ""
    since: str = ""
    due: str = ""
    timed: bool = False

    @property
    def again(self) -> bool:
        """Whether it is done each time anew."""
        return self.program.startswith("whenever")


@dataclass(frozen=True, slots=True)
class DueRequest(Request):
    """A standing rule has come due, and nobody says it now: the robot asks itself for what the rule is about."""

    rule: StandingRule = StandingRule("", "", "")
    time: str = _measured("", compared=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """A person answers what the robot asked; `by` says who, if that is known."""

    text: str
    by: Speaker | None = field(default=None, metadata=_OPTIONAL)


@dataclass(frozen=True, slots=True)
class Stop:
    """A person (or a limit, or Ctrl-C) wants the robot to hold still at once."""

    because: str = "you said stop"


# What a planner may return: a closed set ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that can be true of the world, such as on(red block, green bowl)."""

    relation: str
    arguments: Arguments
    words: str


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a skill, with the words it was said in and the reason for it."""

    skill: str
    arguments: Arguments
    words: str
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PlanEdit:
    """A person changed the plan before it ran: these steps are to be done in place of those that were `left`.

    `approved`: they agree to exactly these steps, so the robot need not ask again.
    """

    steps: tuple[Step, ...]
    left: tuple[Step, ...] = ()
    approved: bool = False
    by: Speaker | None = field(default=None, metadata=_OPTIONAL)


Message = Request | Answer | Stop | PlanEdit


@dataclass(frozen=True, slots=True)
class Taught:
    """A lesson: what a person means when they say something. It is kept for later sessions with the same robot.

    `means` are other words for it, or `program` is its text, and `words` say it. `forgotten`: it no longer holds.
    """

    said: str
    means: str = ""
    program: str = ""
    words: str = ""
    by: Speaker | None = field(default=None, metadata=_OPTIONAL)
    forgotten: bool = False


# What was understood of what a person said ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of what a person said: a program, what it does in words, and its weight (0 to 1)."""

    program: str
    words: str
    weight: float
    deeds: tuple[Step, ...] = field(default=(), compare=False, metadata=_OPTIONAL)
    """What it would do as things are, to be shown where a person chooses between readings."""
    kept: tuple[str, ...] = field(default=(), compare=False, metadata=_OPTIONAL)
    rules: tuple[Rule, ...] = field(default=(), compare=False, metadata=_OPTIONAL)
    """With `kept`: what would be forbidden from then on."""


MeaningKind = Literal[
    "deeds", "answer", "note", "question", "refusal", "unclear", "stop", "undo", "previous", "look", "emergency"
]
ACTS: tuple[MeaningKind, ...] = ("deeds", "undo", "previous")
"""The meanings that lead to actions."""
WEIGHED: tuple[MeaningKind, ...] = (*ACTS, "answer", "note")
"""The meanings whose misreading would go unnoticed; with the others the robot asks or declines anyway."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A deed that a person forbade, or allowed again: a skill, and the arguments that matter.

    With `above`, only a larger number is forbidden. `until` is the program text of what ends the rule. `words` say it.
    """

    skill: str
    arguments: Arguments
    above: float | None = None
    until: str = ""
    words: str = ""
    allowed: bool = False


@dataclass(frozen=True, slots=True)
class Act:
    """Something is to be done.

    `deeds` are the skill calls in the order they were said, without those that would change nothing; their effects are
    in `already`. `wishes` are the goal conditions. `kept` must not be touched during this request, and the same holds
    for `rules` about deeds; `left_out` was to be left alone before. `said` is told when all is done. `goes_on`: the
    earlier request continues as well. `lacking` says which part of the request cannot be done, where the deeds are the
    rest of it.
    """

    sort: ClassVar[MeaningKind] = "deeds"
    deeds: tuple[Step, ...] = ()
    wishes: tuple[Condition, ...] = ()
    already: tuple[Condition, ...] = ()
    kept: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    left_out: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    goes_on: bool = False
    lacking: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question is answered. `idle`: something was to be done, and as things are there is nothing to do."""

    sort: ClassVar[MeaningKind] = "answer"
    said: tuple[str, ...]
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    """A person told something, and nothing is to be done now; `kept` and `rules` hold from now on."""

    sort: ClassVar[MeaningKind] = "note"
    kept: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """The robot has to ask; `options` are possible answers, and `noun` is the word that may name several of them."""

    sort: ClassVar[MeaningKind] = "question"
    text: str
    options: tuple[str, ...] = ()
    noun: str = ""


RefusalKind = Literal[
    "no such thing",
    "no such skill",
    "too few",
    "not possible",
    "not known",
    "not allowed",
    "not found",
    "declined",
    "you said no",
]


@dataclass(frozen=True, slots=True)
class Refused:
    """It cannot be, or must not be; `missing` is what a person named that is not here."""

    sort: ClassVar[MeaningKind] = "refusal"
    kind: RefusalKind
    why: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class NotClear:
    """It was not understood. `undecided`: there were readings, and the robot asked about them in vain."""

    sort: ClassVar[MeaningKind] = "unclear"
    why: str = ""
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class StopWhen:
    """The robot is to leave off: at once, or when the current step is over."""

    sort: ClassVar[MeaningKind] = "stop"
    when: Literal["now", "after this"] = "now"


@dataclass(frozen=True, slots=True)
class UndoWork:
    """What was done for the latest `count` requests is taken back, and something else may be done then."""

    sort: ClassVar[MeaningKind] = "undo"
    count: int = 1
    then: Act | None = None


@dataclass(frozen=True, slots=True)
class GoBack:
    """The robot continues with the earlier request, but leaves some things alone."""

    sort: ClassVar[MeaningKind] = "previous"
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LookFirst:
    """Before the request can be read, the robot has to see something; then these `wishes` hold."""

    sort: ClassVar[MeaningKind] = "look"
    wishes: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Emergency:
    """Somebody needs help at once; `matter` is what happened, in the person's words."""

    sort: ClassVar[MeaningKind] = "emergency"
    matter: str = ""


Content = Act | Answered | Noted | Question | Refused | NotClear | StopWhen | UndoWork | GoBack | LookFirst | Emergency
CONTENTS: dict[str, type[Content]] = {kind.sort: kind for kind in get_args(Content)}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What was understood: a short program over the robot's own skills and relations, and what it means right now.

    `words` says it in plain words; code renders them, and nothing reads them back. `notes` are to be remembered, and
    what is `freed` may be touched again, whatever else the `content` is. So do the `standing` rules wait
    for their time, and those that are `forgotten` end.

    `sure` is the weight of this reading, from 0 to 1, or None if nobody measured it; `readings` are the others.
    If the program refers to things by descriptions, `written` keeps it as it was written; `meant` are those things.
    """

    program: str
    words: str
    content: Content
    notes: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    sure: float | None = None
    readings: tuple[Reading, ...] = ()
    written: str = ""
    meant: tuple[str, ...] = ()
    standing: tuple[StandingRule, ...] = ()
    forgotten: tuple[StandingRule, ...] = ()
    told: str = field(default="", metadata=_OPTIONAL)
    """What is said to a person in place of `words`, which models read: an amount with its unit."""

    @property
    def spoken(self) -> str:
        """What is said to a person."""
        return self.told or self.words

    @property
    def sort(self) -> MeaningKind:
        """Which of the kinds of content it has, by name."""
        return self.content.sort

    @property
    def act(self) -> Act:
        """What is to be done, perhaps after something was taken back; an empty act if nothing is."""
        match self.content:
            case (Act() as act) | UndoWork(then=Act() as act):
                return act
        return Act()

    @property
    def deeds(self) -> tuple[Step, ...]:
        """The skill calls, if something is to be done."""
        return self.act.deeds

    @property
    def said(self) -> tuple[str, ...]:
        """What the robot says: its answer, or what it tells when all is done."""
        return self.content.said if isinstance(self.content, Answered) else self.act.said

    @property
    def kept(self) -> tuple[str, ...]:
        """What must not be touched."""
        return self.content.kept if isinstance(self.content, Noted | GoBack) else self.act.kept

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What must not be done, or may be done again."""
        return self.content.rules if isinstance(self.content, Noted) else self.act.rules


@dataclass(frozen=True, slots=True)
class Outline:
    """Everything to be done, in words, one line each, and the index (from 0) of the current line.

    `at` is None while the lines have only been listed, and equals their number once all of them are over.
    """

    lines: tuple[str, ...]
    at: int | None = None

    @property
    def line(self) -> str | None:
        """The current line, if any."""
        return None if self.at is None or not 0 <= self.at < len(self.lines) else self.lines[self.at]


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps towards a goal; a planner that thinks one step ahead returns plans of one step.

    `thought` is the reasoning shown to people. `verbatim` is the model's own text, as far as its planner parses it
    again or repeats it in a prompt; nothing else reads it. A planner that thinks on two levels lists an `outline`
    first, and then returns a plan for each of its lines.
    """

    goal: str
    conditions: tuple[Condition, ...]
    steps: tuple[Step, ...]
    thought: str = ""
    verbatim: str = ""
    outline: Outline | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """The planner needs to ask a person."""

    questions: tuple[str, ...]
    because: str = ""
    approval: bool = False
    """The loop itself asks, before a step that needs approval. This is part of carrying out a plan."""
    approvers: tuple[str, ...] = field(default=(), metadata=_OPTIONAL)
    """The roles or names of those who may say yes; empty if anybody may."""
    plan: bool = field(default=False, metadata=_OPTIONAL)
    """It asks whether a whole plan may be carried out."""


@dataclass(frozen=True, slots=True)
class Look:
    """The planner wants the scene scanned again."""

    because: str


HowDone = Literal["finished", "checked", "answered", "gave up", "left off"]


@dataclass(frozen=True, slots=True)
class Done:
    """The planner believes that nothing is left to do. This is a belief, not a check.

    `checked`: what was asked for declares no effects, and the skills' own checks found everything in order.
    `answered`: the request changes nothing in the world; the robot answered a question or noted what it was told.
    `gave up`: something did not work, and the planner does not know what else to try.
    `left off`: a person wants no more of it.
    """

    because: str
    how: HowDone = "finished"


@dataclass(frozen=True, slots=True)
class Decline:
    """The request cannot or should not be carried out."""

    why: str


Decision = Plan | Ask | Look | Done | Decline
DECISIONS: tuple[type[Decision], ...] = (Plan, Ask, Look, Done, Decline)


# What the other stages say --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """What changed in the remembered world, in words, and what caused it: a step, or what a person said."""

    what: str
    cause: str


@dataclass(frozen=True, slots=True)
class WorldState:
    """What the robot believes about the world, whether it can see it or not.

    A thing without an `on` relation stands on the table. An attribute that is True is a word about a thing (`dirty`);
    any other has a value (`weight`: 2). Facts are statements about several things at once, such as how their weights
    compare (`state.weights` reads those). `changes` is the difference from the previous state, so the states of a
    monologue are its history. `untold` are relations, in words, that the robot could not tell.
    """

    objects: tuple[str, ...] = ()
    relations: tuple[Condition, ...] = ()
    attributes: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    untold: tuple[str, ...] = field(default=(), metadata=_OPTIONAL)


@dataclass(frozen=True, slots=True)
class Observation:
    """What the robot perceives now.

    `vocabulary` lists what each kind of argument may be in this scene; grammars and argument checks read it. `achieved`
    is the progress: which of the planner's own conditions hold, or None if that is not perceived. `doubt` says how
    likely that is wrong.
    """

    objects: tuple[str, ...]
    vocabulary: Mapping[str, tuple[str, ...]]
    hidden: tuple[str, ...] = ()
    achieved: tuple[Condition, ...] | None = None
    state: WorldState | None = None
    doubt: str = ""

    @property
    def known(self) -> tuple[str, ...]:
        """The names of what is in view, and of what was."""
        return tuple(dict.fromkeys((*self.objects, *self.hidden)))


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with one step of a plan (0 is the first; None means the plan as a whole)."""

    step: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Critique:
    """A plan was criticised. No violations means it is feasible. `by`: the critics, such as `rules, analyzer`."""

    violations: tuple[Violation, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A plan was tried in a twin of the world; `error` is the first thing that went wrong, at `step`.

    `lasted` is how long the robot would have moved until then, on the world's clock.
    """

    feasible: bool
    step: int | None = None
    error: str = ""
    lasted: float = 0.0
    seconds: float = _measured(0.0)


@dataclass(frozen=True, slots=True)
class Started:
    """A step begins. This is committed before anything moves."""

    step: Step
    correcting: bool = False


Ending = Literal["completed", "failed", "interrupted"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A problem that a skill met and what it did about it; `looked`: it looked at the world to do so."""

    problem: str
    remedy: str
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the skill itself reported. A completed skill has not necessarily worked."""

    step: Step
    ending: Ending
    report: str = ""
    fixes: tuple[Fix, ...] = ()
    impossible: bool = False
    """Whether the skill said that it cannot be done: as things are, it is not tried again."""
    begun: bool = field(default=True, metadata=_OPTIONAL)
    """Whether the skill itself was called; if not, something forbade it before, or it was so already."""
    time: str = _measured("", compared=False)
    """The date and the time of day; `Event.at` is on the world's clock, which may run differently."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A step was checked against the world."""

    step: Step
    ok: bool
    level: Literal["action", "plan"]
    expected: str = ""
    observed: str = ""
    why: str = ""
    doubt: str = ""
    """How likely this is wrong, in words; empty if no detector is known to err."""
    unchecked: bool = field(default=False, metadata=_OPTIONAL)
    """Whether it could not be checked. If it is `ok`, nothing is declared to check it by, so that only the skill's
    report counts; if not, the check itself failed, and nobody knows whether the step worked."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A model's answer was unusable; the reason goes back to the model as feedback."""

    role: str
    words: str
    why: str


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A language model was called, and what that cost."""

    role: str
    model: str
    prompt: int
    generated: int
    evaluated: int = _measured(0)
    cached: int = _measured(0)
    seconds: float = _measured(0.0)
    money: float = field(default=0.0, metadata={"measured": True, **_OPTIONAL})
    """By the prices in the settings."""


@dataclass(frozen=True, slots=True)
class RuleNotice:
    """Something about a standing rule that the robot says on its own, whatever is under way.

    `due`: its time or condition has come, and its deeds follow as a `DueRequest`, once the robot is free. `reminds`: it
    is a reminder, and this is it. `missed`: it came while the program was off, and is not done. `cleared`: its
    condition no longer holds, which nobody is told: the next time that it does is a new one.
    """

    rule: StandingRule
    what: Literal["due", "reminds", "missed", "cleared"]
    words: str = ""
    time: str = _measured("", compared=False)


# How a run begins and ends --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Begin:
    """Everything needed to build this run again."""

    world: str
    preset: str
    model: str
    seed: int
    options: Mapping[str, str] = field(default_factory=dict)
    scene: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The run was resumed after its process ended."""

    because: str


Result = Literal["goal met", "answered", "unconfirmed", "declined", "limit", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class End:
    """The run is over. Only a check of the world gives `goal met`; `answered` means there was nothing to do."""

    result: Result
    because: str
    values: tuple[Condition, ...] = field(default=(), compare=False, metadata=_OPTIONAL)
    """The values that the work changed, as they were read off at the end."""


Record = (
    Message
    | DueRequest
    | RuleNotice
    | Taught
    | Meaning
    | Decision
    | Observation
    | WorldState
    | Critique
    | Rehearsal
    | Started
    | Outcome
    | Verdict
    | Refusal
    | ModelCall
    | Begin
    | Resumed
    | End
)


def writable(text: str) -> str:
    """The text as UTF-8 can hold it: a lone surrogate, left by badly decoded bytes, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
