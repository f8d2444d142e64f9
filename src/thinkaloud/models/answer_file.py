"""Keep a model's answers in a file, and answer from that file later, without the model.

    THINKALOUD_RECORD=answers.jsonl thinkaloud bench understanding --model embedded --out first
    thinkaloud bench understanding --model replay:answers.jsonl --out again

So a change to the code that works with the answers can be measured again within seconds. A question matches if its
role, its kind, its text, its grammar and its stop texts are the same to the letter; a question that is not in the file
is an error. Each line of the file is one answer. Several processes may write to the same file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from thinkaloud.errors import ModelMissing, ModelUnreachable
from thinkaloud.models.contract import (
    Completion,
    Listener,
    Model,
    Reply,
    Scores,
    Turn,
    complete_weighed,
    in_role,
    is_fluent,
    is_judge,
    is_trained,
    read_ahead,
)

_A = TypeVar("_A", Completion, Reply, Scores)
_LETTERS_SHOWN = 200


class WritesAnswers:
    """Any model whose answers are appended to a file."""

    def __init__(self, model: Model, path: Path, role: str = "") -> None:
        self.name, self.trained, self.fluent = model.name, is_trained(model), is_fluent(model)
        self.judges = is_judge(model)
        self._model, self._path, self._role = model, path, role

    def in_role(self, role: str) -> WritesAnswers:
        """Return the model with its adapter for a role."""
        return WritesAnswers(in_role(self._model, role), self._path, role)

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
        answer = await self._model.complete(prompt, stop=stop, grammar=grammar, most=most, listener=listener)
        return self._write("complete", prompt, [list(stop), grammar], answer)

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
        answer = await complete_weighed(self._model, prompt, stop=stop, grammar=grammar, most=most, listener=listener)
        return self._write("complete_weighed", prompt, [list(stop), grammar], answer)

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
        answer = await self._model.chat(turns, tools=tools, schema=schema, calls=calls, most=most, listener=listener)
        return self._write("chat", _text_of(turns), [list(tools), schema, calls], answer)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Return the log-likelihood of each option as the continuation of the prompt."""
        answer = await self._model.score(prompt, options, worth=worth)
        return self._write("score", prompt, [list(options), list(worth)], answer)

    async def read_ahead(self, prompt: str) -> None:
        """Read the text that the next prompts begin with."""
        await read_ahead(self._model, prompt)

    async def close(self) -> None:
        """Free the model's resources."""
        await self._model.close()

    def _write(self, kind: str, prompt: str, more: list[Any], answer: _A) -> _A:
        traits = {"name": self.name, "trained": self.trained, "fluent": self.fluent, "judges": self.judges}
        line = {"role": self._role, "kind": kind, "prompt": prompt, "key": _key(self._role, kind, prompt, more)}
        text = msgspec.json.encode(line | {"answer": answer, "model": traits}) + b"\n"
        with self._path.open("ab", buffering=0) as file:  # one write: lines of several processes do not mix
            file.write(text)
        return answer


class ReadsAnswers:
    """Answers questions from a file that `WritesAnswers` wrote."""

    name: str
    trained: bool
    fluent: bool
    judges: bool

    def __init__(self, path: Path) -> None:
        self._path, self._role = path, ""
        self._answers: dict[str, Any] = {}
        self._traits: dict[str, Mapping[str, Any]] = {}
        try:
            with path.open("rb") as file:
                for line in file:
                    told = msgspec.json.decode(line)
                    self._answers[told["key"]] = told["answer"]
                    self._traits[told["role"]] = told["model"]
        except (OSError, ValueError, KeyError) as error:
            raise ModelMissing(
                f"{path} holds no answers to replay ({error}). Write them with THINKALOUD_RECORD."
            ) from error
        if not self._traits:
            raise ModelMissing(f"{path} is empty: no answers were written to it.")
        self._be(self._traits.get("") or {**next(iter(self._traits.values())), "judges": False})

    def in_role(self, role: str) -> ReadsAnswers:
        """Return the answers that were given in a role."""
        other = object.__new__(ReadsAnswers)
        other.__dict__.update(self.__dict__)
        other._role = role
        other._be(self._traits.get(role, {"name": self.name, "trained": self.trained, "fluent": self.fluent}))
        return other

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Return how the prompt was continued."""
        answer = self._find(Completion, "complete", prompt, [list(stop), grammar])
        if listener:
            listener(answer.text)
        return answer

    async def complete_weighed(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Return how the prompt was continued, with likelihoods if the model told them."""
        answer = self._find(Completion, "complete_weighed", prompt, [list(stop), grammar])
        if listener:
            listener(answer.text)
        return answer

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
        """Return how the conversation was answered."""
        return self._find(Reply, "chat", _text_of(turns), [list(tools), schema, calls])

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Return how likely each option was."""
        return self._find(Scores, "score", prompt, [list(options), list(worth)])

    async def close(self) -> None:
        """Do nothing: there is nothing to free."""

    def _be(self, traits: Mapping[str, Any]) -> None:
        self.name, self.trained, self.fluent = traits["name"], traits["trained"], traits["fluent"]
        self.judges = traits.get("judges", False)

    def _find(self, form: type[_A], kind: str, prompt: str, more: list[Any]) -> _A:
        found = self._answers.get(_key(self._role, kind, prompt, more))
        if found is None:
            asked = f"{kind} in the role {self._role!r}, …{prompt[-_LETTERS_SHOWN:]!r}"
            raise ModelUnreachable(  # a benchmark stops at this, and does not count the episode
                f"{self._path} has no answer to this question ({asked}). "
                "The prompt, the grammar or the stop texts have changed since; record the answers again."
            )
        return msgspec.convert(found, form)


def _key(role: str, kind: str, prompt: str, more: list[Any]) -> str:
    """A short text that is the same for the same question."""
    text = json.dumps([role, kind, prompt, more], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _text_of(turns: Sequence[Turn]) -> str:
    return "\n\n".join(f"{turn.role}: {turn.text}" for turn in turns)
