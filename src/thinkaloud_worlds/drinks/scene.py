"""What stands on the counter, as data: the words for vessel and places, and the ingredients with their amounts.

{"vessel": "cup", "vessels": 6,
 "places": {"stack": "cup stack", "work": "working area", "finished": "finished location", "waste": "waste bin"},
 "ingredients": [{"name": "boba", "container": "tub", "amount": 40.0}, {"name": "milk", "container": "bottle"}],
 "detection_error": 0.012}

TOML of the same form works, too. Only the ingredients are required.
"""

from __future__ import annotations

import math
import re

import msgspec

from thinkaloud.errors import BadScene
from thinkaloud.untrusted.text import is_name, say_no_name
from thinkaloud.worlds.scene_parser import read_scene_data

_AMOUNTS = {"bottle": 150.0, "jar": 25.0, "tub": 40.0}
"""The kinds of containers, and the default portion from each, in millilitres."""
FULL = 1000.0
_MOST_INGREDIENTS, _MOST_VESSELS = 14, 8
_PORTIONS = (2.0, 200.0)
_ERRORS = (0.0, 0.03)
_LONGEST_NAME = 40


class Ingredient(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to put into a vessel: its container, the size of a portion, and how much there is."""

    name: str
    container: str
    amount: float = 0.0
    left: float = FULL

    @property
    def portion(self) -> float:
        """The size of a portion, in millilitres."""
        return self.amount or _AMOUNTS.get(self.container, 0.0)

    @property
    def scooped(self) -> bool:
        """Whether it is scooped with a ladle rather than poured."""
        return self.container == "tub"


class Places(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names of the counter's places."""

    stack: str = ""
    work: str = "working area"
    finished: str = "finished location"
    waste: str = "waste bin"

    def named(self) -> dict[str, str]:
        """The names by role."""
        return msgspec.structs.asdict(self)


class CounterScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A counter: its words, its ingredients, and the error of detected vessels (standard deviation, in metres)."""

    ingredients: tuple[Ingredient, ...]
    vessel: str = "cup"
    vessels: int = 6
    places: Places | None = None
    detection_error: float = 0.012

    @property
    def called(self) -> Places:
        """The names of the places; by default the stack is named after the vessel."""
        places = self.places or Places()
        return places if places.stack else msgspec.structs.replace(places, stack=f"{self.vessel} stack")

    @classmethod
    def from_json(cls, text: str) -> CounterScene:
        """Read the scene back. Raises BadScene if the text is not a scene."""
        return read_counter_scene(text)

    def to_json(self) -> str:
        """The scene as text, for the journal."""
        return msgspec.json.encode(self).decode()

    def check(self) -> None:
        """Raise BadScene with the reason if the counter is impossible."""
        for _, problem in _problems(self):
            raise BadScene(problem)


DEFAULT_COUNTER = CounterScene(
    (
        Ingredient("boba", "tub", 40.0),
        Ingredient("strawberry jam", "jar", 30.0),
        Ingredient("mango jam", "jar", 30.0),
        Ingredient("matcha powder", "jar", 10.0),
        Ingredient("taro", "jar", 30.0),
        Ingredient("milk", "bottle", 150.0),
        Ingredient("blueberry", "jar", 25.0),
    )
)
"""The seven materials of the paper."""


def read_counter_scene(text: str, source: str = "scene") -> CounterScene:
    """Read the text of a scene; `source` is what errors call it."""
    data = read_scene_data(text, source, "a counter is a list of ingredients and a few words")
    try:
        scene = msgspec.convert(data, CounterScene)
    except msgspec.ValidationError as error:
        raise BadScene(_located(str(error), text, source)) from None
    for word, problem in _problems(scene):
        raise BadScene(f"{source}:{_line_of(text, word)}: {problem}")
    return scene


def _problems(scene: CounterScene) -> list[tuple[str, str]]:
    """What is wrong with a scene: the word at fault, and one sentence that says how to correct it."""
    count = len(scene.ingredients)
    if not 1 <= count <= _MOST_INGREDIENTS:
        return [("ingredients", f"There are {count} ingredients; a counter has room for 1 to {_MOST_INGREDIENTS}.")]
    if not re.fullmatch(r"[a-z]{2,20}(?: [a-z]{1,20}){0,2}", scene.vessel):
        return [("vessel", f"{scene.vessel!r} is not usable as a vessel; use one to three words in lower case.")]
    if not 1 <= scene.vessels <= _MOST_VESSELS:
        return [("vessels", f"There are {scene.vessels} vessels; a stack has 1 to {_MOST_VESSELS}.")]
    if not _ERRORS[0] <= scene.detection_error <= _ERRORS[1]:
        low, high = _ERRORS
        return [("detection_error", f"The detection error is {scene.detection_error} m; it must be {low} to {high} m.")]
    return [*_names(scene), *(p for each in scene.ingredients for p in _ingredient(each))]


def _names(scene: CounterScene) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    places, ingredients = [*scene.called.named().values()], [each.name for each in scene.ingredients]
    known: set[str] = set()
    for name in (*places, *ingredients):
        if not is_name(name, _LONGEST_NAME):
            found.append((name, say_no_name(name, _LONGEST_NAME)))
        elif name.lower() in known:
            found.append((name, f"Two things are called {name!r}; give each place and ingredient its own name."))
        elif re.fullmatch(rf"{re.escape(scene.vessel)}( \d+)?", name, re.IGNORECASE):
            found.append((name, f"{name!r} is what a {scene.vessel} is called; give it another name."))
        known.add(name.lower())
    return found


def _ingredient(each: Ingredient) -> list[tuple[str, str]]:
    if each.container not in _AMOUNTS:
        kinds = ", a ".join(_AMOUNTS)
        return [(each.name, f"{each.name}: there is no container {each.container!r}; use a {kinds}.")]
    if not (math.isfinite(each.portion) and _PORTIONS[0] <= each.portion <= _PORTIONS[1]):
        low, high = _PORTIONS
        return [(each.name, f"{each.name}: the amount is {each.amount:g} ml; it must be {low:g} to {high:g} ml.")]
    if not 0 <= each.left <= 100 * FULL:
        return [(each.name, f"{each.name}: {each.left:g} ml are left; that must be 0 to {100 * FULL:g} ml.")]
    return []


def _located(problem: str, text: str, source: str) -> str:
    what, _, where = problem.partition(" - at ")
    index = re.search(r"ingredients\[(\d+)\]", where)
    field = re.search(r"unknown field `(\w+)`", what) or re.search(r"\.(\w+)`?$", where)
    about = f"ingredient {int(index[1]) + 1}: " if index else ""
    named = f" for {field[1]!r}" if field and "unknown" not in what else ""
    has = "ingredients, and optionally vessel, vessels, places, detection_error"
    hint = f"a counter has {has}" if not index else "an ingredient has name, container, and optionally amount, left"
    line = _line_of(text, field[1] if field else "ingredients", int(index[1]) if index else 0)
    return f"{source}:{line}: {about}{what.replace('Object ', 'it ')}{named}; {hint}."


def _line_of(text: str, word: str, after: int = 0) -> int:
    """The line that contains a word; for a field of ingredients, the line of the n-th ingredient."""
    found = [match.start() for match in re.finditer(rf"(?<![\w]){re.escape(word)}(?![\w])", text)]
    start = found[min(after, len(found) - 1)] if found else 0
    return text.count("\n", 0, start) + 1
