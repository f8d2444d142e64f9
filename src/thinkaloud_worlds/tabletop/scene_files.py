"""Scene files, in TOML or JSON; errors give the line.

[[objects]]
name = "red block"
kind = "block"        # or "bowl", "cup" (upside down), "disinfector" (open above), "toy" (its name gives its form),
                      # "box", "cylinder", "plate", "fruit", "bottle"
x = 0.10              # metres; -0.3 (left) to 0.3 (right)
y = -0.50             # -0.8 (bottom) to -0.2 (top, next to the arm)
colour = "red"        # optional: one of the ten, a CSS colour or "#rrggbb"; also optional: yaw, size,
                      # mass (kg), dirty (true), on: what it stands on, lies in, or (a cup) stands over
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from thinkaloud.errors import BadScene
from thinkaloud.untrusted.files import Malformed, read_file
from thinkaloud.worlds.scene_parser import is_json, read_scene_data
from thinkaloud_worlds.tabletop.scene import Scene, scene_problems


def load_scene(path: str | Path) -> Scene:
    """Read a scene file. Raises BadScene with the file, the line and how to correct it."""
    file = Path(path)
    try:
        text = read_file(file)
    except Malformed as error:
        raise BadScene(f"{file}: {error}; a scene is TOML or JSON.") from None
    return read_scene(text, str(file))


def read_scene(text: str, source: str = "scene") -> Scene:
    """Read the text of a scene; `source` is what errors call it."""
    as_json = is_json(text, source)
    data = read_scene_data(text, source, "a scene is a list of objects")
    try:
        scene = msgspec.convert(_british(data), Scene)
    except msgspec.ValidationError as error:
        raise BadScene(_located(str(error), text, source, as_json)) from None
    for index, problem in scene_problems(scene):
        raise BadScene(f"{source}:{_line_of(text, index, as_json)}: {problem}")
    return scene


def _british(data: Any) -> Any:
    if isinstance(data, dict) and isinstance(data.get("objects"), list):
        renamed = [
            {"colour" if key == "color" else key: value for key, value in thing.items()}
            if isinstance(thing, dict)
            else thing
            for thing in data["objects"]
        ]
        return {**data, "objects": renamed}
    return data


def _located(problem: str, text: str, source: str, as_json: bool) -> str:
    what, _, where = problem.partition(" - at ")
    index = re.search(r"objects\[(\d+)\]", where)
    field = re.search(r"objects\[\d+\]\.(\w+)", where) or re.search(r"unknown field `(\w+)`", what)
    line = _line_of(text, int(index[1]), as_json, field[1] if field else "") if index else 1
    about = f"object {int(index[1]) + 1}: " if index else ""
    named = f" for {field[1]!r}" if field and "unknown" not in what else ""
    hint = "an object has name, kind, x, y, and optionally colour, yaw, size, on, mass, dirty"
    return (
        f"{source}:{line}: {about}{what.replace('Object ', 'it ')}{named}; {hint}."
        if index
        else (f"{source}:{line}: {what}; a scene has a list called objects, and nothing else.")
    )


def _line_of(text: str, index: int, as_json: bool, field: str = "") -> int:
    """The line on which the index-th object begins, or the line of its field."""
    starts = [] if as_json else [m.start() for m in re.finditer(r"^[ \t]*\[\[\s*objects\s*\]\]", text, re.MULTILINE)]
    starts = starts or _braces(text, "{[" if as_json else "[")
    if not starts:
        return 1
    start = starts[min(index, len(starts) - 1)]
    if field:
        end = starts[index + 1] if index + 1 < len(starts) else len(text)
        american = "color" if field == "colour" else field
        found = re.compile(rf"[\"']?\b(?:{field}|{american})\b[\"']?\s*[=:]").search(text, start, end)
        start = found.start() if found else start
    return text.count("\n", 0, start) + 1 + len(re.match(r"\s*", text[start:])[0].splitlines()[1:])  # type: ignore[index]


def _braces(text: str, nesting: str) -> list[int]:
    """Where objects open at this nesting of brackets; strings and comments do not count."""
    starts, stack = [], ""
    for token in re.finditer(r'"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]', text):
        mark = token[0]
        if mark in "[{":
            if mark == "{" and stack == nesting:
                starts.append(token.start())
            stack += mark
        elif mark in "]}":
            stack = stack[:-1]
    return starts
