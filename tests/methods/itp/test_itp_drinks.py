"""Orders in the world of drinks: also of a customer who changes their mind in the middle of a pour."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from counterworld import CHECKS, plan_of
from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import Outcome, Plan, Refusal, Request
from thinkaloud_worlds.drinks import Drinks

TAKE, MILK = "take an empty cup to the working area", "pour milk into the working cup"
JAM, MOVE = "add strawberry jam to the working cup", "move the working cup to the finished location"
CALLS = {
    TAKE: 'grasp_cup("cup stack")\nplace_cup("working area")',
    JAM: 'pour("working area", "strawberry jam")',
    MILK: 'pour("working area", "milk")',
    MOVE: 'grasp_cup("working area")\nplace_cup("finished location")',
}


class Customer:
    """Orders, and speaks again when a skill has run for some ticks."""

    def __init__(self, *plans: str, said: dict[str, list[str]] | None = None, read: tuple[str, ...] = ()) -> None:
        self.read = list(read)
        self.plans, self.said = list(plans), said or {}
        self.world = Drinks()
        self.model = Scripted(self._answer)
        self.agent = Agent(self.world, self.model, "itp")
        self.prompts: list[str] = []
        self._waiting: list[tuple[Callable[[Drinks], bool], str]] = []
        self.agent.loop.ticking.append(self._tick)

    def _answer(self, prompt: str) -> str:
        if CHECKS in prompt:
            return self.read.pop(0)
        if "\nStep: " not in prompt:
            self.prompts.append(prompt)
            return self.plans.pop(0)
        line = prompt.rsplit("\nStep: ", 1)[1].splitlines()[0]
        calls = self.said[line].pop(0) if self.said.get(line) else CALLS[line]
        held = "is in the gripper" in prompt.rsplit("Scene: ", 1)[1]
        return calls.split("\n")[-1] if held and calls == CALLS[line] else calls

    def says(self, words: str, when: Callable[[Drinks], bool]) -> None:
        self._waiting.append((when, words))

    def _tick(self) -> None:
        if self._waiting and self._waiting[0][0](self.world):
            self.agent.say(self._waiting.pop(0)[1])

    def orders(self, request: str) -> str:
        return asyncio.run(self.agent.run(request)).result

    def drinks(self) -> list[list[str]]:
        return [[name for name, _ in self.world.contents(cup)] for cup in self.world.cups_at("finished location")]

    def safe(self) -> bool:
        return self.world.holding() is None and not self.world.spilled() and not self.world.cups_at("waste bin")


def jam_flows(world: Drinks) -> bool:
    return any(ml > 0 for _, ml in world.contents("cup 1")) and not world.contains("cup 1", "strawberry jam")


def cup_is_held(world: Drinks) -> bool:
    return world.holding() is not None


def test_a_request_in_the_middle_of_a_pour_finds_the_pour_finished_and_is_merged() -> None:
    """The jam is being poured when the milk is called off: it is poured to its end, and told as completed."""
    customer = Customer(
        plan_of(TAKE, JAM, MILK, MOVE, material="strawberry jam, milk"),
        plan_of(MOVE, first=2, material="strawberry jam"),
        read=('order("Strawberry milk")', 'change(no=["milk"])'),
    )
    customer.says("No milk, just the jam.", jam_flows)
    assert customer.orders("A strawberry milk.") == "goal met"
    assert customer.drinks() == [["strawberry jam"]]
    assert customer.safe()
    (pour,) = [o for o in customer.agent.monologue.since(None, Outcome) if o.step.skill == "pour"]
    assert pour.ending == "completed"
    asked = customer.agent.monologue.where(Request)
    assert asked is not None
    assert customer.agent.monologue.since(asked, Outcome)[0] == pour  # it was under way when the request came
    assert f"Completed steps:\n0) {TAKE}\n1) {JAM}\n\nNew request: No milk, just the jam.\n" in customer.prompts[1]


def test_an_executor_that_knows_neither_its_functions_nor_their_arguments_at_first_is_told() -> None:
    said = {MILK: ["stir_it()", 'pour("working area", "milk", "a lot")']}
    customer = Customer(plan_of(TAKE, MILK, MOVE, material="milk"), said=said, read=('order("Pure milk")',))
    assert customer.orders("A pure milk.") == "goal met"
    assert customer.drinks() == [["milk"]]
    assert customer.safe()
    why = [refusal.why for refusal in customer.agent.monologue.since(None, Refusal)]
    assert "There is no function 'stir_it'" in why[0]
    assert why[1] == "pour takes 2 arguments (location, ingredient), not 3."


def test_what_cannot_be_done_is_declined_before_anything_moves() -> None:
    customer = Customer("Thought: Wanted: passion fruit (not available).\nNot available: passion fruit\n\n")
    before = customer.world.snapshot()
    assert customer.orders("Passion fruit.") == "declined"
    assert customer.world.snapshot() == before
    assert not customer.agent.monologue.since(None, Plan)
