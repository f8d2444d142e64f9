"""Planning by guidelines when a person changes their mind, and when a process ends in the middle of it."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from counterworld import BRING, POUR, SERVE, Counter, Order, plan_of, steps_for
from thinkaloud.agent import Agent, restore_world
from thinkaloud.clock import ManualClock
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import Plan
from thinkaloud.remember.journal import Journal

TEA = "A plain tea, please."
READ = {TEA: 'order("Plain tea")', "With lemon.": 'change("lemon")'}


def kept_safe(order: Order) -> None:
    """The cup stands somewhere, and nothing that was poured is gone."""
    world: Counter = order.world
    assert not world.hand
    assert world.where != "bin"


# A new request in the middle ------------------------------------------------------------------------------------------


def test_a_new_request_is_planned_for_with_what_is_done_and_finished_steps_stay() -> None:
    order = Order(
        plan_of(*steps_for("tea")), plan_of(POUR["lemon"], POUR["tea"], SERVE, first=1, material="lemon, tea")
    ).interrupting(2, "With lemon, please.")
    end = order.run(TEA)
    assert end.result == "goal met"
    first, second = order.planned
    assert second.startswith(first)
    assert second[len(first) :] == (
        "Material: tea\nSteps:\n" + "\n".join(f"{n}) {s}" for n, s in enumerate(steps_for("tea"))) + "\n\n"
        f"Completed steps:\n0) {BRING}\n\nNew request: With lemon, please.\n"
    )
    assert order.outlines[1] == (POUR["lemon"], POUR["tea"], SERVE)
    assert order.plans[-1].goal == "With lemon, please."
    assert order.world.inside == ["lemon", "tea"]
    assert order.calls.count("Grab the cup from the rack.") == 1


def test_a_request_in_the_middle_of_a_pour_finds_the_pour_finished_and_told() -> None:
    order = Order(
        plan_of(*steps_for("honey", "tea"), material="honey, tea"),
        plan_of(POUR["lemon"], SERVE, first=2, material="honey, lemon"),
    )
    order.interrupting(3, "Lemon instead of the tea.")
    assert order.run("A sweet tea.").result == "goal met"
    assert order.outcomes == ["completed"] * 6
    assert f"Completed steps:\n0) {BRING}\n1) {POUR['honey']}\n\nNew request: Lemon" in order.planned[1]
    assert order.world.inside == ["honey", "lemon"]  # once each


def test_the_conditions_in_the_end_are_about_the_whole_order() -> None:
    order = Order(plan_of(*steps_for("tea")), plan_of(POUR["tea"], SERVE)).interrupting(2, "Tea, as I said.")
    assert order.run(TEA).result == "goal met"
    assert "There is tea in the cup." in {c.words for c in order.plans[-1].conditions}


def test_an_impossible_new_request_is_declined_and_that_is_the_end() -> None:
    order = Order(plan_of(*steps_for("honey", "tea"), material="honey, tea"), "Not available: passion fruit")
    order.interrupting(3, "With passion fruit!")
    end = order.run("A sweet tea.")
    assert (end.result, end.because) == ("declined", "passion fruit is not available")
    assert order.world.inside == ["honey"]  # that was being poured
    kept_safe(order)


def test_an_impossible_new_request_before_anything_was_done_ends_it() -> None:
    order = Order(plan_of(*steps_for("tea")), "Not available: passion fruit")
    said = iter(["With passion fruit!"])

    def speak(event: Event) -> None:
        if isinstance(event.record, Plan) and event.record.outline and event.record.outline.at is None:
            for words in said:
                order.agent.say(words)

    order.agent.monologue.listeners.append(speak)
    assert order.run(TEA).result == "declined"
    assert order.calls == []


def test_two_new_requests_in_one_breath_are_both_in_the_prompt_and_the_last_is_planned_for() -> None:
    order = Order(plan_of(*steps_for("tea")), plan_of(POUR["honey"], SERVE, first=1, material="honey"))
    order.interrupting(2, "With lemon.", "No, honey instead.")
    assert order.run(TEA).result == "goal met"
    assert "New request: With lemon.\n" in order.planned[1]
    assert order.planned[1].endswith("New request: No, honey instead.\n")
    assert order.world.inside == ["honey"]


def test_what_is_held_when_a_new_request_comes_is_seen_by_the_executor() -> None:
    order = Order(
        plan_of(*steps_for("tea")),
        plan_of(BRING, POUR["honey"], SERVE, material="honey"),
    ).interrupting(1, "Honey. No tea.")
    end = order.run(TEA)
    assert (end.result, order.world.where) == ("goal met", "tray"), end.because


def test_an_order_after_an_order_begins_with_nothing_completed() -> None:
    order = Order(
        plan_of(*steps_for("tea")),
        plan_of(*steps_for("honey", "tea"), material="honey, tea"),
    )
    order.run(TEA)
    order.world.reset(0)
    assert order.run("Honey.").result == "goal met"
    assert "Completed" not in order.planned[1].partition("Now this robot:")[2]
    assert TEA not in order.planned[1]


def test_every_prompt_to_the_planner_begins_with_the_one_before_it() -> None:
    order = Order(
        plan_of(*steps_for("honey", "tea"), material="honey, tea"),
        "Kumquat.", "Kumquat.",
        plan_of(POUR["lemon"], SERVE, first=1, material="lemon"),
        "Not available: rum",
    )  # fmt: skip
    order.interrupting(2, "With lemon instead.").interrupting(3, "And rum.")
    assert order.run("A sweet tea.").result == "declined"
    assert len(order.planned) == 5
    for earlier, later in itertools.pairwise(order.planned):
        assert later.startswith(earlier)


def test_stop_in_the_middle_holds_still_and_plans_no_more() -> None:
    order = Order(plan_of(*steps_for("tea"))).interrupting(3, "stop")
    assert order.run(TEA).result == "stopped"
    assert len(order.planned) == 1
    assert order.calls[-1] == "Pour tea into the cup."


# Taken up again -------------------------------------------------------------------------------------------------------


def whole_answers() -> list[str]:
    return [plan_of(*steps_for("tea")), plan_of(POUR["lemon"], POUR["tea"], SERVE, first=1, material="lemon, tea")]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("cut", range(2, 60, 3))
def test_an_order_that_was_cut_off_anywhere_is_finished_from_its_journal(cut: int, tmp_path: Path) -> None:
    """The events up to some point are all that is left; the world is as it was at the latest of them."""
    whole = Order(*whole_answers()).interrupting(2, "With lemon.")
    snapshots: list[bytes] = []
    whole.agent.monologue.listeners.append(lambda event: snapshots.append(whole.world.snapshot()))
    whole.run(TEA)
    if cut >= len(whole.monologue):
        return
    planned = Monologue(ManualClock(), list(whole.monologue)[:cut]).since(None, Plan)
    listed = [plan for plan in planned if plan.outline and plan.outline.at is None]
    again = Order(*whole_answers()[min(len(listed), 1) :], read=READ)
    with Journal(tmp_path / "journal.db") as journal:
        with journal.begin() as session:
            for event in list(whole.monologue)[:cut]:
                session.commit(event.index, event.at, event.record, snapshots[event.index])
        with journal.resume(session.id) as session:
            world = Counter()
            agent = Agent(world, again.model, "itp", session=session)
            restore_world(world, session, 0)
            end = asyncio.run(agent.resume())
    assert end.result == "goal met"
    assert world.where == "tray"
    assert world.inside.count("tea") == 1
