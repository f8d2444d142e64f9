"""The tasks that nobody may learn, by what they come to and not by their words: `python -m training.unseen`.

A task can be asked for in words that no expression foresees ("everybody into a corner of their own"). So each meaning
that was written for a table is run, and what its deeds bring about is compared: where each block would stand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from thinkaloud.errors import ThinkaloudError
from thinkaloud.records import Act, Meaning, Step
from thinkaloud_worlds.kitchen import ITEMS
from training.robots.playing import Speaking, play
from training.robots.reading import Conversation, Robot, all_places

Places = Mapping[str, str]
"""Where each block that was moved would stand at the end."""
FEWEST = 3
"""Blocks: with two, most tasks are the same."""
KITCHEN = "kitchen"
COMMON = frozenset({"apple", "orange", "sponge", "tea", "water"})
"""Items of the kitchen that are in every house."""
_ITEM = re.compile("|".join(rf"\b{re.escape(item)}s?\b" for item in ITEMS if item not in COMMON))


@dataclass(frozen=True)
class Table:
    """What lies on a table of blocks and bowls."""

    blocks: tuple[str, ...]
    bowls: tuple[str, ...]


@dataclass(frozen=True)
class Leak:
    """Something said in the corpus that is one of the tasks, in whatever words."""

    task: str
    robot: Robot
    line: int
    words: str


def each_into_another_corner(table: Table, places: Places) -> bool:
    """All blocks are in corners, no two in the same."""
    where = [places.get(block, "") for block in table.blocks]
    return len(where) >= FEWEST and all(_is(each, "corner") for each in where) and _differ(where)


def each_into_its_own_colour(table: Table, places: Places) -> bool:
    """All blocks are in bowls of their colour."""
    own = [(block, _like(block, table)) for block in table.blocks]
    return len(own) >= FEWEST and all(bowl and places.get(block) == bowl for block, bowl in own)


def each_into_another_colour(table: Table, places: Places) -> bool:
    """The blocks in bowls of a colour that another one of them has: they traded, and none has its own."""
    put = {block: place for block, place in places.items() if block in table.blocks and place in table.bowls}
    own = {block: _like(block, table) for block in put}
    traded = len(put) > 1 and _differ([*put.values()]) and {*put.values()} == {*own.values()}
    return traded and all(put[block] != own[block] for block in put)


def all_in_one_stack_at_a_place(table: Table, places: Places) -> bool:
    """One block is at a side or in a corner, and each other one on another."""
    where = [places.get(block, "") for block in table.blocks]
    below = [each for each in where if each not in table.blocks]
    stacked = len(where) >= FEWEST and len(below) == 1 and _differ(where)
    return stacked and (_is(below[0], "corner") or _is(below[0], "side"))


TASKS: tuple[Callable[[Table, Places], bool], ...] = (
    each_into_another_corner,
    each_into_its_own_colour,
    each_into_another_colour,
    all_in_one_stack_at_a_place,
)


def table_of(kinds: Mapping[str, Sequence[str]]) -> Table | None:
    """The blocks and bowls among a robot's kinds, or None where this is no such table."""
    blocks, bowls = (tuple(kinds.get(kind, ())) for kind in ("blocks", "bowls"))
    return Table(blocks, bowls) if blocks else None


def places_after(deeds: Iterable[Step]) -> dict[str, str]:
    """Where the deeds leave each thing that they put somewhere: the last place counts."""
    places: dict[str, str] = {}
    for deed in deeds:
        given = [each for each in deed.arguments.values() if isinstance(each, str)]
        if len(given) == 2:
            places[given[0]] = given[1]
    return places


def tasks_in(meaning: Meaning, kinds: Mapping[str, Sequence[str]]) -> list[str]:
    """The tasks that a meaning comes to, by their names."""
    table = table_of(kinds)
    if table is None or not isinstance(meaning.content, Act):
        return []
    places = places_after(meaning.content.deeds)
    return [task.__name__.replace("_", " ") for task in TASKS if task(table, places)]


def leaks_in(robot: Robot, conversation: Conversation, speaking: Speaking | None = None) -> Iterator[Leak]:
    """What in a conversation is one of the tasks; `speaking` is the robot if it is open already."""
    with suppress(ThinkaloudError):  # what cannot be run is told by the check of the files
        for each in play(robot, conversation, speaking):
            for task in tasks_in(each.meaning, each.lexicon.kinds):
                yield Leak(task, robot, each.said.line, each.said.words)


def names_items_of_the_kitchen(text: str) -> list[str]:
    """The items of the papers' kitchen that a text names, without those that are in every house."""
    return _ITEM.findall(text.lower())


def is_of_the_kitchen(robot: Robot) -> bool:
    """Whether a file of the corpus speaks in the papers' kitchen: all that lies there is held out."""
    return robot.place is not None and robot.place[0] == KITCHEN


@cache
def all_leaks() -> tuple[Leak, ...]:
    """What there is in all of our worlds."""
    return tuple(leak for robot in all_places() for leak in _leaks_of(robot))


def _leaks_of(robot: Robot) -> Iterator[Leak]:
    """The same of one file; most have no blocks, and those need not be spoken to."""
    speaking = Speaking(world := robot.open(), world.observe())
    if table_of(speaking.lexicon([], (), (), shown=False).kinds) is not None:
        for talk in robot.conversations:
            yield from leaks_in(robot, talk, speaking)


def _like(block: str, table: Table) -> str:
    """The bowl that has the colour of a block, or nothing."""
    return next((bowl for bowl in table.bowls if bowl.split()[:-1] == block.split()[:-1]), "")


def _is(place: str, noun: str) -> bool:
    return place.split()[-1:] == [noun]


def _differ(places: Sequence[str]) -> bool:
    return len({*places}) == len(places)


def main() -> None:
    """The command."""
    for leak in all_leaks():
        print(f"{leak.robot.name}:{leak.line}: {leak.task}: {leak.words!r}")
    sys.exit(1 if all_leaks() else 0)


if __name__ == "__main__":
    main()
