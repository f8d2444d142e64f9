"""Models by name."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from thinkaloud.errors import ModelMissing, UnknownName
from thinkaloud.models.contract import Model
from thinkaloud.models.settings import Settings
from thinkaloud.models.weights import embedded_adapter, embedded_weights

NAMES = {
    "embedded": "the shipped model with thinkaloud's own adapter, where one is installed; else embedded-base",
    "embedded-base": "the shipped model as it came, SmolLM2-135M-Instruct",
    "gguf:PATH": "any GGUF file",
    "openai:NAME": "a model behind an OpenAI-compatible address",
}


def open_model(name: str, settings: Settings | None = None, notice: Callable[[str], None] | None = None) -> Model:
    """Load or connect to a model; `notice` gets a line if it is not quite the one that was asked for."""
    settings = settings or Settings()
    kind, _, rest = name.partition(":")
    if name == "embedded":
        return _embedded(settings, notice or logging.getLogger("thinkaloud").warning)
    if name == "embedded-base":
        return _llama(name, embedded_weights(), settings)
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
            return _llama("embedded", embedded_weights(), settings, adapter)
        except ModelMissing as error:
            why = str(error)
    base = _llama("embedded-base", embedded_weights(), settings)
    notice(f"Using embedded-base instead of embedded: {why}")
    return base


def _llama(name: str, path: Path, settings: Settings, adapter: Path | None = None) -> Model:
    # Loading llama.cpp takes a moment that scripted and remote runs need not pay.
    from thinkaloud.models.llama import Llama

    return Llama(name, path, settings, adapter)
