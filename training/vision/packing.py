"""Pack what has been trained for another training to begin with: networks without the state of their optimisers.

python -m training.vision.packing results/vision
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch

from training.resumable import load_checkpoint

_KEPT = ("words", "width", "step", "seconds")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write OUT/export/checkpoints.tar.gz."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    out: Path = parser.parse_args(arguments).out
    with (
        tempfile.TemporaryDirectory() as folder,
        tarfile.open(out / "export" / "checkpoints.tar.gz", "w:gz") as archive,
    ):
        for path in sorted(out.glob("*.pt")):
            saved = load_checkpoint(path)
            small = {name: saved[name] for name in _KEPT}
            torch.save({**small, "network": saved["best"] or saved["network"]}, Path(folder) / path.name)
            archive.add(Path(folder) / path.name, path.name)


if __name__ == "__main__":
    main()
