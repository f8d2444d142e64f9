"""Models by name."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from thinkaloud.errors import BadInput, MissingExtra, ModelMissing, ThinkaloudError, UnknownName, describe_fault
from thinkaloud.models.answer_file import ReadsAnswers, WritesAnswers
from thinkaloud.models.contract import Model
from thinkaloud.models.forced_answers import smollm
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.weight_files import (
    JUDGE,
    LARGE_JUDGE,
    MEANINGS,
    PAPERS,
    checked,
    embedded_weights,
    find_adapter,
)
from thinkaloud.plugins import Registry
from thinkaloud.untrusted.files import expand

if TYPE_CHECKING:
    from thinkaloud.models.llama import Llama

_L = TypeVar("_L")
Notice = Callable[[str], None]
Opener = Callable[..., Model]
"""Makes a model from the settings, and from the part after the colon of its name, if the name needs one."""

_ABOUT = {
    "embedded": "the shipped model with thinkaloud's own adapter if it is installed, otherwise embedded-base",
    "embedded-base": "the shipped model without an adapter, SmolLM2-135M-Instruct",
    "embedded-large": "Qwen2.5-Coder-1.5B-Instruct, downloaded once, with our adapters",
    "gguf:PATH": "any GGUF file",
    "openai:NAME": "a model behind an OpenAI-compatible address",
    "anthropic:NAME": "a model behind an address that speaks Anthropic's Messages API",
    "google:NAME": "a model behind an address that speaks Google's generateContent (Gemini)",
    "replay:FILE": "the answers that another model gave, from the file to which THINKALOUD_RECORD wrote them",
}
SERVED = ("openai", "anthropic", "google")
"""Our models that are asked over the network: the forms that their addresses speak."""
_NAMED = ("gguf", *SERVED, "replay")
"""Our model names that need something after the colon."""
_LARGE_JUDGES = (LARGE_JUDGE, JUDGE)
"""The adapters with which the large model's readings are judged: the first that is installed."""
_JUDGE_CONTEXT = 2048
"""Tokens of the longest question to a judge; most have 120."""
_LOCAL = ("embedded", "embedded-base", "embedded-large", "gguf")
"""Our models that llama.cpp runs on this machine."""


def _checked(name: str, found: Any) -> Opener:
    if not callable(found):
        raise ValueError(
            f"it must be a function that takes the settings and returns a model, not a {type(found).__name__}"
        )
    opener: Opener = found
    return opener


_HERE = "thinkaloud.models.registry"
MODELS: Registry[Opener] = Registry(
    "model",
    {
        "embedded": f"{_HERE}:_open_embedded",
        "embedded-base": f"{_HERE}:_open_base",
        "embedded-large": f"{_HERE}:_open_large",
        "gguf": f"{_HERE}:_open_gguf",
        "openai": f"{_HERE}:_open_endpoint",
        "anthropic": f"{_HERE}:_open_anthropic",
        "google": f"{_HERE}:_open_google",
        "replay": f"{_HERE}:_open_answers",
    },
    _checked,
)
"""Models by the first part of their name; other packages register theirs under `thinkaloud.models`."""


def open_model(name: str, settings: ModelSettings | None = None, notice: Notice | None = None) -> Model:
    """Load or connect to a model; `notice` gets a line if it is not exactly the requested one, or takes long."""
    settings = settings or ModelSettings()
    model = _open(name, settings, notice)
    return WritesAnswers(model, expand(settings.record)) if settings.record else model


def open_as_set(name: str = "") -> Model:
    """Open a model, or the one that is set, with the settings of the user and of this folder."""
    from thinkaloud.settings import load

    settings = load({"model": name or None})
    return open_model(settings.model, settings.for_model())


def runs_here(name: str) -> bool:
    """Whether llama.cpp runs a model on this machine."""
    return name.partition(":")[0] in _LOCAL


def is_served(name: str) -> bool:
    """Whether a model is asked over the network, where tokens may cost money."""
    return name.partition(":")[0] in SERVED


def require_weights(name: str, settings: ModelSettings) -> None:
    """Raise at once what is missing for a model that runs here, without loading it."""
    from thinkaloud.models.large_weights import find_large

    _, path = _split(name)
    if path:
        checked(expand(path))
    elif name == "embedded-large":
        find_large(settings)
    else:
        embedded_weights(settings.home)


def _split(name: str) -> tuple[str, str]:
    """Return the kind of a model and what follows it; raise BadInput if there is no such model."""
    kind, _, rest = name.partition(":")
    if kind not in MODELS or bool(rest) != (kind in _NAMED) or (":" in name and not rest):
        raise UnknownName("model", name, describe_models())
    if kind in _LOCAL and not _has_llama():
        raise MissingExtra(f"The model {name!r}", "local")
    return kind, rest


def _open(name: str, settings: ModelSettings, notice: Notice | None) -> Model:
    kind, rest = _split(name)
    opener = MODELS.find(kind)
    if name == "embedded":
        return opener(settings, notice)
    if name in _ABOUT or rest:
        return opener(settings, rest) if rest else opener(settings)
    try:
        return opener(settings)
    except ThinkaloudError:
        raise
    except Exception as error:  # another package's code failed: say which model it is
        raise BadInput(f"The model {name!r} cannot be opened: {describe_fault(error)}") from error


def _has_llama() -> bool:
    try:
        return find_spec("xllamacpp") is not None
    except ModuleNotFoundError:  # a finder of somebody's own may raise it
        return False


def describe_models() -> dict[str, str]:
    """Return every model that can be opened: how its name is written, and what it is."""
    ours = {name.partition(":")[0] for name in _ABOUT}
    others = {name: opener for name, opener in MODELS.available().items() if name not in ours}
    return _ABOUT | {name: (inspect.getdoc(opener) or "").partition("\n")[0] for name, opener in others.items()}


def _open_embedded(settings: ModelSettings, notice: Notice | None = None) -> Model:
    return _embedded(settings, notice or logging.getLogger("thinkaloud").warning)


def _open_base(settings: ModelSettings) -> Model:
    return _llama("embedded-base", embedded_weights(settings.home), settings, borders=smollm)


def _open_large(settings: ModelSettings) -> Model:
    from thinkaloud.models.embedded import Large
    from thinkaloud.models.large_weights import find_large

    judge = next((name for name in _LARGE_JUDGES if find_adapter(name) is not None), None)
    notice = logging.getLogger("thinkaloud").warning
    opened = _judge_opener(settings, notice) if judge == JUDGE else find_adapter(LARGE_JUDGE) if judge else None
    return Large(*find_large(settings), settings, opened)


def _open_gguf(settings: ModelSettings, path: str) -> Model:
    return _llama(f"gguf:{path}", expand(path), settings)


def _open_endpoint(settings: ModelSettings, name: str) -> Model:
    from thinkaloud.models.constraining import KnownWays
    from thinkaloud.models.openai import OpenAI

    return OpenAI(name, settings, known=KnownWays())


def _open_anthropic(settings: ModelSettings, name: str) -> Model:
    from thinkaloud.models.anthropic import Anthropic
    from thinkaloud.models.constraining import KnownWays

    return Anthropic(name, settings, known=KnownWays())


def _open_google(settings: ModelSettings, name: str) -> Model:
    from thinkaloud.models.constraining import KnownWays
    from thinkaloud.models.google import Google

    return Google(name, settings, known=KnownWays())


def _open_answers(settings: ModelSettings, path: str) -> Model:
    return ReadsAnswers(expand(path))


def _embedded(settings: ModelSettings, notice: Notice) -> Model:
    adapter = find_adapter(PAPERS)
    why = "no adapter is shipped with this installation"
    if adapter is not None:
        try:
            return _adapted(embedded_weights(settings.home), adapter, settings, notice)
        except ModelMissing as error:
            why = str(error)
    base = _open_base(settings)
    notice(f"Using embedded-base instead of embedded: {why}")
    return base


def _adapted(base: Path, adapter: Path, settings: ModelSettings, notice: Notice) -> Model:
    """Open the shipped model with the adapter for the papers' presets, and another for reading what people say."""
    from thinkaloud.models.embedded import Embedded
    from thinkaloud.models.llama import Llama

    with suppress(ModuleNotFoundError):  # without numpy the adapter stays beside the weights
        from thinkaloud.models.merge_adapter import require_mergeable

        require_mergeable(base, checked(adapter))
    load = partial(Llama, "embedded", settings=settings, borders=smollm, trained=True)
    reading, judge = find_adapter(MEANINGS), _judge_opener(settings, notice)

    def opener(adapter: Path, *, fluent: bool) -> Callable[[], Llama]:
        return lambda: _with_adapter(base, adapter, notice, lambda path, more: load(path, adapters=more, fluent=fluent))

    reader = None if reading is None else opener(reading, fluent=True)
    return Embedded(opener(adapter, fluent=reader is not None), reader, judge)


def _judge_opener(settings: ModelSettings, notice: Notice) -> Callable[[], Llama] | None:
    """Return what opens the shipped model with the adapter for judging readings, if that is installed."""
    from thinkaloud.models.llama import Llama

    adapter = find_adapter(JUDGE)
    if adapter is None:
        return None
    small = replace(settings, context=_JUDGE_CONTEXT, slots=1)
    load = partial(Llama, "embedded", borders=smollm, trained=False, fluent=False, judges=True)

    def opener() -> Llama:
        return _with_adapter(
            embedded_weights(settings.home), adapter, notice, lambda path, beside: load(path, small, beside)
        )

    return opener


def _with_adapter(base: Path, adapter: Path, notice: Notice, load: Callable[[Path, Sequence[Path]], _L]) -> _L:
    """Load weights with the adapter merged into them; load both files separately if merging fails."""
    try:
        from thinkaloud.models.merge_adapter import merged

        path = merged(base, checked(adapter), notice)
        try:
            return load(path, ())
        except ModelMissing:
            path.unlink()  # damaged; the next call makes it again
            raise OSError(f"{path} was damaged") from None
    except OSError as error:
        notice(f"The embedded model will be slower: its merged weights cannot be saved ({error}).")
    except ModuleNotFoundError:
        notice("The embedded model will be slower, because numpy is missing. Install it with: pip install numpy")
    return load(base, (adapter,))


def _llama(name: str, path: Path, settings: ModelSettings, **more: Any) -> Model:
    # Loading llama.cpp takes a moment, which scripted and remote runs can avoid.
    from thinkaloud.models.llama import Llama

    return Llama(name, path, settings, **more)
