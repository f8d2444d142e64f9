from __future__ import annotations

from pathlib import Path

import pytest

from thinkaloud.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)
