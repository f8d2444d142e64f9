"""Everyday names for the nodes of a home."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import resources

CHARACTER, ROBOT = "character", "robot"
BUILDING = ("wall", "floor", "ceiling", "doorjamb", "walls", "floors", "ceilings", "window_frame")
"""Parts of the building, which get no name."""
SPOKEN: Mapping[str, str] = tomllib.loads((resources.files(__package__) / "spoken_names.toml").read_text("utf-8"))
"""Everyday names of kinds whose class name is not one."""


def spoken_kind(class_name: str) -> str:
    """The everyday name of a kind of thing."""
    if class_name in SPOKEN:
        return SPOKEN[class_name]
    words = re.sub(r"^(food|clothes)_(?=.)", "", class_name.lower())
    return " ".join(re.sub(r"[^a-z0-9]+", " ", words).split()) or class_name


def names_of(nodes: Iterable[tuple[int, str]], robot: int) -> dict[int, str]:
    """A name for each node; of nodes with the same name, all but the first by id get a number."""
    count: Counter[str] = Counter()
    names: dict[int, str] = {}
    taken: set[str] = set()
    for number, class_name in sorted(nodes):
        kind = ROBOT if number == robot else "person" if class_name == CHARACTER else spoken_kind(class_name)
        count[kind] += 1
        name = kind if count[kind] == 1 else f"{kind} {count[kind]}"
        while name in taken:
            count[kind] += 1
            name = f"{kind} {count[kind]}"
        names[number] = name
        taken.add(name)
    return names
