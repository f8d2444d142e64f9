"""Columns for a preset with one part left out: `thinkaloud without verify`.

Any optional part of a mind can be left out of any preset; a benchmark lists the variants that it compares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, replace

import msgspec

from thinkaloud.errors import UnknownName
from thinkaloud.loop import Mind
from thinkaloud_bench.contract import Item, OpenedModel, Played
from thinkaloud_bench.playing import Setup, play_episode

_WITHOUT = " without "
PARTS = tuple(part.name for part in fields(Mind) if part.default is not MISSING)
"""The optional parts of a mind."""


def without(preset: str, part: str) -> str:
    """Name the column for a preset without a part."""
    if part not in PARTS:
        raise UnknownName("part of a mind", part, PARTS)
    return f"{preset}{_WITHOUT}{part}"


def split_variant(column: str) -> tuple[str, str]:
    """Return the preset of a column, and the part that is left out; "" if none is."""
    preset, _, part = column.partition(_WITHOUT)
    return preset, part


async def play_variant(item: Item, model: OpenedModel, setup: Setup) -> Played:
    """Play an episode as `play_episode` does, without the part that the column leaves out."""
    preset, part = split_variant(item.preset)
    if part:
        setup = replace(setup, change=_leaving_out(part, setup.change))
    played = await play_episode(replace(item, preset=preset), model, setup)
    return msgspec.structs.replace(played, preset=item.preset)


def _leaving_out(part: str, change: Callable[[Mind], Mind] | None) -> Callable[[Mind], Mind]:
    def changed(mind: Mind) -> Mind:
        left: Mind = replace(mind, **{part: None})  # type: ignore[arg-type]
        return left if change is None else change(left)

    return changed
