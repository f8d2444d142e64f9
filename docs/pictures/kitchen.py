"""Draws docs/pictures/kitchen.png: the kitchen as its robot sees it, with the boxes of the eyes `learned`.

python docs/pictures/kitchen.py

The eyes are asked for all that may be in the kitchen; each thing has the surest of the names that fit it.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from thinkaloud.perceive.learned_eyes import LearnedDetector
from thinkaloud.robots import open_world
from thinkaloud.worlds.learned_files import named_file
from thinkaloud_bench.staged_pictures import picture_kitchen

SEEDS = (28, 20)
LARGER, INK, HALO = 2, (20, 60, 140), (255, 255, 255)


def draw(detector: LearnedDetector, seed: int) -> Image.Image:
    """Draw one picture."""
    view = picture_kitchen(seed).view
    image = Image.fromarray(view.rgb).resize((view.rgb.shape[1] * LARGER, view.rgb.shape[0] * LARGER))
    drawing, font = ImageDraw.Draw(image), ImageFont.load_default(15)
    for found in detector.detect(view, open_world("kitchen").appearances()):
        left, top, right, bottom = (LARGER * side for side in found.box)
        drawing.rectangle((left - 2, top - 2, right + 3, bottom + 3), outline=INK, width=2)
        told = f"{found.name} {found.score:.2f}"
        drawing.text((left, max(top - 20, 0)), told, fill=INK, font=font, stroke_width=2, stroke_fill=HALO)
    return image


def main() -> None:
    """Write the pictures side by side."""
    images = [draw(LearnedDetector(named_file("eyes", "")), seed) for seed in SEEDS]
    wide, tall = images[0].size
    sheet = Image.new("RGB", (len(images) * (wide + 6) - 6, tall), HALO)
    for number, image in enumerate(images):
        sheet.paste(image, (number * (wide + 6), 0))
    sheet.quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        Path(__file__).with_suffix(".png"), optimize=True
    )


if __name__ == "__main__":
    main()
