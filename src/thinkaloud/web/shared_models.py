"""Models that several sessions share: each is loaded once, and freed when nobody needs it any more. Turns are fair.

Local ones are in a process of their own, so that neither loading nor thinking holds up a robot or a stop.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Mapping
from typing import Any, cast

from thinkaloud.models import Model
from thinkaloud.models.fair_turns import FairTurns, TakingTurns
from thinkaloud.models.registry import runs_here
from thinkaloud.settings import Settings
from thinkaloud.staging.opening import open_chosen_model
from thinkaloud.web.model_shelf import HOSTED, ModelShelf


class BorrowedModel:
    """A model that belongs to several: whoever closes it gives it back."""

    def __init__(self, model: Model, give_back: Callable[[], None]) -> None:
        self.name = model.name
        self._model, self._give_back = model, give_back

    async def close(self) -> None:
        """Give it back."""
        await asyncio.to_thread(self._give_back)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


class SharedModels:
    """Lends models by name; `given` are there anyway, and stay; `shelf` has those that are hosted elsewhere."""

    def __init__(self, given: Mapping[str, Model], shelf: ModelShelf) -> None:
        self._shelf = shelf
        self.given = dict(given)
        self._lock = threading.Lock()
        self._shared: dict[str, tuple[Model, int]] = {}
        self._turns: dict[str, FairTurns] = {}

    def open(self, name: str, settings: Settings, notice: Callable[[str], None]) -> Model:
        """A model; one that is loaded already is not loaded again."""
        if name in self.given:
            return cast(Model, BorrowedModel(self.given[name], lambda: None))
        if name.startswith(HOSTED):
            return self._shelf.open(name)
        if settings.model_url or not runs_here(name):  # others may belong to one event loop
            return open_chosen_model(name, settings, notice)
        with self._lock:
            if name not in self._shared:
                self._shared[name] = (open_chosen_model(name, settings, notice, settings.for_model().slots), 0)
                self._turns[name] = FairTurns(settings.for_model().slots)
            model, users = self._shared[name]
            self._shared[name] = (model, users + 1)
            fair = cast(Model, TakingTurns(model, self._turns[name], secrets.token_hex(8)))
        return cast(Model, BorrowedModel(fair, lambda: self._give_back(name)))

    def _give_back(self, name: str) -> None:
        with self._lock:
            model, users = self._shared[name]
            if users > 1:
                self._shared[name] = (model, users - 1)
                return
            del self._shared[name], self._turns[name]
        asyncio.run(model.close())
