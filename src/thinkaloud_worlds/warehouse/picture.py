"""A picture of the hall from above, for people: what is there, and what the robot knows of it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from thinkaloud.worlds.geometry import Rgb, Xy
from thinkaloud_worlds.warehouse.floor_geometry import LENGTH, RANGE, VIEW, WIDTH, Rect
from thinkaloud_worlds.warehouse.landmarks import KINDS
from thinkaloud_worlds.warehouse.physics import Hall
from thinkaloud_worlds.warehouse.robot_map import POINT, Chart

_FLOOR, _LINES, _WALL, _SHELF = (236, 235, 230), (224, 223, 217), (96, 99, 104), (148, 138, 122)
_SIGN, _PATH, _MET, _ROBOT = (36, 96, 176), (36, 150, 84), (214, 40, 40), (40, 44, 52)
_FINE = 2  # drawn this many times larger, and shrunk


def hall_picture(
    hall: Hall, chart: Chart, path: tuple[Xy, ...], believed: Mapping[str, Xy], width: int, height: int
) -> NDArray[np.uint8]:
    """Draw the hall: things not detected yet are pale, detected points are red, the robot's path is green."""
    return np.asarray(_Drawn(hall, width, height).all(chart, path, believed))


class _Drawn:
    def __init__(self, hall: Hall, width: int, height: int) -> None:
        self._hall, self._size = hall, (width, height)
        self._image = Image.new("RGB", (width * _FINE, height * _FINE), _WALL)
        self._draw = ImageDraw.Draw(self._image, "RGBA")
        length, across = hall.scene.size
        self._scale = _FINE * min(width / (length + 0.4), height / (across + 0.4))
        self._left = (width * _FINE - length * self._scale) / 2
        self._top = (height * _FINE + across * self._scale) / 2

    def all(self, chart: Chart, path: tuple[Xy, ...], believed: Mapping[str, Xy]) -> Image.Image:
        """Draw everything, from the floor up."""
        self._floor()
        found = chart.found()
        for i, (name, thing) in enumerate(self._hall.things.items()):
            if self._hall.present(name):
                colour = KINDS[thing.kind].colour if thing.kind in KINDS else (150, 150, 150)
                self._thing(
                    thing.rect, colour if i in found else _pale(colour), _dark(colour), name if i in found else ""
                )
        for column, row in chart.met:
            x, y = self._at(column * POINT, row * POINT)
            r = max(0.03 * self._scale, 1)
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=_MET)
        if len(path) > 1:
            self._draw.line([self._at(*point) for point in path], fill=_PATH, width=max(round(0.06 * self._scale), 2))
        self._signs()
        self._robot()
        self._labels(believed)
        return self._image.resize(self._size, Image.Resampling.LANCZOS)

    def _at(self, x: float, y: float) -> Xy:
        return self._left + x * self._scale, self._top - y * self._scale

    def _box(self, rect: Rect) -> tuple[float, float, float, float]:
        left, bottom = self._at(rect.x - rect.length / 2, rect.y - rect.width / 2)
        right, top = self._at(rect.x + rect.length / 2, rect.y + rect.width / 2)
        return left, top, right, bottom

    def _floor(self) -> None:
        length, across = self._hall.scene.size
        self._draw.rectangle(self._box(Rect(length / 2, across / 2, length, across)), fill=_FLOOR)
        for metre in range(1, math.ceil(length)):
            self._draw.line([self._at(metre, 0), self._at(metre, across)], fill=_LINES)
        for metre in range(1, math.ceil(across)):
            self._draw.line([self._at(0, metre), self._at(length, metre)], fill=_LINES)
        for wall in self._hall.scene.walls:
            self._draw.rectangle(self._box(wall.rect), fill=_WALL)
        for shelf in self._hall.scene.shelves:
            self._draw.rectangle(self._box(shelf.rect), fill=_SHELF, outline=_dark(_SHELF), width=_FINE)

    def _thing(self, rect: Rect, fill: Rgb, edge: Rgb, name: str) -> None:
        self._draw.rectangle(self._box(rect), fill=fill, outline=edge if name else _pale(edge), width=_FINE)
        if name:
            self._text(name, self._at(rect.x, rect.y), (30, 30, 30), 0.24)

    def _signs(self) -> None:
        for place in self._hall.scene.places().values():
            x, y = self._at(*place)
            r = 0.13 * self._scale
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=_SIGN, outline=(255, 255, 255), width=_FINE)

    def _labels(self, believed: Mapping[str, Xy]) -> None:
        for name, place in self._hall.scene.places().items():
            x, y = self._at(*place)
            wrong = next((other for other, at in believed.items() if at == place and other != name), None)
            label = f"{name} (map: {wrong})" if wrong else name
            self._text(label, (x, y - 0.32 * self._scale), _SIGN, 0.28)

    def _text(self, text: str, at: Xy, colour: Rgb, size: float) -> None:
        font = ImageFont.load_default(max(size * self._scale, 9 * _FINE))
        half = self._draw.textlength(text, font=font) / 2
        x = min(max(at[0], half + 2), self._image.width - half - 2)
        self._draw.text((x, at[1]), text, fill=colour, font=font, anchor="mm", stroke_width=_FINE, stroke_fill=_FLOOR)

    def _robot(self) -> None:
        x, y, heading = self._hall.pose
        corners = [
            (LENGTH / 2, WIDTH / 2),
            (LENGTH / 2, -WIDTH / 2),
            (-LENGTH / 2, -WIDTH / 2),
            (-LENGTH / 2, WIDTH / 2),
        ]
        nose = [(LENGTH / 2 - 0.06, 0.0), (LENGTH / 2 - 0.22, 0.12), (LENGTH / 2 - 0.22, -0.12)]
        cx, cy = self._at(x, y)
        reach, ahead = RANGE * self._scale, -math.degrees(heading)
        view = (cx - reach, cy - reach, cx + reach, cy + reach)
        self._draw.pieslice(
            view, ahead - VIEW / 2, ahead + VIEW / 2, fill=(80, 140, 220, 26), outline=(80, 140, 220, 90)
        )
        self._draw.polygon([self._turned(*corner) for corner in corners], fill=_ROBOT)
        self._draw.polygon([self._turned(*corner) for corner in nose], fill=(250, 190, 40))

    def _turned(self, ahead: float, aside: float) -> Xy:
        x, y, heading = self._hall.pose
        cos, sin = math.cos(heading), math.sin(heading)
        return self._at(x + ahead * cos - aside * sin, y + ahead * sin + aside * cos)


def _pale(colour: Rgb) -> Rgb:
    r, g, b = (round(0.35 * part + 0.65 * light) for part, light in zip(colour, _FLOOR, strict=True))
    return r, g, b


def _dark(colour: Rgb) -> Rgb:
    r, g, b = (round(0.6 * part) for part in colour)
    return r, g, b
