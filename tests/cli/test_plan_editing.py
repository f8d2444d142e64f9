"""`thinkaloud plan --edit` and `thinkaloud lessons`, with an editor that a test plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from said import GARDEN
from thinkaloud.cli.plan_editing import edit_and_carry_out, parse_steps, render_steps
from thinkaloud.episode.plan_edits import BadEdit, WantedStep
from thinkaloud.models import Scripted
from thinkaloud.records import PlanEdit, Started
from thinkaloud.remember.journal import Journal
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.settings import load
from thinkaloud.staging.opening import lesson_book
from thinkaloud.staging.options import RunOptions

SKILLS = TextFileWorld(GARDEN).skills
REQUEST = "Water the plants."


class Person:
    """Edits a text in the ways that were agreed on, one after the other, and answers every question."""

    def __init__(self, *edits: tuple[str, str], answers: tuple[bool, ...] = (True, True)) -> None:
        self._edits, self._answers = list(edits), list(answers)
        self.saw: list[str] = []

    def edit(self, text: str) -> str | None:
        """The text with the next change; None once there is none."""
        self.saw.append(text)
        return text.replace(*self._edits.pop(0)) if self._edits else None

    def confirm(self, question: str) -> bool:
        """The next answer."""
        return self._answers.pop(0)


@pytest.fixture
def garden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The garden as a robot's file, and a home folder of its own."""
    monkeypatch.setenv("THINKALOUD_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "garden.toml").write_text(GARDEN, encoding="utf-8")
    return "garden.toml"


def _edit(robot: str, person: Person) -> int:
    model = Scripted(lambda prompt: "water(plants)")
    wanted = RunOptions(world=robot, preset="thinkaloud:confirm=never")
    return edit_and_carry_out(REQUEST, wanted, model=model, edit=person.edit, confirm=person.confirm)


def test_a_changed_plan_is_carried_out_recorded_and_remembered(garden_file: str) -> None:
    person = Person(('water("fern")', "# "))
    assert _edit(garden_file, person) == 0
    assert 'water("fern")  # Water the fern.\nwater("rose")  # Water the rose.\n' in person.saw[0]
    with Journal(load().journal) as journal:
        records = [record for _, _, record in journal.open(journal.sessions()[0].id).events()]
    assert [record.step.words for record in records if isinstance(record, Started)] == ["Water the rose."]
    assert sum(isinstance(record, PlanEdit) for record in records) == 1
    assert [each.taught.program for each in lesson_book(load()).all("garden.toml")] == ['water("rose")']
    again = Person(answers=(True, False))
    assert _edit(garden_file, again) == 0  # unchanged, and carried out
    assert "fern" not in again.saw[0]


def test_what_is_not_possible_comes_back_with_the_reason(garden_file: str) -> None:
    person = Person(('water("fern")', 'water("tiger")'), ('water("tiger")', 'water("fern")'), answers=(False,))
    assert _edit(garden_file, person) == 1
    assert person.saw[1].startswith("# Step 1: There is no plant 'tiger' here")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("water the fern", "Step 1: 'water the fern' is not a call"),
        ('whistle()\ndance("fern")', "Step 2: There is no skill 'dance'"),
        ('water("fern", "rose")', "Step 1: water takes 1 arguments, not 2"),
        ("water(plants)", "Step 1: An argument has to be a text in quotes, or a number."),
        ('__import__("os").system("true")', "Step 1: .* is not a call"),
    ],
)
def test_a_line_that_is_no_call_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadEdit, match=why):
        parse_steps(text, SKILLS)


def test_steps_are_read_back_as_they_were_written() -> None:
    steps = [SKILLS["prune"].step({"plant": "fern", "centimetres": 2}), SKILLS["whistle"].step({})]
    text = render_steps(steps, SKILLS)
    assert text.splitlines()[0].startswith('prune("fern", 2)  # ')
    assert parse_steps(f"# a comment\n\n{text}", SKILLS) == [
        WantedStep("prune", {"plant": "fern", "centimetres": 2}),
        WantedStep("whistle", {}),
    ]
