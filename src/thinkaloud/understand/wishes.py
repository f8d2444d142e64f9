"""What deeds come to: those that change something, what must hold after all of them, and what does already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from thinkaloud.records import Arguments, Condition, Step
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.whole import opposite_name


def sort_out(
    world: World, deeds: Iterable[tuple[Skill, Arguments]]
) -> tuple[tuple[Step, ...], tuple[Condition, ...], tuple[Condition, ...]]:
    """The deeds that change something, what must hold after all of them, and what does already."""
    steps, already = list[Step](), list[Condition]()
    wishes: dict[object, Condition] = {}
    touched: set[object] = set()
    for skill, arguments in deeds:
        promised = promises_of(skill, arguments, world)
        about = {_subject(each, world.relations): each for each in promised}
        if promised and all(wishes.get(subject) == each for subject, each in about.items()):
            continue  # it was said before, and nothing that was said since changes it
        wishes.update(about)
        if promised and not about.keys() & touched and all(holds(world, each) for each in promised):
            already += promised
            continue
        touched |= about.keys()
        steps.append(skill.step(arguments))
    return tuple(steps), tuple(wishes.values()), tuple(already)


def promises_of(skill: Skill, arguments: Arguments, world: World) -> list[Condition]:
    """What should hold after a deed; nothing where a robot builder's own code cannot say."""
    try:
        return skill.promises(arguments, world.relations)
    except Exception:
        return []


def holds(world: World, condition: Condition) -> bool:
    """Whether something is so; what a robot builder's own code cannot tell is not."""
    try:
        return bool(world.holds(condition))
    except Exception:
        return False


def _subject(condition: Condition, relations: Mapping[str, Relation]) -> object:
    """What a condition is about: of two about the same, the later one counts."""
    relation, values = condition.relation, tuple(condition.arguments.values())
    base = min(relation, opposite_name(relation), key=len)
    single = base in relations and bool(relations[base].otherwise) and relation == base
    return (base, values[:1]) if single else (base, values)
