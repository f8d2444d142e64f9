"""Words of models, forks, and messages that are known again; and journals from before all that."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from thinkaloud.errors import JournalError
from thinkaloud.models.contract import Verbatim
from thinkaloud.records import Begin, ModelCall, Outcome, Request, Started, Step
from thinkaloud.remember.journal import Journal
from thinkaloud.remember.schema import MIGRATIONS

BEGIN = Begin("toy", "p", "m", 0)
STEP = Step("move", {}, "Move.")
CALL = ModelCall("planner", "m", 3, 2)


def written(journal: Journal) -> str:
    with journal.begin() as session:
        session.commit(0, 0.0, BEGIN, b"start")
        session.commit(1, 0.0, Request("Go."))
        session.commit(2, 0.0, CALL, said=Verbatim("Q " * 1000 + "é\ud800", "A"))
        session.commit(3, 0.0, Started(STEP))
        session.commit(4, 1.0, Outcome(STEP, "completed"), b"later")
        return session.id


def test_what_a_model_was_asked_and_said_is_kept_word_for_word(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        id = written(journal)
    with Journal(tmp_path / "journal.db") as journal:
        session = journal.open(id)
        assert session.verbatim(2) == Verbatim("Q " * 1000 + "é?", "A")
        assert session.verbatim(1) is None


def test_a_fork_has_what_was_before_and_another_beginning(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        id = written(journal)
        before = journal.open(id).events()
        other = Begin("toy", "q", "n", 0, {"forked": f"{id}@3"})
        with journal.fork(id, 3, other) as fork:
            assert fork.events() == [(0, 0.0, other), *before[1:4]]
            assert (fork.snapshot(), fork.snapshot_at(3), fork.verbatim(2)) == (
                b"start",
                b"start",
                Verbatim("Q " * 1000 + "é?", "A"),
            )
            fork.commit(4, 2.0, Outcome(STEP, "failed"), b"elsewhere")
        assert journal.open(id).events() == before
        assert journal.open(id).snapshot() == b"later"
        for at in (-1, 5):
            with pytest.raises(JournalError, match="has events 0 to 4"):
                journal.fork(id, at, other)
        assert len(journal.sessions()) == 2


def test_a_message_is_known_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        assert journal.note("a", "one")
        assert not journal.note("a", "two")
        assert (journal.noted("a"), journal.noted("b")) == ("one", None)


def test_a_journal_from_before_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with sqlite3.connect(path) as old:
        for statement in MIGRATIONS[0].split(";"):
            old.execute(statement)
        old.execute("INSERT INTO sessions (id, started) VALUES ('20260101-aaaa', '2026-01-01T00:00:00')")
        old.execute("PRAGMA user_version = 1")
    old.close()
    with Journal(path) as journal, journal.resume("20260101-aaaa") as session:
        session.commit(0, 0.0, BEGIN)
        session.commit(1, 0.0, CALL, said=Verbatim("q", "a"))
        assert session.verbatim(1) == Verbatim("q", "a")
