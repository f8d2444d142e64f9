"""Queries about cups and what is under them; what is in the way goes first."""

from __future__ import annotations

from thinkaloud.state.edits import TABLE, is_cover
from thinkaloud_bench.statler.episodes import Query
from thinkaloud_bench.statler.generating import asking as common
from thinkaloud_bench.statler.generating.drafting import Intent, QueryDraft
from thinkaloud_worlds.tabletop.statler_rules import EMPTY


def _covered(draft: QueryDraft) -> dict[str, str]:
    """What is directly under a cup, and under which."""
    return {thing: cup for cup in draft.cups if (thing := draft.under(cup)) is not None}


def _over(draft: QueryDraft, thing: str) -> list[str]:
    """All that is over a thing, one upon another."""
    return [name for other in draft.on(thing) for name in (other, *_over(draft, other))]


def cover(draft: QueryDraft) -> Query | None:
    """A cup over a thing that it is not over yet."""
    cup = draft.rng.choice(draft.cups)
    thing = draft.one([each for each in draft.blocks if draft.under(cup) is None or cup not in _over(draft, each)])
    if not thing:
        return None
    text = draft.words.command("cover", thing, x=draft.words.name(cup), y=draft.words.name(thing))
    return draft.does(text, [(cup, thing)], temporal=False)


def put_on_thing(draft: QueryDraft) -> Query | None:
    """A thing on another, or on the table; cups over them go first."""
    thing = draft.rng.choice(draft.blocks)
    here = draft.under(thing)
    targets = [each for each in draft.blocks if each not in (thing, here) and not _tangled(draft, thing, each)]
    targets += [TABLE] if here is not None else []
    target = draft.one(targets)
    if not target:
        return None
    text = draft.words.command("put", target, x=draft.words.name(thing), y=draft.words.where(target))
    return draft.does(text, [(thing, target)], temporal=False)


def _tangled(draft: QueryDraft, thing: str, target: str) -> bool:
    """Whether two things are in one pile."""
    return target in _over(draft, thing) or thing in _over(draft, target)


def uncover(draft: QueryDraft) -> Query | None:
    """The cup off a thing."""
    covered = _covered(draft)
    thing = draft.one(list(covered))
    if not thing:
        return None
    text = draft.words.command("uncover", x=draft.words.name(thing))
    return draft.does(text, [(covered[thing], EMPTY)], temporal=True)


def cup_of(draft: QueryDraft) -> Query | None:
    """The cup over one thing, put over another or aside."""
    covered = _covered(draft)
    thing = draft.one(list(covered))
    if not thing:
        return None
    x = draft.words.name(thing)
    target = draft.one([each for each in draft.blocks if covered[thing] not in _over(draft, each)])
    if not target or draft.chance(0.25):
        return draft.does(draft.words.command("cup aside", x=x), [(covered[thing], EMPTY)], temporal=True)
    text = draft.words.command("cup of", target, x=x, y=draft.words.name(target))
    return draft.does(text, [(covered[thing], target)], temporal=True)


def hidden_to(draft: QueryDraft) -> Query | None:
    """What is under a cup, onto something else."""
    covered = {thing: cup for thing, cup in _covered(draft).items() if draft.under(thing) is None}
    thing = draft.one(list(covered))
    target = draft.one([each for each in draft.blocks if thing and each != thing and not _tangled(draft, thing, each)])
    if not thing or not target:
        return None
    text = draft.words.command("hidden to", target, x=draft.words.name(covered[thing]), y=draft.words.name(target))
    return draft.does(text, [(thing, target)], temporal=True)


def which_cup(draft: QueryDraft) -> Query | None:
    """Which cup is over a thing, or whether one is."""
    covered = _covered(draft)
    thing = draft.one(list(covered))
    if thing and draft.chance(0.5):
        return draft.asks(draft.words.question("which cup", x=draft.words.name(thing)), covered[thing])
    thing = draft.rng.choice([*covered] if covered and draft.chance(0.6) else draft.blocks)
    if any(map(is_cover, _over(draft, thing))) and thing not in covered:
        return None
    if draft.chance(0.5):
        text = draft.words.question("is covered", x=draft.words.name(thing))
        return draft.asks(text, common.yes(thing in covered))
    cup = covered[thing] if thing in covered and draft.chance(0.6) else draft.rng.choice(draft.cups)
    text = draft.words.question("is under", y=draft.words.name(cup), x=draft.words.name(thing))
    return draft.asks(text, common.yes(covered.get(thing) == cup))


def what_under(draft: QueryDraft) -> Query | None:
    """What is under a cup, or whether anything is."""
    over = [cup for cup in draft.cups if draft.under(cup) is not None]
    cup = draft.rng.choice(over if over and draft.chance(0.7) else draft.cups)
    thing = draft.under(cup)
    if thing is not None and draft.under(thing) is not None:
        return None
    x = draft.words.name(cup)
    if draft.chance(0.4):
        return draft.asks(draft.words.question("anything under", x=x), common.yes(thing is not None))
    return draft.asks(draft.words.question("what under", x=x), thing or "nothing")


def where_is_it(draft: QueryDraft) -> Query | None:
    """Where a thing is; not asked where two answers would be right."""
    covered = _covered(draft)
    thing = draft.rng.choice(draft.blocks)
    below, over = draft.under(thing), _over(draft, thing)
    if (below is None) == (thing not in covered) or (over and thing not in covered) or _deep(draft, below):
        return None
    say = f"under the {covered[thing]}" if thing in covered else f"on the {below}"
    return draft.asks(draft.words.question("where hidden", x=draft.words.name(thing)), say)


def _deep(draft: QueryDraft, below: str | None) -> bool:
    return below is not None and draft.under(below) is not None


def covered(draft: QueryDraft) -> Query | None:
    """How many things are under a cup, or which; not asked where a cup is over a pile."""
    found = _covered(draft)
    if any(draft.under(thing) is not None for thing in found):
        return None
    roll = draft.rng.random()
    if roll < 0.5:
        return draft.asks(draft.words.question("how many covered"), common.amount(draft, len(found)))
    if roll < 0.8:
        return draft.asks(draft.words.question("which covered"), common.join_answers(list(found)))
    free = len(draft.cups) - len(found)
    return draft.asks(draft.words.question("how many free"), common.amount(draft, free))


def on_what(draft: QueryDraft) -> Query | None:
    """What is on a thing."""
    pairs = [(draft.under(thing), thing) for thing in draft.blocks if draft.under(thing) and draft.clear(thing)]
    if not pairs:
        return None
    below, thing = draft.rng.choice(pairs)
    return draft.asks(draft.words.question("on what", x=f"the {below}"), thing)


CUP_INTENTS: tuple[tuple[Intent, int], ...] = (
    (cover, 26), (put_on_thing, 16), (uncover, 7), (cup_of, 8), (hidden_to, 7), (which_cup, 8), (what_under, 8),
    (where_is_it, 5),
    (covered, 5), (on_what, 4),
)  # fmt: skip
