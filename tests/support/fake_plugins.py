"""Plugins without packages: what another package would announce as an entry point, for one test."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

import pytest

from thinkaloud import plugins
from thinkaloud.plugins import Registry


def announce(monkeypatch: pytest.MonkeyPatch, registry: Registry[Any], name: str, thing: object) -> None:
    """Have a registry find something under a name."""
    module = ModuleType(f"announced_{name}")
    module.thing = thing  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    group = f"thinkaloud.{registry._kind}s"
    point = EntryPoint(name, f"{module.__name__}:thing", group)
    monkeypatch.setattr(
        plugins, "entry_points", lambda group: [*entry_points(group=group), *([point] if group == point.group else [])]
    )
    monkeypatch.setattr(registry, "_loaded", {})
