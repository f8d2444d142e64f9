"""A robot that puts, pours and says: skills and relations of every kind of argument."""

from __future__ import annotations

import threading
from typing import Annotated, Any, Literal

from thinkaloud.records import Observation
from thinkaloud.skills import Kind, relation, skill, skills_of

Thing = Annotated[str, Kind("thing")]
SCENE = {"thing": ("red block", "green bowl", "cup", "cup on the tray", "tray")}


def hands_full(observation: Observation, **_: Any) -> str | None:
    return "The hand is full." if "held block" in observation.objects else None


class Robot:
    """A robot with a few skills of every kind."""

    def __init__(self) -> None:
        self.put_down: list[str] = []

    @skill("Put the {thing} on the {target}.", distinct=("thing", "target"), preconditions=(hands_full,))
    async def put(self, thing: Thing, target: Thing) -> str:
        """Put one thing on another.

        The thing must be within reach.

        Args:
            thing: what to pick up,
                by its full name.
            target: where it goes.
        """
        self.put_down.append(thing)
        return f"{thing} is down"

    @skill()
    def pour(self, drink: Literal["tea", "coffee"], amount: float = 0.5, cups: int = 1, warm: bool = False) -> None:
        """Pour a drink."""
        self.put_down.append(f"{drink} in {threading.current_thread().name}")

    @skill("Say {words}.", approval=True)
    async def say(self, words: str) -> str:
        """Say something."""
        return words

    @relation("The {thing} is on the {target}.", distinct=("thing", "target"))
    def on(self, thing: Thing, target: Thing) -> bool:
        """Whether one thing is on another."""
        return thing in self.put_down

    def reset(self) -> None:
        """No skill."""


SKILLS = skills_of(Robot())
PUT, POUR, SAY = (SKILLS[name].signature for name in ("put", "pour", "say"))
