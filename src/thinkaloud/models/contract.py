"""The contract of a language model: three methods, their values, and the optional abilities a model may add."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

from thinkaloud.abilities import find_ability

Listener = Callable[[str], None]
"""Receives the text piece by piece while the model generates it."""


ReadingProgress = Callable[[int, int], None]
"""Receives how many tokens of a prompt a model has read, and how many the prompt has."""
_reading: ContextVar[ReadingProgress | None] = ContextVar("reading", default=None)


JUDGE = "judge"
"""The role in which a model says how likely a reading is what was said."""
PREPARATION = "preparation"
"""The role in which a model reads ahead what all its next prompts begin with."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of a call in tokens (prompt tokens evaluated, prompt tokens cached, tokens generated) and in seconds.

    `money` is known for served models, if the settings have their prices.
    """

    evaluated: int = 0
    cached: int = 0
    generated: int = 0
    seconds: float = 0.0
    money: float = 0.0


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text that a model chose, its likelihood (0 to 1), and the alternatives with theirs.

    The likelihoods are the model's own, before a grammar restricts them.
    """

    text: str
    likelihood: float
    others: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """Text that continues a prompt, without the stop text. `tokens` holds its pieces, if the caller asked for them."""

    text: str
    usage: Usage = field(default_factory=Usage)
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A function that the model wants to call."""

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
    """The exact prompt a model received and its exact answer, for people who want to see what is behind a line."""

    prompt: str
    answer: str


class Model(Protocol):
    """A language model. Its output is untrusted text."""

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
        """Return the log-likelihood of each option as the continuation of the prompt.

        `worth` gives each option a factor from 0 to 1. With it, only the best option by likelihood times factor needs
        an exact score. The others may get an upper bound, as long as no bound exceeds the best score.
        """
        ...

    async def close(self) -> None:
        """Free the model's resources."""
        ...


# Optional abilities of a model ----------------------------------------------------------------------------------------


class Trained(Protocol):
    """A model that says whether it was trained on the form of our prompts."""

    trained: bool


class Fluent(Protocol):
    """A model that says whether it was trained to write meanings."""

    fluent: bool


class Judging(Protocol):
    """A model that says whether it was trained to judge readings of what people say."""

    judges: bool


class Weighing(Protocol):
    """A model that can report, while it writes, how likely each piece was, at no extra cost."""

    async def complete_weighed(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt and report the likelihood of each chosen token; tokens that a grammar forced have none."""
        ...


class ReadsAhead(Protocol):
    """A model that caches what it has read, so it can read the beginning of the next prompts in advance."""

    async def read_ahead(self, prompt: str) -> None:
        """Evaluate the text that the next prompts begin with."""
        ...


class Sees(Protocol):
    """A model that may look at pictures; whether this one does is asked, because one form serves both kinds."""

    async def sees(self) -> bool:
        """Whether it looks at pictures."""
        ...

    async def describe(self, picture: bytes, question: str, *, most: int = 300) -> Reply:
        """Answer a question about a picture (PNG)."""
        ...


class PlaysRoles(Protocol):
    """A model that has a separate adapter for some roles."""

    def in_role(self, role: str) -> Model:
        """Return the model with the adapter for a role."""
        ...


MODEL_ABILITIES: tuple[type, ...] = (Trained, Fluent, Judging, Weighing, ReadsAhead, Sees, PlaysRoles)
"""Every optional ability that the package looks for."""


def is_trained(model: object) -> bool:
    """Whether a model was trained on the form of our prompts. If so, they need no introduction and no examples."""
    found = find_ability(model, Trained)
    return found is not None and bool(found.trained)


def introduce(model: object, introduction: str) -> str:
    """Return what a prompt begins with: an introduction with examples, or nothing for a model trained on that form.

    The rest of the prompt, and how the answer is handled, is the same for every model.
    """
    return "" if is_trained(model) else introduction


def is_fluent(model: object) -> bool:
    """Whether a model was trained to write meanings. If so, it needs to see only the robot's words and the request."""
    found = find_ability(model, Fluent)
    return found is not None and bool(found.fluent)


def is_judge(model: object) -> bool:
    """Whether a model was trained to judge readings of what people say."""
    found = find_ability(model, Judging)
    return found is not None and bool(found.judges)


async def complete_weighed(
    model: Model,
    prompt: str,
    *,
    stop: Sequence[str] = (),
    grammar: str | None = None,
    most: int = 256,
    listener: Listener | None = None,
) -> Completion:
    """Continue a prompt, with likelihoods if the model can report them."""
    weighing = find_ability(model, Weighing)
    complete = model.complete if weighing is None else weighing.complete_weighed
    heard: dict[str, Any] = {} if listener is None else {"listener": listener}
    return await complete(prompt, stop=stop, grammar=grammar, most=most, **heard)


async def read_ahead(model: Model, prompt: str) -> None:
    """Let a model that caches prompts read the text that its next prompts begin with; do nothing for other models."""
    reading = find_ability(model, ReadsAhead)
    if reading is not None:
        await reading.read_ahead(prompt)


@contextmanager
def following_reading(progress: ReadingProgress | None) -> Iterator[None]:
    """Have models that are asked within the block tell how far they have read their prompts, if they know that."""
    before = _reading.set(progress)
    try:
        yield
    finally:
        _reading.reset(before)


def find_reading_progress() -> ReadingProgress | None:
    """Who wants to know how far a model has read; for models, when they are asked."""
    return _reading.get()


async def find_eyes(model: object) -> Sees | None:
    """Return the model as one that looks at pictures, if it does."""
    seeing = find_ability(model, Sees)
    return seeing if seeing is not None and await seeing.sees() else None


def in_role(model: Model, role: str) -> Model:
    """Return the model with its adapter for a role; a model without adapters is the same in every role."""
    playing = find_ability(model, PlaysRoles)
    return model if playing is None else playing.in_role(role)


def find_judge(model: Model) -> Model | None:
    """Return the model in the role of a judge of readings, if it was trained for that."""
    judge = in_role(model, JUDGE)
    return judge if is_judge(judge) else None
