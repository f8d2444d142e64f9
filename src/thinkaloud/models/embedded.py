"""The shipped model and the large one: a base model with two adapters, each trained for one task.

One adapter is for the papers' presets; the other reads what people say to a robot that it has never seen. A model of
this size does each task better alone, and each adapter can be retrained without the other. The role in which the model
is asked selects the adapter (`Recorded.as_role("listener")`). The shipped model has a merged copy of its weights for
each adapter, and loads the second copy when it is first needed. The large one keeps both adapters separate from its
weights, which are in memory once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from thinkaloud.models.forced_answers import smollm
from thinkaloud.models.llama import Llama
from thinkaloud.models.settings import ModelSettings

READING = ("listener", "proposer")
"""The roles in which the model turns people's words into programs."""


class Embedded(Llama):
    """The base with the adapter for the papers' presets; `reader` opens it with the adapter for reading, if present."""

    def __init__(
        self,
        path: Path,
        settings: ModelSettings,
        adapters: Sequence[Path] = (),
        reader: Callable[[], Llama] | None = None,
    ) -> None:
        super().__init__("embedded", path, settings, adapters, trained=True, fluent=reader is not None, borders=smollm)
        self._open_reader = reader
        self._reader: Llama | None = None

    def in_role(self, role: str) -> Llama:
        """Return the model with the adapter for a role."""
        if role not in READING or self._open_reader is None:
            return self
        if self._reader is None:
            self._reader = self._open_reader()
        return self._reader

    async def close(self) -> None:
        """Free the model's resources, with either adapter."""
        if self._reader is not None:
            await self._reader.close()
            self._reader = None
        await super().close()


class Large(Llama):
    """The large model: the adapter for reading, and the one for the papers' presets if it is installed."""

    def __init__(self, base: Path, meanings: Path, papers: Path | None, settings: ModelSettings) -> None:
        adapters = [meanings] if papers is None else [papers, meanings]
        super().__init__("embedded-large", base, settings, adapters, trained=papers is not None, fluent=True)
        self._reader = self.with_adapter(len(adapters) - 1, trained=self.trained, fluent=True)

    def in_role(self, role: str) -> Llama:
        """Return the model with the adapter for a role."""
        return self._reader if role in READING else self
