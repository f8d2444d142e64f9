"""Damage is noticed and named; the other sessions stay usable, and the part before the damage can be saved."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from campaign.damaging import list_places
from damaged_journal import HARMLESS, damage_once, make_journal
from journalled import EPISODE, record_episode, write_old_journal
from sampling import how_many
from thinkaloud.cli import cli
from thinkaloud.errors import JournalError, SessionDamaged
from thinkaloud.models.contract import Verbatim
from thinkaloud.records import ModelCall, Request
from thinkaloud.remember.journal import Journal

FLIPS = 100


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement, values)


@pytest.mark.parametrize("aimed", [True, False], ids=["in a value", "anywhere in the file"])
def test_one_flipped_bit_is_never_read_in_silence(tmp_path: Path, aimed: bool) -> None:
    flips = FLIPS if aimed else how_many(FLIPS // 2, of=FLIPS)
    results = [damage_once(tmp_path, seed, aimed=aimed) for seed in range(flips)]
    assert [result for result in results if result.kind not in HARMLESS] == []
    found = Counter(result.kind for result in results)
    assert found["named"] == flips if aimed else found["named"] > flips / 10
    if aimed:
        places = list_places(tmp_path / "whole.db")
        assert {result.where.split()[0] for result in results} == {f"{each.table}.{each.column}" for each in places}


def test_damage_that_sqlite_cannot_even_quote_is_told_in_a_line(journal: Journal, path: Path) -> None:
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = path.read_bytes()
    path.write_bytes(content.replace(b"REFERENCES", b"REF\xc5RENCES", 1))
    with pytest.raises(JournalError, match=r"journal\.db is not a journal, or is damaged \(malformed database schema"):
        Journal(path)


@pytest.mark.parametrize(
    ("loss", "missing"),
    [
        ("DELETE FROM events WHERE event_index = 4", "event 4 is missing"),
        ("DELETE FROM events WHERE event_index = 2", "event 2 is missing"),
        ("DELETE FROM events", "event 0 is missing"),
        ("DELETE FROM snapshots WHERE event_index = 4", "the world at event 4 is missing"),
        ("DELETE FROM checkpoints", "the world in the middle of a step is missing"),
    ],
)
def test_what_is_lost_is_missed(journal: Journal, path: Path, loss: str, missing: str) -> None:
    id = record_episode(journal)
    if "checkpoints" in loss:
        with journal.resume(id) as session:
            session.checkpoint(9.0, b"in the air")
    change(path, loss)
    with pytest.raises(SessionDamaged, match=f"^Session {id} is damaged: {missing}\\."):
        journal.open(id).check()


def test_a_session_whose_beginning_is_lost_is_not_an_empty_one(journal: Journal, path: Path) -> None:
    session = journal.open(record_episode(journal))
    change(path, "DELETE FROM sessions")
    with pytest.raises(SessionDamaged, match="its beginning is missing"):
        session.events()


def test_a_session_whose_id_changed_is_not_opened(journal: Journal, path: Path) -> None:
    id = record_episode(journal)
    change(path, "UPDATE sessions SET id = id || char(0)")
    with pytest.raises(SessionDamaged, match=f"Session {id} is damaged: its id has changed"):
        journal.resume(id)


def test_damage_names_the_event_and_what_is_lost(journal: Journal, path: Path) -> None:
    id = record_episode(journal)
    count = journal.open(id).count()
    change(path, "UPDATE events SET data = replace(data, 'a', 'b') WHERE event_index = 2")
    with pytest.raises(
        SessionDamaged, match=f"event 2 does not match its checksum. Lost: events 2 to {count - 1}. To see"
    ):
        journal.open(id).events()


def test_events_of_one_session_are_not_taken_for_those_of_another(journal: Journal, path: Path) -> None:
    first, second = record_episode(journal), record_episode(journal)
    change(path, "DELETE FROM events WHERE session = 1")
    change(path, "UPDATE events SET session = 1 WHERE session = 2")
    for id in (first, second):
        with pytest.raises(SessionDamaged, match=id):
            journal.open(id).events()


def test_a_damaged_session_is_not_resumed_and_not_written_to(journal: Journal, path: Path) -> None:
    id = record_episode(journal)
    change(path, "UPDATE snapshots SET data = x'00' WHERE event_index = 4")
    with pytest.raises(SessionDamaged, match="the world at event 4 does not match its checksum"):
        journal.resume(id)
    with pytest.raises(SessionDamaged):
        journal.open(id).commit(5, 9.0, Request("go on"))
    assert len(journal.open(id).events()) == len(EPISODE)


def test_all_before_the_damage_is_saved(journal: Journal, path: Path) -> None:
    id = record_episode(journal)
    assert journal.open(id).salvage() == (journal.open(id).events(), "")
    change(path, "UPDATE events SET data = replace(data, 'completed', 'failed') WHERE event_index = 3")
    events, damage = journal.open(id).salvage()
    assert [record for _, _, record in events] == list(EPISODE[:3])
    assert "event 3 does not match its checksum" in damage


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE messages SET message = replace(message, 'one', 'two') WHERE session = :first",
        "UPDATE messages SET session = '20000101-0000' WHERE session = :first",
        "DELETE FROM messages WHERE session = :first",
        "UPDATE sessions SET heard = 0 WHERE id = :first",
    ],
)
def test_what_was_heard_in_a_session_is_checked_and_the_others_go_on(journal: Journal, path: Path, damage: str) -> None:
    first, second = record_episode(journal), record_episode(journal)
    for id in (first, second):
        assert journal.note(f"{id} one", id)
        assert not journal.note(f"{id} one", id)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(damage, {"first": first})
    with pytest.raises(SessionDamaged, match=f"Session {first} is damaged: .*heard"):
        journal.note(f"{first} one", first)
    assert not journal.note(f"{second} one", second)
    assert [str(each).split()[1] for each in journal.find_damage()][:1] == [first]
    assert len(journal.open(first).events()) == len(EPISODE)


def test_a_message_that_began_a_session_nobody_knows_any_more_is_named(journal: Journal, path: Path) -> None:
    id = record_episode(journal)
    journal.note("start one", id)
    change(path, "UPDATE messages SET session = '20000101-0000'")
    with pytest.raises(JournalError, match="the record of message 'start one'"):
        journal.noted("start one")
    assert journal.noted("start two") is None
    assert len(list(journal.find_damage())) == 2


def test_what_a_model_said_is_missed(journal: Journal, path: Path) -> None:
    with journal.begin() as session:
        for index, record in enumerate(EPISODE):
            said = Verbatim("What now?", "Pick it up.") if isinstance(record, ModelCall) else None
            session.commit(index, index / 3, record, said=said)
    change(path, "DELETE FROM exchanges")
    with pytest.raises(SessionDamaged, match="the model's answer at event 2 is missing"):
        journal.open(session.id).check()


# On the command line --------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("THINKALOUD_HOME", str(tmp_path))
    return tmp_path


def said(*command: str) -> Result:
    result = CliRunner().invoke(cli, list(command))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_list_names_the_damaged_session_and_shows_the_others(home: Path) -> None:
    make_journal(home / "journal.db")
    change(home / "journal.db", "UPDATE events SET data = '{' WHERE session = 2 AND kind = 'request'")
    with Journal(home / "journal.db") as journal:
        infos = journal.sessions()
        listed = said("sessions").output
    assert [info.result for info in infos] == ["unfinished", *["goal met"] * 3, "damaged", "goal met"]
    assert all(info.id in listed for info in infos)
    assert f"Session {infos[4].id} is damaged: event 1 does not match its checksum." in listed


@pytest.mark.parametrize("command", ["export", "replay"])
def test_what_is_left_is_shown_on_request(home: Path, command: str) -> None:
    with Journal(home / "journal.db") as journal:
        id = record_episode(journal)
    change(home / "journal.db", "UPDATE events SET at = 7 WHERE event_index = 3")
    refused = said(command, id)
    assert refused.exit_code == 2
    assert refused.output.count("\n") == 1 and f"{command} {id} --salvage" in refused.output
    saved = said(command, id, "--salvage")
    assert saved.exit_code == 0
    assert "put the red block away" in saved.output and "is damaged: event 3" in saved.output


# A home that is only to be read ---------------------------------------------------------------------------------------


@contextmanager
def only_to_be_read(*folders: Path) -> Iterator[None]:
    """As somebody who may read these folders and write nothing in them."""
    for folder in folders:
        folder.chmod(0o555)
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        if me == 0:
            os.seteuid(0)
        for folder in folders:
            folder.chmod(0o755)


@pytest.fixture
def shelf() -> Iterator[Path]:
    """A folder that others can get to, too."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    shutil.rmtree(folder)


def test_a_home_that_may_not_be_written_is_listed_and_read(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_journal(shelf / "journal.db")
    monkeypatch.setenv("THINKALOUD_HOME", str(shelf))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shelf))
    monkeypatch.chdir(shelf)
    before = said("sessions").output  # all that is imported only when it is needed has been from here on
    with only_to_be_read(shelf):
        with pytest.raises(JournalError, match="cannot be written"):
            Journal(shelf / "journal.db")
        with Journal(shelf / "journal.db", to_write=False) as journal:
            ids = [info.id for info in journal.sessions()]
            assert len(ids) == 6 and len(journal.open(ids[-1]).events()) == len(EPISODE)
            with pytest.raises(JournalError, match="cannot be"):
                journal.resume(ids[-1])
        assert said("sessions").output == before
        assert said("export", ids[-1]).exit_code == 0


def test_an_old_journal_that_may_not_be_written_is_read_as_well(shelf: Path) -> None:
    id = write_old_journal(shelf / "journal.db", [(0.0, "request", '{"text":"tidy up"}')], [b"world"])
    before = (shelf / "journal.db").read_bytes()
    with only_to_be_read(shelf), Journal(shelf / "journal.db", to_write=False) as journal:
        assert journal.open(id).events() == [(0, 0.0, Request("tidy up"))]
        assert journal.open(id).snapshot() == b"world"
    assert (shelf / "journal.db").read_bytes() == before


def test_a_journal_left_open_is_not_read_without_its_latest_events(shelf: Path) -> None:
    with Journal(shelf / "other.db") as journal:
        record_episode(journal)
        shutil.copy(shelf / "other.db", shelf / "journal.db")
        shutil.copy(shelf / "other.db-wal", shelf / "journal.db-wal")
    with only_to_be_read(shelf), pytest.raises(JournalError, match=r"not closed properly.*Copy its folder"):
        Journal(shelf / "journal.db", to_write=False)
