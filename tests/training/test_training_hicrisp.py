"""HiCRISP's demonstrations: they vary, they are right when carried out, and nothing of the benchmark is in them."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from thinkaloud.methods.hicrisp.correction_examples import HOPELESS
from thinkaloud.methods.hicrisp.failure_history import cases
from thinkaloud.records import Step
from thinkaloud_bench.contract import Item
from thinkaloud_bench.hicrisp import BENCH
from thinkaloud_bench.hicrisp import household as bench
from thinkaloud_worlds.household import Household
from training.demonstrators.hicrisp import DEMONSTRATORS, HELD_OUT, course, table
from training.demonstrators.hicrisp.advice import Failed as Failure
from training.demonstrators.hicrisp.advice import Stuck, advice, answered
from training.demonstrators.hicrisp.catalogue import PROPERTIES, WORDS
from training.demonstrators.hicrisp.heldout import is_held_out
from training.demonstrators.hicrisp.homes import Wanted, home_of
from training.demonstrators.hicrisp.household import drawn_several, many, wishes
from training.demonstrators.hicrisp.mishaps import carried_out, corrections
from training.demonstrators.hicrisp.planning import Answers, Names, Unknown, plan_answers, planned, step_of
from training.heldout import violations
from training.samples import Demonstrator, Sample
from training.teacher import Asked, Teacher


def some(demonstrator: Demonstrator, count: int, seed: int = 11) -> list[Sample]:
    drawn = demonstrator.forever(np.random.default_rng(seed))
    return [next(drawn) for _ in range(count)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("demonstrator", DEMONSTRATORS, ids=lambda each: each.name)
def test_samples_are_drawn_and_vary_and_nothing_in_them_is_held_out(demonstrator: Demonstrator) -> None:
    samples = some(demonstrator, 25)
    assert len({sample.text for sample in samples}) >= 23
    for sample in samples:
        assert not violations(sample.text) and len(sample.text) < 6000, "1,500 tokens"
        assert all(answer.endswith("\n") for _, answer in sample.parts)
        assert not any(prompt.removesuffix("   ").endswith(" ") for prompt, _ in sample.parts), "but to indent"
        assert all(answer.startswith(" ") for _, answer in sample.parts)
    assert [sample.text for sample in some(demonstrator, 3)] == [sample.text for sample in samples[:3]]


def steps_in(world: Household, words: Sequence[str]) -> list[Step]:
    return [step_of(world, each) for each in Names(world).resolve(words)]


def test_what_is_demonstrated_can_be_done() -> None:
    """Carried out in the real simulator, with the same advice on failures, nearly every plan works to its last step."""
    rng, done, all_of_them = np.random.default_rng(3), 0, 0
    for _ in range(15):
        wanted, found = wishes(rng)
        home = home_of(wanted, others=6)
        for wish in found:
            world = Household(home)
            teacher = Teacher(answered, "test", check=False)
            try:
                said = asyncio.run(carried_out(world, wish.request, steps_in(world, wish.steps), teacher))
            except Unknown:
                continue
            except Stuck:
                all_of_them += 1
                continue
            all_of_them += 1
            done += all(case.fixed for case in cases(said))
    assert all_of_them > 30 and done / all_of_them > 0.95


def test_a_plan_at_the_table_reaches_what_was_asked_for() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        scene, (_, moves) = table._empties(rng)
        lying = dict(scene.lying)
        for block, target in moves:
            above = [other for other, below in lying.items() if below == block]
            assert not above, "what is covered is not picked"
            lying[block] = target
        inside = {bowl: [b for b in scene.blocks if lying.get(b) == bowl or lying.get(lying.get(b, "")) == bowl]
                  for bowl in scene.bowls}  # fmt: skip
        before = sum(not scene.inside(bowl) for bowl in scene.bowls)
        after = sum(not blocks for blocks in inside.values())
        assert after != before and abs(after - 1) <= abs(before - 1) + 1


@pytest.mark.parametrize(
    ("failed", "why", "first"),
    [
        ("Grab the cup.", "The robot is not close to the cup.", "Find the cup."),
        ("Find the cup.", "The robot is sitting.", "Stand up."),
        ("Grab the cup.", "The robot does not have a free hand: it holds the hat and the pen.", "Drop the hat."),
        ("Switch on the fan.", "The fan is unplugged.", "Plug in the fan."),
        ("Watch the screen.", "The robot does not face the screen.", "Turn to the screen."),
        ("Drive to the gate.", "A crate stands in the way at (1.0, 2.0), 0.8 m ahead.", "Drive to the gate."),
        ("Pick up the box.", "The hand closed on nothing where the box was seen.", "Locate the box."),
    ],
)
def test_advice_is_read_off_the_words_of_a_failure(failed: str, why: str, first: str) -> None:
    assert next(advice(Failure("", failed, why, ())))[1] == first


def test_what_a_thing_is_shut_away_in_is_read_off_what_is_seen() -> None:
    seen = ("The robot is close to the chest.", "The chest is closed.")
    failed = Failure("", "Grab the cup.", "The cup is inside another thing, which is closed.", seen)
    assert next(advice(failed)) == ("The chest is open.", "Open the chest.")
    assert not [*advice(replace(failed, seen=()))]


def test_what_nothing_helps_is_given_up() -> None:
    why = "There is no way to the gate: walls and shelves close it off."
    assert answered(Asked(f"Task: Go.\nFailed: Drive to the gate.\nWhy: {why}\nNeeded:")) == f" {HOPELESS}\n"
    with pytest.raises(Stuck):
        answered(Asked("Task: Go.\nFailed: Sing.\nWhy: The robot is hoarse.\nNeeded:"))


@pytest.mark.parametrize("task", bench.HOME_TASKS.values(), ids=lambda each: each.name)
def test_the_requests_of_the_benchmark_are_held_out(task: bench.HouseholdTask) -> None:
    assert is_held_out(f"{task.title}.") and is_held_out(task.title.lower())
    assert re.search(HELD_OUT[0], f"Task: {task.title}.\nThings:", re.IGNORECASE)


def test_every_category_has_words_and_properties() -> None:
    assert WORDS.keys() == PROPERTIES.keys() and sum(map(len, WORDS.values())) > 700


def test_a_perfect_plan_meets_a_request_of_the_benchmark_by_the_form_of_the_prompts() -> None:
    """The light in the robot's own room is the one that is meant, and no step of the plan is left undone."""
    steps, answers = ["Find the light.", "Switch off the light."], list[Answers]()

    def answer(asked: Asked) -> str:
        if not answers:
            answers.append(plan_answers(bench.HOME_TASKS["light_off"].set_up(1003)[0], steps))
        return answers[0](asked)

    teacher = Teacher(answer, "test")
    played = asyncio.run(BENCH.play(Item("hicrisp", "light_off", 0, 1003), lambda: teacher))
    assert played.success and played.scores["executed"] == played.scores["planned"] == 2
    text = teacher.samples[0].text
    assert "light 3" in text.partition("Also:")[0] and len(text) < 6000
    assert "2. Switch off the light 3. -> The light 3 is switched off." in text


def test_the_baseline_is_trained_as_much_as_the_planner() -> None:
    shares = {each.name: each.share for each in DEMONSTRATORS}
    for where in ("home", "table", "tours"):
        assert shares[f"hicrisp_{where}"] == shares[f"progprompt_{where}"]
    rng = np.random.default_rng(5)
    families = [sample.family for _ in range(60) for sample in course.boxes(rng)]
    assert 0.3 < families.count("hicrisp.planner") / len(families) < 0.7
    assert {*families} == {"hicrisp.planner", "hicrisp.program"}


def test_words_in_a_report_that_claim_or_order_something_else_do_not_change_what_is_done() -> None:
    """The step is put right as its name and the state it should have led to say, whatever the report says besides."""
    rng, misled = np.random.default_rng(5), 0
    for _ in range(60):
        for sample in table.corrections(rng):
            text = sample.text
            step, expected, why = (
                re.search(rf"^{name}: (.+)$", text, re.MULTILINE)[1]  # type: ignore[index]
                for name in ("Failed", "Expected", "Why")
            )
            if "Not so:" not in why:
                continue
            misled += not why.startswith("Picked up")
            assert f"Needed: {expected}\nDo first: {step}\n" in text, text
    assert misled > 4


def test_plans_are_about_several_things_of_a_kind_where_that_is_asked_for() -> None:
    rng, found = np.random.default_rng(7), list[str]()
    while len(found) < 5:
        wanted = Wanted(rng)
        wish = drawn_several(wanted)
        world = Household(home_of(wanted, others=3))
        with contextlib.suppress(Unknown):
            found += [sample.text for sample in planned(world, wish.request, wish.steps)]
    for text in found:
        grabbed = re.findall(r"Grab the (.+?)\. ->", text)
        assert len({*grabbed}) == len(grabbed) > 1 and len({re.sub(r" \d$", "", name) for name in grabbed}) == 1
    repeated = [re.findall(r"\d+\. (Find the .+?\.) ->", text) for text in found]
    assert all(len({*steps}) < len(steps) for steps in repeated), "a step may be taken twice"


def test_corrections_are_of_both_levels_and_tell_when_nothing_helps() -> None:
    rng = np.random.default_rng(5)
    texts = [sample.text for _ in range(30) for sample in corrections(rng)]
    assert sum("Not so: " in text for text in texts) > 5, "the state is not as planned"
    assert sum("Not so: " not in text for text in texts) > 50, "the action itself failed"
    assert any("\nTried: " in text for text in texts) and any(HOPELESS in text for text in texts)
    assert all("\nExpected: " in text for text in texts if "Not so: " in text)


def test_most_homes_are_small_and_some_as_full_as_those_of_the_benchmark() -> None:
    rng = np.random.default_rng(2)
    sizes = [many(rng) for _ in range(400)]
    assert sum(size < 24 for size in sizes) > 200 and max(sizes) > 150
