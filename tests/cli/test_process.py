"""Real processes: Ctrl-C in the middle of a motion and of a thought, pipes, and bytes that are no text."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

import thinkaloud
from cli.conftest import REQUEST
from thinkaloud.cli.run import run_request
from thinkaloud.models import Model
from thinkaloud.records import End
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.options import RunOptions

MID_MOTION = """
import asyncio, select, sys
from pathlib import Path
from cli.conftest import REQUEST, obedient
from thinkaloud.staging.options import RunOptions
from thinkaloud.cli.progress import Progress
from thinkaloud.cli.shown_episode import ShownEpisode
from thinkaloud.cli.views import open_view
from thinkaloud.staging.opening import open_episode, settings_for

ticks = 0

def tick():
    global ticks
    ticks += 1
    if ticks == 60:
        print("moving", flush=True)
        while not select.select([sys.stdin], [], [], 0.05)[0]:  # a read would not be woken by a signal just before it
            pass
        sys.stdin.readline()  # the signal comes before the line does

async def main():
    wanted = RunOptions(preset="inner_monologue", scene=Path("scene.toml"))
    async with open_episode(wanted, settings_for(wanted), view=open_view(wanted), model=obedient()) as episode:
        episode.agent.loop.ticking.append(tick)
        shown = ShownEpisode(episode, Progress())
        await shown.attend(episode.agent.run(REQUEST))
        return await shown.finish()

sys.exit(asyncio.run(main()))
"""


LOADING = """
import threading
from thinkaloud.cli import cli
from thinkaloud.staging import opening

def slow(*arguments, **more):
    print("loading", flush=True)
    threading.Event().wait(600)

opening.Apart = slow
cli.main(["run", "--scene", "scene.toml", "Stack all the blocks."])
"""


PATIENCE = 300
"""Seconds; nothing waits that long unless something is wrong."""


def started(*command: str, terminal: int | None = None) -> subprocess.Popen[str]:
    tests, source = Path(__file__).parents[1], Path(thinkaloud.__file__).parents[1]
    here = os.pathsep.join(map(str, (tests, source, tests.parent)))
    environment = os.environ | {"PYTHONPATH": here, "THINKALOUD_THREADS": "1"}
    pipe = subprocess.PIPE
    out = pipe if terminal is None else terminal
    return subprocess.Popen(
        [sys.executable, *command], stdin=pipe, stdout=out, stderr=out, text=True, encoding="utf-8", env=environment
    )


def wait_for(process: subprocess.Popen[str], words: str) -> str:
    assert process.stdout is not None
    read = ""
    for line in process.stdout:
        read += line
        if words in line:
            return read
    raise AssertionError(f"{words!r} never came: {read}")


def test_ctrl_c_in_the_middle_of_a_motion_stops_it_and_saves_everything() -> None:
    process = started("-c", MID_MOTION)
    wait_for(process, "moving")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate("go on\n", timeout=PATIENCE)
    assert process.returncode == 130, err
    assert "interrupted: Ctrl-C" in out
    assert out.rstrip().splitlines()[-1].startswith("Not met (stopped): Ctrl-C.")
    with Journal(load().journal) as journal:
        assert [info.result for info in journal.sessions()] == ["stopped"]
    (film,) = Path("runs").glob("*/film.gif")
    with Image.open(film) as opened:
        assert getattr(opened, "n_frames", 1) > 2


def test_a_terminal_that_is_closed_in_the_middle_of_a_motion_stops_it_and_the_journal_says_so() -> None:
    ours, theirs = os.openpty()
    with started("-c", MID_MOTION, terminal=theirs) as process:
        os.close(theirs)
        while b"moving" not in os.read(ours, 4096):
            pass
        os.close(ours)  # nothing can be written to it any more
        for _ in range(2):  # the shell says so, and the system
            process.send_signal(signal.SIGHUP)
        process.communicate("go on\n", timeout=PATIENCE)
        assert process.returncode == 128 + signal.SIGHUP
    with Journal(load().journal) as journal:
        (info,) = journal.sessions()
        (end,) = [record for _, _, record in journal.open(info.id).events() if isinstance(record, End)]
    assert (end.result, end.because) == ("stopped", "the terminal was closed")


def test_ctrl_c_while_the_model_loads_leaves_at_once_and_nothing_behind() -> None:
    before = sorted(Path().rglob("*"))
    process = started("-c", LOADING)
    wait_for(process, "loading")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "thinkaloud: Interrupted.\n")
    assert sorted(Path().rglob("*")) == before


def test_a_second_ctrl_c_leaves_at_once() -> None:
    process = started("-c", MID_MOTION)
    wait_for(process, "moving")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=PATIENCE)
    assert process.returncode in (130, 143)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    with Journal(load().journal) as journal:
        assert [info.result for info in journal.sessions()] == ["unfinished"], "and can be resumed"


def test_ctrl_c_while_the_real_model_thinks() -> None:
    arguments = ("--scene", "scene.toml", "--model", "embedded-base")
    process = started("-m", "thinkaloud", "run", *arguments, REQUEST)
    wait_for(process, "Scene ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert out.rstrip().splitlines()[-1].startswith("Not met (stopped): Ctrl-C.")
    assert "\x1b" not in out


def test_a_stop_through_a_pipe_while_the_real_model_thinks() -> None:
    arguments = ("--scene", "scene.toml", "--model", "embedded-base", "--no-film", "--no-journal")
    process = started("-m", "thinkaloud", "chat", *arguments)
    assert process.stdin is not None
    process.stdin.write(f"{REQUEST}\n")  # before it is ready
    process.stdin.flush()
    wait_for(process, "Scene ")
    out, err = process.communicate("stop\n", timeout=PATIENCE)
    assert process.returncode == 1, err
    assert "Robot action" not in out
    assert out.rstrip().splitlines()[-1].startswith("Not met (stopped): you said 'stop'.")


def test_the_real_model_moves_something_and_the_exit_status_tells_how_it_ended(
    embedded: Model, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, where the model is open already."""

    async def stay_open() -> None: ...

    monkeypatch.setattr(embedded, "close", stay_open)
    wanted = RunOptions(scene=Path("scene.toml"), preset="inner_monologue", no_film=True, no_journal=True, steps=1)
    status = run_request(REQUEST, wanted, model=embedded)
    out = capsys.readouterr().out
    assert "Robot action   Pick the" in out
    last = out.rstrip().splitlines()[-1]
    assert status == (0 if last.startswith("Done: ") else 1), last


def test_bytes_that_are_no_text_are_no_trouble() -> None:
    command = [os.fsencode(sys.executable), b"-m", b"thinkaloud", b"run", b"--no-film", b"--scene", b"scene.toml"]
    done = subprocess.run([*command, b"--model", b"b\xff", b"Put the \xff\xfe block away."], capture_output=True)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1 and b"There is no model" in done.stderr


def test_a_reader_that_has_had_enough_gets_no_traceback() -> None:
    process = started("-m", "thinkaloud", "skills", "tabletop")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read()
    process.wait(timeout=PATIENCE)
    process.stderr.close()
    assert process.stdin is not None
    process.stdin.close()
    assert "Traceback" not in errors


def test_lines_come_through_a_pipe() -> None:
    arguments = ("--scene", "scene.toml", "--model", "openai:nobody", "--no-film")
    command = [sys.executable, "-m", "thinkaloud", "chat", *arguments]
    nowhere = os.environ | {"THINKALOUD_BASE_URL": "http://127.0.0.1:9/v1", "THINKALOUD_RETRIES": "0"}
    done = subprocess.run(command, input=b"/dance\nPut \xff it away.\n", capture_output=True, env=nowhere)
    assert done.returncode == 1, done.stderr
    assert b"Unknown command /dance" in done.stdout
    last = done.stdout.decode().rstrip().splitlines()[-1]
    assert last.startswith("Not met: http://127.0.0.1:9/v1 can't be reached.")
