"""Draws places.png: the table from above, as the robot's camera sees it, with the nine named places.

python docs/pictures/places.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from thinkaloud_worlds.tabletop import Tabletop, load_scene
from thinkaloud_worlds.tabletop.camera import look_down, pixel_at
from thinkaloud_worlds.tabletop.layout import PLACES

HERE = Path(__file__).parent
SCENE = HERE.parents[1] / "examples" / "scenes" / "two_colours.toml"
SCALE, MARGIN = 3, 26
INK = (34, 38, 46)


def main() -> None:
    """Draw the picture beside this file."""
    seen = look_down(Tabletop(load_scene(SCENE)).physics)
    table = Image.fromarray(np.clip(seen.rgb, 0, 255).astype(np.uint8))
    table = table.resize((table.width * SCALE, table.height * SCALE), Image.Resampling.NEAREST)
    page = Image.new("RGB", (table.width + 2 * MARGIN, table.height + 2 * MARGIN), (250, 250, 248))
    page.paste(table, (MARGIN, MARGIN))
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(13)
    for name, region in PLACES.items():
        (top, left), (bottom, right) = (pixel_at(*at) for at in zip(region.x, reversed(region.y), strict=True))
        box = [MARGIN + (at + 0.5) * SCALE for at in (left, top, right, bottom)]
        draw.rectangle(box, outline=INK)
        centre = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        draw.multiline_text(centre, name.replace(" ", "\n"), fill=INK, font=font, anchor="mm", align="center")
    middle = page.width / 2
    draw.text((middle, MARGIN / 2), "the arm stands here;  y = -0.2", fill=INK, font=font, anchor="mm")
    draw.text((middle, page.height - MARGIN / 2), "you stand here;  y = -0.8", fill=INK, font=font, anchor="mm")
    page.quantize(128).save(HERE / "places.png", optimize=True)


if __name__ == "__main__":
    main()
