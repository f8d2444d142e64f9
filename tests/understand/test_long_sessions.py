"""A robot that talks for a week: what it costs to remember does not grow with all that was ever said."""

from __future__ import annotations

import asyncio

from said import GARDEN
from thinkaloud import Agent, Scripted
from thinkaloud.monologue import Monologue
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
