"""Journals that cannot be used: each is refused in one line that names it, and kept as it is."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from journalled import record_episode
from thinkaloud.errors import JournalError
from thinkaloud.records import Request
from thinkaloud.remember.journal import Journal
from thinkaloud.remember.schema import MIGRATIONS


def problem(path: Path) -> str:
    """What opening this journal complains about: one line that names the file."""
    with pytest.raises(JournalError) as caught:
        Journal(path, patience=0)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    return message


def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_text("my shopping list\n" * 100)
    assert "THINKALOUD_HOME" in problem(path)
    assert path.read_text() == "my shopping list\n" * 100
    assert list(tmp_path.iterdir()) == [path]


def test_a_database_of_another_program_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()
    before = path.read_bytes()
    assert "another program" in problem(path)
    assert path.read_bytes() == before


def test_a_damaged_journal_is_refused_and_kept(path: Path) -> None:
    with Journal(path) as journal:
        for _ in range(50):
            record_episode(journal)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(JournalError, match="damaged") as caught, Journal(path) as journal:
        journal.sessions()
    assert str(path) in str(caught.value)
    assert path.stat().st_size == len(whole)


def test_a_journal_of_a_newer_version_is_refused(path: Path) -> None:
    Journal(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    assert "newer thinkaloud" in problem(path)


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.touch()
    with Journal(path) as journal:
        assert journal.sessions() == []


def test_a_locked_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    holder = sqlite3.connect(path)
    holder.execute("BEGIN EXCLUSIVE")
    assert "locked by another program" in problem(path)
    holder.close()


def test_a_commit_says_so_when_another_program_holds_the_journal(path: Path) -> None:
    with Journal(path, patience=0) as journal:
        session = journal.begin()
        holder = sqlite3.connect(path)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked by another program"):
            session.commit(0, 0.0, Request("x"))
        holder.close()
        session.commit(0, 0.0, Request("x"))


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")
    assert "THINKALOUD_HOME" in problem(tmp_path / "home" / "journal.db")


def test_a_journal_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.mkdir()
    assert "THINKALOUD_HOME" in problem(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_that_may_not_be_written_is_refused(path: Path, exists: bool) -> None:
    path.parent.mkdir()
    if exists:
        with Journal(path) as journal:
            record_episode(journal)
    path.parent.chmod(0o500)
    try:
        assert "THINKALOUD_HOME" in problem(path)
    finally:
        path.parent.chmod(0o700)
