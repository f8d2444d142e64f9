"""What is known about the machine and its things, which actions it rules out, and what each action changes.

A `Known` is read from a world state and written back to one. The preconditions, the memory and the world itself all use
it, so they cannot disagree. What cannot be seen, such as whether a thing is clean and dry, is known only after a check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from thinkaloud.records import Arguments, Condition, WorldState
from thinkaloud.skills import Relation
from thinkaloud_worlds.dishwasher.scene import MachineScene, kind_without_number
from thinkaloud_worlds.dishwasher.skill_texts import item_with_article

IN_HAND = ""
"""The place of a thing in the gripper."""
_LONGEST_WAIT = 240  # minutes
_RELATIONS = ("at", "loaded", "held", "prepared", "washed", "ready", "is_open", "out", "running", "has_additive")
"""The relations that make up a state; the other relations are about several things at once."""


@dataclass
class Known:
    """What is known: where everything is, what was done to it, and the state of the machine."""

    places: dict[str, str] = field(default_factory=dict)
    """The start place, the finished place, a compartment, or `IN_HAND`."""
    prepared: set[str] = field(default_factory=set)
    washed: set[str] = field(default_factory=set)
    """The things that have been through a cycle since they were put in."""
    ready: set[str] = field(default_factory=set)
    open: bool = False
    out: bool = False
    running: bool = False
    additive: str = ""

    @property
    def held(self) -> str:
        """What the gripper holds; empty if nothing."""
        return next((name for name, place in self.places.items() if place == IN_HAND), "")


def read_known_state(scene: MachineScene, state: WorldState) -> Known:
    """Read what is known from a state."""
    known = Known()
    for relation in state.relations:
        given = {name: str(value) for name, value in relation.arguments.items()}
        match relation.relation:
            case "at":
                known.places[given["object"]] = given["location"]
            case "loaded":
                known.places[given["object"]] = given["compartment"]
            case "held":
                known.places[given["object"]] = IN_HAND
            case "prepared" | "washed" | "ready":
                getattr(known, relation.relation).add(given["object"])
            case "is_open":
                known.open = True
            case "out" | "running":
                setattr(known, relation.relation, True)
            case "has_additive":
                known.additive = given["additive"]
            case _:
                pass
    known.places = {name: known.places[name] for name in scene.names if name in known.places}
    return known


def write_state(
    scene: MachineScene, known: Known, relations: Mapping[str, Relation], state: WorldState | None = None
) -> WorldState:
    """Write what is known to a state; everything else in the given state stays."""
    said: list[Condition] = []

    def say(relation: str, **arguments: str) -> None:
        said.append(relations[relation].condition(arguments))

    for name, place in known.places.items():
        if place == IN_HAND:
            say("held", object=name)
        elif place in scene.compartments:
            say("loaded", object=name, compartment=place)
        else:
            say("at", object=name, location=place)
    for relation in ("prepared", "washed", "ready"):
        for name in known.places:
            if name in getattr(known, relation):
                say(relation, object=name)
    for relation, true in (("is_open", known.open), ("out", known.out), ("running", known.running)):
        if true:
            say(relation)
    if known.additive:
        say("has_additive", additive=known.additive)
    state = state or WorldState(scene.names)
    return replace(state, relations=(*said, *(r for r in state.relations if r.relation not in _RELATIONS)))


class LoadingRules:
    """What each action needs and changes, with refusals in the words of the scene."""

    def __init__(self, scene: MachineScene) -> None:
        self.scene = scene

    def refuses(self, deed: str, known: Known, arguments: Arguments) -> str | None:
        """Why an action is impossible now; None if it is possible."""
        rule: Callable[..., str | None] = getattr(self, f"_no_{deed}")
        return rule(known, **arguments)

    def becomes(self, deed: str, known: Known, arguments: Arguments) -> None:
        """Update what is known as if the action succeeded."""
        change: Callable[..., None] = getattr(self, f"_{deed}")
        change(known, **arguments)

    def inside(self, known: Known) -> list[str]:
        """What is in the machine."""
        return [name for name, place in known.places.items() if place in self.scene.compartments]

    def next_of(self, known: Known, kind: str) -> str | None:
        """The next thing of a kind to take: one at the start place, else a reachable one in the wrong compartment."""
        mine = [name for name in known.places if kind_without_number(name) == kind]
        waiting = [name for name in mine if known.places[name] == self.scene.start_place]
        wrong = [name for name in mine if known.out and self._went_in_wrongly(known, name)]
        return next(iter([*waiting, *wrong]), None)

    def _went_in_wrongly(self, known: Known, name: str) -> bool:
        place = known.places[name]
        right = place == self.scene.belongs(name) and name in known.prepared
        return place in self.scene.compartments and not right and name not in known.ready

    # Refusals ---------------------------------------------------------------------------------------------------------

    def _no_grasp(self, known: Known, item: str) -> str | None:
        if known.held:
            return f"The gripper holds {known.held}; put that away first."
        if all(kind_without_number(name) != item for name in known.places):
            return f"No {item} is to be seen anywhere."
        if self.next_of(known, item) is None:
            return f"There is no {self.scene.dirty} {item} at the {self.scene.start_place} any more."
        return None

    def _no_prepare(self, known: Known) -> str | None:
        return None if known.held else f"Nothing is in the gripper; grasp {item_with_article(self.scene.item)} first."

    def _no_put_back(self, known: Known) -> str | None:
        return None if known.held else "Nothing is in the gripper that could be put back."

    def _no_open(self, known: Known) -> str | None:
        return self._locked(known)

    def _no_pull(self, known: Known) -> str | None:
        if known.open:
            return None
        return self._locked(known) or f"The {self.scene.machine} is closed; open it first."

    def _no_put(self, known: Known, item: str, compartment: str) -> str | None:
        if not known.held:
            return f"Nothing is in the gripper; grasp {item_with_article(item)} first."
        if kind_without_number(known.held) != item:
            return f"The gripper holds {known.held} and no {item}; put that on its {self.scene.compartment} first."
        if not known.out:
            problem = self._no_pull(known)
            return problem or f"The {compartment} is not pulled out; pull it out first."
        return None

    def _no_additive(self, known: Known, additive: str) -> str | None:
        if known.open:
            return None
        return self._locked(known) or f"The {self.scene.machine} is closed; open it to add {additive}."

    def _no_close(self, known: Known) -> str | None:
        return None

    def _no_start(self, known: Known) -> str | None:
        if known.running:
            return f"The {self.scene.machine} is running already; wait until the cycle is over."
        if known.open:
            return f"The {self.scene.machine} is open; close it first."
        if not self.inside(known):
            return f"There is nothing in the {self.scene.machine}; put something in first."
        return None

    def _no_wait(self, known: Known, minutes: int) -> str | None:
        if 1 <= minutes <= _LONGEST_WAIT:
            return None
        return f"{minutes} minutes cannot be waited; it has to be 1 to {_LONGEST_WAIT}."

    def _no_check(self, known: Known) -> str | None:
        if known.running:
            return self._locked(known)
        if not self.inside(known):
            return f"There is nothing in the {self.scene.machine} that could be checked."
        if not known.washed & {*self.inside(known)}:
            return (
                f"Nothing in the {self.scene.machine} has been through a cycle; start the {self.scene.machine} first."
            )
        return None

    def _no_return(self, known: Known) -> str | None:
        if known.held:
            return f"The gripper holds {known.held}; put that away first."
        return self._no_check(known)

    def _locked(self, known: Known) -> str | None:
        machine = self.scene.machine
        return f"The {machine} is running and locked; wait until the cycle is over." if known.running else None

    # Effects ----------------------------------------------------------------------------------------------------------

    def _grasp(self, known: Known, item: str) -> None:
        name = self.next_of(known, item)
        if name is not None:
            known.places[name] = IN_HAND
            known.washed.discard(name)

    def _prepare(self, known: Known) -> None:
        known.prepared |= {known.held} - {IN_HAND}

    def _put_back(self, known: Known) -> None:
        if known.held:
            known.places[known.held] = self.scene.start_place

    def _open(self, known: Known) -> None:
        known.open = True

    def _pull(self, known: Known) -> None:
        known.out = True

    def _put(self, known: Known, item: str, compartment: str) -> None:
        if known.held:
            known.places[known.held] = compartment

    def _additive(self, known: Known, additive: str) -> None:
        known.additive = additive

    def _close(self, known: Known) -> None:
        known.open = known.out = False

    def _start(self, known: Known) -> None:
        known.running, known.additive = True, ""
        known.washed -= {*self.inside(known)}
        known.ready -= {*self.inside(known)}

    def _wait(self, known: Known, minutes: int) -> None:
        if known.running:
            known.running = False
            known.washed |= {*self.inside(known)}

    def _check(self, known: Known) -> None:
        known.ready |= known.washed & {*self.inside(known)}

    def _return(self, known: Known) -> None:
        known.open = known.out = True
        done = known.washed & {*self.inside(known)}
        known.ready |= done
        known.places |= dict.fromkeys(done, self.scene.finished)
