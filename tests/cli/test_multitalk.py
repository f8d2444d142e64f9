"""MultiTalk on the command line: what a world chooses, and what is refused before anything is left behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from barworld import Bar
from cli.test_chat import said
from fake_plugins import announce
from multitalk_dialogue import LOOKS, asks, carry, plan
from thinkaloud.cli.chat import chat_with
from thinkaloud.cli.plan import plan_request
from thinkaloud.cli.run import run_request
from thinkaloud.cli.run_summary import Tally
from thinkaloud.errors import BadInput, BadScene
from thinkaloud.models import Scripted
from thinkaloud.records import Outcome, Record, Request, Started, Step, Verdict
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.opening import describe_run, open_world_of, settings_for
from thinkaloud.staging.options import RunOptions
from thinkaloud.staging.preset_choice import with_suitable_preset
from thinkaloud.worlds import WORLDS

LATE = 'late = ["mug"]\nobject = [{name = "mug", x = 0.3, y = -0.4}, {name = "soup can", x = 0.3, y = 0.4}]\n'
REQUEST = "Put the soup can at (0.30, 0.00)."
TABLE = RunOptions(world="franka", preset="multitalk", no_film=True, no_journal=True)


def fetches() -> list[str]:
    return [plan(*carry("the soup can", (0.30, 0.40), (0.30, 0.00)))]


@pytest.fixture
def late(at_home: Path) -> Path:
    (at_home / "late.toml").write_text(LATE)
    return Path("late.toml")


def chosen(wanted: RunOptions) -> str:
    begin = describe_run(wanted, settings_for(wanted))
    return with_suitable_preset(begin, open_world_of(begin), preset=wanted.preset).preset


# What a world chooses -------------------------------------------------------------------------------------------------


def test_a_world_is_thought_about_by_ours_or_the_preset_that_it_needs(
    late: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chosen(RunOptions(world="franka", scene=late)) == "thinkaloud"
    assert chosen(RunOptions(world="drinks")) == "itp"
    plan_request("Give me a mug.", TABLE, model=Scripted([LOOKS]))
    assert capsys.readouterr().err.startswith("franka, seed 0 · multitalk · scripted\n")
    plan_request("Give me a mug.", replace(TABLE, preset="multitalk:human=off"), model=Scripted([LOOKS]))
    assert capsys.readouterr().err.startswith("franka, seed 0 · multitalk:human=off · scripted\n")


def test_who_has_chosen_another_keeps_it(monkeypatch: pytest.MonkeyPatch, at_home: Path) -> None:
    assert chosen(RunOptions(world="franka", preset="open_loop")) == "open_loop"
    assert chosen(RunOptions(world="franka", preset="multitalk:human=off")) == "multitalk:human=off"
    assert chosen(RunOptions(world="franka", guidelines="drinks")) == "itp"
    (at_home / "thinkaloud.toml").write_text('preset = "code_as_policies"\n')
    assert chosen(RunOptions(world="franka")) == "code_as_policies"
    monkeypatch.setenv("THINKALOUD_PRESET", "statler")
    assert chosen(RunOptions(world="franka")) == "statler"


def test_what_a_world_says_comes_before_its_guidelines(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = Bar()
    announce(monkeypatch, WORLDS, "bar", lambda scene: bar)
    assert chosen(RunOptions(world="bar")) == "itp"
    monkeypatch.setattr(bar, "preset", "multitalk")
    assert chosen(RunOptions(world="bar")) == "multitalk"


# Refused, with nothing left behind ------------------------------------------------------------------------------------


def test_a_world_without_a_twin_is_refused_before_a_session_begins(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match=r"'by_hand' has no twin .* simulator=off"):
        run_request("Dance.", RunOptions(world="by_hand", preset="multitalk", no_film=True), model=Scripted())
    with Journal(load().journal) as journal:
        assert journal.sessions() == []


@pytest.mark.parametrize("text", ["", "\n  \n"])
@pytest.mark.parametrize("world", ["franka", "drinks", "tabletop"])
def test_an_empty_scene_file_is_no_world_of_the_seeds(world: str, text: str, at_home: Path) -> None:
    (at_home / "none.toml").write_text(text)
    with pytest.raises(BadScene, match=r"^none.toml:1: (the file is empty; leave --scene out|There are no objects)"):
        run_request("Dance.", RunOptions(world=world, scene=Path("none.toml"), no_film=True), model=Scripted())


def test_a_mistake_in_a_scene_is_told_with_its_file(at_home: Path) -> None:
    (at_home / "bad.toml").write_text(LATE.replace('["mug"]', '["hat"]'))
    with pytest.raises(BadScene, match=r"^bad.toml:1: late names 'hat', which is not an object of the scene"):
        run_request("Dance.", RunOptions(world="franka", scene=Path("bad.toml"), no_film=True), model=Scripted())


# Asking ---------------------------------------------------------------------------------------------------------------

ASKS = [asks("Where should I put the soup can?")]


def test_a_question_ends_what_nobody_can_answer(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = RunOptions(world="franka", preset="multitalk", scene=late, no_film=True, no_journal=True)
    assert run_request("Give me the soup can.", wanted, model=Scripted(ASKS)) == 1
    *_, hint, said = capsys.readouterr().out.splitlines()
    assert hint == "To answer, use thinkaloud chat with the same options."
    assert said == "Not met: I have to ask, and nobody is there to answer: Where should I put the soup can? 0 steps."


@pytest.mark.parametrize("between", [(), ("/wait",)])
def test_in_a_chat_the_question_is_answered(
    between: tuple[str, ...], late: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = said("Give me the soup can.", *between, "At (0.30, 0.00), please.")
    wanted = RunOptions(world="franka", preset="multitalk:analyzer=rules", scene=late, no_film=True, no_journal=True)
    chat_with(wanted, lines=lines, model=Scripted([*ASKS, *fetches()]))
    told = capsys.readouterr().out
    assert "Robot asks     Where should I put the soup can?" in told
    assert " (checked). 3 steps." in told
    assert "thinkaloud chat" not in told


# The last line --------------------------------------------------------------------------------------------------------


def test_only_what_failed_is_retried() -> None:
    step = Step("grasp", {}, "Grasp it.")
    other = Step("move", {}, "Move it.")

    def retried(*records: Record) -> int:
        tally = Tally()
        for record in (Request("Do."), *records):
            tally.count(record)
        return tally.retried

    done, failed, unlike = Outcome(step, "completed"), Outcome(step, "failed"), Verdict(step, False, "action")
    assert retried(Started(step), done, Started(step), done) == 0  # taken once more, as a plan may have it
    assert retried(Started(step), failed, Started(step), done, Started(step)) == 1
    assert retried(Started(step), done, unlike, Started(step)) == 1
    assert retried(Started(step), failed, Started(other)) == 0
    assert retried(Started(step), failed, Started(other, correcting=True)) == 0  # a correction of another kind
    assert retried(Started(step), failed, Started(step, correcting=True)) == 1
    assert retried(Started(step), failed, Request("Again."), Started(step)) == 0
