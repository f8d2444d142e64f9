"""Episodes drawn from a seed: 5 to 16 queries, at least one of which needs memory. The same seed, the same episode.

episode = generate("disinfection", 7)
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from thinkaloud.errors import UnknownName
from thinkaloud.records import WorldState
from thinkaloud.state.edits import with_marked, with_placed
from thinkaloud_bench.statler.episodes import Query, QueryEpisode, StartTruth
from thinkaloud_bench.statler.generating import asking, asking_cups, asking_dirt, asking_weight
from thinkaloud_bench.statler.generating.drafting import Intent, QueryDraft
from thinkaloud_bench.statler.generating.wording import QueryWording
from thinkaloud_bench.statler.vocabulary import DRAWN_COLOURS
from thinkaloud_worlds.tabletop.statler_rules import CLEANER, DOMAINS

_LEAST, _MOST = 5, 16
_TOYS = ("rubik's cube", "toy wheel", "tennis ball", "toy car", "wooden cylinder")
_TRIES = 400

_Intents = Sequence[tuple[Intent, int]]


def draw_queries(domain: str, seed: int) -> QueryEpisode:
    """The episode of a seed."""
    return draw_with_templates(domain, seed)[0]


def draw_with_templates(domain: str, seed: int) -> tuple[QueryEpisode, tuple[str, ...]]:
    """The episode of a seed, and the templates that its queries were made of."""
    if domain not in DOMAINS:
        raise UnknownName("domain", domain, DOMAINS)
    for attempt in range(_TRIES):
        rng = random.Random(f"{domain} {seed} {attempt}")
        draft = QueryDraft(DOMAINS[domain], _things(domain, rng), rng, QueryWording(rng))
        initial, truth = _play(draft)
        if len(draft.queries) >= _LEAST and any(query.temporal for query in draft.queries) and _about(draft, seed):
            episode = QueryEpisode(f"{domain}-{seed}", domain, initial, tuple(draft.queries), truth)
            return episode, tuple(draft.words.used)
    raise RuntimeError(f"No episode of {domain} came of the seed {seed}.")  # pragma: no cover


def _about(draft: QueryDraft, seed: int) -> bool:
    """Whether something is asked that the domain is about; of five episodes about weights four have a sum to match."""
    if draft.domain.name == "weight" and seed % 5:
        return "goal" in draft.kinds
    wanted = {
        "disinfection": {"put_marked", "which_marked", "is_marked"},
        "weight": {"extreme", "put_extreme", "compare"},
    }
    return not wanted.get(draft.domain.name) or bool(wanted[draft.domain.name] & {*draft.kinds})


def _things(domain: str, rng: random.Random) -> WorldState:
    """What there is: things of different colours, the bowls' drawn apart from the blocks'."""
    hues = rng.sample(DRAWN_COLOURS, rng.randint(4, 6))
    boxes = rng.sample(DRAWN_COLOURS, rng.randint(2, 3))
    if domain == "cups":
        toys = rng.sample(_TOYS, rng.randint(0, 2))
        return WorldState((*toys, *(f"{hue} block" for hue in hues[len(toys) :]), *(f"{hue} cup" for hue in boxes)))
    blocks, bowls = (f"{hue} block" for hue in hues), (f"{hue} bowl" for hue in boxes)
    return WorldState((*blocks, *bowls, *([CLEANER] if domain == "disinfection" else [])))


def _play(draft: QueryDraft) -> tuple[WorldState, StartTruth | None]:
    """Fill a draft with queries; the state at the start as it is shown, and what is true then besides."""
    length = draft.rng.randint(_LEAST, _MOST)
    if draft.domain.name in ("pick_and_place", "weight") and draft.chance(0.25):
        draft.state = _mixed(draft)
    initial = draft.state
    if draft.domain.name == "disinfection":
        dirty = tuple(draft.some(draft.blocks, 1, len(draft.blocks) - 1)) if draft.chance(0.93) else ()
        clean = tuple(block for block in draft.blocks if block not in dirty)
        draft.state = with_marked(with_marked(draft.state, dirty, "dirty"), clean, "clean")
        _tell(draft, asking_dirt.dirt_openings(draft), asking_dirt.DIRT_UNTOLD, 0.15)
        draft.told |= set(draft.blocks)
        _fill(draft, asking_dirt.DIRT_INTENTS, length, asking_dirt.put_marked)
        return initial, StartTruth(dirty, clean)
    if draft.domain.name == "weight":
        weights = asking_weight.draw_weights(draft)
        facts = asking_weight.weight_openings(draft, weights)
        for query, fact in facts:
            _tell(draft, [query], asking_weight.WEIGHT_UNTOLD, 0.3)
            asking_weight.tell(draft, fact)
        _fill(draft, asking_weight.WEIGHT_INTENTS, max(length, len(draft.queries) + 2), asking_weight.goal)
        return initial, StartTruth(weights=weights)
    intents = asking_cups.CUP_INTENTS if draft.domain.one_cover else asking.TABLE_INTENTS
    _fill(draft, intents, length, asking_cups.what_under if draft.domain.one_cover else asking.colour_beside)
    return initial, None


def _mixed(draft: QueryDraft) -> WorldState:
    """Some blocks in bowls or on others from the start."""
    state, blocks = draft.state, draft.blocks
    for thing in draft.rng.sample(blocks, draft.rng.randint(1, 2)):
        bases = [*draft.bowls, *(each for each in blocks if each != thing and draft.clear(each))]
        state = with_placed(state, thing, draft.rng.choice(bases))
        draft.state = state
        blocks = [block for block in blocks if block != thing]
    return state


def _tell(draft: QueryDraft, statements: Iterable[Query], between: _Intents, share: float) -> None:
    for statement in statements:
        if draft.chance(share):
            _next(draft, between)
        draft.add(statement)


def _fill(draft: QueryDraft, intents: _Intents, length: int, final: Intent) -> None:
    """Queries until there are enough; the last one is of the kind that the domain is about, if that is possible."""
    for _ in range(_TRIES):
        if len(draft.queries) >= min(length, _MOST) or draft.closed:
            return
        if len(draft.queries) == min(length, _MOST) - 1 and _next(draft, [(final, 1)]):
            return
        _next(draft, intents)


def _next(draft: QueryDraft, intents: _Intents) -> bool:
    """One more query, if the intent that is drawn is possible now."""
    before = draft.kinds[-1:] if draft.queries and draft.queries[-1].say is not None else []
    (intent,) = draft.rng.choices([each for each, _ in intents], [weight for _, weight in intents])
    tried = len(draft.words.used)
    query = intent(draft)
    again = query is not None and query.say is not None and before == [intent.__name__]
    if query is None or again or not _new(draft, query) or (query.goal and len(draft.queries) + 1 < _LEAST):
        del draft.words.used[tried:]
        return False
    draft.add(query)
    draft.kinds.append(intent.__name__)
    return True


def _new(draft: QueryDraft, query: Query) -> bool:
    """Whether a query is no repetition of one of the last three."""
    return all(query.text.lower().rstrip(".?") != each.text.lower().rstrip(".?") for each in draft.queries[-3:])
