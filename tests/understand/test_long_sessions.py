"""A robot that talks for a week: what it costs to remember does not grow with all that was ever said."""

from __future__ import annotations

import asyncio

import pytest

from said import GARDEN
from thinkaloud import Agent, Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.program import earlier_numbers
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program, read_program
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.conversation import undone_of, work_to_undo

PROGRAMS = ('open("left window")', 'open("right window")', 'close("left window")', "undo()", 'close("right window")')


def talk(requests: int) -> Monologue:
    """A session in which windows are opened and that is taken back, again and again."""
    model = Scripted([PROGRAMS[number % len(PROGRAMS)] for number in range(requests)])
    agent = Agent(TextFileWorld(GARDEN), model, "thinkaloud:confirm=never")

    async def say() -> None:
        for number in range(requests):
            await agent.run(f"Do what comes as number {number}.")

    asyncio.run(say())
    return agent.monologue


class Counted(Monologue):
    """Counts how often events are looked at."""

    looked = 0

    def worked_between(self, *given):  # type: ignore[no-untyped-def]
        self.looked += 1
        return super().worked_between(*given)


def test_what_can_be_taken_back_is_found_in_one_pass_and_is_what_undo_takes_back() -> None:
    said = talk(5)
    counted = Counted(said._clock, [*said])
    undone = undone_of(counted)
    assert counted.looked <= 5
    works = [work_to_undo(said, count) for count in range(1, len(undone) + 2)]
    assert works[-1] is None and len(undone) == 2
    handled = [{v for s in work.steps for v in s.arguments.values()} for work in works[:-1] if work is not None]
    assert handled == [{*each.handled} for each in undone]


KETTLE = """\
name = "kettle"
about = "A robot with a kettle."
[kinds]
kettle = ["kettle"]
[skills.boil]
says = "Boil the {kettle} for {minutes} minutes."
doc = "Boil water."
parameters = { kettle = "kettle", minutes = "number" }
makes = ["is_hot({kettle})"]
[skills.pour]
says = "Pour out the {kettle}."
doc = "Pour water out."
parameters = { kettle = "kettle" }
ends = ["is_hot({kettle})"]
[relations.is_hot]
says = "{kettle} is hot."
doc = "Whether the water is hot."
parameters = { kettle = "kettle" }
"""


def test_after_a_hundred_requests_few_earlier_programs_are_read_for_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    programs = [*['pour("kettle")'] * 100, *['boil("kettle", 4)', 'pour("kettle")'] * 3]
    read: list[str] = []

    def counting(text: str, lexicon: Lexicon) -> Program | None:
        read.append(text)
        return read_program(text, lexicon)

    model = Scripted(programs)
    agent = Agent(TextFileWorld(KETTLE), model, "thinkaloud:confirm=never")

    async def say() -> None:
        for program in programs:
            read.clear()
            await agent.run("Boil it for 4 minutes." if "4" in program else "Pour it out.")

    monkeypatch.setattr(earlier_numbers, "read_program", counting)
    asyncio.run(say())
    assert read == ['boil("kettle", 4)'] * 3


def test_what_a_skill_was_given_long_ago_need_not_be_said_again() -> None:
    programs = ['boil("kettle", 4)', *['pour("kettle")'] * 60, 'boil("kettle", 4)']
    agent = Agent(TextFileWorld(KETTLE), Scripted(programs), "thinkaloud:confirm=never")

    async def say() -> list[str]:
        ends = [await agent.run("Boil it for 4 minutes.")]
        ends += [await agent.run("Pour it out.") for _ in range(60)]
        return [each.result for each in (*ends, await agent.run("Boil it as before."))]

    assert asyncio.run(say())[-1] == "goal met"
