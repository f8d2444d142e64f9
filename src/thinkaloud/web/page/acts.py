"""What a browser may ask for, checked field by field: it is somebody else's machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from thinkaloud.errors import BadInput

Words = Annotated[str, Meta(max_length=4000)]
Name = Annotated[str, Meta(max_length=300)]
Mark = Annotated[str, Meta(max_length=100)]
Index = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class Hello:
    """A browser is there, with a secret by which it is known."""

    viewer: Annotated[str, Meta(min_length=16, max_length=100)]


@dataclass(frozen=True, slots=True)
class Say:
    """Something is said to the robot."""

    text: Words
    message: Mark


@dataclass(frozen=True, slots=True)
class AnswerIt:
    """The open question is answered."""

    text: Words
    message: Mark


@dataclass(frozen=True, slots=True)
class Approve:
    """A step may be done, or not."""

    yes: bool
    message: Mark


@dataclass(frozen=True, slots=True)
class StopIt:
    """Hold still, now; sent again with the same mark until it is confirmed."""

    message: Mark
    because: Annotated[str, Meta(max_length=200)]


@dataclass(frozen=True, slots=True)
class Pause:
    """Hold still until further notice."""


@dataclass(frozen=True, slots=True)
class OneStep:
    """One step, then hold still."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on."""


@dataclass(frozen=True, slots=True)
class Disturb:
    """Somebody meddles: a thing goes to a point, onto something, or over."""

    thing: Name
    to: str | list[float]


@dataclass(frozen=True, slots=True)
class Take:
    """Take control."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Hand control over."""

    to: Name


@dataclass(frozen=True, slots=True)
class LookAt:
    """Look back at an event; None: what is so now."""

    at: Index | None


@dataclass(frozen=True, slots=True)
class Choose:
    """What there is to choose from."""


@dataclass(frozen=True, slots=True)
class Behind:
    """What a model was asked and said, by the events that say that it was."""

    events: Annotated[list[Index], Meta(max_length=200)]


@dataclass(frozen=True, slots=True)
class ForkIt:
    """Go on from an event in another way, in a new session."""

    at: Index
    model: Name | None
    preset: Name | None
    say: Words | None
    message: Mark


Act = (
    Hello
    | Say
    | AnswerIt
    | Approve
    | StopIt
    | Pause
    | OneStep
    | GoOn
    | Disturb
    | Take
    | Hand
    | LookAt
    | Choose
    | Behind
    | ForkIt
)


_KINDS: dict[str, type[Any]] = {
    "hello": Hello,
    "say": Say,
    "answer": AnswerIt,
    "approve": Approve,
    "stop": StopIt,
    "pause": Pause,
    "step": OneStep,
    "go_on": GoOn,
    "disturb": Disturb,
    "take": Take,
    "hand": Hand,
    "look": LookAt,
    "choose": Choose,
    "behind": Behind,
    "fork": ForkIt,
}
"""By the name that the page uses. (On a union of tagged structs msgspec 0.22 crashes when garbage is collected.)"""


def read_act(said: Any) -> Act:
    """What a browser asks for, `{"do": "say", "text": …}`; BadInput where nobody could mean that."""
    kind = _KINDS.get(str(said.get("do"))) if isinstance(said, dict) else None
    if kind is None:
        raise BadInput("The page asked for something that nobody knows; load it again.")
    try:
        act: Act = msgspec.convert({name: value for name, value in said.items() if name != "do"}, kind)
    except msgspec.ValidationError as error:
        raise BadInput(f"The page said something that makes no sense: {error}") from None
    return act
