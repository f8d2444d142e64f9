"""Queries that every domain with blocks and bowls has: moves by name, by description, in groups; where things are."""

from __future__ import annotations

from thinkaloud.state.edits import TABLE, is_container
from thinkaloud_bench.statler.episodes import Query
from thinkaloud_bench.statler.generating import referring
from thinkaloud_bench.statler.generating.drafting import Intent, QueryDraft
from thinkaloud_bench.statler.vocabulary import NUMBER_VALUES


def _free(draft: QueryDraft) -> list[str]:
    return [block for block in draft.blocks if draft.clear(block)]


def put(draft: QueryDraft) -> Query | None:
    """One block, somewhere."""
    thing = draft.one(_free(draft))
    target = draft.one(referring.targets(draft, thing)) if thing else None
    if not thing or not target:
        return None
    x, vague = referring.block(draft, thing)
    if target in draft.blocks:
        y, vaguer = referring.block(draft, target, 0.25)
        if y == x or thing in y:
            y, vaguer = draft.words.name(target), False
    else:
        y, vaguer = referring.bowl(draft, target)
        y, vaguer = (draft.words.where(target), False) if thing in y else (y, vaguer)
    if target in x:
        x, vague = draft.words.name(thing), False
    return draft.does(draft.words.command("put", target, x=x, y=y), [(thing, target)], temporal=vague or vaguer)


def put_several(draft: QueryDraft) -> Query | None:
    """Two or three blocks by name into a bowl or on the table."""
    target = draft.one([*draft.boxes, TABLE])
    movable = [block for block in _free(draft) if (draft.under(block) or TABLE) != target]
    things = draft.some(movable, 2, 3)
    if not target or len(things) < 2:
        return None
    y, vague = referring.bowl(draft, target)
    if any(thing in y for thing in things):
        y, vague = draft.words.where(target), False
    text = draft.words.command("put several", target, x=draft.words.several(things), y=y)
    return draft.does(text, [(thing, target) for thing in things], temporal=vague)


def put_all(draft: QueryDraft) -> Query | None:
    """All the blocks into a bowl or on the table."""
    target = draft.one([*draft.bowls, TABLE])
    if not target or (target != TABLE and not draft.flat(draft.blocks)):
        return None
    text = draft.words.command("put all", target, y=draft.words.where(target))
    known = not any(draft.under(block) for block in draft.blocks)
    return draft.group(text, draft.blocks, target, temporal=not known)


def put_others(draft: QueryDraft) -> Query | None:
    """All but one block: the one that was moved by the query before, or one that is named."""
    target = draft.one([*draft.bowls, TABLE])
    if not target or not draft.flat(draft.blocks):
        return None
    if len(draft.last) == 1 and draft.queries and draft.queries[-1].actions and draft.last[0] in draft.queries[-1].text:
        kept, intent = draft.last[0], "put others"
    else:
        kept, intent = draft.rng.choice(draft.blocks), "put except"
    others = [block for block in draft.blocks if block != kept]
    text = draft.words.command(intent, target, x=draft.words.name(kept), y=draft.words.where(target))
    return draft.group(text, others, target, temporal=intent == "put others" or any(map(draft.under, others)))


def put_contents(draft: QueryDraft) -> Query | None:
    """Everything from one bowl into another or on the table."""
    source = draft.one([box for box in draft.boxes if draft.inside(box)])
    if not source or not draft.flat(draft.inside(source)):
        return None
    target = draft.rng.choice([box for box in (*draft.boxes, TABLE) if box != source])
    y, _ = referring.bowl(draft, target)
    if len(draft.bowls) == 2 and source in draft.bowls and target in draft.bowls and draft.chance(0.4):
        y = "the other bowl"
    text = draft.words.command("put contents", target, x=draft.words.name(source), y=y)
    return draft.group(text, draft.inside(source), target, temporal=True)


def put_outside(draft: QueryDraft) -> Query | None:
    """All blocks that are in no bowl into one."""
    loose, target = draft.outside(), draft.one(draft.bowls)
    if not target or not loose or not draft.flat(draft.blocks) or set(draft.boxes) != set(draft.bowls):
        return None
    text = draft.words.command("put outside", target, y=draft.words.where(target))
    return draft.group(text, loose, target, temporal=True)


def colour_beside(draft: QueryDraft) -> Query | None:
    """The colour of the block under or above another."""
    pairs = [
        (name, below) for name in draft.blocks if (below := draft.under(name)) is not None and not is_container(below)
    ]
    if not pairs:
        return None
    upper, lower = draft.rng.choice(pairs)
    if draft.chance(0.5):
        return draft.asks(draft.words.question("colour under", x=draft.words.name(upper)), colour(lower))
    return draft.asks(draft.words.question("colour above", x=draft.words.name(lower)), colour(upper))


def how_many_in(draft: QueryDraft) -> Query | None:
    """How many blocks a bowl holds; none of them on another, which people count differently."""
    full = [box for box in draft.boxes if draft.inside(box)]
    box = draft.one(full if full and draft.chance(0.75) else draft.boxes)
    if not box or not draft.flat(draft.inside(box)):
        return None
    return draft.asks(
        draft.words.question("how many in", y=draft.words.name(box)), amount(draft, len(draft.inside(box)))
    )


def higher(draft: QueryDraft) -> Query | None:
    """Whether one block is higher than another, where bowls make no difference."""
    x, y = draft.some(draft.blocks, 2, 2)
    if draft.depth(x) == draft.depth(y) and (draft.base(x) == TABLE) != (draft.base(y) == TABLE):
        return None
    if not draft.depth(x) and not draft.depth(y) and draft.chance(0.8):
        return None
    text = draft.words.question("higher", x=draft.words.name(x), y=draft.words.name(y))
    return draft.asks(text, yes(draft.depth(x) > draft.depth(y)))


def right_above(draft: QueryDraft) -> Query | None:
    """Whether one block is directly on another; not asked where others are between them."""
    pairs = [(name, draft.under(name)) for name in draft.blocks if draft.under(name) in draft.blocks]
    x, y = draft.rng.choice(pairs) if pairs and draft.chance(0.6) else draft.some(draft.blocks, 2, 2)
    if not y or (draft.depth(x) > draft.depth(y) + 1 and draft.base(x) == draft.base(y)):
        return None
    text = draft.words.question("right above", x=draft.words.name(x), y=draft.words.name(y))
    return draft.asks(text, yes(draft.under(x) == y))


def is_in(draft: QueryDraft) -> Query | None:
    """Whether a block is in a bowl."""
    x, box = draft.one(draft.blocks), draft.one(draft.boxes)
    if not x or not box or (draft.base(x) == TABLE and draft.chance(0.6)) or draft.depth(x):
        return None
    text = draft.words.question("is in", y=draft.words.name(box), x=draft.words.name(x))
    return draft.asks(text, yes(draft.base(x) == box))


def empty_bowl(draft: QueryDraft) -> Query | None:
    """Which bowl is empty, or whether one is."""
    bare = [bowl for bowl in draft.bowls if not draft.inside(bowl)]
    if len(bare) == 1 and len(draft.bowls) > 1 and draft.chance(0.5):
        return draft.asks(draft.words.question("which empty"), bare[0])
    bowl = draft.rng.choice(draft.bowls)
    return draft.asks(draft.words.question("is empty", y=draft.words.name(bowl)), yes(bowl in bare))


def where(draft: QueryDraft) -> Query | None:
    """Where a block is; not asked where two answers would be right."""
    x = draft.one([block for block in draft.blocks if draft.under(block) is not None or draft.chance(0.2)])
    if not x or (draft.depth(x) and draft.base(x) != TABLE) or draft.depth(x) > 1:
        return None
    below = draft.under(x) or TABLE
    say = f"{'in' if is_container(below) else 'on'} the {below}"
    return draft.asks(draft.words.question("where", x=draft.words.name(x)), say)


def which(draft: QueryDraft) -> Query | None:
    """Which blocks are somewhere, or how many are in no bowl."""
    roll = draft.rng.random()
    outside = draft.outside()
    if roll < 0.4:
        box = draft.rng.choice(draft.boxes)
        held = draft.inside(box)
        if not held or not draft.flat(held):
            return None
        return draft.asks(draft.words.question("which in", y=draft.words.name(box)), join_answers(held))
    if set(draft.boxes) != set(draft.bowls) or not draft.flat(draft.blocks):
        return None
    if roll < 0.55:
        found = [block for block in draft.blocks if draft.under(block) is None]
        return draft.asks(draft.words.question("which on table"), join_answers(found)) if found else None
    if roll < 0.75:
        return draft.asks(draft.words.question("how many outside"), amount(draft, len(outside)))
    return draft.asks(draft.words.question("which outside"), join_answers(outside)) if outside else None


def last_moved(draft: QueryDraft) -> Query | None:
    """What the robot moved last."""
    return draft.asks(draft.words.question("last moved"), draft.last[0]) if len(draft.last) == 1 else None


def colour(name: str) -> str:
    """The colour in a name."""
    return name.rpartition(" ")[0]


def yes(so: bool) -> str:
    """Yes or no."""
    return "yes" if so else "no"


def amount(draft: QueryDraft, number: int) -> str:
    """A number, in digits or as a word."""
    words = {int(value): word for word, value in list(NUMBER_VALUES.items())[:21]}
    return str(number) if draft.chance(0.7) else words[number]


def join_answers(names: tuple[str, ...] | list[str]) -> str:
    """Several names as an answer, or that there are none."""
    if not names:
        return "none"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


TABLE_INTENTS: tuple[tuple[Intent, int], ...] = (
    (put, 30), (put_several, 5), (put_all, 2), (put_others, 3), (put_contents, 5), (put_outside, 4), (colour_beside, 8),
    (how_many_in, 5), (higher, 5), (right_above, 5), (is_in, 4), (empty_bowl, 5), (where, 5), (which, 7),
    (last_moved, 2),
)  # fmt: skip
