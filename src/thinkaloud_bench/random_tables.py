"""What eyes find by words on random tables and in random kitchens, beside Inner Monologue's Table 5.

The columns are eyes, as in `detectors`: `camera`, `learned:FILE.onnx`. An episode is one picture and its phrases: for
each thing one that fits it alone, and eight that fit nothing there, half of them nearly. A thing counts if at least a
quarter of it is visible; phrases for things of which less is visible are not counted. A name found twice, or in a box
that does not overlap the true one by half, is a false positive; so recall needs the place to be right, too.

    plain       3 to 6 things, apart
    clutter     12 to 18 things that touch, lie in bowls and on each other; a tool in front now and then
    kept_back   what training never had: combinations of colour and kind, a checked pattern, two shapes
    forty       up to forty things at once; training has at most fifteen
    fallen      bottles, cans and the like on their sides, in heaps
    kitchen     9 to 14 items and other things in a kitchen, in drawers, behind each other; some in the hand
    kitchen_kept_back   what no training has in kitchens: items at other places, chequered tops
    dishes      9 to 16 dishes and other things in a sink, on racks or beside a machine, in any colour
    dishes_kept_back    what no training has there: dishes at other places, other pairs of a colour and a kind
    bad_input   pictures in which nothing is to be found, or nothing can be seen (`bad_pictures`)

The metric `covered` is the recall of things of which a quarter to three quarters are visible. Eyes that need a
catalogue are told the true colour and size of what is there, and usual ones of what is not. A table of its own tells
how many boxes are right by their scores. Of bad input, `made_up` is the share of phrases with a box of a score of 0.8
or more, and `refused` the share of those pictures in which nothing can be seen of which the eyes say so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from thinkaloud.worlds.vision import Appearance, CannotSee, Eyes, PixelBox, Sight, Sighting, open_eyes, overlap
from thinkaloud_bench.bad_pictures import REFUSED, BadPicture, draw_bad
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.learned_weights import weights_of
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import averaged, by_preset, fractions, measures, pooled
from thinkaloud_worlds.kitchen.item_forms import ITEM_FORMS, form_of
from thinkaloud_worlds.random_dishes import DishStyle, DrawnDishes, draw_random_dishes, photograph_random_dishes
from thinkaloud_worlds.random_kitchens import (
    DrawnKitchen,
    KitchenStyle,
    KitchenThing,
    draw_random_kitchen,
    photograph_random_kitchen,
)
from thinkaloud_worlds.random_tables import (
    DISH_WORDS,
    KITCHEN_WORDS,
    DrawnTable,
    DrawnThing,
    Style,
    TablePicture,
    draw_phrases,
    draw_table,
    fits,
    photograph_drawn,
)
from thinkaloud_worlds.random_tables.forms import FORMS
from thinkaloud_worlds.random_tables.phrases import DrawnScene
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS, FALSE, TRUE

_WIDTH, _HEIGHT = 320, 240
_ENOUGH, _CLEAR, _SAME = 0.25, 0.75, 0.5
_STYLES: dict[str, tuple[Style, int | None]] = {
    "plain": ("plain", None),
    "clutter": ("clutter", None),
    "kept_back": ("kept_back", None),
    "forty": ("clutter", 40),
    "fallen": ("fallen", None),
}
_KITCHENS: dict[str, KitchenStyle] = {"kitchen": "clutter", "kitchen_kept_back": "kept_back"}
_DISHES: dict[str, DishStyle] = {"dishes": "clutter", "dishes_kept_back": "kept_back"}
_BAD = "bad_input"
_BANDS = (0.0, 0.6, 0.8, 0.95)
"""The least scores of the bands in which boxes are counted."""
_HIGH = 0.8
_SEEDS = 400_000
"""Seeds are taken below this number: training and calibration have others."""


def appearance_of(phrase: str, words: Sequence[str], scene: DrawnScene) -> Appearance:
    """Return what a phrase is said to look like: as the thing that it fits, or as such things usually do."""
    for each in scene.things:
        if fits(each.truths, words) != FALSE:
            thing = each.drawn if isinstance(each, KitchenThing) else each
            if thing is None:
                assert isinstance(each, KitchenThing)
                form = each.lying.form
                return Appearance(phrase, form.rgb, form.across, form.height, form.shape == "cup", form.shape != "bag")
            assert isinstance(thing, DrawnThing)
            hollow, tall = thing.kind in ("bowl", "plate", "mug", "ring"), thing.height
            return Appearance(phrase, thing.rgb, thing.across, tall, hollow, thing.kind not in ("block", "box", "book"))
    return _usual_appearance(phrase, words)


def _usual_appearance(phrase: str, words: Sequence[str]) -> Appearance:
    """Return what things of these words usually look like."""
    rgb = next((COLOUR_WORDS[word] for word in words if word in COLOUR_WORDS), None)
    if words[-1] in KITCHEN_WORDS:
        item = next(form for form in ITEM_FORMS.values() if words[-1] in form.true)
        return Appearance(phrase, rgb or item.rgb, item.across, item.height, round=item.shape != "bag")
    if words[-1] in DISH_WORDS:
        dish = form_of(words[-1])
        return Appearance(phrase, rgb or dish.rgb, dish.across, dish.height, top=(dish.across, dish.deep))
    usual = next((form for form in FORMS.values() if words[-1] in form.true), FORMS["block"])
    across = sum(usual.across) / 2
    return Appearance(phrase, rgb or (128, 128, 128), across, across * sum(usual.tall) / 2)


def count_boxes(
    sight: Sight, phrases: dict[str, tuple[str, ...]], scene: DrawnScene, picture: TablePicture
) -> dict[str, float]:
    """Count what was found rightly, said, and to be found; also of things of which a part is covered."""
    scores = dict.fromkeys(("right", "said", "visible", "agreed", "asked", "right_covered", "covered"), 0.0)
    for phrase, words in phrases.items():
        found = [each for each in sight.sightings if each.name == phrase]
        boxes = [each.box for each in found]
        number = next((n for n, thing in enumerate(scene.things) if fits(thing.truths, words) == TRUE), None)
        share = 0.0 if number is None else picture.visible(number)
        if number is not None and share < _ENOUGH:
            continue
        true = None if number is None else picture.box(number)
        right = _meets(boxes, true)
        for band, is_right in _banded(found, true):
            scores[f"said_{band}"] = scores.get(f"said_{band}", 0.0) + 1
            scores[f"right_{band}"] = scores.get(f"right_{band}", 0.0) + is_right
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


def _banded(found: Sequence[Sighting], true: PixelBox | None) -> Iterator[tuple[int, bool]]:
    """The band of each box, by its least score in percent, and whether it is right; a second right box is wrong."""
    for each in sorted(found, key=lambda each: -each.score):
        right = _meets([each.box], true)
        yield round(100 * max(least for least in _BANDS if each.score >= least)), right
        true = None if right else true


def _draw(task: str, seed: int) -> tuple[DrawnTable | DrawnKitchen | DrawnDishes, TablePicture]:
    if task in _KITCHENS:
        kitchen = draw_random_kitchen(seed, _KITCHENS[task])
        return kitchen, photograph_random_kitchen(kitchen, _WIDTH, _HEIGHT)
    if task in _DISHES:
        dishes = draw_random_dishes(seed, _DISHES[task])
        return dishes, photograph_random_dishes(dishes, _WIDTH, _HEIGHT)
    style, count = _STYLES[task]
    table = draw_table(seed, style, count)
    return table, photograph_drawn(table, _WIDTH, _HEIGHT)


async def _play(item: Item, model: OpenedModel) -> Played:
    eyes = open_eyes(item.preset)
    if item.task == _BAD:
        return _play_bad(item, eyes, draw_bad(item.seed % _SEEDS, item.index))
    scene, picture = _draw(item.task, item.seed % _SEEDS)
    phrases = draw_phrases(scene)
    catalogue = [appearance_of(phrase, words, scene) for phrase, words in phrases.items()]
    began = time.perf_counter()
    sight = eyes.look(picture.view, catalogue)
    took = time.perf_counter() - began
    scores = count_boxes(sight, phrases, scene, picture)
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


def _play_bad(item: Item, eyes: Eyes, bad: BadPicture) -> Played:
    """Look at a picture in which nothing is to be found; what is found there is made up."""
    catalogue = [_usual_appearance(phrase, words) for phrase, words in bad.phrases.items()]
    began, sight, refused = time.perf_counter(), Sight(), False
    try:
        sight = eyes.look(bad.view, catalogue)
    except CannotSee:
        refused = True
    took = time.perf_counter() - began
    made_up = {each.name for each in sight.sightings if each.score >= _HIGH}
    return played_as(
        item,
        (),
        success=refused if bad.kind in REFUSED else not made_up,
        seconds=took,
        model="no model",
        request=f"{bad.kind}: {', '.join(bad.phrases)}",
        because="refused" if refused else ", ".join(f"{each.name} {each.score:.2f}" for each in sight.sightings),
        scores={
            "made_up": float(len(made_up)),
            "phrases": float(len(bad.phrases)),
            "refused": float(refused and bad.kind in REFUSED),
            "to_refuse": float(bad.kind in REFUSED),
        },
    )


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        for metric, above, below in (
            ("precision", "right", "said"),
            ("recall", "right", "visible"),
            ("covered", "right_covered", "covered"),
            ("accuracy", "agreed", "asked"),
            ("made_up", "made_up", "phrases"),
            ("refused", "refused", "to_refuse"),
        ):
            found += fractions(bench, preset, tasks, metric, pooled(above, below))
        for band in _BANDS:
            name = f"{100 * band:.0f}"
            found += fractions(bench, preset, tasks, f"right_from_{name}", pooled(f"right_{name}", f"said_{name}"))
        found += measures(preset, tasks, {"seconds": averaged("seconds")})
    return found


def _lists(rows: Sequence[Row]) -> dict[str, list[list[str]]]:
    """How many boxes are right, by their scores, for each column."""
    found = dict[str, list[list[str]]]()
    banded = {(each.preset, each.task, each.metric): each for each in rows if each.metric.startswith("right_from_")}
    metrics = [f"right_from_{100 * least:.0f}" for least in _BANDS]
    for preset in dict.fromkeys(preset for preset, _, _ in banded):
        tasks = dict.fromkeys(task for name, task, _ in banded if name == preset)
        above = [*(f"{least:g} to {most:g}" for least, most in pairwise(_BANDS)), f"{_BANDS[-1]:g} or more"]
        lines = [[task, *(_share(banded.get((preset, task, each))) for each in metrics)] for task in tasks]
        found[f"right boxes by their scores, in % (how many), {preset}"] = [["task", *above], *lines]
    return found


def _share(found: Row | None) -> str:
    return "" if found is None else f"{100 * found.value:.0f} ({found.n})"


def _open_column(name: str) -> Path | None:
    """Return the weights of these eyes; BadInput if there are none, or they cannot be opened."""
    open_eyes(name)
    return weights_of("eyes", name)


def _paper(**figures: float) -> dict[str, dict[str, float]]:
    return {name: dict.fromkeys((*_STYLES, *_KITCHENS, *_DISHES), value) for name, value in figures.items()}


BENCH = Bench(
    "random-tables",
    "Our own: what eyes find on random tables by words; beside Inner Monologue's Table 5",
    tasks={
        "plain": Task("plain", "A few things, apart"),
        "clutter": Task("clutter", "Many things that touch and cover each other"),
        "kept_back": Task("kept_back", "Combinations, a pattern and shapes that training never had"),
        "forty": Task("forty", "Up to forty things"),
        "fallen": Task("fallen", "Bottles and cans on their sides, in heaps"),
        "kitchen": Task("kitchen", "Items in a kitchen, behind each other and in drawers"),
        "kitchen_kept_back": Task("kitchen_kept_back", "The same as training never has it"),
        "dishes": Task("dishes", "Dishes in any colour in a sink, on racks, beside a machine"),
        "dishes_kept_back": Task("dishes_kept_back", "The same as training never has it"),
        "bad_input": Task("bad_input", "Nothing to find, or nothing to see"),
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
        Shown("made_up"),
        Shown("refused"),
        Shown("seconds", percent=False),
    ),
    paper={
        "precision": _paper(ViLD=0.857, MDETR=0.396),
        "recall": _paper(ViLD=0.720, MDETR=0.875),
        "accuracy": _paper(ViLD=0.889, MDETR=0.682),
    },
    episodes=50,
    only_own=True,
    column=_open_column,
    lists=_lists,
)
