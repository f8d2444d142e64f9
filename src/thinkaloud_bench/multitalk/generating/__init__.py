"""Episodes from a seed: a scene, a wish that fits it, and words for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from thinkaloud_bench.multitalk.episodes import TalkEpisode
from thinkaloud_bench.multitalk.generating import harder, paper, wishes
from thinkaloud_bench.multitalk.generating.open import ambiguous, tagged
from thinkaloud_bench.multitalk.generating.phrasings import PURPOSES
from thinkaloud_bench.multitalk.generating.table import (
    COMPACT_KINDS,
    RECEPTACLE_KINDS,
    DrawnTable,
    Full,
    TableDraft,
    draw_kinds,
    for_purpose,
)

_INFEASIBLE = "infeasible"
_SCENES = 200
"""So many scenes are drawn until one has room for the wish."""
_Maker = Callable[[Random, DrawnTable], TableDraft]


def _clear(rng: Random, table: DrawnTable) -> TableDraft:
    """A wish that leaves nothing open, in a scene where nothing is in the way."""
    how = rng.choice(
        ("at", "at", "at", "two", "two", "swap", "swap", "line", "line", "within", "near", "region", "tag")
    )
    if how == "line":
        table.put(draw_kinds(rng, rng.randint(3, 4), COMPACT_KINDS))
        return wishes.in_line(rng, table)
    if how == "within":
        table.put([*draw_kinds(rng, rng.randint(2, 3)), rng.choice(RECEPTACLE_KINDS)])
        return wishes.within(rng, table)
    if how == "tag":
        tag = rng.choice([*PURPOSES])
        table.put(for_purpose(rng, tag, 1, rng.randint(2, 4)))
        return wishes.at_point(rng, table, tagged(table, tag)[0], rng.choice(PURPOSES[tag]))
    kinds = draw_kinds(rng, rng.randint(3, 5))
    table.put([*kinds, kinds[0]] if rng.random() < 0.4 else kinds)
    makers: Mapping[str, _Maker] = {
        "at": wishes.at_point,
        "two": wishes.at_two,
        "swap": wishes.swap,
        "near": wishes.near,
        "region": wishes.region,
    }
    return makers[how](rng, table)


MAKERS: Mapping[str, _Maker] = {
    "something_to_eat": paper.something_to_eat,
    "soup_can": paper.certain_thing,
    "interchange_two": paper.interchange_two,
    "interchange_pairs": paper.interchange_pairs,
    "straight_line": paper.straight_line,
    "not_there_at_first": paper.not_there_at_first,
    "clear": _clear,
    "ambiguous": ambiguous,
    "blocked": harder.blocked,
    "hidden": harder.hidden,
    _INFEASIBLE: harder.infeasible,
}


def draw_request(task: str, seed: int, index: int = 1) -> TalkEpisode:
    """The episode of a seed; the first of the paper's tasks is the supplement's own."""
    table, draft = _drawn(task, seed, index)
    return TalkEpisode(
        f"{task} {index}",
        task,
        draft.request,
        table.scene(draft.late),
        seed,
        draft.preferences,
        draft.needed,
        draft.goal,
        feasible=task != _INFEASIBLE,
        why=draft.why,
    )


def _drawn(task: str, seed: int, index: int) -> tuple[DrawnTable, TableDraft]:
    if index == 0 and task in paper.SUPPLEMENT:
        table = DrawnTable(Random(seed))
        return table, paper.supplement(task, table)
    for attempt in range(_SCENES):
        rng = Random(f"{task} {seed} {attempt}")
        table = DrawnTable(rng)
        try:
            draft = MAKERS[task](rng, table)
        except Full:
            continue
        if table.seen_as_meant(draft):
            return table, draft
    raise AssertionError(f"no scene for {task} {seed}")  # pragma: no cover
