"""Queries about what things weigh. What is known is what was told: sums and comparisons go through `KnownWeights`."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from thinkaloud.state.edits import TABLE, with_fact
from thinkaloud.state.weights import KnownWeights, weight_fact
from thinkaloud_bench.statler.episodes import Query, QueryGoal, StatedRelation
from thinkaloud_bench.statler.generating import asking as common
from thinkaloud_bench.statler.generating import referring
from thinkaloud_bench.statler.generating.drafting import Intent, QueryDraft

RATIOS = {
    "same": Fraction(1),
    "twice": Fraction(2),
    "three times": Fraction(3),
    "four times": Fraction(4),
    "half": Fraction(1, 2),
    "third": Fraction(1, 3),
}
MOST_ACCEPTED = 12


def draw_weights(draft: QueryDraft) -> dict[str, int]:
    """A weight for each block, such that most of them are small multiples of others."""
    return {block: draft.rng.choice((1, 2, 2, 3, 4, 4, 6)) for block in draft.blocks}


def weight_openings(draft: QueryDraft, truth: dict[str, int]) -> list[tuple[Query, str]]:
    """Statements, each with the fact that it tells; all weights follow from them, or all but one block's."""
    order = draft.rng.sample(draft.blocks, len(draft.blocks))
    order = order[:-1] if len(order) > 4 and draft.chance(0.25) else order
    found: list[tuple[Query, str]] = []
    known = [order[0]]
    for block in order[1:]:
        found.append(_statement(draft, block, known, truth))
        known.append(block)
    head = found[0]
    rest = found[1:]
    draft.rng.shuffle(rest)
    return [head, *rest] if draft.chance(0.5) else found


def _statement(draft: QueryDraft, block: str, known: list[str], truth: dict[str, int]) -> tuple[Query, str]:
    """How a block compares with one that is known; its weight gives way where no simple words would fit."""
    sums = [pair for pair in combinations(known, 2) if truth[pair[0]] + truth[pair[1]] == truth[block]]
    if sums and draft.chance(0.35):
        y, z = draft.rng.choice(sums)
        names = {"x": draft.words.name(block), "y": draft.words.name(y), "z": draft.words.name(z)}
        return draft.tells(draft.words.statement("together", **names)), weight_fact(block, 1, (y, z))
    ways = [
        (intent, x, y)
        for other in known
        for x, y in ((block, other), (other, block))
        for intent, times in RATIOS.items()
        if truth[x] == truth[y] * times
    ]
    if not ways:
        other = draft.rng.choice(known)
        truth[block] = truth[other] * draft.rng.choice((1, 2, 2, 3))
        return _statement(draft, block, known, truth)
    intent, x, y = draft.rng.choice(ways)
    text = draft.words.statement(intent, x=draft.words.name(x), y=draft.words.name(y))
    return draft.tells(text), weight_fact(x, RATIOS[intent], y)


def tell(draft: QueryDraft, known: str) -> None:
    """Let a fact be known."""
    draft.state = with_fact(draft.state, known)


def goal(draft: QueryDraft) -> Query | None:
    """Blocks are to be put into an empty bowl, so that it weighs as much as, a multiple of or more than another."""
    weights = KnownWeights.of(draft.state)
    full = [bowl for bowl in draft.bowls if draft.inside(bowl) and draft.flat(draft.inside(bowl))]
    bare = [bowl for bowl in draft.bowls if not draft.inside(bowl)]
    if not full or not bare:
        return None
    like, target = draft.rng.choice(full), draft.rng.choice(bare)
    if not _one_unit(weights, draft.inside(like)):
        return None
    loose = [b for b in draft.outside() if draft.clear(b) and not draft.depth(b)]
    loose = [b for b in loose if _one_unit(weights, (b, *draft.inside(like)))]
    relation: StatedRelation = ">" if draft.chance(0.12) else "=="
    times = draft.rng.choice((1, 1, 1, 2, 3)) if relation == "==" else 1
    sets = [part for size in range(1, len(loose) + 1) for part in combinations(loose, size)]
    right = [part for part in sets if _met(weights, part, draft.inside(like), relation, Fraction(times))]
    if not right or (len(right[0]) == 1 and draft.chance(0.75)):  # more often a true sum
        return None
    x, y = draft.words.name(like), referring.bowl(draft, target)[0]
    intent = "goal more" if relation == ">" else "goal same" if times == 1 else "goal times"
    number = {2: draft.rng.choice(("twice", "two times", "double")), 3: "three times"}.get(times, "")
    text = draft.words.command(intent, target, x=x, y=y, n=number)
    moves = [tuple((block, target) for block in part) for part in right]
    aim = QueryGoal(target, relation, like, Fraction(times))
    return draft.does(text, moves[0], temporal=True, accept=moves[1:MOST_ACCEPTED], goal=aim)


def _one_unit(weights: KnownWeights, blocks: tuple[str, ...]) -> bool:
    return all(weights.ratio(block, blocks[0]) is not None for block in blocks)


def _met(
    weights: KnownWeights, part: tuple[str, ...], like: tuple[str, ...], relation: StatedRelation, times: Fraction
) -> bool:
    return weights.equal(part, like, times) if relation == "==" else weights.compare(part, like) == 1


def _ranked(draft: QueryDraft, blocks: list[str]) -> list[str] | None:
    """From light to heavy; None if that is not known, or two at an end weigh the same."""
    weights = KnownWeights.of(draft.state)
    if len(blocks) < 2 or not _one_unit(weights, tuple(blocks)):
        return None
    ratios = sorted((ratio, block) for block in blocks if (ratio := weights.ratio(block, blocks[0])) is not None)
    if ratios[0][0] == ratios[1][0] or ratios[-1][0] == ratios[-2][0]:
        return None
    return [block for _, block in ratios]


def extreme(draft: QueryDraft) -> Query | None:
    """Which of some blocks is the heaviest, or the lightest."""
    blocks = draft.some(draft.blocks, 2, 3)
    ranked = _ranked(draft, blocks)
    if not ranked:
        return None
    heavy = draft.chance(0.6)
    text = draft.words.question("which heaviest" if heavy else "which lightest", x=draft.words.several(blocks))
    return draft.asks(text, ranked[-1 if heavy else 0])


def put_extreme(draft: QueryDraft) -> Query | None:
    """The heaviest or the lightest of all blocks, somewhere."""
    ranked = _ranked(draft, draft.blocks)
    if not ranked:
        return None
    heavy = draft.chance(0.6)
    thing = ranked[-1 if heavy else 0]
    target = draft.one([box for box in (*draft.bowls, TABLE) if box != (draft.under(thing) or TABLE)])
    if not target or not draft.clear(thing):
        return None
    text = draft.words.command("put heaviest" if heavy else "put lightest", target, y=draft.words.where(target))
    return draft.does(text, [(thing, target)], temporal=True)


def compare(draft: QueryDraft) -> Query | None:
    """Whether one block is heavier than another, as heavy, or how many times as heavy."""
    x, y = draft.some(draft.blocks, 2, 2)
    ratio = KnownWeights.of(draft.state).ratio(x, y)
    if ratio is None:
        return None
    if ratio < 1 and draft.chance(0.5):
        x, y, ratio = y, x, 1 / ratio
    names = {"x": draft.words.name(x), "y": draft.words.name(y)}
    roll = draft.rng.random()
    if roll < 0.4:
        return draft.asks(draft.words.question("heavier", **names), common.yes(ratio > 1))
    if roll < 0.6 and (ratio == 1 or draft.chance(0.4)):
        return draft.asks(draft.words.question("same?", **names), common.yes(ratio == 1))
    if ratio.denominator != 1 or ratio == 1:
        return None
    return draft.asks(draft.words.question("how many times", **names), common.amount(draft, int(ratio)))


def compare_bowls(draft: QueryDraft) -> Query | None:
    """Whether one bowl holds more weight than another; both hold something."""
    full = [bowl for bowl in draft.bowls if draft.inside(bowl)]
    if len(full) < 2:
        return None
    x, y = draft.some(full, 2, 2)
    heavier = KnownWeights.of(draft.state).compare(draft.inside(x), draft.inside(y))
    if heavier is None:
        return None
    names = {"x": draft.words.name(x), "y": draft.words.name(y)}
    return draft.asks(draft.words.question("bowl heavier", **names), common.yes(heavier == 1))


WEIGHT_INTENTS: tuple[tuple[Intent, int], ...] = (
    (common.put, 30), (common.put_several, 6), (common.put_contents, 3), (goal, 3), (extreme, 6), (put_extreme, 4),
    (compare, 9), (compare_bowls, 4), (common.how_many_in, 2), (common.which, 2), (common.empty_bowl, 1),
)  # fmt: skip
WEIGHT_UNTOLD: tuple[tuple[Intent, int], ...] = ((common.put, 4), (common.put_several, 1))
"""What may come between the statements at the start."""
