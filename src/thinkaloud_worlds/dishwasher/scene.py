"""The scene of a machine: its name, what goes into it and where; in JSON or TOML, with the line in error messages.

machine = "kiln"                 # all of these words are optional; without them it is a dishwasher
compartment = "shelf"
additive = "glaze"
item = "pot"
prepare = "wipe the dust off"    # what is done to a thing before it goes in
start_place = "workbench"
finished = "showroom"
ready = "fired and cool"
dirty = "raw"
compartments = ["upper shelf", "lower shelf"]
additives = ["blue glaze", "clear glaze"]
cycle_minutes = 90
[[items]]
kind = "vase"
count = 2
belongs = "lower shelf"
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import msgspec

from thinkaloud.errors import BadScene
from thinkaloud.untrusted.text import is_name
from thinkaloud.worlds.scene_parser import read_scene_data

FRONT = "(front)"
"""Where the robot looks to see whether the machine is open; no place of a scene can be called so."""
PREPARE = "remove large particles from"
_MOST_KINDS, _MOST_ITEMS, _MOST_OF_A_KIND, _MOST_NAMES = 16, 60, 20, 12
_CYCLE = (1, 600)  # minutes
_TAKEN = ("object", "location")  # the words for single things and places in every scene
_WORDS = ("machine", "compartment", "additive", "item", "prepare", "start_place", "finished", "ready", "dirty")
_NAMING = ("machine", "compartment", "additive", "item", "ready")  # skills are named after these


class ItemKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of things of one kind, and the compartment where they belong."""

    kind: str
    belongs: str
    count: int = 1


class MachineScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A machine, what goes into it, and the words for everything."""

    items: tuple[ItemKind, ...]
    compartments: tuple[str, ...]
    additives: tuple[str, ...]
    machine: str = "dishwasher"
    compartment: str = "rack"
    additive: str = "detergent"
    item: str = "utensil"
    prepare: str = PREPARE
    start_place: str = "sink"
    finished: str = "finished location"
    ready: str = "clean and dry"
    dirty: str = "dirty"
    cycle_minutes: int = 45

    @classmethod
    def from_json(cls, text: str) -> MachineScene:
        """Read the scene back. Raises BadScene if the text is not a scene."""
        return read_machine_scene(text)

    def to_json(self) -> str:
        """The scene as text, for the journal, without default words."""
        usual = {name: getattr(DEFAULT_MACHINE, name) for name in (*_WORDS, "cycle_minutes")}
        data = msgspec.to_builtins(self)
        return msgspec.json.encode({k: v for k, v in data.items() if k not in usual or usual[k] != v}).decode()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things there are."""
        return tuple(each.kind for each in self.items)

    @property
    def names(self) -> tuple[str, ...]:
        """Every single thing: `plate 1`, `plate 2`, …"""
        return tuple(f"{each.kind} {number + 1}" for each in self.items for number in range(each.count))

    def belongs(self, name: str) -> str:
        """The compartment for a thing."""
        return next(each.belongs for each in self.items if each.kind == kind_without_number(name))

    def check(self) -> None:
        """Raise BadScene with the reason if the scene is impossible."""
        for _, problem in _problems(self):
            raise BadScene(problem)


def kind_without_number(name: str) -> str:
    """`plate` of `plate 2`."""
    return name.rpartition(" ")[0]


def slug(words: str) -> str:
    """Turn words into a part of a function's name."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")


DEFAULT_MACHINE = MachineScene(
    items=(
        ItemKind("plate", "third rack", 4),
        ItemKind("bowl", "second rack", 3),
        ItemKind("cup", "second rack", 3),
        ItemKind("fork", "first rack", 4),
        ItemKind("knife", "first rack", 2),
        ItemKind("spoon", "first rack", 2),
    ),
    compartments=("first rack", "second rack", "third rack"),
    additives=("original detergent", "rose detergent"),
)
"""The dishwasher of the paper."""


def _problems(scene: MachineScene) -> Iterator[tuple[str, str]]:
    """What is wrong with a scene: the path to the fault, and one sentence that says how to correct it."""
    yield from _words(scene)
    for field in ("compartments", "additives"):
        yield from _names(field, getattr(scene, field), _MOST_NAMES)
    yield from _names("items", scene.kinds, _MOST_KINDS)
    for index, each in enumerate(scene.items):
        where = f"items[{index}]"
        if each.belongs not in scene.compartments:
            known = ", ".join(scene.compartments)
            yield f"{where}.belongs", f"{each.kind}: there is no {each.belongs!r} to put it in; use one of: {known}."
        if not 1 <= each.count <= _MOST_OF_A_KIND:
            yield f"{where}.count", f"{each.kind}: the count is {each.count}; it must be 1 to {_MOST_OF_A_KIND}."
    if len(scene.names) > _MOST_ITEMS:
        yield "items", f"There are {len(scene.names)} things; a scene has at most {_MOST_ITEMS}."
    places = [place.lower() for place in (scene.start_place, scene.finished, *scene.compartments)]
    if len({*places}) < len(places):
        yield "finished", "Two places have the same name; start_place, finished and each compartment need their own."
    if not _CYCLE[0] <= scene.cycle_minutes <= _CYCLE[1]:
        yield "cycle_minutes", f"A cycle takes {scene.cycle_minutes} minutes; it must be {_CYCLE[0]} to {_CYCLE[1]}."


def _words(scene: MachineScene) -> Iterator[tuple[str, str]]:
    for field in _WORDS:
        words = getattr(scene, field)
        if not _usable(words):
            yield field, f"{words!r} cannot be the {field}; use 1 to 40 letters, digits, spaces or hyphens."
        elif field in _NAMING and not re.match(r"[a-z]", slug(words)):
            yield field, f"{words!r} cannot be the {field}: skills are named after it, so start it with a Latin letter."
        elif words.lower() in _TAKEN:
            yield field, f"{words!r} cannot be the {field}: that word is reserved; use another one."
    kinds = [slug(getattr(scene, field)) for field in ("compartment", "additive", "item")]
    if len({*kinds}) < len(kinds):
        yield "item", "compartment, additive and item share a word; give each its own."


def _names(field: str, names: tuple[str, ...], most: int) -> Iterator[tuple[str, str]]:
    if not names:
        yield field, f"There are no {field}; add at least one."
    if len(names) > most:
        yield field, f"There are {len(names)} {field}; there can be at most {most}."
    for index, name in enumerate(names):
        if not _usable(name):
            yield f"{field}[{index}]", f"{name!r} is not a usable name; use 1 to 40 letters, digits, spaces or hyphens."
        if name.lower() in {other.lower() for other in names[:index]}:
            yield f"{field}[{index}]", f"{name!r} is listed twice in {field}; give each a name of its own."


def _usable(words: str) -> bool:
    return is_name(words, 40)


# Reading --------------------------------------------------------------------------------------------------------------


def read_machine_scene(text: str, source: str = "scene") -> MachineScene:
    """Read the text of a scene, JSON or TOML. Raises BadScene with the line and how to correct it."""
    data = read_scene_data(text, source, "a scene is a few words and lists")
    try:
        scene = msgspec.convert(data, MachineScene)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        unknown = re.search(r"unknown field `([^`]+)`", what)
        path = where.strip("`").removeprefix("$").removeprefix(".") + (f".{unknown[1]}" if unknown else "")
        about = path.lstrip(".") if not unknown else ""
        hint = f"a scene has items, compartments and additives, and optionally {', '.join(_WORDS)} and cycle_minutes"
        if path.startswith("items["):
            hint = "each of the items has a kind, the compartment where it belongs, and optionally a count"
        named = f"{about}: " if about else ""
        what = what.replace("Object ", "it ").replace("`", "'")
        raise BadScene(f"{source}:{_line(text, path)}: {named}{what}; {hint}.") from None
    for path, problem in _problems(scene):
        raise BadScene(f"{source}:{_line(text, path)}: {problem}")
    return scene


def _tables(text: str) -> list[int]:
    """Where TOML's `[[items]]` are."""
    return [found.start() for found in re.finditer(r"^[ \t]*\[\[\s*items\s*\]\]", text, re.MULTILINE)]


def _line(text: str, path: str) -> int:
    """The line of a path in the scene, such as `items[1].count`; the first line if that is unclear."""
    at, end = 0, len(text)
    for name, index in re.findall(r"(\w+)(?:\[(\d+)\])?", path):
        number = int(index or 0)
        tables = _tables(text) if name == "items" else []
        if number < len(tables):
            at = tables[number]
            end = tables[number + 1] if number + 1 < len(tables) else end
            continue
        found = re.compile(rf"[\"']?\b{re.escape(name)}\b[\"']?\s*[=:]").search(text, at, end)
        at = found.end() if found else at
        parts = list(re.finditer(r"\{" if name == "items" else r"[\"']", text[at:end])) if index and found else []
        step = 1 if name == "items" else 2
        at += parts[number * step].start() if number * step < len(parts) else 0
    return text.count("\n", 0, at) + 1
