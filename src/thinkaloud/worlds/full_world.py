"""A world with everything it can do and tell, and with the opposite of every relation as a possible goal.

    whole = FullWorld(world)

An `Extendable` world is extended. Every relation gets an opposite, such as `not full`, so that "switch it off" has an
effect that can be checked, too: the relations a skill ends are among its effects.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from thinkaloud.records import Arguments, Condition, Observation
from thinkaloud.skills import FactsOfArguments, Relation, Skill
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.worlds.contract import Extendable, Twinned, World, find_ability, holds_in

NEGATION_PREFIX = "not "
"""The prefix of an opposite's name."""


def is_opposite(relation: str) -> bool:
    """Whether a relation is the opposite of another."""
    return relation.startswith(NEGATION_PREFIX)


def opposite_name(relation: str) -> str:
    """`not full` for `full`, and the reverse."""
    return relation.removeprefix(NEGATION_PREFIX) if is_opposite(relation) else NEGATION_PREFIX + relation


def base_name(relation: str) -> str:
    """`full`, for `full` and for `not full`."""
    return relation.removeprefix(NEGATION_PREFIX)


class FullWorld:
    """A world with everything it offers; see the module's description."""

    def __init__(self, world: World) -> None:
        extendable = find_ability(world, Extendable)
        self._world: World = world if extendable is None else extendable.extended()
        self.name, self.clock = world.name, world.clock
        own = self._world.relations
        opposites = {
            NEGATION_PREFIX + name: _opposite(each) for name, each in own.items() if NEGATION_PREFIX + name not in own
        }
        self.skills: Mapping[str, Skill] = {name: _with_ends(each, own) for name, each in self._world.skills.items()}
        self.relations: Mapping[str, Relation] = {**own, **opposites}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_world":
            raise AttributeError(name)
        return getattr(self._world, name)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._world.reset(seed)

    def observe(self) -> Observation:
        """What can be perceived now. Things out of view can be named, because what hides them can be moved."""
        seen = self._world.observe()
        return replace(seen, vocabulary={kind: _wider(kind, seen.vocabulary) for kind in seen.vocabulary})

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world; an opposite is true if its relation is not."""
        if is_opposite(condition.relation) and condition.relation not in self._world.relations:
            return not holds_in(self._world, replace(condition, relation=opposite_name(condition.relation)))
        return holds_in(self._world, condition)

    def snapshot(self) -> bytes:
        """Everything needed to restore this state."""
        return self._world.snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Restore a state."""
        self._world.restore(snapshot)

    @property
    def twin(self) -> Any:
        """A function that copies this world, if the world can be copied."""
        twinned = find_ability(self._world, Twinned)
        if twinned is None:
            raise AttributeError("twin")
        return lambda: FullWorld(twinned.twin())


def _wider(kind: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """A kind without regard to visibility: `block in view` includes every `block`."""
    wider = [name for other in vocabulary if kind == f"{other} in view" for name in vocabulary[other]]
    return tuple(dict.fromkeys([*vocabulary[kind], *wider]))


def _opposite(relation: Relation) -> Relation:
    signature = relation.signature
    said = negated(signature.says)
    return Relation(
        replace(signature, name=NEGATION_PREFIX + signature.name, says=said),
        lambda **arguments: not relation.holds(**arguments),
    )


_VERBS = (
    r"(?<![\w{])(is|are|was|were|has(?= been)|have(?= been))(?![\w}])",
    r"(?<![\w{])(can|will|does|do)(?![\w}])",
)


_DENIED = r"(?<![\w{])(?:(is|are|was|were|has|have|can|will|does|do) not|(can)not)(?![\w}])"
_INNER = r"(?<![\w{])(where|what|who|which|that|whether|how|when|why|if|no|nothing|nobody|none|never|neither)(?![\w}])"
"""Words that begin an inner clause, whose verb is not the sentence's own, and words that already negate."""


def negated(sentence: str) -> str:
    """The sentence with `not` added, or with its `not` removed: `The lid is not open.`"""
    inner = re.search(_INNER, sentence, re.IGNORECASE)
    own = sentence if inner is None else sentence[: inner.start()]
    if re.search(_DENIED, own):
        return re.sub(_DENIED, lambda found: found[1] or found[2], sentence, count=1)
    for verbs in _VERBS:
        if re.search(verbs, own):
            return re.sub(verbs, r"\1 not", sentence, count=1)
    return f"It is not so that {sentence[:1].lower()}{sentence[1:]}"


_FEW = 2
"""The most opposites that are named beside positive conditions of the same relation."""


def worth_saying(conditions: Iterable[Condition]) -> list[Condition]:
    """The conditions worth telling people: if the robot is at the door, all the places where it is not are left out."""
    known = list(conditions)
    so = {each.relation for each in known}
    not_so = Counter(each.relation for each in known if is_opposite(each.relation))
    return [each for each in known if opposite_name(each.relation) not in so or not_so[each.relation] <= _FEW]


def _with_ends(skill: Skill, relations: Mapping[str, Relation]) -> Skill:
    if skill.ends is None:
        return _with_replaced(skill, relations)
    effects, revokes = skill.effects, skill.revokes

    def all_effects(**arguments: Any) -> tuple[tuple[str, Arguments], ...]:
        brought = effects(**arguments) if effects is not None else ()
        moved = {(name, _first(given)) for name, given in brought}  # a moved thing has obviously left its old place
        revoked = ((each.relation, each.arguments) for each in revokes(arguments, relations))
        ended = ((name, given) for name, given in revoked if (name, _first(given)) not in moved)
        return (*brought, *((NEGATION_PREFIX + name, given) for name, given in ended))

    found: FactsOfArguments = all_effects
    return replace(_with_replaced(skill, relations), effects=found)


def _with_replaced(skill: Skill, relations: Mapping[str, Relation]) -> Skill:
    """The skill; what it brings about of a single relation also ends what the relation held of before."""
    effects, ends = skill.effects, skill.ends
    if effects is None or not any(each.is_single for each in relations.values()):
        return skill

    def all_ends(**arguments: Any) -> tuple[tuple[str, Arguments], ...]:
        brought = [(relations[name], given) for name, given in effects(**arguments) if name in relations]
        replaced = ((each.signature.name, each.replaced_by(given)) for each, given in brought)
        ended = ends(**arguments) if ends is not None else ()
        return (*ended, *((name, given) for name, given in replaced if given is not None))

    found: FactsOfArguments = all_ends
    return replace(skill, ends=found)


def _first(arguments: Arguments) -> object:
    return next(iter(arguments.values()), None)
