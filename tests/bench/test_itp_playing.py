"""Episodes of ITP's tables and of random guidelines, played by the expert and by models that say what they are told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from counterworld import checked
from thinkaloud.errors import BadInput
from thinkaloud.guidelines import shipped_text
from thinkaloud.models import Scripted
from thinkaloud.records import Step
from thinkaloud.settings import Settings
from thinkaloud_bench import BENCHES, run_bench
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.itp.counter import CounterDomain
from thinkaloud_bench.itp.domains import open_domain
from thinkaloud_bench.itp.episodes import CounterOrder, MachineOrder, OrderEpisode
from thinkaloud_bench.itp.generating import draw_order
from thinkaloud_bench.itp.machine import MachineDomain
from thinkaloud_bench.itp.tables import PUBLISHED, dishwashing_sentences, drink, drinks_sentences
from thinkaloud_bench.running import items_of

BENCH = BENCHES["itp"]
SEED = 1000
READ = {
    PUBLISHED["milk"].episode.request: 'order("Pure milk")',
    "I want a milk.": 'order("Pure milk")',
    "With passion fruit, please.": 'change("passion fruit")',
    PUBLISHED["passion_fruit"].episode.request: 'order("Pure milk", "passion fruit")',
}
"""As which programs requests are read when it is checked what was ordered."""


def played(preset: str, task: str, answers: Sequence[str] = (), episode: OrderEpisode | None = None) -> Played:
    model = checked(*answers, read=READ) if preset == "itp" else Scripted(answers)
    return asyncio.run(BENCH.play(Item(preset, task, 0, SEED, episode), lambda: model))


def steps(played: Played) -> tuple[float, float, float]:
    return played.scores["right"], played.scores["steps"], played.scores["extra"]


def plan(material: str, *lines: str) -> str:
    return f"Material: {material}\nSteps:\n" + "\n".join(f"{n}) {line}" for n, line in enumerate(lines)) + "\n"


def do(domain: Any, keys: Sequence[str]) -> None:
    """Carry out steps as the expert does."""
    for key in keys:
        for step in domain.how(key):
            asyncio.run(domain.world.skills[step.skill].run(step.arguments))


def ordering(**changes: Any) -> OrderEpisode:
    return msgspec.structs.replace(PUBLISHED["milk"].episode, **changes)


# The expert -----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("task", ["strawberry_boba", "passion_fruit", "add_boba_2", "add_boba_3"])
def test_the_expert_can_make_drinks(task: str) -> None:
    found = played(CEILING, task)
    assert found.success, found.because
    assert (found.scores["right"], found.scores["extra"]) == (found.scores["steps"], 0)
    assert found.tokens == 0


@pytest.mark.parametrize("task", [name for name, row in PUBLISHED.items() if row.table == "Table III"])
def test_the_expert_can_wash_everything_of_table_3(task: str) -> None:
    found = played(CEILING, task)
    assert found.success, found.because
    assert steps(found)[0] == steps(found)[1]


def test_the_expert_can_use_machines_that_it_never_saw() -> None:
    drawn = [(seed, draw_order(seed)) for seed in range(SEED, SEED + 120)]
    machines = [(seed, episode) for seed, episode in drawn if episode.world == "dishwasher"][:20]
    for seed, episode in machines:
        found = played(CEILING, "random", episode=episode)
        assert found.success, (seed, found.because)
        assert found.scores["right"] == found.scores["steps"], (seed, found.details)


def test_the_expert_can_follow_random_guidelines_at_a_counter() -> None:
    drawn = (draw_order(seed) for seed in range(SEED, SEED + 60))
    found = [episode for episode in drawn if episode.world == "drinks"]
    chosen = [
        next(e for e in found if e.declined),
        next(e for e in found if e.new_request and not e.declined),
        found[0],
    ]
    for episode in chosen:
        came = played(CEILING, "random", episode=episode)
        assert came.success, (episode.id, came.because)
        assert came.scores["right"] == came.scores["steps"]


def test_a_new_request_that_cannot_be_met_is_declined_and_spoils_nothing() -> None:
    episode = ordering(
        request="I want a boba milk.",
        new_request="With passion fruit, please.",
        before_step=2,
        first=drink("boba"),
        wanted=None,
        declined=True,
    )
    found = played(CEILING, "milk", episode=episode)
    assert found.success, found.because
    assert steps(found) == (0, 0, 0)


# The presets ----------------------------------------------------------------------------------------------------------

MILK = plan(
    "milk",
    "take an empty cup to the working area",
    "pour milk into the working cup",
    "move the working cup to the finished location",
)
CALLS = [
    'grasp_cup("cup stack")\nplace_cup("working area")',
    'pour("working area", "milk")',
    'grasp_cup("working area")\nplace_cup("finished location")',
]


def test_a_good_plan_and_good_calls_make_a_milk() -> None:
    found = played("itp", "milk", [MILK, *CALLS])
    assert found.success, (found.because, found.details)
    assert found.result == "goal met"
    assert steps(found) == (3, 3, 0)
    assert (found.scores["plans"], found.scores["begun"]) == (1, 3)
    assert found.scores["plan_tokens"] > 0
    assert found.scores["step_tokens"] > 0


def test_a_good_plan_with_bad_calls_has_its_steps_right_and_fails() -> None:
    found = played("itp", "milk", [MILK, CALLS[0], 'pour("working area", "taro")', CALLS[2]])
    assert not found.success
    assert found.result == "unconfirmed"
    assert steps(found) == (3, 3, 0)
    assert "milk" in found.because


def test_an_extra_step_is_counted_and_harms_nothing() -> None:
    stirred = MILK.replace("2) move", "2) stir the working cup\n3) move")
    found = played("itp", "milk", [stirred, *CALLS[:2], 'stir("working area")', CALLS[2]])
    assert found.success, (found.because, found.details)
    assert steps(found) == (3, 3, 1)


def test_what_is_not_available_is_declined_before_anything_moves() -> None:
    found = played("itp", "passion_fruit", ["Not available: passion fruit"])
    assert found.success
    assert found.steps == 0
    assert not played("itp", "passion_fruit", [MILK, *CALLS]).success


def test_a_new_wish_that_cannot_be_met_is_declined_and_what_is_begun_is_not_spoiled() -> None:
    episode = ordering(
        request="I want a milk.",
        new_request="With passion fruit, please.",
        before_step=1,
        first=drink(),
        wanted=None,
        declined=True,
    )
    found = played("itp", "milk", [MILK, CALLS[0], "Not available: passion fruit"], episode)
    assert found.success, (found.because, found.details)
    assert found.steps == 2
    other = plan("taro, milk", "add taro to the working cup")
    spoiled = played("itp", "milk", [MILK, CALLS[0], other, 'pour("working area", "taro")'], episode)
    assert not spoiled.success


def program(*keys: str) -> str:
    """What a program for a dishwasher looks like that takes these steps."""
    domain = machine()
    calls = [step for key in keys for step in domain.how(key)]
    return "\n".join(f"{step.skill}({', '.join(repr(value) for value in step.arguments.values())})" for step in calls)


PLATE = ("grasp plate", "prepare plate", "open", "pull", "put plate")
END = ("additive rose detergent", "close", "start", "wait", "wait", "wait", "check", "return")


def test_programs_are_scored_by_what_their_calls_amount_to() -> None:
    found = played("code_as_policies", "plate_rose", [program(*PLATE, *END)])
    assert found.success, (found.because, found.details)
    assert steps(found) == (11, 11, 0)


def test_a_program_that_forgets_the_detergent() -> None:
    found = played("code_as_policies", "plate_rose", [program(*PLATE, *END[1:])])
    assert not found.success
    assert steps(found) == (10, 11, 0)


def test_a_program_gets_the_new_request_after_so_many_steps() -> None:
    episode = msgspec.structs.replace(
        PUBLISHED["plate_rose"].episode,
        new_request="A fork, too.",
        before_step=2,
        first=MachineOrder((("plate", 1),), "rose detergent"),
        wanted=MachineOrder((("plate", 1), ("fork", 1)), "rose detergent"),
    )
    fork = ("grasp fork", "prepare fork", "put fork")
    answers = [program(*PLATE, *END), program(*PLATE[2:], *fork, *END)]
    found = played("code_as_policies", "plate_rose", answers, episode)
    assert found.success, (found.because, found.details)
    assert steps(found) == (12, 12, 0)


def test_a_program_may_decline_in_words() -> None:
    found = played("code_as_policies", "passion_fruit", ["say('Sorry, there is no passion fruit.')"])
    assert found.success, found.because
    assert not played("code_as_policies", "passion_fruit", ["say('Here you are.')"]).success


def test_an_order_that_ended_too_early_is_changed_afterwards() -> None:
    found = played("code_as_policies", "replace_taro_3", ["say('I am off.')", "say('Still off.')"])
    assert not found.success
    assert steps(found) == (0, 4, 0)  # get, add strawberry jam, add milk, finish


# The judges -----------------------------------------------------------------------------------------------------------


def counter() -> CounterDomain:
    domain = open_domain(ordering(), SEED)
    assert isinstance(domain, CounterDomain)
    return domain


def test_a_drink_has_to_be_alone_and_right() -> None:
    domain = counter()
    assert domain.missing(drink()) == "0 at the finished location"
    do(domain, ["get", "add taro", "add milk", "finish"])
    assert domain.missing(drink("taro")) == ""
    assert domain.missing(drink()) == "there is taro in it"
    assert domain.missing(drink("taro", "boba")) == "there is no boba in it"
    assert "wrong order" in domain.missing(CounterOrder((("milk",), ("taro",))))
    assert domain.expected(drink("taro")).keys == ()
    do(domain, ["get"])
    assert domain.missing(drink("taro")) == "something is left at the working area"
    assert domain.spoiled(drink("taro")) == ""


def test_a_cup_in_the_hand_is_not_finished() -> None:
    domain = counter()
    do(domain, ["get"])
    step = domain.how("finish")[0]
    asyncio.run(domain.world.skills[step.skill].run(step.arguments))
    assert domain.spoiled(drink()) == "something is left in the gripper"
    assert [each.skill for each in domain.how("finish")] == ["place_cup"]


def test_calls_become_steps() -> None:
    domain = counter()
    calls = [step for key in ("get", "add boba", "add milk", "discard", "finish") for step in domain.how(key)]
    assert domain.calls(calls)[:3] == ["get", "add boba", "add milk"]
    wrong = [Step("pour", {"location": "cup stack", "ingredient": "milk"}, ""), Step("stir", {"location": "x"}, "")]
    assert domain.calls(wrong) == [None, None]


def machine() -> MachineDomain:
    domain = open_domain(PUBLISHED["plate_rose"].episode, SEED)
    assert isinstance(domain, MachineDomain)
    return domain


def test_dishes_have_to_be_those_that_were_ordered() -> None:
    order, domain = MachineOrder((("plate", 1),), "rose detergent"), machine()
    do(domain, [key for key in domain.expected(order).keys if key not in ("check", "return")])
    assert "nothing; ordered: 1 plate" in domain.missing(order)
    do(domain, ["wait", "wait", "return"])
    assert domain.missing(order) == ""
    assert "ordered: 2 plate" in domain.missing(MachineOrder((("plate", 2),), "rose detergent"))
    assert domain.missing(MachineOrder((("plate", 1),), "original detergent")) == "treated with rose detergent"
    assert domain.spoiled(MachineOrder((("plate", 1),), "original detergent")) == "treated with rose detergent"


def test_what_is_held_is_put_back_for_something_else() -> None:
    domain = machine()
    do(domain, ["grasp plate"])
    assert [domain.world.deeds[step.skill] for step in domain.how("grasp fork")] == ["put_back", "grasp"]
    assert domain.how("grasp plate") == []
    assert domain.expected(MachineOrder((("plate", 1),), "rose detergent")).keys[0] == "prepare plate"


def test_calls_of_a_machine_become_steps() -> None:
    domain = machine()
    order = MachineOrder((("plate", 1), ("fork", 1)), "rose detergent")
    calls, keys = list[Step](), domain.expected(order).keys
    for key in keys:
        calls += domain.how(key)
    again = [*calls[:-1], *(step for step in calls if step.skill.startswith(("wait", "check"))), calls[-1]]
    assert domain.calls(again) == list(keys)
    wrong = Step("put_on_rack", {"utensil": "plate", "rack": "first rack"}, "")
    assert domain.calls([calls[0], wrong]) == ["grasp plate", None]


# The benchmark --------------------------------------------------------------------------------------------------------


def test_each_row_is_a_task_with_its_own_number_of_episodes() -> None:
    items = items_of(BENCH, [CEILING], None, None, 0)
    assert len(items) == 35 + 200
    assert len([item for item in items if item.task == "random"]) == 200
    assert len(items_of(BENCH, [CEILING], ["milk", "random"], 3, 0)) == 1 + 3
    assert len(items_of(BENCH, [CEILING], ["random"], 300, 0)) == 300
    with pytest.raises(BadInput, match="--episodes-file"):
        items_of(BENCH, [CEILING], ["file"], None, 0)


@dataclass(frozen=True)
class Told:
    """Opens a model that says the same to everything."""

    text: str

    def __call__(self, name: str, settings: object) -> Scripted:
        return Scripted(lambda prompt: self.text)


def test_tables_and_paper_figures(tmp_path: Path) -> None:
    report = run_bench(
        "itp",
        presets=["itp", CEILING],
        model="told",
        episodes=1,
        seed=SEED,
        jobs=1,
        episodes_file=None,
        out=tmp_path,
        settings=Settings(home=tmp_path),
        progress=lambda done, total, what: None,
        tasks=["plate_rose", "lemon", "passion_fruit"],
        open_model=Told("Not available: lemon, passion fruit"),
    )
    cells = {(row.preset, row.task, row.metric): row for row in report.rows}
    assert cells["itp", "lemon", "success"].value == 1
    assert cells["itp", "passion_fruit", "success"].paper == 1
    assert cells["itp", "plate_rose", "step_rate"].value == 0
    assert cells["itp", "plate_rose", "step_rate"].paper == 1
    assert ("itp", "lemon", "step_rate") not in cells, "a declined request has no steps"
    assert cells["itp", "mean Table III", "success"].value == 0.5
    assert cells["itp", "mean Table III", "tokens_per_plan"].value > 0
    assert cells["ceiling", "mean Table III", "extra"].value == 0
    assert not any(row.task == "mean" and row.metric == "success" for row in report.rows)
    assert "mean Table III" in (tmp_path / "table.md").read_text()


def test_the_sentences_of_the_tables_are_complete() -> None:
    for row in PUBLISHED.values():
        for order in (row.episode.first, row.episode.wanted):
            if isinstance(order, CounterOrder):
                assert {f"add {each}" for each in order.materials} <= drinks_sentences().keys()
            if isinstance(order, MachineOrder):
                assert {f"put {kind}" for kind, _ in order.items} <= dishwashing_sentences().keys()
    assert PUBLISHED["milk"].episode.guidelines == shipped_text("drinks")
