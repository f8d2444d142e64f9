"""Runs once, before any fork: imports everything heavy, and registers the campaign's model."""

from __future__ import annotations

import importlib
import os
import warnings
from pathlib import Path

from campaign.remembered import announce

_HEAVY = (
    "numpy", "mujoco", "xllamacpp", "httpx", "pydantic_monty", "rich.console", "rich.table", "PIL.Image",
    "thinkaloud.staging.opening", "thinkaloud.cli.conversation", "thinkaloud.cli.typed_lines", "thinkaloud.cli.lists",
    "thinkaloud.models.llama", "thinkaloud.models.openai", "thinkaloud_worlds.tabletop", "thinkaloud_worlds.franka",
    "thinkaloud_worlds.warehouse", "thinkaloud_worlds.household", "thinkaloud_worlds.dishwasher",
    "thinkaloud_worlds.drinks", "thinkaloud.robots.text_file",
)  # fmt: skip


def warm_up(work: Path) -> None:
    """Import what a command would import, and register `--model campaign`."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    warnings.filterwarnings("ignore", message=".*fork.*", category=DeprecationWarning)
    for name in _HEAVY:
        importlib.import_module(name)
    announce(work / "plugin")
