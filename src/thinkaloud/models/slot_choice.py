"""Choose the slot of a local model for a prompt, so that as little as possible is evaluated again.

A slot keeps the evaluated tokens of its last prompt. Prompts of several roles interleave, and each should find its own
slot.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Slot:
    """One prompt's worth of cache: what text it holds and when it was last used."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.text = ""
        self.used = 0
        self.wanted: Callable[[], bool] | None = None
        """Whether somebody still waits for the call in this slot; None if there is no call."""

    @property
    def abandoned(self) -> bool:
        """Whether the slot will be free in a moment, because nobody waits for its call any more."""
        return self.wanted is not None and not self.wanted()


class Slots:
    """Hands out slots. There must not be more callers than slots; a thread pool of that size ensures it."""

    def __init__(self, count: int) -> None:
        self._slots = [Slot(number) for number in range(count)]
        self._changed = threading.Condition()
        self._uses = 0

    @contextmanager
    def hold(self, prompt: str, wanted: Callable[[], bool] = lambda: True) -> Iterator[Slot]:
        """Hold the best slot for this prompt while the block runs."""
        with self._changed:
            while (slot := self._choose(prompt)).wanted is not None:
                self._changed.wait()  # waiting is cheaper than evaluating the whole prompt in another slot
            self._uses += 1
            slot.used, slot.wanted = self._uses, wanted
        try:
            yield slot
        finally:
            with self._changed:
                slot.wanted = None
                self._changed.notify_all()

    def _choose(self, prompt: str) -> Slot:
        free = [slot for slot in self._slots if slot.wanted is None or slot.abandoned]
        shared, best = max(((shared_letters(slot.text, prompt), slot) for slot in free), key=lambda pair: pair[0])
        # A few shared words are not worth evicting another role's long prompt; half of either text is.
        if shared > 0 and 2 * shared >= min(len(prompt), len(best.text)):
            return best
        return min(free, key=lambda slot: slot.used)


def shared_letters(a: str, b: str) -> int:
    """Return how many letters two texts share at their beginnings."""
    if a[: len(b)] == b[: len(a)]:  # the usual case: one text continues the other
        return min(len(a), len(b))
    return next(at for at, (one, other) in enumerate(zip(a, b, strict=False)) if one != other)
