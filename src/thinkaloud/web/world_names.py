"""What worlds are called on the page: a robot in a file by its own name, and never by where that file is."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePath

from thinkaloud.errors import UnknownName
from thinkaloud.records import Begin, Record
from thinkaloud.robots import is_robot_file


def tell_world(world: str) -> str:
    """The name of a world for everybody who may look: `greenhouse` for a file in which a robot has that name."""
    name = PurePath(world.replace("\\", "/")).name or world
    if not is_robot_file(world):
        return name
    with suppress(OSError):
        return _own_name(world, Path(world).stat().st_mtime_ns) or PurePath(name).stem
    return PurePath(name).stem


def tell_record(record: Record) -> Record:
    """A record for everybody who may look: the beginning of a session calls its world by its name."""
    return replace(record, world=tell_world(record.world)) if isinstance(record, Begin) else record


@lru_cache(maxsize=256)
def _own_name(path: str, changed: int) -> str:
    with suppress(OSError, ValueError):  # it is no robot any more
        return str(tomllib.loads(Path(path).read_text(encoding="utf-8")).get("name", ""))
    return ""


def name_worlds(worlds: Iterable[str]) -> dict[str, str]:
    """Each world by what it is called; two of one name are numbered, those that come from files after the others."""
    found: dict[str, str] = {}
    for world in sorted(dict.fromkeys(worlds), key=is_robot_file):
        name, number = tell_world(world), 1
        while (told := f"{name} {number}" if number > 1 else name) in found:
            number += 1
        found[told] = world
    return found


def find_world(told: str, worlds: Iterable[str]) -> str:
    """The world that somebody named, by what it is called or as it is opened; UnknownName if there is none."""
    known = [*worlds]
    named = name_worlds(known)
    if told in named or told in known:
        return named.get(told, told)
    raise UnknownName("world", told, named)
