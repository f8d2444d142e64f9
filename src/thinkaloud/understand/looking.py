"""What the robot has not seen: it looks first where a program asks about it, and counts in what comes to light.

If a program asks about a place that the robot has not seen, the meaning is a look, whose wishes are what has to be so
to see the place (`sight` of the relation). When they are so, the request is read again. Before the robot says that
there is no such thing, it looks at the places that nobody has seen.

Who said "all the blocks" meant the one below as well. If something new is seen by the time that all is done, the
program is run again. The result counts if it has all that was wished before, and does more only with what is new.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from thinkaloud.language.name_matching import find_named
from thinkaloud.monologue import Monologue
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program, read_program
from thinkaloud.program.switches import switchable
from thinkaloud.program.tree import Do, Text
from thinkaloud.records import Answer, Condition, LookFirst, Meaning, Observation, Refused, Request, Step
from thinkaloud.skills import Relation
from thinkaloud.understand.conversation import Heard
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.worlds.contract import World, surely_holds

_MOST_LOOKS = 8
"""Places that are looked at for one request, if what it names is not known to be anywhere."""


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


@switchable(None)
def look_around(
    refused: Meaning, heard: Heard, monologue: Monologue, at: Circumstances, in_vain: Collection[str] = ()
) -> Meaning | None:
    """The look at a place that nobody has seen yet, where something is wanted that is not known to be here.

    Names come to light by looking, or what was looked for `in_vain`; else a robot that can name what it has never seen
    knows what there is not.
    """
    match refused.content:
        case Refused("no such thing", missing=missing):
            read = read_program(refused.program, at.lexicon)
        case _:
            return None
    looks = [each for each in monologue.since(heard.at, Meaning) if each.sort == "look"]
    if read is None or len(looks) >= _MOST_LOOKS or not any(isinstance(node, Do) for node in read.nodes):
        return None
    for place in places_of(at.world, at.scene):
        facts = place.facts(at.world)
        named = bool(in_vain) or {*at.scene.vocabulary.get(place.kind, ())} <= {*at.scene.known}
        tried = any(each.content == LookFirst(facts) for each in looks)
        if named and facts and not tried and not _was_seen(facts, monologue.since(None, Observation)):
            words = f"I know of no {missing} here; I look at the {place.name} first."
            return Meaning(refused.program, words, LookFirst(facts))
    return None


def _is_unseen(place: Place, heard: Heard, monologue: Monologue, at: Circumstances) -> bool:
    """Whether nobody has looked at a place yet; or nothing is known to be there, and nobody has since this was said."""
    facts = place.facts(at.world)
    if not facts or all(surely_holds(at.world, each) for each in facts):
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
        there = {each: self.relation.condition({self.thing: each, self.place: self.name}) for each in known}
        return [each for each, condition in there.items() if surely_holds(world, condition)]

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
    known = scene.known
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


# What has come to light -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unread:
    """Things that were not known when a request was read, what that was taken to mean, and all deeds it came to."""

    meaning: Meaning
    things: tuple[str, ...]
    deeds: tuple[Step, ...]
    scene: Observation
    """All that is known now; in every list, what has come to light stands last."""


@switchable(None)
def find_unread(monologue: Monologue) -> Unread | None:
    """What has come to light since what was said last was read, if it asks for something to be done."""
    at, scene = monologue.where(Meaning), monologue.last(Observation)
    before = monologue.last(Observation, before=at) if at is not None else None
    read = [each for each in monologue.since(monologue.where((Request, Answer)), Meaning) if each.sort != "look"]
    if scene is None or before is None or not read or any(each.sort != "deeds" for each in read):
        return None
    new = tuple(each for each in scene.known if each not in before.known)
    deeds = {deed.words: deed for each in read for deed in each.deeds}
    return Unread(read[-1], new, tuple(deeds.values()), _counted_on(scene, before)) if new else None


def _counted_on(scene: Observation, before: Observation) -> Observation:
    """The scene with what was known before first, in its order, and the rest after it: who counts off counts on."""
    known = before.known

    def ordered(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(names, key=lambda each: known.index(each) if each in known else len(known)))

    vocabulary = {kind: ordered(names) for kind, names in scene.vocabulary.items()}
    return replace(scene, objects=ordered(scene.known), hidden=(), vocabulary=vocabulary)


def is_more(again: Meaning, unread: Unread) -> bool:
    """Whether a meaning has all that was wished before, and does more with what has come to light, and nothing else."""
    wished = {each.words for each in (*again.act.wishes, *again.act.already)}
    if again.sort != "deeds" or not {each.words for each in unread.meaning.act.wishes} <= wished:
        return False
    return bool(again.deeds) and all({*deed.arguments.values()} & {*unread.things} for deed in again.deeds)
