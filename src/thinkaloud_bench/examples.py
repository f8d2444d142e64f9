"""Example requests: what a newcomer may try first in each world, played in twenty scenes with the shipped model.

    python -m thinkaloud_bench.examples --world tabletop --seconds 170

A world declares its examples in its briefing; here is what must be so when one was carried out. An episode is right if
the robot asked nothing, ended with its goal met or an answer, and the world agrees. Finished episodes are kept in
`episodes.jsonl`, so that short batches add up; `results.json` is written anew after each batch. A request that was
wrong once waits until all others are through. A world declares requests that were right in all scenes or, if it has
none, its best.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

import msgspec

from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.errors import ThinkaloudError
from thinkaloud.models import Model, open_model
from thinkaloud.monologue import Monologue
from thinkaloud.presets import preset_for, tell_preset
from thinkaloud.records import Ask, End, Observation, Verdict
from thinkaloud.robots import open_world
from thinkaloud.untrusted.output import write_line
from thinkaloud.worlds import World
from thinkaloud_bench.contract import Row
from thinkaloud_bench.intervals import wilson

SCENES = 20
MODEL = "embedded"
FOLDER = Path("bench/examples")
_GOOD = ("goal met", "answered")
_PATIENCE = 300.0

Judge = Callable[[World, Observation, Monologue, End], bool]
"""Whether the world is as asked for, given the first look, the story and its end."""


class Example(msgspec.Struct, frozen=True):
    """One request in one scene, and how it went."""

    world: str
    request: str
    seed: int
    right: bool
    result: str
    asked: bool
    because: str
    preset: str
    model: str
    seconds: float


def _things(scene: Observation, kind: str) -> tuple[str, ...]:
    """The things of a kind, such as all blocks; an empty kind stands for everything in view."""
    return tuple(name for name in scene.objects if name.endswith(kind))


def _all_on(kind: str, place: str) -> Judge:
    """All things of a kind are on a place."""

    def judge(world: World, scene: Observation, story: Monologue, end: End) -> bool:
        things = _things(scene, kind)
        relation = world.relations["on"]
        return bool(things) and all(
            world.holds(relation.condition({"object": thing, "target": place})) for thing in things
        )

    return judge


def _stacked(kind: str) -> Judge:
    """Of any two things of a kind, one is on the other: what stands on a stack is on each thing in it."""

    def judge(world: World, scene: Observation, story: Monologue, end: End) -> bool:
        things, on = _things(scene, kind), world.relations["on"]

        def rests(upper: str, lower: str) -> bool:
            return world.holds(on.condition({"object": upper, "target": lower}))

        return len(things) > 1 and all(rests(one, other) or rests(other, one) for one, other in combinations(things, 2))

    return judge


def _visited_all(world: World, scene: Observation, story: Monologue, end: End) -> bool:
    """The robot has been at every landmark."""
    return all(
        world.holds(world.relations["visited"].condition({"landmark": each})) for each in scene.vocabulary["landmark"]
    )


def _holds_one(world: World, scene: Observation, story: Monologue, end: End) -> bool:
    """The hand holds one of the things in view."""
    return any(world.holds(world.relations["held"].condition({"thing": each})) for each in scene.objects)


def _near_each_other(world: World, scene: Observation, story: Monologue, end: End) -> bool:
    """Two things are near each other that were not."""
    before = {each.words for each in scene.state.relations} if scene.state is not None else set()
    near = (
        world.relations["near"].condition({"object": one, "other": other})
        for one, other in combinations(scene.objects, 2)
    )
    return any(each.words not in before and world.holds(each) for each in near)


def _names_the_tallest(world: World, scene: Observation, story: Monologue, end: End) -> bool:
    """The answer names a thing than which none is taller, and nothing else."""
    heights = {name: told["height"] for name, told in scene.state.attributes.items()} if scene.state is not None else {}
    tallest = {name for name, height in heights.items() if height == max(heights.values())}
    named = {name for name in heights if name in end.because.lower()}
    return bool(named) and named <= tallest


def _drink_of(*ingredients: str) -> Judge:
    """A cup at the finished location contains just these."""

    def judge(world: World, scene: Observation, story: Monologue, end: End) -> bool:
        at, contains = world.relations["at"], world.relations["contains"]
        possible = scene.vocabulary["ingredient"]
        for cup in scene.vocabulary["object"]:
            inside = {each for each in possible if world.holds(contains.condition({"object": cup, "ingredient": each}))}
            if inside == set(ingredients):
                return world.holds(at.condition({"object": cup, "location": "finished location"}))
        return False

    return judge


def _all_returned(kind: str) -> Judge:
    """All utensils of a kind are at the finished location, and every check of a step went well in the end."""

    def judge(world: World, scene: Observation, story: Monologue, end: End) -> bool:
        utensils = [name for name in scene.vocabulary["object"] if name.startswith(kind)]
        at = world.relations["at"]
        there = [world.holds(at.condition({"object": each, "location": "finished location"})) for each in utensils]
        last = story.last(Verdict)
        return bool(there) and all(there) and last is not None and last.ok

    return judge


def _some_returned(*kinds: str) -> Judge:
    """One utensil of each kind is at the finished location, and every check of a step went well in the end."""

    def judge(world: World, scene: Observation, story: Monologue, end: End) -> bool:
        at, last = world.relations["at"], story.last(Verdict)
        there = [
            name
            for name in scene.vocabulary["object"]
            if world.holds(at.condition({"object": name, "location": "finished location"}))
        ]
        one_each = all(sum(name.startswith(kind) for name in there) == 1 for kind in kinds)
        return len(there) == len(kinds) and one_each and last is not None and last.ok

    return judge


def _holds(relation: str, **arguments: str) -> Judge:
    """One thing is so."""

    def judge(world: World, scene: Observation, story: Monologue, end: End) -> bool:
        return world.holds(world.relations[relation].condition(arguments))

    return judge


JUDGES: Mapping[str, Mapping[str, Judge]] = {
    "drinks": {
        "A strawberry milk, please.": _drink_of("strawberry jam", "milk"),
        "Please make me a boba milk.": _drink_of("boba", "milk"),
    },
    "tabletop": {
        "Stack all the blocks.": _stacked("block"),
        "Put all the blocks in the bottom left corner.": _all_on("block", "bottom left corner"),
    },
    "warehouse": {
        "Drive to every landmark.": _visited_all,
    },
    "pick_and_place": {
        "Stack all the blocks.": _stacked("block"),
    },
    "disinfection": {
        "Put all the blocks in the disinfector.": _all_on("block", "disinfector"),
        "Stack all the blocks.": _stacked("block"),
    },
    "weight": {
        "Stack all the blocks.": _stacked("block"),
    },
    "cups": {
        "Stack all the cups.": _stacked("cup"),
    },
    "kitchen": {
        "Open the top drawer.": _holds("opened", drawer="top drawer"),
        "Go to the counter.": _holds("at", location="counter"),
    },
    "real_table": {
        "Put everything on the left side.": _all_on("", "left side"),
    },
    "around": {
        "Pick up one of the things.": _holds_one,
    },
    "franka": {
        "Put two things close to each other.": _near_each_other,
        "What is the tallest thing?": _names_the_tallest,
    },
    "dishwasher": {
        "Wash one plate and one fork.": _some_returned("plate", "fork"),
        "Wash all the plates.": _all_returned("plate"),
    },
    "household": {
        "Turn on the microwave.": _holds("switched_on", thing="microwave"),
        "Turn on the radio.": _holds("switched_on", thing="radio"),
        "Open the fridge.": _holds("opened", thing="fridge"),
    },
}
"""By world and request, when it was carried out as asked."""


async def play(world_name: str, request: str, seed: int, model: Model, patience: float = _PATIENCE) -> Example:
    """Play an example in the scene of a seed, as `thinkaloud run` would, with nobody there to answer.

    It has failed if there is no end after so many seconds.
    """
    began, world = time.perf_counter(), open_world(world_name)
    world.reset(seed)
    scene, preset = world.observe(), preset_for(world, model)
    agent = Agent(world, model, preset, seed=seed, person=Inbox())
    try:
        end = await asyncio.wait_for(agent.run(request), patience)
    except ThinkaloudError as error:
        end = End("declined", str(error))
    except TimeoutError:
        end = End("limit", f"no end after {patience:g} s")
    asked = bool(agent.monologue.since(None, Ask))
    agrees = end.result in _GOOD and JUDGES[world_name][request](world, scene, agent.monologue, end)
    seconds = round(time.perf_counter() - began, 1)
    told = (end.result, asked, end.because[:300], tell_preset(preset), model.name, seconds)
    return Example(world_name, request, seed, agrees and not asked, *told)


def rows_of(played: Sequence[Example]) -> list[Row]:
    """The share of scenes in which each request was right, with its interval."""
    cells: dict[tuple[str, str], list[Example]] = {}
    for each in played:
        cells.setdefault((each.world, each.request), []).append(each)
    rows = []
    for (world, request), cell in sorted(cells.items()):
        share = wilson(sum(each.right for each in cell), len(cell))
        row = Row(cell[0].preset, f"{world}: {request}", "right", share.value, share.low, share.high, len(cell))
        rows.append(row)
    return rows


def read_played(folder: Path) -> list[Example]:
    """The episodes that were finished."""
    path = folder / "episodes.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Example) for line in lines]


def write_results(folder: Path, played: Sequence[Example]) -> None:
    """Write the rows of all episodes, in the form of every benchmark here."""
    data = {
        "bench": "examples",
        "model": MODEL,
        "seed": 0,
        "seconds": round(sum(each.seconds for each in played), 1),
        "rows": [asdict(row) for row in rows_of(played)],
    }
    (folder / "results.json").write_bytes(msgspec.json.format(msgspec.json.encode(data)) + b"\n")


def play_batch(folder: Path, worlds: Sequence[str], scenes: int, seconds: float, patience: float = _PATIENCE) -> int:
    """Play what has not been played yet, for so many seconds; the number of episodes that are left."""
    folder.mkdir(parents=True, exist_ok=True)
    played = [each for each in read_played(folder) if each.request in JUDGES.get(each.world, {})]
    known = {(each.world, each.request, each.seed) for each in played}
    items = [
        (world, request, seed)
        for turn in range(max(map(len, JUDGES.values())))
        for world in worlds
        for request in [*JUDGES[world]][turn : turn + 1]
        for seed in range(scenes)
        if (world, request, seed) not in known
    ]
    until, model = time.monotonic() + seconds, open_model(MODEL)

    async def play_them() -> int:
        while items and time.monotonic() < until:
            wrong = {(each.world, each.request) for each in played if not each.right}
            item = next((each for each in items if each[:2] not in wrong), items[0])
            items.remove(item)
            world, request, seed = item
            found = await play(world, request, seed, model, patience)
            played.append(found)
            with (folder / "episodes.jsonl").open("ab") as lines:
                lines.write(msgspec.json.encode(found) + b"\n")
            write_line(f"{'right' if found.right else 'WRONG':6}{world}, {seed}: {request} ({found.result})")
        return len(items)

    left = asyncio.run(play_them())
    write_results(folder, played)
    return left


def main() -> None:
    """Play a batch."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", action="append", choices=sorted(JUDGES), help="default: all; may be repeated")
    parser.add_argument("--scenes", type=int, default=SCENES, help="seeds 0 to N - 1 (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing new after so long")
    parser.add_argument("--patience", type=float, default=_PATIENCE, help="seconds for an episode (%(default)s)")
    parser.add_argument("--out", type=Path, default=FOLDER, help="default: %(default)s")
    given = parser.parse_args()
    left = play_batch(given.out, given.world or list(JUDGES), given.scenes, given.seconds, given.patience)
    write_line(f"{left} left; results in {given.out}")


if __name__ == "__main__":
    main()
