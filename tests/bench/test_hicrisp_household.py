"""The ten requests of Table I: homes arranged for them, an expert that fulfils them, a witness that sees it."""

from __future__ import annotations

import asyncio
from functools import cache

import pytest

from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import Decline, Outcome, Plan, Step
from thinkaloud_bench import BENCHES
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.hicrisp.household import HOME_TASKS
from thinkaloud_bench.hicrisp.household_expert import HouseholdExpert
from thinkaloud_bench.hicrisp.household_goals import (
    Did,
    Ends,
    HomeGoal,
    Once,
    Witness,
    any_of,
    both,
    find_kind,
    is_true,
)
from thinkaloud_worlds.household import Household, draw_home

pytest.importorskip("virtualhome_eval")
SEEDS = (0, 1)


@cache
def expertly(task: str, seed: int) -> Played:
    return asyncio.run(BENCHES["hicrisp"].play(Item(CEILING, task, 0, seed), lambda: Scripted()))


def do(world: Household, witness: Witness, skill: str, *things: str) -> None:
    """One step, and the witness sees it."""
    given = world.skills[skill].signature.parameters
    step = world.skills[skill].step(dict(zip((p.name for p in given), things, strict=True)))
    asyncio.run(world.skills[skill].run(step.arguments))
    witness(Event(0, 0.0, Outcome(step, "completed")))


def begun(task: str, seed: int = 0) -> tuple[Household, HomeGoal, Witness]:
    world, goal = HOME_TASKS[task].set_up(seed)
    return world, goal, Witness(world, goal)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("task", HOME_TASKS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_expert_fulfils_every_request(task: str, seed: int) -> None:
    played = expertly(task, seed)
    assert played.success, (played.because, played.details)
    assert played.scores["recall"] == played.scores["success"] == 1
    assert played.scores["executed"] == played.scores["planned"] == played.steps
    assert 2 <= played.steps <= 14
    assert played.details[0]["missing"] == []


@pytest.mark.parametrize("task", HOME_TASKS)
def test_nothing_is_done_at_first(task: str) -> None:
    _, goal, witness = begun(task)
    assert (witness.recall, witness.met) == (0, False)
    assert len(witness.missing) == len(goal.wanted)


def test_the_seed_says_what_the_home_is_like() -> None:
    one, again, other = (HOME_TASKS["throw_apple"].set_up(seed)[0] for seed in (5, 5, 6))
    assert one.home == again.home
    assert one.home != other.home
    assert one.snapshot() == again.snapshot()
    assert expertly("throw_apple", 1).details == expertly.__wrapped__("throw_apple", 1).details


def test_some_homes_hide_things_in_what_is_closed() -> None:
    scripts = [line for seed in range(5) for line in expertly("make_toast", seed).details[0]["script"]]
    assert any(line.startswith("[OPEN]") for line in scripts)


def test_a_fridge_that_is_left_open_is_no_success_although_all_that_was_wanted_is_done() -> None:
    world, _, witness = begun("salmon_fridge")
    for line in expertly("salmon_fridge", 0).details[0]["script"][:-1]:
        name, arguments = world.step_of(line)
        do(world, witness, name, *arguments.values())
    assert (witness.recall, witness.met) == (1, False)
    assert witness.missing == ["The fridge is closed."]
    do(world, witness, "close", "fridge")
    assert witness.met


def test_to_eat_the_chips_somewhere_else_is_half_of_it_at_most() -> None:
    world, _, witness = begun("eat_chips")
    expert = expertly("eat_chips", 0).details[0]["script"]
    chips = next(line for line in expert if line.startswith("[EAT]"))
    for line in expert[: expert.index("[SIT] <couch> (352)") - 1]:
        name, arguments = world.step_of(line)
        do(world, witness, name, *arguments.values())
    do(world, witness, "eat", world.step_of(chips)[1]["thing"])
    assert witness.recall == 0
    do(world, witness, "find", "sofa")
    do(world, witness, "sit", "sofa")
    assert (witness.recall, witness.met) == (0.5, False)
    assert witness.missing == ["Eat the chips. The robot sits on the sofa."]
    do(world, witness, "eat", "chips")
    assert witness.met


def test_a_plate_is_not_washed_without_water() -> None:
    world, _, witness = begun("wash_plate")
    do(world, witness, "find", "plate")
    do(world, witness, "wash", "plate")
    assert is_true(world, ("clean", "plate"))
    assert (witness.recall, witness.met) == (0.5, False)


def fetch(world: Household, witness: Witness, thing: str) -> None:
    """Take a thing, also out of what is closed."""
    do(world, witness, "find", thing)
    if (box := world.state.box_of(world.ids[thing])) is not None:
        do(world, witness, "open", world.names[box])
    do(world, witness, "grab", thing)


def test_to_wash_one_plate_while_another_is_under_the_water_does_not_count() -> None:
    wet, dry = "plate", "plate 2"
    seed = next(seed for seed in range(50) if dry in begun("wash_plate", seed)[0].ids)
    world, goal, witness = begun("wash_plate", seed)
    fetch(world, witness, dry)
    fetch(world, witness, wet)
    do(world, witness, "find", "faucet")
    do(world, witness, "drop", dry)
    do(world, witness, "switch_on", "faucet")
    assert world.holding(wet) and not world.holding(dry)
    do(world, witness, "wash", dry)
    assert not witness.saw(goal.wanted[0])
    do(world, witness, "wash", wet)
    assert witness.saw(goal.wanted[0])


def test_what_was_over_before_the_end_counts() -> None:
    world, _, witness = begun("microwave_salmon")
    for line in expertly("microwave_salmon", 0).details[0]["script"]:
        name, arguments = world.step_of(line)
        do(world, witness, name, *arguments.values())
    do(world, witness, "switch_off", "microwave")
    do(world, witness, "open", "microwave")
    do(world, witness, "grab", "salmon")
    assert witness.met


def test_only_the_light_that_is_on_counts() -> None:
    world, goal, witness = begun("light_off", 3)
    (want,) = goal.wanted
    (((_, light),),) = want.choices
    assert [name for name in find_kind(world.ids, "light") if is_true(world, ("switched_on", name))] == [light]
    assert world.state.room_of(world.ids[light]) == world.state.room_of(world.state.character)
    do(world, witness, "find", light)
    do(world, witness, "switch_off", light)
    assert witness.met


def test_a_step_that_was_passed_over_was_not_carried_out() -> None:
    world, _, witness = begun("watch_tv")
    do(world, witness, "find", "tv")
    do(world, witness, "switch_on", "tv")
    passed_over = Step("watch", {"thing": "tv"}, "Watch the tv.")
    witness(Event(0, 0.0, Outcome(passed_over, "completed")))
    assert witness.recall == 0.5
    witness(Event(0, 0.0, Outcome(passed_over, "failed")))
    do(world, witness, "turn_to", "tv")
    do(world, witness, "watch", "tv")
    assert witness.met


def test_a_goal_that_is_met_already_is_refused() -> None:
    world = Household(draw_home(1).with_states({"tv": "ON"}))
    with pytest.raises(BadInput, match="already holds at the start: The tv is switched on"):
        Witness(world, HomeGoal((Ends(any_of(["switched_on"], ["tv"])),)))
    with pytest.raises(BadInput, match="at least one part"):
        HomeGoal(())


def test_names_of_a_kind() -> None:
    ids = {"chair": 3, "chair 2": 5, "chair 10": 4, "armchair": 1, "chair leg": 2}
    assert find_kind(ids, "chair") == ("chair", "chair 10", "chair 2")
    with pytest.raises(BadInput, match="There is no stool in this home"):
        find_kind(ids, "stool")


def test_choices_are_put_together() -> None:
    assert any_of(["on_top", "inside"], ["a"], ["b", "c"]) == (
        (("on_top", "a", "b"),),
        (("on_top", "a", "c"),),
        (("inside", "a", "b"),),
        (("inside", "a", "c"),),
    )
    assert both(((("x",),),), ((("y",),), (("z",),))) == ((("x",), ("y",)), (("x",), ("z",)))


def test_the_expert_tries_another_way_after_a_failure() -> None:
    world = Household(draw_home(2))
    benches = find_kind(world.ids, "bench")
    goal = HomeGoal((Once(any_of(["sitting_on"], benches[:2])),))
    expert = HouseholdExpert(world, goal, Witness(world, goal))
    monologue = Monologue(world.clock)
    first = expert(monologue)
    assert isinstance(first, Plan)
    monologue.append(Outcome(first.steps[0], "failed", "There are too many things on it."))
    second = expert(monologue)
    assert isinstance(second, Plan)
    assert (first.steps[0].arguments, second.steps[0].arguments) == ({"thing": "bench"}, {"thing": "bench 2"})


def test_an_expert_with_nothing_left_to_do_declines() -> None:
    world, goal, witness = begun("light_off")
    expert = HouseholdExpert(world, goal, witness)
    witness._goal = HomeGoal((Did(("watch",), ("tv",), ((),)),))
    do(world, witness, "find", expert.goal.wanted[0].choices[0][0][1])
    do(world, witness, "switch_off", expert.goal.wanted[0].choices[0][0][1])
    assert isinstance(expert(Monologue(world.clock)), Decline)


def test_a_model_that_does_the_first_half_is_scored_so() -> None:
    """The agent of a preset, with a model that says its steps one after another."""
    model = Scripted([" Find the tv.", " Switch on the tv.", " Done."])
    played = asyncio.run(
        BENCHES["hicrisp"].play(Item("inner_monologue:feedback=object", "watch_tv", 0, 8), lambda: model)
    )
    assert not played.success
    assert (played.steps, played.scores["recall"]) == (2, 0.5)
    assert played.details[0]["missing"] == ["Watch the tv. The tv is switched on."]
    assert played.model == model.name
