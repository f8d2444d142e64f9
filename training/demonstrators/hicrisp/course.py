"""Tours through a hall, and a box that is put around something: whole plans, and corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from training.demonstrators.hicrisp.heldout import is_held_out
from training.demonstrators.hicrisp.misleading import told
from training.demonstrators.hicrisp.planning import CHECKED, planned, programmed
from training.demonstrators.hicrisp.saying import framed
from training.demonstrators.hicrisp.stands import Stand, around, hall
from training.noise import noisy
from training.samples import Sample
from training.words import FURNITURE, PLACES, PLAIN_COLOURS, made_up, some

Rng = np.random.Generator
_KINDS = ("machine", "station", "room", "desk", "hall", "shelf", "door", "bay", "counter", "lift", "post", "zone")
_MET = (
    "pallet",
    "box",
    "crate",
    "trolley",
    "barrel",
    "ladder",
    "cart",
    "cone",
    "bucket",
    "bench",
    "hand truck",
    "oil drum",
)


def _landmark(rng: Rng) -> str:
    roll = rng.random()
    if roll < 0.5:
        return str(rng.choice(PLACES))
    if roll < 0.7:
        return str(rng.choice(FURNITURE))
    head = (
        made_up(rng)
        if roll < 0.8
        else str(rng.choice(["north", "east", "main", "old", "tool", "glass", "paper", "oil", "test"]))
    )
    return f"{head} {rng.choice(_KINDS)}"


def landmarks(rng: Rng, count: int) -> list[str]:
    """So many different places."""
    found: list[str] = []
    while len(found) < count:
        name = _landmark(rng)
        if not name[-1].isdigit() and not any(name.split()[-1] == other.split()[-1] for other in found):
            found.append(name)
    return found


def _one(rng: Rng, *options: str) -> str:
    return str(rng.choice(options))


def tour(rng: Rng, stops: Sequence[str]) -> str:
    """A request to go to these places in this order."""
    the = [f"the {name}" for name in stops]
    if len(stops) == 1:
        return _one(rng, f"drive to {the[0]}", f"go to {the[0]}", f"head over to {the[0]}",
        f"{the[0]} is where I need you",
                    f"meet me at {the[0]}", f"run to {the[0]}", f"I am waiting at {the[0]}",
                    f"park at {the[0]}")  # fmt: skip
    verb = _one(
        rng, "go to", "drive to", "head for", "stop at", "call at", "visit", "pass by", "check", "roll to", "see"
    )
    then = _one(
        rng, ", then ", " and then ", ", next ", ", afterwards ", ", followed by ", ", from there to ", ", and on to "
    )
    listed = f"{', '.join(the[:-1])} and {the[-1]}"
    bare = f"{', '.join(stops[:-1])}, {stops[-1]}"
    *before, last = the
    first, *after = the
    early = then.join(before)
    options = [
        f"{verb} {then.join(the)}", f"{verb} {listed} one by one", f"{verb} {listed} in exactly this order",
        f"the tour goes {' - '.join(stops)}", f"your stops: {bare}",
        f"start at {first}, continue with {', '.join(after)}",
        f"{verb} {early} and, as the last stop, {last}", f"{last} comes last; before it, {verb} {early}",
        f"{verb} {last}, but only after {early}", f"before {last}, {verb} {early}",
        f"once you have seen {early}, {verb} {last}",
        f"{verb} {first} first, and after that {', '.join(after)}", f"finish at {last} once you have been at {early}",
        f"do the round {' > '.join(stops)}", f"I would like you to see {listed}, keeping to that order",
        f"{verb} {early}. At the end, {verb} {last}", ". ".join([f"{verb} {first}",
        *(f"Then {verb} {name}" for name in after)]),
        f"you are needed at {first}, later at {', then at '.join(after)}",
        f"take a parcel to {first}, then to {', then to '.join(after)}",
        f"{verb} {last} in the end, {early} before that", f"on your way to {last}, {verb} {early}",
        f"begin at {first} and finish at {last}" + (f", with {', '.join(before[1:])} in between" if before[1:] else ""),
        f"deliver to {', '.join(the)}", f"{first}; {'; '.join(after)}",
    ]  # fmt: skip
    return _one(rng, *options)


def _driven(stops: Sequence[str]) -> list[str]:
    return [f"Drive to the {name}." for name in stops]


def _drawn_tour(rng: Rng) -> tuple[Stand, str, list[str]]:
    known = landmarks(rng, int(rng.integers(3, 13)))
    stops = some(rng, known, int(rng.integers(1, 7)))
    if len(stops) > 1 and rng.random() < 0.15:  # back to where it began
        stops = [*stops, stops[0]]
    return hall(known), framed(rng, tour(rng, stops), own=0), stops


def tours(rng: Rng) -> Iterator[Sample]:
    """One tour."""
    stand, request, stops = _drawn_tour(rng)
    yield from planned(stand, request, _driven(stops), check=rng.random() < CHECKED)


def tour_programs(rng: Rng) -> Iterator[Sample]:
    """One tour as a program."""
    stand, request, stops = _drawn_tour(rng)
    lines = [
        line for name in stops for line in (f"drive_to('{name}')", f"assert at('{name}') else: drive_to('{name}')")
    ]
    yield from programmed(stand, request, lines, check=rng.random() < CHECKED)


def _trouble(rng: Rng, stop: str, known: Sequence[str]) -> tuple[str, str]:
    """What went wrong on the way, and where the robot is then."""
    kind = str(rng.choice(_MET))
    a = "An" if kind[0] in "aeiou" else "A"
    x, y, ahead = rng.uniform(0.5, 11), rng.uniform(0.5, 7), rng.uniform(0.3, 1.4)
    other = str(rng.choice([name for name in known if name != stop] or ["gate"]))
    there = f"The robot is at the {other}. The robot has been at the {other}."
    roll = rng.random()
    if roll < 0.35:
        return f"{a} {kind} stands in the way at ({x:.1f}, {y:.1f}), {ahead:.1f} m ahead.", ""
    if roll < 0.65:
        return f"The robot has arrived at the {stop}. Not so: The robot is at the {stop}. {there}", other
    if roll < 0.75:
        what = _one(rng, "a wall or a shelf", f"the {kind}")
        return f"The robot has no room to turn: {what} is too close. Back up first.", ""
    if roll < 0.85:
        end = f"{a.lower()} {kind} stands at ({x:.1f}, {y:.1f}), and nothing leads round it."
        return f"There is no way to the {stop}: {_one(rng, end, 'walls and shelves close it off.')}", ""
    if roll < 0.95:
        return f"The robot has arrived at the {stop}. Not so: The robot is at the {stop}.", ""
    return f"The robot does not get on.{_one(rng, '', f' It touches the {kind}.')}", ""


def detours(rng: Rng) -> Iterator[Sample]:
    """What is said about a drive that failed."""
    known = landmarks(rng, int(rng.integers(3, 10)))
    stops = some(rng, known, int(rng.integers(1, 5)))
    at = int(rng.integers(len(stops)))
    why, here = _trouble(rng, stops[at], known)
    stand = hall(known, [], here, [*stops[:at], *([here] if here else [])])
    drive = stand.skills["drive_to"]
    done = [drive.step({"landmark": name}) for name in stops[:at]]
    request = framed(rng, tour(rng, stops), own=0)
    moved = not why.startswith(("There is no way", "The robot does not get on")) or rng.random() < 0.3
    yield from told(rng, stand, request, done, drive.step({"landmark": stops[at]}), why, moved=moved)


# A box around something -----------------------------------------------------------------------------------------------


def _stage(rng: Rng) -> tuple[list[str], str, str]:
    """Boxes and cylinders, of which one is to be put close to another."""
    nouns = (
        ("box", "cylinder")
        if rng.random() < 0.6
        else tuple(some(rng, ("crate", "pillar", "can", "cube", "tin", "post", "jar"), 2))
    )
    things = [f"{c} {noun}" for noun in nouns for c in some(rng, PLAIN_COLOURS, int(rng.integers(1, 3)))]
    one, other = things[0], next(name for name in things if name.endswith(nouns[1]))
    if rng.random() < 0.4:
        one, other = other, one
    return things, one, other


def _asked(rng: Rng, things: Sequence[str], one: str, other: str) -> str:
    def said(name: str) -> str:
        noun = name.split()[-1]
        first = next(each for each in things if each.endswith(noun))
        vague = (
            [f"a {noun}", f"any {noun}", f"one of the {noun}{'es' if noun[-1] == 'x' else 's'}"]
            if name == first
            else []
        )
        alone = sum(each.endswith(noun) for each in things) == 1
        return _one(rng, f"the {name}", f"the {name}", *(vague if not alone else [*vague, f"the {noun}"]))

    where = _one(rng, "close to", "next to", "beside", "near", "right by", "around", "by the side of", "alongside")
    verb = _one(rng, "put", "set", "place", "bring", "move", "stand", "park")
    return framed(rng, f"{verb} {said(one)} {where} {said(other)}", own=0)


def boxes(rng: Rng) -> Iterator[Sample]:
    """What is done with a hand that has to look first: as a plan, or as the baseline's program."""
    things, one, other = _stage(rng)
    request = _asked(rng, things, one, other)
    if is_held_out(request):
        return
    stand, check = around(things), rng.random() < CHECKED
    if rng.random() < 0.5:
        steps = [f"Locate the {one}.", f"Pick up the {one}.", f"Locate the {other}."]
        yield from planned(stand, request, [*steps, f"Place the {one} around the {other}."], check=check)
        return
    pick = f"pick_up('{one}')"
    lines = [f"locate('{one}')", pick, f"assert held('{one}') else: {pick}", f"locate('{other}')"]
    yield from programmed(stand, request, [*lines, f"place_around('{one}', '{other}')"], check=check)


def fumbles(rng: Rng) -> Iterator[Sample]:
    """What is said when a hand did not get hold of a thing, or put it down too far away."""
    things, one, other = _stage(rng)
    request = noisy(rng, _asked(rng, things, one, other))
    if is_held_out(request):
        return
    stand, roll = around(things), rng.random()
    pick, place = ({"thing": one}, {"thing": one, "target": other})
    third = next((name for name in things if name not in (one, other)), "")
    done: list[tuple[str, dict[str, str]]] = [("locate", {"thing": one})]
    if roll < 0.3:
        got = _one(rng, "closed on nothing", f"took hold of the {third} instead" if third else "closed on nothing")
        failed, why = ("pick_up", pick), f"The hand {got} where the {one} was seen."
    elif roll < 0.6:
        done += [("pick_up", pick), ("locate", {"thing": other})]
        x, y = rng.uniform(-0.3, 0.3), rng.uniform(-0.8, -0.2)
        failed = ("place_around", place)
        why = (
            f"Put the {one} down at ({x:.2f}, {y:.2f}), beside the {other}. Not so: The {one} is close to the {other}."
        )
        stand = around(things, "", [other])
    elif roll < 0.75:
        failed, why = ("place_around", place), f"The robot does not hold the {one}: pick it up first."
        stand = around(things, "", [one, other])
    elif roll < 0.9:
        name = one if rng.random() < 0.5 else other
        failed = ("pick_up", pick) if name == one else ("place_around", place)
        why, done = f"The robot does not know where the {name} is: locate it first.", done if name == other else []
        stand = around(things, one if name == other else "", [])
    elif third:
        stand = around(things, third, [one])
        failed, why = ("pick_up", pick), f"The hand holds the {third}: put it down first."
    else:
        stand = around(things, one, [other])
        failed, why = ("locate", {"thing": one}), f"The {one} is in the hand: put it down before you look where it is."
    steps = [stand.skills[name].step(given) for name, given in done]
    yield from told(rng, stand, request, steps, stand.skills[failed[0]].step(failed[1]), why)
