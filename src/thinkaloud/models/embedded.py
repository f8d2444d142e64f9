"""The shipped model and the large one: a base model with adapters, each trained for one task.

One adapter is for the papers' presets; one reads what people say to a robot that it has never seen; and one, if it is
installed, judges whether a reading is what was said. A model of this size does each task better alone, and each adapter
can be retrained without the others. The role in which the model is asked selects the adapter
(`Recorded.as_role("listener")`). The shipped model has a merged copy of its weights for each adapter, and loads a copy
when it is first needed. The large one keeps its adapters separate from its weights, which are in memory once. Its judge
may be the small model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from thinkaloud.models.contract import JUDGE
from thinkaloud.models.forced_answers import smollm
from thinkaloud.models.llama import Llama
from thinkaloud.models.settings import ModelSettings

READING = ("listener", "proposer")
"""The roles in which the model turns people's words into programs."""


class Embedded(Llama):
    """The base with the adapter for the papers' presets.

    `reader` opens it with the adapter for reading, and `judge` with the one for judging readings, if there are such.
    """

    def __init__(
        self,
        path: Path,
        settings: ModelSettings,
        adapters: Sequence[Path] = (),
        reader: Callable[[], Llama] | None = None,
        judge: Callable[[], Llama] | None = None,
    ) -> None:
        super().__init__("embedded", path, settings, adapters, trained=True, fluent=reader is not None, borders=smollm)
        self._openers = dict.fromkeys(READING, reader) | {JUDGE: judge}
        self._opened: dict[Callable[[], Llama], Llama] = {}

    def in_role(self, role: str) -> Llama:
        """Return the model with the adapter for a role."""
        opener = self._openers.get(role)
        if opener is None:
            return self
        if opener not in self._opened:
            self._opened[opener] = opener()
        return self._opened[opener]

    async def close(self) -> None:
        """Free the model's resources, with every adapter."""
        for model in self._opened.values():
            await model.close()
        self._opened.clear()
        await super().close()


class Large(Llama):
    """The large model: the adapter for reading, and those for the papers' presets and for judging if installed.

    `judge` is its own adapter for judging, or opens the small model for that.
    """

    def __init__(
        self,
        base: Path,
        meanings: Path,
        papers: Path | None,
        settings: ModelSettings,
        judge: Path | Callable[[], Llama] | None = None,
    ) -> None:
        own = [judge] if isinstance(judge, Path) else []
        adapters = [meanings, *own] if papers is None else [papers, meanings, *own]
        super().__init__("embedded-large", base, settings, adapters, trained=papers is not None, fluent=True)
        self._reader = self.with_adapter(adapters.index(meanings), trained=self.trained, fluent=True)
        self._open_judge = None if isinstance(judge, Path) else judge
        self._judge: Llama | None = None
        if own:
            self._judge = self.with_adapter(len(adapters) - 1, trained=False, fluent=False, judges=True)

    def in_role(self, role: str) -> Llama:
        """Return the model with the adapter for a role."""
        if role != JUDGE:
            return self._reader if role in READING else self
        if self._judge is None and self._open_judge is not None:
            self._judge = self._open_judge()
        return self._judge or self

    async def close(self) -> None:
        """Free the model's resources, and those of a small judge."""
        if self._open_judge is not None and self._judge is not None:
            await self._judge.close()
            self._judge = None
        await super().close()
