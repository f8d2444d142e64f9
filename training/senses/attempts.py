"""Attempts at single steps: the table from above before and after, the sentence, and whether it came true.

    python -m training.senses.attempts results/senses/attempts --attempts 8000 --jobs 2

The tables have blocks and bowls of any colour. What is moved is put where a step would put it, with the paper's noise,
and settles; no arm moves, so an attempt takes a tenth of a second. Half of the attempts go wrong on purpose: nothing is
picked up, something else is, it goes elsewhere, or it falls on the way or off the table. Whether a step worked is what
the world's own relation says; so many others fail, too, because of the noise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thinkaloud.errors import SkillError
from thinkaloud.worlds.disturbance import PAPER_DISTURBANCE
from thinkaloud.worlds.learned_files import LONGEST_SENTENCE, encode_sentence, shrink
from thinkaloud_worlds.random_tables.any_colours import draw_any_colours
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.camera import Picture
from thinkaloud_worlds.tabletop.contact_relations import supports_of
from thinkaloud_worlds.tabletop.layout import PLACES, TABLE_TOP
from thinkaloud_worlds.tabletop.pointed_pixels import STEP, known_heights, seen_from_above
from training import drawn_files
from training.hands.sentences import SAME, STEPS, WORDS, random_form

CANDIDATES = 12
"""Sentences of an attempt for hindsight, the one that was said first."""
_SALT = 0x5E45
_SETTLE = 50  # ticks
_WAYS = (("right", 0.5), ("nothing", 0.1), ("another", 0.14), ("elsewhere", 0.14), ("dropped", 0.08), ("gone", 0.04))
Step = tuple[str, str]


def draw_attempt(seed: int) -> dict[str, Any]:
    """Return an attempt: pictures, candidate sentences, whether the first came true, and which one did (-1: none)."""
    rng = generator(seed, _SALT)
    while True:
        table = Tabletop(draw_any_colours(rng, kept_back=False))
        by_camera = rng.uniform() < 0.5
        steps = possible_steps(table)
        asked = steps[int(rng.integers(len(steps)))] if steps else ("", "")
        before = _look(table, rng, by_camera=by_camera)
        try:
            done = _do(table, rng, asked, steps) if steps else None
        except SkillError:  # what it is about cannot be seen
            continue
        if done is None:
            continue
        after = _look(table, rng, by_camera=by_camera)
        came_true = [step for step in steps if table.on(*step)]
        truth = next((step for step in came_true if step[0] == done), None)
        others = [steps[int(number)] for number in rng.permutation(len(steps)) if steps[int(number)] not in came_true]
        listed = list(dict.fromkeys((asked, *((truth,) if truth else ()), *others)))[:CANDIDATES]
        form = STEP if rng.uniform() < 0.5 else random_form(rng, STEPS)
        sentences = np.zeros((CANDIDATES, LONGEST_SENTENCE), np.int16)
        for number, (name, target) in enumerate(listed):
            sentences[number] = encode_sentence(form.format(object=name, target=target), WORDS, SAME)[0]
        return {
            "rgb": np.stack([before[0], after[0]]),
            "heights": np.stack([before[1], after[1]]).astype(np.float16),
            "sentences": sentences,
            "worked": np.bool_(asked in came_true),
            "truth": np.int8(listed.index(truth) if truth else -1),
        }


def possible_steps(table: Tabletop) -> list[Step]:
    """Return the steps that would change something, and that nothing is in the way of."""
    under = {*supports_of(table.physics).values()}
    bare = [name for name in table.blocks if name not in under]
    targets = (*bare, *table.bowls, *PLACES)
    return [(name, target) for name in bare for target in targets if name != target and not table.on(name, target)]


def _do(table: Tabletop, rng: np.random.Generator, asked: Step, steps: list[Step]) -> str | None:
    """Let an attempt happen in one way; return what was moved ("" for nothing), or None if it cannot be so."""
    way = str(rng.choice([name for name, _ in _WAYS], p=[share for _, share in _WAYS]))
    name, target = asked
    if way == "nothing":
        return ""
    if way in ("another", "elsewhere"):
        same = 1 if way == "another" else 0
        others = [step for step in steps if step[same] == asked[same] and step != asked]
        if not others:
            return None
        name, target = others[int(rng.integers(len(others)))]
    picture = table.picture()
    if way == "gone":
        at = (1.5, 0.5, -0.5)
    elif way == "dropped":
        room = TABLE_TOP.inset(0.03)
        at = float(rng.uniform(*room.x)), float(rng.uniform(*room.y)), 0.08
    else:
        x, y, z = table.senses.point(picture, table.senses.pixel(picture, target, name))
        right, up = rng.normal(0.0, PAPER_DISTURBANCE.place * rng.uniform(0.3, 1.0), 2)
        at = x + float(right), y + float(up), z + 0.005
    table.physics.put(name, at)
    for _ in range(_SETTLE):
        table.physics.tick()
    return name


def _look(table: Tabletop, rng: np.random.Generator, *, by_camera: bool) -> tuple[Any, Any]:
    """Return a picture of the table from above, through the depth camera or as the paper's noise has it."""
    picture: Picture = seen_from_above(table.view()) if by_camera else table.picture()
    noise = 0.0 if by_camera else PAPER_DISTURBANCE.pixel_value
    known = known_heights(picture)
    noisy = picture.rgb + rng.normal(0.0, noise, picture.rgb.shape)
    return shrink(np.where(np.isnan(known)[..., None], 0.0, noisy), known)


if __name__ == "__main__":
    drawn_files.run(draw_attempt, drawn_files.options(__doc__, 8000, what="attempts").parse_args())
