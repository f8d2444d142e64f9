"""A model that gives scripted answers, for tests, examples and demonstrations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from thinkaloud.errors import ModelError, ModelRefused
from thinkaloud.models.contract import Completion, Listener, Reply, Scores, Turn, Usage
from thinkaloud.models.tool_calls import calls_in
from thinkaloud.untrusted.files import read_json

_Script = Iterable[str] | Callable[[str], str]
_Likelihoods = Mapping[str, float] | Callable[[str, str], float]


class Scripted:
    """Answers from a list, one after another, or from a function of the prompt; keeps the prompts it received.

        model = Scripted(["pick up the sponge", "done"])

    `scores` is a mapping from option to log-likelihood, or a function of prompt and option. A chat's prompt is the text
    of its turns. With tools, the answer has to be `{"name": …, "arguments": {…}}`, or a list of these if several calls
    are allowed. Grammars are not checked.
    """

    def __init__(self, answers: _Script = (), *, scores: _Likelihoods | None = None, name: str = "scripted") -> None:
        self.name = name
        self.prompts: list[str] = []
        self._answer = answers if callable(answers) else self._in_turn(list(answers))
        self._scores = scores

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Return the next answer, up to the first stop text."""
        text, usage = self._say(prompt, stop, listener)
        return Completion(text, usage)

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
        """Return the next answer; with tools, read it as a call, or as a list of calls if several are allowed."""
        text, usage = self._say("\n".join(f"{turn.role}: {turn.text}" for turn in turns), (), listener)
        if schema is not None and not tools:
            try:
                read_json(text)
            except ValueError as error:
                raise ModelRefused(f"The script's answer is not JSON: {text[:200]}") from error
        return Reply("", calls_in(text, self.name, most, calls), usage) if tools else Reply(text, (), usage)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Return the scripted scores; an option without a score is an error."""
        if self._scores is None:
            raise ModelError("This script has no scores. Give Scripted(…, scores={option: log-likelihood}).")
        self.prompts.append(prompt)
        if callable(self._scores):
            return Scores(tuple(self._scores(prompt, option) for option in options))
        missing = [option for option in options if option not in self._scores]
        if missing:
            raise ModelError(f"The script has no score for {missing[0]!r}. Add it to `scores`.")
        return Scores(tuple(self._scores[option] for option in options))

    async def close(self) -> None:
        """Do nothing: there is nothing to free."""

    def _say(self, prompt: str, stop: Sequence[str], listener: Listener | None) -> tuple[str, Usage]:
        self.prompts.append(prompt)
        text = self._answer(prompt)
        for mark in stop:
            text = text.split(mark, 1)[0]
        if listener:
            for at, word in enumerate(text.split(" ")):
                listener(word if at == 0 else " " + word)
        return text, Usage(evaluated=len(prompt.split()), generated=len(text.split()))

    def _in_turn(self, answers: list[str]) -> Callable[[str], str]:
        left = iter(answers)

        def answer(prompt: str) -> str:
            for text in left:
                return text
            raise ModelError(
                f"The script has no more answers (it had {len(answers)}); the prompt was: …{prompt[-200:]}"
            )

        return answer
