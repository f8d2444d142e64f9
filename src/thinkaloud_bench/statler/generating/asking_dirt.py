"""Queries about what is dirty and what is clean."""

from __future__ import annotations

from thinkaloud.state.edits import TABLE
from thinkaloud_bench.statler.episodes import Happening, Query
from thinkaloud_bench.statler.generating import asking as common
from thinkaloud_bench.statler.generating.drafting import Intent, QueryDraft
from thinkaloud_worlds.tabletop.statler_rules import CLEANER


def dirt_openings(draft: QueryDraft) -> list[Query]:
    """Statements that tell of every block whether it is dirty; what they say is true."""
    dirty, clean = ([block for block in draft.blocks if draft.is_(block, word)] for word in ("dirty", "clean"))
    for group in (dirty, clean):
        draft.rng.shuffle(group)
    if not dirty:
        return [draft.tells(draft.words.statement("all clean"))]
    first, second = (("dirty", dirty), ("clean", clean)) if draft.chance(0.7) else (("clean", clean), ("dirty", dirty))
    if not first[1]:
        first, second = second, first
    told = [*_told(draft, *first)]
    if second[1]:
        told += [_others(draft, second[0])] if draft.chance(0.65) else _told(draft, *second)
    return told


def _told(draft: QueryDraft, word: str, blocks: list[str]) -> list[Query]:
    cut = draft.rng.randint(1, len(blocks)) if draft.chance(0.3) else len(blocks)
    return [
        draft.tells(draft.words.statement(f"are {word}", x=draft.words.several(part), be=_be(part)))
        for part in (blocks[:cut], blocks[cut:])
        if part
    ]


def _others(draft: QueryDraft, word: str) -> Query:
    return draft.tells(draft.words.statement(f"others {word}"))


def _be(things: list[str]) -> str:
    return "is" if len(things) == 1 else "are"


def _alone(draft: QueryDraft) -> list[str]:
    """Blocks that touch no other and are not being disinfected."""
    return [block for block in draft.blocks if not draft.stacked(block) and draft.under(block) != CLEANER]


def polluted(draft: QueryDraft) -> Query | None:
    """Somebody soiled blocks."""
    things = draft.some([block for block in _alone(draft) if draft.is_(block, "clean")], 1, 2)
    if not things:
        return None
    text = draft.words.statement("polluted", x=draft.words.several(things), be=_be(things))
    return draft.tells(text, Happening(dirty=tuple(things)))


def taken_out(draft: QueryDraft) -> Query | None:
    """Somebody took a block out of a bowl and dropped it where it became dirty."""
    block = draft.one([each for each in _alone(draft) if draft.under(each) in draft.bowls])
    if not block:
        return None
    text = draft.words.statement("taken out", x=draft.words.name(block), y=draft.words.name(draft.base(block)))
    return draft.tells(text, Happening(dirty=(block,), moves=((block, TABLE),)))


def made_clean(draft: QueryDraft) -> Query | None:
    """A person cleaned a block."""
    block = draft.one([each for each in _alone(draft) if draft.is_(each, "dirty")])
    if not block:
        return None
    text = draft.words.statement("cleaned", x=draft.words.name(block), be="is")
    return draft.tells(text, Happening(clean=(block,)))


def put_marked(draft: QueryDraft) -> Query | None:
    """All the dirty or all the clean blocks, somewhere."""
    word = draft.rng.choice(("dirty", "dirty", "clean"))
    things = [block for block in draft.blocks if draft.is_(block, word)]
    target = draft.one([*draft.bowls, *([CLEANER, CLEANER] if word == "dirty" else []), TABLE])
    if not things or not target or any(draft.depth(thing) and draft.base(thing) == target for thing in things):
        return None
    text = draft.words.command(f"put {word}", target, y=draft.words.where(target))
    return draft.group(text, things, target, temporal=True)


def disinfect(draft: QueryDraft) -> Query | None:
    """One or two blocks into the disinfector."""
    things = draft.some([b for b in draft.blocks if draft.clear(b) and draft.base(b) != CLEANER], 1, 2)
    if not things:
        return None
    intent = "put" if len(things) == 1 else "put several"
    text = draft.words.command(intent, CLEANER, x=draft.words.several(things), y=draft.words.name(CLEANER))
    return draft.does(text, [(thing, CLEANER) for thing in things], temporal=False)


def is_marked(draft: QueryDraft) -> Query | None:
    """Whether a block is dirty, or clean."""
    block, word = draft.rng.choice(draft.blocks), draft.rng.choice(("dirty", "clean"))
    text = draft.words.question(f"is {word}", x=draft.words.name(block))
    return draft.asks(text, common.yes(draft.is_(block, word)))


def which_marked(draft: QueryDraft) -> Query | None:
    """Which blocks are dirty, or clean, or how many."""
    word = draft.rng.choice(("dirty", "clean"))
    found = [block for block in draft.blocks if draft.is_(block, word)]
    if draft.chance(0.5):
        return draft.asks(draft.words.question(f"how many {word}"), common.amount(draft, len(found)))
    return draft.asks(draft.words.question(f"which {word}"), common.join_answers(found))


DIRT_INTENTS: tuple[tuple[Intent, int], ...] = (
    (common.put, 30), (common.put_several, 6), (disinfect, 9), (common.put_contents, 4), (polluted, 7), (taken_out, 7),
    (made_clean, 4), (put_marked, 12), (is_marked, 6), (which_marked, 6), (common.how_many_in, 2), (common.is_in, 1),
)  # fmt: skip
"""What may be asked once everything has been told."""
DIRT_UNTOLD: tuple[tuple[Intent, int], ...] = ((common.put, 4), (common.put_several, 1), (common.empty_bowl, 1))
"""What may come between the statements at the start."""
