from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from thinkaloud.models import ModelSettings
from thinkaloud.models.llama import Llama
from thinkaloud.models.reading_cache import ReadingCache
from thinkaloud.models.slot_choice import Slot
from thinkaloud.models.slot_states import SlotStates, identify, open_reading_cache
from thinkaloud.models.weight_files import embedded_weights

ROBOT = "# robot\n" + "".join(f"# lamp {number}: in room {number}\n" for number in range(30))


class Engine:
    """Saves and restores slots as llama.cpp does, in a folder; `fails` is what it refuses to do."""

    def __init__(self, folder: Path, fails: str = "") -> None:
        self.folder, self.fails, self.done = folder, fails, list[str]()

    def act(self, slot: int, what: str, name: str) -> Mapping[str, Any]:
        if what == self.fails:
            raise httpx.HTTPStatusError(
                "no", request=httpx.Request("POST", "http://here"), response=httpx.Response(500)
            )
        self.done.append(what)
        if what == "save":
            (self.folder / name).write_bytes(b"state of a slot")
            return {"n_written": 15 if self.fails != "half" else 99}
        assert (self.folder / name).read_bytes() == b"state of a slot"
        return {}

    def prime(self) -> None:
        self.done.append("prime")


def states(engine: Engine, model: str = "weights 1") -> SlotStates:
    """What a process that has just started has."""
    return SlotStates(ReadingCache(engine.folder, 10**6), model, engine.act)


def test_a_later_process_restores_what_an_earlier_one_has_read_after_setting_the_adapters(tmp_path: Path) -> None:
    engine, slot = Engine(tmp_path), Slot(0)
    states(engine).save(slot, ROBOT, "adapter 0")
    assert states(engine).restore(slot, ROBOT, "adapter 0", engine.prime)
    assert (engine.done, slot.text) == (["save", "prime", "restore"], ROBOT)


def test_other_weights_and_other_adapters_are_other_readings(tmp_path: Path) -> None:
    engine, slot = Engine(tmp_path), Slot(0)
    states(engine).save(slot, ROBOT, "adapter 0")
    assert not states(engine).restore(slot, ROBOT, "adapter 1", engine.prime)
    assert not states(engine, "weights 2").restore(slot, ROBOT, "adapter 0", engine.prime)
    assert engine.done == ["save"]


def test_a_robot_that_has_changed_a_little_goes_on_from_what_it_shares(tmp_path: Path) -> None:
    engine, slot = Engine(tmp_path), Slot(0)
    states(engine).save(slot, ROBOT, "")
    assert not states(engine).restore(slot, f"{ROBOT}# a new lamp\n", "", engine.prime)
    assert (engine.done[-1], slot.text) == ("restore", ROBOT)


def test_a_slot_that_has_read_the_robot_already_is_left_alone(tmp_path: Path) -> None:
    engine, slot = Engine(tmp_path), Slot(0)
    states(engine).save(slot, ROBOT, "")
    slot.text = ROBOT + '# "Light lamp 3."\n'
    assert not states(engine).restore(slot, ROBOT, "", engine.prime)
    assert engine.done == ["save"]


def test_what_is_kept_already_is_not_saved_again(tmp_path: Path) -> None:
    engine = Engine(tmp_path)
    for text in (ROBOT, ROBOT, ROBOT + "# note\n"):
        states(engine).save(Slot(0), text, "")
    assert engine.done == ["save"]


@pytest.mark.parametrize("fails", ["save", "half"])
def test_a_save_that_fails_keeps_nothing_and_harms_nobody(tmp_path: Path, fails: str) -> None:
    engine = Engine(tmp_path, fails)
    states(engine).save(Slot(0), ROBOT, "")
    assert [*tmp_path.iterdir()] == []


def test_a_restore_that_fails_leaves_an_empty_slot(tmp_path: Path) -> None:
    states(Engine(tmp_path)).save(Slot(0), ROBOT, "")
    engine, slot = Engine(tmp_path, "restore"), Slot(0)
    assert not states(engine).restore(slot, ROBOT, "", engine.prime)
    assert slot.text == ""


def test_a_state_that_the_engine_refuses_makes_way_for_one_that_it_takes(tmp_path: Path) -> None:
    states(Engine(tmp_path)).save(Slot(0), ROBOT, "")
    states(Engine(tmp_path, "restore")).restore(Slot(0), ROBOT, "", lambda: None)
    engine = Engine(tmp_path)
    states(engine).save(Slot(0), ROBOT, "")
    assert states(engine).restore(Slot(0), ROBOT, "", engine.prime)
    assert engine.done == ["save", "prime", "restore"]


def test_a_damaged_state_never_reaches_the_engine(tmp_path: Path) -> None:
    engine, slot = Engine(tmp_path), Slot(0)
    states(engine).save(slot, ROBOT, "")
    (state,) = tmp_path.glob("*.state")
    state.write_bytes(b"state of a slut")
    assert not states(engine).restore(slot, ROBOT, "", engine.prime)
    assert engine.done == ["save"]


def test_nothing_is_kept_when_that_is_switched_off_or_the_folder_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert open_reading_cache(0) is None
    assert open_reading_cache(10) is not None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert open_reading_cache(10) is None


def test_changed_weights_of_the_same_size_and_name_are_other_weights(tmp_path: Path) -> None:
    weights = tmp_path / "weights.gguf"
    weights.write_bytes(embedded_weights().read_bytes())
    before = identify(weights, (), ModelSettings())
    assert before == identify(weights, (), ModelSettings(threads=1))
    assert before != identify(weights, (), ModelSettings(context=512))
    assert before != identify(weights, (), ModelSettings(slots=1))  # llama.cpp refuses the states of other numbers
    with weights.open("r+b") as file:
        file.seek(-500_000, 2)
        file.write(bytes(400_000))
    assert before != identify(weights, (), ModelSettings())


def test_a_model_answers_the_same_with_and_without_what_an_earlier_process_has_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = "".join(f"Robot {number} is in room {number * 7 % 10}. " for number in range(8))

    def ask(kept: int, *texts: str) -> list[tuple[str, int]]:
        """Have a process of its own read each text ahead, and then ask about it."""

        async def talk() -> list[tuple[str, int]]:
            settings = ModelSettings(threads=1, context=512, slots=1, reading_cache=kept)
            model = Llama("small", embedded_weights(), settings)
            answers = []
            try:
                for ahead in texts:
                    await model.read_ahead(ahead)
                    answer = await model.complete(f"{ahead}\nRobot 3 is in", most=6)
                    answers.append((answer.text, answer.usage.evaluated))
            finally:
                await model.close()
            return answers

        return asyncio.run(talk())

    changed = text.replace("Robot 7", "Robot 9")
    (without, without_changed), (first,), (later,) = ask(0, text, changed), ask(100, text), ask(100, text)
    assert without == first == later
    assert later[1] < 12
    assert without_changed[0] == ask(100, changed)[0][0]
