"""A picture of the machine for people, not to scale: where everything is, with colours for its true condition."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from thinkaloud.skills.signatures import capitalised
from thinkaloud.worlds.geometry import Rgb
from thinkaloud_worlds.dishwasher.known_state import IN_HAND
from thinkaloud_worlds.dishwasher.scene import kind_without_number
from thinkaloud_worlds.dishwasher.true_state import Process

_Box = tuple[float, float, float, float]
_WIDE, _HIGH = 320, 240  # the sheet whose units are used below
_FINE = 2  # it is drawn this many times larger, and then shrunk
_INK, _FAINT, _PAPER = (34, 38, 46), (120, 124, 132), (246, 246, 243)
_BASIN, _SHELF, _STEEL, _DARK = (212, 224, 230), (230, 238, 224), (196, 202, 208), (92, 98, 106)
_CAVITY, _RACK, _GLASS, _LIGHT = (232, 235, 238), (150, 158, 166), (70, 110, 150), (60, 170, 90)
_DIRTY, _SCRAPED, _HOT, _WET, _READY = (142, 96, 54), (226, 192, 128), (238, 134, 62), (98, 156, 226), (252, 253, 250)
_GOOD, _BAD = (40, 150, 84), (196, 52, 44)
_START, _FINISHED, _BODY = (8, 62, 84, 222), (244, 62, 312, 222), (102, 62, 218, 222)
_OUT = 14  # how far the racks are pulled out


class _Sheet:
    """Draws in the units of the sheet, whatever the size of the picture."""

    def __init__(self, width: int, height: int) -> None:
        self.scale = _FINE * max(min(width / _WIDE, height / _HIGH), 0.1)
        self.size = (width, height)
        self.image = Image.new("RGB", (math.ceil(_WIDE * self.scale), math.ceil(_HIGH * self.scale)), _PAPER)
        self.draw = ImageDraw.Draw(self.image, "RGBA")

    def _at(self, box: Sequence[float]) -> list[float]:
        return [each * self.scale for each in box]

    def _line(self, width: float) -> int:
        return max(round(width * self.scale), 1)

    def box(self, box: _Box, fill: tuple[int, ...] | None, edge: Rgb | None = None, round_by: float = 3) -> None:
        """A rectangle with round corners."""
        at, radius = self._at(box), round_by * self.scale
        self.draw.rounded_rectangle(at, radius, fill=fill, outline=edge, width=self._line(1))

    def oval(self, box: _Box, fill: Rgb | None, edge: Rgb | None = None, width: float = 0.8) -> None:
        """A circle or an ellipse."""
        self.draw.ellipse(self._at(box), fill=fill, outline=edge, width=self._line(width))

    def half(self, box: _Box, fill: Rgb, edge: Rgb) -> None:
        """The lower half of an ellipse."""
        self.draw.chord(self._at(box), 0, 180, fill=fill, outline=edge, width=self._line(0.8))

    def line(self, points: Sequence[float], fill: Rgb, width: float = 1) -> None:
        """A line through points."""
        self.draw.line(self._at(points), fill=fill, width=self._line(width), joint="curve")

    def text(self, x: float, y: float, words: str, *, size: float = 9, fill: Rgb = _INK, room: float = _WIDE) -> None:
        """Words centred on a point, shortened if there is no room."""
        font = ImageFont.load_default(size * self.scale)
        while len(words) > 1 and self.draw.textlength(words, font=font) > room * self.scale:
            words = words.rstrip("…")[:-1] + "…"
        self.draw.text((x * self.scale, y * self.scale), words, fill=fill, font=font, anchor="mm")

    def length(self, words: str, size: float) -> float:
        """The width of words."""
        return self.draw.textlength(words, font=ImageFont.load_default(size * self.scale)) / self.scale

    def picture(self) -> NDArray[np.uint8]:
        """The sheet, shrunk, in the middle of a picture of the requested size."""
        width, height = self.size
        image = Image.new("RGB", self.size, _PAPER)
        small = (max(round(self.image.width / _FINE), 1), max(round(self.image.height / _FINE), 1))
        sheet = self.image.resize(small, Image.Resampling.LANCZOS)
        image.paste(sheet, ((width - small[0]) // 2, (height - small[1]) // 2))
        return np.asarray(image)


def machine_picture(process: Process, width: int, height: int) -> NDArray[np.uint8]:
    """The machine, the places on its left and right, the gripper above, and what the colours mean."""
    sheet, scene = _Sheet(width, height), process.scene
    for place, box, colour in ((scene.start_place, _START, _BASIN), (scene.finished, _FINISHED, _SHELF)):
        sheet.text((box[0] + box[2]) / 2, box[1] - 7, capitalised(place), room=box[2] - box[0] + 6)
        sheet.box(box, colour, _DARK)
        _fill(sheet, process, _at(process, place), box)
    _gripper(sheet, process)
    _machine(sheet, process)
    _legend(sheet, process)
    return sheet.picture()


def _at(process: Process, place: str) -> list[str]:
    return [name for name, where in process.known.places.items() if where == place]


def _gripper(sheet: _Sheet, process: Process) -> None:
    held, middle = process.known.held, (_BODY[0] + _BODY[2]) / 2 if process.known.out else 46
    half = 11 if held else 15
    sheet.line((middle, 0, middle, 10), _DARK, 5)
    sheet.line((middle - half, 30, middle - half, 11, middle + half, 11, middle + half, 30), _DARK, 3)
    if held:
        _icon(sheet, process, held, (middle - 9, 15, middle + 9, 33))
        sheet.text(middle, 40, held, size=8, room=90)


def _machine(sheet: _Sheet, process: Process) -> None:
    known, scene = process.known, process.scene
    left, top, right, bottom = _BODY
    sheet.text((left + right) / 2, top - 7, capitalised(scene.machine), room=right - left)
    sheet.box(_BODY, _STEEL, _DARK)
    sheet.oval((left + 6, top + 5, left + 14, top + 13), _LIGHT if known.running else _DARK)
    sheet.text((left + right) / 2 + 6, top + 9, _status(process), size=8, room=right - left - 22)
    sheet.box((left + 5, top + 17, right - 5, bottom - 22), _CAVITY, _DARK)
    count = len(scene.compartments)
    each = (bottom - 22 - top - 19) / count
    for number, name in enumerate(scene.compartments):
        y = top + 18 + number * each
        dx = _OUT if known.out else 0
        box = (left + 8 + dx, y + 1, right - 8 + dx, y + each - 1)
        if known.out:
            sheet.line((left + 8, y + each - 2, right - 8 + _OUT, y + each - 2), _DARK, 1.4)
        sheet.box(box, (255, 255, 255, 120), _RACK, 2)
        if each >= 14:
            sheet.text((box[0] + box[2]) / 2, y + 6, name, size=7, fill=_FAINT, room=box[2] - box[0])
        _fill(sheet, process, _at(process, name), (box[0], y + (9 if each >= 22 else 0), box[2], box[3]))
    if known.open:
        sheet.box((left - 4, bottom - 4, right + 4, bottom + 3), _DARK, _INK, 2)
    else:
        sheet.box((left + 5, top + 17, right - 5, bottom - 22), (*_GLASS, 150 if known.running else 105), _DARK)
        sheet.line((left + 30, bottom - 25, right - 30, bottom - 25), _INK, 2.4)
    words = known.additive or f"no {scene.additive}"
    sheet.box((left + 8, bottom - 18, left + 18, bottom - 8), _WET if known.additive else _PAPER, _DARK, 2)
    sheet.text((left + right) / 2 + 8, bottom - 13, words, size=8, room=right - left - 28)


def _status(process: Process) -> str:
    if process.known.running:
        return f"{max(process.ends_at - process.now, 0):.0f} min left"
    over = ", cycle over" if process.known.washed & {*process.rules.inside(process.known)} else ""
    return f"{'open' if process.known.open else 'closed'}{over}"


def _legend(sheet: _Sheet, process: Process) -> None:
    scene = process.scene
    wet = "wet" if "dry" in scene.ready.lower() else "hot"
    shown = [(_DIRTY, scene.dirty), (_SCRAPED, "prepared"), (_HOT, "hot"), (_WET, "wet"), (_READY, scene.ready)]
    shown = [pair for pair in shown if pair[1] != "wet" or wet == "wet"]
    lengths = [sheet.length(words, 8) + 22 for _, words in shown]
    tight = min(_WIDE / sum(lengths), 1.0)
    x = 8.0
    for (colour, words), length in zip(shown, lengths, strict=True):
        sheet.oval((x, 229, x + 7, 236), colour, _GOOD if colour == _READY else _DARK)
        room = (length - 22) * tight
        sheet.text(x + 10 + room / 2, 232.5, words, size=8, room=room + 1)
        x += length * tight


def _fill(sheet: _Sheet, process: Process, names: list[str], box: _Box) -> None:
    """Draw things side by side in a box, as large as fits."""
    if not names:
        return
    left, top, right, bottom = box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2
    wide, high = right - left, bottom - top
    side = max(min(wide // columns, high // math.ceil(len(names) / columns)) for columns in range(1, len(names) + 1))
    side = max(min(side, 18), 3)
    columns = max(int(wide // side), 1)
    for number, name in enumerate(names):
        x, y = left + number % columns * side, top + number // columns * side
        _icon(sheet, process, name, (x + 1, y + 1, x + side - 1, y + side - 1))


def _colours(process: Process, name: str) -> tuple[Rgb, Rgb]:
    known = process.known
    if name in known.washed and known.places[name] != IN_HAND:
        if process.faults.get(name):
            return _DIRTY, _BAD
        state = process.needs_time(name)
        return {"hot": (_HOT, _DARK), "wet": (_WET, _DARK)}.get(state, (_READY, _GOOD))
    return (_SCRAPED if name in known.prepared else _DIRTY), _DARK


def _icon(sheet: _Sheet, process: Process, name: str, box: _Box) -> None:
    """Draw a thing: in a form suggested by its kind, else as a tile with the first letters of its kind."""
    fill, edge = _colours(process, name)
    kind, (left, top, right, bottom) = kind_without_number(name), box
    wide, high, middle = right - left, bottom - top, (left + right) / 2
    if re.search(r"plate|dish|saucer|platter", kind):
        sheet.oval(box, fill, edge)
        sheet.oval((left + wide / 4, top + high / 4, right - wide / 4, bottom - high / 4), None, edge, 0.6)
    elif re.search(r"bowl|basin", kind):
        sheet.half((left, top - high * 0.55, right, bottom - high * 0.1), fill, edge)
    elif re.search(r"cup|mug|glass|beaker", kind):
        sheet.oval((right - wide * 0.45, top + high * 0.25, right, bottom - high * 0.25), None, edge, 1)
        sheet.box((left + wide * 0.12, top + high * 0.1, right - wide * 0.25, bottom - high * 0.1), fill, edge, 1.5)
    elif found := re.search(r"fork|knife|spoon", kind):
        sheet.line((middle, top, middle, bottom), edge, 3)
        sheet.line((middle, top + 0.5, middle, bottom - 0.5), fill, 1.6)
        _head(sheet, found[0], middle, box, fill, edge)
    else:
        sheet.box(box, fill, edge, 2)
        dark = fill == _DIRTY
        sheet.text(middle, (top + bottom) / 2, kind[:2], size=max(high * 0.55, 3), fill=_PAPER if dark else _INK)


def _head(sheet: _Sheet, kind: str, middle: float, box: _Box, fill: Rgb, edge: Rgb) -> None:
    """Draw the upper end of a piece of cutlery."""
    _, top, _, bottom = box
    high = bottom - top
    if kind == "fork":
        for dx in (-high * 0.2, 0, high * 0.2):
            sheet.line((middle + dx, top, middle + dx, top + high * 0.35), edge, 2)
        sheet.line((middle - high * 0.2, top + high * 0.35, middle + high * 0.2, top + high * 0.35), edge, 2)
    elif kind == "spoon":
        sheet.oval((middle - high * 0.22, top, middle + high * 0.22, top + high * 0.5), fill, edge)
    else:
        sheet.box((middle - high * 0.05, top, middle + high * 0.2, top + high * 0.6), fill, edge, 1)
