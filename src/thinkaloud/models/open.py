"""Models by name."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from thinkaloud.errors import ModelMissing, UnknownName
from thinkaloud.models.contract import Model
from thinkaloud.models.forcing import smollm
from thinkaloud.models.settings import ModelSettings as Settings
from thinkaloud.models.weights import checked, embedded_adapter, embedded_weights

NAMES = {
    "embedded": "the shipped model with thinkaloud's own adapter, where one is installed; else embedded-base",
    "embedded-base": "the shipped model as it came, SmolLM2-135M-Instruct",
    "gguf:PATH": "any GGUF file",
    "openai:NAME": "a model behind an OpenAI-compatible address",
}


def open_model(name: str, settings: Settings | None = None, notice: Callable[[str], None] | None = None) -> Model:
    """Load or connect to a model; `notice` gets a line if it is not quite the one asked for, or takes long."""
    settings = settings or Settings()
    kind, _, rest = name.partition(":")
    if name == "embedded":
        return _embedded(settings, notice or logging.getLogger("thinkaloud").warning)
    if name == "embedded-base":
        return _llama(name, embedded_weights(), settings, borders=smollm)
    if kind == "gguf" and rest:
        return _llama(name, Path(rest).expanduser(), settings)
    if kind == "openai" and rest:
        from thinkaloud.models.openai import OpenAI

        return OpenAI(rest, settings)
    raise UnknownName("model", name, NAMES)


def _embedded(settings: Settings, notice: Callable[[str], None]) -> Model:
    adapter = embedded_adapter()
    why = "no adapter is shipped with this installation"
    if adapter is not None:
        try:
            return _adapted(embedded_weights(), adapter, settings, notice)
        except ModelMissing as error:
            why = str(error)
    base = _llama("embedded-base", embedded_weights(), settings, borders=smollm)
    notice(f"Using embedded-base instead of embedded: {why}")
    return base


def _adapted(base: Path, adapter: Path, settings: Settings, notice: Callable[[str], None]) -> Model:
    """The shipped model with its adapter merged into the weights; beside them where that cannot be done."""
    try:
        from thinkaloud.models.merging import merged

        path = merged(base, checked(adapter), notice)
        try:
            return _llama("embedded", path, settings, trained=True, borders=smollm)
        except ModelMissing:
            path.unlink()  # damaged; it is made again the next time
            raise OSError(f"{path} was damaged") from None
    except OSError as error:
        notice(f"The embedded model is slower than it could be: its merged weights cannot be kept ({error}).")
    except ModuleNotFoundError:
        notice('The embedded model is slower than it could be, without numpy: pip install "thinkaloud[sim]"')
    return _llama("embedded", base, settings, adapter=adapter, trained=True, borders=smollm)


def _llama(name: str, path: Path, settings: Settings, **more: Any) -> Model:
    # Loading llama.cpp takes a moment that scripted and remote runs need not pay.
    from thinkaloud.models.llama import Llama

    return Llama(name, path, settings, **more)
