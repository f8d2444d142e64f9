"""A wrapper that records the cost of every model call, and lets others listen while the model writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from thinkaloud.errors import ModelError
from thinkaloud.models.contract import (
    PREPARATION,
    Call,
    Completion,
    Listener,
    Model,
    Reply,
    Scores,
    Turn,
    Usage,
    Verbatim,
    complete_weighed,
    find_eyes,
    following_reading,
    in_role,
    is_fluent,
    is_judge,
    is_trained,
    read_ahead,
)
from thinkaloud.models.utf8 import make_writable
from thinkaloud.records import ModelCall

_Emit = Callable[[ModelCall], object]
_RoleListener = Callable[[str, str], None]
"""Receives the role and a piece of text while the model generates it; an empty piece when a call begins."""
RoleProgress = Callable[[str, int, int], None]
"""Receives the role, how many tokens of the prompt have been read, and how many it has; 0 once it is read ahead."""


class Recorded:
    """Any model, with a `ModelCall` for each answer. A failed call leaves no record.

    Its output can always be written as UTF-8: a lone surrogate becomes a question mark.

        recorded = Recorded(model, emit=monologue.append)
        planner = recorded.as_role("planner")
    """

    def __init__(
        self,
        model: Model,
        emit: _Emit,
        listener: _RoleListener | None = None,
        role: str = "model",
        keep: Callable[[Verbatim], None] = lambda said: None,
        reading: RoleProgress | None = None,
    ) -> None:
        """Before `emit` receives the cost of a call, `keep` receives the exact prompt and answer."""
        self.name, self.trained, self.fluent = model.name, is_trained(model), is_fluent(model)
        self.judges = is_judge(model)
        self.role = role
        self._model = self._in_any_role = model
        self._emit = emit
        self._listener = listener
        self._keep = keep
        self._reading = reading

    def as_role(self, role: str) -> Recorded:
        """Return the same model in another role."""
        other = Recorded(in_role(self._in_any_role, role), self._emit, self._listener, role, self._keep, self._reading)
        other._in_any_role = self._in_any_role
        return other

    def in_role(self, role: str) -> Recorded:
        """Return the same model in another role."""
        return self.as_role(role)

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt, until a stop text, the end of the grammar or `most` tokens."""
        heard = self._heard_by(listener)
        with self._followed():
            answer = await self._model.complete(prompt, stop=stop, grammar=grammar, most=most, listener=heard)
        self._record(answer.usage, prompt, answer.text)
        return replace(answer, text=make_writable(answer.text))

    async def complete_weighed(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt, with likelihoods if the model can report them."""
        heard = self._heard_by(listener)
        with self._followed():
            answer = await complete_weighed(self._model, prompt, stop=stop, grammar=grammar, most=most, listener=heard)
        self._record(answer.usage, prompt, answer.text)
        return replace(answer, text=make_writable(answer.text))

    async def chat(
        self,
        turns: Sequence[Turn],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        schema: Mapping[str, Any] | None = None,
        calls: int = 1,
        most: int = 512,
        listener: Listener | None = None,
    ) -> Reply:
        """Answer a conversation, with up to `calls` calls of the tools or JSON of the schema where given."""
        heard = self._heard_by(listener)
        with self._followed():
            answer = await self._model.chat(turns, tools=tools, schema=schema, calls=calls, most=most, listener=heard)
        made = tuple(Call(make_writable(call.name), make_writable(call.arguments)) for call in answer.calls)
        asked = "\n\n".join(f"{turn.role}: {turn.text}" for turn in turns)
        said = [answer.text, *(f"{call.name}({json.dumps(call.arguments, ensure_ascii=False)})" for call in made)]
        self._record(answer.usage, asked, "\n".join(filter(None, said)))
        return replace(answer, text=make_writable(answer.text), calls=made)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Return the log-likelihood of each option as the continuation of the prompt."""
        self._begin()
        with self._followed():
            answer = await self._model.score(prompt, options, worth=worth)
        weighed = (f"{value:.3f} {option}" for value, option in zip(answer.values, options, strict=False))
        self._record(answer.usage, prompt, "\n".join(weighed))
        return answer

    async def read_ahead(self, prompt: str) -> None:
        """Read the text that the next prompts begin with; nothing is recorded, because there is no answer."""
        self._begin(PREPARATION)
        with self._followed(PREPARATION):
            await read_ahead(self._model, prompt)
        if self._reading is not None:
            self._reading(PREPARATION, 0, 0)

    async def sees(self) -> bool:
        """Whether the model looks at pictures."""
        return await find_eyes(self._model) is not None

    async def describe(self, picture: bytes, question: str, *, most: int = 300) -> Reply:
        """Answer a question about a picture (PNG)."""
        eyes = await find_eyes(self._model)
        if eyes is None:
            raise ModelError(f"{self.name} does not look at pictures. Choose a model that does.")
        self._begin()
        answer = await eyes.describe(picture, question, most=most)
        self._record(answer.usage, f"picture of {len(picture)} bytes\n{question}", answer.text)
        return replace(answer, text=make_writable(answer.text))

    async def close(self) -> None:
        """Close the model, for every role."""
        await self._model.close()

    def _begin(self, role: str = "") -> None:
        """Say that a call has begun: reading a long prompt takes seconds in which nothing is generated."""
        if self._listener is not None:
            self._listener(role or self.role, "")

    @contextmanager
    def _followed(self, role: str = "") -> Iterator[None]:
        """Have the model tell how far it has read."""
        with following_reading(None if self._reading is None else partial(self._reading, role or self.role)):
            yield

    def _heard_by(self, listener: Listener | None) -> Listener | None:
        self._begin()
        if self._listener is None:
            return listener
        tell = self._listener

        def both(piece: str) -> None:
            tell(self.role, make_writable(piece))
            if listener:
                listener(piece)

        return both

    def _record(self, usage: Usage, asked: str, said: str) -> None:
        self._keep(Verbatim(make_writable(asked), make_writable(said)))
        prompt = usage.evaluated + usage.cached
        measured = (usage.evaluated, usage.cached, usage.seconds, usage.money)
        self._emit(ModelCall(self.role, self.name, prompt, usage.generated, *measured))
