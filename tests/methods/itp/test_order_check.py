"""An order that was not made as the guidelines say never ends as met; what no reading bears out is not even begun."""

from __future__ import annotations

import asyncio

import pytest

from counterworld import BRING, GUIDELINES, POUR, SERVE, Counter, Order, checked, plan_of, steps_for
from thinkaloud.agent import Agent
from thinkaloud.records import Plan

TEA = "A plain tea, please."
SWEET = "A sweet tea, please."


def test_what_every_option_has_and_no_reading_leaves_out_is_asked_for_again() -> None:
    order = Order(
        plan_of(*steps_for("honey"), material="honey"),
        plan_of(*steps_for("honey", "tea")),
        read={SWEET: 'order("honey")'},
    )
    assert order.run(SWEET).result == "goal met"
    (refusal,) = order.refused
    assert (refusal.role, refusal.why) == ("planner", "no step says: pour tea into the cup.")
    assert f"Refused: {refusal.why}\n" in order.planned[1]
    assert order.world.inside == ["honey", "tea"]


def test_a_planner_that_insists_makes_nothing() -> None:
    order = Order(*[plan_of(*steps_for("honey"), material="honey")] * 3, read={SWEET: 'order("honey")'})
    end = order.run(SWEET)
    assert (end.result, order.calls) == ("limit", [])
    assert "no step says: pour tea into the cup" in end.because


def test_what_somebody_does_not_want_may_be_left_out() -> None:
    order = Order(plan_of(*steps_for("honey"), material="honey"), read={"Honey, no tea.": 'order("honey", no=["tea"])'})
    assert order.run("Honey, no tea.").result == "goal met"


@pytest.mark.parametrize(
    ("names", "read", "why"),
    [
        (("tea",), 'order("Sweet tea")', "no step says: pour honey into the cup"),
        (("lemon", "tea"), 'order("Plain tea")', "nobody ordered this: pour lemon into the cup"),
        (("tea",), 'order("rum")', "the order could not be checked (There is no rum here.)"),
        (("tea",), 'say("hello")', "it is nothing that the guidelines are about"),
        (("tea",), "gibberish(", "the order could not be checked"),
    ],
)
def test_where_the_readings_differ_the_order_is_made_and_not_called_met(
    names: tuple[str, ...], read: str, why: str
) -> None:
    order = Order(plan_of(*steps_for(*names), material=", ".join(names)), read={TEA: read})
    end = order.run(TEA)
    assert (end.result, order.world.inside) == ("unconfirmed", [*names])
    assert why in end.because
    assert "This may not be what was ordered: " in order.plans[0].thought  # said before anything moves
    assert "not be what was ordered" not in order.plans[0].verbatim


def test_a_name_that_the_reading_leaves_out_is_taken_to_be_wanted() -> None:
    request = "A tea with lemon."
    made_with_it = Order(plan_of(*steps_for("lemon", "tea")), read={request: 'order("tea")'})
    assert made_with_it.run(request).result == "goal met"
    order = Order(plan_of(*steps_for("tea")), read={request: 'order("tea")'})
    end = order.run(request)
    assert end.result == "unconfirmed" and "no step says: pour lemon into the cup" in end.because


def test_a_change_that_was_turned_into_its_opposite_is_not_called_met() -> None:
    change = "Make that lemon."
    order = Order(
        plan_of(*steps_for("honey", "tea"), material="honey, tea"),
        plan_of(POUR["honey"], POUR["tea"], SERVE, first=1, material="honey, tea"),
        read={SWEET: 'order("Sweet tea")', change: 'change("lemon", no=["honey"])'},
    ).interrupting(2, change)
    end = order.run(SWEET)
    assert end.result == "unconfirmed"
    assert "no step says: pour lemon into the cup; nobody ordered this: pour honey into the cup" in end.because


def test_a_calls_that_did_something_else_are_not_taken_for_the_step() -> None:
    order = Order(plan_of(*steps_for("tea")), said={POUR["tea"]: ['pour("honey")']}, read={TEA: 'order("Plain tea")'})
    end = order.run(TEA)
    assert (end.result, order.world.inside) == ("unconfirmed", ["honey"])
    assert "something else was done for this: pour tea into the cup (Pour honey into the cup.)" in end.because


def test_what_is_available_is_not_taken_for_missing() -> None:
    order = Order("Not available: honey", plan_of(*steps_for("honey", "tea")), read={SWEET: 'order("Sweet tea")'})
    assert order.run(SWEET).result == "goal met"
    assert order.refused[0].why == "Not so: honey is among what is available."


def test_what_a_rule_says_is_gone_may_be_missing() -> None:
    text = GUIDELINES.replace("Available location", "Rules:\n* There is no honey today.\n\nAvailable location")
    answers = {"rule": 'gone("honey")', "order": 'order("Sweet tea")'}
    model = checked("Not available: honey", read="")
    answer = model._answer

    def said(prompt: str) -> str:
        if "# rule: " in prompt:
            return answers["rule"]
        return answers["order"] if "\n# what can be ordered:" in prompt else answer(prompt)

    model._answer = said
    end = asyncio.run(Agent(Counter(text), model, "itp").run(SWEET))
    assert (end.result, end.because) == ("declined", "honey is not available")


def test_a_rule_that_nobody_could_make_out_is_told() -> None:
    text = GUIDELINES.replace("Available location", "Rules:\n* Mind the gap.\n\nAvailable location")
    model = checked(
        plan_of(*steps_for("tea")),
        'grab_cup("rack")\nput_cup("counter")',
        'pour("tea")',
        'grab_cup("counter")\nput_cup("tray")',
    )
    answer = model._answer
    model._answer = lambda prompt: "hm" if "# rule: " in prompt else answer(prompt)
    agent = Agent(Counter(text), model, "itp")
    end = asyncio.run(agent.run(TEA))
    assert end.result == "unconfirmed"
    assert "I could not make out this rule: Mind the gap." in end.because
    assert agent.monologue.first(Plan) is not None
    assert BRING in [step.reason for step in agent.monologue.worked_between(0, None)]


def test_material_in_the_sentence_of_another_is_told_and_not_called_met() -> None:
    odd = "dust honey over the cup"
    lines = [BRING, odd, POUR["tea"], SERVE]
    order = Order(
        plan_of(*lines, material="honey, tea"), said={odd: ['pour("honey")']}, read={SWEET: 'order("Sweet tea")'}
    )
    end = order.run(SWEET)
    assert (end.result, order.world.inside) == ("unconfirmed", ["honey", "tea"])
    assert f"no step says: pour honey into the cup; nobody ordered this: {odd}" in end.because


def test_an_order_whose_first_request_was_not_read_is_not_read_at_all() -> None:
    change = "With lemon."
    order = Order(
        plan_of(*steps_for("tea")),
        plan_of(POUR["lemon"], POUR["tea"], SERVE, first=1, material="lemon, tea"),
        read={TEA: 'say("hm")', change: 'change("lemon")'},
    ).interrupting(2, change)
    end = order.run(TEA)
    assert end.result == "unconfirmed" and "nothing that the guidelines are about" in end.because


def test_without_the_check_the_planners_list_is_carried_out_and_no_order_is_read_a_second_time() -> None:
    """As in the paper: tea that nobody left out is missing, and the run still ends as met."""
    order = Order(plan_of(*steps_for("honey"), material="honey"), preset="itp:check=off", read={})
    end = order.run(SWEET)
    assert (end.result, order.world.inside, order.refused) == ("goal met", ["honey"], [])
    assert "not be what was ordered" not in order.plans[0].thought


def test_without_the_check_it_is_still_noticed_what_the_steps_left_behind() -> None:
    lines = steps_for("tea")
    order = Order(plan_of(*lines[:-1]), preset="itp:check=off", read={}, said={lines[-2]: ['grab_cup("counter")']})
    end = order.run(TEA)
    assert end.result == "unconfirmed" and "cup is still in the gripper" in end.because
