"""What the robot at the machine sees through its camera, and what it remembers.

The robot knows its kitchen, so a box with a depth tells at which place a thing lies; the depth tells whether the door
is open and the racks are out, and the lamp whether the machine runs. Eyes find kinds, such as plates: a thing keeps its
number while it is found where it was. The rest is what the robot remembers: what it prepared, what was in a cycle, what
it put into the dispenser, what it found to be clean and dry. The hand feels whether it holds something, and takes that
for the thing that it was sent for.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec
import numpy as np

from thinkaloud.errors import DidNotWork
from thinkaloud.records import Arguments, Value
from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.interventions import Box
from thinkaloud.worlds.vision import Appearance, Eyes, Sight, View
from thinkaloud_worlds.dishwasher.arrangement import CUTLERY, form_of_kind
from thinkaloud_worlds.dishwasher.camera import dishes_at, photograph_dishes
from thinkaloud_worlds.dishwasher.furniture import DOOR, LAMP, RACKS_OUT, spots_of
from thinkaloud_worlds.dishwasher.known_state import IN_HAND, Known
from thinkaloud_worlds.dishwasher.machine_facts import MachineFacts
from thinkaloud_worlds.dishwasher.scene import FRONT, MachineScene, kind_without_number
from thinkaloud_worlds.dishwasher.true_state import Process
from thinkaloud_worlds.random_tables.pictures import TablePicture

_BESIDE = 0.06  # metres around the area for things: what is seen farther away does not lie there
_HIGHEST, _LOWEST = 0.35, -0.05
_SAME = 0.07  # a thing that is found this near to where it was is the same thing
_REACH = 0.09  # the hand closes on what is this near to the point that it was sent to
_GONE = 0.35  # a thing is gone if nothing there is higher than this share of it
_ENOUGH = 40  # pixels of a door or of racks


@dataclass(frozen=True, slots=True)
class _Found:
    """Something that looks like a kind: at which place, the point in its frame, its box, and any doubt."""

    kind: str
    place: str
    point: Xyz
    box: Box
    doubt: str


class SavedSight(msgspec.Struct, array_like=True, frozen=True):
    """What is remembered, for a snapshot."""

    places: dict[str, str]
    prepared: tuple[str, ...]
    washed: tuple[str, ...]
    checked: tuple[str, ...]
    machine: tuple[bool, bool, bool, str]
    points: dict[str, tuple[str, Xyz]]
    taking: str


def picture_of(process: Process, place: str, *, whole: bool = False) -> TablePicture:
    """What the camera sees at a place, with the truth about it."""
    return photograph_dishes(process, place, whole=whole)


class MachineSight(MachineFacts):
    """What is seen and remembered, through the eyes alone. `points` tells where each thing was last seen."""

    def __init__(self, eyes: Eyes, process: Process) -> None:
        self._eyes, self.process, self.scene = eyes, process, process.scene
        self.begin(process)

    def begin(self, process: Process) -> None:
        """Start with nothing seen yet."""
        self.process, self.believed = process, Known()
        self.points: dict[str, tuple[str, Xyz]] = {}
        self.seen: dict[str, _Found] = {}
        self._taking = ""
        self._looks: dict[str, tuple[object, View, Sight]] = {}

    # Looking ----------------------------------------------------------------------------------------------------------

    def look_at(self, place: str) -> tuple[View, Sight]:
        """Take a picture of a place and find things in it, unless nothing has changed there."""
        known = self.process.known
        lying = tuple(sorted((n, p) for n, p in known.places.items() if p == place or place == FRONT))
        now = (self.process.seed, lying, known.open, known.out, known.running)
        if place not in self._looks or self._looks[place][0] != now:
            view = picture_of(self.process, place).view
            found = Sight() if place == FRONT else self._eyes.look(view, appearances_of(self.scene))
            self._looks[place] = now, view, found
        return self._looks[place][1:]

    def refresh(self) -> Known:
        """Look at every place that can be seen, and update what is known."""
        known, scene = self.believed, self.scene
        self._see_machine()
        visible = [scene.start_place, scene.finished, *(scene.compartments if known.out else ())]
        found = [each for place in visible for each in self._found(place)]
        held = self.process.known.held
        if held and not known.held:
            known.places[self._taking or held] = IN_HAND
        elif not held and known.held:
            self._forget(known.held)
        self.seen = {}
        for kind in scene.kinds:
            self._name([each for each in found if each.kind == kind], kind, visible)
        known.places = {name: known.places[name] for name in scene.names if name in known.places}
        return known

    def _see_machine(self) -> None:
        """Whether the door is open, the racks are out, and the lamp is lit."""
        known = self.believed
        known.open, known.out, lit = _machine_in(self.look_at(FRONT)[0], spots_of(self.scene)[FRONT].origin)
        if known.running and not lit:
            known.washed |= {*self._inside(known)}
        known.running = lit

    def _found(self, place: str) -> Iterator[_Found]:
        wide, deep = spots_of(self.scene)[place].room
        for each in self.look_at(place)[1].sightings:
            if each.point is None:
                continue
            x, y, z = each.point
            if abs(x) <= wide / 2 + _BESIDE and abs(y) <= deep / 2 + _BESIDE and _LOWEST <= z <= _HIGHEST:
                yield _Found(each.name, place, each.point, each.box, each.doubt)

    def _name(self, found: list[_Found], kind: str, visible: list[str]) -> None:
        """Number what looks like one kind: by where each thing was, then by where the robot put one, then anew."""
        known = self.believed
        names = [n for n in self.scene.names if kind_without_number(n) == kind and n != known.held]
        pairs = sorted(
            (math.dist(self.points[name][1], each.point), name, number)
            for name in names
            for number, each in enumerate(found)
            if name in self.points and self.points[name][0] == each.place
        )
        left = dict(enumerate(found))
        for distance, name, number in pairs:
            if distance < _SAME and name not in self.seen and number in left:
                self.seen[name] = left.pop(number)
        for name in names:
            if name not in self.seen and known.places.get(name) in visible:
                if name not in self.points:
                    number = next((n for n, each in left.items() if each.place == known.places[name]), -1)
                    if number >= 0:
                        self.seen[name] = left.pop(number)
                elif self._is_gone(name, kind):
                    self._forget(name)
        for name in [n for n in names if n not in self.seen and n not in known.places]:
            if left:
                self.seen[name] = left.pop(min(left))
        for name in names:
            if name in self.seen:
                known.places[name] = self.seen[name].place
                self.points[name] = self.seen[name].place, self.seen[name].point

    def _forget(self, name: str) -> None:
        self.believed.places.pop(name, None)
        self.points.pop(name, None)

    def _is_gone(self, name: str, kind: str) -> bool:
        """Whether the camera sees that nothing is left where a thing was."""
        place, (x, y, _) = self.points[name]
        form, points = form_of_kind(self.scene, kind), self.look_at(place)[0].points().reshape(-1, 3)
        with np.errstate(invalid="ignore"):
            there = points[np.hypot(points[:, 0] - x, points[:, 1] - y) < min(form.across, form.deep) / 2, 2]
        return len(there) > 3 and float(np.quantile(there, 0.95)) < _GONE * form.height

    def boxes(self, place: str) -> Mapping[str, Box]:
        """Where in the picture of a place the robot finds each thing."""
        self.refresh()
        return {name: each.box for name, each in self.seen.items() if each.place == place}

    def positions(self) -> dict[str, dict[str, Value]]:
        """Where each thing was last seen, in the robot's frame."""
        spots, found = spots_of(self.scene), dict[str, dict[str, Value]]()
        for name, (place, point) in sorted(self.points.items()):
            x, y = (round(a + b, 3) for a, b in zip(spots[place].origin[:2], point[:2], strict=True))
            found[name] = {"x": x, "y": y}
        return found

    # What can be asked ------------------------------------------------------------------------------------------------

    def _known(self) -> Known:
        return self.refresh()

    def _is_ready(self, name: str) -> bool:
        return name in self.believed.ready

    # Acting -----------------------------------------------------------------------------------------------------------

    def act(self, deed: str, arguments: Arguments) -> str:
        """Do what the robot means to do, on what really is there; return on what it was done."""
        rules, true = self.process.rules, self.process.known
        if deed == "grasp":
            return self._grasp(str(arguments["item"]))
        given = {**arguments}
        if "item" in given:
            given["item"] = kind_without_number(true.held)
        if problem := rules.refuses(deed, true, given):
            raise DidNotWork(problem)
        what = true.held if deed in ("prepare", "put", "put_back") else str(arguments.get("additive", ""))
        rules.becomes(deed, true, given)
        rules.becomes(deed, self.believed, arguments)
        return what

    def _grasp(self, kind: str) -> str:
        """Close the hand where a thing of a kind is seen, on whatever really is there."""
        rules, true = self.process.rules, self.process.known
        target = rules.next_of(self.believed, kind) or ""
        if target in self.seen and self.seen[target].doubt:
            raise DidNotWork(self.seen[target].doubt)
        real = self.really(target)
        if not real:
            self._forget(target)
            raise DidNotWork(f"The gripper closed on nothing: there is no {kind} where one was seen.")
        rules.becomes("grasp", self.believed, {"item": kind})
        true.places[real] = IN_HAND
        true.washed.discard(real)
        self._taking = target
        self.points.pop(target, None)
        return real

    def really(self, name: str) -> str:
        """What really is where a thing was last seen; empty if there is nothing."""
        if name not in self.points:
            return ""
        place, point = self.points[name]
        near = [(math.dist(point, each.middle()), each.name) for each in dishes_at(self.process, place)]
        distance, real = min(near, default=(math.inf, ""))
        return real if distance < _REACH else ""

    def started(self) -> None:
        """A cycle begins."""
        self.process.rules.becomes("start", self.believed, {})

    def checked(self, wrong: Mapping[str, str]) -> list[str]:
        """Take in what a check found; return what is ready, by the robot's own names. `wrong` is by true names."""
        inside = self._inside(self.believed)
        good = [name for name in inside if (real := self.really(name)) and real not in wrong]
        self.believed.ready |= {*good}
        return good

    def returned(self, name: str) -> None:
        """A thing is at the finished place now."""
        self.believed.places[name] = self.scene.finished
        self.believed.ready.add(name)
        self.points.pop(name, None)

    def called(self, real: str) -> str:
        """What the robot calls a thing: by the name that it knows for its place, or else by its kind."""
        named = next((name for name in self.points if self.really(name) == real), "")
        return named or f"a {kind_without_number(real)}"

    # State ------------------------------------------------------------------------------------------------------------

    def expected(self) -> Process:
        """The machine as the robot takes it to be; everything that was in a cycle is taken to be as it should."""
        process = Process(self.scene, self.process.seed)
        process.now, process.ends_at, process.used = self.process.now, self.process.ends_at, [*self.process.used]
        process.known = copy.deepcopy(self.refresh())
        process.clean = {*process.known.washed, *process.known.ready}
        process.faults = dict.fromkeys(process.known.washed, "")
        process.history = [*self.process.history]
        return process

    def saved(self) -> SavedSight:
        """What is remembered, as data."""
        known = self.believed
        return SavedSight(
            known.places,
            tuple(sorted(known.prepared)),
            tuple(sorted(known.washed)),
            tuple(sorted(known.ready)),
            (known.open, known.out, known.running, known.additive),
            self.points,
            self._taking,
        )

    def remember(self, process: Process, data: object) -> None:
        """Restore what was remembered; nothing if a world without eyes was saved."""
        self.begin(process)
        if data is None:
            return
        saved = msgspec.convert(data, SavedSight)
        known = Known(dict(saved.places), {*saved.prepared}, {*saved.washed}, {*saved.checked}, *saved.machine)
        self.believed = known
        self.points, self._taking = dict(saved.points), saved.taking


def appearances_of(scene: MachineScene) -> tuple[Appearance, ...]:
    """What every kind of thing looks like."""
    found = list[Appearance]()
    for kind in scene.kinds:
        form = form_of_kind(scene, kind)
        is_round = form.shape in ("can", "bottle", "fruit", "cup", "plate")
        top = (form.across, form.deep) if form.shape in CUTLERY else None
        found.append(Appearance(kind, form.rgb, form.across, form.height, form.shape == "cup", is_round, top))
    return tuple(found)


@lru_cache(maxsize=4)  # one picture answers many questions
def _machine_in(view: View, origin: Xyz) -> tuple[bool, bool, bool]:
    """Whether a picture shows the door open, the racks out, and the lamp lit."""
    points = view.points().reshape(-1, 3) + np.array(origin)
    is_open = _count(points, DOOR) < _ENOUGH
    lamp = np.array(LAMP) - origin
    column, row = _pixel(view, (float(lamp[0]), float(lamp[1]), float(lamp[2])))
    red, green, _ = view.rgb[row - 1 : row + 2, column - 1 : column + 2].reshape(-1, 3).mean(axis=0)
    return is_open, is_open and _count(points, RACKS_OUT) >= _ENOUGH, bool(green > red + 40)


def _count(points: np.ndarray[tuple[int, ...], np.dtype[np.float64]], box: tuple[tuple[float, float], ...]) -> int:
    low, high = np.array(box).T
    with np.errstate(invalid="ignore"):
        return int(((points > low) & (points < high)).all(axis=1).sum())


def _pixel(view: View, point: Xyz) -> tuple[int, int]:
    right, down, ahead = view.rotation.T @ (np.array(point) - view.position)
    at = view.intrinsics
    return round(at.fx * right / ahead + at.cx), round(at.fy * down / ahead + at.cy)
