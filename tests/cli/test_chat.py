"""`chat`: lines reach the robot at any time, and the end of them ends the chat."""

import asyncio
import json

import pytest

from cli.conftest import REQUEST, obedient
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.ears import Lines, Typed
from thinkaloud.cli.options import Wanted
from thinkaloud.models import Scripted
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load

WANTED = Wanted(no_film=True, no_journal=True)


def said(*lines: str) -> Lines:
    queue: Lines = asyncio.Queue()
    for line in (*lines, None):
        queue.put_nowait(line)
    return queue


def chatted(*lines: str, model: Scripted | None = None, wanted: Wanted = WANTED) -> int:
    from dataclasses import replace
    from pathlib import Path

    return chat_with(replace(wanted, scene=Path("scene.toml")), model=model or obedient(), lines=said(*lines))


def test_the_end_of_the_input_waits_for_the_robot(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST) == 0
    assert capsys.readouterr().out.rstrip().splitlines()[-1].startswith("The goal was checked")


def test_one_request_after_another(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST, "/wait", "Put the green block on the middle.") == 0
    out = capsys.readouterr().out
    assert out.count("The goal was checked in the world and is met") == 2


def test_a_new_request_replaces_the_one_at_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST, "Put the green block on the middle.", wanted=Wanted(no_journal=True, as_json=True)) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [e["text"] for e in events if e["kind"] == "request"] == [REQUEST, "Put the green block on the middle."]
    assert [e["result"] for e in events if e["kind"] == "end"] == ["goal met"]


def test_stop_is_heard_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST, "Stop!") == 1
    assert capsys.readouterr().out.rstrip().splitlines()[-1].startswith("Not met (stopped): you said 'Stop!'.")


def test_what_cannot_be_done_is_told_and_the_chat_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted("stop", "/dance", "Put the mauve block on the middle.", "", "/help", REQUEST) == 0
    out = capsys.readouterr().out
    assert "Nothing is under way." in out
    assert "There is no /dance" in out
    assert "I see no mauve block here." in out
    assert "/quit" in out


def test_leaving_without_a_request_is_no_failure() -> None:
    assert chatted() == 0
    assert chatted("/quit", "never heard") == 0


def test_a_chat_in_which_nothing_was_asked_leaves_no_session(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = Wanted(no_film=True)
    assert chatted("/help", "Put the mauve block down.", wanted=wanted) == 0
    assert "replay" not in capsys.readouterr().out
    with Journal(load().journal) as journal:
        assert journal.sessions() == []
        assert journal._db.execute("SELECT count(*) FROM events").fetchone() == (0,)


def test_leaving_while_the_robot_works_stops_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST, "/quit") == 1
    assert "Not met (stopped): you left." in capsys.readouterr().out


def test_keys_make_lines() -> None:
    lines: Lines = asyncio.Queue()
    shown: list[str] = []
    keyboard = Typed(lines, -1, shown.append)
    for key in "stoq\x7fp it\x17now\rgone\x15ok\n":
        keyboard.press(key)
    assert [lines.get_nowait() for _ in range(lines.qsize())] == ["stop now", "ok"]
