"""How it looked then: the world of a session as it was at an event, drawn or photographed."""

from __future__ import annotations

import asyncio
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.errors import ThinkaloudError
from thinkaloud.monologue import Event
from thinkaloud.records import Begin
from thinkaloud.robots import is_own_robot
from thinkaloud.staging.opening import open_world_of
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud.worlds.drawing import Drawing, Looks, draw, draw_board
from thinkaloud.worlds.pictures import picture_world

_T = TypeVar("_T")
_KEPT = 2
"""Worlds that are kept open: a time slider asks for the same one again and again."""


class PastWorlds:
    """Opens worlds of sessions that are not live, and puts them into earlier states; in a thread of their own."""

    def __init__(self) -> None:
        self._worlds: OrderedDict[str, World] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="past")

    async def scene(self, id: str, begin: Begin, snapshot: bytes | None, looks: Looks) -> Drawing:
        """What was to be drawn; without a snapshot, what was seen."""
        if snapshot is None:
            return draw_board(looks.latest, before=looks.before)
        return await self._do(lambda: draw(self._at(id, begin, snapshot), looks.latest, seen_before=looks.before))

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
