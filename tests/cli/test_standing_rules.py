"""Standing rules on the command line: in a chat they are kept and shown, elsewhere they are declined."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from said import GARDEN
from thinkaloud import agent
from thinkaloud.cli import cli
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.run import run_request
from thinkaloud.cli.typed_lines import InputLine, InputLines
from thinkaloud.models import Scripted
from thinkaloud.records import Started
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.options import RunOptions

RULE = 'whenever(not wet("fern"), water("fern"))'
SAID = "Whenever the fern is dry, water it."


@pytest.fixture
def wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunOptions:
    monkeypatch.setattr(agent, "_EVERY", 0.01)
    (tmp_path / "garden.toml").write_text(GARDEN)
    return RunOptions(world="garden.toml", preset="thinkaloud:confirm=never", no_film=True)


class Typed(InputLines):
    """Lines of which each comes once something is so: a line, and what the journal must hold before it."""

    def __init__(self, *lines: tuple[str, Callable[[list[str]], bool]]) -> None:
        super().__init__()
        self._script = list(lines)

    async def get(self) -> InputLine | None:
        if not self._script:
            return None
        text, ready = self._script.pop(0)
        while not ready(kinds_in_journal()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        return InputLine(text)


def kinds_in_journal() -> list[str]:
    with Journal(load().journal) as journal:
        listed = journal.sessions()
        return [type(record).__name__ for _, _, record in journal.open(listed[0].id).events()] if listed else []


def test_in_a_chat_a_rule_is_done_by_itself_and_shown(wanted: RunOptions, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Typed(
        (SAID, lambda _: True),
        ("/rules", lambda kinds: kinds.count("End") == 2),
        ("/help", lambda _: True),
        ("/quit", lambda _: True),
    )
    chat_with(wanted, model=Scripted([RULE]), lines=lines)
    out, errors = capsys.readouterr()
    assert "Noted: From now on, whenever the fern isn't wet: Water the fern." in out
    assert f'Because you said: "{SAID}"' in out
    assert "the fern is wet (checked)" in out
    assert "\nWhenever the fern isn't wet: Water the fern." in out + errors
    assert "I am off now, so this will not be done: Whenever the fern isn't wet: Water the fern." in out + errors


def test_rules_of_a_session_and_of_all_are_listed(wanted: RunOptions) -> None:
    empty = CliRunner().invoke(cli, ["rules"], standalone_mode=False)
    assert "There are no rules." in empty.output
    lines = Typed(
        (SAID, lambda _: True),
        ("Never whistle.", lambda kinds: kinds.count("End") == 2),
        ("/quit", lambda kinds: kinds.count("End") == 3),
    )
    chat_with(wanted, model=Scripted([RULE, "never(whistle())"]), lines=lines)
    with Journal(load().journal) as journal:
        (info,) = journal.sessions()
    told = "Whenever the fern isn't wet: Water the fern.\nI am never to whistle a tune.\n"
    assert CliRunner().invoke(cli, ["rules", info.id[:10]], standalone_mode=False).output == told
    assert CliRunner().invoke(cli, ["rules"], standalone_mode=False).output == f"{info.id}:\n{told}"


def test_a_single_run_declines_what_would_have_to_wait(wanted: RunOptions, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request(SAID, wanted, model=Scripted([RULE])) == 1
    assert (
        "I can't wait for that here: I do one request, and then I am off. In a chat I can." in capsys.readouterr().out
    )


@pytest.mark.parametrize("wait", [("/wait",), ()])
def test_what_has_come_due_is_done_before_the_lines_that_wait(
    wanted: RunOptions, monkeypatch: pytest.MonkeyPatch, wait: tuple[str, ...]
) -> None:
    """Nobody but the conversation itself begins the rule: the watcher comes round once in an hour."""
    monkeypatch.setattr(agent, "_EVERY", 3600)
    lines = InputLines()
    for line in (SAID, *wait, "Whistle.", *wait, "Whistle again.", *wait):
        lines.put(line, at=0)
    lines.end()
    chat_with(wanted, model=Scripted([RULE, "whistle()", "whistle()"]), lines=lines)
    with Journal(load().journal) as journal:
        events = [record for _, _, record in journal.open(journal.sessions()[0].id).events()]
    began = [each.step.skill for each in events if isinstance(each, Started)]
    assert began == ["whistle", "water", "whistle"]
