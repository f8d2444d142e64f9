"""The records: the only things that pass between stages. Each is frozen, each is an event of the monologue.

A field marked `measured` depends on the machine and not on the episode (seconds, cache hits); exports leave it out, so
that the same seed gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Value = str | int | float | bool
Arguments = Mapping[str, Value]


def _measured(default: Any) -> Any:
    """A field whose value depends on the machine, not on the episode."""
    return field(default=default, metadata={"measured": True})


# What a person says ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """A person wants something done; a later one replaces or extends an earlier one.

    `attended` says whether somebody was there who could have been asked about it.
    """

    text: str
    attended: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """A person answers what the robot asked."""

    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A person (or a limit, or Ctrl-C) wants the robot to hold still, now."""

    because: str = "you said stop"


Message = Request | Answer | Stop


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
    reason: str = ""


# What was understood of what a person said ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read what a person said: a program, what it comes to in words, and how much speaks for it (0 to 1)."""

    program: str
    words: str
    weight: float


MeaningKind = Literal["deeds", "answer", "note", "question", "refusal", "unclear", "stop", "undo", "previous", "look"]
ACTS: tuple[MeaningKind, ...] = ("deeds", "undo", "previous")
"""Where something is done."""
WEIGHED: tuple[MeaningKind, ...] = (*ACTS, "answer", "note")
"""Where a misreading would pass for a reading: elsewhere the robot asks or declines anyway."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What was understood: a short program over the robot's own skills and relations, and what it comes to just now.

    `words` says it in plain words, made by code from the program. `deeds` are the calls of skills in the order in which
    they were said, without those that would change nothing: what those would bring about is `already` so. `wishes` must
    hold in the end. `kept` must not be touched: from now on, if that was all that was said (`lasting`), or else while
    this request is carried out. `said` are answers; `notes` what is to be remembered. `why` is the reason of a refusal,
    what is unclear, or what cannot be done where the `deeds` are the rest. `goes_on`: what was under way before it is
    not given up but done as well. The `wishes` of a `look` are what has to be so to see what was spoken of; after that
    it is read again.

    `sure` is how much speaks for this reading, from 0 to 1, or None where nobody measured; `readings` are the others.
    A program that spoke of things by descriptions is kept as `written`; `meant` are the things that they came to.
    """

    program: str
    sort: MeaningKind
    words: str
    deeds: tuple[Step, ...] = ()
    wishes: tuple[Condition, ...] = ()
    already: tuple[Condition, ...] = ()
    kept: tuple[str, ...] = ()
    lasting: bool = False
    freed: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    question: str = ""
    options: tuple[str, ...] = ()
    why: str = ""
    goes_on: bool = False
    sure: float | None = None
    readings: tuple[Reading, ...] = ()
    written: str = ""
    meant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """All that is to be done, in words, one line each; and the number (from 0) of the line that is at hand.

    `at` is None while the lines have only been listed, and their number once all of them are over.
    """

    lines: tuple[str, ...]
    at: int | None = None

    @property
    def line(self) -> str | None:
        """The line at hand, if one is."""
        return None if self.at is None or not 0 <= self.at < len(self.lines) else self.lines[self.at]


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps towards a goal; a planner that thinks one step ahead returns plans of one step.

    `thought` is what people are shown of the reasons. `verbatim` is what the model said, word for word as far as its
    planner reads it again or repeats it in a prompt; nobody else has to make sense of it. A planner that thinks on two
    levels lists an `outline` first, and then returns a plan for each line of it.
    """

    goal: str
    conditions: tuple[Condition, ...]
    steps: tuple[Step, ...]
    thought: str = ""
    verbatim: str = ""
    outline: Outline | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """The planner needs to know something from a person."""

    questions: tuple[str, ...]
    because: str = ""
    approval: bool = False
    """It is the loop itself that asks, before a step which needs approval: part of carrying out a plan."""


@dataclass(frozen=True, slots=True)
class Look:
    """The planner wants the scene scanned again."""

    because: str


HowDone = Literal["finished", "answered", "gave up", "left off"]


@dataclass(frozen=True, slots=True)
class Done:
    """The planner believes that nothing is left to do. A belief, not a check.

    `answered`: the world was not to be changed at all; a question was answered, or something told was taken note of.
    `gave up`: something did not work, and the planner knows no more to do about it.
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
    """What became different in the remembered world, in words, and what made it so: a step, or what a person said."""

    what: str
    cause: str


@dataclass(frozen=True, slots=True)
class WorldState:
    """What is believed about the world, whether it can be seen or not.

    What is in no relation `on` stands on the table. An attribute that is True is a word about a thing (`dirty`), any
    other has a value (`weight`: 2). Facts are what was told about several things at once, such as how their weights
    compare (`state.weights` reads those). `changes` is what this state differs in from the one before it: the states of
    a monologue, one after another, are the history.
    """

    objects: tuple[str, ...] = ()
    relations: tuple[Condition, ...] = ()
    attributes: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """What the robot perceives now.

    `vocabulary` names what each kind of argument may be in this scene; grammars and argument checks read it. `achieved`
    is the scene progress: which of the planner's own conditions hold, or None where that is not perceived; `doubt` says
    how far that may be wrong.
    """

    objects: tuple[str, ...]
    vocabulary: Mapping[str, tuple[str, ...]]
    hidden: tuple[str, ...] = ()
    achieved: tuple[Condition, ...] | None = None
    state: WorldState | None = None
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with one step of a plan (0 is the first; None means the plan as a whole)."""

    step: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Critique:
    """A plan was criticised; no violations means that it is feasible. `by`: who said so, such as `rules, analyzer`."""

    violations: tuple[Violation, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A plan was rolled out in a twin of the world; `error` is the first thing that went wrong, at `step`.

    `lasted` is how long the robot would have moved up to there, on the world's clock.
    """

    feasible: bool
    step: int | None = None
    error: str = ""
    lasted: float = 0.0
    seconds: float = _measured(0.0)


@dataclass(frozen=True, slots=True)
class Started:
    """A step is being carried out from now on; committed before anything moves."""

    step: Step
    correcting: bool = False


Ending = Literal["completed", "failed", "interrupted"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A problem that a skill met, and what it did about it; `looked`: for that it took a look at the world."""

    problem: str
    remedy: str
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the skill itself reported. That it completed does not mean that it worked."""

    step: Step
    ending: Ending
    report: str = ""
    fixes: tuple[Fix, ...] = ()


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
    """How far this may be wrong, in words; empty where nothing is known to err."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A model's words were not usable; goes back to the model as feedback."""

    role: str
    words: str
    why: str


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A language model was asked; what it cost."""

    role: str
    model: str
    prompt: int
    generated: int
    evaluated: int = _measured(0)
    cached: int = _measured(0)
    seconds: float = _measured(0.0)


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
    """The run was taken up again after its process had ended."""

    because: str


Result = Literal["goal met", "answered", "unconfirmed", "declined", "limit", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class End:
    """The run is over. Only a check of the world may give `goal met`; `answered` says that nothing was to be done."""

    result: Result
    because: str


Record = (
    Message
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
    """The text as UTF-8 can hold it: half of a surrogate pair, as badly decoded bytes leave it, is a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
