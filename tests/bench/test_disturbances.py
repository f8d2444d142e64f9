"""Something goes wrong while the robot works: that it does, at the same point for everybody, and how it is judged."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from thinkaloud.errors import UnknownName
from thinkaloud.loop import Mind
from thinkaloud.models import Model, ModelSettings, Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Done, End, Outcome, Plan, Step
from thinkaloud.settings import Settings
from thinkaloud.worlds.faulty_detectors import FaultyDetectors
from thinkaloud_bench import BENCHES, run_bench
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.disturbances import BENCH
from thinkaloud_bench.disturbances.setups import DISTURBED_TASKS, RATE, set_up_disturbed
from thinkaloud_bench.playing import SAME_LOOP, Judged, changed_preset, expert_in, play_episode
from thinkaloud_bench.variants import PARTS, play_variant, split_variant, without

SEED = 1000


@cache
def expertly(task: str, seed: int = SEED) -> Played:
    return asyncio.run(BENCH.play(Item(CEILING, task, 0, seed), lambda: Scripted()))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("task", DISTURBED_TASKS)
def test_whoever_looks_and_knows_gets_through_it(task: str) -> None:
    played = [expertly(task, SEED + n) for n in range(2)]
    assert any(each.success for each in played), [(each.result, each.because) for each in played]
    assert not any(each.scores["silent"] for each in played)


@pytest.mark.parametrize("task", ["moved", "dropped", "changed"])
def test_it_takes_more_steps_than_without_trouble(task: str) -> None:
    assert expertly(task).steps > len(set_up_disturbed(Item(CEILING, task, 0, SEED)).request.split(" and ")) - 1


def blindly(task: str, *, end: Decision) -> Played:
    """Each block that is asked for is placed once, without looking, and that is that."""
    item = Item(CEILING, task, 0, SEED)
    setup, calm = set_up_disturbed(item), set_up_disturbed(replace(item, task="none"))
    steps: list[Step] = []

    def remembered(said: Monologue, finished: End) -> Judged:
        steps.extend(outcome.step for outcome in said.since(None, Outcome))
        return calm.judge(said, finished)

    asyncio.run(play_episode(item, lambda: Scripted(), replace(calm, judge=remembered)))
    left: list[Decision] = [*(Plan("", (), (step,)) for step in steps), end]
    blind = expert_in("open_loop", lambda said: left.pop(0))
    return asyncio.run(play_episode(item, lambda: Scripted(), replace(setup, expert=blind)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("task", ["moved", "dropped"])
def test_who_does_not_look_and_says_done_errs_in_silence(task: str) -> None:
    assert blindly("none", end=Done("done")).success
    played = blindly(task, end=Done("done"))
    assert not played.success
    assert played.scores["silent"]
    assert not blindly(task, end=Done("no", "gave up")).scores["silent"]


def test_who_claims_to_have_placed_what_is_gone_errs_in_silence() -> None:
    honest = expertly("taken")
    assert (honest.success, honest.scores["told"]) == (True, 1.0)
    item = Item(CEILING, "taken", 0, SEED)
    setup = set_up_disturbed(item)
    preset = setup.expert
    assert not isinstance(preset, str)

    def lying(mind: Mind) -> Mind:
        class Lies:
            async def plan(self, monologue: Monologue) -> Decision:
                decision = await mind.plan.plan(monologue)
                return decision if isinstance(decision, Plan) else Done("all of it")

        return replace(mind, plan=Lies())

    lied = asyncio.run(play_episode(item, lambda: Scripted(), replace(setup, expert=changed_preset(preset, lying))))
    assert (lied.success, lied.scores["silent"]) == (False, 1.0)


# Detectors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("task", "rates"), [("verdicts", ("false_yes", "false_no")), ("objects", ("missed",))])
def test_detectors_err_one_time_in_five(task: str, rates: tuple[str, ...]) -> None:
    world = set_up_disturbed(Item(CEILING, task, 0, SEED)).world
    assert isinstance(world, FaultyDetectors)
    assert {name for name in rates if getattr(world.error_rates, name) == RATE} == {*rates}


# Parts left out -------------------------------------------------------------------------------------------------------


def test_a_column_may_lack_a_part() -> None:
    assert {"verify", "correct", "critique", "rehearse", "remember"} <= {*PARTS}
    assert split_variant(without("hicrisp", "correct")) == ("hicrisp", "correct")
    assert split_variant("hicrisp:depth=2") == ("hicrisp:depth=2", "")
    with pytest.raises(UnknownName):
        without("hicrisp", "hands")


def test_the_part_is_left_out_and_the_column_keeps_its_name() -> None:
    item = Item(CEILING, "dropped", 0, SEED)
    setup, built = set_up_disturbed(item), list[Mind]()

    def see(mind: Mind) -> Mind:
        built.append(mind)
        return mind

    played = asyncio.run(
        play_variant(replace(item, preset=without(CEILING, "verify")), lambda: Scripted(), replace(setup, change=see))
    )
    assert played.preset == "ceiling without verify"
    assert built[0].verify is None
    assert expert_in(SAME_LOOP, lambda said: Done("")).name == "inner_monologue"


def test_what_is_dropped_is_picked_up_again_by_a_preset_that_checks() -> None:
    """Whoever meddles reaches the table also where a preset extends the world."""
    item = Item("thinkaloud:confirm=never", "dropped", 0, SEED + 5)
    one, bowl, two, base = re.findall(r"the (\w+ \w+)", set_up_disturbed(item).request)
    program = f'pick_and_place("{one}", "{bowl}")\npick_and_place("{two}", "{base}")'
    model = Scripted(lambda prompt: program, scores=lambda prompt, option: -0.1)
    played = asyncio.run(BENCH.play(item, lambda: model))
    assert played.success
    assert played.steps == 3


def open_babbler(name: str, settings: ModelSettings) -> Model:
    return Scripted(lambda prompt: "la la", scores=lambda prompt, option: -1.0, name=name)


@pytest.mark.sampled(0)
def test_all_columns_can_be_played(tmp_path: Path) -> None:
    assert BENCHES.find("disturbances") is BENCH
    report = run_bench(
        BENCH,
        presets=None,
        model="babbler",
        episodes=1,
        seed=SEED,
        jobs=1,
        episodes_file=None,
        out=tmp_path,
        settings=Settings(home=tmp_path),
        progress=lambda *_: None,
        tasks=["taken"],
        open_model=open_babbler,
    )
    assert report.complete
    assert {row.metric for row in report.rows} >= {"success", "silent", "help_rate", "motions", "seconds"}
