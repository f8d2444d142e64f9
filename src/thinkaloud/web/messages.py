"""What passes between the hub and whoever watches: every shape that goes over the wire, typed.

A stream is a sequence of messages. Each has a `type`; everything else is named as it is here. Texts in them come from
models, scenes and people: they are data, never markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from thinkaloud.remember.acts import Act as Act
from thinkaloud.saying.differences import Piece as Piece
from thinkaloud.worlds.drawing import Drawing as Drawing
from thinkaloud.worlds.drawing import DrawingKind as DrawingKind
from thinkaloud.worlds.drawing import Place as Place
from thinkaloud.worlds.drawing import Pose as Pose
from thinkaloud.worlds.drawing import Shape as Shape

SessionState = Literal["asleep", "opening", "idle", "thinking", "moving", "asking", "paused", "failed"]
"""What a session is doing.

`asleep`: in the journal only; `say` and `go_on` wake it. `opening`: its world and model are being loaded. `idle`: open,
nothing to do. `failed`: it could not be opened, or broke; `because` says why.
"""
StepState = Literal["pending", "rehearsed", "running", "done", "failed", "corrected"]


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """A session as somebody wants it; the same choices as `thinkaloud run` has, None where the settings decide.

    `scene` is the name of one of `Choices.scenes`, or the text of a scene file. `guidelines` likewise. `eyes` is one of
    `Choices.eyes`: what is seen is then known by these alone. `speed` is times real time; None is as fast as it goes.
    `request` is said at once.
    """

    world: str | None = None
    preset: str | None = None
    model: str | None = None
    seed: int = 0
    scene: str | None = None
    guidelines: str | None = None
    confirm: Literal["never", "unsure", "always"] | None = None
    approve_plans: bool = False
    """Whether somebody has to agree to every plan before it is carried out; they may change it then."""
    disturb: str = "none"
    eyes: str | None = None
    steps: int | None = None
    speed: float | None = 1.0
    request: str | None = None


@dataclass(frozen=True, slots=True)
class ForkRequest:
    """What is to be different from an event on; None: as it was. `say` is said to the robot at once."""

    at: int
    model: str | None = None
    preset: str | None = None
    say: str | None = None
    speed: float | None = 1.0


@dataclass(frozen=True, slots=True)
class WorldChoice:
    """A world that can be chosen: the preset that suits it (empty: not known yet), whether it can be disturbed.

    `camera`: whether its robot has one to see through.
    """

    name: str
    about: str
    preset: str
    noise: bool
    scene: DrawingKind
    """How it is drawn."""
    camera: bool = False
    examples: tuple[str, ...] = ()
    """Requests that a person may try first, as the world declares them."""
    guidelines: tuple[str, ...] = ()
    """Those of `Choices.guidelines` whose steps this robot has skills for."""
    needs_guidelines: bool = False
    """Its preset cannot do without, and it has none of its own."""


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """A preset and its options, the default of each first."""

    name: str
    about: str
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model, whether it is here, and what to do where it is not."""

    name: str
    about: str
    here: bool
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """All that there is to choose from; `wanted` is what is taken where nobody chooses."""

    worlds: tuple[WorldChoice, ...]
    presets: tuple[PresetChoice, ...]
    models: tuple[ModelChoice, ...]
    scenes: tuple[str, ...]
    guidelines: tuple[str, ...]
    noise: tuple[str, ...]
    eyes: tuple[str, ...]
    wanted: SessionRequest


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One line of the list of sessions, the newest first: `request` is the latest one, `result` how that ended."""

    id: str
    started: str
    request: str
    result: str
    """As the journal has it: `goal met`, `stopped`, …, or `unfinished`."""
    events: int
    world: str
    preset: str
    model: str
    state: SessionState
    viewers: int = 0
    damage: str = ""
    """What is wrong with it on the disk, if anything is."""
    name: str = ""
    """What people call it."""
    parent: str = ""
    """The session and the event from which it was forked, `ID@EVENT`."""
    doing: str = ""
    """What the robot is doing just now."""
    requests: int = 0
    """How many requests there were."""
    earlier: tuple[str, ...] = ()
    """Those before the latest, at most 50 of them."""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A step of the plan at hand: the words, its state, and why it is in it (what failed, what corrected it)."""

    words: str
    state: StepState
    why: str = ""
    skill: str = ""
    reason: str = ""
    event: int | None = None
    """The event that says so; the plan itself while the step is pending."""


@dataclass(frozen=True, slots=True)
class GoalMark:
    """A condition of the goal; `holds` is None until it was checked."""

    words: str
    holds: bool | None = None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What an answer would come to, to be shown in the picture: the things concerned, and what would go where."""

    things: tuple[str, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What the robot waits for; `options` where the answers are a closed set, to be shown as buttons."""

    event: int
    questions: tuple[str, ...]
    because: str = ""
    """Why it asks."""
    options: tuple[str, ...] = ()
    approval: bool = False
    """A step needs a yes or no: `approve`."""
    lead: str = ""
    """The question without the options."""
    pieces: tuple[tuple[Piece, ...], ...] = ()
    """Each option, shortened to what differs from the others."""
    foreseen: tuple[Foreseen, ...] = ()
    """What each option would come to."""
    plan: bool = False
    """The robot asks whether it may carry out its plan: `edit_plan` may change it first."""
    none: str = ""
    """The option that says that none of the others was meant."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question that was answered; `approval`: whether something may be done. `planned`: it came after a plan."""

    question: str
    answer: str
    approval: bool = False
    planned: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """One entry of the correction stack: what went wrong, and what is being done about it."""

    problem: str
    remedy: str = ""
    event: int | None = None


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """Where a story stands after an event: computed from the events alone, so live, replayed and forked alike.

    `understood` is what was made of the request, in plain words. `changed` is what became different in the world last.
    """

    at: int
    request: str = ""
    begun: int = -1
    """The event with the request."""
    understood: str = ""
    exchanges: tuple[Exchange, ...] = ()
    said: tuple[str, ...] = ()
    """What the robot has told people."""
    plan: tuple[PlanStep, ...] = ()
    goal: tuple[GoalMark, ...] = ()
    question: Question | None = None
    corrections: tuple[Correction, ...] = ()
    world: Mapping[str, Any] = field(default_factory=dict)
    """The state as a tree: `{"red block": {"on": "red bowl", "dirty": true}, …}`."""
    changed: tuple[str, ...] = ()
    doing: str = ""
    result: str | None = None
    because: str = ""
    settled: bool = False
    """Whether it ended well, and what was understood, the checks and the values tell all of `because`."""
    values: tuple[str, ...] = ()
    """The values that the work changed, once it is over."""
    edited: int = 0
    """How often a person has changed the plan for this request."""
    taught: bool = False
    """Whether a lesson was kept for this request."""
    trace: str = ""
    """On the page, where the trace of this request can be looked at."""


@dataclass(frozen=True, slots=True)
class EditedStep:
    """A step as somebody wants it."""

    skill: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlanEditRequest:
    """The steps that are to be done in place of those still to do; `approve`: at once, if they are possible."""

    steps: tuple[EditedStep, ...]
    approve: bool = False


@dataclass(frozen=True, slots=True)
class ArgumentChoice:
    """What an argument may be: one of the `options`, or else any text or number."""

    name: str
    about: str
    options: tuple[str, ...] | None = None
    number: bool = False
    default: str | float | bool | None = None


@dataclass(frozen=True, slots=True)
class SkillChoice:
    """A skill as a step of a plan: its sentence, with `{name}` for each argument."""

    name: str
    about: str
    says: str
    arguments: tuple[ArgumentChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class EditablePlan:
    """The steps still to do, and the skills that there are, with what each argument may be here."""

    steps: tuple[EditedStep, ...]
    skills: tuple[SkillChoice, ...]


@dataclass(frozen=True, slots=True)
class LessonRequest:
    """What somebody means when they say something: `means`, in other words. Without it, what was understood last."""

    said: str = ""
    means: str = ""
    world: str = ""


@dataclass(frozen=True, slots=True)
class LessonRow:
    """A lesson that was kept, for a world."""

    id: str
    world: str
    since: str
    said: str
    means: str
    """Other words, or the steps in words."""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a session: the event it tells, the manner, and the words."""

    event: int
    manner: str
    who: str
    text: str
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A line of each of two sessions that stand beside each other; None where one has none. `same`: both say it."""

    same: bool
    a: Line | None = None
    b: Line | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sessions as one timeline."""

    a: str
    b: str
    rows: tuple[ComparedRow, ...]
    first: int | None
    """The place of the first difference; None if there is none."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who watches; `id` is public (the token that they hold is not)."""

    id: str
    name: str
    here: bool = True


@dataclass(frozen=True, slots=True)
class Status:
    """A session just now; sent when anything in it has changed."""

    session: str
    state: SessionState
    because: str
    events: int
    told: SessionSummary
    control: str | None
    """The id of the viewer who holds control; None: whoever does something first."""
    viewers: tuple[Viewer, ...]
    begin: Mapping[str, Any]
    can: tuple[str, ...]
    """What can be done now: of `say`, `answer`, `approve`, `stop`, `edit_plan`, `pause`, `step`, `go_on`, `disturb`,
    `fork`."""
    notices: tuple[str, ...] = ()
    movable: tuple[str, ...] = ()
    """What `disturb` can move."""
    scene: int = 0
    """`Drawing.version` of what there is to draw."""
    since: float = 0.0
    """When the state began, in seconds since 1970."""
    type: Literal["status"] = "status"


@dataclass(frozen=True, slots=True)
class EventMessage:
    """An event of the monologue: `event` is the journal's JSON, `{"index":3,"at":1.2,"kind":"plan",…}`."""

    event: Mapping[str, Any]
    type: Literal["event"] = "event"


@dataclass(frozen=True, slots=True)
class Thinking:
    """What a model is at, and the tokens that models have read and written for what is at hand.

    `role` is empty while no model is at work, `text` until it speaks. While a model reads a prompt, `reading` is how
    many tokens of it it has read, and `of` how many there are; both are 0 where that is not known.
    """

    role: str = ""
    text: str = ""
    read: int = 0
    written: int = 0
    reading: int = 0
    of: int = 0
    type: Literal["thinking"] = "thinking"


@dataclass(frozen=True, slots=True)
class SceneFrame:
    """Where the shapes of the scene are now, in the order of `Drawing.shapes`: x, y, z, and a quaternion w, x, y, z.

    `scene` is `Drawing.version`; where it differs from the one at hand, the scene has to be fetched again.
    """

    at: float
    poses: tuple[Pose, ...]
    scene: int
    ghost: bool = False
    """It is the rehearsal that moves, not the robot."""
    type: Literal["frame"] = "frame"


StreamMessage = EventMessage | Status | Thinking | SceneFrame


@dataclass(frozen=True, slots=True)
class ModelExchange:
    """What a model was asked, word for word, and what it said: what is behind a line of the monologue."""

    event: int
    role: str
    model: str
    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody who may use the server; nothing of their token."""

    name: str
    role: str
    known_as: str = ""
    """Who they are to the robot: `nurse`."""
    until: str = ""
    over: bool = False
    """Whether their last day has passed."""


@dataclass(frozen=True, slots=True)
class PeopleReport:
    """Who may use the server, and what they did last, the newest first; empty where nobody is named."""

    people: tuple[PersonRow, ...]
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One cell of a benchmark's table, as `results.json` has it."""

    preset: str
    task: str
    metric: str
    value: float
    low: float | None
    high: float | None
    n: int
    paper: float | None


@dataclass(frozen=True, slots=True)
class BenchResults:
    """A `results.json` that was found; `name` is its folder."""

    name: str
    bench: str
    model: str
    seed: int
    rows: tuple[BenchRow, ...]
