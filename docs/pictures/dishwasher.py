"""Draws docs/pictures/dishwasher.png: the dishwasher's kitchen as its robot sees it, with what it takes things for.

python docs/pictures/dishwasher.py docs/pictures/dishwasher.png

The names are those that the robot gives to what the eyes `learned` find. They do not know forks, knives and spoons.
"""

from __future__ import annotations

import sys

from PIL import Image, ImageDraw, ImageFont

from thinkaloud.robots import open_world
from thinkaloud_worlds.dishwasher import Dishwasher
from thinkaloud_worlds.dishwasher.sight import MachineSight

SEED = 3
LOADED = ("plate 1", "plate 2", "cup 1", "bowl 1", "bowl 2", "fork 1")
SHOWN = ("sink", "second rack", "third rack")
LARGER, INK, HALO = 2, (20, 60, 140), (255, 255, 255)


def draw(sight: MachineSight, place: str) -> Image.Image:
    """Draw one place."""
    rgb, boxes = sight.look_at(place)[0].rgb, sight.boxes(place)
    image = Image.fromarray(rgb).resize((rgb.shape[1] * LARGER, rgb.shape[0] * LARGER))
    drawing, font = ImageDraw.Draw(image), ImageFont.load_default(15)
    for name, box in boxes.items():
        left, top, right, bottom = (LARGER * side for side in box)
        drawing.rectangle((left - 2, top - 2, right + 3, bottom + 3), outline=INK, width=2)
        drawing.text((left, max(top - 20, 0)), name, fill=INK, font=font, stroke_width=2, stroke_fill=HALO)
    return image


def main(out: str) -> None:
    """Write the pictures side by side."""
    world = open_world("dishwasher", eyes="learned")
    assert isinstance(world, Dishwasher)
    world.reset(SEED)
    known = world.process.known
    known.open = known.out = True
    known.places |= {name: world.scene.belongs(name) for name in LOADED}
    world.observe()
    sight = world.sight
    assert sight is not None
    images = [draw(sight, place) for place in SHOWN]
    wide, tall = images[0].size
    sheet = Image.new("RGB", (len(images) * (wide + 6) - 6, tall), HALO)
    for number, image in enumerate(images):
        sheet.paste(image, (number * (wide + 6), 0))
    sheet = sheet.resize((sheet.width * 2 // 3, sheet.height * 2 // 3), Image.Resampling.LANCZOS)
    sheet.quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(out, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1])
