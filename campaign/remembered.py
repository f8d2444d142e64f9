"""A model that remembers its answers: the embedded model is asked once, and later runs get the same answer at once.

There is also an obedient planner that needs no model. Both are registered with thinkaloud as any package registers a
model, so that `--model campaign` finds them. The environment, which child processes inherit, names the model and the
place of its answers.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from campaign.obedient import obey
from thinkaloud.models import Completion, Model, ModelSettings, Reply, Scores, Scripted, Turn, open_model
from thinkaloud.models.contract import Listener, complete_weighed, in_role

NAME, OBEDIENT = "campaign", "obedient"
_MODEL, _MEMORY, _PROMPTS, _PAUSE = "CAMPAIGN_MODEL", "CAMPAIGN_MEMORY", "CAMPAIGN_PROMPTS", "CAMPAIGN_PAUSE"
_SAYS = "says:"
_T = TypeVar("_T")


def announce(folder: Path) -> None:
    """Register `--model campaign` through an entry point in a folder on the path."""
    about = folder / "thinkaloud_campaign-0.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: thinkaloud-campaign\nVersion: 0\n")
    (about / "entry_points.txt").write_text(f"[thinkaloud.models]\n{NAME} = campaign.remembered:open_remembered\n")
    sys.path.insert(0, str(folder))


def speaking_as(model: str, memory: Path, prompts: Path | None = None, pause: float = 0.0) -> dict[str, str]:
    """The environment in which `--model campaign` stands for the named model.

    `prompts` is where its prompts are saved; `pause` is how many seconds it thinks before a remembered answer.
    """
    kept = {} if prompts is None else {_PROMPTS: str(prompts)}
    return {_MODEL: model, _MEMORY: str(memory), _PAUSE: str(pause), **kept}


def always_saying(text: str, prompts: Path | None = None) -> dict[str, str]:
    """The environment in which `--model campaign` gives the same answer to everything."""
    return {_MODEL: _SAYS + text} | ({} if prompts is None else {_PROMPTS: str(prompts)})


def read_prompts(path: Path) -> list[str]:
    """Read the saved prompts."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _say(text: str, prompt: str) -> str:
    _keep_prompt(prompt)
    return text


def open_remembered(settings: ModelSettings) -> Model:
    """Open the model that the environment names, with a memory."""
    name = os.environ.get(_MODEL, "embedded")
    if name.startswith(_SAYS):
        return Scripted(partial(_say, name.removeprefix(_SAYS)), name=NAME)
    if name == OBEDIENT:
        return Obedient()
    opened: list[Model] = []

    def find() -> Model:
        if not opened:
            opened.append(open_model(name, settings))
        return opened[0]

    return Remembered(find, Path(os.environ[_MEMORY]) / name, trained=name == "embedded")


class Obedient(Scripted):
    """Does what it is told, after thinking for as long as the environment says."""

    def __init__(self) -> None:
        super().__init__(obey, name=NAME)

    async def complete(self, prompt: str, **more: Any) -> Completion:
        """Continue a prompt."""
        await asyncio.sleep(float(os.environ.get(_PAUSE, "0")))
        return await super().complete(prompt, **more)


class Remembered:
    """Answers from its memory; it opens the model itself only for prompts that are not there yet."""

    name = NAME

    def __init__(self, find: Callable[[], Model], memory: Path, *, trained: bool, role: str = "") -> None:
        self.trained = self.fluent = trained
        self._find, self._memory, self._role = find, memory, role

    def in_role(self, role: str) -> Remembered:
        """The model as it speaks in a role."""
        return Remembered(self._find, self._memory, trained=self.trained, role=role)

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt."""

        async def ask(model: Model) -> Completion:
            return await model.complete(prompt, stop=stop, grammar=grammar, most=most)

        return await self._recall(("complete", prompt, tuple(stop), grammar, most), Completion, ask)

    async def complete_weighed(
        self, prompt: str, *, stop: Sequence[str] = (), grammar: str | None = None, most: int = 256
    ) -> Completion:
        """Continue a prompt, with likelihoods."""

        async def ask(model: Model) -> Completion:
            return await complete_weighed(model, prompt, stop=stop, grammar=grammar, most=most)

        return await self._recall(("weighed", prompt, tuple(stop), grammar, most), Completion, ask)

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
        """Answer a conversation."""

        async def ask(model: Model) -> Reply:
            return await model.chat(turns, tools=tools, schema=schema, calls=calls, most=most)

        return await self._recall(("chat", tuple(turns), tuple(tools), schema, calls, most), Reply, ask)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """How likely each option is."""

        async def ask(model: Model) -> Scores:
            return await model.score(prompt, options, worth=worth)

        return await self._recall(("score", prompt, tuple(options), tuple(worth)), Scores, ask)

    async def close(self) -> None:
        """Do nothing: the process ends soon, and the model with it."""

    async def _recall(self, question: tuple[Any, ...], kind: type[_T], ask: Callable[[Model], Any]) -> _T:
        text = msgspec.json.encode((self._role, *question))
        _keep_prompt(text.decode())
        path = self._memory / hashlib.sha256(text).hexdigest()[:32]
        if path.exists():
            await asyncio.sleep(float(os.environ.get(_PAUSE, "0")))
            return msgspec.json.decode(path.read_bytes(), type=kind)
        answer: _T = await ask(in_role(self._find(), self._role))
        self._memory.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(msgspec.json.encode(answer))
        unfinished.rename(path)
        return answer


def _keep_prompt(text: str) -> None:
    if _PROMPTS in os.environ:
        with Path(os.environ[_PROMPTS]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(text) + "\n")
