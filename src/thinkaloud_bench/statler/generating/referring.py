"""What a block or a bowl is called: by its name, or by what is true of it alone at that moment."""

from __future__ import annotations

from thinkaloud.state.edits import TABLE, is_container
from thinkaloud_bench.statler.generating.drafting import QueryDraft


def block(draft: QueryDraft, name: str, share: float = 0.35) -> tuple[str, bool]:
    """How a block is called, and whether one has to remember something to know which it is."""
    ways = _described(draft, name)
    if ways and draft.chance(share):
        return draft.rng.choice(ways), True
    return draft.words.name(name), False


def _described(draft: QueryDraft, name: str) -> list[str]:
    """Descriptions that fit this block and no other."""
    ways = []
    below, on_it = draft.under(name), draft.on(name)
    if below is not None and is_container(below) and len(draft.inside(below)) == 1:
        ways += [f"the block in the {below}", f"the block that is in the {below}", f"the only block in the {below}"]
    if below is not None and not is_container(below) and draft.clear(name) and draft.depth(name) == 1:
        ways += [f"the block on the {below}", f"the block on top of the {below}", f"the block that is on the {below}"]
    if len(on_it) == 1 and draft.depth(name) == 0 and draft.clear(on_it[0]):
        ways += [f"the block under the {on_it[0]}", f"the block right below the {on_it[0]}"]
    if draft.last == (name,):
        ways += ["the block you just moved", "the block you moved last", "the last block you moved"]
    outside = draft.outside()
    if outside == [name]:
        ways += ["the only block that is not in a bowl", "the block that isn't in a bowl"] if _no_box(draft) else []
    if draft.domain.dirt and draft.told >= set(draft.blocks):
        for word in ("dirty", "clean"):
            if [each for each in draft.blocks if draft.is_(each, word)] == [name]:
                ways += [f"the {word} block", f"the only {word} block"]
    return ways


def bowl(draft: QueryDraft, name: str, share: float = 0.3) -> tuple[str, bool]:
    """How a bowl is called, and whether one has to remember something to know which it is."""
    if name not in draft.bowls or not draft.chance(share):
        return draft.words.where(name), False
    empty = [each for each in draft.bowls if not draft.inside(each)]
    ways = []
    if empty == [name]:
        ways += ["the empty bowl", "the bowl that is empty", "the empty bowl"]
    held = draft.on(name)
    if len(held) == 1:
        ways += [f"the bowl with the {held[0]}", f"the bowl that the {held[0]} is in", f"the {held[0]}'s bowl"]
    return (draft.rng.choice(ways), True) if ways else (draft.words.where(name), False)


def _no_box(draft: QueryDraft) -> bool:
    """Whether all containers are bowls, or none of the others holds anything."""
    return not any(draft.inside(box) for box in draft.boxes if box not in draft.bowls)


def targets(draft: QueryDraft, thing: str) -> list[str]:
    """Where a thing can be put so that there is no doubt about what that means: clear blocks, containers, the table."""
    here = draft.under(thing) or TABLE
    found = [*draft.boxes, *draft.boxes]
    if draft.domain.dirt and not draft.told >= set(draft.blocks):  # who touches what is not known to be clean?
        return [each for each in (*found, TABLE) if each != here]
    found += [each for each in draft.blocks if each != thing and draft.clear(each) and draft.depth(each) < 3]
    if draft.domain.dirt:  # on a block that is being disinfected: disinfected too, or not?
        found = [each for each in found if is_container(each) or draft.base(each) in (TABLE, *draft.bowls)]
    return [each for each in (*found, TABLE) if each != here and draft.base(each) != thing]
