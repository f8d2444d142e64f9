"""The same dialogue with a robot that takes names in place of coordinates: blocks and bowls."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from thinkaloud.records import Observation, WorldState
from thinkaloud.robots import open_world
from thinkaloud.worlds.contract import Briefing
from training.demonstrators.multitalk import questions
from training.demonstrators.multitalk import wording as say
from training.demonstrators.multitalk.placing import Crowded
from training.demonstrators.multitalk.speaking import sentence
from training.demonstrators.multitalk.tables import Table
from training.demonstrators.multitalk.talks import Made, Robot, Talk
from training.words import CONTAINERS, PLAIN_COLOURS, SHAPES, one, some

Rng = np.random.Generator
_PLACES = ("left side", "right side", "top left corner", "middle", "front edge", "back", "floor", "window sill")


@dataclass
class Names(Table):
    """Things of which no more than their names is known."""

    small_names: tuple[str, ...] = ()
    wide_names: tuple[str, ...] = ()
    hidden: frozenset[str] = field(default=frozenset())
    places: tuple[str, ...] = ()

    def seen(self, *, again: bool = False) -> Observation:
        """What a look shows."""
        names = tuple(n for n in (*self.small_names, *self.wide_names) if again or n not in self.hidden)
        vocabulary = {
            "object": tuple(name for name in self.small_names if name in names),
            "target": (*(name for name in self.wide_names if name in names), *self.places),
        }
        every = {**vocabulary, "object in view": vocabulary["object"], "target in view": vocabulary["target"]}
        return Observation(names, every, state=WorldState(names))


@cache
def _placer() -> Robot:
    return Robot(open_world("tabletop").skills, Briefing())


def by_name(rng: Rng) -> Talk:
    """A block into a bowl: said, or one of several, or not in view at first."""
    kind, colours = one(rng, SHAPES), some(rng, PLAIN_COLOURS, 7)
    small = tuple(f"{colour} {kind}" for colour in colours[: int(rng.integers(2, 5))])
    wide = tuple(f"{colour} {one(rng, CONTAINERS)}" for colour in colours[4 : 4 + int(rng.integers(1, 4))])
    if len({*small, *wide}) < len(small) + len(wide):
        raise Crowded
    thing, target = one(rng, small), one(rng, wide)
    how = one(rng, ("clear", "clear", "two", "which", "late"))
    table = Names(small_names=small, wide_names=wide, places=tuple(some(rng, _PLACES, int(rng.integers(0, 4)))))
    table.hidden = frozenset((thing,)) if how == "late" else frozenset()
    words = {"r": f"the {target}", "in_to": "in", "in_it": "in"}
    named = f"the {kind}" if how == "which" else f"the {thing}"
    moved = {thing: target}
    text = say.said(rng, say.INTO, a=named, **words)
    if how == "two":
        other = one(rng, [name for name in small if name != thing])
        moved[other] = one(rng, wide)
        more = {"r": f"the {moved[other]}", "in_to": "in", "in_it": "in"}
        text += " and " + say.said(rng, say.INTO, a=f"the {other}", **more)
    talk = Talk(rng, table, sentence(rng, text), robot=_placer())
    if how == "late":
        talk.looks(f"What: {thing}, not in the environment. Where: {target}.")
    if how == "which":
        asked = questions.which(rng, kind, small)
        talk.asks_for(f"What: {' or '.join(small)}, not said which. Where: {target}.", asked)
        talk.human(say.said(rng, say.ANSWER_OBJECT, n=thing))
    skill = talk.robot.skills["pick_and_place"]
    steps = tuple(skill.step({"object": a, "target": b}, f"Put {a} in {b}") for a, b in moved.items())
    told = ", ".join(f"{a} to {b}" for a, b in moved.items())
    talk.plans(Made(f"What: {', '.join(moved)}. Where: {told}.", steps), check=False)
    return talk
