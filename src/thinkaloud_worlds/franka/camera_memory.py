"""The table as a camera alone knows it: which things are where, what was seen before, and what the hand holds.

The eyes tell which kind of thing is where. A thing is named after its kind, with a number if there are several. It
keeps its name if it is found nearest to where that name was last seen. The hand feels that it holds something, and
takes it for the thing it was sent to grasp. Not covered: things that have fallen over are not recognised.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Condition
from thinkaloud.skills import Relation
from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.interventions import Box as Rectangle
from thinkaloud.worlds.vision import Eyes, Sight, Sighting, View
from thinkaloud_worlds.franka.box_geometry import ObjectBox, relations_among
from thinkaloud_worlds.franka.catalogue import FrankaKind
from thinkaloud_worlds.franka.gripper import FrankaHand
from thinkaloud_worlds.franka.layout import AT_POINT
from thinkaloud_worlds.franka.overhead_camera import (
    ALL_CAMERAS,
    USUAL_CAMERA,
    appearances_in,
    kinds_known,
    photograph_from_above,
)
from thinkaloud_worlds.franka.physics import Table

SOMETHING = "something"
_TOP = 0.016  # points within this many metres of a thing's highest point count as its top
_SAME = 0.04  # two of a kind nearer to each other than this are one thing, seen from two points
_GONE = 0.02  # a thing is gone if the camera sees this far below its top, where it was
_TURNED = 0.035  # if the sides differ by more than this, either way round, it is another thing
SeenThing = tuple[str, ObjectBox]
"""The name of what something looks like, and its box."""


class TableSight:
    """What the robot sees and remembers of the table, through its eyes alone."""

    def __init__(self, eyes: Eyes, table: Callable[[], Table]) -> None:
        self._eyes, self._table = eyes, table
        self.begin()

    def begin(self) -> None:
        """Start with nothing seen yet."""
        self.known: dict[str, ObjectBox] = {}
        self._looks: dict[str, str] = {}
        self.taking = ""
        self._latest: tuple[bytes, View, Sight] | None = None
        self._told: tuple[bytes, frozenset[str]] | None = None
        self._kinds = kinds_known(self._table().scene)
        self.catalogue = appearances_in(self._table().scene)

    def kinds(self) -> dict[str, FrankaKind]:
        """The kind of each known thing."""
        return {name: self._kinds[look][0] for name, look in self._looks.items()}

    @property
    def held(self) -> str | None:
        """What the hand holds: if it feels something, that is taken to be the thing it was sent for."""
        return (self.taking or SOMETHING) if self._table().held is not None else None

    # Looking ----------------------------------------------------------------------------------------------------------

    def look(self, *, closely: bool = False) -> frozenset[str]:
        """The names of the things in view. Remembers what is found and forgets what is visibly gone."""
        now = self._now()
        if closely or self._told is None or self._told[0] != now:
            self._told = now, self._looked(closely)
        return self._told[1]

    def _now(self) -> bytes:
        """Everything that the picture and the hand's place depend on."""
        table = self._table()
        return bytes(table.data.qpos.tobytes()) + bytes([table.held is not None]) + self.taking.encode()

    def _looked(self, closely: bool) -> frozenset[str]:
        views = [self._look_from(point) for point in (ALL_CAMERAS if closely else USUAL_CAMERA)]
        found = self._named(_merged(_found(view, sight, self._kinds) for view, sight in views))
        held = self.held
        gone = [
            n for n in self.known if n not in found and n != held and _is_gone(self.known[n], [v for v, _ in views])
        ]
        for name in gone:
            del self.known[name], self._looks[name]
        self.known.update(found)
        if held is None or held not in self.known:
            return frozenset(found)
        self.known[held] = self._in_hand(held)
        return frozenset((*found, held))

    def _look_from(self, point: Xyz) -> tuple[View, Sight]:
        table = self._table()
        now = table.data.qpos[9:].tobytes() + bytes([table.held is not None]) + repr(point).encode()
        if self._latest is None or self._latest[0] != now:
            view = photograph_from_above(table, point).view
            self._latest = now, view, self._eyes.look(view, self.catalogue)
        return self._latest[1:]

    def picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Rectangle]]:
        """The picture from above, and where the robot finds each thing in it."""
        self.look()
        view, sight = self._look_from(USUAL_CAMERA[0])
        boxes = dict[str, Rectangle]()
        for each in sight.sightings:
            seen = _found(view, Sight((each,)), self._kinds)
            names = [name for name in self.known if seen and self._looks[name] == each.name]
            if names:
                near = min(names, key=lambda name: math.dist(self.known[name][:2], seen[0][1][:2]))
                boxes[near] = each.box
        return view.rgb, boxes

    def _named(self, found: list[SeenThing]) -> dict[str, ObjectBox]:
        """Name what was found: by where known things were, with new names for new things."""
        named: dict[str, ObjectBox] = {}
        for look in dict.fromkeys(look for look, _ in found):
            boxes = [box for name, box in found if name == look]
            former = [name for name, its in self._looks.items() if its == look and name != self.held]
            pairs = sorted((math.dist(self.known[n][:2], box[:2]), n, i) for n in former for i, box in enumerate(boxes))
            left = set(range(len(boxes)))
            for _, name, number in pairs:
                if name not in named and number in left:
                    named[name] = boxes[number]
                    left.remove(number)
            for number in sorted(left, key=lambda number: (boxes[number].y, boxes[number].x)):
                name = self._new_name(look, alone=len(boxes) == 1)
                self._looks[name] = look
                named[name] = boxes[number]
        return named

    def _new_name(self, look: str, *, alone: bool) -> str:
        of_kind = sum(its == look for its in self._looks.values())
        number = of_kind + 1
        if alone and not of_kind and look not in self._looks:
            return look
        while f"{look} {number}" in self._looks:
            number += 1
        return f"{look} {number}"

    def _in_hand(self, name: str) -> ObjectBox:
        """The box of the held thing, worked out from where the hand is."""
        hand, kind = self._table().actual(), self._kinds[self._looks[name]][0]
        return self.known[name].at(hand.x, hand.y, hand.z - kind.grip)

    # Checking and acting ----------------------------------------------------------------------------------------------

    def seen_by(self, relation: Relation) -> Relation:
        """The same relation, evaluated on what is seen."""
        name = relation.signature.name
        return replace(relation, holds=lambda **given: self.holds(Condition(name, given, "")))

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true by what is seen. A hidden thing counts as being where it was last seen."""
        self.look()
        given = dict(condition.arguments)
        names = [str(value) for value in given.values() if isinstance(value, str)]
        for name in names:
            if name not in self.known:
                raise UnknownName("object", name, tuple(self.known))
        if condition.relation == "held":
            return self.held == given["object"]
        if condition.relation == "at":
            box = self.known[str(given["object"])]
            point = float(given["x"]), float(given["y"])
            return self.held != given["object"] and math.dist(box[:2], point) <= AT_POINT
        kinds = self.kinds()
        related = relations_among(self.known, self.held, [name for name, kind in kinds.items() if kind.hollow])
        pairs = [(*arguments.values(),) for relation, arguments in related if relation == condition.relation]
        return (*names,) in pairs or (condition.relation == "near" and (*reversed(names),) in pairs)

    async def act(self, hand: FrankaHand, at: Xyz, taken_for: str, *, putting: bool) -> str:
        """Take what is at a point, or put down what is held. Reports use the robot's own names for things."""
        held = self.held
        try:
            await hand.run(lambda: hand.put(*at) if putting else hand.take(*at))
        except SkillError as error:
            raise type(error)(self._in_own_words(str(error))) from None
        finally:
            if not putting and self._table().held is not None:
                self.taking = taken_for
        where = f"({at[0]:.2f}, {at[1]:.2f})"
        return f"Put down what was taken for the {held} at {where}." if putting else f"{self.held} is in the hand."

    def _in_own_words(self, text: str) -> str:
        """The hand's report, with each thing called by the name known for its place."""
        table = self._table()
        names = sorted(table.names, key=len, reverse=True)
        pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)
        return re.sub(pattern, lambda found: self._called(table, found.group()), text)

    def _called(self, table: Table, name: str) -> str:
        if table.held == name:
            return str(self.held)
        x, y, _ = table.position(name)
        met = [(math.dist(box[:2], (x, y)), name) for name, box in self.known.items() if box.covers(x, y, 0.02)]
        return min(met)[1] if met else SOMETHING

    # State ------------------------------------------------------------------------------------------------------------

    def saved(self) -> dict[str, tuple[str, ObjectBox]]:
        """What is remembered, as plain data."""
        return {name: (self._looks[name], box) for name, box in self.known.items()}

    def remember(self, saved: Mapping[str, tuple[str, ObjectBox]], taking: str) -> None:
        """Restore what was remembered."""
        self.begin()
        self.known = {name: box for name, (_, box) in saved.items()}
        self._looks, self.taking = {name: look for name, (look, _) in saved.items()}, taking


def _found(view: View, sight: Sight, kinds: Mapping[str, tuple[FrankaKind, object]]) -> list[SeenThing]:
    """The things that are seen and can be measured."""
    points = view.points()
    found = [(each.name, _measure(points, each, kinds[each.name][0])) for each in sight.sightings]
    return [(name, box) for name, box in found if box is not None]


def _measure(points: NDArray[np.float64], seen: Sighting, kind: FrankaKind) -> ObjectBox | None:
    """The box of a thing, measured from its top in the picture; a receptacle stands on the table."""
    left, top, right, bottom = seen.box
    inside = points[top : bottom + 1, left : right + 1].reshape(-1, 3)
    inside = inside[np.isfinite(inside[:, 2])]
    if not len(inside):
        return None
    length, width, height = kind.size
    high = height if kind.receptacle else float(np.quantile(inside[:, 2], 0.97))
    upper = inside[np.abs(inside[:, 2] - high) < _TOP]
    if not len(upper):
        return None
    (x0, y0), (x1, y1) = np.quantile(upper[:, :2], 0.01, axis=0), np.quantile(upper[:, :2], 0.99, axis=0)
    wide, deep = float(x1 - x0), float(y1 - y0)
    if kind.shape in ("box", "tray", "basket"):
        as_is, turned = math.dist((wide, deep), (length, width)), math.dist((wide, deep), (width, length))
        if min(as_is, turned) > _TURNED:
            length, width = max(wide, min(kind.size)), max(deep, min(kind.size))
        elif turned < as_is:
            length, width = width, length
    return ObjectBox(float(x0 + x1) / 2, float(y0 + y1) / 2, high - height / 2, length, width, height)


def _merged(views: Iterable[list[SeenThing]]) -> list[SeenThing]:
    """The things seen from several points, each listed once."""
    found: list[SeenThing] = []
    for seen in views:
        first = list(found)
        for look, box in seen:
            if not any(look == other and math.dist(box[:3], its[:3]) < _SAME for other, its in first):
                found.append((look, box))
    return found


def _is_gone(box: ObjectBox, views: Iterable[View]) -> bool:
    """Whether some view looks past the place where a thing was."""
    for view in views:
        points = view.points()
        with np.errstate(invalid="ignore"):
            x, y = np.abs(points[..., 0] - box.x), np.abs(points[..., 1] - box.y)
            there = points[(x < box.length / 2) & (y < box.width / 2)]
        if len(there) and float(np.quantile(there[:, 2], 0.9)) < box.top - _GONE:
            return True
    return False
