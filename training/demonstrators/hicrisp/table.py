"""Whole plans at a table with blocks and bowls, and corrections of what went wrong there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from thinkaloud_worlds.tabletop.layout import PLACES
from training.demonstrators.hicrisp.heldout import is_held_out
from training.demonstrators.hicrisp.misleading import told
from training.demonstrators.hicrisp.planning import CHECKED, planned, programmed
from training.demonstrators.hicrisp.saying import framed
from training.demonstrators.hicrisp.stands import Stand, table
from training.samples import Sample
from training.words import PLAIN_COLOURS, some

Rng = np.random.Generator
Move = tuple[str, str]
WARM = (
    *("red", "orange", "yellow", "pink", "gold", "golden", "coral", "crimson", "scarlet", "ruby", "rose", "peach"),
    *("apricot", "amber", "mustard", "rust", "cherry", "bright orange", "bright yellow", "dark red", "hot pink"),
)
COOL = (
    *("green", "blue", "purple", "teal", "turquoise", "violet", "indigo", "navy", "aqua", "azure", "cobalt", "jade"),
    *("sapphire", "emerald", "mint", "sea green", "sky blue", "royal blue", "light blue", "dark green", "lilac"),
)
NUMBERS = {
    1: ("one", "a single", "1"),
    2: ("two", "a couple of", "2", "a pair of"),
    3: ("three", "3"),
    4: ("four", "4"),
}


@dataclass
class Scene:
    """What is on a table: things by kind, what lies where, and what the kinds are called."""

    blocks: list[str]
    bowls: list[str]
    lying: dict[str, str] = field(default_factory=dict)
    block: str = "block"
    bowl: str = "bowl"

    def inside(self, bowl: str) -> list[str]:
        """The blocks in a bowl, the topmost first."""
        found = [b for b in self.blocks if self.lying.get(b) == bowl]
        above = [b for b in self.blocks if self.lying.get(b) in found]
        return [*above, *found]

    def loose(self) -> list[str]:
        """The blocks that are in no bowl."""
        return [block for block in self.blocks if block not in self.lying]


def drawn(rng: Rng, blocks: tuple[int, int], bowls: tuple[int, int], *, colours: Sequence[str] = ()) -> Scene:
    """A scene with so many of each."""
    block = "block" if rng.random() < 0.7 else str(rng.choice(["cube", "disc", "ring", "tile", "ball", "brick", "peg"]))
    bowl = "bowl" if rng.random() < 0.7 else str(rng.choice(["tray", "basket", "dish", "cup", "tub", "crate", "jar"]))
    known = list(colours or PLAIN_COLOURS)
    n, m = int(rng.integers(blocks[0], blocks[1] + 1)), int(rng.integers(bowls[0], bowls[1] + 1))
    return Scene(
        [f"{colour} {block}" for colour in some(rng, known, n)],
        [f"{colour} {bowl}" for colour in some(rng, known, m)],
        block=block,
        bowl=bowl,
    )


def filled(rng: Rng, scene: Scene, counts: Sequence[int]) -> Scene:
    """The scene with so many blocks in each bowl; now and then one lies on another there."""
    left = list(scene.blocks)
    for bowl, count in zip(scene.bowls, counts, strict=False):
        here: list[str] = []
        for _ in range(min(count, len(left))):
            block = left.pop(int(rng.integers(len(left))))
            scene.lying[block] = here[-1] if here and rng.random() < 0.4 else bowl
            here.append(block) if scene.lying[block] == bowl else None
    return scene


# What is done about it ------------------------------------------------------------------------------------------------


def some_in(scene: Scene, count: int, bowl: str) -> list[Move]:
    """So many blocks into a bowl: the first that are not there."""
    inside = scene.inside(bowl)
    return [(block, bowl) for block in scene.blocks if block not in inside][: max(count - len(inside), 0)]


def one_each(scene: Scene) -> list[Move]:
    """Every bowl gets a block of its own, in the order in which they are listed."""
    return list(zip(scene.blocks, scene.bowls, strict=False))


def left_empty(scene: Scene, count: int) -> list[Move]:
    """As many moves as it takes until so many bowls are empty."""
    empty = [bowl for bowl in scene.bowls if not scene.inside(bowl)]
    if len(empty) > count:
        crowded = [block for bowl in scene.bowls for block in scene.inside(bowl)[: len(scene.inside(bowl)) - 1]]
        spare = [*scene.loose(), *crowded]
        return list(zip(spare, empty[: len(empty) - count], strict=False))
    moves: list[Move] = []
    kept = list(scene.bowls)
    for _ in range(count - len(empty)):
        full = [bowl for bowl in kept if scene.inside(bowl)]
        least = min(full, key=lambda bowl: len(scene.inside(bowl)))
        kept.remove(least)
        other = next(bowl for bowl in kept if scene.inside(bowl))
        moves += [(block, other) for block in scene.inside(least)]
    return moves


def said(moves: Sequence[Move]) -> list[str]:
    """The moves as steps."""
    return [f"Pick the {block} and place it on the {target}." for block, target in moves]


# What is asked for ----------------------------------------------------------------------------------------------------

Asked = tuple[str, list[Move]]


def _pick(rng: Rng, *options: str) -> str:
    return str(rng.choice(options))


def _and(names: Sequence[str]) -> str:
    the = [f"the {name}" for name in names]
    return the[0] if len(the) == 1 else f"{', '.join(the[:-1])} and {the[-1]}"


def _pairs(rng: Rng) -> tuple[Scene, Asked]:
    scene = drawn(rng, (1, 4), (1, 3))
    count = int(rng.integers(1, min(len(scene.blocks), 3) + 1))
    moves: list[Move] = []
    for block in some(rng, scene.blocks, count):
        taken = {target for _, target in moves} | {b for b, _ in moves} | {block}
        targets = [t for t in (*scene.bowls, *scene.blocks, *PLACES) if t not in taken]
        roll = rng.random()
        free = [bowl for bowl in scene.bowls if bowl not in taken]
        moves.append((block, str(rng.choice(free if roll < 0.7 and free else targets))))
    verb = _pick(rng, "put", "place", "move", "set", "lay", "bring")
    parts = []
    for block, target in moves:
        where = "in" if target in scene.bowls else "on"
        parts.append(f"the {block} {_pick(rng, where, f'{where}to')} the {target}")
    joint = _pick(rng, " and ", ", then ", ", and ", ", after that ")
    return scene, (f"{verb} {joint.join(parts)}", moves)


def _count(rng: Rng) -> tuple[Scene, Asked]:
    scene = drawn(rng, (2, 5), (1, 3))
    count = int(rng.integers(1, min(len(scene.blocks), 4) + 1))
    bowl = scene.bowls[int(rng.integers(len(scene.bowls)))] if rng.random() < 0.5 else scene.bowls[0]
    if rng.random() < 0.15:
        filled(rng, scene, [int(each == bowl) for each in scene.bowls])
    number, blocks = _pick(rng, *NUMBERS[count]), scene.block + ("s" if count > 1 else "")
    only = len(scene.bowls) == 1
    target = f"the {scene.bowl}" if only and rng.random() < 0.6 else f"the {bowl}"
    if bowl == scene.bowls[0] and not only and rng.random() < 0.6:
        target = _pick(
            rng, f"one of the {scene.bowl}s", f"the same {scene.bowl}", f"any {scene.bowl}", f"a {scene.bowl}"
        )
    request = _pick(
        rng, f"put {number} {blocks} into {target}", f"store {number} {blocks} in {target}",
        f"{number} {blocks} into {target}",
        f"I want {number} {blocks} in {target}", f"place {number} of the {scene.block}s in {target}",
        f"take {number} {blocks} and put them in {target}", f"keep {number} {blocks} in {target}",
        f"one after another, put {number} {blocks} in {target}", f"move {number} {blocks} to {target}",
        f"drop {number} {blocks} in {target}", f"{target} should hold {number} {blocks}",
        f"put {number} {blocks} in {target}, one at a time", f"collect {number} {blocks} in {target}",
    )  # fmt: skip
    return scene, (request, some_in(scene, count, bowl))


def _all_in(rng: Rng) -> tuple[Scene, Asked]:
    scene = drawn(rng, (2, 4), (1, 3))
    bowl = str(rng.choice(scene.bowls))
    request = _pick(
        rng, f"put all the {scene.block}s in the {bowl}", f"all {scene.block}s go into the {bowl}",
        f"collect every {scene.block} in the {bowl}", f"gather the {scene.block}s in the {bowl}",
        f"move everything into the {bowl}", f"tidy up: all the {scene.block}s belong in the {bowl}",
        f"get the {scene.block}s off the table and into the {bowl}", f"the {bowl} should hold all {scene.block}s",
    )  # fmt: skip
    return scene, (request, some_in(scene, 9, bowl))


def _one_each(rng: Rng) -> tuple[Scene, Asked]:
    scene = drawn(rng, (2, 4), (2, 4))
    request = _pick(
        rng, f"one {scene.block} in every {scene.bowl}", f"give each {scene.bowl} a {scene.block}",
        f"put one {scene.block} in each {scene.bowl}", f"every {scene.bowl} gets its own {scene.block}",
        f"spread the {scene.block}s over the {scene.bowl}s, one for each", f"one {scene.block} per {scene.bowl}",
        f"deal the {scene.block}s out to the {scene.bowl}s", f"each {scene.bowl} should have one {scene.block}",
        f"distribute the {scene.block}s evenly among the {scene.bowl}s", f"a {scene.block} for every {scene.bowl}",
        f"put each {scene.block} into a {scene.bowl} of its own", f"every {scene.block} into another {scene.bowl}",
    )  # fmt: skip
    return scene, (request, one_each(scene))


def _group(rng: Rng) -> tuple[Scene, Asked]:
    """By warm and cool colours."""
    name, group, rest = ("warm", WARM, COOL) if rng.random() < 0.5 else ("cool", COOL, WARM)
    word = _pick(rng, f"{name}-coloured", f"{name} coloured", f"{name}", f"{name} color", f"{name}-colored")
    wanted, others = some(rng, group, int(rng.integers(1, 4))), some(rng, rest, int(rng.integers(1, 3)))
    if rng.random() < 0.55:  # the blocks are of a group
        scene = drawn(rng, (1, 1), (1, 3))
        scene.blocks = [f"{colour} {scene.block}" for colour in some(rng, [*wanted, *others], 9)]
        chosen = [block for block in scene.blocks if block.removesuffix(f" {scene.block}") in wanted]
        bowl = str(rng.choice(scene.bowls))
        request = _pick(
            rng, f"put the {word} {scene.block}s in the {bowl}", f"all {word} {scene.block}s go into the {bowl}",
            f"collect the {scene.block}s with a {name} colour in the {bowl}",
            f"every {word} {scene.block} into the {bowl}",
            f"gather all {scene.block}s of {name} colours in the {bowl}",
            f"move each {word} {scene.block} to the {bowl}",
        )  # fmt: skip
        return scene, (request, [(block, bowl) for block in chosen])
    scene = drawn(rng, (1, 4), (1, 1))
    colours = some(rng, [wanted[0], *others], 9)
    scene.bowls = [f"{colour} {scene.bowl}" for colour in colours]
    bowl, count = f"{wanted[0]} {scene.bowl}", int(rng.integers(1, min(len(scene.blocks), 3) + 1))
    number, blocks = _pick(rng, *NUMBERS[count]), scene.block + ("s" if count > 1 else "")
    request = _pick(
        rng, f"put {number} {blocks} into the {scene.bowl} with the {name} colour",
        f"{number} {blocks} should be in the {word} {scene.bowl}",
        f"store {number} {blocks} in the {word} {scene.bowl}",
        f"place {number} {blocks} in a {word} {scene.bowl}",
        f"move {number} {blocks} to the {scene.bowl} of a {name} colour",
    )  # fmt: skip
    return scene, (request, some_in(scene, count, bowl))


def _empties(rng: Rng) -> tuple[Scene, Asked]:
    while True:
        scene = drawn(rng, (1, 5), (2, 4))
        if rng.random() < 0.6:
            counts = [int(each) for each in rng.integers(0, 3, len(scene.bowls))]
            filled(rng, scene, counts)
        count = 1 if rng.random() < 0.75 else int(rng.integers(0, 3))
        empty = sum(not scene.inside(bowl) for bowl in scene.bowls)
        if count >= len(scene.bowls) or count == empty:
            continue
        moves = left_empty(scene, count)
        if count > empty or len(moves) == empty - count:
            break
    number = {0: "no", 1: _pick(rng, "exactly one", "just one", "a single", "one"), 2: "two"}[count]
    bowls, are = (scene.bowl, "is") if count == 1 else (f"{scene.bowl}s", "are")
    options = [
        f"leave {number} {bowls} empty", f"see to it that {number} {bowls} {are} empty",
        f"I want {number} empty {bowls}",
        f"there should be {number} {bowls} with nothing in {'it' if count == 1 else 'them'}",
        f"arrange the {scene.block}s so that {number} {bowls} {are} empty", f"keep {number} {bowls} free",
        f"in the end {number} {bowls} should be empty", f"{number} {bowls} should be left without a {scene.block}",
    ]  # fmt: skip
    if count < empty:
        options += [f"fill the {scene.bowl}s until {number} {bowls} {are} left empty"]
        options += [f"go on putting {scene.block}s in {scene.bowl}s until {number} {are} free"]
        options += [f"put {scene.block}s in all {scene.bowl}s but one"] if count == 1 else []
    else:
        options += [f"clear {scene.bowl}s until {number} {are} empty"]
    return scene, (_pick(rng, *options), moves)


def _empty_one(rng: Rng) -> tuple[Scene, Asked]:
    scene = filled(rng, drawn(rng, (2, 4), (2, 3)), [int(rng.integers(1, 3)), int(rng.integers(0, 2)), 0])
    first, other = scene.bowls[0], scene.bowls[1]
    target = other if rng.random() < 0.6 else str(rng.choice([*PLACES]))
    where = f"the {target}"
    request = _pick(
        rng, f"empty the {first} {'into' if target == other else 'onto'} {where}",
        f"move what is in the {first} to {where}",
        f"take everything out of the {first} and put it {'in' if target == other else 'on'} {where}",
        f"the {scene.block}s of the {first} should go to {where}",
    )  # fmt: skip
    return scene, (request, [(block, target) for block in scene.inside(first)])


def _stack(rng: Rng) -> tuple[Scene, Asked]:
    scene = drawn(rng, (2, 4), (0, 2))
    tower = some(rng, scene.blocks, int(rng.integers(2, len(scene.blocks) + 1)))
    moves = [(block, below) for below, block in pairwise(tower)]
    told = ", ".join(f"the {block} on the {below}" for block, below in moves)
    request = _pick(
        rng, f"put {told}", f"build a tower of {_and(tower)}, from below to above",
        f"pile up {_and(tower)}, in this order",
        f"make a tower: {told}", f"place {told}",
    )  # fmt: skip
    return scene, (request, moves)


KINDS = (
    (_pairs, 3),
    (_count, 3),
    (_all_in, 1.5),
    (_one_each, 2),
    (_group, 3),
    (_empties, 3),
    (_empty_one, 1),
    (_stack, 1),
)
_WEIGHTS = np.array([weight for _, weight in KINDS]) / sum(weight for _, weight in KINDS)


def wish(rng: Rng) -> tuple[Stand, str, list[str], Scene]:
    """A table, a request about it, and the steps that do it."""
    while True:
        kind = KINDS[int(rng.choice(len(KINDS), p=_WEIGHTS))][0]
        scene, (request, moves) = kind(rng)
        steps = list(dict.fromkeys(said(moves)))
        if steps and not is_held_out(request):
            break
    groups = [scene.blocks, scene.bowls] if rng.random() < 0.6 else [scene.bowls, scene.blocks]
    stand = table(scene.blocks, scene.bowls, scene.lying, [name for group in groups for name in group])
    return stand, framed(rng, request, own=0.02), steps, scene


def plans(rng: Rng) -> Iterator[Sample]:
    """One plan."""
    stand, request, steps, _ = wish(rng)
    if not is_held_out(request):
        yield from planned(stand, request, steps, check=rng.random() < CHECKED)


def programs(rng: Rng) -> Iterator[Sample]:
    """One program, of a task that can be planned without knowing what lies where."""
    stand, request, steps, scene = wish(rng)
    if not is_held_out(request) and not scene.lying:
        yield from programmed(stand, request, _program(steps), check=rng.random() < CHECKED)


def _program(steps: Sequence[str]) -> list[str]:
    lines = []
    for step in steps:
        block, target = step.removeprefix("Pick the ").rstrip(".").split(" and place it on the ")
        call = f"pick_and_place('{block}', '{target}')"
        lines += [call, f"assert on('{block}', '{target}') else: {call}"]
    return lines


def failures(rng: Rng, step: Mapping[str, str], others: Sequence[str]) -> str:
    """What is reported when a pick-and-place went wrong, and what is not so then."""
    block, target = step["object"], step["target"]
    at = f"at ({rng.uniform(-0.3, 0.3):.2f}, {rng.uniform(-0.8, -0.2):.2f}) for the {target}"
    how = ", dropping it from the air" if rng.random() < 0.2 else ""
    report = _pick(
        rng,
        f"Picked up nothing: the cup did not get hold of the {block}.",
        f"Picked up the {block} and put it down {at}{how}.",
        f"Picked up the {block} and put it down {at}{how}.",
        f"Picked up the {rng.choice(list(others))} instead of the {block}, and put it down {at}{how}."
        if others
        else f"Picked up nothing: the cup did not get hold of the {block}.",
    )
    return f"{report} Not so: {block[0].upper() + block[1:]} is on the {target}."


def corrections(rng: Rng) -> Iterator[Sample]:
    """What is said about a pick-and-place that failed."""
    stand, request, steps, scene = wish(rng)
    if is_held_out(request):
        return
    at = int(rng.integers(len(steps)))
    block, target = steps[at].removeprefix("Pick the ").rstrip(".").split(" and place it on the ")
    step = stand.skills["pick_and_place"].step({"object": block, "target": target})
    others = [name for name in scene.blocks if name not in (block, target)]
    why = failures(rng, {"object": block, "target": target}, others)
    moved = {_moved(words)["object"] for words in steps[:at]}
    loose = [name for name in others if name not in scene.lying and name not in moved]
    if loose and rng.random() < 0.25:
        scene.lying[loose[0]] = block
        stand = table(scene.blocks, scene.bowls, scene.lying, [*scene.blocks, *scene.bowls])
        why = f"The {block} cannot be seen: something covers it, or it is no longer on the table."
    stand.facts.discard(stand.relations["on"].condition({"object": block, "target": target}).words)
    done = [stand.skills["pick_and_place"].step(_moved(words)) for words in steps[:at]]
    yield from told(rng, stand, request, done, step, why)


def _moved(words: str) -> dict[str, str]:
    block, target = words.removeprefix("Pick the ").rstrip(".").split(" and place it on the ")
    return {"object": block, "target": target}
