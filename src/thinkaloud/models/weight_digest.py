"""Identify weights by their content, without reading gigabytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from thinkaloud.errors import ModelMissing
from thinkaloud.models import weight_files as weights
from thinkaloud.models.gguf_header import read_header
from thinkaloud.models.settings import ModelSettings
from thinkaloud.untrusted.files import expand

_SAMPLE = 4096
"""Bytes of each tensor that are read. Training changes all of them, and a gigabyte takes seconds to read."""
_ALIGNMENT = 32


def digest_file(path: Path) -> str:
    """The SHA-256 of a whole file, for adapters and other small ones."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_weights(path: Path) -> str:
    """The SHA-256 of a GGUF file's size, its header, and the first bytes of each tensor."""
    header = read_header(path)
    digest = hashlib.sha256(str(path.stat().st_size).encode())
    with path.open("rb") as file:
        digest.update(file.read(header.end))
        start = -(-header.end // _ALIGNMENT) * _ALIGNMENT
        for tensor in header.tensors.values():
            file.seek(start + tensor.offset)
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()


def digest_model(name: str, settings: ModelSettings) -> str:
    """Identify the weights behind a model's name; an address for a served model, empty for a model of another package.

    For our models that is the base and every adapter that is installed, whichever of them are used.
    """
    from thinkaloud.models.large_weights import home_of, large_weights

    kind, _, rest = name.partition(":")
    if kind == "openai":
        return settings.base_url
    if kind == "replay":
        return digest_file(expand(rest))
    if kind == "gguf":
        return digest_weights(weights.checked(expand(rest)))
    if kind not in ("embedded", "embedded-base", "embedded-large"):
        return ""
    small = _embedded(settings)
    files = [large_weights(home_of(settings)), *small] if kind == "embedded-large" else small
    digests = [digest_weights(each) for each in files] + [digest_file(each) for each in _adapters()]
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()


def _embedded(settings: ModelSettings) -> list[Path]:
    try:
        return [weights.embedded_weights(settings.home)]
    except ModelMissing:  # the large model works without it
        return []


def _adapters() -> list[Path]:
    return sorted(weights.ADAPTER.glob("*.gguf"))
