"""Attempts at single steps in the kitchen: what the robot's camera sees before and after, and whether it came true.

    python -m training.senses.kitchen_attempts results/senses/kitchen --attempts 5000 --jobs 2

The kitchens are the world's own, with other seeds: every seed has its own furniture, light and clutter. Half of the
attempts go wrong: nothing happens, another item is taken or another drawer moves, the item ends up elsewhere, or it is
gone. A step that is drawn never pairs an item with a place that is kept back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from thinkaloud.worlds.learned_files import LONGEST_SENTENCE, encode_sentence, shrink
from thinkaloud_worlds.kitchen import DRAWERS
from thinkaloud_worlds.kitchen.camera import photograph_kitchen, usual_shot
from thinkaloud_worlds.kitchen.catalogue import CABINET, ITEMS
from thinkaloud_worlds.kitchen.sight import things_in
from thinkaloud_worlds.kitchen.true_state import GONE, HAND, KitchenRoom
from thinkaloud_worlds.random_kitchens.steps import (
    IN_PLACE,
    Call,
    KitchenStep,
    came_true,
    draw_kitchen_step,
    state_of,
)
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.staged_pictures import draw_decor
from training import drawn_files
from training.senses.attempts import CANDIDATES
from training.senses.kitchen_sentences import SAME, WORDS, form_of

WIDE, TALL = 160, 120
_SALT = 0xA77E
_WAYS = (("right", 0.5), ("nothing", 0.2), ("another", 0.18), ("elsewhere", 0.12))
_SAME_SKILL = 0.75
_FINELY = 0.3  # so many are seen in the camera's own size


def draw_attempt(seed: int) -> dict[str, Any]:
    """Return an attempt: pictures, candidate sentences, whether the first came true, and which one did (-1: none)."""
    rng, step = generator(seed, _SALT), draw_kitchen_step(seed)
    room, asked = step.kitchen.room, (step.skill, tuple(step.arguments.items()))
    finely = bool(rng.uniform() < _FINELY)
    before, was = _look(step, finely=finely), state_of(room)
    _do(room, rng, step)
    after, now = _look(step, finely=finely), state_of(room)
    true = [each for each in every_call() if came_true(each, was, now, room.place)]
    truth = asked if asked in true else true[0] if true else None
    listed = list(dict.fromkeys((asked, *((truth,) if truth else ()), *_others(rng, step.skill, true))))[:CANDIDATES]
    wording = 0 if rng.uniform() < 0.5 else int(rng.integers(100))
    sentences = np.zeros((CANDIDATES, LONGEST_SENTENCE), np.int16)
    for number, (skill, given) in enumerate(listed):
        text = form_of(skill, room.place, wording).format(**dict(given), location=room.place)
        sentences[number] = encode_sentence(text, WORDS, SAME)[0]
    return {
        "rgb": np.stack([before[0], after[0]]),
        "heights": np.stack([before[1], after[1]]).astype(np.float16),
        "sentences": sentences,
        "worked": np.bool_(asked in true),
        "truth": np.int8(listed.index(truth) if truth else -1),
    }


def every_call() -> list[Call]:
    """Every call of these skills, with anything."""
    items = [("item", item) for item in ITEMS]
    found: list[Call] = [(skill, (item,)) for skill in ("pick_up", "put_down") for item in items]
    found += [("put_in", (item, ("drawer", drawer))) for item in items for drawer in DRAWERS]
    return found + [(skill, (("drawer", drawer),)) for skill in IN_PLACE[-2:] for drawer in DRAWERS]


def _others(rng: np.random.Generator, skill: str, true: list[Call]) -> list[Call]:
    """Calls that did not come true, most of them of the same skill, as the senses compare these."""
    false = [each for each in every_call() if each not in true]
    mixed = [false[int(number)] for number in rng.permutation(len(false))]
    same = [each for each in mixed if each[0] == skill]
    few = same[: int(_SAME_SKILL * CANDIDATES)]
    return [*few, *(each for each in mixed if each not in few)]


def _do(room: KitchenRoom, rng: np.random.Generator, step: KitchenStep) -> None:
    """Let an attempt happen in one way."""
    way = str(rng.choice([name for name, _ in _WAYS], p=[share for _, share in _WAYS]))
    item, drawer = step.arguments.get("item", ""), step.arguments.get("drawer", "")
    if way == "nothing":
        return
    if step.skill in ("open_drawer", "close_drawer"):
        moved = drawer if way == "right" else next(each for each in DRAWERS if each != drawer)
        (room.open.discard if moved in room.open else room.open.add)(moved)
        return
    near = [name for name, where in room.places.items() if where in room.within_reach() and name != item]
    if step.skill == "pick_up":
        taken = item if way == "right" else near[int(rng.integers(len(near)))] if near and way == "another" else ""
        room.places[taken or item] = HAND if taken else GONE
        return
    goals = [each for each in (room.place, *room.within_reach()) if each != (drawer or room.place)]
    goal = goals[int(rng.integers(len(goals)))] if goals and way == "another" and room.place == CABINET else GONE
    room.places[item] = (drawer or room.place) if way == "right" else goal


def _look(step: KitchenStep, *, finely: bool) -> tuple[Any, Any]:
    """What the robot sees, in the size that the senses look at; taken in that size, it takes a quarter of the time."""
    if finely:
        return shrink(*step.kitchen.seen_here()[1:], TALL, WIDE)
    room = step.kitchen.room
    usual = usual_shot(room.place)
    shot = replace(usual, width=WIDE, height=TALL, focal=usual.focal * WIDE / usual.width)
    view = photograph_kitchen(draw_decor(room.seed), things_in(room), room.open, shot).view
    return view.rgb, view.points()[..., 2].astype(np.float32)


if __name__ == "__main__":
    drawn_files.run(draw_attempt, drawn_files.options(__doc__, 5000, what="attempts").parse_args())
