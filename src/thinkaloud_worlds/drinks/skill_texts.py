"""The skills and relations of a counter, named and documented in the words of its scene."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from thinkaloud.records import Arguments, WorldState
from thinkaloud.skills import Relation, Skill
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud_worlds.drinks.declared_effects import CounterMemory
from thinkaloud_worlds.drinks.scene import CounterScene

Effects = tuple[tuple[str, Arguments], ...]


class Doing(Protocol):
    """Carries out the skills."""

    async def grasp(self, location: str) -> str:
        """Take the cup of a place."""
        ...

    async def place(self, location: str) -> str:
        """Put the cup in hand somewhere."""
        ...

    async def add(self, location: str, ingredient: str) -> str:
        """Pour or scoop an ingredient into the cup of a place."""
        ...

    async def stir(self, location: str) -> str:
        """Stir what is in the cup of a place."""
        ...


class Judging(Protocol):
    """Tells how things really are."""

    def at(self, object: str, location: str) -> bool:
        """Whether a cup is at a place."""
        ...

    def contains(self, object: str, ingredient: str) -> bool:
        """Whether there is enough of an ingredient in a cup."""
        ...

    def held(self, object: str) -> bool:
        """Whether a cup is in the gripper."""
        ...

    def cup_at(self, location: str) -> bool:
        """Whether there is a cup at a place."""
        ...

    def has(self, location: str, ingredient: str) -> bool:
        """Whether the cup at a place contains an ingredient."""
        ...

    def hand_holds_cup(self) -> bool:
        """Whether there is a cup in the gripper."""
        ...

    def hand_empty(self) -> bool:
        """Whether there is nothing in the gripper."""
        ...


def _identifier(words: str) -> str:
    """Turn words into a part of a name in code."""
    return re.sub(r"\W+", "_", words.lower()).strip("_")


def relations_for(scene: CounterScene, judge: Judging) -> dict[str, Relation]:
    """What can be true of a counter."""
    cup = scene.vessel
    thing = Parameter("object", str, f"which {cup}.", "object")
    place = Parameter("location", str, "which place.", "location")
    what = Parameter("ingredient", str, "which ingredient.", "ingredient")

    def about(name: str, says: str, text: str, holds: Callable[..., bool], *parameters: Parameter) -> Relation:
        return Relation(Signature(name, text, parameters, says), holds)

    inside = f"Whether there is most of a portion of an ingredient in the {cup}"
    found = (
        about("at", "{object} is at the {location}.", f"Whether a {cup} is at a place.", judge.at, thing, place),
        about("contains", "There is {ingredient} in {object}.", f"{inside}.", judge.contains, thing, what),
        about("held", "{object} is in the gripper.", f"Whether a {cup} is in the gripper.", judge.held, thing),
        about(
            "cup_at", f"There is a {cup} at the {{location}}.", f"Whether a {cup} is at a place.", judge.cup_at, place
        ),
        about(
            "has",
            f"There is {{ingredient}} in the {cup} at the {{location}}.",
            f"{inside} at a place.",
            judge.has,
            place,
            what,
        ),
        about("hand_holds_cup", f"There is a {cup} in the gripper.", "Whether it holds one.", judge.hand_holds_cup),
        about("hand_empty", "The gripper is empty.", "Whether it holds nothing at all.", judge.hand_empty),
    )
    return {each.signature.name: each for each in found}


def skills_for(scene: CounterScene, does: Doing, memory: CounterMemory) -> dict[str, Skill]:
    """What the arm can do at a counter."""
    makers = (_grasp, _place, _pour, _scoop, _stir)
    found = (maker(scene, does, memory) for maker in makers)
    return {skill.name: skill for skill in found if skill is not None}


def _grasp(scene: CounterScene, does: Doing, memory: CounterMemory) -> Skill:
    cup, places = scene.vessel, scene.called
    about = (
        f"Take hold of a {cup}: grasp or get an empty {cup} from the {places.stack}, "
        f"or the {cup} at a place to move it.\n"
        "To fetch, pick up, carry, transfer or throw away. The gripper has to be empty; "
        f"place_{_identifier(cup)} comes next."
    )
    where = Parameter("location", str, f"where the {cup} is: the {places.stack} for an empty one.", "cup location")
    signature = Signature(f"grasp_{_identifier(cup)}", about, (where,), f"Grasp the {cup} at the {{location}}.")
    return Skill(
        signature,
        does.grasp,
        preconditions=(memory.cannot_grasp,),
        effects=lambda location: (("hand_holds_cup", {}),),
        remembers=memory.after_grasp,
        needs=lambda location: (_FREE, *(_there(location) if location != places.stack else ())),
        ends=lambda location: (("hand_empty", {}), *_leaves(location, only=location == places.work)),
    )


def _place(scene: CounterScene, does: Doing, memory: CounterMemory) -> Skill:
    cup, places = scene.vessel, scene.called
    about = (
        f"Put down the {cup} in the gripper: bring or take it to the {places.work}, move it to the {places.finished}, "
        f"or throw it into the {places.waste}.\n"
        f"To set, serve, deliver, or discard, dump and empty with its contents. grasp_{_identifier(cup)} comes first."
    )
    where = Parameter("location", str, f"where the {cup} goes.", "location")

    def effects(location: str) -> Effects:
        return (("hand_empty", {}),) if location == places.waste else (("cup_at", {"location": location}),)

    signature = Signature(f"place_{_identifier(cup)}", about, (where,), f"Place the {cup} at the {{location}}.")
    return Skill(
        signature,
        does.place,
        preconditions=(memory.cannot_place,),
        effects=effects,
        remembers=memory.after_place,
        needs=lambda location: (
            ("hand_holds_cup", {}),
            *((("not cup_at", {"location": location}),) if location == places.work else ()),
        ),
        ends=lambda location: (("hand_holds_cup", {}),),
    )


_FREE: tuple[str, Arguments] = ("not hand_holds_cup", {})


def _there(location: str) -> Effects:
    return (("cup_at", {"location": location}),)


def _leaves(location: str, *, only: bool) -> Effects:
    """What no longer holds at a place after a cup is taken; if there were several, another may still be there."""
    return (("has", {"location": location}), *(_there(location) if only else ()))


def _has(location: str, ingredient: str) -> Effects:
    return (("has", {"location": location, "ingredient": ingredient}),)


def _into(scene: CounterScene) -> Parameter:
    return Parameter(
        "location", str, f"where the {scene.vessel} to add to stands: the {scene.called.work}.", "location"
    )


def _pour(scene: CounterScene, does: Doing, memory: CounterMemory) -> Skill | None:
    names = [each.name for each in scene.ingredients if not each.scooped]
    if not names:
        return None
    cup = scene.vessel
    about = (
        f"Add an ingredient to the {cup} at a place: pour or put in {_listed(names)}.\n"
        "To fill, mix, drizzle or sprinkle a portion. The gripper has to be empty; "
        "the container is fetched and put back."
    )
    what = Parameter("ingredient", str, "what to pour; how much follows from it.", "pourable")
    says = f"Pour {{ingredient}} into the {cup} at the {{location}}."
    return Skill(
        Signature("pour", about, (_into(scene), what), says),
        does.add,
        preconditions=(memory.cannot_add,),
        effects=_has,
        remembers=memory.after_adding,
        needs=lambda location, ingredient: (_FREE, *_there(location)),
    )


def _scoop(scene: CounterScene, does: Doing, memory: CounterMemory) -> Skill | None:
    names = [each.name for each in scene.ingredients if each.scooped]
    if not names:
        return None
    cup = scene.vessel
    about = (
        f"Add {_listed(names)} to the {cup} at a place: scoop or put it in.\n"
        "To spoon or drop in a portion from the tub. The gripper has to be empty; the ladle is fetched and put back."
    )
    if len(names) > 1:
        what = Parameter("ingredient", str, "what to scoop; how much follows from it.", "scoopable")
        says = f"Scoop {{ingredient}} into the {cup} at the {{location}}."
        return Skill(
            Signature("scoop_to_location", about, (_into(scene), what), says),
            does.add,
            preconditions=(memory.cannot_add,),
            effects=_has,
            remembers=memory.after_adding,
            needs=lambda location, ingredient: (_FREE, *_there(location)),
        )
    only = names[0]

    async def scoop(location: str) -> str:
        return await does.add(location, only)

    def remembers(state: WorldState, location: str) -> WorldState:
        return memory.after_adding(state, location, only)

    name, says = f"scoop_{_identifier(only)}_to_location", f"Scoop {only} into the {cup} at the {{location}}."
    return Skill(
        Signature(name, about, (_into(scene),), says),
        scoop,
        preconditions=(memory.cannot_add,),
        effects=lambda location: _has(location, only),
        remembers=remembers,
        needs=lambda location: (_FREE, *_there(location)),
    )


def _stir(scene: CounterScene, does: Doing, memory: CounterMemory) -> Skill:
    cup = scene.vessel
    about = f"Stir what is in the {cup} at a place, with a rod. Nothing else changes by it."
    where = Parameter("location", str, f"where the {cup} stands.", "location")

    def remembers(state: WorldState, location: str) -> WorldState:
        return state

    return Skill(
        Signature("stir", about, (where,), f"Stir the {cup} at the {{location}}."),
        does.stir,
        preconditions=(memory.cannot_add,),
        remembers=remembers,
        needs=lambda location: (_FREE, *_there(location)),
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
