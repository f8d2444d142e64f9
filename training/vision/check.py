"""Find out within seconds whether everything is there: drawing, training, exporting, and running what was exported.

python -m training.vision.check
"""

from __future__ import annotations

import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

_NEEDED = ("numpy", "msgspec", "PIL", "mujoco", "torch", "onnx", "onnxruntime")


def main() -> None:
    """Try each step once; exit with one line if one of them cannot be done here."""
    began = time.perf_counter()
    lacking = [name for name in _NEEDED if not _imports(name)]
    if lacking:
        sys.exit(f"This machine lacks {', '.join(lacking)}: see training/README.md, 'On another machine'.")
    try:
        from training.vision.plan import KINDS

        for kind in KINDS:
            kind.drawer()(500_000)
    except Exception as error:
        sys.exit(f"Nothing can be drawn here: {error!r}. Drawing needs MuJoCo alone, and no display.")
    try:
        _export_and_run()
    except Exception as error:
        sys.exit(f"A network cannot be exported or run here: {error!r}.")
    import torch

    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "a processor; no GPU was found"
    print(f"ready after {time.perf_counter() - began:.0f} s: torch {torch.__version__} on {device}")


def _imports(name: str) -> bool:
    try:
        import_module(name)
    except ImportError as error:
        print(f"{name}: {error}", flush=True)
        return False
    return True


def _export_and_run() -> None:
    from thinkaloud.perceive.learned_eyes import LearnedDetector
    from thinkaloud_worlds.random_tables import VOCABULARY, draw_table, photograph_drawn
    from training.eyes.export import write_onnx
    from training.eyes.network import Detector

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "eyes.onnx"
        write_onnx(Detector(len(VOCABULARY)), list(VOCABULARY), file)
        LearnedDetector(file).find(photograph_drawn(draw_table(500_000), 96, 72).view, ["red block"])


if __name__ == "__main__":
    main()
