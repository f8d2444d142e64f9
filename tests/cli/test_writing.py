"""Whatever files, paths, models and endpoints say: nothing of it steers a terminal."""

from __future__ import annotations

import ast
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

import thinkaloud.cli
from thinkaloud.cli import cli
from thinkaloud.cli.terminal import BAD_ANSWER, Terminal, console
from thinkaloud.monologue import Event
from thinkaloud.records import Ask, Outcome, Record, Refusal, Request, Step
from thinkaloud.untrusted.output import complain, harmless, printable, write_json

EVIL = "a\x1b[31m\x1b]0;title\x07\x9b2J\u202eb\u2066\u2028c\rd\x08\x7f\x00"
"""Escape, CSI, OSC, their C1 forms, overrides of direction, line ends, backspace."""


def assert_harmless(text: str) -> None:
    assert text.replace("\n", "").isprintable(), repr(text)


@given(st.text())
def test_no_text_keeps_a_code(text: str) -> None:
    assert_harmless(harmless(text))
    assert printable(text).isprintable()


@given(st.text())
def test_json_says_the_same_in_letters_that_can_be_seen(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out := io.StringIO())
        write_json(json.dumps({text: text}, ensure_ascii=False))
    assert_harmless(out.getvalue())
    assert json.loads(out.getvalue()) == {text: text}


def test_a_complaint_is_one_line_of_a_bearable_length(capsys: pytest.CaptureFixture[str]) -> None:
    complain(f"{EVIL}\n{'x' * 10_000}: take another one.")
    said = capsys.readouterr().err
    assert_harmless(said)
    assert said.count("\n") == 1 and len(said) <= 1001
    assert said.startswith("a") and said.endswith(": take another one.\n")


def test_a_console_lets_only_its_own_codes_through() -> None:
    table = Table(EVIL, title=EVIL)
    table.add_row(EVIL)
    for colour in (None, "standard"):
        screen = console()
        screen.file, screen._force_terminal = io.StringIO(), colour is not None
        screen.print(table)
        screen.print(EVIL, style="bold")
        said = screen.file.getvalue()
        for code in ("\x1b[31m", "\x1b]", "\x9b", "\u202e", "\u2066", "\r", "\x08", "\x07", "\x00"):
            assert code not in said


def test_events_cannot_steer_a_terminal_and_a_bad_answer_is_shown_in_short() -> None:
    screen = console()
    screen.file = out = io.StringIO()
    terminal = Terminal(screen)
    step = Step("wave", {}, EVIL)
    bad = Refusal("planner", "word " * 10**6, "x" * 10**6)
    told: list[Record] = [Request(EVIL), Ask((EVIL,)), Outcome(step, "failed", EVIL), bad]
    for index, record in enumerate(told):
        terminal(Event(index, 0.0, record))
    terminal.note(EVIL)
    assert_harmless(out.getvalue())
    assert len(out.getvalue()) < 2 * BAD_ANSWER + 1000


@pytest.mark.parametrize(
    "typed",
    [
        [EVIL],
        ["run", f"--{EVIL}"],
        ["run", "--scene", f"{EVIL}.toml", "Stack all the blocks."],
        ["run", "--scene", "evil.toml", "Stack all the blocks."],
        ["run", "--scene", "key.toml", "Stack all the blocks."],
        ["run", "--world", EVIL, "Go."],
        ["run", "--preset", f"inner_monologue:{EVIL}={EVIL}", "Go."],
        ["run", "--model", EVIL, "Go."],
        ["run", "--guidelines", EVIL, "Go."],
        ["run", "--guidelines", "evil.txt", "Go."],
        ["run", "--film", f"{EVIL}/x.gif", "Stack all the blocks."],
        ["replay", EVIL],
        ["bench", EVIL],
        ["models", "get", EVIL],
        ["skills", "robot.toml"],
        ["skills", "--json", "robot.toml"],
    ],
    ids=lambda typed: " ".join(typed).replace(EVIL, "EVIL"),
)
def test_no_command_writes_a_code_from_outside(typed: list[str], at_home: Path) -> None:
    name = json.dumps(EVIL.replace("\x7f", ""))
    Path("evil.toml").write_text(f'[[objects]]\nname = {name}\nkind = "block"\nx = 0.1\ny = -0.5\n')
    Path("key.toml").write_text(f"{name} = 1\n")
    Path("evil.txt").write_text(f"Options: {EVIL}\nInstructions:\n{EVIL}\n")
    Path("robot.toml").write_text(
        '[kinds]\nthing = ["cup"]\n[skills.wave]\nabout = "\\u001b[31m\\u009b2J"\nsays = "Wave \\u202e at {thing}."\n'
        'arguments = {thing = "thing"}\n'
    )
    done = CliRunner().invoke(cli, [each.replace("\0", "") for each in typed])
    assert_harmless(done.stdout)
    assert_harmless(done.stderr)
    assert "Traceback" not in done.stderr
    assert done.stdout or done.stderr


def test_a_fault_is_shown_whole_and_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise LookupError(EVIL)

    monkeypatch.setattr("thinkaloud.settings.load", fail)
    done = CliRunner().invoke(cli, ["sessions"])
    assert done.exit_code == 1
    assert_harmless(done.stderr)
    assert "LookupError: a" in done.stderr and "in fail" in done.stderr


def test_only_one_module_of_the_command_line_writes() -> None:
    for path in Path(thinkaloud.cli.__file__).parent.glob("*.py"):
        calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        names = {ast.unparse(call) for call in calls}
        writing = {name for name in names if name in ("print", "click.secho", "sys.stdout.write", "sys.stderr.write")}
        assert not writing or path.name == "writing.py", path
        assert "click.echo" not in names or path.name == "__init__.py", path  # its own help
