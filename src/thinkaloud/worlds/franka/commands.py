"""What can be said to the arm instead of coordinates, as things stand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

from thinkaloud.records import WorldState
from thinkaloud.worlds.contract import Command
from thinkaloud.worlds.franka.boxes import (
    NEAR,
    Box,
    boxes_of,
    free_place,
    held_in,
    in_the_way,
    on_the_base,
    on_the_table,
)
from thinkaloud.worlds.franka.reach import reaches
from thinkaloud.worlds.geometry import Xy

_BESIDE = 0.01  # closer than what counts as near, and as far as that allows


def franka_commands(
    state: WorldState, first: WorldState, receptacles: tuple[str, ...], hollow: tuple[str, ...]
) -> list[Command]:
    """With an empty hand: what to take, or to go home. With something in it: where to put that."""
    held, boxes = held_in(state), boxes_of(state)
    if held is None:
        taken = [_at("grasp", f"Grasp the {name}", box) for name, box in boxes.items() if name not in receptacles]
        return [*taken, Command("Go home", "home", {})]
    return list(_puts(held, state, first, receptacles, hollow))


def _puts(
    held: str, state: WorldState, first: WorldState, receptacles: tuple[str, ...], hollow: tuple[str, ...]
) -> Iterator[Command]:
    boxes = boxes_of(state)
    thing, put = boxes.get(held), f"Put the {held}"
    yield Command(put + " at ({x}, {y})", "move", {})
    for name, box in boxes_of(first).items():
        if name != held and name not in receptacles:
            yield _to(f"{put} where the {name} was", (box.x, box.y))
    if thing is None:
        return
    rest = {name: box for name, box in boxes.items() if name != held}
    for name, box in rest.items():
        if name in receptacles:
            yield _to(f"{put} {'in' if name in hollow else 'on'} the {name}", (box.x, box.y))
        if (place := beside(thing, name, rest)) is not None:
            yield _to(f"{put} next to the {name}", place)
    was = [(box.x, box.y) for name, box in boxes_of(first).items()]
    if (aside := free_place(state, thing[3:], (thing.x, thing.y), was)) is not None:
        yield replace(_to(f"{put} aside", aside), passing=True)


def beside(thing: Box, other: str, boxes: dict[str, Box]) -> Xy | None:
    """A free place near another thing, with as much room round it as there is."""
    middle, found = boxes[other], list[tuple[float, Xy]]()
    gap = NEAR - _BESIDE
    for dx, dy in itertools.product((-1, 0, 1), repeat=2):
        if (dx == 0) == (dy == 0):
            continue
        x = round(middle.x + dx * ((middle.length + thing.length) / 2 + gap), 2)
        y = round(middle.y + dy * ((middle.width + thing.width) / 2 + gap), 2)
        spot = thing.at(x, y, 0.0)
        free = not in_the_way(spot, boxes) and on_the_table(spot) and not on_the_base(spot)
        if free and reaches(x, y, thing.height):
            room = min((spot.gap(box) for name, box in boxes.items() if name != other), default=math.inf)
            found.append((-min(room, 0.3), (x, y)))
    return min(found)[1] if found else None


def _at(skill: str, words: str, box: Box) -> Command:
    return Command(words, skill, {"x": box.x, "y": box.y, "z": box.z})


def _to(words: str, at: Xy) -> Command:
    return Command(words, "move", {"x": at[0], "y": at[1]})
