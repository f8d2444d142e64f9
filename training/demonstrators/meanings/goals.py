"""What a request comes to, computed beside its program and held against what the program comes to when it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from thinkaloud.records import Condition, Meaning
from thinkaloud.saying.telling import tell_value
from thinkaloud.worlds.full_world import is_opposite
from training.demonstrators.meanings.sketch import Fact


class Wrong(Exception):
    """A program does not come to what its request means."""


@dataclass(frozen=True)
class Goal:
    """What must come out. Only what is given is compared."""

    sort: str = "deeds"
    facts: frozenset[Fact] | None = None
    """What holds in the end, whether it is so already or not."""
    fits: Callable[[frozenset[Fact]], bool] | None = None
    """Says whether what holds in the end is one of the things that would do."""
    calls: tuple[tuple[object, ...], ...] | None = None
    """The deeds, in their order: the skill and what it is done with."""
    said: tuple[object, ...] | None = None
    """What is answered: values, of which lists are compared in any order."""
    about: str = ""
    """What a refusal or a question has to name."""
    kept: tuple[str, ...] | None = None
    freed: tuple[str, ...] | None = None
    notes: tuple[str, ...] | None = None


def facts(*found: Fact) -> Goal:
    """The goal that these hold in the end."""
    return Goal(facts=frozenset(found))


def calls(*found: tuple[object, ...]) -> Goal:
    """The goal that just this is done, in this order."""
    return Goal(calls=tuple(found))


def says(*values: object) -> Goal:
    """The goal that this is answered."""
    return Goal("answer", said=values)


def check(meaning: Meaning, goal: Goal, request: str) -> None:
    """Wrong where a meaning is another than was to come out."""

    def wrong(what: str) -> Wrong:
        found = f"{meaning.sort}: {meaning.words}"
        return Wrong(f"{request!r} -> {meaning.program!r}: {what}; wanted {goal}, came to {found}")

    if meaning.sort != goal.sort:
        raise wrong("another sort")
    if goal.facts is not None and _facts([*meaning.act.wishes, *meaning.act.already]) != goal.facts:
        raise wrong(f"other facts {sorted(_facts([*meaning.act.wishes, *meaning.act.already]))}")
    if goal.fits is not None and not goal.fits(_facts([*meaning.act.wishes, *meaning.act.already])):
        raise wrong(f"unfit facts {sorted(_facts([*meaning.act.wishes, *meaning.act.already]))}")
    if goal.calls is not None:
        done = tuple((step.skill, *step.arguments.values()) for step in meaning.deeds)
        if done != goal.calls:
            raise wrong(f"other deeds {done}")
    if goal.said is not None and not _same(meaning.said, goal.said):
        raise wrong(f"other answers {meaning.said}")
    if goal.about and goal.about not in meaning.words:
        raise wrong(f"nothing about {goal.about}")
    for part in ("kept", "freed", "notes"):
        if getattr(goal, part) is not None and getattr(meaning, part) != getattr(goal, part):
            raise wrong(f"other {part}")


def _facts(conditions: Iterable[Condition]) -> frozenset[Fact]:
    return frozenset((c.relation, *map(str, c.arguments.values())) for c in conditions if not is_opposite(c.relation))


def _same(found: tuple[str, ...], wanted: tuple[object, ...]) -> bool:
    if len(found) != len(wanted):
        return False
    for text, value in zip(found, wanted, strict=True):
        if isinstance(value, bool):
            if not text.startswith("Yes" if value else "No"):
                return False
        elif isinstance(value, list):
            told = {tell_value(order) for order in (value, sorted(value), value[::-1])}
            if text not in told and sorted(text.replace(" and ", ", ").split(", ")) != sorted(map(str, value)):
                return False
        elif value is not ... and text != tell_value(value):
            return False
    return True
