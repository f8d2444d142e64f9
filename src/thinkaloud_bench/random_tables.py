"""What eyes find on random tables by words: precision, recall and accuracy, beside Inner Monologue's Table 5.

The columns are eyes, as in `detectors`: `camera`, `learned:FILE.onnx`. An episode is one picture and its phrases: for
each thing one that fits it alone, and eight that fit nothing there, half of them nearly. A thing counts if at least a
quarter of it is visible; phrases for things of which less is visible are not counted. A name found twice, or in a box
that does not overlap the true one by half, is a false positive; so recall needs the place to be right, too.

    plain       3 to 6 things, apart
    clutter     12 to 18 things that touch, lie in bowls and on each other; a tool in front now and then
    kept_back   what training never had: combinations of colour and kind, a checked pattern, two shapes
    forty       up to forty things at once; training has at most fifteen

The metric `covered` is the recall of things of which a quarter to three quarters are visible. Eyes that need a
catalogue are told the true colour and size of what is there, and usual ones of what is not.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from thinkaloud.worlds.vision import Appearance, PixelBox, Sight, open_eyes, overlap
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import averaged, by_preset, fractions, measures, pooled
from thinkaloud_worlds.random_tables import (
    DrawnTable,
    Style,
    TablePicture,
    draw_phrases,
    draw_table,
    fits,
    photograph_drawn,
)
from thinkaloud_worlds.random_tables.forms import FORMS
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS, FALSE, TRUE

_WIDTH, _HEIGHT = 320, 240
_ENOUGH, _CLEAR, _SAME = 0.25, 0.75, 0.5
_STYLES: dict[str, tuple[Style, int | None]] = {
    "plain": ("plain", None),
    "clutter": ("clutter", None),
    "kept_back": ("kept_back", None),
    "forty": ("clutter", 40),
}
_SEEDS = 400_000
"""Seeds are taken below this number: training and calibration have others."""


def appearance_of(phrase: str, words: Sequence[str], table: DrawnTable) -> Appearance:
    """Return what a phrase is said to look like: as the thing that it fits, or as such things usually do."""
    for thing in table.things:
        if fits(thing.truths, words) != FALSE:
            hollow, tall = thing.kind in ("bowl", "plate", "mug", "ring"), thing.height
            return Appearance(phrase, thing.rgb, thing.across, tall, hollow, thing.kind not in ("block", "box", "book"))
    form = next((form for form in FORMS.values() if words[-1] in form.true), FORMS["block"])
    across = sum(form.across) / 2
    rgb = next((COLOUR_WORDS[word] for word in words if word in COLOUR_WORDS), (128, 128, 128))
    return Appearance(phrase, rgb, across, across * sum(form.tall) / 2)


def count_boxes(
    sight: Sight, phrases: dict[str, tuple[str, ...]], table: DrawnTable, picture: TablePicture
) -> dict[str, float]:
    """Count what was found rightly, said, and to be found; also of things of which a part is covered."""
    scores = dict.fromkeys(("right", "said", "visible", "agreed", "asked", "right_covered", "covered"), 0.0)
    for phrase, words in phrases.items():
        boxes = [each.box for each in sight.sightings if each.name == phrase]
        number = next((n for n, thing in enumerate(table.things) if fits(thing.truths, words) == TRUE), None)
        share = 0.0 if number is None else picture.visible(number)
        if number is not None and share < _ENOUGH:
            continue
        right = number is not None and _meets(boxes, picture.box(number))
        scores["said"] += len(boxes)
        scores["right"] += right
        scores["visible"] += number is not None
        scores["agreed"] += right if number is not None else not boxes
        scores["asked"] += 1
        if number is not None and share < _CLEAR:
            scores["covered"] += 1
            scores["right_covered"] += right
    return scores


def _meets(boxes: Sequence[PixelBox], true: PixelBox | None) -> bool:
    return true is not None and any(overlap(box, true) >= _SAME for box in boxes)


async def _play(item: Item, model: OpenedModel) -> Played:
    eyes = open_eyes(item.preset)
    style, count = _STYLES[item.task]
    table = draw_table(item.seed % _SEEDS, style, count)
    picture = photograph_drawn(table, _WIDTH, _HEIGHT)
    phrases = draw_phrases(table)
    catalogue = [appearance_of(phrase, words, table) for phrase, words in phrases.items()]
    began = time.perf_counter()
    sight = eyes.look(picture.view, catalogue)
    took = time.perf_counter() - began
    scores = count_boxes(sight, phrases, table, picture)
    return played_as(
        item,
        (),
        success=scores["agreed"] == scores["asked"] and scores["said"] == scores["right"],
        seconds=took,
        model="no model",
        request=", ".join(phrases),
        because=", ".join(sight.names),
        scores=scores,
    )


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        for metric, above, below in (
            ("precision", "right", "said"),
            ("recall", "right", "visible"),
            ("covered", "right_covered", "covered"),
            ("accuracy", "agreed", "asked"),
        ):
            found += fractions(bench, preset, tasks, metric, pooled(above, below))
        found += measures(preset, tasks, {"seconds": averaged("seconds")})
    return found


def _check_column(name: str) -> None:
    """Raise BadInput if there are no such eyes, or they cannot be opened."""
    open_eyes(name)


def _paper(**figures: float) -> dict[str, dict[str, float]]:
    return {name: dict.fromkeys(_STYLES, value) for name, value in figures.items()}


BENCH = Bench(
    "random-tables",
    "Our own: what eyes find on random tables by words; beside Inner Monologue's Table 5",
    tasks={
        "plain": Task("plain", "A few things, apart"),
        "clutter": Task("clutter", "Many things that touch and cover each other"),
        "kept_back": Task("kept_back", "Combinations, a pattern and shapes that training never had"),
        "forty": Task("forty", "Up to forty things"),
    },
    presets=("camera",),
    play=_play,
    rows=_rows,
    draw=bars,
    shown=(
        Shown("precision"),
        Shown("recall"),
        Shown("covered"),
        Shown("accuracy"),
        Shown("seconds", percent=False),
    ),
    paper={
        "precision": _paper(ViLD=0.857, MDETR=0.396),
        "recall": _paper(ViLD=0.720, MDETR=0.875),
        "accuracy": _paper(ViLD=0.889, MDETR=0.682),
    },
    episodes=50,
    only_own=True,
    column=_check_column,
)
