"""The four domains of Statler as worlds, with physics and hidden attributes. The world is the judge.

world = DomainWorld("disinfection")
world.reset(7)
print(world.briefing.rules, world.observe().state, world.truth())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Self

import msgspec

from thinkaloud.errors import BadScene, SkillError, UnknownName
from thinkaloud.records import Arguments, Observation, Value, WorldState
from thinkaloud.skills import Kind, relation, skill
from thinkaloud.state.edits import GROUND, TABLE, lies_on, noun
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.program_examples import USUAL_LESSON, read_lesson
from thinkaloud_worlds.tabletop.blocks_and_bowls import Tabletop
from thinkaloud_worlds.tabletop.contact_relations import is_on_table, supports_of, touching_pairs
from thinkaloud_worlds.tabletop.containers import DomainSenses, Handling, resting_point
from thinkaloud_worlds.tabletop.extended import ExtendedDomain
from thinkaloud_worlds.tabletop.hidden_attributes import ExtendedDisinfection, ExtendedWeight
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.place_at_point import Placing
from thinkaloud_worlds.tabletop.reference_points import Site
from thinkaloud_worlds.tabletop.scene import Scene
from thinkaloud_worlds.tabletop.statler_rules import (
    CLEANER,
    DOMAINS,
    EMPTY,
    Domain,
    above,
    after_put,
    must_go_first,
    top_of,
)
from thinkaloud_worlds.tabletop.statler_scenes import UNIT, draw_domain_scene, kind_from_name, scene_of

__all__ = ["DOMAIN_WORLDS", "DomainWorld", "scene_of"]

OPEN_TARGETS = (TABLE, EMPTY)
"""The targets that are not things."""
_LESSONS = Path(__file__).parent / "lessons"
_PRESET = "statler"
_REST = 10  # the least number of ticks in which things moved by hand come to rest


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    domain: str
    dirty: tuple[str, ...]
    inner: bytes


def _puts(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("on", {"object": object, "target": target}),)


def _remembers(self: DomainWorld, state: WorldState, object: str, target: str) -> WorldState:
    return after_put(self.domain, state, object, target)


def _first(self: DomainWorld, state: WorldState, object: str, target: str) -> tuple[Arguments, ...]:
    moves = must_go_first(self.domain, state, object, target)
    return tuple({"object": thing, "target": where} for thing, where in moves)


class DomainWorld(Tabletop):
    """A table under the rules of a domain. Every episode starts with the given scene, or one drawn from the seed."""

    examples: tuple[str, ...] = ()

    def __init__(self, domain: str, scene: Scene | None = None) -> None:
        if domain not in DOMAINS:
            raise UnknownName("domain", domain, DOMAINS)
        self.domain: Domain = DOMAINS[domain]
        self.name = domain
        self._dirty: set[str] = set()
        self._eyes = DomainSenses(lambda: self.physics)
        super().__init__(scene)
        self.senses = self._eyes

    @property
    def briefing(self) -> Briefing:
        """The rules of the domain, a sample conversation, and the preset that keeps track of what cannot be seen."""
        own = _LESSONS / f"{self.domain.name}.toml"
        lesson = read_lesson(own if own.exists() else USUAL_LESSON)  # pick and place has the usual one
        return Briefing(rules=self.domain.rules, lesson=lesson, paper=_PRESET, examples=self.examples)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        super().reset(seed)
        self._rest()
        self.physics.data.time = 0.0
        self._seen = self.physics.names
        self._dirty = {thing.name for thing in self.scene.objects if thing.dirty}
        self._notice()

    see_with = None  # type: ignore[assignment]  # here the robot knows how the episode began, and relies on that
    pick_with = from_above = None  # type: ignore[assignment]  # what matters here is not in a picture

    def _drawn(self, seed: int) -> Scene:
        return draw_domain_scene(self.name, seed)

    def _built(self, scene: Scene) -> Physics:
        for thing in scene.objects:
            if thing.kind != kind_from_name(thing.name):
                raise BadScene(
                    f"{thing.name} is a {thing.kind}, but here the last word of a name gives the kind, and "
                    f"{thing.name!r} means a {kind_from_name(thing.name)}."
                )
        return Physics(scene, fixed=True)

    def observe(self) -> Observation:
        """What the camera sees, and how the episode began, which the robot knows, including what was under what."""
        objects = self._look()
        hidden = tuple(name for name in self.physics.names if name not in objects)
        things = (*self.blocks, *self.bowls)
        vocabulary = {
            "object": self.blocks,
            "target": (*things, *OPEN_TARGETS),
            "object in view": tuple(name for name in self.blocks if name in objects),
            "target in view": (*(name for name in things if name in objects), *OPEN_TARGETS),
        }
        relations = tuple(lies_on(thing.name, thing.on) for thing in self.scene.objects if thing.on)
        return Observation(objects, vocabulary, hidden, state=WorldState(self.physics.names, relations))

    # True state -------------------------------------------------------------------------------------------------------

    def truth(self) -> WorldState:
        """All things, what each really stands on, and their hidden attributes."""
        attributes: dict[str, dict[str, Value]] = {}
        for name in self.blocks:
            mass = self.physics.things[name].mass
            if self.domain.dirt:
                attributes[name] = {"dirty" if name in self._dirty else "clean": True}
            if self.name == "weight" and mass:
                weight = round(mass / UNIT, 6)
                attributes[name] = {"weight": int(weight) if weight.is_integer() else weight}
        return WorldState(self.physics.names, self._measured().relations, attributes)

    def _measured(self) -> WorldState:
        relations = tuple(lies_on(*pair) for pair in supports_of(self.physics).items())
        return WorldState(self.physics.names, relations)

    def set_truth(self, dirty: Iterable[str] = (), clean: Iterable[str] = ()) -> None:
        """Make things dirty or clean; the things that touch them follow."""
        for names, change in ((dirty, self._dirty.add), (clean, self._dirty.discard)):
            for name in names:
                self._known(name, self.blocks)
                change(name)
        self._notice()

    def happens(
        self, dirty: Iterable[str] = (), clean: Iterable[str] = (), moves: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Apply what somebody else did meanwhile: move things (what was on them goes aside), soil or clean them."""
        for thing, target in moves:
            self._known(thing, self.blocks)
            self._known(target, (*self.physics.names, *GROUND))
            for other in above(self._measured(), thing):
                self._carry(other, TABLE)
            top = self._top(thing, target)
            if top in GROUND or supports_of(self.physics).get(thing) != top:
                self._carry(thing, top)
        self.set_truth(dirty, clean)

    def _carry(self, name: str, target: str) -> None:
        """Put a thing somewhere by hand."""
        picture = self._eyes.picture()
        at = self._eyes.point(picture, self._eyes.pixel(picture, target, moving=name))
        x, y, z = resting_point(self.physics, name, target, at)
        if self.physics.held == name:
            self.physics.release()
        self.physics.put(name, (x, y, z + 0.001))
        self._rest()
        self._notice()

    def _rest(self) -> None:
        for count in range(10 * _REST):
            self.physics.tick()
            if count >= _REST and self.physics.still:
                return

    def _notice(self) -> None:
        """Spread dirt to everything in contact with it; what is in the disinfector becomes clean."""
        if not self.domain.dirt:
            return
        state = self._measured() if any(noun(name) == CLEANER for name in self.bowls) else WorldState()
        inside = {thing for box in self.bowls if noun(box) == CLEANER for thing in above(state, box)}
        self._dirty -= inside
        pairs = [pair for pair in touching_pairs(self.physics) if not inside & {*pair}] if self._dirty else []
        while new := {thing for pair in pairs if self._dirty & {*pair} for thing in pair} - self._dirty:
            self._dirty |= new

    # Skills and relations ---------------------------------------------------------------------------------------------

    @skill(
        says="Pick the {object} and place it on the {target}.",
        distinct=("object", "target"),
        effects=_puts,
        remembers=_remembers,
        first=_first,
    )
    async def pick_and_place(
        self, object: Annotated[str, Kind("object")], target: Annotated[str, Kind("target")]
    ) -> str:
        """Pick up an object and place it on another object, in a container, or on the table.

        Args:
            object: what to pick up.
            target: what to put it on: a thing, a bowl or box to put it into, the table, or an empty space.
        """
        self._known(object, self.blocks)
        self._known(target, (*self.physics.names, *GROUND))
        self._refuse(object, target)
        arm = Handling(self.physics, self.senses, self._notice)
        reports: list[str] = []
        try:
            reports += await self._clear(arm, object)
            top = self._top(object, target)
            if top not in GROUND and supports_of(self.physics).get(object) == top:
                reports.append(f"The {object} is on the {target} already.")
            else:
                reports.append(await arm.run(object, top))
        finally:
            self._notice()
        return " ".join(reports)

    async def _clear(self, arm: Handling, object: str) -> list[str]:
        """Set aside what is on a thing; return what was done."""
        reports: list[str] = []
        for _ in range(len(self.blocks)):
            aside = above(self._measured(), object)
            if not aside:
                break
            await arm.run(aside[0], TABLE)
            reports.append(f"Set the {aside[0]} aside.")
        return reports

    async def place_at(self, object: str, site: Site) -> str:
        """Put a thing on the table at a site; first set aside what is on it, as pick-and-place does."""
        self._known(object, self.blocks)
        self._refuse(object, TABLE)
        try:
            aside = await self._clear(Handling(self.physics, self.senses, self._notice), object)
            arm = Placing(self.physics, self.senses, site, self._notice)
            return " ".join([*aside, await arm.place_at(object)])
        finally:
            self._notice()

    def extended(self) -> ExtendedDomain:
        """This same world, with places named by what stands there, with measures, and with what the robot was told."""
        if self.domain.dirt:
            return ExtendedDisinfection(self)
        return ExtendedWeight(self) if self.domain.weighs else ExtendedDomain(self)

    def _refuse(self, thing: str, target: str) -> None:
        state = self._measured()
        for other, where in must_go_first(self.domain, state, thing, target):
            below = supports_of(self.physics)[other]
            how = "over" if self.physics.things[other].kind == "cup" else "on"
            raise SkillError(f"The {other} is {how} the {below}: put it on an {where} first.")

    def _top(self, thing: str, target: str) -> str:
        """Where a thing put on a target comes to rest: on top of that stack."""
        state = self._measured()
        rest = tuple(r for r in state.relations if r.arguments["object"] != thing)
        return top_of(WorldState(state.objects, rest), target)

    @relation(
        says="{object} is on the {target}.", distinct=("object", "target"), otherwise="{object} stays where it is."
    )
    def on(self, object: Annotated[str, Kind("object")], target: Annotated[str, Kind("target")]) -> bool:
        """Whether an object rests on a target, in it or (a cup) over it; on the stack that stands there counts, too.

        Args:
            object: what is on something.
            target: the thing or container that it is on, or the table (an empty space) that it stands on directly.
        """
        self._known(object, self.blocks)
        self._known(target, (*self.physics.names, *GROUND))
        supports = supports_of(self.physics)
        if target in GROUND:
            return object not in supports and is_on_table(self.physics, object)
        return object in above(self._measured(), target)

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        return msgspec.msgpack.encode(_Saved(self.name, tuple(sorted(self._dirty)), super().snapshot()))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError(f"This is not a snapshot of the world {self.name!r}.") from None
        super().restore(saved.inner)
        self._dirty = set(saved.dirty)

    def _another(self) -> Self:
        other = type(self).__new__(type(self))  # the domain classes take only a scene
        DomainWorld.__init__(other, self.name, self.scene)
        return other


class PickAndPlace(DomainWorld):
    """A table with blocks and bowls, where it matters what is on what and what was there before (Statler)."""

    examples = ("Stack all the blocks.",)

    def __init__(self, scene: Scene | None = None) -> None:
        super().__init__("pick_and_place", scene)


class Disinfection(DomainWorld):
    """A table with clean and dirty blocks: unseen, dirt spreads in stacks, and a disinfector cleans (Statler)."""

    examples = ("Stack all the blocks.",)

    def __init__(self, scene: Scene | None = None) -> None:
        super().__init__("disinfection", scene)


class Weight(DomainWorld):
    """A table with blocks that look alike but differ in weight, and bowls to weigh them against (Statler)."""

    examples = ("Stack all the blocks.",)

    def __init__(self, scene: Scene | None = None) -> None:
        super().__init__("weight", scene)


class Cups(DomainWorld):
    """A table with toys, and cups that hide what they cover; whatever is on top has to move first (Statler)."""

    def __init__(self, scene: Scene | None = None) -> None:
        super().__init__("cups", scene)


DOMAIN_WORLDS: dict[str, Callable[[Scene | None], DomainWorld]] = {
    "pick_and_place": PickAndPlace,
    "disinfection": Disinfection,
    "weight": Weight,
    "cups": Cups,
}
"""The domains as worlds, by name."""
