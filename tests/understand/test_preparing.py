"""What can be read before anybody speaks: the robot, so that the first request is not waited for longer than others."""

from __future__ import annotations

import asyncio

import pytest

from said import GARDEN
from thinkaloud import Agent, Model, Scripted
from thinkaloud.errors import ModelError
from thinkaloud.models.contract import find_reading_progress
from thinkaloud.monologue import Event
from thinkaloud.records import ModelCall
from thinkaloud.robots.text_file import TextFileWorld

HALL = """\
name = "hall"
about = "A lamp in a hall."
[kinds]
lamp = ["red lamp"]
[skills.light]
says = "Light the {lamp}."
doc = "Light a lamp."
parameters = { lamp = "lamp" }
makes = ["lit({lamp})"]
[relations.lit]
says = "{lamp} is lit."
doc = "Whether a lamp is lit."
parameters = { lamp = "lamp" }
"""
"""As small as a robot can be: a real model reads some forty tokens a second."""


class Heard(BaseException):
    """The first answer is enough."""


class Reading(Scripted):
    """Remembers what it was given to read ahead."""

    def __init__(self, fluent: bool) -> None:
        super().__init__(['open("left window")'])
        self.fluent, self.ahead = fluent, [""]

    async def read_ahead(self, prompt: str) -> None:
        self.ahead.append(prompt)


class Slow(Reading):
    """Reads ahead until it is let go on, and says how far it has got."""

    def __init__(self) -> None:
        super().__init__(fluent=True)
        self.reading, self.go_on = asyncio.Event(), asyncio.Event()

    async def read_ahead(self, prompt: str) -> None:
        await super().read_ahead(prompt)
        tell = find_reading_progress()
        assert tell is not None
        tell(10, 40)
        self.reading.set()
        await self.go_on.wait()
        tell(40, 40)


def test_a_request_waits_for_what_is_being_read_for_it_and_is_told_how_far_that_is() -> None:
    async def speak() -> tuple[list[object], int]:
        model, heard = Slow(), list[object]()
        agent = Agent(
            TextFileWorld(GARDEN),
            model,
            "thinkaloud:confirm=never",
            hears_thinking=lambda role, piece: heard.append(role) if not piece else None,
        )
        agent.reading_listeners.append(lambda *told: heard.append(told))
        preparing = asyncio.ensure_future(agent.get_ready())
        asked = asyncio.ensure_future(agent.run("Open the left window."))
        await model.reading.wait()
        for _ in range(50):
            await asyncio.sleep(0)
        assert not model.prompts
        model.go_on.set()
        await asyncio.gather(preparing, asked)
        return heard, len(model.ahead)

    heard, ahead = asyncio.run(speak())
    read = [("preparation", 10, 40), ("preparation", 40, 40), ("preparation", 0, 0)]
    assert (heard[:5], ahead) == (["preparation", *read, "listener"], 2)


@pytest.mark.parametrize("fluent", [True, False])
def test_what_is_read_ahead_is_what_the_next_prompt_begins_with(fluent: bool) -> None:
    model = Reading(fluent)
    agent = Agent(TextFileWorld(GARDEN), model, "thinkaloud:confirm=never")
    before = len(agent.monologue)
    asyncio.run(agent.get_ready())
    assert len(agent.monologue) == before  # it is no answer, and nothing was said
    asyncio.run(agent.run("Open the left window."))
    assert "left window" in model.ahead[-1]
    assert model.prompts[0].startswith(model.ahead[-1])
    assert model.prompts[0].removeprefix(model.ahead[-1]).strip() == '# "Open the left window."'


def test_a_model_that_cannot_be_reached_is_told_of_when_it_is_needed() -> None:
    class Away(Scripted):
        async def read_ahead(self, prompt: str) -> None:
            raise ModelError("nobody answers")

    agent = Agent(TextFileWorld(GARDEN), Away(['open("left window")']), "thinkaloud:confirm=never")
    asyncio.run(agent.get_ready())
    assert asyncio.run(agent.run("Open the left window.")).result == "goal met"


@pytest.mark.parametrize("preset", ["inner_monologue", "hicrisp"])
def test_presets_with_nothing_to_prepare_are_ready(preset: str) -> None:
    model = Reading(fluent=True)
    asyncio.run(Agent(TextFileWorld(GARDEN), model, preset).get_ready())
    assert model.ahead == [""]


def test_a_local_model_evaluates_only_what_is_new(embedded: Model) -> None:
    calls: list[ModelCall] = []

    def hear(event: Event) -> None:
        if isinstance(event.record, ModelCall):
            calls.append(event.record)
            raise Heard

    async def ask() -> None:
        agent = Agent(TextFileWorld(HALL), embedded, "thinkaloud:confirm=never", listeners=[hear])
        await agent.get_ready()
        await agent.run("Light the red lamp.")

    with pytest.raises(Heard):
        asyncio.run(ask())
    assert calls[0].evaluated < 20 < calls[0].cached
