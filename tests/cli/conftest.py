"""What the tests of the command line share: a home of their own, a scene, and a robot that knows what to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaign.obedient import obey
from thinkaloud.models import Scripted

REQUEST = "Put the red block in the blue bowl."
SCENE = """
[[objects]]
name = "red block"
kind = "block"
x = 0.1
y = -0.5

[[objects]]
name = "green block"
kind = "block"
x = -0.1
y = -0.6

[[objects]]
name = "blue bowl"
kind = "bowl"
x = -0.15
y = -0.35
"""


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run in an empty folder, with an empty home, and a scene file."""
    monkeypatch.chdir(tmp_path)
    for name in ("THINKALOUD_MODEL", "THINKALOUD_PRESET", "THINKALOUD_WORLD", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("THINKALOUD_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "scene.toml").write_text(SCENE)
    return tmp_path


def obedient() -> Scripted:
    """A planner that does what `Put the X block in/on the Y.` says, one thing after another."""
    return Scripted(obey)
