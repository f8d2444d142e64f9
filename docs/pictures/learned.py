"""Draws what the learned parts see: `eyes-find.png`, `hands-look.png` and `eyes-miss.png`, beside this file.

python docs/pictures/learned.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from thinkaloud.errors import SkillError
from thinkaloud.perceive.learned_eyes import Found, LearnedDetector
from thinkaloud.worlds.hands import open_hands
from thinkaloud.worlds.learned_files import shipped_file
from thinkaloud.worlds.vision import overlap
from thinkaloud_bench.single_steps import draw_step
from thinkaloud_worlds.random_tables import (
    DrawnTable,
    Style,
    TablePicture,
    draw_phrases,
    draw_table,
    fits,
    photograph_drawn,
)
from thinkaloud_worlds.random_tables.words import TRUE

HERE = Path(__file__).parent
SIZE = (400, 300)
RIGHT, WRONG, MISSED = (40, 170, 60), (220, 40, 40), (255, 150, 0)


def side_by_side(pictures: list[Image.Image], columns: int) -> Image.Image:
    """Put pictures of one size into rows."""
    width, height = pictures[0].size
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * (width + 4) - 4, rows * (height + 4) - 4), "white")
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number % columns * (width + 4), number // columns * (height + 4)))
    return sheet


def looked_at(eyes: LearnedDetector, seed: int, style: Style, count: int | None = None) -> tuple[Image.Image, int]:
    """Draw a table with what the eyes find by words; how much of it is wrong or missed."""
    table = draw_table(seed, style, count)
    picture = photograph_drawn(table, *SIZE)
    phrases = draw_phrases(table)
    found = eyes.find(picture.view, list(phrases))
    drawing = Image.fromarray(np.asarray(picture.view.rgb, np.uint8))
    pen, faults = ImageDraw.Draw(drawing), 0
    for phrase, words in phrases.items():
        faults += _draw_phrase(pen, table, picture, words, [each for each in found if each.phrase == phrase])
    return drawing, faults


def _draw_phrase(
    pen: ImageDraw.ImageDraw, table: DrawnTable, picture: TablePicture, words: tuple[str, ...], found: list[Found]
) -> int:
    number = next((n for n, thing in enumerate(table.things) if fits(thing.truths, words) == TRUE), None)
    true = None if number is None or picture.visible(number) < 0.25 else picture.box(number)
    faults, hit = 0, False
    for each in found:
        right = true is not None and overlap(each.box, true) >= 0.5
        hit, faults = hit or right, faults + (not right)
        pen.rectangle(each.box, outline=RIGHT if right else WRONG, width=2)
        pen.text(
            (each.box[0] + 3, each.box[1] + 1),
            f"{each.phrase} {each.score:.2f}",
            fill="black",
            stroke_width=2,
            stroke_fill="white",
        )
    if true is not None and not hit:
        pen.rectangle(true, outline=MISSED, width=2)
        pen.text(
            (true[0] + 3, true[1] + 1), f"missed: {' '.join(words)}", fill="black", stroke_width=2, stroke_fill="white"
        )
        faults += 1
    return faults


def pointed_at(seed: int, task: str) -> Image.Image | None:
    """Draw where the hands look for a step: red for the pick, blue for the place; None if they refuse."""
    table, step, sentence = draw_step(seed, task)
    rgb, height = table.from_above()
    sentence = sentence or table.skills["pick_and_place"].step(step).words
    try:
        pointing = open_hands("learned").point(rgb, height, sentence)
    except SkillError:
        return None
    shown = np.asarray(Image.fromarray(rgb.astype(np.uint8)).resize((300, 300)), np.float32) * 0.65
    for spot, colour in ((pointing.pick, (255, 40, 40)), (pointing.place, (60, 90, 255))):
        likely = (
            np.exp(spot.map - spot.map.max()) if spot.map.min() < 0 else spot.map / max(float(spot.map.max()), 1e-6)
        )
        mask = (
            np.asarray(Image.fromarray((likely * 255).astype(np.uint8)).resize((300, 300)), np.float32)[..., None] / 255
        )
        shown = shown * (1 - mask) + np.array(colour, np.float32) * mask
    drawing = Image.new("RGB", (300, 332), "white")
    drawing.paste(Image.fromarray(shown.astype(np.uint8)), (0, 0))
    pen = ImageDraw.Draw(drawing)
    for spot, colour in ((pointing.pick, "red"), (pointing.place, "blue")):
        y, x = (share * 300 for share in spot.at)
        pen.ellipse((x - 6, y - 6, x + 6, y + 6), outline=colour, width=2)
    half = sentence.find(" ", len(sentence) // 2)
    pen.text((2, 302), f"{sentence[:half]}\n{sentence[half + 1 :]}", fill="black")
    return drawing


def main() -> None:
    """Draw all three."""
    file = shipped_file("eyes")
    assert file is not None
    eyes = LearnedDetector(file)
    few = [
        looked_at(eyes, seed, style)[0]
        for seed, style in ((300_100, "plain"), (300_101, "plain"), (300_102, "kept_back"), (300_103, "clutter"))
    ]
    side_by_side(few, 2).quantize(96).save(HERE / "eyes-find.png", optimize=True)
    looks = [picture for seed in range(300_100, 300_110) if (picture := pointed_at(seed, "unseen")) is not None]
    side_by_side(looks[:4], 4).quantize(96).save(HERE / "hands-look.png", optimize=True)
    tried = [
        looked_at(eyes, seed, style, count)
        for seed, style, count in (
            (300_201, "clutter", 40),
            (300_202, "kept_back", None),
            (300_203, "kept_back", None),
            (300_204, "clutter", None),
            (300_205, "plain", None),
            (300_206, "plain", None),
        )
    ]
    worst = sorted(tried, key=lambda each: -each[1])[:2]
    side_by_side([picture for picture, _ in worst], 2).quantize(96).save(HERE / "eyes-miss.png", optimize=True)


if __name__ == "__main__":
    main()
