"""Problems of growing size, drawn from a seed: robots that declare what their skills need, bring about and end.

`blocks`: towers become other towers. `hall`: a vehicle shifts shelves between places that hold one shelf each, and only
two places are free. `parcels`: a carrier with two trays brings parcels round a ring of stops. `house`: lamps are
switched on behind locked doors, whose keys lie in other rooms, and one key at a time can be carried.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.clock import Clock, WallClock
from thinkaloud.plan.search import Sought
from thinkaloud.records import Arguments, Condition, Observation, Step
from thinkaloud.skills import FactsOfArguments, Relation, Skill, condition_holds
from thinkaloud.skills.signatures import Parameter, Signature

Fact = tuple[str, ...]
"""A relation and what it is about: names of parameters, or names of things; `*` for anything."""
ANY = "*"
TABLE = "table"


@dataclass(frozen=True)
class Does:
    """What a skill needs, brings about and ends."""

    says: str
    takes: Mapping[str, str]
    """Parameters and their kinds."""
    needs: Sequence[Fact] = ()
    adds: Sequence[Fact] = ()
    ends: Sequence[Fact] = ()


class Drawn:
    """A robot whose world is a set of facts."""

    name = "drawn"

    def __init__(self, vocabulary: Mapping[str, Sequence[str]], facts: Iterable[Fact]) -> None:
        self.clock: Clock = WallClock()
        self.vocabulary = {kind: tuple(names) for kind, names in vocabulary.items()}
        self.facts = set(facts)
        self.relations: Mapping[str, Relation] = {}
        self.skills: Mapping[str, Skill] = {}

    def add_relation(self, name: str, says: str, takes: Mapping[str, str], *, single: bool = False) -> None:
        """A relation; `single`: a thing is in it to one other at most."""

        def holds(**given: str) -> bool:
            return (name, *given.values()) in self.facts

        found = Relation(_signature(name, says, takes), holds, "It stays." if single else "")
        self.relations = {**self.relations, name: found}

    def add_skill(self, name: str, does: Does) -> None:
        """A skill that does what it declares."""

        def function(**given: str) -> str:
            missing = [each for each in does.needs if not self._is_so(_filled(each, given))]
            assert not missing, f"{name} {given}: {missing}"
            for each in (*does.ends, *(_any_other(each) for each in does.adds if self.relations[each[0]].otherwise)):
                self.facts -= {fact for fact in self.facts if _covers(_filled(each, given), fact)}
            self.facts |= {_filled(each, given) for each in does.adds}
            return "done"

        declared = [self._declare(facts) for facts in (does.adds, does.needs, does.ends)]
        found = Skill(
            _signature(name, does.says, does.takes),
            function,
            effects=declared[0],
            needs=declared[1],
            ends=declared[2],
        )
        self.skills = {**self.skills, name: found}

    def _declare(self, facts: Sequence[Fact]) -> FactsOfArguments:
        def declared(**given: str) -> tuple[tuple[str, Arguments], ...]:
            return tuple((fact[0], self._arguments(_filled(fact, given))) for fact in facts)

        return declared

    def _arguments(self, fact: Fact) -> Arguments:
        parameters = self.relations[fact[0].removeprefix("not ")].signature.parameters
        pairs = zip(parameters, fact[1:], strict=True)
        return {p.name: value for p, value in pairs if value != ANY}

    def _is_so(self, fact: Fact) -> bool:
        plain = (fact[0].removeprefix("not "), *fact[1:])
        return any(_covers(plain, each) for each in self.facts) is not fact[0].startswith("not ")

    # A world ----------------------------------------------------------------------------------------------------------

    def reset(self, seed: int) -> None:
        """There is one episode."""

    def observe(self) -> Observation:
        """All things."""
        return Observation(tuple(n for names in self.vocabulary.values() for n in names), self.vocabulary)

    def holds(self, condition: Condition) -> bool:
        """Whether it is among the facts."""
        return condition_holds(condition, self.relations)

    def snapshot(self) -> bytes:
        """Nothing."""
        return b""

    def restore(self, snapshot: bytes) -> None:
        """Nothing."""

    # What is asked of it ----------------------------------------------------------------------------------------------

    def wish(self, relation: str, *values: str) -> Condition:
        """That something is so."""
        return self.relations[relation].condition(self._arguments((relation, *values)))

    def deed(self, skill: str, *values: str) -> Step:
        """That something is done."""
        names = [p.name for p in self.skills[skill].signature.parameters]
        return self.skills[skill].step(dict(zip(names, values, strict=True)))

    def do(self, steps: Iterable[Step]) -> None:
        """Carry steps out; AssertionError for one that cannot be done."""
        for step in steps:
            self.skills[step.skill].function(**step.arguments)


def _signature(name: str, says: str, takes: Mapping[str, str]) -> Signature:
    parameters = tuple(Parameter(each, str, f"a {kind}.", kind) for each, kind in takes.items())
    return Signature(name, says, parameters, says, tuple(takes) if len(takes) > 1 else ())


def _filled(fact: Fact, given: Mapping[str, str]) -> Fact:
    return (fact[0], *(given.get(each, each) for each in fact[1:]))


def _any_other(fact: Fact) -> Fact:
    return (*fact[:2], *(ANY for _ in fact[2:]))


def _covers(general: Fact, fact: Fact) -> bool:
    return len(general) == len(fact) and all(a in (ANY, b) for a, b in zip(general, fact, strict=True))


# Four kinds -----------------------------------------------------------------------------------------------------------


def blocks(size: int, seed: int) -> tuple[Drawn, Sought]:
    """`size` blocks, in towers at random, are to be in other towers."""
    rng = random.Random(seed)
    names = [f"block {i + 1}" for i in range(size)]
    now, then = _towers(names, rng), _towers(names, rng)
    robot = Drawn({"block": names, "spot": (*names, TABLE)}, {("on", *pair) for pair in now.items()})
    robot.add_relation("on", "The {block} is on the {spot}.", {"block": "block", "spot": "spot"}, single=True)
    free = ("not on", ANY, "block")
    two = {"block": "block", "other": "block"}
    on_other = Does(
        "Put the {block} on the {other}.", two, (free, ("not on", ANY, "other")), (("on", "block", "other"),)
    )
    robot.add_skill("put", on_other)
    robot.add_skill(
        "put_down", Does("Put the {block} on the table.", {"block": "block"}, (free,), (("on", "block", TABLE),))
    )
    pairs = sorted(then.items())
    deeds = [robot.deed("put_down", b) if s == TABLE else robot.deed("put", b, s) for b, s in pairs if now[b] != s]
    return robot, Sought(tuple(deeds), tuple(robot.wish("on", *pair) for pair in pairs))


def _towers(names: Sequence[str], rng: random.Random) -> dict[str, str]:
    under, tops = dict[str, str](), list[str]()
    for name in rng.sample(names, len(names)):
        place = rng.choice([TABLE, *tops, *tops])
        under[name] = place
        tops = [*(top for top in tops if top != place), name]
    return under


def hall(size: int, seed: int) -> tuple[Drawn, Sought]:
    """A hall of `size` by `size` places with two free ones; some shelves are to be elsewhere."""
    rng = random.Random(seed)
    grid = {(x, y): f"place {x + 1}.{y + 1}" for x in range(size) for y in range(size)}
    places, shelves = list(grid.values()), [f"shelf {i + 1}" for i in range(size * size - 2)]
    near = [(grid[a], grid[b]) for a in grid for b in grid if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    now, then = (dict(zip(shelves, rng.sample(places, len(places)), strict=False)) for _ in range(2))
    facts: set[Fact] = {("stands_at", *pair) for pair in now.items()} | {("beside", *pair) for pair in near}
    facts |= {("vacant", place) for place in places if place not in now.values()} | {("at", places[0])}
    robot = Drawn({"place": places, "shelf": shelves}, facts)
    one, two, both = {"place": "place"}, {"start": "place", "goal": "place"}, {"shelf": "shelf", "place": "place"}
    robot.add_relation("at", "The vehicle is at the {place}.", one)
    robot.add_relation("vacant", "The {place} is vacant.", one)
    robot.add_relation("beside", "The {start} is beside the {goal}.", two)
    robot.add_relation("stands_at", "The {shelf} is at the {place}.", both, single=True)
    robot.add_relation("lifted", "The {shelf} is on the vehicle.", {"shelf": "shelf"})
    way, here, there = ("beside", "start", "goal"), ("at", "place"), (("at", "start"), ("at", "goal"))
    empty, laden = ("not lifted", ANY), ("lifted", "shelf")
    robot.add_skill(
        "drive", Does("Drive from the {start} to the {goal}.", two, (there[0], way, empty), there[1:], there[:1])
    )
    robot.add_skill(
        "carry",
        Does(
            "Carry the {shelf} from the {start} to the {goal}.",
            {"shelf": "shelf", **two},
            (there[0], way, laden, ("vacant", "goal")),
            there[1:],
            there[:1],
        ),
    )
    stands = ("stands_at", "shelf", "place")
    robot.add_skill(
        "lift",
        Does("Lift the {shelf} at the {place}.", both, (here, stands, empty), (laden, ("vacant", "place")), (stands,)),
    )
    robot.add_skill(
        "set_down",
        Does(
            "Set the {shelf} down at the {place}.",
            both,
            (here, laden, ("vacant", "place")),
            (stands,),
            (laden, ("vacant", "place")),
        ),
    )
    moved = [(shelf, then[shelf]) for shelf in rng.sample(shelves, max(2, size)) if then[shelf] != now[shelf]]
    deeds = tuple(robot.deed("set_down", *pair) for pair in moved)
    return robot, Sought(deeds, tuple(robot.wish("stands_at", *pair) for pair in moved))


def parcels(size: int, seed: int) -> tuple[Drawn, Sought]:
    """`size` parcels round a ring of stops, two fit on the carrier."""
    rng = random.Random(seed)
    names, stops = [f"parcel {i + 1}" for i in range(size)], [f"stop {i + 1}" for i in range(max(4, size))]
    trays = ("left tray", "right tray")
    now, then = ({name: rng.choice(stops) for name in names} for _ in range(2))
    facts: set[Fact] = (
        {("is_at", *pair) for pair in now.items()} | {("at", stops[0])} | {("free", tray) for tray in trays}
    )
    facts |= {("road", a, b) for i, a in enumerate(stops) for b in (stops[i - 1], stops[(i + 1) % len(stops)])}
    robot = Drawn({"parcel": names, "stop": stops, "tray": trays}, facts)
    two, all_of_it = {"start": "stop", "goal": "stop"}, {"parcel": "parcel", "tray": "tray", "stop": "stop"}
    robot.add_relation("at", "The carrier is at the {stop}.", {"stop": "stop"})
    robot.add_relation("road", "There is a road from the {start} to the {goal}.", two)
    robot.add_relation("free", "The {tray} is free.", {"tray": "tray"})
    robot.add_relation("is_at", "The {parcel} is at the {stop}.", {"parcel": "parcel", "stop": "stop"})
    robot.add_relation("aboard", "The {parcel} is on the {tray}.", {"parcel": "parcel", "tray": "tray"})
    here, lies, aboard = ("at", "stop"), ("is_at", "parcel", "stop"), ("aboard", "parcel", "tray")
    drive = Does(
        "Drive from the {start} to the {goal}.",
        two,
        (("at", "start"), ("road", "start", "goal")),
        (("at", "goal"),),
        (("at", "start"),),
    )
    robot.add_skill("drive", drive)
    load = Does(
        "Load the {parcel} onto the {tray} at the {stop}.",
        all_of_it,
        (here, lies, ("free", "tray")),
        (aboard,),
        (lies, ("free", "tray")),
    )
    robot.add_skill("load", load)
    unload = Does(
        "Unload the {parcel} from the {tray} at the {stop}.",
        all_of_it,
        (here, aboard),
        (lies, ("free", "tray")),
        (aboard,),
    )
    robot.add_skill("unload", unload)
    moved = [pair for pair in then.items() if now[pair[0]] != pair[1]]
    deeds = tuple(robot.deed("unload", name, rng.choice(trays), stop) for name, stop in moved)
    return robot, Sought(deeds, tuple(robot.wish("is_at", *pair) for pair in moved))


def house(size: int, seed: int) -> tuple[Drawn, Sought]:
    """`size` rooms in a tree of locked doors; the key of each lies in a room that can be reached before it."""
    rng = random.Random(seed)
    rooms = [f"room {i + 1}" for i in range(size)]
    above = {room: rooms[rng.randrange(i)] for i, room in enumerate(rooms) if i}
    keys = {f"key to {room}": rng.choice(rooms[: rooms.index(room)]) for room in rooms[1:]}
    facts: set[Fact] = {("at", rooms[0])} | {("is_in", *pair) for pair in keys.items()}
    facts |= {("door", *pair) for one, other in above.items() for pair in ((one, other), (other, one))}
    facts |= {("fits", f"key to {room}", room) for room in rooms[1:]} | {("unlocked", rooms[0])}
    robot = Drawn({"room": rooms, "key": list(keys)}, facts)
    two, both = {"start": "room", "goal": "room"}, {"key": "key", "room": "room"}
    robot.add_relation("at", "The robot is in the {room}.", {"room": "room"})
    robot.add_relation("door", "There is a door from the {start} to the {goal}.", two)
    robot.add_relation("unlocked", "The {room} is unlocked.", {"room": "room"})
    robot.add_relation("fits", "The {key} fits the {room}.", both)
    robot.add_relation("is_in", "The {key} is in the {room}.", both)
    robot.add_relation("held", "The {key} is in the hand.", {"key": "key"})
    robot.add_relation("lit", "The light in the {room} is on.", {"room": "room"})
    go = Does(
        "Go from the {start} to the {goal}.",
        two,
        (("at", "start"), ("door", "start", "goal"), ("unlocked", "goal"), ("unlocked", "start")),
        (("at", "goal"),),
        (("at", "start"),),
    )
    robot.add_skill("go", go)
    lies = ("is_in", "key", "room")
    take = Does(
        "Take the {key} in the {room}.", both, (("at", "room"), lies, ("not held", ANY)), (("held", "key"),), (lies,)
    )
    robot.add_skill("take", take)
    leave = Does("Leave the {key} in the {room}.", both, (("at", "room"), ("held", "key")), (lies,), (("held", "key"),))
    robot.add_skill("leave", leave)
    unlock = Does(
        "Unlock the door from the {start} to the {goal} with the {key}.",
        {**two, "key": "key"},
        (("at", "start"), ("door", "start", "goal"), ("held", "key"), ("fits", "key", "goal")),
        (("unlocked", "goal"),),
    )
    robot.add_skill("unlock", unlock)
    robot.add_skill(
        "switch_on", Does("Switch on the light in the {room}.", {"room": "room"}, (("at", "room"),), (("lit", "room"),))
    )
    dark = rng.sample(rooms[size // 2 :], min(3, size - size // 2))
    return robot, Sought(
        tuple(robot.deed("switch_on", room) for room in dark), tuple(robot.wish("lit", room) for room in dark)
    )


KINDS = {"blocks": blocks, "hall": hall, "parcels": parcels, "house": house}
