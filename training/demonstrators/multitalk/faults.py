"""Plans that are not right: what the analyzer says of them, and how the planner puts them right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from thinkaloud.records import Step
from training.demonstrators.multitalk.placing import pair
from training.demonstrators.multitalk.tables import spot
from training.demonstrators.multitalk.talks import Deed, Made, Talk

WRONG, MENDED, INSISTS = 0.45, 0.5, 0.07
"""How often a wrong plan is judged, how often that is mended, and how often a right one is criticised in vain."""
Fault = tuple[int, str]
_UNFOUNDED = (
    (2, "the move command should not include the z-coordinate."),
    (2, "the move command should be given three coordinates."),
    (1, "the object should be looked at before it is grasped."),
    (2, "this may be too fast for the object."),
)


def finish(talk: Talk, deeds: Sequence[Deed]) -> Talk:
    """The right plan at the end of a dialogue, with what an analyzer would say of it and of wrong ones."""
    rng, right = talk.rng, talk.make(deeds)
    wrong = _wrong(talk, right) if rng.random() < WRONG else None
    if wrong is not None:
        made, found = wrong
        talk.checked(made, *found)
        if rng.random() < MENDED:
            talk.planned(made)
            talk.critic(*found)
    elif rng.random() < INSISTS:
        fault = _UNFOUNDED[int(rng.integers(len(_UNFOUNDED)))]
        talk.planned(right)
        talk.critic(fault)
        talk.checked(right, same=True)
        talk.plans(replace(right, thought=f"The analyzer is wrong, the plan stays. {right.thought}"), check=False)
        return talk
    talk.plans(right)
    return talk


def spoilt(talk: Talk, deeds: Sequence[Deed], step: int, why: str, asked: str) -> None:
    """A plan that should not have been made at this point, mostly because something has to be asked."""
    if talk.rng.random() < WRONG:
        made = talk.make(deeds)
        fault = (min(step, len(made.steps)), why)
        talk.checked(made, fault, asked=asked)
        if talk.rng.random() < MENDED:
            talk.planned(made)
            talk.critic(fault)


def _wrong(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    """One of the ways in which a plan may be wrong."""
    ways: list[Callable[[Talk, Made], tuple[Made, list[Fault]] | None]] = [
        *(_other_thing, _not_there, _other_place, _left_out, _order, _two_in_hand),
        *(exchange_hastily, _crooked) * 4,
    ]
    for index in talk.rng.permutation(len(ways)):
        found = ways[int(index)](talk, right)
        if found is not None:
            return found
    return None


def _changed(made: Made, at: int, **arguments: float) -> Made:
    steps = list(made.steps)
    step = steps[at]
    steps[at] = replace(step, arguments={**step.arguments, **arguments})
    return replace(made, steps=tuple(steps))


def _grasps(made: Made) -> list[int]:
    return [i for i, step in enumerate(made.steps) if step.skill == "grasp"]


def _name(step: Step) -> str:
    return step.reason.removeprefix("Grasp ")


def _other_thing(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    moved = {_name(right.steps[i]) for i in _grasps(right)}
    others = [t for t in talk.table.small if t.name not in moved and t.name in talk.boxes]
    if not others or not moved:
        return None
    at = _grasps(right)[0]
    other, name = others[int(talk.rng.integers(len(others)))].name, _name(right.steps[at])
    box, mine = talk.boxes[other], talk.boxes[name]
    why = f"this grasps {other}, but {name} is at {pair((mine.x, mine.y))}."
    return _changed(right, at, x=box.x, y=box.y, z=box.z), [(at + 1, why)]


def _not_there(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    if not _grasps(right):
        return None
    at = _grasps(right)[0]
    name = _name(right.steps[at])
    box = talk.boxes[name]
    x, y = spot(talk.rng, [(b.x, b.y) for b in talk.boxes.values()], 0.10)
    why = f"there is no object at {pair((x, y))}; {name} is at {pair((box.x, box.y))}."
    return _changed(right, at, x=x, y=y), [(at + 1, why)]


def _other_place(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    wanted = [d for d in right.deeds if d.form == "put" and not isinstance(d.where, str)]
    if not wanted:
        return None
    deed = wanted[int(talk.rng.integers(len(wanted)))]
    assert not isinstance(deed.where, str)
    ends = [
        i for i, s in enumerate(right.steps) if s.skill == "move" and (s.arguments["x"], s.arguments["y"]) == deed.where
    ]
    if not ends:
        return None
    x, y = spot(talk.rng, [(b.x, b.y) for b in talk.boxes.values()])
    why = f"{deed.things[0]} goes to {pair((x, y))}, but {pair(deed.where)} was said."
    return _changed(right, ends[-1], x=x, y=y), [(ends[-1] + 1, why)]


def _left_out(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    lines = right.deeds[0].form == "line" if right.deeds else False
    if talk.table.held or (len(right.deeds) < 2 and not lines):
        return None
    name = right.deeds[-1].things[-1]
    steps = list[Step]()
    for one, two in zip(right.steps[:-1:2], right.steps[1:-1:2], strict=False):
        if _name(one) not in right.deeds[-1].things or (lines and _name(one) != name):
            steps += [one, two]
    steps.append(right.steps[-1])
    if len(steps) < 2:
        return None
    return replace(right, steps=tuple(steps)), [(len(steps), f"{name} has not been moved yet.")]


def exchange_hastily(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    """An exchange without a free place, as in the second figure."""
    if not right.deeds or any(deed.form != "exchange" or deed.way for deed in right.deeds) or talk.table.held:
        return None
    steps, found = list[Step](), list[Fault]()
    for number in range(len(right.deeds)):
        there = right.steps[6 * number : 6 * number + 6]
        last = there[5]
        steps += [there[0], last, replace(there[2]), there[3]]
        one, other = right.deeds[number].things
        found.append(
            (len(steps) - 1, f"{one} was put here before, so this does not grasp {other}; use a free place first.")
        )
    return replace(right, steps=(*steps, right.steps[-1])), found


def _crooked(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    """A line in which every thing keeps its own other coordinate, as in the third figure."""
    if not right.deeds or right.deeds[0].form != "line":
        return None
    axis, made, found = str(right.deeds[0].where)[0], right, list[Fault]()
    other = "y" if axis == "x" else "x"
    for at in _grasps(right):
        value = float(getattr(talk.boxes[_name(right.steps[at])], other))
        made = _changed(made, at + 1, **{other: value})
        found.append((at + 2, f"the {other}-coordinate is not that of the others: this is no line along {axis}."))
    return made, found[:4]


def _order(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    if not right.deeds or right.deeds[0].form != "line" or str(right.deeds[0].where).endswith("any order"):
        return None
    first, second = right.steps[1].arguments, right.steps[3].arguments
    made = _changed(_changed(right, 1, **_point(second)), 3, **_point(first))
    one, other = right.deeds[0].things[:2]
    return made, [(2, f"{one} has to come before {other} in the line.")]


def _point(arguments: object) -> dict[str, float]:
    assert isinstance(arguments, dict)
    return {"x": float(arguments["x"]), "y": float(arguments["y"])}


def _two_in_hand(talk: Talk, right: Made) -> tuple[Made, list[Fault]] | None:
    if len(_grasps(right)) < 2 or talk.table.held:
        return None
    steps = [right.steps[0], *right.steps[2:]]
    return replace(right, steps=tuple(steps)), [
        (2, f"the hand still holds {_name(right.steps[0])}: it has to be put down first.")
    ]
