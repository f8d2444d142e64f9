"""What the tests of the journal share: one in an empty home, on a day of its own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thinkaloud.remember.journal import Journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path, now=lambda: datetime(2026, 11, 15, 9, 30, tzinfo=UTC)) as journal:
        yield journal
