"""The shipped model and the large one: a base model with adapters, each trained for one task.

One adapter is for the papers' presets; one reads what people say to a robot that it has never seen; and one, if it is
installed, judges whether a reading is what was said. A model of this size does each task better alone, and each adapter
can be retrained without the others. The role in which the model is asked selects the adapter
(`Recorded.as_role("listener")`). The shipped model has a merged copy of its weights for each adapter, and loads a copy
when it is first needed. The large one keeps its adapters separate from its weights, which are in memory once. Its judge
may be the small model.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from thinkaloud.errors import ModelError
from thinkaloud.models.contract import JUDGE, Completion, Model, Reply, Scores, Turn
from thinkaloud.models.llama import Llama
from thinkaloud.models.settings import ModelSettings

READING = ("listener", "proposer")
"""The roles in which the model turns people's words into programs."""


class Embedded:
    """The base with an adapter for each task. Each copy is loaded when it is first needed, for a second or two.

    `papers` opens it with the adapter for the papers' presets, `reader` with the one for reading, and `judge` with the
    one for judging readings, if there are such.
    """

    name, trained, judges = "embedded", True, False

    def __init__(
        self,
        papers: Callable[[], Llama],
        reader: Callable[[], Llama] | None = None,
        judge: Callable[[], Llama] | None = None,
    ) -> None:
        self.fluent = reader is not None
        self._papers = papers
        self._openers = dict.fromkeys(READING, reader) | {JUDGE: judge}
        self._opened: dict[Callable[[], Llama], Llama] = {}
        self._opening = threading.Lock()
        self._closed = False

    def in_role(self, role: str) -> Model:
        """Return the model with the adapter for a role; blocks while it loads."""
        opener = self._openers.get(role)
        if opener is not None:
            return self._open(opener)
        if role not in self._openers:
            self._open(self._papers)
        return self

    async def complete(self, prompt: str, **more: Any) -> Completion:
        """Continue a prompt."""
        return await (await self._loaded()).complete(prompt, **more)

    async def complete_weighed(self, prompt: str, **more: Any) -> Completion:
        """Continue a prompt and report how likely each chosen token was."""
        return await (await self._loaded()).complete_weighed(prompt, **more)

    async def chat(self, turns: Sequence[Turn], **more: Any) -> Reply:
        """Answer a conversation."""
        return await (await self._loaded()).chat(turns, **more)

    async def score(self, prompt: str, options: Sequence[str], **more: Any) -> Scores:
        """Return the log-likelihood of each option's own tokens after the prompt."""
        return await (await self._loaded()).score(prompt, options, **more)

    async def read_ahead(self, prompt: str) -> None:
        """Evaluate the text that the next prompts begin with."""
        await (await self._loaded()).read_ahead(prompt)

    async def close(self) -> None:
        """Free the model's resources, with every adapter."""
        with self._opening:
            self._closed, opened = True, [*self._opened.values()]
            self._opened.clear()
        for model in opened:
            await model.close()

    async def _loaded(self) -> Llama:
        loaded = self._opened.get(self._papers)
        return await asyncio.to_thread(self._open, self._papers) if loaded is None else loaded

    def _open(self, opener: Callable[[], Llama]) -> Llama:
        with self._opening:
            if self._closed:
                raise ModelError(f"{self.name} was closed. Open it again with open_model.")
            if opener not in self._opened:
                self._opened[opener] = opener()
            return self._opened[opener]


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
