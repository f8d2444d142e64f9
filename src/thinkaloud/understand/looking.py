"""Looking first: what a program asks of a place that the robot has not been to is looked at before it is answered.

Code sees that the place was not looked at, and says so: the meaning is then a look, whose wishes are what has to be so
to see the place. When they are so, the request is read again. A relation of place is one that declares what has to be
so for the robot to see what is there (`sight`).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinkaloud.language.name_matching import find_named
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, LookFirst, Meaning, Observation
from thinkaloud.skills import Relation
from thinkaloud.understand.conversation import Heard
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.program import Program, read_program
from thinkaloud.understand.switches import switchable
from thinkaloud.understand.tree import Do, Text
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.effects import holds


@switchable(None)
def look_first(program: str, heard: Heard, monologue: Monologue, at: Circumstances) -> Meaning | None:
    """The look that has to come first; None where everything that the program asks about was seen."""
    read = read_program(program, at.lexicon)
    if read is None or any(isinstance(node, Do) and node.call.role != "skill" for node in read.nodes):
        return None  # there is nothing to look for, if the robot has no skill for it
    for place in find_asked(read, places_of(at.world, at.scene), at.scene, at.lexicon):
        if _is_unseen(place, heard, monologue, at):
            told = place.tell("what")
            words = f"I do not see {told[:1].lower()}{told[1:]}; I go and look."
            return Meaning(program, words, LookFirst(place.facts(at.world)))
    return None


def _is_unseen(place: Place, heard: Heard, monologue: Monologue, at: Circumstances) -> bool:
    """Whether nobody has looked at a place yet; or nothing is known to be there, and nobody has since this was said."""
    facts = place.facts(at.world)
    if not facts or all(holds(at.world, each) for each in facts):
        return False
    if any(each.content == LookFirst(facts) for each in monologue.since(heard.at, Meaning)):
        return False
    if _was_seen(facts, monologue.since(heard.at, Observation)):
        return False
    return not _was_seen(facts, monologue.since(None, Observation)) or not place.things(at.world, at.scene)


def _was_seen(facts: Sequence[Condition], looks: Sequence[Observation]) -> bool:
    wanted = {each.words for each in facts}
    return any(look.state is not None and wanted <= {each.words for each in look.state.relations} for look in looks)


# Places ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A place of which it can be told what is there, and how: by which relation, of which of its parameters."""

    name: str
    relation: Relation
    thing: str
    place: str

    @property
    def kind(self) -> str:
        """The kind of the things that may be there."""
        return next(p.kind or "" for p in self.relation.signature.parameters if p.name == self.thing)

    def facts(self, world: World) -> tuple[Condition, ...]:
        """What has to be so for the robot to see what is there."""
        try:
            found = self.relation.sight(**{self.place: self.name}) if self.relation.sight is not None else ()
        except Exception:  # a robot builder's own code
            return ()
        return tuple(world.relations[name].condition(given) for name, given in found if name in world.relations)

    def things(self, world: World, scene: Observation) -> list[str]:
        """What is there, as far as the robot knows."""
        known = scene.vocabulary.get(self.kind, ())
        return [
            each for each in known if holds(world, self.relation.condition({self.thing: each, self.place: self.name}))
        ]

    def tell(self, what: str) -> str:
        """That something is there, without a full stop."""
        return self.relation.signature.render({self.thing: what, self.place: self.name}).rstrip(".")


def places_of(world: World, scene: Observation) -> list[Place]:
    """All places that have to be looked at to know what is there."""
    found: list[Place] = []
    for relation in world.relations.values():
        taken = [] if relation.sight is None else [*inspect.signature(relation.sight).parameters]
        kinds = {p.name: p.kind for p in relation.signature.parameters}
        others = [name for name, kind in kinds.items() if name not in taken and kind is not None]
        if len(taken) == 1 and len(others) == 1 and len(kinds) == 2:
            names = scene.vocabulary.get(kinds[taken[0]] or "", ())
            found += [Place(name, relation, others[0], taken[0]) for name in names]
    return found


def find_asked(program: Program, places: Sequence[Place], scene: Observation, lexicon: Lexicon) -> Iterator[Place]:
    """The places of which a program asks what is there; not where it asks that only of a thing that was seen."""
    known = (*scene.objects, *scene.hidden)
    for call in program.calls():
        match call.given:
            case (Text(subject), Text()) if find_named(subject, known) is not None:
                continue
            case (_, Text(text)):
                own = lexicon.own_names.get(call.name, call.name)
                yield from (
                    each
                    for each in places
                    if each.relation.signature.name == own and find_named(text, (each.name,)) is not None
                )
