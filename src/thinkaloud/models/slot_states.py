"""Save what a slot of llama.cpp has read, and restore it in a later process: what a robot is, is read once.

llama.cpp compares the tokens of the next prompt with those of the restored state, and continues after the last one that
they share. So the state of a robot that has changed a little still saves most of the reading.
"""

from __future__ import annotations

import hashlib
import logging
import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

import httpx

from thinkaloud.models.connections import local_client
from thinkaloud.models.load_check import cache_folder
from thinkaloud.models.reading_cache import READINGS, ReadingCache
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.slot_choice import Slot, shared_letters
from thinkaloud.models.weight_digest import digest_file, digest_weights

Act = Callable[[int, str, str], Mapping[str, Any]]
"""(slot, `save` or `restore`, name of a file) → llama.cpp's answer; httpx.HTTPError if it refuses."""

_FORMAT = 1
"""Raise it when states of older versions must not be restored."""
_WORTH = 200
"""Letters, about 50 tokens: restoring takes as long as reading so many, and saving uses megabytes of disk."""


def open_reading_cache(megabytes: int) -> ReadingCache | None:
    """Return the cache of this user, with its folder; None if it is switched off or cannot be written."""
    if megabytes <= 0:
        return None
    folder = cache_folder() / READINGS
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        logging.getLogger("thinkaloud").info("What the model reads is not kept: %s", error)
        return None
    return ReadingCache(folder, megabytes * 1_000_000)


class SlotStates:
    """Restores and saves the slots of one loaded model."""

    def __init__(self, cache: ReadingCache, model: str, act: Act) -> None:
        self._cache, self._model, self._act = cache, model, act

    def restore(self, slot: Slot, prompt: str, adapter: str, prime: Callable[[], object]) -> bool:
        """Restore the state that shares most with a prompt; return whether that is all of the prompt.

        Nothing is restored if the slot has most of it already.

        llama.cpp discards a slot's cache when the adapters of a question differ from those of the last one. So `prime`
        has to ask the slot something with the right adapters, before it is restored.
        """
        least = shared_letters(slot.text, prompt) + _WORTH
        found = self._cache.find(self._key(adapter), prompt, least)
        if found is None:
            return False
        slot.text = ""
        prime()
        try:
            self._act(slot.number, "restore", found.state.name)
        except httpx.HTTPError:  # another process has just deleted it, or this engine cannot use it
            self._cache.discard(self._key(adapter), found)  # or else it would stand in the way of one that can be used
            return False
        slot.text = found.text
        return found.text == prompt

    def save(self, slot: Slot, read: str, adapter: str) -> None:
        """Save the state of a slot that has read a text, unless a kept state has almost all of it."""
        if self._cache.find(self._key(adapter), read, len(read) - _WORTH) is not None:
            return

        def write(path: Path) -> None:
            said = self._act(slot.number, "save", path.name)
            if said.get("n_written") != path.stat().st_size:
                raise OSError(f"{path} is incomplete")

        with suppress(OSError, httpx.HTTPError):  # for example a full disk: the text is read again next time
            self._cache.keep(self._key(adapter), read, write)

    def _key(self, adapter: str) -> str:
        return hashlib.sha256(f"{self._model} {adapter}".encode()).hexdigest()[:16]


def identify(path: Path, adapters: Sequence[Path], settings: ModelSettings) -> str:
    """Return what decides whether a state fits: format, engine, machine, weights, adapters, context and slots."""
    engine = f"xllamacpp {metadata.version('xllamacpp')} {platform.machine()}"
    files = [path.name, digest_weights(path), *map(digest_file, adapters)]
    return " ".join([f"{_FORMAT} {engine} {settings.context_to_use()} {settings.slots}", *files])


def act_over_http(address: str, key: str) -> Act:
    """Return what asks llama.cpp's server to save and to restore; xllamacpp offers that only over HTTP."""

    def act(slot: int, what: str, name: str) -> Mapping[str, Any]:
        with local_client(address, key, timeout=None) as client:
            answer = client.post(f"/slots/{slot}", params={"action": what}, json={"filename": name})
        said: Mapping[str, Any] = answer.raise_for_status().json()
        return said

    return act
