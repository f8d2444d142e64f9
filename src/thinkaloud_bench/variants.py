"""Columns that are a preset with a part left out: `thinkaloud without verify`.

Any part of a mind that may be missing can be left out, of any preset; a benchmark lists those that it compares.
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
"""What a mind may be without."""


def without(preset: str, part: str) -> str:
    """The column of a preset that lacks a part."""
    if part not in PARTS:
        raise UnknownName("part of a mind", part, PARTS)
    return f"{preset}{_WITHOUT}{part}"


def split_variant(column: str) -> tuple[str, str]:
    """The preset of a column, and the part that is left out; empty where it is whole."""
    preset, _, part = column.partition(_WITHOUT)
    return preset, part


async def play_variant(item: Item, model: OpenedModel, setup: Setup) -> Played:
    """An episode as `play_episode` plays it, with the part left out that the column says."""
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
