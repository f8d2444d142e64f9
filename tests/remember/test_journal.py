from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from journalled import EPISODE, record_episode
from thinkaloud.errors import JournalError, UnknownName
from thinkaloud.records import Answer, End, ModelCall, Outcome, Record, Request, Resumed, Step
from thinkaloud.remember.journal import Journal, SessionInfo, export_lines, render_event

# Events and snapshots -------------------------------------------------------------------------------------------------


def test_a_session_is_read_back_as_it_was_committed(journal: Journal) -> None:
    session = journal.open(record_episode(journal))
    assert session.events() == [(index, index / 3, record) for index, record in enumerate(EPISODE)]
    assert session.snapshot() == b"world 4"


def test_what_was_committed_outlives_the_journal_object(path: Path) -> None:
    with Journal(path) as journal:
        id = record_episode(journal)
    with Journal(path) as journal:
        assert [record for _, _, record in journal.open(id).events()] == list(EPISODE)


@pytest.mark.parametrize("index", [-1, 0, 2, 99])
def test_gaps_and_repeated_indices_are_refused(journal: Journal, index: int) -> None:
    session = journal.begin()
    session.commit(0, 0.0, Request("tidy up"))
    with pytest.raises(JournalError, match="the next one is 1"):
        session.commit(index, 0.0, Request("tidy up"))
    session.commit(1, 0.0, Request("and wipe"))
    assert len(session.events()) == 2


def test_a_record_that_could_not_be_read_again_is_refused(journal: Journal) -> None:
    session = journal.begin()
    with pytest.raises(JournalError, match=r"event 0 \(outcome\) cannot be read"):
        session.commit(0, 0.0, Outcome(Step("move", {"x": float("nan")}, "Move."), "failed"))
    with pytest.raises(JournalError, match="event 0 contains text that UTF-8 cannot represent"):
        session.commit(0, 0.0, Request("caf\udce9"))
    session.commit(0, 0.0, Request("tidy up"))


def test_the_world_is_known_at_every_event(journal: Journal) -> None:
    session = journal.begin()
    assert session.snapshot() is None
    for index, world in enumerate([b"a", None, b"a", b"b", None]):
        session.commit(index, 0.0, Request("x"), world)
    assert [session.snapshot_at(index) for index in range(-1, 6)] == [None, b"a", b"a", b"a", b"b", b"b", b"b"]
    assert session.snapshot() == b"b"


def test_a_world_that_did_not_change_is_stored_once(journal: Journal, path: Path) -> None:
    with journal.begin() as session:
        for index in range(10):
            session.commit(index, 0.0, Request("x"), b"the same")
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM snapshots").fetchone() == (1,)
    db.close()


def test_a_checkpoint_is_the_latest_world_until_the_next_snapshot(journal: Journal) -> None:
    session = journal.begin()
    session.commit(0, 0.0, Request("x"), b"before")
    session.checkpoint(0.1, b"in the air")
    session.checkpoint(0.2, b"nearly there")
    assert session.snapshot() == b"nearly there"
    assert session.snapshot_at(0) == b"before"
    session.commit(1, 0.3, Answer("yes"))
    assert session.snapshot() == b"nearly there"
    session.commit(2, 0.4, Request("x"), b"before")  # back where it was: the checkpoint must not win
    assert session.snapshot() == b"before"


def test_an_empty_snapshot_is_a_snapshot(journal: Journal) -> None:
    session = journal.begin()
    session.commit(0, 0.0, Request("x"), b"")
    assert session.snapshot() == b""


def test_an_interrupted_commit_leaves_nothing_behind(journal: Journal) -> None:
    session = journal.begin()
    with pytest.raises(JournalError):
        session.commit(0, 0.0, Request("x"), object())  # type: ignore[arg-type]
    assert session.events() == []
    session.commit(0, 0.0, Request("x"), b"world")
    assert session.snapshot_at(0) == b"world"


# Finding sessions -----------------------------------------------------------------------------------------------------


def test_ids_are_short_and_begin_with_the_date(journal: Journal) -> None:
    id = record_episode(journal)
    assert id.startswith("20261115-")
    assert len(id) == 13


def test_ids_are_unique_even_when_chance_repeats_itself(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["7f3a", "7f3a", "7f3a", "0b1c"])
    monkeypatch.setattr("thinkaloud.remember.journal.secrets.token_hex", lambda _: next(drawn))
    assert [journal.begin().id for _ in range(2)] == ["20261115-7f3a", "20261115-0b1c"]


def test_a_session_is_found_by_the_beginning_of_its_id(journal: Journal) -> None:
    id = record_episode(journal)
    assert journal.open(id[:-2]).id == id


def test_an_ambiguous_beginning_is_refused(journal: Journal) -> None:
    ids = [record_episode(journal) for _ in range(2)]
    with pytest.raises(JournalError, match="2 sessions begin with '2026'") as caught:
        journal.open("2026")
    assert all(id in str(caught.value) for id in ids)


@pytest.mark.parametrize("id", ["", "2025", "%", "_", "20261115-zzzz", "'; DROP TABLE sessions"])
def test_an_unknown_session_is_refused_and_the_known_ones_are_named(journal: Journal, id: str) -> None:
    known = record_episode(journal)
    with pytest.raises(UnknownName, match=known):
        journal.open(id)


def test_the_list_says_what_each_session_was_about(journal: Journal) -> None:
    finished = record_episode(journal)
    unfinished = record_episode(journal, EPISODE[:2])
    empty = record_episode(journal, ())
    started = "2026-11-15T09:30:00+00:00"
    about = ("tabletop", "inner_monologue", "embedded")
    assert journal.sessions() == [
        SessionInfo(empty, started, "", "unfinished", 0, "", "", ""),
        SessionInfo(unfinished, started, "put the red block away", "unfinished", 2, *about, requests=1),
        SessionInfo(finished, started, "put the red block away", "goal met", 5, *about, requests=1),
    ]


@pytest.mark.parametrize("more", [Resumed("you asked"), Request("now the blue one")])
def test_a_session_taken_up_again_after_its_end_is_unfinished(journal: Journal, more: Record) -> None:
    record_episode(journal, (*EPISODE, more))
    assert journal.sessions()[0].result == "unfinished"


def test_the_list_names_the_latest_request_with_how_that_ended(journal: Journal) -> None:
    record_episode(journal, (*EPISODE, Request("now the blue one"), End("declined", "there is none")))
    (info,) = journal.sessions()
    assert (info.request, info.result, info.requests) == ("now the blue one", "declined", 2)
    assert info.earlier == ("put the red block away",)


def test_of_very_many_requests_the_list_keeps_the_latest(journal: Journal) -> None:
    record_episode(journal, (EPISODE[0], *(Request(f"request {number}") for number in range(60))))
    (info,) = journal.sessions()
    assert (info.request, info.requests, len(info.earlier)) == ("request 59", 60, 50)
    assert (info.earlier[0], info.earlier[-1]) == ("request 9", "request 58")


# Export ---------------------------------------------------------------------------------------------------------------


def test_the_same_episode_exports_to_the_same_bytes(journal: Journal, tmp_path: Path) -> None:
    slower = ModelCall("plan", "embedded", 120, 9, evaluated=120, cached=0, seconds=9.9)
    first = record_episode(journal)
    with Journal(tmp_path / "other.db", now=lambda: datetime(2031, 1, 1, tzinfo=UTC)) as other:
        second = record_episode(other, (*EPISODE[:2], slower, *EPISODE[3:]))
        assert list(export_lines(journal.open(first))) == list(export_lines(other.open(second)))
        assert list(export_lines(journal.open(first), measurements=True)) != list(
            export_lines(other.open(second), measurements=True)
        )
        assert not any(second in text or "2031" in text for text in export_lines(other.open(second)))


def test_an_exported_line_is_json_with_the_fields_of_the_record(journal: Journal) -> None:
    lines = list(export_lines(journal.open(record_episode(journal))))
    assert lines[1] == '{"index":1,"at":0.333,"kind":"request","attended":true,"text":"put the red block away"}'
    assert "seconds" not in json.loads(lines[2])
    assert all("\n" not in text for text in lines)


def test_measurements_are_exported_when_wanted(journal: Journal) -> None:
    lines = list(export_lines(journal.open(record_episode(journal)), measurements=True))
    assert json.loads(lines[2])["seconds"] == 0.4


def test_the_order_of_a_mapping_does_not_show_in_a_line() -> None:
    one = Outcome(Step("pour", {"from": "jug", "to": "cup"}, "Pour."), "completed")
    other = Outcome(Step("pour", {"to": "cup", "from": "jug"}, "Pour."), "completed")
    assert render_event(0, 0.0, one) == render_event(0, 0.0, other)


def test_a_line_keeps_other_alphabets_and_stays_one_line() -> None:
    text = render_event(3, 1.00049, Request("把红色方块\n拿走 \u2028 🙂"))
    assert text.startswith('{"index":3,"at":1.0,')
    assert "把红色方块" in text
    assert "\n" not in text


# One writer, many readers ---------------------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from thinkaloud.records import Request
from thinkaloud.remember.journal import Journal

session = Journal(Path(sys.argv[1])).begin()
session.commit(0, 0.0, Request("tidy up"), b"world")
session.checkpoint(0.1, b"in the air")
print(session.id, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def writer(path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Another process that is in the middle of a session."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdin=pipe, stdout=pipe, text=True)
    with process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
        process.kill()


def test_a_running_session_can_be_read_but_not_resumed(writer: tuple[str, object], path: Path) -> None:
    id, _ = writer
    with Journal(path) as journal:
        assert journal.open(id).events() == [(0, 0.0, Request("tidy up"))]
        assert journal.sessions()[0].result == "unfinished"
        with pytest.raises(JournalError, match=f"{id} is still running in another process"):
            journal.resume(id)
        with pytest.raises(JournalError, match="still running"):
            journal.open(id).commit(1, 0.0, Request("me too"))
        record_episode(journal)  # another session is nobody's business


def test_a_session_can_be_resumed_when_its_process_was_killed(
    writer: tuple[str, subprocess.Popen[str]], path: Path
) -> None:
    id, process = writer
    process.send_signal(signal.SIGKILL)
    process.wait()
    with Journal(path) as journal, journal.resume(id) as session:
        assert session.snapshot() == b"in the air"
        session.commit(1, 1.0, Resumed("its process had ended"), b"on the table")
        assert session.snapshot() == b"on the table"
        assert len(session.events()) == 2


def test_a_session_is_free_again_once_it_is_closed(journal: Journal, path: Path) -> None:
    session = journal.begin()
    with Journal(path) as other:
        with pytest.raises(JournalError, match="still running"):
            other.resume(session.id)
        session.close()
        session.close()
        other.resume(session.id).commit(0, 0.0, Request("x"))
    session.commit(1, 0.0, Request("y"))  # taken up again by itself, after the event of the other
    assert len(session.events()) == 2


def test_closing_the_journal_lets_go_of_its_sessions_and_leaves_no_litter(path: Path) -> None:
    with Journal(path) as journal:
        journal.begin()
        journal.begin()
    assert [file.name for file in path.parent.iterdir()] == ["journal.db"]


def test_a_lock_file_left_by_a_killed_process_does_not_block(journal: Journal, path: Path) -> None:
    id = record_episode(journal)
    path.with_name(f"journal.db.{id}.lock").touch()
    journal.resume(id)
