"""What is going on is told: at once, again now and then, and not while other things are printed."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from threading import Event as ThreadEvent
from typing import Any

import pytest

from cli.conftest import REQUEST
from thinkaloud.cli import first_sign
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.progress import Progress
from thinkaloud.cli.typed_lines import InputLine, InputLines
from thinkaloud.models import Completion, Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import End, Request, Started, Step
from thinkaloud.staging import opening
from thinkaloud.staging.options import RunOptions

WANTED = RunOptions(scene=Path("scene.toml"), no_film=True, no_journal=True)


class _Told:
    """Progress without a terminal, by a clock that only moves when told to."""

    def __init__(self) -> None:
        self.now, self.lines = 0.0, list[str]()
        self.progress = Progress(clock=lambda: self.now, tell=self.lines.append)

    def pass_to(self, seconds: float) -> list[str]:
        """The lines told until then."""
        before = len(self.lines)
        while self.now < seconds:
            self.now = round(self.now + 0.1, 1)
            self.progress.tick()
        return self.lines[before:]


def test_the_first_line_comes_within_a_second_and_another_every_five() -> None:
    told = _Told()
    told.progress.begin("Loading embedded")
    assert told.pass_to(1.0) == ["Loading embedded … 0 s"]
    assert told.pass_to(11.0) == ["Loading embedded … 6 s", "Loading embedded … 10 s"]


def test_nothing_is_told_while_events_are_shown_or_nothing_is_done() -> None:
    told = _Told()
    step = Step("go", {}, "Go.")
    for second in range(1, 10):
        told.progress.hear(Event(second, float(second), Request("Go.")))
        assert told.pass_to(float(second)) == []
    assert told.pass_to(15.0) == ["Thinking … 5 s"]
    told.progress.hear(Event(20, 15.0, Started(step)))
    assert told.pass_to(21.0) == ["Moving … 5 s"]
    told.progress.hear(Event(21, 21.0, End("stopped", "you left")))
    assert told.pass_to(99.0) == []


def test_how_much_of_a_prompt_is_read_is_told_and_nothing_of_it_while_the_robot_waits() -> None:
    told = _Told()
    told.progress.read("preparation", 512, 4096)
    assert told.pass_to(9.0) == []
    told.progress.hear(Event(1, 9.0, Request("Go.")))
    told.progress.read("preparation", 1024, 4096)
    known = "Getting to know this robot (only the first time)"
    assert told.pass_to(15.0) == [f"{known}: 1,024 of 4,096 tokens read … 5 s"]
    told.progress.read("preparation", 0, 0)
    assert told.pass_to(20.0) == ["Thinking … 10 s"]
    told.progress.read("listener", 12, 4100)
    assert told.pass_to(25.0) == ["Thinking: 12 of 4,100 tokens read … 15 s"]


@pytest.mark.parametrize(
    ("arguments", "slow", "told"),
    [(["chat"], True, "Starting …\n"), (["chat"], False, ""), (["run", "Go."], True, "")],
)
def test_a_slow_start_is_told_where_it_cannot_be_taken_for_bad_input(
    arguments: list[str], slow: bool, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(first_sign, "_AFTER", 0.05)
    with first_sign.say_starting(arguments):
        if not slow:
            first_sign.end_first_sign()
        time.sleep(0.2)
        first_sign.end_first_sign()
    assert capsys.readouterr().err == told


class _Thinking(Scripted):
    """A model that thinks for a minute."""

    async def complete(self, prompt: str, **given: Any) -> Completion:
        await asyncio.sleep(60)
        return await super().complete(prompt, **given)


class _Leaving(InputLines):
    """Somebody who says something, and leaves as soon as that was heard."""

    def __init__(self, *said: str) -> None:
        super().__init__()
        self.left = 0.0
        for line in said:
            self.put(line)

    async def get(self) -> InputLine | None:
        if not self.waiting():
            self.left = time.monotonic()
            self.put("/quit")
        return await super().get()


@pytest.mark.parametrize("said", [(), (REQUEST,)])
def test_who_leaves_while_the_model_thinks_leaves_at_once(said: tuple[str, ...]) -> None:
    lines = _Leaving(*said)
    chat_with(WANTED, model=_Thinking([]), lines=lines)
    assert time.monotonic() - lines.left < 1.0  # half a second, and another for a busy machine


def test_loading_is_told_and_who_leaves_meanwhile_leaves_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = InputLines()
    lines.put(REQUEST, 0.0)

    def load(*_: object) -> None:
        time.sleep(0.8)
        lines.put("/quit", 10.0)
        ThreadEvent().wait(60)

    monkeypatch.setattr(opening, "Apart", load)
    began = time.monotonic()
    assert chat_with(WANTED, lines=lines) == 1
    assert time.monotonic() - began < 10
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("Loading embedded … ") and told[-1] == f"Not started, and dropped: {REQUEST!r}."


class _ReadingSlowly(Scripted):
    """A model that reads what every prompt begins with, which takes a while."""

    def __init__(self) -> None:
        super().__init__([])
        self.read, self.over = list[str](), asyncio.Event()

    async def read_ahead(self, prompt: str) -> None:
        self.read.append(prompt)
        await asyncio.sleep(0.8)
        self.over.set()


class _Patient(InputLines):
    """Somebody who leaves once the model has read all."""

    def __init__(self, model: _ReadingSlowly) -> None:
        super().__init__()
        self._model = model

    async def get(self) -> InputLine | None:
        await self._model.over.wait()
        await asyncio.sleep(0.5)
        return InputLine("/quit")


def test_reading_a_robot_is_told_within_a_second_and_its_beginning_is_read_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("thinkaloud.cli.progress._EVERY", 0.2)
    model = _ReadingSlowly()
    wanted = RunOptions(scene=Path("scene.toml"), preset="thinkaloud:confirm=never", no_film=True, no_journal=True)
    chat_with(wanted, model=model, lines=_Patient(model))
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("Getting to know")]
    begun = "Getting to know this robot (only the first time) … "
    assert len(model.read) == 1 and told[0] in (f"{begun}0 s", f"{begun}1 s")
    assert 1 <= len(told) <= 5, told  # nothing more once it is over
