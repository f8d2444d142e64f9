"""Sessions made smaller: nothing is lost, damage is still noticed, and they go on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.test_damage import change
from thinkaloud.errors import SessionDamaged
from thinkaloud.models.contract import Verbatim
from thinkaloud.records import Begin, End, ModelCall, Request
from thinkaloud.remember.journal import Journal, export_lines
from thinkaloud.remember.packing import NotUnpacked, choose_dictionary, pack, unpack

ROBOT = "".join(f'def skill_{n}(thing, place): "Put thing number {n} where it belongs."\n' for n in range(60))


def record_day(journal: Journal, requests: int = 40) -> str:
    """A session with many requests of a kind, as a robot hears them in a day."""
    with journal.begin() as session:
        session.commit(0, 0.0, Begin("greenhouse", "thinkaloud", "embedded", seed=7), b"closed")
        for n in range(requests):
            asked = Request(f"Open window {n} of the façade, and tell me when it is done.")
            said = Verbatim(f"{ROBOT}# request {n}", f'open("window {n}")')
            session.commit(2 * n + 1, float(n), asked)
            call = ModelCall("listener", "embedded", 120, 9)
            session.commit(2 * n + 2, n + 0.5, call, f"open {n}".encode(), said)
        session.commit(2 * requests + 1, float(requests), End("goal met", ""))
        return session.id


def all_of(journal: Journal, id: str) -> list[object]:
    """Everything that a session holds."""
    session = journal.open(id)
    parts = [(session.verbatim(index), session.snapshot_at(index)) for index in range(session.count())]
    return [session.events(), list(export_lines(session, measurements=True)), parts, session.snapshot(), session.name()]


def pack_all(journal: Journal) -> None:
    assert all(why == "" for _, why in journal.pack())


def test_a_packed_session_holds_what_it_held(journal: Journal) -> None:
    ids = [record_day(journal) for _ in range(2)]
    before = [all_of(journal, id) for id in ids]
    listed = journal.sessions()
    pack_all(journal)
    assert [all_of(journal, id) for id in ids] == before
    assert journal.sessions() == listed
    assert list(journal.find_damage()) == []


def test_the_file_becomes_smaller(path: Path) -> None:
    with Journal(path) as journal:
        record_day(journal, 400)
    before = path.stat().st_size
    with Journal(path) as journal:
        pack_all(journal)
    assert path.stat().st_size < 0.75 * before


def test_packing_again_changes_nothing(journal: Journal, path: Path) -> None:
    id = record_day(journal)
    pack_all(journal)
    with closing(sqlite3.connect(path)) as db:
        first = db.execute("SELECT data FROM events").fetchall()
    before = all_of(journal, id)
    pack_all(journal)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT data FROM events").fetchall() == first
    assert all_of(journal, id) == before


def test_a_packed_session_goes_on_is_forked_and_packed_again(journal: Journal) -> None:
    id = record_day(journal)
    pack_all(journal)
    with journal.resume(id) as session:
        count = session.count()
        session.commit(count, 99.0, Request("Close them all."), b"closed again", Verbatim("prompt", "answer"))
    pack_all(journal)
    assert journal.open(id).events()[-1][2] == Request("Close them all.")
    assert journal.open(id).snapshot() == b"closed again"
    forked = journal.fork(id, 4, Begin("greenhouse", "thinkaloud", "embedded", seed=8))
    assert forked.verbatim(4) == journal.open(id).verbatim(4)
    forked.close()


def test_a_session_that_is_being_written_stays_as_it_is(journal: Journal, path: Path) -> None:
    done, running = record_day(journal), record_day(journal)
    with Journal(path) as other, other.resume(running):
        told = dict(journal.pack())
    assert told[done] == ""
    assert "is still running in another process" in told[running]


def test_a_reader_who_has_it_open_reads_on(journal: Journal, path: Path) -> None:
    id = record_day(journal)
    with Journal(path) as other:
        reader = other.open(id)
        before = reader.events(), reader.verbatim(2)
        pack_all(journal)
        assert (reader.events(), reader.verbatim(2)) == before


@pytest.mark.parametrize(
    ("loss", "missing"),
    [
        ("UPDATE events SET data = CAST(x'00' || data AS BLOB) WHERE event_index = 3", "event 3 cannot be unpacked"),
        (
            "UPDATE events SET data = substr(data, 1, length(data) - 6) WHERE event_index = 3",
            "event 3 cannot be unpacked",
        ),
        ("UPDATE events SET data = (SELECT data FROM events WHERE event_index = 5) WHERE event_index = 3", "event 3"),
        ("UPDATE dictionaries SET data = data || x'00'", "what it was packed with does not match its checksum"),
        ("DELETE FROM dictionaries", "event 0 cannot be unpacked"),
    ],
)
def test_damage_of_a_packed_session_is_noticed(journal: Journal, path: Path, loss: str, missing: str) -> None:
    id = record_day(journal)
    pack_all(journal)
    change(path, loss)
    with pytest.raises(SessionDamaged, match=missing):
        journal.open(id).check()


def test_a_damaged_session_is_left_alone_and_told(journal: Journal, path: Path) -> None:
    damaged, whole = record_day(journal), record_day(journal)
    change(path, "UPDATE events SET at = 77 WHERE event_index = 3 AND session = 1")
    told = dict(journal.pack())
    assert "event 3 does not match its checksum" in told[damaged]
    assert told[whole] == ""
    assert len(journal.open(damaged).salvage()[0]) == 3


def test_an_interrupted_packing_leaves_the_session_as_it_was(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = record_day(journal)
    before = all_of(journal, id)

    def fail(text: str, dictionary: bytes) -> bytes:
        if "request 30" in text:
            raise KeyboardInterrupt
        return pack(text, dictionary)

    monkeypatch.setattr("thinkaloud.remember.session.pack", fail)
    with pytest.raises(KeyboardInterrupt):
        list(journal.pack())
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM dictionaries").fetchone() == (0,)
    assert all_of(journal, id) == before
    with journal.resume(id):  # and nobody holds it
        pass


@given(st.lists(st.text(max_size=300), max_size=30), st.text(max_size=500))
def test_any_text_comes_back(texts: list[str], text: str) -> None:
    dictionary = choose_dictionary(texts)
    assert unpack(pack(text, dictionary), dictionary) == text
    assert unpack(pack(text, b""), dictionary) == text


def test_a_text_needs_its_own_dictionary() -> None:
    packed = pack(ROBOT, choose_dictionary([ROBOT]))
    for other in (b"", b"another"):
        with pytest.raises(NotUnpacked):
            unpack(packed, other)
