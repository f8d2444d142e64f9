"""Generated guidelines and requests: what holds for all of them."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache

import pytest

from thinkaloud.guidelines import Guidelines, read_guidelines, shipped, shipped_text
from thinkaloud_bench.itp import generating
from thinkaloud_bench.itp.episodes import CounterOrder, MachineOrder, OrderEpisode
from thinkaloud_bench.itp.generating import draw_order, sample
from thinkaloud_bench.itp.generating.crafts import CRAFT_THEMES
from thinkaloud_bench.itp.generating.food import FOOD_THEMES
from thinkaloud_bench.itp.generating.machines import MACHINE_THEMES
from thinkaloud_bench.itp.generating.speech import SORTS, join_as_said, pluralise, shorten_name, with_article
from thinkaloud_bench.phrases import load_phrases
from thinkaloud_worlds.dishwasher import Dishwasher
from thinkaloud_worlds.dishwasher.scene import read_machine_scene
from thinkaloud_worlds.drinks.scene import read_counter_scene

SEEDS = (*range(300), *range(500_000, 500_020))
COUNTERS = (*FOOD_THEMES, *CRAFT_THEMES)
MATERIALS = {name for theme in COUNTERS for group in theme.groups for name in group.materials}
MACHINE_KEYS = {"open", "pull", "close", "start", "wait", "check", "return"}


@cache
def episodes() -> tuple[tuple[OrderEpisode, Guidelines], ...]:
    return tuple((episode, read_guidelines(episode.guidelines)) for episode in map(draw_order, SEEDS))


def of(world: str) -> list[tuple[OrderEpisode, Guidelines]]:
    return [(episode, guidelines) for episode, guidelines in episodes() if episode.world == world]


def mentioned(text: str, guidelines: Guidelines) -> set[str]:
    """The materials that a request names, in full or without their sort, and those of the options that it names."""
    text = text.lower()
    found = set()
    for name in MATERIALS:
        head, _, last = name.rpartition(" ")
        called = head if last in SORTS else name
        if called in text and re.search(rf"\b{re.escape(called)}\b", text):
            found.add(name)
    for recipe in guidelines.recipes:
        if recipe.name.removeprefix("The ").lower() in text:
            found |= {*recipe.material}
    return found


def base(guidelines: Guidelines) -> set[str]:
    """What is in every recipe."""
    return set.intersection(*({*recipe.material} for recipe in guidelines.recipes))


def test_only_two_things_are_public() -> None:
    assert generating.__all__ == ["draw_order", "sample"]


def test_the_same_seed_gives_the_same_episode_and_others_give_others() -> None:
    assert [draw_order(seed) for seed in SEEDS[:20]] == [episode for episode, _ in episodes()[:20]]
    assert len({episode.guidelines for episode, _ in episodes()}) == len(SEEDS)


def test_there_is_enough_to_draw_from() -> None:
    requests = {
        template
        for name in ("counter_requests", "machine_requests")
        for templates in load_phrases("thinkaloud_bench.itp.generating", name).values()
        for template in templates
    }
    assert len(COUNTERS) >= 25
    assert len({theme.name for theme in COUNTERS}) == len(COUNTERS)
    assert len(MATERIALS) >= 300
    assert len(MACHINE_THEMES) >= 10
    assert len(requests) >= 60


def test_the_mix_is_the_one_that_is_reported() -> None:
    kinds: Counter[str] = Counter()
    for episode in map(draw_order, range(2000)):
        kinds["changed" if episode.new_request else "declined" if episode.declined else "made"] += 1
    assert 150 < kinds["changed"] < 250
    assert 240 < kinds["declined"] < 360
    options = sum(
        {*episode.wanted.materials} in [{*recipe.material} for recipe in guidelines.recipes]
        for episode, guidelines in of("drinks")
        if isinstance(episode.wanted, CounterOrder) and not episode.new_request
    )
    assert 0.08 < options / len(of("drinks")) < 0.22


def test_nothing_of_the_shipped_tasks_is_in_it() -> None:
    known = [read_guidelines(shipped_text(name)) for name in shipped() if name in ("drinks", "dishwashing")]
    words = {name.lower() for each in known for name in (*each.available, *each.options)}
    utensils = {"plate", "bowl", "cup", "fork", "knife", "spoon"}
    assert known
    assert not words & {name.lower() for name in MATERIALS}
    assert not {"boba", "matcha", "taro", "mango", "milk"} & {word for name in MATERIALS for word in name.split()}
    assert not utensils & {kind for theme in MACHINE_THEMES for kind in theme.kinds}
    assert not words & {name for theme in MACHINE_THEMES for name in theme.additives}
    assert "cup" not in {theme.vessel for theme in COUNTERS}
    assert "dishwasher" not in {theme.machine for theme in MACHINE_THEMES}


def test_guidelines_have_the_papers_form() -> None:
    for episode, guidelines in episodes():
        assert 3 <= len(guidelines.options) <= 4
        assert [recipe.name for recipe in guidelines.recipes] == [*guidelines.options]
        assert guidelines.available
        assert len(guidelines.locations) >= 3
        lines = episode.guidelines.splitlines()
        assert lines[0].startswith("Options: ")
        assert lines[1] == "Instructions:"
        assert lines[-1].startswith("Available material we have now: ")
        assert "{" not in episode.guidelines + episode.request + (episode.new_request or "")


def test_a_counter_says_how_everything_available_is_done() -> None:
    for episode, guidelines in of("drinks"):
        assert {*episode.says} == {"get", "discard", "finish", *(f"add {name}" for name in guidelines.available)}
        assert episode.says["discard"] in episode.guidelines
        assert len({*episode.says.values()}) == len(episode.says)
        for recipe in guidelines.recipes:
            if {*recipe.material} <= {*guidelines.available}:
                assert recipe.steps == tuple(
                    episode.says[key] for key in ("get", *(f"add {name}" for name in recipe.material), "finish")
                )


def test_a_machine_says_how_everything_available_is_done() -> None:
    for episode, guidelines in of("dishwasher"):
        scene = read_machine_scene(episode.scene)
        kinds = {f"{verb} {kind}" for kind in scene.kinds for verb in ("grasp", "prepare", "put")}
        assert {*episode.says} == MACHINE_KEYS | kinds | {f"additive {name}" for name in guidelines.available}
        assert {*guidelines.available} == {*scene.additives}
        assert len({*episode.says.values()}) == len(episode.says)
        locations = "\n".join(guidelines.locations)
        for each in scene.items:
            assert re.search(rf"{each.belongs}.*\b{pluralise(each.kind)}\b", locations)
            assert each.belongs in episode.says[f"put {each.kind}"]
        assert [len(recipe.steps) for recipe in guidelines.recipes] in ([11, 14, 14], [11, 17, 14])


def test_no_recipe_breaks_the_order_that_is_expected_of_orders() -> None:
    for episode, guidelines in of("drinks"):
        for order in (episode.first, episode.wanted):
            if not isinstance(order, CounterOrder):
                continue
            level = {name: number for number, layer in enumerate(order.layers) for name in layer}
            for recipe in guidelines.recipes:
                levels = [level[name] for name in recipe.material if name in level]
                assert levels == sorted(levels)


def test_what_is_wanted_is_there_and_was_asked_for() -> None:
    for episode, guidelines in of("drinks"):
        said = mentioned(f"{episode.request} {episode.new_request or ''}", guidelines)
        for order in (episode.first, episode.wanted):
            if isinstance(order, CounterOrder):
                assert base(guidelines) <= {*order.materials} <= {*guidelines.available}, episode.id
                assert {*order.materials} <= said | base(guidelines), episode.id
                assert len({*order.materials}) == len(order.materials)
    for episode, guidelines in of("dishwasher"):
        scene = read_machine_scene(episode.scene)
        there = {each.kind: each.count for each in scene.items}
        said_too = f"{episode.request} {episode.new_request or ''}".lower()
        for machine_order in (episode.first, episode.wanted):
            if isinstance(machine_order, MachineOrder):
                assert machine_order.additive in guidelines.available
                assert all(1 <= count <= there[kind] and kind in said_too for kind, count in machine_order.items)


REFUSED = (
    r"\bno|without|without any|minus|leave out|hold the|except|don't want|instead of|in place of|rather than|"
    r"where you would take"
)


def test_a_careful_reader_gets_from_request_and_recipes_to_what_is_wanted() -> None:
    for episode, guidelines in of("drinks"):
        if episode.new_request is not None or not isinstance(episode.wanted, CounterOrder):
            continue
        text = episode.request.lower()
        named = [recipe for recipe in guidelines.recipes if recipe.name.removeprefix("The ").lower() in text]
        wanted = {name for recipe in named for name in recipe.material} | base(guidelines)
        refused = set()
        for name in guidelines.available:
            head, _, last = name.rpartition(" ")
            called = re.escape(name) + (f"|{re.escape(head)}" if last in SORTS else "")
            if re.search(rf"(?:{REFUSED}) (?:{called})\b|\b(?:{called}) replaced by", text):
                refused.add(name)
            elif re.search(rf"\b(?:{called})\b", text):
                wanted.add(name)
        assert wanted - refused == {*episode.wanted.materials}, f"{episode.id}: {episode.request}"


def test_what_an_option_is_called_could_not_be_a_material() -> None:
    for theme in COUNTERS:
        words = {word for group in theme.groups for name in group.materials for word in name.split()}
        assert not words & {word for name in theme.fancy for word in name.lower().split()}, theme.name


def test_what_is_declined_asks_for_something_that_is_not_there() -> None:
    declined = [(episode, guidelines) for episode, guidelines in episodes() if episode.declined]
    assert declined
    for episode, guidelines in declined:
        said = episode.new_request or episode.request
        names = mentioned(said, guidelines)
        names |= {name for theme in MACHINE_THEMES for name in theme.additives if name in said.lower()}
        assert guidelines.missing(names), episode.id
        assert episode.wanted is None


def test_a_sold_out_option_cannot_be_had() -> None:
    assert any(
        episode.declined and guidelines.missing(recipe.material) and recipe.name.lower() in episode.request.lower()
        for episode, guidelines in episodes()
        for recipe in guidelines.recipes
    )


def test_a_new_request_comes_while_the_first_is_carried_out_and_changes_it() -> None:
    changed = [episode for episode, _ in episodes() if episode.new_request is not None]
    assert {episode.before_step for episode in changed} == {1, 2, 3}
    assert any(episode.declined for episode in changed)
    for episode in changed:
        assert episode.first is not None
        assert episode.first != episode.wanted
        steps = 11 if isinstance(episode.first, MachineOrder) else len(episode.first.materials) + 2
        assert episode.before_step is not None
        assert episode.before_step < steps
    assert all(
        (episode.before_step, episode.first) == (None, None) for episode, _ in episodes() if not episode.new_request
    )


def test_every_scene_is_one_of_its_world_and_its_skills_have_words_for_every_step() -> None:
    for episode, guidelines in of("dishwasher")[:40]:
        skills = Dishwasher(read_machine_scene(episode.scene)).skills
        assert not guidelines.undocumented(skills), episode.id
        assert all(guidelines.doable(said, skills) for said in episode.says.values()), episode.id
    for episode, guidelines in of("drinks"):
        scene = read_counter_scene(episode.scene)
        assert {each.name for each in scene.ingredients} == {*guidelines.available}
        places = scene.called.named()
        assert all(any(place in line for line in guidelines.locations) for place in places.values())
        assert places["work"] in episode.says["get"]
        assert places["finished"] in episode.says["finish"]
        assert places["waste"] in episode.says["discard"]


def test_the_drinks_world_has_words_for_every_step() -> None:
    from thinkaloud_worlds.drinks import Drinks

    for episode, guidelines in of("drinks")[:15]:
        skills = Drinks(read_counter_scene(episode.scene)).skills
        assert not guidelines.undocumented(skills), episode.id
        assert all(guidelines.doable(said, skills) for said in episode.says.values()), episode.id


def test_a_sample_can_be_read_by_people() -> None:
    text = sample(3, 40)
    assert [f"random-{seed}" in text for seed in (39, 40, 41, 42, 43)] == [False, True, True, True, False]
    assert draw_order(41).request in text
    assert sample(0) == ""


@pytest.mark.parametrize(
    ("noun", "several"), [("box", "boxes"), ("pastry", "pastries"), ("key", "keys"), ("mug", "mugs")]
)
def test_plurals_are_regular(noun: str, several: str) -> None:
    assert pluralise(noun) == several


def test_a_short_name_is_used_only_where_nothing_else_could_be_meant() -> None:
    assert shorten_name("cherry syrup", ["cherry syrup", "lime syrup"]) == "cherry"
    assert shorten_name("cherry syrup", ["cherry syrup", "cherry jelly"]) == "cherry syrup"
    assert shorten_name("red sand", ["red sand"]) == "red sand"


def test_articles_and_lists_are_right() -> None:
    assert (with_article("oven"), with_article("soda"), with_article("unit")) == ("an oven", "a soda", "a unit")
    assert join_as_said(random.Random(1), ["salt"]) == "salt"
