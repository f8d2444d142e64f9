"""Counters at which things are made by guidelines: mostly what the drinks world could be, else called otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from thinkaloud.errors import BadScene
from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.program.lexicon import identifier
from thinkaloud.records import Observation
from thinkaloud.skills import Skill
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.drinks.declared_effects import CounterMemory
from thinkaloud_worlds.drinks.scene import CounterScene, Ingredient, Places
from thinkaloud_worlds.drinks.skill_texts import relations_for, skills_for
from training.demonstrators.itp.drawing import Rng, between, chance, one, some
from training.demonstrators.itp.menus import Shop
from training.demonstrators.meanings.making import nothing, of, relation, skill
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


@dataclass(frozen=True)
class Counter:
    """A counter: what its skills are called, where things are, and its guidelines."""

    world: FullWorld
    sketch: Sketch
    guidelines: Guidelines
    take: str
    put: str
    add: str
    own: Mapping[str, str]
    """Material that is not added as the rest, with the call for it."""
    stack: str
    work: str
    end: str
    bin: str
    vessel: str
    last: str
    """The material that comes last of all, if one has to."""
    there: str
    """The relation that says whether there is a vessel at a place."""

    def begun(self) -> list[str]:
        """An empty vessel is brought to where it is filled."""
        return [f'{self.take}("{self.stack}")', f'{self.put}("{self.work}")']

    def added(self, material: str) -> str:
        """Material is added."""
        if material in self.own:
            return self.own[material]
        return f'{self.add}("{self.work}", "{material}")'

    def finished(self) -> list[str]:
        """The vessel is brought to where it is fetched."""
        return [f'{self.take}("{self.work}")', f'{self.put}("{self.end}")']

    def thrown_away(self) -> list[str]:
        """The vessel is thrown away."""
        return [f'{self.take}("{self.work}")', f'{self.put}("{self.bin}")']


def counter(rng: Rng, shop: Shop) -> Counter:
    """A counter of a shop: mostly one that the drinks world could be, else one that is called otherwise."""
    found = _true_counter(rng, shop) if chance(rng, 0.65) else None
    return found or _other_counter(rng, shop)


def _true_counter(rng: Rng, shop: Shop) -> Counter | None:
    """The drinks world with other vessels, places and ingredients; None where it cannot be that shop."""
    every, base = list(shop.guidelines.available), list(shop.base)
    free = [name for name in every if name not in base]
    scooped = some(rng, free, min(len(free), one(rng, (0, 1, 1, 1, 1, 2, 3))))
    stack, work = one(rng, STACKS).format(v=shop.vessel), one(rng, WORKS)
    places = Places(stack, work, one(rng, ENDS), one(rng, BINS))
    material = tuple(Ingredient(name, "tub" if name in scooped else "jar") for name in every)
    scene = CounterScene(material, shop.vessel, between(rng, 3, 8), places if chance(rng, 0.7) else None)
    try:
        scene.check()
    except BadScene:
        return None
    called, stub = scene.called, cast(Any, _Nobody())
    relations = relations_for(scene, stub)
    skills = skills_for(scene, stub, CounterMemory(scene, relations))
    plain = {name: Skill(each.signature, nothing) for name, each in skills.items()}
    vessels = tuple(f"{scene.vessel} {n + 1}" for n in range(scene.vessels))
    sketch = Sketch("counter", plain, relations)
    vocabulary = {
        "cup location": (called.stack, called.work, called.finished),
        "location": (called.work, called.finished, called.waste),
        "pourable": tuple(name for name in every if name not in scooped),
        "scoopable": tuple(name for name in every if name in scooped),
        "ingredient": tuple(every),
        "object": vessels,
    }
    sketch.scene = Observation((called.stack, *every), vocabulary)
    scoop = next((name for name in plain if name.startswith("scoop")), "")
    told = {name: f', "{name}"' if len(scooped) > 1 else "" for name in scooped}
    own = {name: f'{scoop}("{called.work}"{also})' for name, also in told.items()}
    last = _last(shop)
    guidelines = _guided(rng, shop, called.work, called.finished, called.waste, called.stack, last)
    take, put = (next(name for name in plain if name.startswith(way)) for way in ("grasp_", "place_"))
    ends = called.stack, called.work, called.finished, called.waste
    return Counter(
        FullWorld(sketch), sketch, guidelines, take, put, "pour", own, *ends, identifier(shop.vessel), last, "cup_at"
    )


class _Nobody:
    """Who is never asked: nothing moves, and facts say what is so."""

    def __getattr__(self, name: str) -> Any:
        return nothing


def _last(shop: Shop) -> str:
    return shop.base[-1] if shop.base and shop.base[-1] in shop.layers[-1] and len(shop.layers) > 1 else ""


def _other_counter(rng: Rng, shop: Shop) -> Counter:
    v, key = shop.vessel, identifier(shop.vessel)
    words = {"v": key}
    take, put, add = (one(rng, ways).format_map(words) for ways in (TAKE, PUT, ADD))
    stack, work = one(rng, STACKS).format(v=shop.vessel), one(rng, WORKS)
    end, bin_ = one(rng, ENDS), one(rng, BINS)
    every = [name for layer in shop.layers for name in layer]
    scoop = one(rng, ("scoop_{m}_to_location", "add_{m}", "spoon_in_{m}", "put_in_{m}", "scoop_{m}"))
    own = {name: scoop.format(m=identifier(name)) for name in some(rng, every, int(chance(rng, 0.6)))}
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
    last = _last(shop)
    guidelines = _guided(rng, shop, work, end, bin_, stack, last)
    calls = {m: f'{name}("{work}")' for m, name in own.items()}
    return Counter(
        FullWorld(sketch), sketch, guidelines, take, put, add, calls, stack, work, end, bin_, key, last, f"{key}_at"
    )


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
        big = f"{last[:1].upper()}{last[1:]}"
        also = one(rng, ("", "", " No need to stir.", " It mixes by itself."))
        rules.append(one(rng, (f"{big} goes in last of all.", f"{big} is always the last.")) + also)
    if chance(rng, 0.7):
        v = shop.vessel
        late = f", or {last} before all the rest is in" if last else ""
        rules.append(
            one(
                rng,
                (
                    f"If the {v} has something in it that is not wanted, it is thrown into the {bin_}, and a new one "
                    "is begun.",
                    f"A {v} with something in it that does not belong there{late}, goes into the {bin_}; then an "
                    f"empty {v} is taken.",
                    f"Nothing can be taken out again: if there is something wrong in the {v}{late}, throw it into the "
                    f"{bin_} and start over.",
                ),
            )
        )
    places = (f"{stack} for empty ones", f"{work} for the {shop.vessel} at hand", f"{end} for what is ready", bin_)
    located = places if chance(rng, 0.6) else ()
    return Guidelines(
        "practice", "", shop.guidelines.options, recipes, shop.guidelines.available, located, tuple(rules)
    )
