"""Planning by guidelines on two levels: outlines, calls, and honest endings."""

from __future__ import annotations

import asyncio

import pytest

from counterworld import BRING, POUR, SERVE, STOCK, Counter, Order, checked, plan_of, steps_for
from thinkaloud.agent import Agent
from thinkaloud.clock import ManualClock
from thinkaloud.episode.outline import completed_lines
from thinkaloud.errors import BadInput
from thinkaloud.guidelines import read_guidelines
from thinkaloud.loop import Limits
from thinkaloud.methods.itp.planner_prompt import planner_answer_grammar, read_material
from thinkaloud.models import Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import ModelCall, Outcome, Outline, Plan, Started
from thinkaloud.worlds.by_hand import ByHand
from toyworld import ToyWorld

TEA = "A plain tea, please."
WITH_SALT = 'order("salt and pepper")'


def kept_safe(order: Order) -> None:
    """The cup stands somewhere, and nothing that was poured is gone."""
    world: Counter = order.world
    assert not world.hand
    assert world.where != "bin"


# An order from beginning to end ---------------------------------------------------------------------------------------


def test_an_order_is_outlined_then_made_step_by_step_and_checked_in_the_world() -> None:
    order = Order(plan_of(*steps_for("honey", "tea"), material="honey, tea"))
    end = order.run("A sweet tea, please.")
    assert end.result == "goal met"
    assert order.world.inside == ["honey", "tea"]
    assert order.world.where == "tray"
    first, *rest = order.plans
    assert (first.goal, first.conditions, first.steps) == ("A sweet tea, please.", (), ())
    assert first.thought == first.verbatim == "Material: honey, tea"
    lines = tuple(steps_for("honey", "tea"))
    assert first.outline == Outline(lines)
    assert [plan.outline for plan in rest] == [Outline(lines, at) for at in range(5)]
    assert {condition.words for condition in rest[-1].conditions} == {
        "Cup is at the tray.",
        "There is honey in the cup.",
        "There is tea in the cup.",
    }
    assert completed_lines(order.monologue) == []  # the order has come to its end
    assert {call.role for call in order.monologue.since(None, ModelCall)} == {"planner", "listener", "executor"}


def test_the_planner_reads_the_guidelines_as_they_were_written_and_the_request() -> None:
    order = Order(plan_of(*steps_for("tea")))
    order.run(TEA)
    (prompt,) = order.planned
    assert order.world.guidelines.strip() in prompt
    assert prompt.endswith(f"Request: {TEA}\n")


def test_the_executor_sees_functions_scene_completed_steps_and_the_next_step() -> None:
    order = Order(plan_of(*steps_for("tea")))
    order.run(TEA)
    first, second, third = order.asked
    assert "grab_cup(location): Take hold of a cup, to bring or serve it." in first
    assert "Completed: bring" not in first
    assert second.endswith(
        f"Completed: {BRING}\nScene: there is tea, honey, lemon. cup is at the counter\nStep: {POUR['tea']}\n"
    )
    assert f"Completed: {BRING}; {POUR['tea']}\n" in third
    assert "There is tea in the cup" in third


def test_a_model_that_was_not_held_to_a_grammar_may_add_stars_and_capitals() -> None:
    order = Order(
        "**Materials**: Honey and tea.\nSteps:\n 0. bring a cup to the counter\n1: pour honey into the cup\n"
        "2. pour tea into the cup\n3) serve the cup on the tray\n"
    )
    order.run("Honey, please.")
    assert order.plans[0].thought == "Material: Honey, tea"
    assert order.plans[0].outline == Outline(tuple(steps_for("honey", "tea")))


# Before anything moves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "because"),
    [
        ("Thought: Wanted: kiwi (not available).\nNot available: kiwi\n\n", "kiwi is not available"),
        ("Not available: rum and salt are not available", "rum and salt are not available"),
        ("Declined: there is no dragon here\n", "there is no dragon here"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_declined_with_the_reason_before_anything_moves(said: str, because: str) -> None:
    order = Order(said)
    end = order.run("Something rare, please.")
    assert end.result == "declined"
    assert because in end.because
    assert order.calls == []
    assert order.asked == []


def test_a_plan_that_needs_what_is_not_available_goes_back_and_the_planner_may_say_so() -> None:
    order = Order(plan_of(BRING, material="milk, rum, tea and salt"), "Not available: milk, rum, salt")
    end = order.run("Something rare, please.")
    (refusal,) = order.refused
    assert refusal.why == "milk, rum and salt is not available; there is: tea, honey, lemon."
    assert order.planned[1] == f"{order.planned[0]}Refused: {refusal.why}\n"
    assert (end.result, end.because, order.calls) == ("declined", "milk, rum, salt is not available", [])


def test_a_planner_may_say_that_nothing_is_left_to_do() -> None:
    end = Order("Thought: Wanted: nothing more.\nNothing left: you want no more of it").run("That is enough.")
    assert end.result == "unconfirmed" and "you want no more of it" in end.because


def test_what_the_planner_thinks_is_shown_and_stays_in_the_conversation() -> None:
    order = Order(
        f"Thought: Wanted: tea (available).\n{plan_of(*steps_for('tea'))}", plan_of(POUR["tea"], SERVE, first=1)
    )
    order.interrupting(2, "Hurry up.")
    order.run(TEA)
    assert order.plans[0].thought == "Wanted: tea (available).\nMaterial: tea"
    assert f"Request: {TEA}\nThought: Wanted: tea (available).\nMaterial: tea\nSteps:\n0) {BRING}\n" in order.planned[1]


def test_a_model_that_was_trained_in_the_form_reads_all_but_the_introduction(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Order(plan_of(*steps_for("tea")))
    long.run(TEA)
    monkeypatch.setattr(Scripted, "trained", True, raising=False)
    short = Order(plan_of(*steps_for("tea")))
    short.run(TEA)
    for one, other in ((long.planned, short.planned), (long.asked, short.asked)):
        for whole, rest in zip(one, other, strict=True):
            assert whole.endswith(f"Now this robot:\n\n{rest}")


def test_where_no_material_is_listed_everything_is_available() -> None:
    text = Counter().guidelines.partition("Available material")[0]
    lines = [*steps_for("tea")[:2], "pour dragon fruit into the cup", SERVE]
    order = Order(plan_of(*lines, material="tea, dragon fruit"), world=Counter(text))
    order.run(TEA)
    assert order.calls[:2] == ["Grab the cup from the rack.", "Put the cup on the counter."]


def test_without_guidelines_there_is_nothing_to_plan_by() -> None:
    with pytest.raises(BadInput, match="the world 'toy' has none of its own: give --guidelines FILE"):
        Agent(ToyWorld(), Scripted([]), "itp")


def test_guidelines_with_no_options_are_refused_before_an_agent_is_there() -> None:
    with pytest.raises(BadInput, match="counter: it has no options"):
        Order(world=Counter("Instructions:\nTea\nSteps:\n0) boil\n"))


# What a model says and cannot be used ---------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["Kumquat.", "Material: tea\nSteps:\nnone at all", ""])
def test_words_that_are_no_plan_are_refused_three_times_and_nothing_moves(said: str) -> None:
    order = Order(*[said] * 9)
    end = order.run(TEA)
    assert (end.result, order.calls) == ("limit", [])
    assert "This lists no steps" in end.because
    assert len(order.refused) == 3


def test_more_steps_than_anybody_can_follow_are_refused_and_not_cut_short() -> None:
    order = Order(plan_of(BRING, *[POUR["tea"]] * 90), plan_of(*steps_for("tea")))
    order.run(TEA)
    (refusal,) = order.refused
    assert order.agent.guidelines is not None
    longest = max(len(recipe.steps) for recipe in order.agent.guidelines.recipes)
    assert refusal.why == f"This lists 91 steps or more; {4 * longest + 6} at most."


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('brew("tea")', "There is no function 'brew'"),
        ('puor("tea")', "Did you mean 'pour'?"),
        ('pour("rum")', "There is no ingredient 'rum' here; there is: tea, honey, lemon."),
        ('pour("tea", "slowly")', "pour takes 1 arguments (ingredient), not 2."),
        ('pour("tea", speed=3)', "pour has no argument 'speed'; it takes: ingredient."),
        ("pour()", "pour needs the argument 'ingredient'"),
        ("Sure, I will pour the tea.", "is no function call"),
        ("", "No function was called for 'pour tea into the cup'; call at least one of"),
    ],
)
def test_a_call_that_does_not_exist_goes_back_to_the_executor_and_nothing_is_lost(said: str, why: str) -> None:
    order = Order(plan_of(*steps_for("tea")), said={POUR["tea"]: [said]})
    end = order.run(TEA)
    assert end.result == "goal met"
    (refusal,) = order.refused
    assert refusal.role == "executor"
    assert why in refusal.why
    assert f"Step: {POUR['tea']}\n# refused: {refusal.why}\n" in order.asked[2]
    assert "refused" not in order.asked[3]  # of the step before
    assert order.world.inside == ["tea"]


def test_an_executor_that_knows_no_call_at_all_ends_the_order_with_its_reason_and_the_cup_stands() -> None:
    order = Order(plan_of(*steps_for("tea")), said={POUR["tea"]: ["brew()"] * 9})
    end = order.run(TEA)
    assert end.result == "limit"
    assert "There is no function 'brew'" in end.because
    assert order.world.where == "counter"
    kept_safe(order)


def test_an_executor_may_say_that_no_function_carries_out_a_step() -> None:
    order = Order(
        plan_of(*steps_for("tea")[:2], "fly to the moon", SERVE),
        said={"fly to the moon": ["cannot: no function flies"]},
    )
    end = order.run(TEA)
    assert (end.result, end.because) == ("failed", "this cannot be done: fly to the moon (no function flies)")
    kept_safe(order)


# What does not work ---------------------------------------------------------------------------------------------------


def test_a_call_that_fails_comes_back_to_the_executor_as_feedback_and_is_tried_again() -> None:
    order = Order(plan_of(*steps_for("tea")))
    order.world.broken = 1
    assert order.run(TEA).result == "goal met"
    assert f'Step: {POUR["tea"]}\n# pour("tea") failed: The tap is stuck.\n' in order.asked[2]
    assert "failed" not in order.asked[3]
    assert completed_lines(Monologue(ManualClock(), list(order.monologue)[: len(order.monologue) - 1])) == steps_for(
        "tea"
    )


def test_a_pour_that_reports_success_but_did_not_work_is_noticed() -> None:
    order = Order(plan_of(*steps_for("tea")))
    order.world.leaking = 1
    assert order.run(TEA).result == "goal met"
    assert "failed: Not so: There is tea in the cup." in order.asked[2]


def test_what_fails_the_same_way_twice_is_given_up_with_the_reason() -> None:
    order = Order(plan_of(*steps_for("tea")))
    order.world.broken = 99
    end = order.run(TEA)
    assert (end.result, end.because) == (
        "failed",
        f"this did not work, 2 times: {POUR['tea']} (The tap is stuck.)",
    )
    kept_safe(order)


def test_what_fails_in_ever_new_ways_is_given_up_after_five() -> None:
    said = [f'pour("{STOCK[n % 3]}")' for n in range(9)]
    order = Order(plan_of(*steps_for("tea")), said={POUR["tea"]: said})
    order.world.broken = 99
    end = order.run(TEA)
    assert end.because.startswith("this did not work, 5 times")


def test_a_cup_that_the_last_step_left_in_the_hand_is_told() -> None:
    order = Order(plan_of(*steps_for("tea")), said={SERVE: ['grab_cup("counter")']})
    end = order.run(TEA)
    assert end.result == "unconfirmed"
    assert "all the steps have been carried out, but cup is still in the gripper" in end.because


def test_what_is_not_so_in_the_end_is_not_reported_as_met() -> None:
    order = Order(plan_of(*steps_for("tea")))
    listened = order.agent.monologue.listeners

    def spill(event: Event) -> None:
        if isinstance(event.record, Outcome) and event.record.step.arguments.get("location") == "tray":
            order.world.inside = []

    listened.append(spill)
    end = order.run(TEA)
    assert end.result == "unconfirmed"
    assert "all the steps have been carried out" in end.because


def test_a_skill_without_memory_is_held_to_what_it_promised() -> None:
    guidelines = read_guidelines(
        "Options: Tidy\nInstructions:\nTidy\nSteps:\n0) move the ball to the shelf\n1) move the ball to the bin\n"
    )
    answers = ["Material: ball\nSteps:\n0) move the ball to the shelf\n1) move the ball to the bin\n\n"]
    calls = ['move("ball", "shelf")', 'move("ball", "bin")']
    agent = Agent(ToyWorld(), checked(*answers, *calls, read='order("Tidy")'), "itp", guidelines=guidelines)
    assert asyncio.run(agent.run("Tidy up.")).result == "goal met"
    last = agent.monologue.last(Plan)
    assert last is not None
    assert [condition.words for condition in last.conditions] == ["Ball is on the bin."]


# By hand, and how plans are written -----------------------------------------------------------------------------------


def test_by_hand_every_step_is_said_as_it_is_without_an_executor() -> None:
    lines = ["water the plants", "feed the dragon twice"]
    steps = "".join(f"{number}) {line}\n" for number, line in enumerate(lines))
    guidelines = read_guidelines(f"Options: Chores\nInstructions:\nChores\nMaterial: water\nSteps:\n{steps}")
    world, model = ByHand(), Scripted([plan_of(*lines, material="water"), 'order("Chores")'])
    agent = Agent(world, model, "itp", guidelines=guidelines)
    end = asyncio.run(agent.run("All chores, please."))
    assert end.result == "unconfirmed"
    assert "each step was told to a person, and taken as done" in end.because
    assert world.steps == tuple(lines)
    assert len(model.prompts) == 2  # the planner's, and the check's


def test_the_preset_brings_limits_that_long_lists_fit_into() -> None:
    order = Order(plan_of(*steps_for("tea")))
    assert order.agent.loop.limits == Limits(steps=150, plans=300)
    assert Order(limits=Limits(steps=2)).agent.loop.limits.steps == 2


def test_the_grammar_of_an_answer_keeps_its_form_and_chooses_no_words() -> None:
    grammar = planner_answer_grammar(3)
    for words in ("Material: tea\nSteps:\n0) bring it\n\n", "Material: rum\nSteps:\n9) fly\n10) dance\n11) sing\n\n"):
        assert accepts(grammar, f"Thought: anything at all.\n{words}")
    for words in ("Not available: rum", "Declined: no", "Nothing left: all is done"):
        assert accepts(grammar, f"Thought: anything at all.\n{words}\n\n")
    assert not accepts(grammar, "Thought: x.\nMaterial: tea\nSteps:\n\n")
    assert not accepts(grammar, "Thought: x.\nMaterial: tea\nSteps:\n0) a b\n1) a b\n2) a b\n3) a b\n\n")
    assert not accepts(grammar, "Well.\n\n")


@pytest.mark.parametrize(
    ("text", "known", "names"),
    [
        ("Material: tea, honey", (), ["tea", "honey"]),
        ("Materials: tea; honey and tea.", (), ["tea", "honey"]),
        ("Material: Salt and pepper, tea", ["salt and pepper"], ["Salt and pepper", "tea"]),
        ("* **Material:** brandy, sand", (), ["brandy", "sand"]),
        ("Steps:\n0) x", (), []),
        ("Material:\nSteps:", (), []),
    ],
)
def test_what_a_plan_says_it_needs(text: str, known: list[str], names: list[str]) -> None:
    assert read_material(text, known) == names


def test_something_known_by_a_name_with_and_in_it_is_one_thing() -> None:
    text = Counter().guidelines.replace("tea, honey, lemon", "tea, salt and pepper")
    salted = steps_for("tea")
    salted.insert(1, "pour salt and pepper into the cup")
    order = Order(plan_of(*salted, material="salt and pepper, tea"), world=Counter(text), read={TEA: WITH_SALT})
    order.run(TEA)
    assert order.plans[0].outline == Outline(tuple(salted))


def test_what_is_listed_but_not_here_is_not_replaced_by_something_else() -> None:
    text = Counter().guidelines.replace("tea, honey, lemon", "tea, honey, lemon, rum")
    said = {"pour rum into the cup": ['pour("rum")', "cannot: there is no rum here"]}
    planned = plan_of(BRING, "pour rum into the cup", POUR["tea"], SERVE, material="rum")
    order = Order(planned, world=Counter(text), said=said, read={"A rum.": 'order("rum")'})
    end = order.run("A rum.")
    assert (end.result, order.world.inside) == ("failed", [])
    assert "There is no ingredient 'rum' here" in order.refused[0].why
    assert end.because == "this cannot be done: pour rum into the cup (there is no rum here)"
    kept_safe(order)


def test_started_calls_carry_the_line_they_were_made_for() -> None:
    order = Order(plan_of(*steps_for("tea")))
    order.run(TEA)
    assert [s.step.reason for s in order.monologue.since(None, Started)] == [BRING, BRING, POUR["tea"], SERVE, SERVE]
