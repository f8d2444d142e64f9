"""How many of the expected steps a plan has right: the largest part of it that contradicts the expected order nowhere.

Steps that nobody expected are counted as extra; they cost nothing here, for whether they did harm the world shows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud_bench.itp.expected_steps import ExpectedSteps, close_order


@dataclass(frozen=True, slots=True)
class StepScore:
    """Right steps, all the expected steps, and steps that nobody expected."""

    right: int
    total: int
    extra: int


def score_steps(found: Sequence[str | None], gold: ExpectedSteps) -> StepScore:
    """Score a plan's keys (None: a step that is nothing known). Where one is said too often, its best place counts."""
    scores = [_score(found, gold, latest) for latest in (False, True)]
    return max(scores, key=lambda score: score.right)


def _score(found: Sequence[str | None], gold: ExpectedSteps, latest: bool) -> StepScore:
    chosen = _chosen(found, gold, latest)
    expected = _assigned(found, chosen, gold)
    before = _before(gold, expected)
    turned = {
        a: [b for b in chosen if a < b and (expected[b], expected[a]) in before] for a in chosen
    }  # said the wrong way round
    right = len(chosen) - _matching(turned)
    return StepScore(right, len(gold.keys), len(found) - len(chosen))


def _chosen(found: Sequence[str | None], gold: ExpectedSteps, latest: bool) -> list[int]:
    """The places in the plan that are held against an expected step; of a key, as many as are expected."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, key in enumerate(found):
        if key is not None:
            places[key].append(at)
    taken: list[int] = []
    for key, said in places.items():
        wanted = gold.keys.count(key)
        taken += (said[-wanted:] if latest else said[:wanted]) if wanted else []
    return sorted(taken)


def _assigned(found: Sequence[str | None], chosen: Sequence[int], gold: ExpectedSteps) -> dict[int, int]:
    """Which expected step each chosen one is: of the thing that is in hand, else the first of its kind."""
    open_places: dict[str, list[int]] = defaultdict(list)
    for place, key in enumerate(gold.keys):
        open_places[key].append(place)
    block_of = {place: block for block in gold.blocks for place in block}
    in_hand: tuple[int, ...] = gold.blocks[0] if gold.begun else ()
    expected = dict[int, int]()
    for at in chosen:
        places = open_places[str(found[at])]
        place = next((each for each in places if each in in_hand), places[0])
        places.remove(place)
        expected[at] = place
        in_hand = block_of.get(place, in_hand)
    return expected


def _before(gold: ExpectedSteps, expected: dict[int, int]) -> frozenset[tuple[int, int]]:
    """The pairs whose order matters, with the blocks in the order in which the plan has them."""
    if len(gold.blocks) < 2:
        return gold.before
    at = {place: where for where, place in expected.items()}

    def begins(block: tuple[int, ...]) -> float:
        return min((at[place] for place in block if place in at), default=float("inf"))

    fixed = gold.blocks[:1] if gold.begun else ()
    blocks = [*fixed, *sorted(gold.blocks[len(fixed) :], key=begins)]
    pairs = {(a, b) for i, one in enumerate(blocks) for other in blocks[i + 1 :] for a in one for b in other}
    return close_order({*gold.before, *pairs})


def _matching(edges: dict[int, list[int]]) -> int:
    """The size of a largest matching.

    `edges` join each step with the later ones that had to come before it. That is a partial order, so by Dilworth's
    theorem all the steps less this number are the most that stand in no such pair with each other.
    """
    partner = dict[int, int]()

    def found(one: int, tried: set[int]) -> bool:
        for other in edges[one]:
            if other not in tried:
                tried.add(other)
                if other not in partner or found(partner[other], tried):
                    partner[other] = one
                    return True
        return False

    return sum(found(one, set()) for one in edges)
