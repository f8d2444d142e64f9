"""The way back: from how things are to how they were before a request."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from thinkaloud.plan.search.facts import Literal, Setting
from thinkaloud.plan.search.finding import find_steps
from thinkaloud.plan.search.results import Found, NotFound, Sought
from thinkaloud.plan.search.situations import make_act
from thinkaloud.records import Condition, Observation, Step
from thinkaloud.worlds import World

_MOST_ASKED = 2000
"""Relations with more calls than this are not looked up one by one: what was seen has to do."""


def true_facts(world: World, scene: Observation) -> tuple[Condition, ...]:
    """All that is so, as far as it was seen or can be asked: what `find_way_back` wants to have from before."""
    setting = Setting(world, scene)
    found: dict[Literal, Condition] = {}
    for condition in () if scene.state is None else scene.state.relations:
        for literal in setting.read(condition.relation, condition.arguments):
            found[literal] = setting.condition(literal)
    for name, relation in world.relations.items():
        if name.startswith("not "):
            continue
        calls = relation.signature.calls(scene.vocabulary, most=_MOST_ASKED)
        for call in calls or ([] if relation.signature.parameters else [{}]):
            for literal in setting.read(name, call):
                if setting.is_so(literal.atom):
                    found[literal] = setting.condition(literal)
    return tuple(found.values())


def find_way_back(
    world: World,
    scene: Observation,
    before: Iterable[Condition],
    steps: Iterable[Step],
    *,
    kept: frozenset[str] = frozenset(),
    avoid: Collection[Step] = (),
    **limits: Any,
) -> Found | NotFound:
    """The steps back to how things were before some steps, as far as those changed it.

    What was so and is so no longer is wished for; and of what is so now and was not, that it is not. All else that has
    changed meanwhile stays as it is. What a step ends as a whole (walking: to be close to anything) only says where the
    robot has got to: it is wished for if nothing else has changed.
    """
    setting = Setting(world, scene)
    was = {literal for condition in before for literal in setting.read(condition.relation, condition.arguments)}
    changed: dict[Literal, None] = {}
    passing: dict[Literal, None] = {}
    for step in steps:
        if (skill := world.skills.get(step.skill)) is None:
            continue
        act = make_act(setting, step, skill, step.arguments)
        whole = {end.relation for end in act.ends if end.values and all(value is None for value in end.values)}
        for literal in sorted(was, key=repr):
            if not setting.is_so(literal.atom) and any(end.covers(literal.atom) for end in act.ends):
                (passing if literal.atom.relation in whole else changed)[literal] = None
        for atom in act.adds:
            if Literal(atom) not in was and setting.is_so(atom) and atom.relation not in whole:
                changed[Literal(atom, False)] = None
    wishes = changed or (passing if len(passing) == 1 else {})
    moved = {each.atom.values[0] for each in wishes if each.so and setting.is_single(each.atom.relation)}
    sought = [
        setting.condition(each)
        for each in wishes
        if each.so or not (setting.is_single(each.atom.relation) and each.atom.values[0] in moved)
    ]
    return find_steps(world, scene, Sought((), tuple(sought), kept), avoid=avoid, **limits)
