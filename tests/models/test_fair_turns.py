"""Turns at a shared model: fair, across threads, and given up at once by whoever is cancelled."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from thinkaloud.abilities import find_ability
from thinkaloud.models import Scripted, is_fluent
from thinkaloud.models.contract import ReadsAhead, Weighing
from thinkaloud.models.fair_turns import FairTurns, TakingTurns


async def take(turns: FairTurns, who: str, took: list[str]) -> None:
    async with turns.turn(who):
        took.append(who)
        await asyncio.sleep(0)


def test_a_robot_that_asks_much_does_not_keep_the_others_waiting() -> None:
    took: list[str] = []

    async def all_at_once() -> None:
        turns = FairTurns(1)
        await asyncio.gather(*(take(turns, who, took) for who in ["greedy"] * 6 + ["late", "later"]))
        assert turns.running == turns.waiting == 0

    asyncio.run(all_at_once())
    assert took[:4] == ["greedy", "late", "later", "greedy"] and len(took) == 8


def test_no_more_calls_run_than_there_are_slots_and_a_second_robot_gets_one_of_two() -> None:
    async def fill() -> tuple[int, int, set[str]]:
        turns, holding, release = FairTurns(2), list[str](), asyncio.Event()

        async def hold(who: str) -> None:
            async with turns.turn(who):
                holding.append(who)
                await release.wait()

        tasks = [asyncio.create_task(hold(who)) for who in ["a", "a", "a", "b"]]
        for _ in range(5):
            await asyncio.sleep(0)
        counts = turns.running, turns.waiting
        tasks[0].cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        now = {*holding}
        release.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        return *counts, now

    assert asyncio.run(fill()) == (2, 2, {"a", "b"})  # b's is next, though a asked first


def test_whoever_is_cancelled_leaves_the_queue_and_no_turn_is_lost() -> None:
    async def cancel() -> list[str]:
        turns, took, release = FairTurns(1), list[str](), asyncio.Event()

        async def hold() -> None:
            async with turns.turn("busy"):
                await release.wait()

        holding = asyncio.create_task(hold())
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(take(turns, "stopped", took)) for _ in range(3)]
        await asyncio.sleep(0)
        assert turns.waiting == 3
        waiting[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting[0]
        assert turns.waiting == 2 and turns.running == 1
        release.set()
        waiting[1].cancel()  # in the moment in which it may be granted
        await asyncio.gather(holding, *waiting, return_exceptions=True)
        await take(turns, "next", took)
        assert turns.running == turns.waiting == 0
        return took

    assert asyncio.run(cancel()) == ["stopped", "next"]


def test_robots_in_different_threads_share_the_turns() -> None:
    turns, took, most = FairTurns(2), list[str](), list[int]()

    async def ask(who: str) -> None:
        for _ in range(30):
            async with turns.turn(who):
                most.append(turns.running)
                await asyncio.sleep(0)
                took.append(who)

    threads = [threading.Thread(target=lambda who=who: asyncio.run(ask(who))) for who in "abcd"]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(took) == 120 and max(most) <= 2 and turns.running == turns.waiting == 0


def test_a_shared_model_offers_what_the_model_itself_does() -> None:
    model: Any = Scripted(["one", "two"])
    model.fluent = True
    taking: Any = TakingTurns(model, FairTurns(1), "robot")
    assert is_fluent(taking) and find_ability(taking, ReadsAhead) is None and find_ability(taking, Weighing) is None
    assert asyncio.run(taking.in_role("listener").complete("Count.")).text == "one"
