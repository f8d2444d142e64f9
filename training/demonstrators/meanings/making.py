"""Robots that make things by guidelines, as signatures alone: counters with vessels, machines for many things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.records import Observation
from thinkaloud.signatures import Parameter, Signature
from thinkaloud.skills import Relation, Skill
from thinkaloud.understand.lexicon import identifier
from thinkaloud.words import plural
from thinkaloud.worlds.whole import Whole
from training.demonstrators.itp.drawing import Rng, between, chance, one, some
from training.demonstrators.itp.menus import Shop, Works
from training.demonstrators.meanings.sketch import Sketch

TAKE = ("grasp_{v}", "take_{v}", "fetch_{v}", "get_{v}", "pick_up_{v}", "grasp_{v}")
PUT = ("place_{v}", "put_{v}", "set_down_{v}", "leave_{v}", "place_{v}")
ADD = ("pour", "add", "put_in", "fill_in", "add_to", "pour")
STACKS = ("{v} stack", "{v} shelf", "{v} rack", "pile of {v}s", "store")
WORKS = (
    "working area",
    "mixing spot",
    "work mat",
    "bench",
    "middle of the counter",
    "filling place",
    "preparation area",
)
ENDS = ("finished location", "pick-up counter", "serving hatch", "ready shelf", "hand-over point", "done tray")
BINS = ("waste bin", "rubbish bin", "scrap box", "compost bucket", "trash can")
PREPARE = ("wipe", "dust", "rinse", "brush", "trim", "polish_off", "unwrap", "scrub", "straighten", "tag")


def skill(name: str, about: str, *parameters: Parameter, says: str = "") -> Skill:
    """A skill that does nothing."""
    said = says or f"{name}({', '.join(f'{{{p.name}}}' for p in parameters)})"
    return Skill(Signature(name, about, parameters, said), lambda **_: "")


def relation(name: str, about: str, says: str, *parameters: Parameter) -> Relation:
    """A relation that is answered by facts."""
    return Relation(Signature(name, about, parameters, says), lambda **_: False)


def of(name: str, kind: str) -> Parameter:
    """A parameter that takes the name of a thing."""
    return Parameter(name, str, name, kind=kind)


@dataclass(frozen=True)
class Counter:
    """A counter: what its skills are called, where things are, and its guidelines."""

    world: Whole
    sketch: Sketch
    guidelines: Guidelines
    take: str
    put: str
    add: str
    own: Mapping[str, str]
    """Material that has a skill of its own."""
    stack: str
    work: str
    end: str
    bin: str
    vessel: str
    last: str
    """The material that comes last of all, if one has to."""

    def begun(self) -> list[str]:
        """An empty vessel is brought to where it is filled."""
        return [f'{self.take}("{self.stack}")', f'{self.put}("{self.work}")']

    def added(self, material: str) -> str:
        """Material is added."""
        if material in self.own:
            return f'{self.own[material]}("{self.work}")'
        return f'{self.add}("{self.work}", "{material}")'

    def finished(self) -> list[str]:
        """The vessel is brought to where it is fetched."""
        return [f'{self.take}("{self.work}")', f'{self.put}("{self.end}")']

    def thrown_away(self) -> list[str]:
        """The vessel is thrown away."""
        return [f'{self.take}("{self.work}")', f'{self.put}("{self.bin}")']


def counter(rng: Rng, shop: Shop) -> Counter:
    """A counter of a shop."""
    v, key = shop.vessel, identifier(shop.vessel)
    words = {"v": key}
    take, put, add = (one(rng, ways).format_map(words) for ways in (TAKE, PUT, ADD))
    stack, work = one(rng, STACKS).format(v=shop.vessel), one(rng, WORKS)
    end, bin_ = one(rng, ENDS), one(rng, BINS)
    every = [name for layer in shop.layers for name in layer]
    own = {name: f"scoop_{identifier(name)}_to_location" for name in some(rng, every, int(chance(rng, 0.5)))}
    pourable = [name for name in shop.guidelines.available if name not in own]
    vessels = tuple(f"{shop.vessel} {n}" for n in range(1, between(rng, 3, 7)))
    places, at, vessel = of("location", "location"), of("location", f"{v} location"), of("object", "object")
    skills = [
        skill(take, f"Take hold of a {v}: get an empty one from the {stack}, or the one at a place to move it.", at),
        skill(put, f"Put down the {v} that is held: bring it to the {work} or the {end}, or throw it in the {bin_}.",
              places),
        skill(add, f"Add an ingredient to the {shop.vessel} at a place.", places, of("ingredient", "addable"),
              says=f"Add {{ingredient}} to the {shop.vessel} at the {{location}}."),
        *(skill(name, f"Add {m} to the {v} at a place: scoop or put it in.", places) for m, name in own.items()),
        skill("stir", f"Stir what is in the {shop.vessel} at a place.", places),
    ]  # fmt: skip
    relations = [
        relation("at", f"Whether a {v} is at a place.", "{object} is at the {location}.", vessel, places),
        relation("held", f"Whether a {v} is in the gripper.", "{object} is in the gripper.", vessel),
        relation(f"{key}_at", f"Whether a {v} is at a place.", f"There is a {v} at the {{location}}.", places),
        relation("has", f"Whether an ingredient is in the {v} at a place.",
                 f"There is {{ingredient}} in the {v} at the {{location}}.", places, of("ingredient", "ingredient")),
        relation("hand_empty", "Whether it holds nothing at all.", "The gripper is empty."),
    ]  # fmt: skip
    sketch = Sketch("counter", {s.name: s for s in skills}, {r.signature.name: r for r in relations})
    vocabulary = {
        f"{shop.vessel} location": (stack, work, end),
        "location": (work, end, bin_),
        "addable": tuple(pourable),
        "ingredient": shop.guidelines.available,
        "object": vessels,
    }
    sketch.scene = Observation((*vessels, *shop.guidelines.available), vocabulary)
    last = shop.base[-1] if shop.base and shop.base[-1] in shop.layers[-1] and len(shop.layers) > 1 else ""
    guidelines = _guided(rng, shop, work, end, bin_, stack, last)
    return Counter(Whole(sketch), sketch, guidelines, take, put, add, own, stack, work, end, bin_, key, last)


def _guided(rng: Rng, shop: Shop, work: str, end: str, bin_: str, stack: str, last: str) -> Guidelines:
    first = one(rng, (f"take an empty {shop.vessel} to the {work}", f"bring a new {shop.vessel} to the {work}"))
    add = one(rng, ("add {m} to the {v}", "put {m} into the {v}", "fill {m} into the {v}"))
    done = one(rng, (f"move the {shop.vessel} to the {end}", f"bring the {shop.vessel} to the {end}"))
    recipes = tuple(
        Recipe(r.name, r.material, (first, *(add.format(m=m, v=shop.vessel) for m in r.material), done))
        for r in shop.guidelines.recipes
    )
    rules: list[str] = []
    if last and chance(rng, 0.7):
        rules.append(f"{last[:1].upper()}{last[1:]} goes in last of all.")
    if chance(rng, 0.6):
        rules.append(
            f"If the {shop.vessel} has something in it that is not wanted, it is thrown into the {bin_}, "
            "and a new one is begun."
        )
    places = (f"{stack} for empty ones", f"{work} for the {shop.vessel} at hand", f"{end} for what is ready", bin_)
    located = places if chance(rng, 0.6) else ()
    return Guidelines(
        "practice", "", shop.guidelines.options, recipes, shop.guidelines.available, located, tuple(rules)
    )


@dataclass(frozen=True)
class Machine:
    """A machine: what its skills are called, where which kind belongs, and its guidelines."""

    world: Whole
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
    """A machine of a plant."""
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
    belongs: dict[str, str] = {}
    for kind in works.kinds:
        lines = [line for line in works.guidelines.locations if f" {_plural(kind)}" in line]
        belongs[kind] = (lines or works.guidelines.locations)[0].partition(" for ")[0]
    made = Machine(Whole(sketch), works.guidelines, n, belongs, works.guidelines.recipes[1].material[0])
    recipes = tuple(_told(made, recipe, prep.split("_")[0], plant) for recipe in works.guidelines.recipes)
    guided = Guidelines(
        "practice", "", works.guidelines.options, recipes, works.guidelines.available, works.guidelines.locations
    )
    return Machine(made.world, guided, n, belongs, made.usual)


def _told(made: Machine, recipe: Recipe, prep: str, plant: Any) -> Recipe:
    """How a recipe is done, in words: of its first thing."""
    kind = recipe.steps[0].removeprefix("take the ")
    steps = (
        f"take the {kind}", f"{prep} the {kind}", f"open the {plant.machine}", f"pull out the {plant.compartment}s",
        f"put the {kind} on the {made.belongs.get(kind, plant.compartments[0])}", f"add {recipe.material[0]}",
        f"close the {plant.machine}", f"start the {plant.machine}", "wait until it is over",
        "check that everything is as it should be", "bring everything out",
    )  # fmt: skip
    return Recipe(recipe.name, recipe.material, steps)


def _plural(kind: str) -> str:
    from training.demonstrators.itp.menus import plural as many

    return many(kind)
