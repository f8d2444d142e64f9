"""The learned eyes, hands, senses and policies of a run: which files they are, and a digest of each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from thinkaloud.errors import BadInput
from thinkaloud.models.weight_digest import digest_file
from thinkaloud.worlds.learned_files import named_file
from thinkaloud_bench.contract import Bench

PARTS = ("eyes", "hands", "senses")
"""What a robot of any column can be given."""
_LEARNED = "learned"
_SAMPLE = 2**16
"""Bytes of each end of a file that are read in a folder of weights, which may have gigabytes."""


def weights_of(part: str, name: str) -> Path | None:
    """Return the file behind `learned` or `learned:FILE`, or the folder behind `owlv2:FOLDER`; None for others."""
    kind, _, rest = name.partition(":")
    if kind == _LEARNED:
        return named_file(part, rest)
    return Path(rest).expanduser() if rest and Path(rest).expanduser().exists() else None


def learned_in(bench: Bench, columns: Iterable[str], parts: Mapping[str, str]) -> dict[str, Path]:
    """Return what is learned in the parts of the robots and in these columns, by their names."""
    found = {part: weights_of(part, name) for part, name in parts.items()}
    found |= {column: bench.column(column) for column in columns} if bench.column is not None else {}
    return {name: path for name, path in found.items() if path is not None}


def digest_learned(files: Mapping[str, Path]) -> dict[str, str]:
    """The SHA-256 of each of these files and folders."""
    return {name: _digest_folder(path) if path.is_dir() else _digest_file(path) for name, path in files.items()}


def _digest_file(path: Path) -> str:
    try:
        return digest_file(path)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from None


def _digest_folder(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder)} {size} ".encode())
        with path.open("rb") as file:
            digest.update(file.read(_SAMPLE))
            file.seek(max(0, size - _SAMPLE))
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()
