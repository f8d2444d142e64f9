from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import Iterable

import pytest

from thinkaloud.clock import ManualClock, RealTime
from thinkaloud.converse.inbox import Inbox
from thinkaloud.episode.ticks import TURN_EVERY, Interrupted, Pace, pacing, safe_point, tick
from thinkaloud.records import Message, Request, Stop


def hearing(messages: Iterable[Message | None]) -> Pace:
    """A pace at which these are heard, one per tick."""
    said = iter(messages)
    return Pace(hear=lambda: next(said, None))


async def wipe(strokes: int, done: list[str]) -> None:
    """A skill of several strokes, two ticks each, that may be left off between strokes only."""
    for stroke in range(strokes):
        safe_point()
        await tick()
        done.append(f"down {stroke}")
        await tick()
        done.append(f"up {stroke}")


def run(pace: Pace, strokes: int = 2) -> tuple[list[str], Message | None]:
    """What was done, and what interrupted it."""
    done: list[str] = []
    try:
        with pacing(pace):
            asyncio.run(wipe(strokes, done))
    except Interrupted as interrupted:
        return done, interrupted.message
    return done, None


def test_a_skill_runs_to_its_end_when_nobody_says_anything() -> None:
    pace = Pace()
    assert run(pace) == (["down 0", "up 0", "down 1", "up 1"], None)
    assert pace.ticks == 4


def test_stop_interrupts_at_the_next_tick() -> None:
    assert run(hearing([None, Stop("enough")])) == (["down 0"], Stop("enough"))


def test_a_request_waits_for_a_safe_point() -> None:
    assert run(hearing([Request("not that one")])) == (["down 0", "up 0"], Request("not that one"))


def test_the_latest_request_is_the_one_that_counts() -> None:
    assert run(hearing([Request("red"), Request("blue")])) == (["down 0", "up 0"], Request("blue"))


def test_stop_does_not_wait_behind_a_request() -> None:
    assert run(hearing([Request("red"), Stop()])) == (["down 0"], Stop())


def test_a_request_after_the_last_safe_point_lets_the_skill_finish() -> None:
    pace = hearing([None, None, None, Request("red")])
    assert run(pace) == (["down 0", "up 0", "down 1", "up 1"], None)
    assert pace.waiting == Request("red")


def test_an_interruption_says_what_the_person_said() -> None:
    assert str(Interrupted(Stop("enough"))) == "enough"
    assert str(Interrupted(Request("the blue one"))) == "the blue one"


def test_listeners_hear_every_tick_also_the_one_that_interrupts() -> None:
    pace = hearing([None, Stop()])
    seen: list[int] = []
    pace.listeners.append(lambda: seen.append(pace.ticks))
    run(pace)
    assert seen == [1, 2]


def test_others_get_a_turn_at_the_first_tick_and_regularly_from_there() -> None:
    turns: list[str] = []

    async def person() -> None:
        for _ in range(3):
            turns.append("person")
            await asyncio.sleep(0)

    async def robot() -> None:
        for count in range(1, 2 * TURN_EVERY + 2):
            turns.append(f"robot {count}")
            await tick()

    async def both() -> None:
        with pacing(Pace()):
            await asyncio.gather(robot(), person())

    asyncio.run(both())
    before = [turns[at - 1] for at, turn in enumerate(turns) if turn == "person"]
    assert before == [f"robot {1 + count * TURN_EVERY}" for count in range(3)]
    assert "at the first tick, every TURN_EVERY ticks from there" in str(sys.modules[Pace.__module__].__doc__)


def test_a_thread_is_heard_at_the_very_next_tick() -> None:
    inbox, done = Inbox(), list[int]()

    async def robot() -> None:
        for count in range(1, 10):
            if count == 3:
                speaker = threading.Thread(target=inbox.say, args=(Stop("enough"),))
                speaker.start()
                speaker.join()
            await tick()
            done.append(count)

    with pytest.raises(Interrupted), pacing(Pace(hear=lambda: next(iter(inbox.heard()), None))):
        asyncio.run(robot())
    assert done == [1, 2]


def test_a_request_does_not_take_back_a_stop_that_a_skill_ignored() -> None:
    async def stubborn() -> None:
        with contextlib.suppress(Interrupted):
            await tick()
        with contextlib.suppress(Interrupted):
            await tick()
        await tick()

    with pytest.raises(Interrupted, match="enough"), pacing(hearing([Stop("enough"), Request("rather the cup")])):
        asyncio.run(stubborn())


def test_without_a_pace_ticks_pass_and_nothing_interrupts() -> None:
    done: list[str] = []
    asyncio.run(wipe(1, done))
    assert done == ["down 0", "up 0"]


def test_the_pace_before_is_back_after_the_block_even_when_it_failed() -> None:
    outer, inner = hearing([]), hearing([Stop()])
    with pacing(outer):
        with pytest.raises(Interrupted), pacing(inner):
            asyncio.run(tick())
        asyncio.run(tick())
    assert (outer.ticks, inner.ticks) == (1, 1)


def test_a_safe_point_reaches_skills_that_run_in_a_thread() -> None:
    async def act() -> None:
        await asyncio.to_thread(safe_point)

    with pacing(Pace(waiting=Request("the blue one"))), pytest.raises(Interrupted):
        asyncio.run(act())


def test_two_robots_keep_their_own_pace() -> None:
    paces = [Pace(), Pace()]

    async def act(pace: Pace, times: int) -> None:
        with pacing(pace):
            for _ in range(times):
                await tick()

    async def both() -> None:
        await asyncio.gather(act(paces[0], 3), act(paces[1], 1))

    asyncio.run(both())
    assert [pace.ticks for pace in paces] == [3, 1]


# Real time ------------------------------------------------------------------------------------------------------------


def test_a_simulation_waits_for_real_time_and_thinking_is_not_made_up_for() -> None:
    world, wall = ManualClock(), ManualClock()
    real = RealTime(world, speed=2.0, wall=wall)

    async def play() -> list[float]:
        seen = []
        for simulated, thought in ((1.0, 0.0), (1.0, 0.0), (1.0, 7.0), (1.0, 0.0)):
            world.seconds += simulated
            wall.seconds += thought
            await real.keep_up()
            seen.append(wall.seconds)
        return seen

    assert asyncio.run(play()) == [0.5, 1.0, 8.0, 8.5]


def test_what_keeps_time_is_awaited_at_every_tick() -> None:
    waits = []

    async def wait() -> None:
        waits.append(pace.ticks)

    pace = Pace(wait=wait)

    async def play() -> None:
        for _ in range(3):
            await pace.tick()

    asyncio.run(play())
    assert waits == [1, 2, 3]
