"""Practice for planning by guidelines: what is asked and what is right, checked without the code that drew it."""

from __future__ import annotations

import re
from itertools import islice

import numpy as np
import pytest

import training.demonstrators.itp as itp
from thinkaloud.calls import read_call
from thinkaloud.methods.itp.orders import order_grammar, order_prompt, read_order, work_out
from thinkaloud.methods.itp.rule_facts import read_rule, rule_grammar
from thinkaloud.models.gbnf import accepts
from thinkaloud_bench.itp.generating.crafts import CRAFT_THEMES
from thinkaloud_bench.itp.generating.food import FOOD_THEMES
from thinkaloud_bench.itp.generating.machines import MACHINE_THEMES
from training.demonstrators.itp.asking import Customer, Worker, said, strange
from training.demonstrators.itp.menus import draw_shop, draw_works, plural
from training.demonstrators.itp.ruling import SORTS, place, rule
from training.demonstrators.itp.shops import FANCY, PLANTS, TRADES, TREATS
from training.samples import Sample

BY_NAME = {each.name: each for each in itp.DEMONSTRATORS}


def drawn(name: str, count: int, seed: int = 3) -> list[Sample]:
    return list(islice(BY_NAME[name].forever(np.random.default_rng(seed)), count))


def test_no_business_of_the_benchmark_is_practised_and_none_of_its_material_is_used() -> None:
    counters = (*FOOD_THEMES, *CRAFT_THEMES)
    theirs = {name for theme in counters for group in theme.groups for name in group.materials}
    theirs |= {name for theme in counters for name in (theme.noun, *theme.fancy)}
    theirs |= {name for theme in MACHINE_THEMES for name in (theme.machine, *theme.kinds, *theme.additives)}
    mine = {name for trade in TRADES for sort in trade.sorts for name in sort} | {trade.noun for trade in TRADES}
    mine |= {name for plant in PLANTS for name in (plant.machine, *plant.kinds, *plant.additives)} | {*TREATS, *FANCY}
    assert not mine & theirs


@pytest.mark.parametrize("name", [*BY_NAME])
def test_samples_vary_are_short_and_hold_nothing_out(name: str) -> None:
    samples = drawn(name, 200)
    assert len({sample.text for sample in samples}) > 150
    assert max(len(sample.text) for sample in samples) < 4000
    held_out = re.compile("|".join(itp.HELD_OUT), re.IGNORECASE)
    assert not [sample.text for sample in samples if held_out.search(sample.text)]
    assert drawn(name, 20) == drawn(name, 20)


def test_every_short_form_of_an_order_is_allowed_and_means_what_was_chosen() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        shop = draw_shop(rng)
        asked = said(rng, Customer(rng, shop).first())
        assert accepts(order_grammar(shop.guidelines, asked.request, changes=False), f"{asked.order}\n"), asked
        material = {
            name
            for want in work_out(read_order(asked.order, shop.guidelines), shop.guidelines)
            for name in want.material
        }
        lacking = [name for name in asked.unknown if f"- {name}" not in asked.order]
        assert set(shop.guidelines.missing(material)) == {*lacking}
        if " - " not in asked.order and asked.order != " none":
            assert {*shop.base} <= material


def test_a_change_is_made_to_what_was_ordered_before() -> None:
    rng = np.random.default_rng(6)
    seen = set[str]()
    for _ in range(120):
        shop = draw_shop(rng)
        person = Customer(rng, shop)
        first = person.first()
        if first.unknown or first.order == " none":
            continue
        then = person.change(first.order)
        before = work_out(read_order(first.order, shop.guidelines), shop.guidelines)
        after = work_out(read_order(then.order, shop.guidelines), shop.guidelines, before)
        changes = re.match(r" same(?: \+ (?P<plus>[^-]+?))?(?: - (?P<minus>.+))?$", then.order)
        if changes is None or len(before) > 1:
            continue
        plus, minus = ({*(changes[sign] or "").split(", ")} - {""} for sign in ("plus", "minus"))
        assert {*after[-1].material} == ({*before[-1].material} | plus) - minus, (first, then)
        seen.add(f"{bool(plus)}{bool(minus)}")
    assert seen == {"TrueFalse", "FalseTrue", "TrueTrue"}


def test_things_are_counted_as_they_were_asked_for() -> None:
    rng = np.random.default_rng(7)
    numbers = ("a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    for _ in range(60):
        works = draw_works(rng)
        asked = Worker(rng, works).first()
        assert accepts(order_grammar(works.guidelines, asked.request, changes=False), f"{asked.order}\n"), asked
        for want in work_out(read_order(asked.order, works.guidelines), works.guidelines):
            for kind, count in want.things:
                said_so = {str(count), numbers[count], *(["a", "an"] if count == 1 else [])}
                found = re.search(
                    rf"(\w+) (?:the )?(?:{re.escape(plural(kind))}|{re.escape(kind)})", asked.request, re.I
                )
                assert found and ({found[1].lower()} & said_so or found[1].lower() in ("all", "the")), asked
            assert len(want.material) == 1
        assert all(kind in order_prompt(works.guidelines) for kind in works.kinds if kind != works.hidden)


def test_what_is_strange_is_not_there() -> None:
    rng = np.random.default_rng(8)
    shop = draw_shop(rng)
    for _ in range(40):
        assert shop.guidelines.missing([strange(rng, shop.guidelines, shop.lacking)])


def test_rules_are_read_as_they_were_meant() -> None:
    rng = np.random.default_rng(9)
    kinds = set[str]()
    for _ in range(150):
        shop = draw_shop(rng)
        words, short = rule(rng, shop)
        assert accepts(rule_grammar(words, shop.guidelines), f"{short}\n"), (words, short)
        facts = read_rule(short, shop.guidelines)
        kinds.add(short.split()[0])
        named = {name for order in facts.orders for group in order for name in group} | {*facts.every, *facts.default}
        assert all(name.lower() in words.lower() for name in named - {"others"}), (words, short)
        assert facts.undo.lower() in words.lower()
    assert kinds == {"order", "every", "default", "undo", "none"}


def test_things_belong_where_their_sort_is() -> None:
    rng = np.random.default_rng(10)
    for _ in range(60):
        thing, guidelines, places, right = place(rng)
        line = next(line for line in guidelines.locations if line.startswith(right))
        assert right in places
        assert any(thing in things and sort in line for sort, things in SORTS.items())


def test_calls_are_calls_of_the_functions_shown_with_names_that_are_told() -> None:
    for sample in drawn("itp.calls", 300):
        ((prompt, answer),) = sample.parts
        functions = dict(re.findall(r"(\w+)\(([^)]*)\)", prompt.splitlines()[0]))
        assert answer.endswith("\n#")
        calls = answer.removesuffix("\n#").split("\n")
        assert 1 <= len(calls) <= 3
        for call in calls:
            name, given, _ = read_call(call)
            taken = [each for each in functions[name].split(", ") if each]
            assert len(given) == len(taken) or taken == ["minutes"]
            assert all(str(each) in prompt for each in given), sample.text
