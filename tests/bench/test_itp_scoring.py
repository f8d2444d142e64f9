"""What the guidelines imply, what a line of a plan means, and how many steps are right."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.guidelines import read_guidelines, shipped_text
from thinkaloud_bench.itp.episodes import CounterOrder, MachineOrder
from thinkaloud_bench.itp.expected_steps import (
    CounterState,
    ExpectedSteps,
    MachineState,
    can_become,
    expected_as_listed,
    expected_at_counter,
    expected_at_machine,
)
from thinkaloud_bench.itp.matching import Matcher
from thinkaloud_bench.itp.scoring import StepScore, score_steps
from thinkaloud_bench.itp.tables import (
    DETERGENTS,
    MATERIALS,
    PUBLISHED,
    RACKS,
    dishwashing_sentences,
    drink,
    drinks_sentences,
    published_figures,
)

DRINKS = Matcher(drinks_sentences(), MATERIALS)
DISHES = Matcher(dishwashing_sentences(), [*RACKS, *DETERGENTS])
STRAWBERRY_BOBA = drink("strawberry", "boba")


def wash(**items: int) -> MachineOrder:
    return MachineOrder(tuple(items.items()), "original detergent")


# What is left to do ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row", [row for row in PUBLISHED.values() if row.table == "Table II"], ids=lambda row: row.name
)
def test_table_2_is_read_as_the_paper_counts_it(row: object) -> None:
    """Flavours go in as the request names them, so that the state before each step is the paper's."""
    episode = row.episode  # type: ignore[attr-defined]
    poured = [m for layer in episode.first.layers for m in layer][: episode.before_step - 1]
    if row.name.startswith("reorder"):  # type: ignore[attr-defined]
        poured = ["boba", "strawberry jam", "milk"][: episode.before_step - 1]  # "strawberry boba": the boba went first
    gold = expected_at_counter(episode.wanted, CounterState(tuple(poured)))
    printed = row.itp[1]  # type: ignore[attr-defined]
    ours = {"add_boba_3": 6, "no_strawberry_2": 6}.get(row.name, printed)  # type: ignore[attr-defined]
    assert len(gold.keys) == ours


@pytest.mark.parametrize("name", [row.name for row in PUBLISHED.values() if row.table == "Table III" and row.itp])
def test_table_3_has_the_papers_steps(name: str) -> None:
    order = PUBLISHED[name].episode.wanted
    assert isinstance(order, MachineOrder)
    printed = PUBLISHED[name].itp
    assert printed is not None
    assert len(expected_at_machine(order, MachineState()).keys) == (26 if name == "six_utensils" else printed[1])


def test_a_cup_that_can_be_used_is_used() -> None:
    gold = expected_at_counter(STRAWBERRY_BOBA, CounterState(("boba",)))
    assert gold.keys == ("add strawberry jam", "add milk", "finish")


def test_a_cup_with_milk_in_it_is_too_late_for_boba() -> None:
    gold = expected_at_counter(STRAWBERRY_BOBA, CounterState(("strawberry jam", "milk")))
    assert gold.keys[:2] == ("discard", "get")
    assert len(gold.keys) == 6


def test_what_is_finished_and_right_needs_nothing() -> None:
    assert expected_at_counter(drink(), CounterState(("milk",), finished=True)).keys == ()
    assert expected_at_counter(drink("boba"), CounterState(("milk",), finished=True)).keys[0] == "discard"


@pytest.mark.parametrize(
    ("inside", "can"),
    [((), True), (("a",), True), (("b", "a"), True), (("a", "c"), False), (("c",), False), (("x",), False)],
)
def test_when_a_vessel_can_be_used(inside: tuple[str, ...], can: bool) -> None:
    assert can_become(inside, CounterOrder((("a", "b"), ("c",)))) is can


def test_layers_that_went_in_the_wrong_way_round_cannot_be_mended() -> None:
    assert not can_become(("b", "a"), CounterOrder((("a",), ("b",))))


def test_what_is_in_the_machine_stays() -> None:
    state = MachineState({"plate": 1}, held="plate", prepared=True, opened=True, pulled=True)
    assert expected_at_machine(wash(plate=3), state).keys == (
        "put plate",
        *("grasp plate", "prepare plate", "put plate"),
        *("additive original detergent", "close", "start", "wait", "check", "return"),
    )


def test_the_wrong_additive_is_replaced() -> None:
    assert (
        "additive original detergent"
        in expected_at_machine(wash(plate=1), MachineState(additive="rose detergent")).keys
    )
    done = expected_at_machine(wash(plate=1), MachineState(additive="original detergent"))
    assert not any(key.startswith("additive") for key in done.keys)


def test_the_sentences_are_those_of_the_shipped_guidelines() -> None:
    for name, says in (("drinks", drinks_sentences()), ("dishwashing", dishwashing_sentences())):
        matcher = DRINKS if name == "drinks" else DISHES
        for recipe in read_guidelines(shipped_text(name)).recipes:
            assert None not in matcher.lines(recipe.steps)
            named = ("first", "second", "clean")  # which of several, and what was washed
            assert all(step in says.values() or any(each in step for each in named) for step in recipe.steps)


def test_the_papers_means() -> None:
    rates = published_figures()["step_rate"]
    assert sum(rates["code_as_policies"].values()) / len(rates["code_as_policies"]) == pytest.approx(0.8)
    assert sum(published_figures()["success"]["code_as_policies"].values()) == 5
    assert published_figures()["extra"]["itp"]["no_strawberry_3"] == 1


# What a line means ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("0) take an empty cup to the working area", "get"),
        ("Get an empty cup and bring it to the working area.", "get"),
        ("grab a cup from the cup stack and place it in the working area", "get"),
        ("pour the milk into the working cup", "add milk"),
        ("scoop some boba into the cup", "add boba"),
        ("add strawberry to the cup", "add strawberry jam"),
        ("add boba to the strawberry milk", "add boba"),
        ("put the boba milk at the finished location", "finish"),
        ("discard the working cup", "discard"),
        ("stir the mixture until the matcha powder is well mixed", None),
        ("add passion fruit jam to the working cup", None),
        ("add cocoa powder to the working cup", None),
        ("remove the strawberry jam from the working cup", None),
        ("sing a song", None),
    ],
)
def test_a_line_about_a_drink(line: str, key: str | None) -> None:
    assert DRINKS.keys(line) == [key]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("grasp the second dirty plate", "grasp plate"),
        ("pick up the knives", "grasp knife"),
        ("put the first plate on the third rack", "put plate"),
        ("put the plate on the first rack", None),
        ("put the bowl on the rack", None),
        ("add the rose detergent into the detergent dispenser", "additive rose detergent"),
        ("add lemon detergent to the dispenser", None),
        ("shut the dishwasher", "close"),
        ("wait a few minutes", "wait"),
        ("check that everything is clean and dry", "check"),
        ("return all clean utensils to the finished location", "return"),
    ],
)
def test_a_line_about_dishes(line: str, key: str | None) -> None:
    assert DISHES.keys(line) == [key]


def test_a_line_may_list_several_materials() -> None:
    assert DRINKS.keys("add boba, taro and mango jam to the working cup") == ["add boba", "add taro", "add mango jam"]


def test_it_is_what_the_line_before_was_about() -> None:
    lines = ["grasp the dirty fork", "remove large particles from it", "put it on the first rack"]
    assert DISHES.lines(lines) == ["grasp fork", "prepare fork", "put fork"]


@given(st.text(max_size=80))
def test_any_line_means_something_or_nothing(line: str) -> None:
    assert all(key is None or key in drinks_sentences() for key in DRINKS.keys(line))


# How many are right ---------------------------------------------------------------------------------------------------

FULL = expected_at_counter(drink("strawberry", "matcha", "boba"), CounterState())


def test_flavours_may_go_in_in_any_order() -> None:
    first, *flavours, milk, last = FULL.keys
    for order in itertools.permutations(flavours):
        assert score_steps([first, *order, milk, last], FULL) == StepScore(6, 6, 0)


def test_milk_before_boba_is_one_step_at_the_wrong_place() -> None:
    keys = ["get", "add strawberry jam", "add milk", "add boba", "finish"]
    assert score_steps(keys, expected_at_counter(STRAWBERRY_BOBA, CounterState())) == StepScore(4, 5, 0)


def test_an_extra_step_costs_nothing_but_is_counted() -> None:
    keys = [*FULL.keys[:-1], None, FULL.keys[-1], "add milk"]
    assert score_steps(keys, FULL) == StepScore(6, 6, 2)


def test_a_missing_step_is_the_only_one_missing() -> None:
    assert score_steps(FULL.keys[1:], FULL) == StepScore(5, 6, 0)
    assert score_steps([], FULL) == StepScore(0, 6, 0)


def test_a_step_said_twice_counts_where_it_is_right() -> None:
    assert score_steps(["finish", *FULL.keys], FULL) == StepScore(6, 6, 1)


def test_the_wrong_way_round_leaves_one() -> None:
    gold = expected_as_listed(["a", "b", "c", "d"], lambda step: step)
    assert score_steps(["d", "c", "b", "a"], gold) == StepScore(1, 4, 0)


def test_things_go_in_in_any_order_but_one_at_a_time() -> None:
    gold = expected_at_machine(wash(plate=1, fork=1), MachineState())
    plate, fork = ([f"{deed} {kind}" for deed in ("grasp", "prepare", "put")] for kind in ("plate", "fork"))
    end = list(gold.keys[-6:])
    assert score_steps(["open", "pull", *fork, *plate, *end], gold) == StepScore(14, 14, 0)
    assert score_steps([*plate[:2], "open", "pull", plate[2], *fork, *end], gold) == StepScore(14, 14, 0)
    mixed = [plate[0], fork[0], plate[1], fork[1], "open", "pull", plate[2], fork[2], *end]
    assert score_steps(mixed, gold) == StepScore(12, 14, 0)


def test_detergent_may_come_any_time_while_the_door_is_open() -> None:
    gold = expected_at_machine(wash(cup=1), MachineState())
    early = ["open", "additive original detergent", "pull", "grasp cup", "prepare cup", "put cup"]
    assert score_steps([*early, *gold.keys[-5:]], gold).right == 11
    late = [key for key in gold.keys if not key.startswith("additive")]
    assert score_steps([*late[:-4], "additive original detergent", *late[-4:]], gold).right == 10


def test_a_thing_that_was_not_prepared_spoils_no_other() -> None:
    gold = expected_at_machine(wash(plate=2), MachineState())
    keys = list(gold.keys)
    keys.remove("prepare plate")
    assert score_steps(keys, gold) == StepScore(13, 14, 0)


def test_steps_of_a_file_are_free_only_among_the_same_sentence() -> None:
    gold = expected_as_listed(["get", "add boba", "add taro", "pour", "go"], lambda step: step.split()[0])
    assert score_steps(["get", "add taro", "add boba", "pour", "go"], gold).right == 5
    assert score_steps(["add boba", "get", "add taro", "pour", "go"], gold).right == 4


@given(st.permutations(list(FULL.keys)), st.integers(0, 5))
def test_the_score_is_the_best_part_that_contradicts_nothing(keys: list[str], dropped: int) -> None:
    keys = keys[dropped:]
    places = {key: at for at, key in enumerate(FULL.keys)}

    def fits(part: tuple[str, ...]) -> bool:
        return not any((places[b], places[a]) in FULL.before for a, b in itertools.combinations(part, 2))

    sizes = (n for n in range(len(keys), -1, -1) if any(map(fits, itertools.combinations(keys, n))))
    assert score_steps(keys, FULL).right == next(sizes)


def test_no_gold_no_steps() -> None:
    assert score_steps(["get", None], ExpectedSteps(())) == StepScore(0, 0, 2)
