"""The tasks of MultiTalk's supplement: its own scenes first, then others of the same kind, drawn from the seed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from thinkaloud_bench.multitalk.episodes import AXES, At, AtRest, Lined, Swapped, TalkGoal, Topic
from thinkaloud_bench.multitalk.generating import phrasings as say
from thinkaloud_bench.multitalk.generating.open import give, line_up, something, two_pairs, two_things
from thinkaloud_bench.multitalk.generating.table import (
    COMPACT_KINDS,
    DrawnTable,
    Full,
    PlacedThing,
    TableDraft,
    draw_kinds,
    for_purpose,
)
from thinkaloud_bench.multitalk.generating.wishes import at_point, swap

_MUSTARD, _SOUP = "mustard bottle", "soup can"
_FOUR = (
    PlacedThing("mustard bottle 1", _MUSTARD, 0.32, -0.33),
    PlacedThing("mustard bottle 2", _MUSTARD, 0.35, 0.35),
    PlacedThing("soup can 1", _SOUP, 0.38, -0.51),
    PlacedThing("soup can 2", _SOUP, 0.40, 0.51),
)
"""Figures 2 to 4."""
_FIRST = (PlacedThing(_MUSTARD, _MUSTARD, 0.32, -0.33), PlacedThing(_SOUP, _SOUP, 0.30, 0.40))
"""Figure 1; where its mustard bottle stands is not said."""


def supplement(task: str, table: DrawnTable) -> TableDraft:
    """The supplement's own episode of a task."""
    things, draft = SUPPLEMENT[task]
    for each in things:
        table.add(each)
    return draft


def _moved(request: str, x: float, y: float, *needed: Topic, late: tuple[str, ...] = ()) -> TableDraft:
    wishes: dict[Topic, str] = {"object": "The soup can.", "place": f"({x:.2f}, {y:.2f})."}
    return TableDraft(request, (At((_SOUP,), x, y), AtRest()), wishes, needed, late=late)


_PAIRS: tuple[TalkGoal, ...] = (
    Swapped("mustard bottle 1", "mustard bottle 2"),
    Swapped("soup can 1", "soup can 2"),
    AtRest(),
)
SUPPLEMENT: dict[str, tuple[tuple[PlacedThing, ...], TableDraft]] = {
    "something_to_eat": (_FIRST, _moved("Give me something to eat", 0.40, 0.45, "object", "place")),
    "soup_can": (
        (PlacedThing(_MUSTARD, _MUSTARD, 0.32, -0.10), PlacedThing(_SOUP, _SOUP, 0.397, 0.27)),
        _moved("Give me the soup can", 0.30, -0.30, "place"),
    ),
    "interchange_two": (
        (PlacedThing(_MUSTARD, _MUSTARD, 0.37, -0.342), PlacedThing(_SOUP, _SOUP, 0.335, 0.328)),
        TableDraft(
            "Interchange the object locations in the scene",
            (Swapped(_MUSTARD, _SOUP), AtRest()),
            {"pairs": "The mustard bottle with the soup can."},
        ),
    ),
    "interchange_pairs": (
        _FOUR,
        TableDraft(
            "Interchange the locations of two pairs of objects on the table",
            _PAIRS,
            {"pairs": "The mustard bottles with each other and the soup cans with each other."},
            ("pairs",),
        ),
    ),
    "straight_line": (
        _FOUR,
        TableDraft(
            "Arrange the objects on the table such that they form a straight line",
            (Lined(tuple(each.name for each in _FOUR), "x"), AtRest()),
            {"direction": "Along x-axis.", "order": "Any order works."},
            ("direction", "order"),
        ),
    ),
    "not_there_at_first": (_FIRST, _moved("Give me the soup can", 0.40, 0.45, "place", late=(_SOUP,))),
}


def something_to_eat(rng: Random, table: DrawnTable) -> TableDraft:
    """Several things to eat, and perhaps others."""
    table.put(for_purpose(rng, "food", rng.randint(2, 3), rng.randint(0, 2)))
    return something(rng, table, "food", place_open=True)


def certain_thing(rng: Random, table: DrawnTable) -> TableDraft:
    """A thing by its name; there may be two of its kind."""
    kinds = draw_kinds(rng, rng.randint(2, 4))
    twice = rng.random() < 0.4
    names = table.put([kinds[0], *kinds] if twice else kinds)
    return give(rng, table, names[0], among=names[:2] if twice else names[:1])


def interchange_two(rng: Random, table: DrawnTable) -> TableDraft:
    """Two things by name, the only two there are, or two that have to be asked for."""
    how = rng.choice(("named", "all", "open"))
    names = table.put(draw_kinds(rng, 2 if how == "all" else rng.randint(3, 4)))
    if how == "named":
        return swap(rng, table)
    if how == "open":
        return two_things(rng, table)
    if not table.exchangeable(names):
        raise Full
    pair = f"{say.begin_sentence(say.the(names[0]))} with {say.the(names[1])}."
    return TableDraft(say.say_wish(rng, say.WAYS["swap_all"]), (Swapped(names[0], names[1]), AtRest()), {"pairs": pair})


def interchange_pairs(rng: Random, table: DrawnTable) -> TableDraft:
    """Two kinds of two, or four of many kinds."""
    if rng.random() < 0.5:
        one, other = draw_kinds(rng, 2)
        table.put([one, one, other, other])
    else:
        table.put(draw_kinds(rng, rng.randint(4, 5)))
    return two_pairs(rng, table)


def straight_line(rng: Random, table: DrawnTable) -> TableDraft:
    """Everything in a row, along which axis and in which order has to be asked."""
    table.put(draw_kinds(rng, rng.randint(3, 4), COMPACT_KINDS))
    return line_up(rng, table, rng.choice(AXES), order_open=True)


def not_there_at_first(rng: Random, table: DrawnTable) -> TableDraft:
    """A thing by its name that is put on the table only after the first look."""
    names = table.put(draw_kinds(rng, rng.randint(2, 4)))
    late = (names[0],)
    draft = give(rng, table, names[0], among=late) if rng.random() < 0.6 else at_point(rng, table, names[0])
    return replace(draft, late=late)
