"""`replay --prompts`: what the model was given, word for word, and which feedback it was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import REQUEST, obedient
from thinkaloud.cli.run import run_request
from thinkaloud.cli.sessions import replay_session
from thinkaloud.records import ModelCall
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.options import RunOptions

CHECK = "✓ The red block is on the blue bowl."


def replayed(preset: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    run_request(REQUEST, RunOptions(preset=preset, scene=Path("scene.toml"), no_film=True), model=obedient())
    capsys.readouterr()
    with Journal(load().journal) as journal:
        (info,) = journal.sessions()
    replay_session(info.id, prompts=True)
    return [line.strip() for line in capsys.readouterr().out.splitlines()]


def after(lines: list[str], part: str) -> str:
    """The line after the first one that has a part."""
    return lines[next(number for number, line in enumerate(lines) if part in line) + 1]


def test_the_prompts_can_be_put_together_again_from_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = replayed("inner_monologue", capsys)
    with Journal(load().journal) as journal:
        session = journal.open(journal.sessions()[0].id)
        calls = [index for index, _, record in session.events() if isinstance(record, ModelCall)]
        exact = [(said.prompt, said.answer) for index in calls if (said := session.verbatim(index)) is not None]
    rebuilt, prompt, heads = [], [""], [n for n, line in enumerate(lines) if line.startswith("The model was given")]
    for head in heads:
        middle = next(n for n in range(head, len(lines)) if lines[n] == "and answered:")
        new = [line.removeprefix("|").strip() for line in lines[head + 1 : middle]]
        kept = 0
        if new[0].endswith("lines as in its last prompt)"):
            kept = int(new.pop(0).strip("(").split()[0])
        prompt = [*prompt[:kept], *new]
        answer = []
        for line in lines[middle + 1 :]:
            if not line.startswith("|"):
                break
            answer.append(line.removeprefix("|").strip())
        rebuilt.append(("\n".join(prompt), "\n".join(answer)))
    assert len(rebuilt) == len(exact) > 2
    assert rebuilt == [(asked.strip(), "\n".join(map(str.strip, said.split("\n")))) for asked, said in exact]


@pytest.mark.parametrize(
    ("feedback", "told"),
    [
        ("object+scene", "not in the prompt"),
        ("object+success", "in the prompt: Success: yes."),
        ("success", "in the prompt: Success: yes."),
    ],
)
def test_a_check_says_whether_the_model_was_told(feedback: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert after(replayed(f"inner_monologue:feedback={feedback}", capsys), CHECK) == told


def test_progress_is_shown_in_the_words_of_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    lines = replayed("inner_monologue", capsys)
    assert after(lines, "1 of 1 goal condition") == (
        'in the prompt: Scene: You have completed ["Red block is on the blue bowl."].'
    )


def test_what_a_skill_reports_is_for_people_only(capsys: pytest.CaptureFixture[str]) -> None:
    lines = replayed("inner_monologue:feedback=object+success", capsys)
    assert after(lines, "Picked up the red block") == "not in the prompt"


def test_a_preset_that_does_not_word_its_feedback_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    lines = replayed("open_loop", capsys)
    assert lines[0].startswith("This preset does not say how it words feedback")
    assert not any(line.startswith("in the prompt") or line == "not in the prompt" for line in lines)
    assert any(line.startswith("The model was given, as planner") for line in lines)
