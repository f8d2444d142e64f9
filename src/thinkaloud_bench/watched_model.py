"""Notice when a model becomes unreachable during a benchmark: that is not the robot's failure, and does not count."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

from thinkaloud.errors import ModelUnreachable
from thinkaloud.models import Completion, Model, Reply, Scores, is_fluent, is_trained
from thinkaloud.models.contract import complete_weighed, in_role, is_judge

T = TypeVar("T")


class WatchedModel:
    """The same model; `lost` is the error, if it could not be reached."""

    def __init__(self, model: Model, first: WatchedModel | None = None) -> None:
        self.name, self.trained, self.fluent = model.name, is_trained(model), is_fluent(model)
        self.judges = is_judge(model)
        self._model, self._first = model, first or self
        self.lost: ModelUnreachable | None = None

    def in_role(self, role: str) -> WatchedModel:
        """The model in a role, watched as well."""
        return WatchedModel(in_role(self._model, role), self._first)

    async def complete(self, *given: Any, **more: Any) -> Completion:
        """Continue a prompt."""
        return await self._watch(self._model.complete(*given, **more))

    async def complete_weighed(self, *given: Any, **more: Any) -> Completion:
        """Continue a prompt, with likelihoods if the model provides them."""
        return await self._watch(complete_weighed(self._model, *given, **more))

    async def chat(self, *given: Any, **more: Any) -> Reply:
        """Answer a conversation."""
        return await self._watch(self._model.chat(*given, **more))

    async def score(self, *given: Any, **more: Any) -> Scores:
        """How likely each option is."""
        return await self._watch(self._model.score(*given, **more))

    async def close(self) -> None:
        """Close the model itself."""
        await self._model.close()

    async def _watch(self, answer: Awaitable[T]) -> T:
        try:
            return await answer
        except ModelUnreachable as error:
            self._first.lost = error
            raise
