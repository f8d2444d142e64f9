"""The rules of the four domains, as pure functions of the known state: what a move leads to, and what must go first.

after = after_put(DOMAINS["disinfection"], state, "red block", "blue block")
"""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.records import WorldState
from thinkaloud.state.edits import GROUND, is_container, noun, supports, with_marked, with_placed

EMPTY = "empty space"
"""The target for things that have to get out of the way."""
CLEANER = "disinfector"
"""The container that cleans what is in it."""

Moves = tuple[tuple[str, str], ...]
"""Things and the target of each, in order."""


@dataclass(frozen=True)
class Domain:
    """A domain: its rules in words, and whether dirt spreads, things carry only one other, and weights matter."""

    name: str
    rules: str
    dirt: bool = False
    one_cover: bool = False
    weighs: bool = False


_STACKS = """\
A bowl holds several blocks, side by side. A block put on a block that has one on it lands on top of the stack.
When a block is moved that has others on it, the arm first sets those aside on the table by itself."""

DOMAINS: dict[str, Domain] = {
    domain.name: domain
    for domain in (
        Domain("pick_and_place", f"The robot moves blocks on a table, onto each other and into bowls.\n{_STACKS}"),
        Domain(
            "disinfection",
            f"""\
The robot moves blocks of which some are dirty and some clean; that cannot be seen, only told or worked out.
A clean block that touches a dirty one, because it lies on it or under it, becomes dirty, and so does a whole stack.
Blocks next to each other do not touch, in a bowl neither. The table, the bowls and the gripper stay clean always.
Every block that is put into the disinfector becomes clean.
{_STACKS}""",
            dirt=True,
        ),
        Domain(
            "weight",
            f"""\
The robot moves blocks that look alike but differ in weight; how the weights compare is only told.
What a bowl holds weighs as much as the blocks in it together, with those stacked on them.
{_STACKS}""",
            weighs=True,
        ),
        Domain(
            "cups",
            """\
The robot moves cups and small things.
A cup that is put on a thing covers it: the thing is under the cup then, not to be seen, but still there.
A thing bears one cup or one other thing at a time. Nothing can be moved that has something on it or a cup over it.
What is in the way has to be put on an empty space first, the topmost first of all.""",
            one_cover=True,
        ),
    )
}


def above(state: WorldState, thing: str) -> tuple[str, ...]:
    """Everything that stands on a thing, directly or indirectly; topmost first."""
    under = supports(state)

    def climb(name: str, path: frozenset[str]) -> tuple[str, ...]:
        found: list[str] = []
        for other, support in under.items():
            if support == name and other not in path:
                found += [*climb(other, path | {other}), other]
        return tuple(found)

    return climb(thing, frozenset({thing}))


def top_of(state: WorldState, target: str) -> str:
    """Where a thing put on a target comes to rest: on top of its stack; a container is its own top."""
    if target in GROUND or is_container(target):
        return target
    return next(iter(above(state, target)), target)


def must_go_first(domain: Domain, state: WorldState, thing: str, target: str) -> Moves:
    """The moves that have to come before this one; none if the arm clears the way by itself."""
    if not domain.one_cover:
        return ()
    going = list(above(state, thing))
    if target not in GROUND and not is_container(target):
        on_target = above(state, target)
        if supports(state).get(thing) != target:
            going += [other for other in on_target if other not in going]
    return tuple((other, EMPTY) for other in going)


def after_put(domain: Domain, state: WorldState, thing: str, target: str) -> WorldState:
    """The state after a thing has been put on a target, with all consequences.

    What stood on the thing is on the table then; if a thing carries only one other, so is what stood on the target:
    a move that was carried out shows that the way was clear.
    """
    if thing == target:
        return state
    state = spread_dirt(state) if domain.dirt else state
    aside = [*above(state, thing), *(other for other, _ in must_go_first(domain, state, thing, target))]
    for other in aside:
        state = with_placed(state, other, EMPTY)
    state = with_placed(state, thing, EMPTY)
    state = with_placed(state, thing, top_of(state, target))
    return spread_dirt(state) if domain.dirt else state


def spread_dirt(state: WorldState) -> WorldState:
    """The state after dirt has spread from each dirty thing to everything it touches, and disinfected things are clean.

    Things touch if one lies on the other; things side by side in a container do not touch.
    """
    known = {*state.objects, *supports(state).values()}
    inside = {thing for box in known if noun(box) == CLEANER for thing in above(state, box)}
    clean = [thing for thing in sorted(inside) if state.attributes.get(thing, {}).get("clean") is not True]
    state = with_marked(state, clean, "clean") if clean else state
    touching = [pair for pair in supports(state).items() if not any(map(is_container, pair)) and not inside & {*pair}]
    dirty = {thing for thing, words in state.attributes.items() if words.get("dirty") is True}
    soiled: list[str] = []
    while new := [b for pair in touching for a, b in (pair, pair[::-1]) if a in dirty and b not in dirty]:
        dirty |= {*new}
        soiled += list(dict.fromkeys(new))
    return with_marked(state, soiled, "dirty") if soiled else state
