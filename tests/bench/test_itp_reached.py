"""The tables can be reached by who reads nothing but the prompt: the shipped guidelines, a request, completed steps.

What each request wants is written down here; how that is made is read off the guidelines in the prompt.
"""

from __future__ import annotations

import re

import pytest

from thinkaloud.guidelines import Guidelines, read_guidelines, shipped_text
from thinkaloud.guidelines.remaining_steps import shown_order
from thinkaloud.methods.itp.planner_prompt import read_answer
from thinkaloud_bench.itp.episodes import CounterOrder, MachineOrder
from thinkaloud_bench.itp.expected_steps import (
    CounterState,
    ExpectedSteps,
    MachineState,
    expected_at_counter,
    expected_at_machine,
)
from thinkaloud_bench.itp.matching import Matcher
from thinkaloud_bench.itp.scoring import StepScore, score_steps
from thinkaloud_bench.itp.tables import DETERGENTS, MATERIALS, PUBLISHED, RACKS, dishwashing_sentences, drinks_sentences

DRINKS = Matcher(drinks_sentences(), MATERIALS)
DISHES = Matcher(dishwashing_sentences(), {*RACKS, *DETERGENTS})
ROWS = [row for row in PUBLISHED.values() if row.episode.wanted is not None]


def drinks_plan(guidelines: Guidelines, order: CounterOrder, done: list[str]) -> list[str]:
    """What a careful reader lists: the recipe that is nearest, in its own words; milk last, as in all of them."""
    (first, *_, last), shown = guidelines.recipes[0].steps, shown_order(guidelines)
    lines = {
        name: line for recipe in guidelines.recipes for name in recipe.material for line in recipe.steps if name in line
    }
    model = lines["boba"]
    adding = {name: lines.get(name, model.replace("boba", name)) for name in guidelines.available}
    wanted = sorted(order.materials, key=lambda name: any(shown.before(other, name) for other in order.materials))
    inside = [name for line in done for name, said in adding.items() if said == line]
    late = any(shown.before(name, other) for name in wanted if name not in inside for other in inside)
    whole = [first, *(adding[name] for name in wanted), last]
    if late or not {*inside} <= {*wanted}:
        return ["throw away the working cup", *whole]
    return [line for line in whole if line not in done]


def dishes_plan(guidelines: Guidelines, order: MachineOrder) -> list[str]:
    """The steps of the recipe for two plates, for each thing its own; the detergent of a recipe that names none."""
    steps = guidelines.recipes[1].steps
    homes = {kind: re.split(" for ", line)[0] for line in guidelines.locations for kind in RACKS if kind in line}
    homes["knife"] = next(line for line in guidelines.locations if "small" in line).split(" for ")[0]

    def block(kind: str, nth: int, count: int) -> list[str]:
        number = f"{['first', 'second', 'third', 'fourth'][nth]} " if count > 1 else ""
        lines = (steps[0].replace("first ", number), steps[1], steps[4].replace("third rack", homes[kind]))
        return [line.replace("plate", kind) for line in lines]

    each = [block(kind, nth, count) for kind, count in order.items for nth in range(count)]
    (grasp, remove, put), *others = each
    names = " and ".join(f"the {kind}{'s' * (count > 1)}" for kind, count in order.items)
    check = steps[12].replace("the plates are", f"{names} {'is' if len(each) == 1 else 'are'}")
    adding = steps[8].replace("original detergent", order.additive)
    loading = [grasp, remove, steps[2], steps[3], put, *(line for lines in others for line in lines)]
    return [*loading, adding, *steps[9:12], check, steps[13]]


def expected(order: CounterOrder | MachineOrder, contents: tuple[str, ...] | None) -> ExpectedSteps:
    if isinstance(order, MachineOrder):
        return expected_at_machine(order, MachineState())
    return expected_at_counter(order, CounterState(contents))


@pytest.mark.parametrize("name", [row.name for row in ROWS])
def test_a_row_is_reached(name: str) -> None:
    episode = PUBLISHED[name].episode
    guidelines, done, contents = read_guidelines(episode.guidelines), list[str](), None
    assert isinstance(episode.wanted, CounterOrder | MachineOrder)
    if isinstance(episode.first, CounterOrder):
        done = drinks_plan(guidelines, episode.first, [])[: episode.before_step]
        keys = [key or "" for key in DRINKS.lines(done)]
        contents = tuple(key.removeprefix("add ") for key in keys if key.startswith("add "))
    if isinstance(episode.wanted, CounterOrder):
        lines, matcher = drinks_plan(guidelines, episode.wanted, done), DRINKS
    else:
        lines, matcher = dishes_plan(guidelines, episode.wanted), DISHES
    gold = expected(episode.wanted, contents)
    assert score_steps(matcher.lines(lines), gold) == StepScore(len(gold.keys), len(gold.keys), 0), lines


def test_what_is_not_available_can_be_seen_in_the_guidelines() -> None:
    for row in PUBLISHED.values():
        if row.episode.declined:
            guidelines = read_guidelines(row.episode.guidelines)
            assert guidelines.missing(["passion fruit" if "passion" in row.name else "lemon detergent"])


def test_the_shipped_guidelines_say_what_the_papers_say_and_no_more() -> None:
    drinks, dishes = (read_guidelines(shipped_text(name)) for name in ("drinks", "dishwashing"))
    assert not drinks.rules and not drinks.locations and not dishes.rules
    assert [len(recipe.steps) for recipe in (*drinks.recipes, *dishes.recipes)] == [3, 4, 4, 11, 14, 14]
    for word in ("stir", "throw", "bin", "waste", "last", "everything"):
        assert not re.search(rf"\b{word}\b", drinks.text + dishes.text), word


def test_an_answer_in_the_form_is_read_back() -> None:
    lines = drinks_plan(read_guidelines(shipped_text("drinks")), CounterOrder((("taro",), ("milk",))), [])
    said = read_answer(
        "Thought: x\nMaterial: taro, milk\nSteps:\n" + "\n".join(f"{n}) {s}" for n, s in enumerate(lines))
    )
    assert (said.lines, said.material) == (tuple(lines), ("taro", "milk"))
