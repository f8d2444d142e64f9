"""Plans that are not right: what the analyzer says of them, and how the planner puts them right."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.methods.multitalk.short_verdicts import AXIS, ELSEWHERE, LEFT_OUT, NOT_MEANT, ORDER
from thinkaloud.worlds.franka.tasks import ANY
from training.demonstrators.multitalk.talks import Deed, Talk, changed, put

WRONG, MENDED, INSISTS = 0.3, 0.4, 0.07
"""How often a wrong plan is judged, how often that is mended, and how often a right one is criticised in vain."""


def finish(talk: Talk, meant: str, deeds: Sequence[Deed]) -> Talk:
    """The right plan at the end of a dialogue, with what a critic would say of it and of wrong ones."""
    rng = talk.rng
    wrong = _wrong(talk, list(deeds))
    if wrong is not None and rng.random() < WRONG:
        plan, why = wrong
        talk.checked(meant, plan, why)
        if rng.random() < MENDED:
            talk.planned(meant, plan)
            talk.critic(why)
    elif rng.random() < INSISTS:
        talk.planned(meant, deeds)
        talk.critic(_unfounded(talk, deeds))
    talk.plans(meant, deeds)
    return talk


def _unfounded(talk: Talk, deeds: Sequence[Deed]) -> str:
    """An objection that nobody has to heed: what was said is clear, and the plan does it."""
    thing = deeds[int(talk.rng.integers(len(deeds)))].things[0]
    others = [each for each in talk.state.objects if not any(each in deed.things for deed in deeds)]
    options = [ELSEWHERE.format(thing), NOT_MEANT.format(thing), *(LEFT_OUT.format(other) for other in others[:1])]
    return options[int(talk.rng.integers(len(options)))]


def spoilt(talk: Talk, meant: str, deeds: Sequence[Deed], why: str) -> None:
    """A plan that should not have been made at this point, mostly because something has to be asked."""
    if talk.rng.random() < WRONG:
        talk.checked(meant, deeds, why)
        if talk.rng.random() < MENDED:
            talk.planned(meant, deeds)
            talk.critic(why)


def _wrong(talk: Talk, deeds: list[Deed]) -> tuple[list[Deed], str] | None:
    """One of the ways in which these deeds may be wrong."""
    rng = talk.rng
    ways = [_left_out, _other_thing, _other_place, _other_line]
    for index in rng.permutation(len(ways)):
        found = ways[int(index)](talk, deeds)
        if found is not None:
            return found
    return None


def _left_out(talk: Talk, deeds: list[Deed]) -> tuple[list[Deed], str] | None:
    if len(deeds) > 1:
        at = int(talk.rng.integers(len(deeds)))
        return [*deeds[:at], *deeds[at + 1 :]], LEFT_OUT.format(deeds[at].things[0])
    (deed,) = deeds
    if deed.form == "line" and len(deed.things) > 2:
        at = int(talk.rng.integers(len(deed.things)))
        return [changed(deed, things=(*deed.things[:at], *deed.things[at + 1 :]))], LEFT_OUT.format(deed.things[at])
    return None


def _other_thing(talk: Talk, deeds: list[Deed]) -> tuple[list[Deed], str] | None:
    named = {name for deed in deeds for name in deed.things}
    others = [thing.name for thing in talk.table.small if thing.name not in named and thing.name in talk.state.objects]
    if not others:
        return None
    other = others[int(talk.rng.integers(len(others)))]
    at = int(talk.rng.integers(len(deeds)))
    things = list(deeds[at].things)
    things[int(talk.rng.integers(len(things)))] = other
    if isinstance(deeds[at].where, str) and other in str(deeds[at].where):
        return None
    return [*deeds[:at], changed(deeds[at], things=tuple(things)), *deeds[at + 1 :]], NOT_MEANT.format(other)


def _other_place(talk: Talk, deeds: list[Deed]) -> tuple[list[Deed], str] | None:
    puts = [i for i, deed in enumerate(deeds) if deed.form == "put" and deed.where != "aside"]
    if not puts:
        return None
    at = puts[int(talk.rng.integers(len(puts)))]
    deed = deeds[at]
    places = [f"next to the {t.name}" for t in talk.table.small if t.name not in deed.things]
    places += [f"{'in' if t.hollow else 'on'} the {t.name}" for t in talk.table.wide]
    places = [
        place for place in places if str(deed.where).partition("the ")[2] not in place or "the" not in str(deed.where)
    ]
    points = [p for p in talk.points if p != deed.where]
    options: list[str | tuple[float, float]] = [*places, *points, *points]
    if not options:
        return None
    other = options[int(talk.rng.integers(len(options)))]
    return [*deeds[:at], put(deed.things[0], other), *deeds[at + 1 :]], ELSEWHERE.format(deed.things[0])


def _other_line(talk: Talk, deeds: list[Deed]) -> tuple[list[Deed], str] | None:
    (deed,) = deeds[:1]
    if deed.form != "line":
        return None
    axis = str(deed.where)[0]
    if not str(deed.where).endswith(ANY) and talk.rng.random() < 0.6:
        shuffled = tuple(deed.things[int(i)] for i in talk.rng.permutation(len(deed.things)))
        return None if shuffled == deed.things else ([changed(deed, things=shuffled)], ORDER)
    other = "y" if axis == "x" else "x"
    return [changed(deed, where=other + str(deed.where)[1:])], AXIS.format(axis)
