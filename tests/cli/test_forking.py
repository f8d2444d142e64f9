"""`fork`, `export --html` and `serve` on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import thinkaloud
from cli.conftest import REQUEST, obedient
from thinkaloud.cli import cli
from thinkaloud.cli.run import run_request
from thinkaloud.cli.sessions import fork_session
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.options import RunOptions
from thinkaloud.web.server import bind


def said(id: str) -> list[dict[str, Any]]:
    with Journal(load().journal) as journal:
        from thinkaloud.remember.journal import export_lines

        return [json.loads(line) for line in export_lines(journal.open(id))]


def ids() -> list[str]:
    with Journal(load().journal) as journal:
        return [info.id for info in journal.sessions()]


def status(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main([*arguments], prog_name="thinkaloud")
    return int(left.value.code or 0)


@pytest.fixture
def done(at_home: Path) -> str:
    """A session in which a request was met."""
    assert (
        run_request(
            REQUEST, RunOptions(preset="inner_monologue", scene=at_home / "scene.toml", no_film=True), model=obedient()
        )
        == 0
    )
    return ids()[0]


def test_a_session_is_forked_and_goes_on_from_there(done: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = said(done)
    at = next(event["index"] for event in before if event["kind"] == "started") - 1
    assert fork_session(done[:-1], at, RunOptions(no_film=True), model=obedient()) == 0
    fork = next(id for id in ids() if id != done)
    after = said(fork)
    assert after[1 : at + 1] == before[1 : at + 1]
    assert after[0]["options"]["forked"] == f"{done}@{at}"
    assert after[at + 1]["because"] == f"forked from {done} at event {at}"
    assert after[-1]["result"] == "goal met"
    assert said(done) == before


def test_a_fork_may_be_told_something_else(done: str) -> None:
    wanted = "Put the green block on the blue bowl."
    assert fork_session(done, 1, RunOptions(no_film=True), say=wanted, model=obedient()) == 0
    fork = next(id for id in ids() if id != done)
    assert [event["text"] for event in said(fork) if event["kind"] == "request"] == [REQUEST, wanted]


def test_a_fork_that_makes_no_sense_leaves_nothing(done: str, capsys: pytest.CaptureFixture[str]) -> None:
    last = len(said(done)) - 1
    assert status("fork", done, "--at", "99") == 2
    assert "has events 0 to" in capsys.readouterr().err
    assert status("fork", done, "--at", "1", "--preset", "none") == 2
    assert status("fork", "nope", "--at", "1") == 2
    assert status("fork", done, "--at", "-1") == 2
    capsys.readouterr()
    with pytest.raises(Exception, match="the robot is idle"):
        fork_session(done, last, RunOptions(no_film=True), model=obedient())
    assert ids() == [done]


def test_a_session_is_exported_as_one_page(done: str, at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("export", done, "--html", "run.html") == 0
    page = (at_home / "run.html").read_text()
    assert REQUEST in page and "data:image/png;base64," in page and "http://" not in page
    assert status("export", done, "--html", "no/such/folder.html") == 2
    assert "cannot be written" in capsys.readouterr().err


def test_serve_tells_in_one_line_what_is_wrong(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with bind("127.0.0.1", 0) as taken:
        assert status("serve", "--no-open", "--port", str(taken.getsockname()[1])) == 2
    assert "Try --port" in capsys.readouterr().err
    assert status("serve", "--no-open", "nope:Robot") == 2
    assert capsys.readouterr().err == "thinkaloud: There is no module 'nope'. Is nope.py in this folder?\n"
    (at_home / "half_a_robot.py").write_text("Robot = 1")
    assert status("serve", "--no-open", "half_a_robot:Robot") == 2
    assert "has no class or function 'Robot'" in capsys.readouterr().err
    assert status("serve", "--no-open", "--scenes", "nope") == 2


def test_serve_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "nicegui", None)
    assert status("serve", "--no-open") == 2
    assert 'pip install "thinkaloud[web]"' in capsys.readouterr().err


def test_ctrl_c_ends_the_server(at_home: Path) -> None:
    command = [sys.executable, "-m", "thinkaloud", "serve", "--no-open", "--port", "0"]
    env = {**os.environ, "PYTHONPATH": str(Path(thinkaloud.__file__).parents[1])}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Open http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
