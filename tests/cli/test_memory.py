"""A conversation with a robot that keeps a state: what is shown of it, and that it survives the end of the process."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from cli.conftest import REQUEST
from cli.test_chat import said
from thinkaloud.agent import Agent
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.run import run_request
from thinkaloud.models import Scripted
from thinkaloud.records import Started
from thinkaloud.remember.journal import Journal
from thinkaloud.robots import open_world
from thinkaloud.staging.options import RunOptions
from thinkaloud.state.edits import supports
from thinkaloud.state.state_history import latest_state

WANTED = RunOptions(
    scene=Path("scene.toml"), world="pick_and_place", preset="statler:writer=delta", no_film=True, no_journal=True
)
PUT = 'put_first_on_second("red block", "blue bowl")'
NOTED = PUT + '\nupdate_wm("Put the red block in the blue bowl")'
WRITTEN = "red block is in blue bowl"


def test_the_state_is_kept_over_a_chat_and_shown_with_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said("/state", REQUEST, "/wait", "/state", "How many blocks are in the blue bowl?")
    model = Scripted([NOTED, WRITTEN, 'say("1")'])
    assert chat_with(WANTED, model=model, lines=lines) == 0
    out = capsys.readouterr().out
    assert "Robot thought  " + PUT in out
    assert "Memory         red block is in blue bowl (Put the red block in the blue bowl)" in out
    before, after = out.split("Memory", 1)
    assert '"blue bowl": {}' in before
    assert '\n    "blue bowl": {"contains": ["red block"]}\n}\n' in after
    assert "Robot says     1" in out
    assert out.rstrip().splitlines()[-1] == "Answered, without a move: 1."


def test_a_preset_that_keeps_no_state_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert chat_with(replace(WANTED, preset="code_as_policies"), model=Scripted(), lines=said("/state")) == 0
    assert "keeps no state" in capsys.readouterr().out


def test_a_question_that_is_answered_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request("Is the blue bowl empty?", WANTED, model=Scripted(['say("yes")'])) == 0
    assert capsys.readouterr().out.rstrip().splitlines()[-1] == "Answered, without a move: yes."


def test_a_program_that_is_refused_is_shown_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request(REQUEST, WANTED, model=Scripted(["import os", NOTED, WRITTEN])) == 0
    assert "Not usable     planner: “import os” Line 1" in capsys.readouterr().out


def test_the_state_is_in_the_journal_and_known_after_a_crash(tmp_path: Path) -> None:
    world = open_world("pick_and_place")
    first, second = world.observe().vocabulary["object"][:2]
    put = f'put_first_on_second("{first}", "{second}")\nupdate_wm("Put the {first} on the {second}")'
    written = f"{first} is on {second}"
    with Journal(tmp_path / "journal.db") as journal:
        with journal.begin() as session:
            agent = Agent(world, Scripted([put, written]), "statler:writer=delta", session=session)
            asyncio.run(agent.run("Stack two."))
            id = session.id
        with journal.resume(id) as session:
            again = Agent(world, Scripted([f'say("{second}")']), "statler:writer=delta", session=session)
            assert supports(latest_state(again.monologue)) == {first: second}
            assert asyncio.run(again.run("What is under it?")).because == second
            assert len(again.monologue.since(None, Started)) == 3
