"""A model that is asked for the same thing only once: what it said is said again, also in another run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from thinkaloud.models import Completion, Model, Reply, Scores, is_fluent, is_trained
from thinkaloud.models.contract import complete_weighed, in_role

T = TypeVar("T")


class Memorised:
    """Any model. It is given in a function, and opened when it is first asked for something new.

    `trained` and `fluent` are said beforehand: a preset wants to know them before anybody is asked.
    """

    def __init__(
        self,
        open: Callable[[], Model],
        memory: dict[bytes, Any] | None = None,
        *,
        role: str = "",
        name: str = "embedded",
        trained: bool = True,
        fluent: bool = True,
    ) -> None:
        self.name, self.trained, self.fluent = name, trained, fluent
        self._open, self._role = open, role
        self._memory: dict[bytes, Any] = {} if memory is None else memory

    def in_role(self, role: str) -> Memorised:
        """The model as it speaks in a role, with the same memory."""
        return Memorised(self._open, self._memory, role=role, name=self.name, trained=self.trained, fluent=self.fluent)

    async def complete(self, prompt: str, *, listener: Any = None, **more: Any) -> Completion:
        """Continue a prompt."""
        return await self._once("complete", lambda model: model.complete(prompt, **more), prompt, more)

    async def complete_weighed(self, prompt: str, **more: Any) -> Completion:
        """Continue a prompt, with likelihoods where the model can tell them."""
        return await self._once("weighed", lambda model: complete_weighed(model, prompt, **more), prompt, more)

    async def chat(self, turns: Any, *, listener: Any = None, **more: Any) -> Reply:
        """Answer a conversation."""
        return await self._once("chat", lambda model: model.chat(turns, **more), turns, more)

    async def score(self, prompt: str, options: Any) -> Scores:
        """How likely each option is."""
        return await self._once("score", lambda model: model.score(prompt, options), prompt, options)

    async def close(self) -> None:
        """Whoever opened the model closes it."""

    async def _once(self, verb: str, ask: Callable[[Model], Awaitable[T]], *asked: Any) -> T:
        key = msgspec.json.encode((self._role, verb, asked))
        if key not in self._memory:
            model = in_role(self._open(), self._role) if self._role else self._open()
            assert (is_trained(model), is_fluent(model)) == (self.trained, self.fluent)
            self._memory[key] = await ask(model)
        said: T = self._memory[key]
        return said
