from __future__ import annotations

import subprocess
import sys

import pytest

import thinkaloud


@pytest.mark.parametrize("name", thinkaloud.__all__)
def test_everything_announced_can_be_imported(name: str) -> None:
    assert getattr(thinkaloud, name).__module__.startswith("thinkaloud.")


def test_what_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Robot'"):
        _ = thinkaloud.Robot


def test_importing_the_package_loads_neither_physics_nor_models() -> None:
    heavy = "mujoco xllamacpp numpy PIL rich httpx"
    code = f"import sys, thinkaloud; print([m for m in {heavy.split()!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
