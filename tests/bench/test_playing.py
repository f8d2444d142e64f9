"""The one player of episodes: presets and experts in the same loop, one request or a talk, and what is judged."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from thinkaloud.loop import Mind
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Begin, Decision, Done, End, Outcome, Plan, Request
from thinkaloud_bench import Item
from thinkaloud_bench.contract import CEILING
from thinkaloud_bench.playing import SAME_LOOP, Judged, Plays, Robot, Setup, changed_preset, expert_in, play_episode
from toyworld import ToyWorld

PUT = "Put the ball on the shelf."


def toy(request: str = PUT, **more: Any) -> Setup:
    """A ball that belongs on the shelf."""
    world = ToyWorld()

    def expert(said: Monologue) -> Decision:
        if world.where["ball"] == "shelf":
            return Done("it is there")
        return Plan("", (), (world.skills["move"].step({"thing": "ball", "place": "shelf"}),))

    own: dict[str, Any] = {"judge": lambda *_: Judged(world.where["ball"] == "shelf")}
    return Setup(world, request, **own | {"expert": expert_in(SAME_LOOP, expert)} | more)


def set_up(item: Item) -> Setup:
    return toy()


def played(setup: Setup, preset: str = CEILING, answers: Sequence[str] = ()) -> Any:
    return asyncio.run(play_episode(Item(preset, "toy", 0, 3), lambda: Scripted(answers), setup))


def test_an_expert_plays_in_the_loop_of_a_preset_and_needs_no_model() -> None:
    found = played(toy())
    assert (found.success, found.steps, found.calls, found.model) == (True, 1, 0, CEILING)
    assert (found.request, found.result) == (PUT, "unconfirmed")


def test_a_preset_plays_with_the_model_that_is_given() -> None:
    found = played(toy(), SAME_LOOP, [" Move the ball to the shelf.", " Done."])
    assert (found.success, found.steps, found.calls, found.model) == (True, 1, 2, "scripted")


def test_what_a_preset_does_not_begin_with_is_declined_and_an_expert_is_not_refused() -> None:
    setup = toy("  ")  # nothing that could be planned for
    assert played(setup, SAME_LOOP).result == "declined"
    assert played(setup).success


@pytest.mark.parametrize(
    ("judged", "result", "because"),
    [
        (Judged(False), "unconfirmed", "the planner says it is done (it is there), but no check confirmed it"),
        (Judged(False, "too late"), "unconfirmed", "too late"),
        (Judged(True, "", "right", 7, {"n": 1.0}, [{"a": 1}]), "right", ""),
    ],
)
def test_what_the_judge_does_not_say_is_as_the_robot_has_it(judged: Judged, result: str, because: str) -> None:
    found = played(toy(judge=lambda *_: judged))
    assert (found.success, found.result) == (judged.success, result)
    assert found.because.startswith(because) and bool(found.because) == bool(because)
    assert found.steps == (1 if judged.steps is None else judged.steps)
    assert (found.scores, found.details) == (judged.scores, [*judged.details])


def test_more_than_one_thing_can_be_asked_for() -> None:
    heard = list[str]()

    async def talk(robot: Robot) -> End:
        await robot.ask(PUT)
        return await robot.ask("And now the cup.")

    def judge(said: Monologue, end: End) -> Judged:
        heard.extend(each.text for each in said.since(None, Request))
        return Judged(end.result == "unconfirmed")

    assert played(toy(talk=talk, judge=judge)).success
    assert heard == [PUT, "And now the cup."]


def test_a_setup_may_change_the_mind_of_whoever_plays() -> None:
    def without_checks(mind: Mind) -> Mind:
        return replace(mind, verify=None)

    def judge(said: Monologue, end: End) -> Judged:
        begin = said.last(Begin)
        assert begin is not None and begin.preset.startswith("inner_monologue:")
        return Judged(not [event for event in said if type(event.record).__name__ == "Verdict"])

    assert played(toy(change=without_checks, judge=judge)).success
    assert changed_preset(SAME_LOOP, without_checks).defaults()["feedback"] == "object+success"


def test_a_listener_hears_everything() -> None:
    heard = list[type[object]]()
    played(toy(listeners=[lambda event: heard.append(type(event.record))]))
    assert {Request, Outcome, End} <= {*heard}


def test_how_a_benchmark_is_played_travels_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(Plays(set_up))) == Plays(set_up)
    assert asyncio.run(Plays(set_up)(Item(CEILING, "toy", 0, 0), lambda: Scripted())).success
