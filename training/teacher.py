"""A model whose answers are an expert's: real stages ask it, and it keeps every question with its answer.

teacher = Teacher(lambda asked: " Goal state is [...].", family="inner_monologue")
await InnerMonologue(teacher, world).plan(monologue)
teacher.samples
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinkaloud.models import Completion, Reply, Scores, Turn
from thinkaloud.models.contract import Listener
from thinkaloud.models.gbnf import accepts
from training.samples import Sample


@dataclass(frozen=True)
class Asked:
    """A question to the model."""

    prompt: str
    grammar: str | None = None
    stop: tuple[str, ...] = ()


class Misfit(Exception):
    """The expert said what the model would not be allowed to say there."""


class Teacher:
    """Answers by `answer`, and checks that the grammar of the question would have let a model say it."""

    name = "teacher"
    trained = True

    def __init__(self, answer: Callable[[Asked], str], family: str, *, check: bool = True) -> None:
        self._answer, self._family, self._check = answer, family, check
        self._said: list[list[tuple[str, str]]] = []

    @property
    def samples(self) -> list[Sample]:
        """What was asked and answered; a prompt that goes on from the last answer belongs to the same sample."""
        return [Sample(self._family, tuple(parts)) for parts in self._said]

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """What the expert says."""
        answer = self._answer(Asked(prompt, grammar, tuple(stop)))
        if self._check and grammar is not None and not accepts(grammar, answer):
            raise Misfit(f"{answer!r} is nothing that the grammar allows after {prompt[-300:]!r}: {grammar[:600]}")
        self.note(prompt, answer)
        cut = min((at for text in stop if (at := answer.find(text)) >= 0), default=len(answer))
        return Completion(answer[:cut])

    def note(self, prompt: str, answer: str) -> None:
        """Keep a question with its answer."""
        before = "".join(text for part in self._said[-1] for text in part) if self._said else None
        if before is not None and prompt.startswith(before):
            self._said[-1].append((prompt[len(before) :], answer))
        else:
            self._said.append([(prompt, answer)])

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
        """Nothing is taught in the form of a chat."""
        raise NotImplementedError("demonstrations are completions")

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Nothing is taught by scores."""
        raise NotImplementedError("demonstrations are completions")

    async def close(self) -> None:
        """There is nothing to free."""
