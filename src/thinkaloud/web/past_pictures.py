"""How it looked then: the world of a session as it was at an event, drawn or photographed."""

from __future__ import annotations

import asyncio
import io
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.errors import ThinkaloudError
from thinkaloud.monologue import Event
from thinkaloud.records import Begin, Observation
from thinkaloud.robots import is_own_robot
from thinkaloud.staging.opening import open_world_of
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud.worlds.drawing import Drawing, draw, draw_board
from thinkaloud.worlds.interventions import Box, Eyed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_T = TypeVar("_T")
_KEPT = 2
"""Worlds that are kept open: a time slider asks for the same one again and again."""
_WIDE, _HIGH = 320, 240
_ENLARGED = 3
_LINE, _HALO = (20, 60, 140), (255, 255, 255)


class PastWorlds:
    """Opens worlds of sessions that are not live, and puts them into earlier states; in a thread of their own."""

    def __init__(self) -> None:
        self._worlds: OrderedDict[str, World] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="past")

    async def scene(self, id: str, begin: Begin, snapshot: bytes | None, seen: Observation | None) -> Drawing:
        """What was to be drawn; of a robot of one's own, what was seen."""
        if snapshot is None or is_own_robot(begin.world):
            return draw_board(seen)
        return await self._do(lambda: draw(self._at(id, begin, snapshot), seen))

    async def picture(self, id: str, begin: Begin, snapshot: bytes | None, *, boxes: bool) -> bytes | None:
        """What was seen, as a PNG; None where nobody knows any more."""
        if snapshot is None or is_own_robot(begin.world):
            return None
        return await self._do(lambda: picture_world(self._at(id, begin, snapshot), boxes=boxes))

    async def film(self, id: str, begin: Begin, moments: Sequence[tuple[Event, bytes | None]]) -> bytes | None:
        """The course of a session as an animated GIF, from the world at each event; None where nothing can be seen."""
        first = next((snapshot for _, snapshot in moments if snapshot is not None), None)
        if first is None or is_own_robot(begin.world):
            return None
        return await self._do(lambda: _film(self._at(id, begin, first), moments))

    async def english(self, id: str, begin: Begin) -> PersonEnglish | None:
        """What puts a robot's sentences into a person's English; None for a robot that cannot be opened here."""
        if is_own_robot(begin.world):
            return None
        with suppress(ThinkaloudError, ModuleNotFoundError):
            return await self._do(lambda: PersonEnglish(self._opened(id, begin)))
        return None

    def close(self) -> None:
        """Let go of all of them."""
        self._thread.shutdown()
        self._worlds.clear()

    async def _do(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _at(self, id: str, begin: Begin, snapshot: bytes) -> World:
        world = self._opened(id, begin)
        with suppress(NotImplementedError):  # a real robot cannot be put back
            world.restore(snapshot)
        return world

    def _opened(self, id: str, begin: Begin) -> World:
        if id not in self._worlds:
            self._worlds[id] = open_world_of(begin)
            while len(self._worlds) > _KEPT:
                self._worlds.popitem(last=False)
        self._worlds.move_to_end(id)
        return self._worlds[id]


def _film(world: World, moments: Sequence[tuple[Event, bytes | None]]) -> bytes | None:
    from thinkaloud.episode.film import Film

    pictured = find_ability(world, Pictured)
    if pictured is None:
        return None
    film = Film(pictured)
    for event, snapshot in moments:
        if snapshot is not None:
            world.restore(snapshot)
            film.hear(event)
    with tempfile.TemporaryDirectory() as folder:
        return film.save(Path(folder) / "film.gif").film.read_bytes()


def picture_world(world: World, *, boxes: bool) -> bytes | None:
    """What the robot's eye sees, with a box round each thing that it finds; else the world as people see it, if so."""
    eyed = find_ability(world, Eyed) if boxes else None
    if eyed is not None:
        picture, found = eyed.camera_picture()
        return _png(picture, found, _ENLARGED)
    pictured = find_ability(world, Pictured)
    return None if pictured is None else _png(pictured.render(_WIDE, _HIGH), {}, 1)


def _png(picture: NDArray[np.uint8], boxes: Mapping[str, Box], larger: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(picture)
    image = image.resize((image.width * larger, image.height * larger))
    drawing, font = ImageDraw.Draw(image), ImageFont.load_default(13)
    for name, box in boxes.items():
        left, top, right, bottom = (larger * side for side in box)
        drawing.rectangle((left - 2, top - 2, right + larger + 1, bottom + larger + 1), outline=_LINE, width=2)
        drawing.text((left, max(top - 18, 0)), name, fill=_LINE, font=font, stroke_width=2, stroke_fill=_HALO)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
