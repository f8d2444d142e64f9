"""The preset that understands first, on the command line: what was understood is said, asked and shown again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from said import GARDEN
from thinkaloud.cli import cli
from thinkaloud.cli.plan import plan_request
from thinkaloud.cli.run import run_request
from thinkaloud.cli.sessions import replay_session
from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.presets import open_preset
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.options import RunOptions

REQUEST = "Water the fern."


@pytest.fixture
def quick(tmp_path: Path) -> RunOptions:
    """The garden, from its file."""
    (tmp_path / "garden.toml").write_text(GARDEN, encoding="utf-8")
    return RunOptions(world="garden.toml", preset="thinkaloud", confirm="never", no_film=True)


def water() -> Scripted:
    return Scripted(['water("fern")'])


def test_what_was_done_and_cannot_be_checked_is_not_said_to_be_unmet(
    quick: RunOptions, capsys: pytest.CaptureFixture[str]
) -> None:
    run_request("Whistle.", quick, model=Scripted(["whistle()"]))
    out = capsys.readouterr().out
    assert "Done: Whistle a tune. I couldn't check the result. 1 step." in out
    assert "Not met" not in out


def test_what_was_understood_is_said_first_and_at_the_end(
    quick: RunOptions, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_request(REQUEST, quick, model=water()) == 0
    out = capsys.readouterr().out
    assert "Understood     I will water the fern." in out
    assert out.index("Understood") < out.index("Robot action")
    *_, understood, last = out.rstrip().splitlines()
    assert understood == "I understood: I will water the fern."
    assert last == "Done: the fern is wet (checked). 1 step."


def test_a_refusal_exits_with_1_and_is_said_once(quick: RunOptions, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request("Water the orchid.", quick, model=Scripted(['water("orchid")'])) == 1
    out = capsys.readouterr().out
    assert "Understood" not in out
    assert "Robot says     There is no orchid here." in out


@pytest.mark.parametrize("fluent", [False, True])
def test_a_model_of_ours_that_was_not_trained_to_understand_is_announced(
    quick: RunOptions, capsys: pytest.CaptureFixture[str], fluent: bool
) -> None:
    model: Any = water()
    model.trained, model.fluent = True, fluent
    run_request(REQUEST, quick, model=model)
    assert ("was not trained for the preset thinkaloud" in capsys.readouterr().err) is not fluent
    assert open_preset("inner_monologue").suits(model)


def test_where_nobody_chose_a_preset_such_a_model_has_another_and_that_is_said(
    quick: RunOptions, capsys: pytest.CaptureFixture[str]
) -> None:
    model: Any = Scripted([' Goal state is ["Fern is wet."].', " Water the fern.", " None."])
    model.trained = True
    assert run_request(REQUEST, replace(quick, preset=None, confirm=None), model=model) == 0
    written = capsys.readouterr()
    assert "not trained for the default preset, thinkaloud, so inner_monologue is used instead" in written.err
    assert " · inner_monologue · " in written.out


def test_our_preset_is_the_usual_one_and_a_question_that_nobody_answers_says_how_to(
    quick: RunOptions, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = replace(quick, preset=None, confirm="always")
    assert run_request(REQUEST, wanted, model=water()) == 1
    *_, hint, said = capsys.readouterr().out.splitlines()
    assert hint.startswith("To answer, use thinkaloud chat") and hint.endswith("to act on the likeliest reading.")
    assert "nobody is there to answer: I understood: I will water the fern. Is that right?" in said
    assert run_request(REQUEST, replace(wanted, confirm="never"), model=water()) == 0


def test_an_answer_exits_with_0(quick: RunOptions, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request("How many plants?", quick, model=Scripted(["say(len(plants))"])) == 0
    assert "3." in capsys.readouterr().out


def test_as_json_the_meaning_is_an_event(quick: RunOptions, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request(REQUEST, replace(quick, as_json=True), model=water()) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (meaning,) = [event for event in events if event["kind"] == "meaning"]
    assert meaning["program"] == 'water("fern")'
    assert meaning["content"]["sort"] == "deeds"
    assert meaning["words"] == "I will water the fern."
    assert meaning["content"]["deeds"][0]["skill"] == "water"


def test_a_plan_is_printed_and_nothing_moves(quick: RunOptions, capsys: pytest.CaptureFixture[str]) -> None:
    assert plan_request(REQUEST, quick, model=water()) == 0
    assert "Water the fern." in capsys.readouterr().out


def test_a_session_is_replayed_and_exported(quick: RunOptions, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request(REQUEST, quick, model=water()) == 0
    with Journal(load().journal) as journal:
        (session,) = journal.sessions()
    capsys.readouterr()
    replay_session(session.id)
    assert "Understood     I will water the fern." in capsys.readouterr().out
    exported = CliRunner().invoke(cli, ["export", session.id])
    assert exported.exit_code == 0
    assert "I will water the fern." in exported.output and "meaning" in exported.output


def test_confirm_is_for_a_preset_that_understands(quick: RunOptions) -> None:
    with pytest.raises(BadInput, match="--confirm is for --preset thinkaloud; inner_monologue does not say"):
        run_request(REQUEST, replace(quick, preset="inner_monologue", confirm="always"), model=water())
    answered = CliRunner().invoke(
        cli, ["run", "--world", "garden.toml", "--preset", "inner_monologue", "--confirm", "always", REQUEST]
    )
    assert answered.exit_code == 2
    assert len(answered.stderr.strip().splitlines()) == 1 and "--confirm is for" in answered.stderr


def test_confirm_is_one_of_three(quick: RunOptions) -> None:
    answered = CliRunner().invoke(cli, ["run", "--world", "garden.toml", "--confirm", "perhaps", REQUEST])
    assert answered.exit_code == 2
    assert "perhaps" in answered.stderr and "always" in answered.stderr


def test_always_confirmed_and_nobody_there_moves_nothing(quick: RunOptions, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_request(REQUEST, replace(quick, confirm="always"), model=water()) == 1
    out = capsys.readouterr().out
    assert "I understood: I will water the fern. Is that right?" in out
    assert "Robot action" not in out
