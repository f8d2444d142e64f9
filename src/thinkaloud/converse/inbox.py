"""An inbox: where a terminal, a web page, a test or Ctrl-C leave what a person says."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from thinkaloud.language.words import says_no, says_stop
from thinkaloud.records import Answer, Message, Request, Speaker, Stop, writable


class Inbox:
    """Messages in the order they were said; `say` may be called from any thread, `heard` takes them out."""

    def __init__(self, *, present: bool = False) -> None:
        self.present = present
        self.speaking: Callable[[], bool] = lambda: False
        """Set by the sender: whether a message is on its way."""
        self._messages: list[Message] = []
        self._lock = threading.RLock()  # a signal handler may call `say` while this same thread listens
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    def say(self, message: Message) -> None:
        """Leave a message for the robot."""
        with self._lock:
            self._messages.append(message)
            if self._waiting is not None:
                loop, event = self._waiting
                loop.call_soon_threadsafe(event.set)

    def heard(self) -> list[Message]:
        """Take out what was said."""
        if not self._messages:  # without the lock, which is slower: this is called at every control tick
            return []
        with self._lock:
            messages, self._messages = self._messages, []
        return messages

    def is_speaking(self) -> bool:
        """Whether a message is still on its way."""
        return self.speaking()

    async def speaks(self) -> None:
        """Wait until something is said."""
        event = asyncio.Event()
        with self._lock:
            if self._messages:
                return
            self._waiting = (asyncio.get_running_loop(), event)
        try:
            await event.wait()
        finally:
            with self._lock:
                self._waiting = None


def understand(text: str, *, asked: bool, by: Speaker | None = None) -> Message:
    """What kind of message a line of text is: a stop, an answer to an open question, or a request.

    A no is an answer if the robot asked something; otherwise it objects to what the robot is doing or about to do.
    """
    text = writable(text.strip())
    if says_stop(text) or (not asked and says_no(text)):
        return Stop(f"you said {text!r}")
    return Answer(text, by) if asked else Request(text, by=by)
