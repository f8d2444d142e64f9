"""A kitchen as data: what lies where, how often skills fail, and what people do to the robot meanwhile.

    start = "table"                  # where the robot stands at first
    open = ["top drawer"]            # the drawers that are open
    rates = {pick_up = 0.2}          # how often a skill fails, 0 to 1; a skill that is not listed never fails

    [[item]]
    name = "coke"
    at = "counter"                   # a location or a drawer

    [[person]]                       # what a person does, once
    does = "takes"                   # takes it away, moves it, knocks against the hand, opens or closes a drawer
    during = "pick_up"               # while the robot does this; or `after` this many seconds
    item = "coke"                    # default: the skill's item
    to = "table"                     # where a moved item goes
    drawer = "top drawer"            # the drawer to open or close; default: the skill's drawer

JSON of the same form works, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import msgspec

from thinkaloud.errors import BadScene
from thinkaloud.language.name_matching import find_nearest
from thinkaloud.untrusted.text import is_name, say_no_name
from thinkaloud.worlds.scene_parser import Problem, read_scene
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, ITEMS, LOCATIONS, SKILLS
from thinkaloud_worlds.seeds import generator

_MOST = 24  # of each kind of entry
_LONGEST_NAME = 40
_LONGEST_WAIT = 3600.0
_SALT = 0xC0FFEE
_Deed = Literal["takes", "moves", "knocks", "opens", "closes"]
_ON_DRAWERS = ("opens", "closes")


class PlacedItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item, and the location or drawer where it is."""

    name: str
    at: str


class Disturbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a person does, once: during a skill, or after some seconds."""

    does: _Deed
    during: str = ""
    after: float | None = None
    item: str = ""
    to: str = ""
    drawer: str = ""


class KitchenScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kitchen: where everything is at the start, how often skills fail, and what people do."""

    items: tuple[PlacedItem, ...] = msgspec.field(name="item", default=())
    start: str = "table"
    open: tuple[str, ...] = ()
    rates: dict[str, float] = {}
    people: tuple[Disturbs, ...] = msgspec.field(name="person", default=())

    def to_json(self) -> str:
        """The scene as text, for the journal."""
        return msgspec.json.encode(self, order="deterministic").decode()

    def check(self) -> None:
        """Raise BadScene with the reason if the kitchen is impossible."""
        for _, problem in _problems(self):
            raise BadScene(problem)

    @property
    def names(self) -> tuple[str, ...]:
        """Every item that the robot can handle, present or not: those it has learnt, and those that the scene names."""
        return tuple(dict.fromkeys((*ITEMS, *(each.name for each in self.items))))


def draw_kitchen(seed: int, count: int = 9) -> KitchenScene:
    """Draw a kitchen from a seed: `count` items, none in a drawer; drawers closed, nothing fails, nobody comes."""
    rng = generator(seed, _SALT)
    chosen = sorted(int(each) for each in rng.permutation(len(ITEMS))[:count])
    places = ("counter", "table", CABINET)
    items = tuple(PlacedItem(ITEMS[each], places[int(rng.integers(len(places)))]) for each in chosen)
    return KitchenScene(items, ("counter", "table")[int(rng.integers(2))])


# Reading --------------------------------------------------------------------------------------------------------------


def read_kitchen_scene(text: str, source: str = "scene") -> KitchenScene:
    """Read the text of a scene; `source` is what errors call it."""
    has = "a scene has start, open, rates, item and person"
    return read_scene(text, source, KitchenScene, _problems, shape="a scene is items, each with where it is", has=has)


def _problems(scene: KitchenScene) -> Iterator[Problem]:
    if scene.start not in LOCATIONS:
        yield ("start", 0), f"The robot cannot start at {_unknown('location', scene.start, LOCATIONS)}"
    for drawer in scene.open:
        if drawer not in DRAWERS:
            yield ("open", 0), f"open names an unknown drawer: {_unknown('drawer', drawer, DRAWERS)}"
    for skill, rate in scene.rates.items():
        if skill not in SKILLS:
            yield ("rates", 0), f"rates names an unknown skill: {_unknown('skill', skill, SKILLS)}"
        if not 0.0 <= rate <= 1.0:
            yield ("rates", 0), f"{skill} has a failure rate of {rate:g}; rates must be 0 (never) to 1 (always)."
    for table, entries in (("item", scene.items), ("person", scene.people)):
        if len(entries) > _MOST:
            yield (table, _MOST), f"There are {len(entries)} entries of {table}; there can be at most {_MOST}."
    for index, item in enumerate(scene.items):
        yield from ((("item", index), problem) for problem in _item_problems(scene, index, item))
    for index, person in enumerate(scene.people):
        yield from ((("person", index), problem) for problem in _person_problems(scene, person))


def _item_problems(scene: KitchenScene, index: int, item: PlacedItem) -> Iterator[str]:
    if not is_name(item.name, _LONGEST_NAME):
        yield say_no_name(item.name, _LONGEST_NAME)
    if item.name.lower() in (other.name.lower() for other in scene.items[:index]):
        yield f"Two items are called {item.name!r}; give each a name of its own."
    if item.name.lower() in (*LOCATIONS, *DRAWERS):
        yield f"An item cannot be called {item.name!r}: that is a place."
    if item.at not in (*LOCATIONS, *DRAWERS):
        yield f"The {item.name} cannot be at {_unknown('place', item.at, (*LOCATIONS, *DRAWERS))}"


def _person_problems(scene: KitchenScene, person: Disturbs) -> Iterator[str]:
    if bool(person.during) == (person.after is not None):
        yield "A person comes either `during` a skill or `after` some seconds; give exactly one of them."
    if person.during and person.during not in SKILLS:
        yield f"A person comes during an unknown skill: {_unknown('skill', person.during, SKILLS)}"
    if person.after is not None and not (math.isfinite(person.after) and 0 <= person.after <= _LONGEST_WAIT):
        yield f"A person comes after {person.after:g} s; that must be 0 to {_LONGEST_WAIT:g}."
    if person.item and person.item not in scene.names:
        yield f"A person handles an unknown item: {_unknown('item', person.item, scene.names)}"
    if person.drawer and person.drawer not in DRAWERS:
        yield f"A person handles an unknown drawer: {_unknown('drawer', person.drawer, DRAWERS)}"
    if person.does == "moves" and person.to not in (*LOCATIONS, *DRAWERS):
        yield f"A person moves something to an unknown place: {_unknown('place', person.to, (*LOCATIONS, *DRAWERS))}"
    if not person.during and not (person.drawer if person.does in _ON_DRAWERS else person.item):
        yield f"A person who {person.does} something after some seconds needs an `item` or a `drawer`."


def _unknown(kind: str, name: str, known: tuple[str, ...] | dict[str, tuple[float, float]]) -> str:
    near = find_nearest(name, known)
    hint = f" (did you mean {near!r}?)" if near else ""
    return f"{name!r}{hint}; a {kind} is one of: {', '.join(known)}."
