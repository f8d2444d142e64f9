"""What a browser may ask for, checked field by field: it is somebody else's machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from thinkaloud.errors import BadInput
from thinkaloud.web.messages import EditedStep

SaidText = Annotated[str, Meta(max_length=4000)]
ShortText = Annotated[str, Meta(max_length=300)]
MessageId = Annotated[str, Meta(max_length=100)]
EventIndex = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class Greet:
    """A browser is there, with a secret by which it is known."""

    viewer: Annotated[str, Meta(min_length=16, max_length=100)]


@dataclass(frozen=True, slots=True)
class Say:
    """Something is said to the robot."""

    text: SaidText
    message: MessageId


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """The open question is answered."""

    text: SaidText
    message: MessageId


@dataclass(frozen=True, slots=True)
class Approve:
    """A step may be done, or not."""

    yes: bool
    message: MessageId


@dataclass(frozen=True, slots=True)
class StopRobot:
    """Hold still, now; sent again with the same message until it is confirmed."""

    message: MessageId
    late: float = 0.0


@dataclass(frozen=True, slots=True)
class Pause:
    """Hold still until further notice."""

    message: MessageId = ""


@dataclass(frozen=True, slots=True)
class TakeOneStep:
    """One step, then hold still."""

    message: MessageId = ""


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on."""

    message: MessageId = ""


@dataclass(frozen=True, slots=True)
class Disturb:
    """Somebody meddles: a thing goes to a point, onto something, or over."""

    thing: ShortText
    to: str | list[float]
    message: MessageId = ""


@dataclass(frozen=True, slots=True)
class TakeControl:
    """Take control."""


@dataclass(frozen=True, slots=True)
class HandOverControl:
    """Hand control over."""

    to: ShortText


@dataclass(frozen=True, slots=True)
class ShowEvent:
    """Look back at an event; None: what is so now."""

    at: EventIndex | None


@dataclass(frozen=True, slots=True)
class ListChoices:
    """What there is to choose from."""


@dataclass(frozen=True, slots=True)
class ShowExchanges:
    """What a model was asked and said, by the events that say that it was."""

    events: Annotated[list[EventIndex], Meta(max_length=200)]


@dataclass(frozen=True, slots=True)
class ForkSession:
    """Go on from an event in another way, in a new session."""

    at: EventIndex
    model: ShortText | None
    preset: ShortText | None
    say: SaidText | None
    message: MessageId


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """The steps that are still to do, and what could be done in their place."""


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """Other steps in place of those still to do; `approve`: go on with them at once."""

    steps: Annotated[list[EditedStep], Meta(max_length=100)]
    approve: bool


@dataclass(frozen=True, slots=True)
class KeepLesson:
    """What is meant by some words: other words, or what was understood last."""

    said: SaidText
    means: SaidText


BrowserRequest = (
    Greet
    | Say
    | AnswerQuestion
    | Approve
    | StopRobot
    | Pause
    | TakeOneStep
    | Continue
    | Disturb
    | TakeControl
    | HandOverControl
    | ShowEvent
    | ListChoices
    | ShowExchanges
    | ForkSession
    | OpenPlan
    | ChangePlan
    | KeepLesson
)


_KINDS: dict[str, type[Any]] = {
    "hello": Greet,
    "say": Say,
    "answer": AnswerQuestion,
    "approve": Approve,
    "stop": StopRobot,
    "pause": Pause,
    "step": TakeOneStep,
    "go_on": Continue,
    "disturb": Disturb,
    "take": TakeControl,
    "hand": HandOverControl,
    "look": ShowEvent,
    "choose": ListChoices,
    "behind": ShowExchanges,
    "fork": ForkSession,
    "plan": OpenPlan,
    "edit": ChangePlan,
    "teach": KeepLesson,
}
"""By the name that the page uses. (On a union of tagged structs msgspec 0.22 crashes when garbage is collected.)"""


def read_browser_request(said: Any) -> BrowserRequest:
    """What a browser asks for, `{"do": "say", "text": …}`; BadInput where nobody could mean that."""
    kind = _KINDS.get(str(said.get("do"))) if isinstance(said, dict) else None
    if kind is None:
        raise BadInput("The page asked for something that nobody knows; load it again.")
    try:
        act: BrowserRequest = msgspec.convert({name: value for name, value in said.items() if name != "do"}, kind)
    except msgspec.ValidationError as error:
        raise BadInput(f"The page said something that makes no sense: {error}") from None
    return act
