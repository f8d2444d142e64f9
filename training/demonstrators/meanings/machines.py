"""Machines for many things, worked by guidelines: mostly what the dishwasher world could be, else called otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from thinkaloud.errors import BadScene
from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.language.words import NUMBERS, ORDINALS, plural
from thinkaloud.program.lexicon import identifier
from thinkaloud.records import Observation
from thinkaloud.skills import Skill
from thinkaloud.skills.signatures import Parameter
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.dishwasher import Dishwasher
from thinkaloud_worlds.dishwasher.scene import ItemKind, MachineScene
from training.demonstrators.itp.drawing import Rng, between, chance, one
from training.demonstrators.itp.menus import Works
from training.demonstrators.itp.menus import plural as many
from training.demonstrators.meanings.making import nothing, of, relation, skill
from training.demonstrators.meanings.sketch import Sketch

PREPARE = ("wipe", "dust", "rinse", "brush", "trim", "polish_off", "unwrap", "scrub", "straighten", "tag")


@dataclass(frozen=True)
class Machine:
    """A machine: what its skills are called, where which kind belongs, and its guidelines."""

    world: FullWorld
    guidelines: Guidelines
    names: Mapping[str, str]
    belongs: Mapping[str, str]
    usual: str

    def program(self, things: Sequence[tuple[str, int]], additive: str) -> str:
        """All that is done for these things, one after another."""
        lines: list[str] = []
        n = self.names
        for at, (kind, count) in enumerate(things):
            begun = [f"{n['open']}()", f"{n['pull']}()"] if at == 0 else []
            block = [
                f'{n["take"]}("{kind}")',
                f"{n['prepare']}()",
                *begun,
                f'{n["put"]}("{kind}", "{self.belongs[kind]}")',
            ]
            lines += block if count == 1 else [f"for i in range({count}):", *(f"    {line}" for line in block)]
        rest = [
            f'{n["add"]}("{additive}")',
            *(f"{n[deed]}()" for deed in ("close", "start", "wait", "check", "return")),
        ]
        return "\n".join([*lines, *rest])

    def calls(self, things: Sequence[tuple[str, int]], additive: str) -> list[tuple[object, ...]]:
        """The same as calls, worked out thing by thing."""
        n = self.names
        found: list[tuple[object, ...]] = []
        for at, (kind, count) in enumerate(things):
            for _ in range(count):
                found += [(n["take"], kind), (n["prepare"],)]
                found += [(n["open"],), (n["pull"],)] if at == 0 else []
                found.append((n["put"], kind, self.belongs[kind]))
        end: list[tuple[object, ...]] = [(n["close"],), (n["start"],), (n["wait"], 5), (n["check"],), (n["return"],)]
        return [*found, (n["add"], additive), *end]


def machine(rng: Rng, works: Works) -> Machine:
    """A machine of a plant: mostly one that the dishwasher world could be, else one that is called otherwise."""
    found = _true_machine(rng, works) if chance(rng, 0.6) else None
    return found or _other_machine(rng, works)


def _belongs(works: Works) -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in works.kinds:
        lines = [line for line in works.guidelines.locations if f" {many(kind)}" in line]
        found[kind] = (lines or works.guidelines.locations)[0].partition(" for ")[0]
    return found


def _true_machine(rng: Rng, works: Works) -> Machine | None:
    """The dishwasher world in other words; None where it cannot be that plant."""
    plant, belongs = works.plant, _belongs(works)
    prep = one(rng, ("wipe the dust off", "rinse", "peel the labels off", "brush", "unwrap", "trim", "straighten"))
    scene = MachineScene(
        tuple(ItemKind(kind, belongs[kind], between(rng, 2, 5)) for kind in works.kinds),
        tuple(plant.compartments),
        works.additives,
        plant.machine,
        plant.compartment,
        plant.additive,
        plant.item,
        prep,
        one(rng, ("table", "trolley", "counter", "crate", "basket")),
        one(rng, ("finished location", "ready shelf", "store", "cupboard", "outgoing tray")),
        one(rng, ("done and cool", "ready", "as it should be", "finished and dry")),
        one(rng, ("untreated", "raw", "waiting", "dirty", "used")),
    )
    try:
        world = Dishwasher(scene)
    except BadScene:
        return None
    deeds = {deed: name for name, deed in world.deeds.items()}
    names = deeds | {"take": deeds["grasp"], "add": deeds["additive"]}
    sketch = Sketch("machine", {n: Skill(s.signature, nothing) for n, s in world.skills.items()}, world.relations)
    sketch.scene = replace(world.observe(), state=None)
    return _with_guidelines(rng, works, FullWorld(sketch), names, belongs, prep)


def _with_guidelines(
    rng: Rng, works: Works, world: FullWorld, names: Mapping[str, str], belongs: Mapping[str, str], prep: str
) -> Machine:
    plant, given = works.plant, works.guidelines
    last = (
        f"close the {plant.machine}",
        f"start the {plant.machine}",
        one(rng, ("wait until it is over", "when it is over, wait a few minutes")),
        one(rng, ("check that everything is as it should be", "make sure that all is as it should be")),
        one(rng, ("bring everything out", "take everything out")),
    )
    loaded = one(rng, ("put the {k} on the {c}", "load the {k} on the {c}"))

    def steps(recipe: Recipe) -> tuple[str, ...]:
        """How a task is done, in words, thing by thing."""
        found: list[str] = []
        for kind, count in _things(recipe.name, works.kinds):
            for at in range(count):
                which = f"the {ORDINALS[at]} {kind}" if count > 1 else f"the {kind}"
                begun = [f"open the {plant.machine}", f"pull out the {many(plant.compartment)}"]
                found += [f"take {which}", f"{prep} the {kind}", *(begun if not found else [])]
                found.append(loaded.format(k=kind, c=belongs[kind]))
        return (*found, f"add {recipe.material[0]}", *last)

    recipes = tuple(Recipe(each.name, each.material, steps(each)) for each in given.recipes)
    guided = Guidelines("practice", "", given.options, recipes, given.available, given.locations)
    return Machine(world, guided, names, belongs, given.recipes[1].material[0])


def _things(name: str, kinds: Sequence[str]) -> list[tuple[str, int]]:
    """What a task of the guidelines is done with, and how many of each: read off its name."""
    found: list[tuple[int, str, int]] = []
    for kind in kinds:
        for count, number in enumerate(("one", *NUMBERS[1:6]), 1):
            words = rf"\b({number}|an?) {kind}\b" if count == 1 else rf"\b{number} {re.escape(many(kind))}\b"
            if at := re.search(words, name):
                found.append((at.start(), kind, count))
                break
    return [(kind, count) for _, kind, count in sorted(found)]


def _other_machine(rng: Rng, works: Works) -> Machine:
    plant = works.plant
    i, m, c, a = (identifier(each) for each in (plant.item, plant.machine, plant.compartment, plant.additive))
    prep = one(rng, PREPARE)
    ways: dict[str, tuple[str, ...]] = {
        "take": (f"grasp_{i}", f"take_{i}", f"get_{i}", f"pick_up_{i}"),
        "prepare": (f"{prep}_{i}", prep, f"prepare_{i}"),
        "open": (f"open_{m}", "open_door", "open_lid"), "pull": (f"pull_out_{plural(c)}", f"slide_out_{plural(c)}"),
        "put": (f"put_on_{c}", f"place_on_{c}", f"load_{c}"), "add": (f"add_{a}", f"fill_in_{a}", f"use_{a}"),
        "close": (f"close_{m}", "close_door", "close_lid"), "start": (f"start_{m}", f"run_{m}", "start_cycle"),
        "wait": ("wait_minutes", "wait", "let_rest"), "check": ("check_all", "inspect_all", f"check_{plural(i)}"),
        "return": (f"return_{plural(i)}", f"unload_{plural(i)}", f"take_out_{plural(i)}"),
    }  # fmt: skip
    n = {deed: one(rng, named) for deed, named in ways.items()}
    item, slot = of(i, "item"), of(c, plant.compartment)
    minutes = Parameter("minutes", float, "minutes", default=5)
    skills = [
        skill(n["take"], f"Take the next {plant.item} of a kind; the gripper has to be empty.", item),
        skill(n["prepare"], f"{prep.split('_')[0].capitalize()} the {plant.item} that is held, before it goes in."),
        skill(f"put_back_{i}", f"Put the {plant.item} that is held back; only for one that is no longer wanted."),
        skill(n["open"], f"Open the {plant.machine}."),
        skill(n["pull"], f"Pull out every {plant.compartment} of the open {plant.machine}."),
        skill(n["put"], f"Put the {plant.item} that is in the gripper on a {plant.compartment}.", item, slot),
        skill(n["add"], f"Add {plant.additive} to the open {plant.machine}.", of(a, plant.additive)),
        skill(n["close"], f"Close the {plant.machine}."),
        skill(n["start"], f"Start the closed {plant.machine}."),
        skill(n["wait"], "Wait until it is over, and then a few minutes more.", minutes),
        skill(n["check"], "Check that everything is as it should be."),
        skill(n["return"], f"Bring everything that is ready out of the {plant.machine}."),
    ]  # fmt: skip
    relations = [
        relation("open_now", f"Whether the {plant.machine} is open.", f"The {plant.machine} is open."),
        relation("running", f"Whether the {plant.machine} is running.", f"The {plant.machine} is running."),
        relation("loaded", "Whether one of a kind is there.", f"At least one {{{i}}} is on the {{{c}}}.", item, slot),
        relation("hand_empty", "Whether nothing is held.", "The gripper is empty."),
    ]
    sketch = Sketch("machine", {s.name: s for s in skills}, {r.signature.name: r for r in relations})
    vocabulary: dict[str, tuple[str, ...]] = {
        "item": works.kinds,
        plant.compartment: tuple(plant.compartments),
        plant.additive: works.additives,
    }
    sketch.scene = Observation(works.kinds, vocabulary)
    return _with_guidelines(rng, works, FullWorld(sketch), n, _belongs(works), prep.split("_")[0])
