"""`chat`: lines reach the robot at any time, and the end of them ends the chat."""

import asyncio
import json
import os
import pty
import signal
import threading
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from campaign.obedient import obey
from cli.conftest import REQUEST, obedient
from thinkaloud.cli import typed_lines
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.conversation import Conversation
from thinkaloud.cli.shown_episode import ShownEpisode
from thinkaloud.cli.typed_lines import InputLines, KeyReader, PipeReader
from thinkaloud.models import Completion, Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import End, Outcome, Speaker
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.options import RunOptions

WANTED = RunOptions(preset="inner_monologue", no_film=True, no_journal=True)
AS_JSON = RunOptions(preset="inner_monologue", no_film=True, no_journal=True, as_json=True)
TURNS = 1000  # of the event loop: more than it takes to hear what has been typed
THREE = (REQUEST, "Put the green block on the middle.", "Put the green block on the red block.")


def said(*lines: str, apart: float = 0.0) -> InputLines:
    """Lines that come in one go, or so many seconds apart; then no more."""
    typed = InputLines()
    for number, line in enumerate(lines):
        typed.put(line, at=number * apart)
    typed.end()
    return typed


def chatted(*lines: str, model: Scripted | None = None, wanted: RunOptions = WANTED, apart: float = 0.0) -> int:
    chosen = replace(wanted, scene=Path("scene.toml"))
    return chat_with(chosen, model=model or obedient(), lines=said(*lines, apart=apart))


def requests_and_ends(out: str) -> list[str]:
    events = [json.loads(line) for line in out.splitlines()]
    return [event.get("text") or event["result"] for event in events if event["kind"] in ("request", "end")]


def test_the_end_of_the_input_waits_for_the_robot(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST) == 0
    assert capsys.readouterr().out.rstrip().splitlines()[-1].startswith("Done: ")


def test_who_ends_the_program_does_not_want_the_next_line_read(capsys: pytest.CaptureFixture[str]) -> None:
    answers = 0

    def ended(prompt: str) -> str:
        nonlocal answers
        answers += 1
        if answers == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        return obey(prompt)

    status = chatted(REQUEST, "/wait", "Put the green block on the middle.", model=Scripted(ended), wanted=AS_JSON)
    assert status == 128 + signal.SIGTERM
    assert requests_and_ends(capsys.readouterr().out) == [REQUEST, "stopped"]


def test_one_request_after_another(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST, "/wait", "Put the green block on the middle.") == 0
    out = capsys.readouterr().out
    assert out.count("\nDone: ") == 2


def test_lines_that_come_in_one_go_are_carried_out_one_after_another(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(*THREE, wanted=AS_JSON) == 0
    assert requests_and_ends(capsys.readouterr().out) == [each for line in THREE for each in (line, "goal met")]


def test_of_lines_in_one_go_what_can_be_done_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert chatted(REQUEST, "Put the mauve block on the middle.", THREE[1]) == 0
    out = capsys.readouterr().out
    assert "I see no mauve block here." in out
    assert out.count("\nDone: ") == 2


def test_a_new_request_replaces_the_one_at_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(*THREE, wanted=AS_JSON, apart=10.0) == 0
    assert requests_and_ends(capsys.readouterr().out) == [*THREE, "goal met"]


def test_a_change_of_mind_comes_after_all_that_was_said_before(capsys: pytest.CaptureFixture[str]) -> None:
    typed = InputLines()
    for line, at in zip(THREE, (0.0, 0.0, 10.0), strict=True):
        typed.put(line, at)
    typed.end()
    assert chat_with(replace(AS_JSON, scene=Path("scene.toml")), model=obedient(), lines=typed) == 0
    assert requests_and_ends(capsys.readouterr().out) == [*THREE, "goal met"]


def test_a_stop_is_heard_at_once_and_after_all_that_was_said_before(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(*THREE, "stop", wanted=AS_JSON) == 1
    assert requests_and_ends(capsys.readouterr().out) == [*THREE, "stopped"]


def test_what_is_left_with_a_stop_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(*THREE, "stop") == 1
    told = capsys.readouterr().out
    assert f"Not started, and dropped: {THREE[1]!r}; {THREE[2]!r}." in " ".join(told.split())
    assert chatted(REQUEST, "stop") == 1
    assert "Not begun" not in capsys.readouterr().out


def test_who_speaks_faster_than_the_robot_reads_is_told_what_it_never_came_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Slow(Scripted):
        """A model that thinks until somebody speaks, and then answers as the other one does."""

        async def complete(self, prompt: str, **given: Any) -> Completion:
            if THREE[1] not in prompt:
                for _ in range(TURNS):
                    await asyncio.sleep(0)
                raise AssertionError("nobody was heard")
            return await super().complete(prompt, **given)

    assert chatted(REQUEST, THREE[1], model=Slow(obey), apart=10.0) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"I had not read {REQUEST!r} yet; only your last line counts." in told
    assert told.count(" (checked). ") == 1


def test_what_is_said_as_the_robot_ends_is_not_lost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop has returned, but the chat does not know it yet."""
    attend = ShownEpisode.attend

    async def slowly(self: ShownEpisode, working: Awaitable[End]) -> None:
        async def and_then() -> End:
            end = await working
            if typed:
                typed.pop()
                self.agent.say(THREE[1])
            return end

        await attend(self, and_then())

    typed = [THREE[1]]
    monkeypatch.setattr(ShownEpisode, "attend", slowly)
    assert chatted(REQUEST, wanted=AS_JSON) == 0
    assert requests_and_ends(capsys.readouterr().out) == [REQUEST, "goal met", THREE[1], "goal met"]


def test_stop_is_heard_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST, "Stop!") == 1
    assert capsys.readouterr().out.rstrip().splitlines()[-1].startswith("Not met (stopped): you said 'Stop!'.")


def test_what_cannot_be_done_is_told_and_the_chat_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted("stop", "/dance", "Put the mauve block on the middle.", "", "/help", REQUEST) == 0
    out = capsys.readouterr().out
    assert "The robot is idle." in out
    assert "Unknown command /dance" in out
    assert "I see no mauve block here." in out
    assert "/quit" in out


def test_leaving_without_a_request_is_no_failure() -> None:
    assert chatted() == 0
    assert chatted("/quit", "never heard") == 0


def test_a_chat_in_which_nothing_was_asked_leaves_no_session(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = RunOptions(preset="inner_monologue", no_film=True)
    assert chatted("/help", "Put the mauve block down.", wanted=wanted) == 0
    assert "replay" not in capsys.readouterr().out
    with Journal(load().journal) as journal:
        assert journal.sessions() == []
        assert journal._db.execute("SELECT count(*) FROM events").fetchone() == (0,)


def test_leaving_while_the_robot_works_stops_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert chatted(REQUEST, "/quit") == 1
    assert "Not met (stopped): you left." in capsys.readouterr().out


async def all_of(lines: InputLines) -> list[str]:
    found = []
    while (line := await lines.get()) is not None:
        found.append(line.text)
    return found


def test_each_line_is_said_by_whoever_speaks(capsys: pytest.CaptureFixture[str]) -> None:
    anna, bob = Speaker("Anna", "nurse"), Speaker("Bob")
    assert (
        chatted("/as Bob", THREE[0], "/as Eve", "/as anna", THREE[1], wanted=replace(AS_JSON, speakers=(anna, bob)))
        == 0
    )
    told = capsys.readouterr()
    events = [json.loads(line) for line in told.out.splitlines()]
    assert [event["by"] for event in events if event["kind"] == "request"] == [
        {"name": "Bob", "role": ""},
        {"name": "Anna", "role": "nurse"},
    ]
    assert "I do not know Eve. The people here: Anna (nurse), Bob." in told.err


def test_keys_make_lines() -> None:
    lines, shown = InputLines(), list[str]()
    keyboard = KeyReader(lines, -1, shown.append)
    for key in "stoq\x7fp it\x17now\rgone\x15ok\n":
        keyboard.press(key)
    lines.end()
    assert asyncio.run(all_of(lines)) == ["stop now", "ok"]


@pytest.mark.parametrize("earlier", [b"", b"One.\nTwo.\n"], ids=["all-at-once", "before-anybody-reads"])
def test_every_line_from_a_terminal_is_a_line_of_its_own(earlier: bytes) -> None:
    async def typed() -> list[str]:
        theirs, ours = pty.openpty()
        try:
            os.write(theirs, earlier)
            lines = InputLines()
            with KeyReader(lines, ours, lambda line: None):
                os.write(theirs, b"One.\nTwo.\nThree.\n\x04"[len(earlier) :])
                return await asyncio.wait_for(all_of(lines), 10)
        finally:
            os.close(theirs)
            os.close(ours)

    assert asyncio.run(typed()) == ["One.", "Two.", "Three."]


def test_every_line_from_a_pipe_is_a_line_of_its_own() -> None:
    async def piped() -> list[str]:
        lines, (ours, theirs) = InputLines(), os.pipe()
        with os.fdopen(ours) as stream, PipeReader(lines, stream):
            os.write(theirs, b"One.\nTwo.\r\nThree.")
            os.close(theirs)
            return await asyncio.wait_for(all_of(lines), 10)

    assert asyncio.run(piped()) == ["One.", "Two.", "Three."]


def test_a_line_that_comes_later_is_known_from_one_that_comes_in_one_go() -> None:
    async def together() -> list[bool]:
        lines = InputLines()
        for at in (1.0, 1.1, 2.0, 2.4, 2.8):
            lines.put("Go.", at)
        return [line.in_one_go for line in [await lines.get() for _ in range(5)] if line is not None]

    assert asyncio.run(together()) == [False, True, False, True, True]


# Heard at once --------------------------------------------------------------------------------------------------------


@dataclass
class Keyboard:
    """Something to type on in the middle of a motion, a pipe or a terminal; and how long the robot went on after it."""

    at: int
    ticks: int = 0
    after: int | None = None
    ending: str = ""

    def __post_init__(self) -> None:
        self.ours, self.theirs = self.open()

    def open(self) -> tuple[int, int]:
        return os.pipe()

    def type(self, line: str) -> None:
        os.write(self.theirs, line.encode() + b"\n")

    def watch(self, conversation: Conversation) -> None:
        agent = conversation._agent

        def tick() -> None:
            self.ticks += 1
            if self.ticks == self.at:
                self.type("stop")

        def hear(event: Event) -> None:
            if isinstance(event.record, Outcome) and self.after is None:
                self.after, self.ending = self.ticks - self.at, event.record.ending
            if isinstance(event.record, End):
                self.type("/quit")

        agent.loop.ticking.append(tick)
        agent.monologue.listeners.append(hear)


class Pty(Keyboard):
    def open(self) -> tuple[int, int]:
        theirs, ours = pty.openpty()
        return ours, theirs


@pytest.mark.parametrize("kind", [Keyboard, Pty], ids=["pipe", "terminal"])
@pytest.mark.parametrize("at", [2, 35, 77, 124])
def test_a_stop_in_the_middle_of_a_motion_is_heard_within_a_tick(
    kind: type[Keyboard], at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However fast the simulation runs: nothing waits for real time here."""
    keyboard, begin = kind(at), Conversation.__init__
    stream = os.fdopen(keyboard.ours)

    def watched(self: Conversation, episode: ShownEpisode, lines: InputLines, people: object) -> None:
        begin(self, episode, lines)
        keyboard.watch(self)

    def reading(lines: InputLines, show: object) -> PipeReader | KeyReader:
        if kind is Pty:
            return KeyReader(lines, keyboard.ours, lambda line: None)
        return PipeReader(lines, stream)

    monkeypatch.setattr(Conversation, "__init__", watched)
    monkeypatch.setattr("thinkaloud.cli.typed_lines.reading_input", reading)
    keyboard.type(REQUEST)  # before anybody reads
    assert chat_with(replace(WANTED, scene=Path("scene.toml")), model=obedient()) == 1
    assert keyboard.ending == "interrupted"
    assert keyboard.after is not None and keyboard.after <= 1
    os.close(keyboard.theirs)
    stream.close()


def test_lines_that_wait_for_their_turn_do_not_hold_the_robot_up(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(REQUEST, "/wait", THREE[1], "/wait")
    coming = list[bool]()
    begin = Conversation.__init__

    def watched(self: Conversation, episode: ShownEpisode, typed: InputLines, people: object) -> None:
        begin(self, episode, typed)
        episode.agent.loop.ticking.append(lambda: coming.append(lines.are_coming()))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Conversation, "__init__", watched)
        assert chat_with(replace(WANTED, scene=Path("scene.toml")), model=obedient(), lines=lines) == 0
    assert len(coming) > 100 and sum(coming) <= 4


@pytest.mark.parametrize(("before", "status"), [((), 0), (("Whistle.",), 1)])
def test_who_quits_while_the_program_loads_its_modules_is_out_at_once(
    before: tuple[str, ...], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[int] = []
    gone = threading.Event()

    def leave(with_status: int) -> None:
        left.append(with_status)
        gone.set()

    monkeypatch.setattr(typed_lines, "leave", leave)
    lines = InputLines()
    with typed_lines.leaving_at_once(lines):
        for number, line in enumerate((*before, "/quit")):
            lines.put(line, at=100.0 * number)
        assert gone.wait(60)
    assert {*left} == {status}


def test_who_waits_before_quitting_is_not_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = InputLines()
    for number, line in enumerate(("Whistle.", "/wait", "/quit")):
        lines.put(line, at=100.0 * number)
    assert not lines.is_there(typed_lines.QUIT, unless=typed_lines.WAIT)
