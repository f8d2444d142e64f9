"""The world of a person who does each step by hand."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import BadScene
from thinkaloud.monologue import Monologue
from thinkaloud.records import Message, Outcome, Request, Stop
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds.by_hand import ByHand, open_by_hand
from thinkaloud.worlds.contract import Pictured, find_ability


def carry_out(world: ByHand, step: str, message: Message | None = None) -> None:
    said = iter([message])
    with pacing(Pace(hear=lambda: next(said, None))):
        asyncio.run(world.skills["carry_out"].run({"step": step}))


def test_every_step_is_done_as_it_is_said() -> None:
    world = ByHand()
    assert find_ability(world, Pictured) is not None
    assert world.observe().objects == ()
    carry_out(world, "water the plants")
    carry_out(world, "Feed the cat, then rest (a bit).")
    assert world.steps == ("water the plants", "Feed the cat, then rest (a bit).")
    assert world.done("Water the plants.")
    assert not world.done("water the plant")
    assert world.clock.now() > 0


def test_what_is_done_is_verified_and_remembered() -> None:
    world = ByHand()
    skill = world.skills["carry_out"]
    state = world.observe().state
    step = skill.step({"step": "water the plants"})
    assert step.words == "Water the plants"
    verdict = asyncio.run(DetectSuccess(world).verify(Outcome(step, "completed"), Monologue(world.clock)))
    assert not verdict.ok
    carry_out(world, "water the plants")
    assert asyncio.run(DetectSuccess(world).verify(Outcome(step, "completed"), Monologue(world.clock))).ok
    assert skill.remembers is not None and state is not None
    assert skill.remembers(state, step="water the plants") == world.observe().state


def test_a_sentence_is_read_back_into_a_step() -> None:
    signature = ByHand().skills["carry_out"].signature
    assert signature.parse("Water the plants.", {}) == {"step": "Water the plants"}


def test_a_stop_leaves_the_step_undone_and_a_request_waits_for_its_end() -> None:
    world = ByHand()
    with pytest.raises(Interrupted):
        carry_out(world, "water the plants", Stop())
    assert not world.steps
    carry_out(world, "water the plants", Request("the cat first"))
    assert world.steps == ("water the plants",)


def test_the_picture_is_a_list_of_what_was_done() -> None:
    world = ByHand()
    empty = world.render()
    assert empty.shape == (240, 320, 3)
    for number in range(30):  # more than fit on the sheet
        carry_out(world, f"water plant {number}")
    assert world.render().tobytes() != empty.tobytes()


def test_it_has_no_scene() -> None:
    assert open_by_hand(None).name == "by_hand"
    with pytest.raises(BadScene, match="leave it out"):
        open_by_hand("{}")
    with pytest.raises(ValueError, match="snapshot"):
        ByHand().restore(b"garbage")
