"""The hub: all sessions, live and journalled, and all that can be done with them.

The HTTP and WebSocket API and the page call this, and nothing else. Every robot works in a thread of its own; whatever
is asked of it here goes into its inbox, so that neither a model's thinking nor a slow viewer holds up a stop.

    hub = Hub(settings)
    id = await hub.start(Wanted(world="tabletop", request="Stack all the blocks."), viewer="my-secret")
    async for message in hub.subscribe(id, viewer="my-secret"):
        …

Whoever does something names themselves by a `viewer`: a secret of their own making. One viewer holds control of a
session, at first whoever starts it or does something first; others are refused (`NotInControl`), but anybody may stop.
What is wrong with a call is raised as `BadInput` (400), `UnknownName` (404), `NotInControl` (403) or `NotNow` (409).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from thinkaloud.errors import BadInput
from thinkaloud.models import Model
from thinkaloud.settings import Settings
from thinkaloud.web.messages import (
    BenchResults,
    Choices,
    Exchange,
    Forked,
    Message,
    Scene,
    SessionRow,
    Status,
    Told,
    Wanted,
)


class NotInControl(BadInput):
    """Somebody else holds control of this session."""


class NotNow(BadInput):
    """This cannot be done in the state in which the session is."""


class Hub:
    """All sessions. Its methods may be called from any event loop; `stop` from any thread as well."""

    def __init__(
        self,
        settings: Settings,
        *,
        robots: Sequence[str] = (),
        scenes: Path | None = None,
        results: Path | None = None,
        models: Mapping[str, Model] | None = None,
    ) -> None:
        """`robots`: worlds of one's own, `module:Class`; `scenes`, `results`: folders with scene files and benchmarks.

        `models` are there besides those that are opened by name.
        """

    async def choices(self) -> Choices:
        """What there is to choose from."""
        raise NotImplementedError

    # sessions -------------------------------------------------------------------------------------------------------

    async def start(self, wanted: Wanted, *, viewer: str, name: str = "", message: str = "") -> str:
        """Open a session and give its id; BadInput, in one line, where that cannot be.

        `message` is made by the client, and a repeated one gives the session that was started the first time.
        """
        raise NotImplementedError

    async def sessions(self) -> list[SessionRow]:
        """All sessions, live and journalled, the newest first."""
        raise NotImplementedError

    async def status(self, id: str) -> Status:
        """A session just now; also of one that is only in the journal."""
        raise NotImplementedError

    def subscribe(self, id: str, *, since: int = 0, viewer: str = "", name: str = "") -> AsyncIterator[Message]:
        """The story from an event on, then what happens, until the subscriber leaves; also of a session asleep.

        First a `Status`, then every event from `since` on, each once and in order; a `Status` whenever something has
        changed; while anything moves a `Frame` up to 30 times a second, and `Thinking` while a model speaks. A slow
        subscriber misses frames, never events. A session asleep goes on here when somebody wakes it.
        """
        raise NotImplementedError

    async def close(self, id: str, *, viewer: str) -> None:
        """Stop the robot and let go of world and model; the journal keeps the session."""
        raise NotImplementedError

    async def shut_down(self) -> None:
        """Stop all robots and close everything."""
        raise NotImplementedError

    # talking and control --------------------------------------------------------------------------------------------

    async def say(self, id: str, text: str, *, viewer: str, message: str = "") -> None:
        """Say something: an answer if the robot asked, `stop`, or a request, which replaces or changes the one at hand.

        `message` is made by the client; what comes again with the same is ignored. Wakes a session that is asleep.
        """
        raise NotImplementedError

    async def answer(self, id: str, text: str, *, viewer: str, message: str = "") -> None:
        """Answer what the robot asked; NotNow where it asked nothing."""
        raise NotImplementedError

    async def approve(self, id: str, yes: bool, *, viewer: str, message: str = "") -> None:
        """Say yes or no to a step that needs approval; NotNow where none does."""
        raise NotImplementedError

    def stop(self, id: str, *, viewer: str = "", because: str = "you pressed stop") -> None:
        """Have the robot hold still at its next control tick. Anybody may, at any time, as often as they like."""
        raise NotImplementedError

    async def pause(self, id: str, *, viewer: str) -> None:
        """Hold still where it is, or before the next step while it thinks, until `go_on` or `step`."""
        raise NotImplementedError

    async def step(self, id: str, *, viewer: str) -> None:
        """Go on for one step, then pause again."""
        raise NotImplementedError

    async def go_on(self, id: str, *, viewer: str) -> None:
        """Go on after a pause; or with a session that was cut short, which wakes it."""
        raise NotImplementedError

    async def disturb(self, id: str, thing: str, *, to: Sequence[float] | str, viewer: str) -> None:
        """Meddle: move a thing to a point (x, y), onto another thing or place by name, or `over`: knock it over."""
        raise NotImplementedError

    async def hand_over(self, id: str, to: str, *, viewer: str) -> None:
        """Give control to another viewer, by their public id."""
        raise NotImplementedError

    async def take_control(self, id: str, *, viewer: str) -> None:
        """Take control where nobody has it, or who had it is gone; NotInControl while they are here."""
        raise NotImplementedError

    def viewer_id(self, viewer: str) -> str:
        """The public id that goes with a viewer's secret."""
        raise NotImplementedError

    # seeing ---------------------------------------------------------------------------------------------------------

    async def scene(self, id: str, *, at: int | None = None) -> Scene:
        """What to draw, now or as it was at an event."""
        raise NotImplementedError

    async def camera(self, id: str, *, at: int | None = None, boxes: bool = True) -> bytes | None:
        """What is seen as a PNG, with a box and a name round each thing where the robot's eye finds it; or None."""
        raise NotImplementedError

    async def prompt(self, id: str, event: int) -> list[Exchange]:
        """What models were asked and said for an event, in order; empty where no model had a part in it."""
        raise NotImplementedError

    # looking back ---------------------------------------------------------------------------------------------------

    async def replay(self, id: str) -> list[Mapping[str, Any]]:
        """All events so far, as the journal's JSON."""
        raise NotImplementedError

    async def told(self, id: str, *, at: int | None = None) -> Told:
        """Where the story stood after an event: plan, goal, question, state; now, if no event is given."""
        raise NotImplementedError

    async def fork(self, id: str, wanted: Forked, *, viewer: str, name: str = "", message: str = "") -> str:
        """A new session with the events up to one, the world as it was then, and another way to go on; its id.

        It waits for `go_on`, unless something is said to it at once.
        """
        raise NotImplementedError

    async def share(self, id: str) -> str:
        """The run as one HTML page that needs nothing else: no request to anywhere, no script but its own."""
        raise NotImplementedError

    async def benches(self) -> list[BenchResults]:
        """The benchmark results that were found."""
        raise NotImplementedError
