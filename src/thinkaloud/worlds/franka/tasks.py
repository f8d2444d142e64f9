"""What can be said to the arm in one sentence, and the steps that it stands for."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from thinkaloud.errors import Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import WorldState
from thinkaloud.worlds.contract import Command
from thinkaloud.worlds.franka.arranging import Arranging, line_of
from thinkaloud.worlds.franka.boxes import boxes_of, held_in
from thinkaloud.worlds.franka.layout import AT, ORDINARY, OWN, outside
from thinkaloud.worlds.franka.reach import reaches
from thinkaloud.worlds.geometry import Xy

_MOST_IN_LINE = 8
"""Things in a line."""
_HEIGHTS = (ORDINARY, ORDINARY / 2, 0.03)
"""What is out of reach for all of these is so for everything."""
ANY = "in any order"
_BOUND = '("x" | "y") (" > " | " < ") "-"? "0" "." [0-9]{1,2}'
_NUMBER = r"-?\d+(?:\.\d+)?"
_POINT = rf"\((?P<x>{_NUMBER}), (?P<y>{_NUMBER})\)"
_WHERE = re.compile(rf"([xy]) ([<>]) ({_NUMBER})")


@dataclass(frozen=True)
class FrankaTasks:
    """The sentences; `receptacles` are what things are put on, or into where they are `hollow`."""

    receptacles: Collection[str]
    hollow: Collection[str]

    # Telling ----------------------------------------------------------------------------------------------------------

    def render_scene(self, state: WorldState) -> list[str]:
        """The names of all that is there, by what can be done with it, and what is on or in what."""
        wide = [name for name in state.objects if name in self.receptacles]
        groups = {
            "Things": [name for name in state.objects if name not in wide],
            "On": [name for name in wide if name not in self.hollow],
            "In": [name for name in wide if name in self.hollow],
        }
        lines = [f"{title}: {', '.join(names)}" for title, names in groups.items() if names]
        borne = [
            f"{each.arguments['object']} {'on' if each.relation == 'on' else 'in'} {each.arguments['target']}"
            for each in state.relations
            if each.relation in ("on", "inside")
        ]
        held = held_in(state)
        return [*lines, *([f"There: {', '.join(borne)}"] if borne else []), *([f"In the hand: {held}"] if held else [])]

    def render_remark(self, state: WorldState, point: Xy) -> str:
        """That it is no place to put things, or what stands there."""
        x, y = point
        if outside(x, y):
            return " is outside the table"
        held, boxes = held_in(state), boxes_of(state)
        near = sorted((math.dist(point, (box.x, box.y)), name) for name, box in boxes.items() if name != held)
        small = [(far, name) for far, name in near if far <= AT + 1e-6 and name not in self.receptacles]
        if small:
            return f" is where the {small[0][1]} is"
        over = [name for name in boxes if name in self.receptacles and boxes[name].covers(x, y)]
        if over:
            return f" is on the {over[0]}"
        if math.hypot(x, y) < OWN:
            return " is where the arm itself stands"
        return "" if any(reaches(x, y, height) for height in _HEIGHTS) else " is out of reach"

    def task_grammar(self, state: WorldState, points: Sequence[str]) -> str:
        """Every sentence about what is there."""
        things = [name for name in state.objects if name not in self.receptacles]
        if not things:
            raise Unparseable("There is nothing that could be taken.")
        thing = gbnf.branching(things)
        places = ["aside", "back", *(f"at {point}" for point in points)]
        places += [f"{'in' if name in self.hollow else 'on'} the {name}" for name in self.receptacles_in(state)]
        places += [f"next to the {name}" for name in state.objects]
        places += [f"where the {name} was" for name in things]
        bounds = gbnf.sequence(gbnf.literal("where "), _BOUND, f'(" and " {_BOUND})?')
        put = gbnf.sequence('"Put the "', thing, '" "', gbnf.choice([gbnf.branching(places), bounds]))
        options = [put]
        if len(things) > 1:
            options.append(gbnf.sequence('"Exchange the "', thing, '" and the "', thing))
            several = f'{thing} (", " {thing}){{1,{_MOST_IN_LINE - 1}}}'
            options.append(gbnf.sequence(f'"Line up along " ("x" | "y") (" {ANY}")? ": "', several))
        return gbnf.sequence(gbnf.choice(options), f'(", round the " {thing})? "."')

    def receptacles_in(self, state: WorldState) -> list[str]:
        """What things can be put on or into here."""
        return [name for name in state.objects if name in self.receptacles]

    # Doing ------------------------------------------------------------------------------------------------------------

    def read_task(self, words: str, state: WorldState, first: WorldState, kept: Sequence[Xy] = ()) -> list[Command]:
        """The grasps and moves; what is in the hand and is not meant is put aside before."""
        names = "|".join(map(re.escape, sorted(boxes_of(state), key=len, reverse=True))) or "(?!)"
        text, way = words.strip().rstrip("."), ""
        if match := re.fullmatch(rf"(.+?), round the ({names})", text):
            text, way = match[1], match[2]
        arranging = Arranging(state, first, self.receptacles, [*kept], way)
        for pattern, done in (
            (rf"Put the (?P<thing>{names}) (?P<where>.+)", self._put),
            (rf"Exchange the (?P<one>{names}) and the (?P<other>{names})", self._exchange),
            (rf"Line up along (?P<axis>[xy])(?P<any> {ANY})?: (?P<list>.+)", self._line),
        ):
            if match := re.fullmatch(pattern, text):
                return list(done(match, arranging, names))
        raise Unparseable(f"{words!r} cannot be said here.", words)

    def _put(self, match: re.Match[str], table: Arranging, names: str) -> Iterator[Command]:
        thing, where = match["thing"], match["where"]
        self._graspable(thing, table)
        put = f"Put the {thing}"
        if point := re.fullmatch(rf"at {_POINT}", where):
            yield from table.carried(thing, (float(point["x"]), float(point["y"])), f"{put} {where}")
        elif where == "aside":
            yield from table.aside(thing)
        elif where == "back":
            yield from table.carried(thing, table.was(thing), f"{put} back")
        elif found := re.fullmatch(rf"where the ({names}) was", where):
            yield from table.carried(thing, table.was(found[1]), f"{put} {where}")
        elif found := re.fullmatch(rf"(?:in|on) the ({names})", where):
            yield from table.carried(thing, table.on(thing, found[1]), f"{put} {where}")
        elif found := re.fullmatch(rf"next to the ({names})", where):
            yield from table.carried(thing, table.beside(thing, found[1]), f"{put} {where}")
        elif where.startswith("where ") and (bounds := _WHERE.findall(where)):
            place = table.within(thing, [(axis, sign, float(value)) for axis, sign, value in bounds])
            yield from table.carried(thing, place, f"{put} {where}")
        else:
            raise Unparseable(f"{where!r} is no place.", match.string)

    def _exchange(self, match: re.Match[str], table: Arranging, names: str) -> Iterator[Command]:
        one, other = match["one"], match["other"]
        if one == other:
            raise Unparseable(f"The {one} cannot be exchanged with itself.", match.string)
        for name in (one, other):
            self._graspable(name, table)
        goes = {one: table.now(other), other: table.now(one)}
        yield from table.arranged(goes, {one: f"where the {other} was", other: f"where the {one} was"})

    def _line(self, match: re.Match[str], table: Arranging, names: str) -> Iterator[Command]:
        things = list(dict.fromkeys(re.findall(rf"\b(?:{names})(?=,|$)", match["list"])))
        for name in things:
            self._graspable(name, table)
        places = line_of(things, match["axis"], table, ordered=not match["any"])
        yield from table.arranged(places, dict.fromkeys(things, "in the line"))

    def _graspable(self, name: str, table: Arranging) -> None:
        if name in self.receptacles:
            raise Unparseable(f"The {name} is too wide for the hand.", name)
