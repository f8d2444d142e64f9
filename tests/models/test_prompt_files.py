"""Prompts from files: a listing as it is printed, parts with conditions, and one clear line for what is wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from thinkaloud import Agent, Scripted
from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.models import PromptForm
from thinkaloud.presets import PRESETS, open_preset, read_preset
from toyworld import ToyWorld

LISTING = 'Scene: There is a kite.\nHuman: Fly it.\nRobot thought: Goal state is ["Kite is up."].\nRobot thought: None.'
GOAL = ' Goal state is ["Ball is on the shelf."].'
MOVE = " Move the ball to the shelf."


class Trained(Scripted):
    """One that knows our form."""

    trained = True


def written(folder: Path, text: str) -> str:
    path = folder / "own.txt"
    path.write_text(text)
    return str(path)


def asked(preset: str, kind: type[Scripted] = Scripted) -> list[str]:
    model = kind([GOAL, MOVE, " None."])
    asyncio.run(Agent(ToyWorld(), model, preset).run("Put the ball on the shelf."))
    return list(model.prompts)


@pytest.mark.parametrize("kind", [Scripted, Trained])
def test_a_listing_is_shown_as_it_is_to_any_model(tmp_path: Path, kind: type[Scripted]) -> None:
    first, second, *_ = asked(f"inner_monologue:prompts={written(tmp_path, LISTING)}", kind)
    assert first.startswith(f"{LISTING}\nScene: There is a") and second.startswith(first)
    assert "yellow" not in first  # none of our own


def test_a_trained_model_reads_no_examples_of_ours() -> None:
    assert asked("inner_monologue", Trained)[0].startswith("Scene: There is a ball")


def test_a_part_is_shown_only_where_its_words_hold(tmp_path: Path) -> None:
    file = written(tmp_path, "A note.\n--- planner for object ---\nOne.\n--- planner for object+scene ---\nTwo.\n")
    assert asked(f"inner_monologue:prompts={file}")[0].startswith("Two.\nScene:")
    with pytest.raises(BadInput, match=r"own.txt: the part 'planner' is for object; object.scene only"):
        asked(f"inner_monologue:feedback=success;prompts={file}")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "own.txt is empty"),
        ("--- plan ---\nOne.\n", "'plan' is no part of these prompts. The parts are: planner, planner in calls."),
        ("--- planner ---\n\n", "the part 'planner' is empty"),
    ],
)
def test_a_bad_file_gets_one_line_that_names_the_part(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(BadInput) as raised:
        read_preset(f"inner_monologue:prompts={written(tmp_path, text)}")
    assert why in str(raised.value) and "\n" not in str(raised.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"bytes.txt are not text"):
        read_preset(f"saycan:prompts={tmp_path / 'bytes.txt'}")
    with pytest.raises(BadInput, match=r"nowhere.txt cannot be read: No such file"):
        read_preset("saycan:prompts=nowhere.txt")
    with pytest.raises(BadInput, match="prompts= needs the name of a file"):
        read_preset("saycan:prompts=")
    with pytest.raises(UnknownName, match="no option of thinkaloud 'prompts'"):
        read_preset("thinkaloud:prompts=nowhere.txt")


def test_a_missing_placeholder_and_a_missing_part_are_named(tmp_path: Path) -> None:
    form = PromptForm("thinkaloud.methods.itp", {"planner": ("task",)}, ("planner", "executor"))
    with pytest.raises(BadInput, match="the part 'planner' lacks the placeholder <task>"):
        form.open(written(tmp_path, "Do it.\n"))
    with pytest.raises(BadInput, match="the part 'executor' is missing"):
        form.open(written(tmp_path, "Do <task>.\n"))
    both = form.open(written(tmp_path, "--- planner ---\nDo <task> with <care>.\n--- executor ---\nNow.\n"))
    assert both.text("planner", values={"task": "it"}) == "Do it with <care>.\n"


def test_an_opened_preset_keeps_its_file(tmp_path: Path) -> None:
    file = written(tmp_path, LISTING)
    assert open_preset(f"inner_monologue:prompts={file}").defaults()["prompts"] == file


def test_every_papers_preset_takes_prompts_and_ships_its_own() -> None:
    for name, preset in PRESETS.available().items():
        if name == "thinkaloud":
            assert preset.prompts is None
        else:
            assert preset.prompts is not None and preset.prompts.open().shipped
