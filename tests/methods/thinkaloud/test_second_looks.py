"""Looking again before believing: how often that is right, what it says of itself, and what comes of it."""

from __future__ import annotations

import asyncio
import math
import random
from typing import Any

import pytest

from thinkaloud import Agent, Scripted
from thinkaloud.methods.thinkaloud.detector_error_rates import JudgingRates, SeeingRates
from thinkaloud.methods.thinkaloud.second_looks import SecondLooks, looked_at_again
from thinkaloud.monologue import Event
from thinkaloud.records import Condition, End, Started, Verdict
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.faulty_detectors import FaultyDetectors
from toyworld import THINGS, ToyWorld

OURS = "thinkaloud:confirm=never"
WANTED = {"ball": "shelf", "cup": "bin", "box": "shelf"}
PROGRAM = "\n".join(f'move("{thing}", "{place}")' for thing, place in WANTED.items())
EPISODES = 25


def lying(rate: float, **more: float) -> Disturbance:
    return Disturbance(false_yes=rate, false_no=rate, **more)


def tried(inner: ToyWorld, world: FaultyDetectors, *, works: bool) -> Condition:
    """What a step was to bring about that has been tried, and worked or did not."""
    inner.slips = 0 if works else 1
    inner.where["ball"] = "bin"
    asyncio.run(world.skills["move"].run({"thing": "ball", "place": "shelf"}))
    return Condition("at", {"thing": "ball", "place": "shelf"}, "")


def believed(by: Disturbance, *, works: bool, count: int = 150) -> float:
    """How often it is believed that a step worked, by robots that know nothing of their detectors yet."""
    yes = 0
    for seed in range(count):
        inner = ToyWorld()
        world = FaultyDetectors(inner, by)
        world.reset(seed)
        on = tried(inner, world, works=works)
        yes += SecondLooks(world).holds(on)
    return yes / count


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rate", [0.1, 0.2, 0.3])
def test_what_is_looked_at_again_is_nearly_always_right(rate: float) -> None:
    assert believed(lying(rate), works=True) > 0.98
    assert believed(lying(rate), works=False) < 0.02


def test_how_often_detectors_err_is_not_looked_up() -> None:
    inner, other = ToyWorld(), ToyWorld()
    world, boasting = FaultyDetectors(inner, lying(0.3)), FaultyDetectors(other, lying(0.3))
    for each in (world, boasting):
        each.reset(7)
    on = tried(inner, world, works=False)
    tried(other, boasting, works=False)
    doubting, taken_in = SecondLooks(world), SecondLooks(Boasting(boasting))
    assert doubting.holds(on) == taken_in.holds(on)
    assert doubting.tell_doubt([on]) == taken_in.tell_doubt([on]) != ""


class Boasting:
    """A world whose detectors err far more often than it says."""

    def __init__(self, world: FaultyDetectors) -> None:
        self._world, self.error_rates = world, lying(0.001)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)


def test_a_robot_finds_out_how_good_its_detector_is_and_then_looks_as_often_as_it_has_to() -> None:
    looks = dict[float, tuple[int, int]]()
    for rate in (0.05, 0.3):
        inner = ToyWorld()
        world = FaultyDetectors(inner, lying(rate))
        world.reset(1)
        doubting, taken = SecondLooks(world), list[int]()
        for number in range(60):
            on = tried(inner, doubting, works=bool(number % 2))  # type: ignore[arg-type]
            before = world.looks
            doubting.holds(on)
            taken.append(world.looks - before)
        looks[rate] = sum(taken[:10]), sum(taken[-10:])
        rates = doubting._judging
        assert rates.false_yes == pytest.approx(rate, abs=0.08) and rates.false_no == pytest.approx(rate, abs=0.08)
    assert looks[0.05][1] < looks[0.05][0]
    assert looks[0.05][1] < looks[0.3][1]


def test_before_anything_was_seen_a_detector_may_be_nearly_anything() -> None:
    rates = JudgingRates()
    assert rates.odds(0, 0) == 0 and rates.odds(3, 1) == -rates.odds(1, 3) > 0
    assert rates.odds(4, 0) < math.log(199) < rates.odds(6, 0)
    rates.learn(0, 0)
    assert rates.false_yes == pytest.approx(JudgingRates().false_yes)


def test_a_stubborn_detector_cannot_be_seen_through() -> None:
    assert 0.1 < believed(lying(0.2, stubborn=1.0), works=False) < 0.3


def test_where_nothing_errs_the_world_is_taken_as_it_is() -> None:
    plain = ToyWorld()
    assert looked_at_again(plain) is plain
    exact = FaultyDetectors(ToyWorld(), Disturbance())
    assert looked_at_again(exact) is exact


def test_who_has_seen_it_differently_says_so() -> None:
    world = FaultyDetectors(ToyWorld(), lying(0.3))
    world.reset(1)
    asyncio.run(world.skills["move"].run({"thing": "ball", "place": "shelf"}))
    doubting, on = SecondLooks(world), world.relations["at"].condition({"thing": "ball", "place": "shelf"})
    assert doubting.holds(on)
    before = world.looks
    assert doubting.holds(on) and world.looks == before  # nothing moved: no need to look again
    said = doubting.tell_doubt([on])
    assert said.startswith("so in ") and said.endswith(" looks")
    assert doubting.holds(Condition("not at", on.arguments, "")) is False


def test_things_that_are_missed_and_ghosts_are_sorted_out() -> None:
    wrong = 0
    for seed in range(60):
        world = FaultyDetectors(ToyWorld(), Disturbance(missed=0.2, ghosts=0.15, misnamed=0.05))
        world.reset(seed)
        scene = SecondLooks(world).observe()
        wrong += {*scene.objects} != {*THINGS} or {*scene.vocabulary["object"]} != {*THINGS}
    assert wrong <= 3


def test_what_is_rarely_seen_is_told_from_what_is_there_by_how_often_things_are_seen() -> None:
    poor, good = SeeingRates(15), SeeingRates(15)
    for _ in range(5):
        poor.learn([9, 8, 10, 9, 1, 2])
        good.learn([15, 15, 15, 14, 1, 5])
    assert poor.there == pytest.approx(0.6, abs=0.06) and poor.ghost == pytest.approx(0.1, abs=0.05)
    assert poor.enough < good.enough
    assert 2 / 15 < poor.enough < 8 / 15 and 5 / 15 < good.enough < 14 / 15


# A whole mind ---------------------------------------------------------------------------------------------------------


def play(preset: str, rate: float, seed: int) -> tuple[bool, End, list[Verdict]]:
    """Three things are moved by a hand that lets every third of them slip."""
    inner, chance = ToyWorld(), random.Random(seed)
    world = FaultyDetectors(inner, lying(rate))
    world.reset(seed)

    def slip(event: Event) -> None:
        if isinstance(event.record, Started):
            inner.slips = int(chance.random() < 0.33)

    model = Scripted(lambda prompt: PROGRAM, scores=lambda prompt, option: -0.1)
    agent = Agent(world, model, preset, listeners=[slip])
    end = asyncio.run(agent.run("Tidy up."))
    return inner.where == WANTED, end, agent.monologue.since(None, Verdict)


def test_with_one_lie_in_five_it_keeps_its_success_and_without_second_looks_it_does_not() -> None:
    exact = sum(play(OURS, 0.0, seed)[0] for seed in range(EPISODES))
    again = sum(play(OURS, 0.2, seed)[0] for seed in range(EPISODES))
    at_once = sum(play(f"{OURS};again=off", 0.2, seed)[0] for seed in range(EPISODES))
    assert again >= 0.9 * exact
    assert at_once < again


def test_verdicts_and_the_ending_carry_their_doubt_in_words() -> None:
    told = [play(OURS, 0.3, seed) for seed in range(4)]
    doubts = {verdict.doubt for _, _, verdicts in told for verdict in verdicts}
    assert any(doubt.startswith("so in ") for doubt in doubts)
    assert any("looks)" in end.because for _, end, _ in told)
    plain = play(f"{OURS};again=off", 0.2, 1)
    assert {verdict.doubt for verdict in plain[2]} == {"one in 5 such readings is wrong"}
    assert {verdict.doubt for verdict in play(OURS, 0.0, 1)[2]} == {""}
