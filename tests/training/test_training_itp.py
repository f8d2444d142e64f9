"""Practice for planning by guidelines: what is asked and what is right, checked without the code that drew it."""

from __future__ import annotations

import asyncio
import re
from itertools import islice

import numpy as np
import pytest

import training.demonstrators.itp as itp
from thinkaloud.guidelines import Guidelines, read_guidelines
from thinkaloud.guidelines.order_form import Want, read_order, work_out
from thinkaloud.language.calls import read_call
from thinkaloud.methods.itp.executor import CANNOT_PREFIX, render_documented_functions
from thinkaloud.methods.itp.planner_prompt import planner_answer_grammar, read_answer
from thinkaloud.models.gbnf import accepts
from thinkaloud.state.scene_text import render_scene
from thinkaloud_bench.itp.generating.crafts import CRAFT_THEMES
from thinkaloud_bench.itp.generating.food import FOOD_THEMES
from thinkaloud_bench.itp.generating.machines import MACHINE_THEMES
from thinkaloud_worlds.dishwasher import Dishwasher
from thinkaloud_worlds.drinks import Drinks
from training.demonstrators.itp.asking import Customer, Worker, strange
from training.demonstrators.itp.counter_plans import draw_stand
from training.demonstrators.itp.counters import Counter
from training.demonstrators.itp.machines import Machine
from training.demonstrators.itp.menus import draw_shop, draw_works, plural
from training.demonstrators.itp.shops import FANCY, PLANTS, TRADES, TREATS
from training.samples import Sample

BY_NAME = {each.name: each for each in itp.DEMONSTRATORS}


def drawn(name: str, count: int, seed: int = 3) -> list[Sample]:
    return list(islice(BY_NAME[name].forever(np.random.default_rng(seed)), count))


@pytest.fixture(scope="module")
def plans() -> list[Sample]:
    return drawn("itp.plan", 250)


def guidelines_in(sample: Sample) -> Guidelines:
    """The guidelines, read off the prompt alone."""
    return read_guidelines(re.split(r"\n\n(?=Request: )", sample.parts[0][0])[0])


def completed(prompt: str) -> list[str]:
    """The steps that a prompt says are done."""
    told = re.search(r"Completed steps:\n(.*?)\n\nNew request: ", prompt, re.DOTALL)
    return re.findall(r"^\d+\) (.*)$", told[1], re.MULTILINE) if told else []


def test_no_business_of_the_benchmark_is_practised_and_none_of_its_material_is_used() -> None:
    counters = (*FOOD_THEMES, *CRAFT_THEMES)
    theirs = {name for theme in counters for group in theme.groups for name in group.materials}
    theirs |= {name for theme in counters for name in (theme.noun, *theme.fancy)}
    theirs |= {name for theme in MACHINE_THEMES for name in (theme.machine, *theme.kinds, *theme.additives)}
    mine = {name for trade in TRADES for sort in trade.sorts for name in sort} | {trade.noun for trade in TRADES}
    mine |= {name for plant in PLANTS for name in (plant.machine, *plant.kinds, *plant.additives)} | {*TREATS, *FANCY}
    assert not mine & theirs


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [*BY_NAME])
def test_samples_vary_are_short_and_hold_nothing_out(name: str) -> None:
    samples = drawn(name, 120)
    assert len({sample.text for sample in samples}) > 100
    assert max(len(sample.text) for sample in samples) < 6000
    held_out = re.compile("|".join(itp.HELD_OUT), re.IGNORECASE)
    assert not [sample.text for sample in samples if held_out.search(sample.text)]
    assert drawn(name, 10) == drawn(name, 10)


# Plans ----------------------------------------------------------------------------------------------------------------


def test_every_plan_has_the_form_and_needs_only_what_is_available(plans: list[Sample]) -> None:
    grammar, seen = planner_answer_grammar(90), set[str]()
    for sample in plans:
        guidelines = guidelines_in(sample)
        for prompt, answer in sample.parts:
            assert accepts(grammar, answer), sample.text
            said = read_answer(answer, guidelines.available)
            seen.add(said.ending)
            assert not guidelines.missing(said.material), sample.text
            if said.lines:  # numbers go on from what is completed
                assert f"Steps:\n{len(completed(prompt))}) {said.lines[0]}\n" in answer
    assert seen == {"", "Not available", "Declined", "Nothing left"}


def test_what_is_said_not_to_be_available_is_not_listed_or_a_rule_says_so(plans: list[Sample]) -> None:
    for sample in plans:
        guidelines = guidelines_in(sample)
        for _, answer in sample.parts:
            said = read_answer(answer, guidelines.available)
            for name in said.why.split(", ") if said.ending == "Not available" else ():
                ruled = any(name.lower() in rule.lower() for rule in guidelines.rules)
                assert guidelines.missing([name]) or ruled, sample.text


def test_steps_are_said_in_the_words_of_the_guidelines(plans: list[Sample]) -> None:
    """Each line is a recipe's, or has the words of one with another name in it, or of a rule, or gives all up."""
    for sample in plans:
        guidelines = guidelines_in(sample)
        known = {word for line in guidelines.text.splitlines() for word in re.findall(r"\w+", line.lower())}
        asked = {word for prompt, _ in sample.parts for word in re.findall(r"\w+", prompt.lower())}
        for _, answer in sample.parts:
            for line in read_answer(answer, guidelines.available).lines:
                strange_words = {*re.findall(r"\w+", line.lower())} - known - asked
                numbers = {
                    "first",
                    "second",
                    "third",
                    "fourth",
                    "fifth",
                    "sixth",
                    "seventh",
                    "eighth",
                    "ninth",
                    "tenth",
                }
                many = {word for word in strange_words if any(each.startswith(word[:3]) for each in known | asked)}
                assert strange_words - numbers - many <= {"throw", "away", "and", "are", "is"}, (line, sample.text)


def test_finished_steps_stay_finished_unless_all_begins_anew() -> None:
    rng, seen = np.random.default_rng(11), set[str]()
    for _ in range(80):
        stand = draw_stand(rng)
        names = [name for name in stand.shop.free if not stand.guidelines.missing([name])][:3]
        if len(names) < 3 or stand.take_back or stand.pairs:
            continue
        first, same, other = (Want("", (*each, *stand.shop.base)) for each in (names[:2], names, names[2:]))
        done = stand.whole(first)[:2]
        kept, left = stand.left(same, done), stand.left(other, done)
        if stand.spoiled(same, done):
            assert kept == [stand.discard, *stand.whole(same)]
        else:
            assert not {*kept} & {*done} or stand.twice
            assert sorted([*done, *kept]) == sorted(stand.whole(same))
        began = stand.inside(done)[0] in stand.shop.base
        assert (left[0] == stand.discard) is not began
        assert stand.left(other, [*done, stand.discard]) == stand.whole(other)
        seen.add(str(began))
    assert "False" in seen


def test_a_rule_in_free_words_is_followed() -> None:
    rng, seen = np.random.default_rng(4), set[str]()
    for _ in range(120):
        stand = draw_stand(rng)
        free = [name for name in stand.shop.free if not stand.guidelines.missing([name])]
        want = Want("", tuple(dict.fromkeys([*free, *stand.shop.base])))
        lines = stand.whole(want)
        text = " ".join(stand.guidelines.rules).lower()
        if stand.always:
            seen.add("always")
            assert lines[-2] == stand.always and stand.always in text
        for name, deed in stand.after.items():
            seen.add("after")
            assert lines[lines.index(stand.adding[name]) + 1] == deed and deed in text
        for name in stand.twice:
            seen.add("twice")
            assert lines.count(stand.adding[name]) == 2 and name in text
        for name, other in stand.pairs.items():
            seen.add("pair")
            assert other in stand.material(Want("", (name,))) and other in text
        if stand.sold_out:
            seen.add("sold out")
            assert "\nNot available: " in stand.answer("", [want], [], 0)[0]
        if stand.apart:
            seen.add("apart")
            assert "\nDeclined: " in stand.answer("", [Want("", tuple(stand.apart))], [], 0)[0]
    assert seen == {"always", "after", "twice", "pair", "sold out", "apart"}


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
        for want in work_out(read_order(asked.order, works.guidelines), works.guidelines):
            for kind, count in want.things:
                said_so = {str(count), numbers[count], *(["a", "an"] if count == 1 else [])}
                found = re.search(
                    rf"(\w+) (?:the )?(?:{re.escape(plural(kind))}|{re.escape(kind)})", asked.request, re.I
                )
                assert found and ({found[1].lower()} & said_so or found[1].lower() in ("all", "the")), asked
            assert len(want.material) == 1


def test_what_is_strange_is_not_there() -> None:
    rng = np.random.default_rng(8)
    shop = draw_shop(rng)
    for _ in range(40):
        assert shop.guidelines.missing([strange(rng, shop.guidelines, shop.lacking)])


# Calls ----------------------------------------------------------------------------------------------------------------


def functions_in(prompt: str) -> dict[str, str]:
    return dict(re.findall(r"^(?:# )?(\w+)\(([^)]*)\): ", prompt, re.MULTILINE))


def test_calls_are_calls_of_the_functions_shown_with_names_that_are_told() -> None:
    said_no = 0
    for sample in drawn("itp.calls", 400) + drawn("itp.orders", 300):
        ((prompt, answer),) = sample.parts
        assert answer.endswith("\n#")
        calls = answer.removesuffix("\n#").split("\n")
        assert 1 <= len(calls) <= 3
        if calls[0].startswith(CANNOT_PREFIX):
            said_no += 1
            continue
        functions, names = functions_in(prompt), prompt.split("\n#\n")[0].partition("\nNames: ")[2]
        for call in calls:
            name, given, _ = read_call(call)
            assert len(given) == len([each for each in functions[name].split(", ") if each]), sample.text
            assert all(str(each) in names for each in given if not isinstance(each, int)), sample.text
    assert said_no > 3


def test_whatever_is_put_down_is_in_the_hand_or_is_taken_first() -> None:
    """By the prompt alone: what the scene says is held, and what the calls before have taken."""
    seen = set[str]()
    for sample in drawn("itp.orders", 500):
        ((prompt, answer),) = sample.parts
        scene = prompt.rpartition("\nScene: ")[2].split("\n")[0]
        held = "is in the gripper" in scene
        about = dict(re.findall(r"^(\w+)\([^)]*\): (.*)$", prompt.split("\n#\n")[0], re.MULTILINE))
        names = list(about)
        take, put = names[0], next((name for name in names if name.startswith("put_on_")), names[1])
        if not take.startswith("grasp_") or not put.startswith(("place_", "put_on_")):
            continue  # robots that are called otherwise
        for call in answer.removesuffix("\n#").split("\n"):
            name = call.partition("(")[0]
            if name == put:
                assert held, sample.text
                seen.add("failed" if " failed: " in prompt else "plain")
            held = name == take or (held and name not in (put, "put_back"))
    assert seen == {"failed", "plain"}


def test_an_order_is_shown_as_the_executor_sees_it_in_the_worlds() -> None:
    """The scene and the functions of whole orders are those of the real worlds, call by call."""
    world, machine = Dishwasher(), Machine(Dishwasher().scene)
    world.reset(1000)
    for deed, given, own in (
        ("grasp", {"utensil": "bowl"}, {"item": "bowl"}),
        ("prepare", {}, {}),
        ("open", {}, {}),
        ("pull", {}, {}),
        ("put", {"utensil": "bowl", "rack": "second rack"}, {"item": "bowl", "compartment": "second rack"}),
        ("additive", {"detergent": "rose detergent"}, {"additive": "rose detergent"}),
        ("close", {}, {}),
        ("start", {}, {}),
        ("wait", {"minutes": 5}, {"minutes": 5}),
    ):
        name = next(name for name, each in world.deeds.items() if each == deed)
        asyncio.run(world.skills[name].function(**given))
        machine.rules.becomes(deed, machine.known, own)
        assert machine.told() == render_scene(world.observe()), deed
    bar = Drinks()
    bar.reset(1000)
    counter = Counter(bar.scene)
    assert counter.functions() == [skill.signature for skill in bar.skills.values()]
    assert render_documented_functions(counter.functions(), counter.vocabulary) == render_documented_functions(
        counter.functions(), bar.observe().vocabulary
    )
    asyncio.run(bar.skills["grasp_cup"].function("cup stack"))
    counter.take("cup stack")
    assert render_scene(counter.observed()) == render_scene(bar.observe())


def test_programs_are_calls_of_the_functions_shown_or_say_why_not() -> None:
    refused = 0
    for sample in drawn("itp.code", 120):
        ((prompt, answer),) = sample.parts
        assert answer.endswith("\n#")
        for call in answer.removesuffix("\n#").split("\n"):
            name, given, _ = read_call(call)
            refused += name == "say"
            assert name == "say" or len(given) == len([e for e in functions_in(prompt)[name].split(", ") if e])
    assert 3 < refused < 60
