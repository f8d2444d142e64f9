"""episodes.jsonl: each finished episode is written at once, one per line, so that an interrupted run loses nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

import msgspec

import thinkaloud
from thinkaloud.errors import BadInput
from thinkaloud.remember.lock import lock, unlock
from thinkaloud_bench.contract import Played

_NAME, LOCK_FILE = "episodes.jsonl", ".lock"


class Shard(msgspec.Struct, frozen=True):
    """One of several parts of a run that are played on different machines, and what all of them have to share."""

    number: int
    """From 1 to `count`."""
    count: int
    episodes: int
    """How many episodes all shards have together."""
    presets: tuple[str, ...]
    code: str
    """A digest of the program."""
    weights: str
    """A digest of the model's weights."""


class LogHeading(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line: what must stay the same to continue a run; an episodes file is identified by its SHA-256."""

    bench: str
    model: str
    seed: int
    settings: Mapping[str, str | int]
    thinkaloud: str = msgspec.field(default_factory=lambda: thinkaloud.__version__)  # written even if it is the default
    episodes_file: str = ""
    shard: Shard | None = None
    weights: str = ""
    """A digest of the model's weights and adapters, so that a table has one of each."""
    learned: Mapping[str, str] = {}
    """Digests of learned eyes, hands and senses, and of what is learned behind a column."""


class EpisodeLog:
    """The episodes of a run, in a folder, or in memory if there is none."""

    def __init__(self, folder: Path | None, heading: LogHeading) -> None:
        """Load what is in the folder; BadInput if it belongs to another run, or if the folder is not writable."""
        self.played: list[Played] = []
        self._file = None if folder is None else folder / _NAME
        self._lock: TextIO | None = None
        if folder is None or self._file is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = lock(folder / LOCK_FILE, wait=False)
            if self._lock is None:
                raise BadInput(f"Another run is writing to {folder}: wait for it to end, or give another --out.")
            text = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
            *lines, cut_short = text.split("\n")  # a line that a crash cut short is dropped
            before = self._take_up(lines, heading) if lines else None
            kept = heading if before is None else _with_columns(before, heading)
            if cut_short or kept != before:
                _replace(self._file, [msgspec.json.encode(kept).decode(), *lines[1:]])
        except BadInput:
            self.close()
            raise
        except (OSError, UnicodeDecodeError) as error:
            self.close()
            raise BadInput(f"{folder} cannot be used for results: {error}. Give another folder with --out.") from None

    def _take_up(self, lines: list[str], heading: LogHeading) -> LogHeading:
        """Load the episodes; return their heading."""
        try:
            found = msgspec.json.decode(lines[0], type=LogHeading)
            self.played = [msgspec.json.decode(line, type=Played) for line in lines[1:]]
        except msgspec.MsgspecError as error:
            raise BadInput(f"{self._file} is not a record of a benchmark ({error}). Give another --out.") from None
        if found.episodes_file != heading.episodes_file:
            was, wanted = (_file(each.episodes_file) for each in (found, heading))
            raise BadInput(
                f"{self._file} holds other episodes ({was}, now {wanted}). "
                "Give the same --episodes-file to continue, or another --out to start afresh."
            )
        for name in heading.__struct_fields__:
            was, wanted = getattr(found, name), getattr(_with_columns(found, heading), name)
            if was != wanted and not (name == "learned" and found.learned.items() <= wanted.items()):
                raise BadInput(
                    f"{self._file} holds another run ({name}: {was}, now {wanted}). Give another --out to start afresh."
                )
        return found

    def close(self) -> None:
        """Release the folder for other runs."""
        if self._lock is not None:
            unlock(self._lock)
            self._lock = None

    def add(self, played: Played) -> None:
        """Write an episode to the file at once."""
        self.played.append(played)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(msgspec.json.encode(played).decode() + "\n")


def read_played(folder: Path) -> list[Played]:
    """Read the episodes that a run has left in a folder."""
    return read_log(folder)[1]


def read_log(folder: Path) -> tuple[LogHeading, list[Played]]:
    """Read what a run has left in a folder; a line that a crash cut short is left out."""
    first, *lines, _ = (folder / _NAME).read_text(encoding="utf-8").split("\n")
    played = [msgspec.json.decode(line, type=Played) for line in lines]
    return msgspec.json.decode(first, type=LogHeading), played


def write_log(folder: Path, heading: LogHeading, played: Iterable[Played]) -> None:
    """Write the episodes of a complete run into a folder, all at once."""
    _replace(folder / _NAME, [msgspec.json.encode(each).decode() for each in (heading, *played)])


def _replace(file: Path, lines: Iterable[str]) -> None:
    new = file.with_suffix(f"{file.suffix}.new")
    new.write_text("\n".join([*lines, ""]), encoding="utf-8")
    new.replace(file)


def _with_columns(before: LogHeading, heading: LogHeading) -> LogHeading:
    """The heading of a run that goes on, perhaps with other columns."""
    return msgspec.structs.replace(heading, learned={**before.learned, **heading.learned})


def _file(digest: str) -> str:
    return f"of a file with SHA-256 {digest[:12]}…" if digest else "drawn from the seed"
