"""Those who show how it is done: one module for each preset, found by its `DEMONSTRATORS` and `HELD_OUT`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

from training.samples import Demonstrator


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{found.name}")
        if hasattr(module, "DEMONSTRATORS"):
            yield module


def demonstrators() -> dict[str, Demonstrator]:
    """All of them, by name."""
    return {each.name: each for module in _modules() for each in module.DEMONSTRATORS}


def held_out() -> tuple[str, ...]:
    """The regular expressions of what none of their samples may have in it."""
    return tuple(each for module in _modules() for each in getattr(module, "HELD_OUT", ()))
