"""The shipped model: one base with two adapters, each trained for its own work.

One is for the papers' presets, the other for reading what people say to a robot that it has never seen. A model of this
size does one of them better for not having to do the other, and either can be trained again without touching the other.
The second is loaded when somebody speaks in that role (`Recorded.as_role("reader")`), and not before.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from thinkaloud.models.forcing import smollm
from thinkaloud.models.llama import Llama
from thinkaloud.models.settings import ModelSettings

READING = ("reader", "proposer")
"""The roles in which it puts people's words into programs."""


class Embedded(Llama):
    """The base with the adapter for the papers' presets; `reader` opens it with the one for reading, if it is there."""

    def __init__(
        self,
        path: Path,
        settings: ModelSettings,
        adapter: Path | None = None,
        reader: Callable[[], Llama] | None = None,
    ) -> None:
        super().__init__("embedded", path, settings, adapter, trained=True, fluent=reader is not None, borders=smollm)
        self._open_reader = reader
        self._reader: Llama | None = None

    def in_role(self, role: str) -> Llama:
        """The model with the adapter for a role."""
        if role not in READING or self._open_reader is None:
            return self
        if self._reader is None:
            self._reader = self._open_reader()
        return self._reader

    async def close(self) -> None:
        """Free what it holds, with either adapter."""
        if self._reader is not None:
            await self._reader.close()
            self._reader = None
        await super().close()
