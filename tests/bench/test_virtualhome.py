"""VirtualHome's programs as a benchmark: what is read, what counts, and that the programs reach their goals."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from thinkaloud.errors import BadInput, SkillError, UnknownName
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Done, Plan, Started
from thinkaloud.settings import Settings
from thinkaloud_bench import BENCHES, run_bench
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.running import items_of
from thinkaloud_bench.virtualhome.instances import (
    Acted,
    IsNear,
    goal_of_instance,
    ids_of,
    instance_of,
    order_actions,
    read_program,
)
from thinkaloud_bench.virtualhome.setups import ProgramExpert
from thinkaloud_bench.virtualhome.titles import COUNTS, TITLES, title_slug
from thinkaloud_worlds.household import Goal, Household

pytest.importorskip("virtualhome_eval")
BENCH = BENCHES["virtualhome"]


def gold(title: str, index: int) -> Played:
    return asyncio.run(BENCH.play(Item(CEILING, title_slug(title), index, 0), lambda: Scripted()))


def carried_out(world: Household, program: tuple[str, ...]) -> list[str]:
    """Carry a program out; why some of its lines could not be."""

    async def all_of_it() -> list[str]:
        failed = []
        for line in program:
            skill, arguments = world.step_of(line)
            try:
                await world.skills[skill].run(arguments)
            except SkillError as error:
                failed.append(str(error))
        return failed

    return asyncio.run(all_of_it())


def test_the_titles_and_their_numbers_are_those_of_the_package() -> None:
    assert {title: len(ids_of(title)) for title in COUNTS} == COUNTS
    assert sum(COUNTS.values()) == 338
    assert len(COUNTS) == len(TITLES) == 26


def test_all_instances_are_played_unless_somebody_says_how_many() -> None:
    assert len(items_of(BENCH, [CEILING], None, None, 0)) == 338
    assert len(items_of(BENCH, [CEILING], None, 2, 0)) == 51
    assert len(items_of(BENCH, [CEILING], ["get_some_water"], 50, 0)) == 1


def test_an_instance_is_what_people_wrote() -> None:
    instance = instance_of("Wash clothes", 0)
    assert instance.id == "27_2"
    assert instance.request.startswith("Wash clothes. Walk to the kitchen and find the basket of clothes.")
    assert instance.program[0] == "[WALK] <dining_room> (1.201)"
    assert Goal(1001, "CLOSED") in instance.goal.conditions
    assert Goal(1003, "ON", 1001) in instance.goal.conditions
    assert len(instance.goal.conditions) == 5


def test_an_instance_that_is_not_there_is_told() -> None:
    with pytest.raises(BadInput, match="'Wash clothes' has 4 instances; there is no number 4"):
        instance_of("Wash clothes", 4)
    with pytest.raises(UnknownName, match="Wash cloths"):
        instance_of("Wash cloths", 0)


def test_what_is_no_program_is_told_with_its_line() -> None:
    assert read_program("Eat\n Eat  it.\n\n\n[EAT] <food_apple> (1.7)\n[STANDUP]\n") == (
        "Eat",
        "Eat it.",
        ("[EAT] <food_apple> (1.7)", "[STANDUP]"),
    )
    with pytest.raises(BadInput, match=r"mine:2: '\[EAT\] apple' is no step"):
        read_program("Eat\n[EAT] apple", "mine")
    with pytest.raises(BadInput, match="mine:3: 'and then' stands between the steps"):
        read_program("Eat\n[STANDUP]\nand then\n[STANDUP]", "mine")
    with pytest.raises(BadInput, match="has no title"):
        read_program("[STANDUP]")


def test_a_goal_without_conditions_is_none() -> None:
    with pytest.raises(BadInput, match="at least one condition"):
        goal_of_instance({"goal": [], "actions": []}, 65)


def test_either_hand_will_do_and_the_same_condition_counts_once() -> None:
    held = {"from_id": 65, "relation_type": "HOLDS_LH", "to_id": 7}
    other = {"from_id": 65, "relation_type": "HOLDS_RH", "to_id": 7}
    assert goal_of_instance({"goal": [held, other], "actions": []}, 65).conditions == (Goal(65, "HOLDS", 7),)


@pytest.mark.parametrize(
    "wanted, done, right",
    [
        ((("TYPE",),), ["FIND", "TYPE"], True),
        ((("READ", "LOOKAT"),), ["LOOKAT"], True),
        ((("TYPE",), ("SWITCHOFF",)), ["TYPE", "FIND", "SWITCHOFF"], True),
        ((("TYPE",), ("SWITCHOFF",)), ["SWITCHOFF", "TYPE"], False),
        ((("WASH",), ("WASH",)), ["WASH"], False),
        ((("LOOKAT",),), ["LOOK", "AT"], False),
    ],
)
def test_actions_have_to_come_in_their_order(wanted: tuple[tuple[str, ...], ...], done: list[str], right: bool) -> None:
    assert order_actions(wanted, done) is right


def test_to_be_close_is_what_the_actions_take_for_close() -> None:
    """Who sits down beside the cat need not walk up to it once more."""
    instance = instance_of("Pet cat", ids_of("Pet cat").index("292_1"))
    assert IsNear(1000, "CLOSE") in instance.goal.conditions
    world = Household(instance.home)
    assert carried_out(world, tuple(line for line in instance.program if "[FIND] <cat>" not in line)) == []
    assert not world.state.related(world.state.character, "CLOSE", 1000)
    assert instance.goal.unmet(world) == ()
    assert IsNear(1000, "CLOSE").words(instance.home) == "The robot is close to the cat."
    assert IsNear(1000, "FACING").holds(world) is False


def test_each_action_of_a_goal_counts_by_itself() -> None:
    first, second = goal_of_instance({"goal": [], "actions": ["TYPE", "SWITCHOFF"]}, 65).conditions
    assert first == Acted((("TYPE",),))
    assert second.words() == "SWITCHOFF was carried out after TYPE."


@pytest.mark.sampled(3)
@pytest.mark.parametrize("title", list(COUNTS))
def test_people_reach_their_goals_and_not_before(title: str) -> None:
    instance = instance_of(title, 0)
    world = Household(instance.home)
    vocabulary = world.observe().vocabulary
    for line in instance.program:
        skill, arguments = world.step_of(line)
        world.skills[skill].signature.check(arguments, vocabulary)
    instance.goal.check(world)
    assert instance.goal.recall(world) < 1
    assert carried_out(world, instance.program) == []
    assert instance.goal.unmet(world) == ()


def test_a_part_of_a_program_reaches_a_part_of_the_goal() -> None:
    instance = instance_of("Wash clothes", 0)
    world = Household(instance.home)
    carried_out(world, instance.program[:9])
    assert instance.goal.recall(world) == 0.4  # plugged in as before, and the soap
    assert "The jacket is on the washing machine." in [each.words(world.home) for each in instance.goal.unmet(world)]


def test_the_ceiling_plays_the_program_in_the_loop() -> None:
    played = gold("Wash clothes", 0)
    assert (played.success, played.steps, played.model) == (True, 14, CEILING)
    assert played.scores["recall"] == 1
    assert (played.scores["executed"], played.scores["planned"]) == (14, 14)
    assert played.details[0]["id"] == "27_2"
    assert played.details[0]["script"][-1] == "[SWITCHON] <washing_machine> (1001)"
    assert played.request.startswith("Wash clothes. ")


def test_a_line_that_fails_is_passed_over() -> None:
    played = gold("Drink", ids_of("Drink").index("688_1"))
    assert played.success
    assert played.scores["attempts"] - played.scores["completed"] == 1
    assert "already grabbed" in played.details[0]["errors"][0]


def test_who_stands_up_is_no_longer_on_it() -> None:
    played = gold("Go to toilet", ids_of("Go to toilet").index("430_2"))
    assert not played.success
    assert played.details[0]["missing"] == ["The robot is on the toilet."]
    assert played.scores["recall"] == 0


def test_the_program_is_at_its_end() -> None:
    instance = instance_of("Pet cat", 0)
    world = Household(instance.home)
    monologue, decide = Monologue(world.clock), ProgramExpert(world, instance)
    for _ in instance.program:
        plan = decide(monologue)
        assert isinstance(plan, Plan)
        monologue.append(Started(plan.steps[0]))
    assert isinstance(decide(monologue), Done)


def test_what_holds_from_the_start_is_no_merit_but_has_to_hold_in_the_end() -> None:
    """Everything is in the washing machine, but it is open and off."""
    instance = instance_of("Wash clothes", 0)
    program = iter(instance.program[:12])
    world = Household(instance.home)
    says = Scripted(lambda prompt: f" {_words(world, line)}" if (line := next(program, "")) else " Done.")
    played = asyncio.run(BENCH.play(Item("inner_monologue:feedback=object", "wash_clothes", 0, 0), lambda: says))
    assert played.steps == 12
    assert not played.success
    assert played.details[0]["missing"] == ["The washing machine is closed.", "The washing machine is switched on."]
    assert played.scores["recall"] == pytest.approx(2 / 3)
    idle = asyncio.run(
        BENCH.play(Item("inner_monologue:feedback=object", "wash_clothes", 0, 0), lambda: Scripted([" Done."]))
    )
    assert (idle.success, idle.scores["recall"]) == (False, 0)


def _words(world: Household, line: str) -> str:
    skill, arguments = world.step_of(line)
    return world.skills[skill].step(arguments).words


def test_the_seed_changes_nothing_about_an_instance() -> None:
    one, other = (asyncio.run(BENCH.play(Item(CEILING, "pet_cat", 1, seed), lambda: Scripted())) for seed in (1, 2))
    assert (one.details, one.scores) == (other.details, other.scores)


def test_the_bench_travels_to_worker_processes_and_makes_its_rows(tmp_path: Path) -> None:
    assert pickle.loads(pickle.dumps(BENCH)).play == BENCH.play
    report = run_bench(
        "virtualhome",
        presets=[CEILING],
        model="embedded",
        episodes=1,
        seed=0,
        jobs=1,
        episodes_file=None,
        out=tmp_path,
        settings=Settings(home=tmp_path),
        progress=lambda done, total, what: None,
        tasks=["go_to_toilet", "wash_clothes"],
    )
    assert report.complete
    found = {(row.task, row.metric): row.value for row in report.rows}
    assert found["wash_clothes", "success"] == found["mean", "recall"] == found["mean", "exec"] == 1
    assert ("mean", "tokens") not in found
    assert "empty goal" in report.notes[0]


def test_nothing_of_the_package_is_loaded_before_an_episode() -> None:
    code = "import sys, thinkaloud_bench; sys.exit(any(name.startswith('virtualhome_eval') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
