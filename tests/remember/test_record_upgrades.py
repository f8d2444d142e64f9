"""Journals of earlier versions: read as if they had been written today, and shown as they were then.

`data/journals` holds sessions as 0.1.0 wrote them, one record a line (but for what was asked of the model),
and beside each what its replay printed.
"""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from journalled import write_old_journal
from thinkaloud.cli.terminal import Terminal
from thinkaloud.errors import JournalError
from thinkaloud.monologue import Event
from thinkaloud.records import (
    Act,
    Answered,
    Content,
    Done,
    GoBack,
    LookFirst,
    Meaning,
    NotClear,
    Noted,
    Outline,
    Plan,
    Question,
    Record,
    Refused,
    Step,
    StopWhen,
    UndoWork,
)
from thinkaloud.remember.journal import Journal
from thinkaloud.remember.record_upgrades import upgrade
from thinkaloud.remember.schema import MIGRATIONS, checksum
from thinkaloud.serialization import from_data, to_data

OLD = Path(__file__).parents[1] / "data" / "journals"
SESSIONS = sorted(path.stem for path in OLD.glob("*.jsonl"))


def records_of(name: str, tmp_path: Path) -> list[tuple[int, float, Record]]:
    """A session read from a journal that holds the old lines as they are."""
    rows = [json.loads(line) for line in (OLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    path = tmp_path / "journal.db"
    id = write_old_journal(path, [(row["at"], row["kind"], json.dumps(row["data"])) for row in rows])
    with Journal(path) as journal:
        return journal.open(id).events()


def test_there_is_an_old_session_of_each_kind() -> None:
    assert SESSIONS == ["gave_up", "inner_monologue", "itp", "multitalk", "progprompt", "statler"]


@pytest.mark.parametrize("name", SESSIONS)
def test_an_old_session_is_replayed_as_it_was(name: str, tmp_path: Path) -> None:
    screen = io.StringIO()
    view = Terminal(Console(file=screen, width=200))
    for event in records_of(name, tmp_path):
        view(Event(*event))
    view.conclude()
    assert screen.getvalue() == (OLD / f"{name}.txt").read_text(encoding="utf-8")


def test_an_old_outline_says_where_it_is(tmp_path: Path) -> None:
    plans = [record for _, _, record in records_of("itp", tmp_path) if isinstance(record, Plan)]
    assert [plan.outline.at for plan in plans if plan.outline] == [None, 0, 1, None, 0, 1, 2]
    assert plans[0].verbatim == plans[0].thought == "Material: honey, tea"
    assert plans[-1].conditions and plans[-1].outline and plans[-1].outline.line is None


def test_the_words_of_an_old_goal_are_kept_and_not_shown(tmp_path: Path) -> None:
    first = next(record for _, _, record in records_of("inner_monologue", tmp_path) if isinstance(record, Plan))
    assert first.verbatim.startswith("Goal state is [") and first.thought == ""


@pytest.mark.parametrize(
    ("old", "how"),
    [
        ({"answered": False, "gave_up": False}, "finished"),
        ({"answered": True, "gave_up": False}, "answered"),
        ({"gave_up": True}, "gave up"),
    ],
)
def test_two_booleans_become_one_of_three(old: dict[str, Any], how: str) -> None:
    assert upgrade("done", {"because": "so", **old}) == {"because": "so", "how": how}


def test_a_check_that_failed_itself_is_known_as_such() -> None:
    old = {"step": {}, "ok": False, "level": "action", "observed": "Cannot be checked: KeyError: 'ball'"}
    assert upgrade("verdict", old) == {**old, "unchecked": True}
    assert upgrade("verdict", {**old, "observed": "Not so: the ball is here."})["ok"] is False
    assert "unchecked" not in upgrade("verdict", {**old, "observed": "Not so: the ball is here."})


@pytest.mark.parametrize(
    "record",
    [
        Meaning("p", "w", Act()),
        Plan("g", (), ()),
        Plan("g", (), (), "shown", "said", Outline(("a", "b"), 1)),
        Done("x"),
        Done("x", "gave up"),
    ],
    ids=repr,
)
def test_what_is_new_stays_as_it_is(record: Record) -> None:
    data = to_data(record)
    assert upgrade(type(record).__name__.lower(), data) is data


STEP = {"skill": "fill", "arguments": {"cup": "cup"}, "words": "Fill the cup."}


@pytest.mark.parametrize(
    ("old", "content"),
    [
        (
            {"sort": "deeds", "deeds": [STEP], "why": "No tea."},
            Act((Step("fill", {"cup": "cup"}, "Fill the cup."),), lacking="No tea."),
        ),
        ({"sort": "undo", "why": "2", "kept": ["cup"]}, UndoWork(2, Act(kept=("cup",)))),
        ({"sort": "undo"}, UndoWork(1, Act())),
        ({"sort": "answer", "said": ["2"]}, Answered(("2",))),
        ({"sort": "note", "kept": ["cup"], "lasting": True}, Noted(("cup",))),
        ({"sort": "note", "kept": ["cup"]}, Noted()),
        ({"sort": "question", "question": "Which?", "options": ["a", "b"]}, Question("Which?", ("a", "b"))),
        ({"sort": "refusal", "why": "There is no tea here."}, Refused("no such thing", "There is no tea here.", "tea")),
        ({"sort": "refusal", "why": "I do not cheat."}, Refused("declined", "I do not cheat.")),
        ({"sort": "unclear", "why": "Hm."}, NotClear("Hm.")),
        ({"sort": "stop", "why": "after this"}, StopWhen("after this")),
        ({"sort": "stop"}, StopWhen("now")),
        ({"sort": "previous", "kept": ["cup"]}, GoBack(("cup",))),
        ({"sort": "look"}, LookFirst()),
    ],
)
def test_a_flat_meaning_becomes_one_of_its_kinds(old: dict[str, Any], content: Content) -> None:
    flat = {"program": "p", "words": "w", "notes": ["n"], "freed": ["f"], "sure": 0.5, **old}
    assert from_data("meaning", upgrade("meaning", flat)) == Meaning("p", "w", content, ("n",), ("f",), 0.5)


def test_what_is_no_record_at_all_is_refused_in_one_line(tmp_path: Path) -> None:
    id = write_old_journal(tmp_path / "journal.db", [(0.0, "plan", '{"doing": null, "outline": 7}')])
    refused = pytest.raises(JournalError, match=r"^Session \S+: event 0 \(plan\) cannot be read: .*$")
    with Journal(tmp_path / "journal.db") as journal, refused:
        journal.open(id).events()


# Checksums ------------------------------------------------------------------------------------------------------------

ROWS = [
    (0.0, "begin", '{"world":"toy","preset":"open_loop","model":"scripted","seed":0}'),
    (0.5, "request", '{"text":"tidy up"}'),
]


def test_an_old_journal_gets_checksums_and_damage_is_noticed_from_then_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    id = write_old_journal(path, ROWS, worlds=[b"before", b"after"])
    with Journal(path) as journal:
        session = journal.open(id)
        assert [at for _, at, _ in session.events()] == [0.0, 0.5]
        assert [session.snapshot_at(0), session.snapshot()] == [b"before", b"after"]
        assert journal.sessions()[0].request == "tidy up"
        with journal.resume(id) as resumed:
            resumed.commit(2, 1.0, Done("x"), b"later")
        assert list(journal.find_damage()) == []
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE snapshots SET data = 'aftes' WHERE event_index = 1")
    with Journal(path) as journal:
        assert [str(damage).split()[1] for damage in journal.find_damage()] == [id]


def test_a_journal_from_before_messages_had_checksums_gets_them_and_keeps_its_damage(tmp_path: Path) -> None:
    path, whole, damaged = tmp_path / "journal.db", "20260101-aaaa", "20260101-bbbb"
    with closing(sqlite3.connect(path)) as db, db:
        db.create_function("checksum", -1, checksum)
        for script in MIGRATIONS[:3]:
            db.executescript(script)
        for number, id in enumerate((whole, damaged), start=1):
            db.execute(
                "INSERT INTO sessions VALUES (?, ?, 'then', 0, NULL, checksum(?, 'then', 0, NULL))", (number, id, id)
            )
            db.execute("INSERT INTO messages VALUES (?, ?)", (f"{id} 1", id))
        db.execute("UPDATE sessions SET started = 'thin' WHERE number = 2")
        db.execute("PRAGMA user_version = 3")
    with Journal(path) as journal:
        assert not journal.note(f"{whole} 1", whole)
        assert journal.note(f"{whole} 2", whole)
        assert journal.noted(f"{whole} 2") == whole
        assert [str(damage).split()[1] for damage in journal.find_damage()] == [damaged]
