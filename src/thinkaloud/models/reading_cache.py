"""What local models have read, kept on disk, so that a later process does not read it again.

    cache = ReadingCache(cache_folder() / READINGS, most=1_000_000_000)
    cache.keep(model, text, write)          # write(path) puts the engine's state after this text into a new file
    found = cache.find(model, text)         # the kept text that shares the longest beginning with this one, or None

A reading is two files: the engine's state, and a description with the text, the name of the state's file and a checksum
of both. The description is written last and replaced as a whole, so a reading is either complete or not there, and any
number of processes can use the folder. A damaged reading is deleted, and never reaches the engine. Readings that were
not used for a month are deleted, and beyond `most` bytes those used least recently.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from thinkaloud.models.slot_choice import shared_letters

READINGS = "read"
"""The name of their folder in the cache folder."""
_UNUSED = 30 * 24 * 3600
"""Seconds after which an unused reading is deleted: its robot or its model has probably changed."""
_BEING_WRITTEN = 3600
"""Seconds after which a file that no description names was left by a process that ended while it wrote."""
_DESCRIPTION, _STATE, _NEW = ".json", ".state", ".new"


@dataclass(frozen=True)
class Reading:
    """A text that a model has read, and the file with the engine's state after it."""

    text: str
    state: Path


class _Description(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    state: str
    """The name of the file beside the description."""
    checksum: str


class ReadingCache:
    """The readings in a folder, up to `most` bytes of them."""

    def __init__(self, folder: Path, most: int, clock: Callable[[], float] = time.time) -> None:
        self.folder, self.most, self._clock = folder, most, clock

    def find(self, model: str, text: str, least: int = 1) -> Reading | None:
        """Return the intact reading that shares the most letters with the beginning of a text, if at least `least`."""
        known = [*self._described(f"{model}-")]
        shared = {path: shared_letters(described.text, text) for path, described in known}
        for path, described in sorted(known, key=lambda each: -shared[each[0]]):
            if shared[path] < least:
                return None
            state = self.folder / described.state
            if _checksum(described.text, state) == described.checksum:
                with suppress(OSError):  # another process may have deleted it; then the engine will not find it either
                    os.utime(path, (self._clock(), self._clock()))
                return Reading(described.text, state)
            if self._describes(path, described):  # otherwise another process has just kept this text again
                self._delete(path)
        return None

    def keep(self, model: str, text: str, write: Callable[[Path], None]) -> None:
        """Keep the state that `write` puts into a file; OSError if that fails."""
        name = f"{model}-{_digest(text)}"
        new = self.folder / f"{name}-{secrets.token_hex(8)}{_STATE}"
        try:
            write(new)
            if (checksum := _checksum(text, new)) is None:
                raise FileNotFoundError(f"{new} was not written")
            path = self.folder / f"{name}{_DESCRIPTION}"
            before = [described.state for each, described in self._described(name) if each == path]
            _replace(path, msgspec.json.encode(_Description(text, new.name, checksum)), self._clock())
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        for state in before:
            (self.folder / state).unlink(missing_ok=True)
        self._tidy(path)

    def discard(self, model: str, reading: Reading) -> None:
        """Delete a reading that the engine refused, unless another process has just kept its text again."""
        path = self.folder / f"{model}-{_digest(reading.text)}{_DESCRIPTION}"
        known = self._described(path.stem)
        if any(each == path and described.state == reading.state.name for each, described in known):
            self._delete(path)

    def count(self) -> int:
        """How many readings there are."""
        return len([*self.folder.glob(f"*{_DESCRIPTION}")])

    def size(self) -> int:
        """Their size in bytes."""
        return sum(_size(each) for each in self._files())

    def clear(self) -> None:
        """Delete everything. A model that is reading at this moment may keep its reading all the same."""
        for each in self._files():
            with suppress(OSError):
                each.unlink()

    def _files(self) -> list[Path]:
        return [path for path in self.folder.glob("*") if path.suffix in (_DESCRIPTION, _STATE, _NEW)]

    def _described(self, begins: str = "") -> Iterator[tuple[Path, _Description]]:
        for path in self.folder.glob(f"{begins}*{_DESCRIPTION}"):
            try:
                described = msgspec.json.decode(path.read_bytes(), type=_Description)
            except OSError:  # another process has just deleted it
                continue
            except (msgspec.MsgspecError, UnicodeDecodeError):
                self._delete(path)
                continue
            if described.state == Path(described.state).name and described.state.startswith(path.stem):
                yield path, described

    def _describes(self, path: Path, described: _Description) -> bool:
        return any(each == path and now == described for each, now in self._described(path.stem))

    def _delete(self, path: Path) -> None:
        """Delete a reading: first its description, so that nobody finds it any more."""
        for each in (path, *self.folder.glob(f"{path.stem}-*{_STATE}")):
            with suppress(OSError):
                each.unlink()

    def _tidy(self, newest: Path) -> None:
        """Delete what is too old or too much, never the newest reading, and what nobody describes."""
        paths = [*self.folder.glob(f"*{_DESCRIPTION}")]
        used = {path: _modified(path) for path in paths}
        left = self.most
        for path in sorted(paths, key=lambda each: (each != newest, -used[each])):
            left -= _size(path) + sum(_size(each) for each in self.folder.glob(f"{path.stem}-*{_STATE}"))
            if path != newest and (left < 0 or self._clock() - used[path] > _UNUSED):
                self._delete(path)
        named = {described.state for _, described in self._described()}
        for each in self._files():
            left_behind = each.suffix != _DESCRIPTION and each.name not in named
            if left_behind and self._clock() - _modified(each) > _BEING_WRITTEN:
                with suppress(OSError):
                    each.unlink()


def _replace(path: Path, content: bytes, at: float) -> None:
    """Replace a file as a whole. The new one gets its date first, because another process may delete it at once."""
    new = path.with_suffix(f".{secrets.token_hex(8)}{_NEW}")
    try:
        new.write_bytes(content)
        os.utime(new, (at, at))
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _checksum(text: str, state: Path) -> str | None:
    """The checksum of a reading; None if its state cannot be read."""
    try:
        with state.open("rb") as file:
            return hashlib.sha256(text.encode() + hashlib.file_digest(file, "sha256").digest()).hexdigest()
    except OSError:
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
