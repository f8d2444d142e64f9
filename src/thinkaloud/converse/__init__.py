"""Converse: listen to a person at any moment, and ask them."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.records import Message


class Person(Protocol):
    """The person who talks to the robot."""

    present: bool
    """Whether anybody is there to answer."""

    def heard(self) -> list[Message]:
        """What was said since the last call; never waits."""
        ...

    def is_speaking(self) -> bool:
        """Whether a message is still on its way: a running skill waits for it."""
        ...

    async def speaks(self) -> None:
        """Returns as soon as there is something to hear."""
        ...
