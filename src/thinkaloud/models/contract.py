"""What a language model is to the rest of thinkaloud: three verbs, their values, and what a model may offer besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from thinkaloud.abilities import find_ability

Listener = Callable[[str], None]
"""Gets the text piece by piece while it is being generated."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call cost: tokens of the prompt evaluated now, taken from the cache, and generated; and seconds."""

    evaluated: int = 0
    cached: int = 0
    generated: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text that a model chose, how likely that was (0 to 1), and what else it might have chosen.

    The likelihoods are the model's own, before any grammar.
    """

    text: str
    likelihood: float
    others: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """Text that continues a prompt, without the stop text. `tokens`: its pieces, where they were asked for."""

    text: str
    usage: Usage = field(default_factory=Usage)
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A function that the model wants to be called."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in a conversation: text, or function calls, or both."""

    text: str
    calls: tuple[Call, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Scores:
    """The log-likelihood of each option as the continuation of a prompt, in the options' order."""

    values: tuple[float, ...]
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation; role is `system`, `user`, `assistant` or `tool`."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """What a model was asked, word for word, and what it said; for people who want to know what is behind a line."""

    prompt: str
    answer: str


class Model(Protocol):
    """A language model. Whatever it says is untrusted text."""

    name: str

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
        ...

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
        ...

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """How likely each option is as the continuation of the prompt.

        With `worth`, a factor from 0 to 1 for each, only the best by likelihood times factor is wanted: of the others
        an upper bound will do, as long as none that is not the best seems to be.
        """
        ...

    async def close(self) -> None:
        """Free what it holds."""
        ...


# What a model may offer besides ---------------------------------------------------------------------------------------


class Trained(Protocol):
    """A model that says whether it was trained in the forms of our prompts."""

    trained: bool


class Fluent(Protocol):
    """A model that says whether it was trained to write meanings."""

    fluent: bool


class Weighing(Protocol):
    """A model that can tell, while it writes, how likely each piece was: at no other cost than that of writing."""

    async def complete_weighed(
        self, prompt: str, *, stop: Sequence[str] = (), grammar: str | None = None, most: int = 256
    ) -> Completion:
        """Continue a prompt, with the likelihood of each token that was chosen; none for what a grammar forced."""
        ...


class ReadsAhead(Protocol):
    """A model that keeps what it has read, so that it can read how the next prompts begin while there is time."""

    async def read_ahead(self, prompt: str) -> None:
        """Evaluate how the next prompts begin."""
        ...


class PlaysRoles(Protocol):
    """A model that has an adapter of its own for some roles."""

    def in_role(self, role: str) -> Model:
        """The model as it speaks in a role."""
        ...


MODEL_ABILITIES: tuple[type, ...] = (Trained, Fluent, Weighing, ReadsAhead, PlaysRoles)
"""All that is ever asked for."""


def is_trained(model: object) -> bool:
    """Whether a model was trained in the forms of our prompts: then they need no introduction and no examples."""
    found = find_ability(model, Trained)
    return found is not None and bool(found.trained)


def introduce(model: object, introduction: str) -> str:
    """What a prompt begins with: an introduction with examples, or nothing for a model that was trained in that form.

    All else of a prompt, and all that is done with the answer, is the same for every model.
    """
    return "" if is_trained(model) else introduction


def is_fluent(model: object) -> bool:
    """Whether a model was trained to write meanings: then the robot's words and the request are all it needs to see."""
    found = find_ability(model, Fluent)
    return found is not None and bool(found.fluent)


async def complete_weighed(
    model: Model, prompt: str, *, stop: Sequence[str] = (), grammar: str | None = None, most: int = 256
) -> Completion:
    """Continue a prompt, with likelihoods if the model can tell them, else without."""
    weighing = find_ability(model, Weighing)
    if weighing is None:
        return await model.complete(prompt, stop=stop, grammar=grammar, most=most)
    return await weighing.complete_weighed(prompt, stop=stop, grammar=grammar, most=most)


async def read_ahead(model: Model, prompt: str) -> None:
    """Let a model that keeps what it has read read how its next prompts begin; others have nothing to do."""
    reading = find_ability(model, ReadsAhead)
    if reading is not None:
        await reading.read_ahead(prompt)


def in_role(model: Model, role: str) -> Model:
    """The model as it speaks in a role: some have an adapter of their own for it, all others are the same in each."""
    playing = find_ability(model, PlaysRoles)
    return model if playing is None else playing.in_role(role)
