"""Demonstrations of meanings: prompts are the stage's own, programs are right, and a third of them are no deeds."""

from __future__ import annotations

import ast
import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from sampling import how_many
from thinkaloud import Agent
from thinkaloud.guidelines import read_guidelines
from thinkaloud.guidelines.order_form import Order
from thinkaloud.guidelines.rules import render_rule, rules_known
from thinkaloud.language.words import NUMBERS, ORDINALS
from thinkaloud.models.contract import Scores
from thinkaloud.models.gbnf import accepts
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Meaning, Refused
from thinkaloud.robots import open_world
from thinkaloud.understand.conversation import all_heard
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import NO, STOPS, YES, render_prompt
from thinkaloud.worlds.full_world import FullWorld
from training.demonstrators import demonstrators
from training.demonstrators.inner_monologue.scenes import Scene
from training.demonstrators.itp.menus import draw_works
from training.demonstrators.meanings import DEMONSTRATORS, domains, homes, talking
from training.demonstrators.meanings.common import Common
from training.demonstrators.meanings.goals import Goal, Wrong, check, facts
from training.demonstrators.meanings.machines import machine
from training.demonstrators.meanings.relating import Relating
from training.demonstrators.meanings.rules import home_samples, rule_samples
from training.demonstrators.meanings.shops import written_as
from training.demonstrators.meanings.shortly import Ours, Unsaid
from training.demonstrators.meanings.spots import Spots, scatter
from training.demonstrators.meanings.tabletop import Plain, laid
from training.demonstrators.meanings.tabletop import Tabletop as Asking
from training.demonstrators.meanings.talking import END, Said, Talk
from training.demonstrators.statler import scenes as tables
from training.samples import Sample
from training.teacher import Teacher

NAMES = [each.name for each in DEMONSTRATORS]


class Fluent(Teacher):
    """A teacher that is shown what a model is shown which was trained to write meanings; nobody needs help."""

    fluent = True

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        return Scores((-30.0,) * len(options))


@cache
def begun(name: str) -> tuple[list[Sample], Iterator[Sample]]:
    """What has been drawn, and what comes next; each is drawn once for all tests."""
    samples = demonstrators()[name].forever(np.random.default_rng(3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(talking, "CHECKED", 1.0)
        return list(islice(samples, 25)), samples


def drawn(name: str, count: int = 60) -> list[Sample]:
    """Of the first 25, every program is run: Wrong, Misfit or CodeRefused where one is not right."""
    known, more = begun(name)
    known += islice(more, max(count - len(known), 0))
    return known[:count]


def programs_of(samples: list[Sample]) -> list[str]:
    """All answers but second opinions."""
    return [answer for sample in samples for asked, answer in sample.parts if not asked.endswith("# so?")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_programs_run_and_fit_the_grammar_and_a_third_is_no_deed(name: str) -> None:
    opinions = set[str]()
    for sample in drawn(name):
        assert sample.family == name
        for prompt, answer in sample.parts:
            assert answer.endswith(END)
            assert not any(stop in answer.removesuffix(END) for stop in STOPS)
            if prompt.endswith("\n# so?"):
                assert answer.removesuffix(END) in (YES, NO) and prompt == sample.parts[-1][0]
                opinions.add(answer)
                continue
            assert prompt.endswith('"\n')
            ast.parse(answer)
        assert sample.text.startswith(("# of: ", "# places: ") if name == "meaning.rules" else "# robot\n")
    if name == "meaning.rules":
        return
    assert opinions
    answers = programs_of(drawn(name))
    ours = ("say(", "ask(", "note(", "cannot(", "unclear(", "stop(", "undo()\n\n", "previous(", "keep(", "allow(")
    apart = sum(answer.startswith(ours) for answer in answers) / len(answers)
    assert 0.2 < apart < 0.6
    assert len({*answers}) > 0.6 * len(answers)
    first = Counter(answer.partition("(")[0] for answer in answers)
    assert len(first) > 8


def test_a_sketch_is_shown_as_the_world_itself_is() -> None:
    real = FullWorld(open_world("tabletop"))
    real.reset(1003)
    seen = real.observe()
    places = tuple(name for name in seen.vocabulary["target"] if name not in seen.objects)
    things = tuple(seen.vocabulary["object"])
    bowls = tuple(name for name in seen.objects if name not in things)
    sketch, _ = laid(np.random.default_rng(1), Scene(things, bowls, places, "block", "bowl"))
    shown = [render_prompt(lexicon_of(w, w.observe()), (), "Hello.", explained=False) for w in (real, sketch)]
    assert shown[0] == shown[1]


def test_the_prompt_is_the_one_that_the_stage_makes() -> None:
    """A conversation with the preset itself, which is asked by a script, and the same as a demonstration."""
    world = open_world("tabletop")
    world.reset(1004)
    blocks = FullWorld(world).observe().vocabulary["object"]
    said = [f'say(on("{blocks[0]}", "{blocks[1]}"))', 'note("It rains.")', "say(len(blocks))"]
    requests = ["Is it there?", "It rains.", "How many blocks are there?"]
    answers = iter(said)
    teacher = Fluent(lambda asked: next(answers) + END, "x")
    agent = Agent(world, teacher, "thinkaloud:confirm=never")
    for request in requests:
        asyncio.run(agent.run(request))
    assert [each.meaning.sort for each in all_heard(agent.monologue) if each.meaning] == ["answer", "note", "answer"]
    talk = Talk("x", FullWorld(world))
    goals = [Goal("answer"), Goal("note"), Goal("answer", said=(len(blocks),))]
    samples: list[Sample] = []
    for request, program, goal in zip(requests, said, goals, strict=True):
        samples += talk.take(Said(request, program, goal))
    assert [*samples, *talk.over()] == teacher.samples


GUIDED = """\
Options: Pure milk, Boba milk
Instructions:
Pure milk
Material: milk
Steps:
0) take an empty cup to the working area
1) pour milk into the working cup
2) move the working cup to the finished location
Boba milk
Material: boba, milk
Steps:
0) take an empty cup to the working area
1) add boba to the working cup
2) pour milk into the working cup
3) move the working cup to the finished location
Rules:
* Milk goes in last of all.
Available material we have now: boba, milk, taro
"""


def test_an_order_is_shown_as_the_stage_shows_it() -> None:
    """Rules one by one, then the request; in the world itself and as a demonstration."""
    world, guidelines = open_world("drinks"), read_guidelines(GUIDED)
    world.reset(1005)
    answers = iter(['last("milk")', 'order("passion fruit")', 'keep("taro")', "say(ingredients)"])
    requests = ["A passion fruit milk.", "Nothing with taro for me.", "What is there?"]
    teacher = Fluent(lambda asked: next(answers) + END, "x")
    agent = Agent(world, teacher, "thinkaloud:confirm=never", guidelines=guidelines)
    for request in requests:
        asyncio.run(agent.run(request))
    said = [each.meaning for each in all_heard(agent.monologue) if each.meaning]
    assert [each.sort for each in said] == ["refusal", "note", "answer"]
    talk = Talk("x", FullWorld(world), guidelines)
    samples: list[Sample] = [Sample("x", ((render_rule(guidelines.rules[0], guidelines), 'last("milk")' + END),))]
    goals = [Goal("refusal", about="no passion fruit"), Goal("note", kept=("taro",)), Goal("answer")]
    programs = ['order("passion fruit")', 'keep("taro")', "say(ingredients)"]
    for request, program, goal in zip(requests, programs, goals, strict=True):
        samples += talk.take(Said(request, program, goal))
    assert [*samples, *talk.over()] == teacher.samples


def test_rules_and_places_are_read_as_calls() -> None:
    rng = np.random.default_rng(4)
    found = [sample for _ in range(40) for sample in (*rule_samples(rng), *home_samples(rng))]
    words = Counter(answer.partition("(")[0] for sample in found for _, answer in sample.parts)
    assert {*words} == {*rules_known(), "place"}


def test_orders_come_to_the_steps_that_the_guidelines_want() -> None:
    answers = [a for a in programs_of(drawn("meaning.itp", how_many(40, of=80))) if a.startswith(("order(", "change("))]
    assert (
        len(answers) > how_many(20, of=40)
        and any("no=[" in a for a in answers)
        and any("exactly=[" in a for a in answers)
    )
    order = Order(("Boba milk",), False, 2, ((0, "taro"), (3, "plate")), ("milk",), (), ("shake the cup",))
    assert written_as(order) == 'order("2 Boba milk", "taro", "3 plate", no=["milk", "shake"])'


def test_a_wrong_program_is_found_out() -> None:
    scene = Scene(("red block", "blue block"), ("green bowl",), ("middle", "left side"), "block", "bowl")
    world, _ = laid(np.random.default_rng(1), scene)
    talk = Talk("x", world)
    wanted = facts(("on", "red block", "green bowl"))
    good = Said("Red in green.", 'pick_and_place("red block", "green bowl")', wanted)
    assert [*talk.take(good, checked=True)] == [] and [sample.text for sample in talk.over()]
    for program in ('pick_and_place("blue block", "green bowl")', "pick_and_place(blocks, 'green bowl')", "stop()"):
        with pytest.raises(Wrong):
            list(talk.take(Said("Red in green.", program, wanted)))
    with pytest.raises(Wrong, match="nothing about"):
        check(Meaning("", "No.", Refused("declined", "No.")), Goal("refusal", about="orchid"), "x")


def test_towers_rows_and_pairs_are_said_in_one_form() -> None:
    scene = Scene(
        ("red lid", "blue lid", "teal lid"), ("blue jar", "red jar", "teal jar"), ("middle", "left side"), "lid", "jar"
    )
    asking = Asking(np.random.default_rng(5), scene)
    plain: Plain = asking.requests

    def programs(way: str) -> str:
        found = [asking.said(getattr(plain, way)()) for _ in range(20)]
        return "\n\n".join(each.program for each in found if each is not None)

    assert "for i in range(1, len(lids)):\n    pick_and_place(lids[i], lids[i - 1])" in programs("tower")
    assert 'pick_and_place("red lid", "red jar")\npick_and_place("blue lid", "blue jar")' in programs("matching")
    assert 'pick_and_place("red lid", "blue jar")\npick_and_place("blue lid", "red jar")' in programs("mismatched")
    assert "[l for l in lids if l != " in programs("all_but")
    assert "for i in range(len(lids)):\n    pick_and_place(lids[i], jars[i])" in programs("different")


def test_ways_are_left_out_of_what_is_done_in_a_home() -> None:
    steps = ["Find the egg.", "Grab the egg.", "Find the fridge.", "Open the fridge.", "Put the egg in the fridge."]
    short = homes.shortened([*steps, "Close the fridge."])
    assert homes.program_of(short) == 'put_in("egg", "fridge")\nclose("fridge")'
    seated = homes.shortened(
        ["Find the egg.", "Grab the egg.", "Find the sofa.", "Sit down on the sofa.", "Eat the egg."]
    )
    assert homes.program_of(seated) == 'grab("egg")\nsit("sofa")\neat("egg")'
    assert homes.outcome(seated) != homes.outcome(short)


def test_what_is_said_to_any_robot_is_understood_by_its_grammar() -> None:
    rng = np.random.default_rng(9)
    scene = Scene(("red block", "blue block"), ("green bowl",), ("middle",), "block", "bowl")
    world, _ = laid(rng, scene)
    grammar = program_grammar(lexicon_of(world, world.observe()))
    for way, _ in Common(rng, ["red block"]).ways():
        for _ in range(5):
            found = way()
            for each in (found,) if isinstance(found, Said) else found or ():
                assert accepts(grammar, each.program + END)


@pytest.mark.parametrize("domain", ["pick_and_place", "disinfection", "weight", "cups"])
def test_a_table_of_a_domain_is_shown_as_the_world_itself_is(domain: str) -> None:
    real = FullWorld(open_world(domain))
    real.reset(1003)
    seen = real.observe()
    table = domains.Domain(np.random.default_rng(1), tables.drawn(random.Random(3), domain))
    sketch, whole = domains.table(domain)
    sketch.scene = seen
    notes = ["The door is open.", f"The {seen.vocabulary['object'][0]} is dirty."]
    shown = [
        render_prompt(lexicon_of(w, w.observe(), notes=notes), (), "Hello.", explained=False) for w in (real, whole)
    ]
    assert shown[0] == shown[1] and table.world is whole
    told = shown[0].splitlines()[-3]
    assert '"The door is open."' in told
    assert ("is dirty" in told) == (domain != "disinfection"), "what the world takes in is not told twice"


def test_what_was_told_at_a_table_is_taken_in_and_not_shown() -> None:
    world = open_world("disinfection")
    world.reset(1004)
    one, other = FullWorld(world).observe().vocabulary["object"][:2]
    said = [f'note("The {one} is dirty.")', f'say(dirty("{one}"))', f'pick_and_place("{one}", "disinfector")']
    said += ["say(moved()[-1])", "say([b for b in blocks if clean(b)])"]
    requests = [f"Oh no, {one} got dirty.", "Is it?", "Disinfect it.", "What did you move last?", "Which are clean?"]
    answers = iter(said)
    teacher = Fluent(lambda asked: next(answers) + END, "x")
    agent = Agent(world, teacher, "thinkaloud:confirm=never")
    for request in requests:
        asyncio.run(agent.run(request))
    heard = [each.meaning for each in all_heard(agent.monologue) if each.meaning]
    assert [each.sort for each in heard] == ["note", "answer", "deeds", "answer", "answer"]
    assert [each.said for each in heard if each.said] == [(f"Yes. The {one} is dirty.",), (one,), (one,)]
    assert "# told" not in "".join(sample.text for sample in teacher.samples)
    assert other not in heard[-1].said


@pytest.mark.sampled(0)
def test_all_that_is_said_at_the_tables_of_statler_is_shown_with_our_words_for_it() -> None:
    answers = "".join(programs_of(drawn("meaning.statler", 250)))
    for form in (
        *('note("The ', " are dirty.", "The other blocks are ", "as much as the ", "if dirty(b)]", "if clean(b)]"),
        *("beneath(", "atop(", "container(", "moved()[-1]", "if loose(", '"empty bowl"', "key=weight)", "heavier("),
        *("equally_heavy(", " / weight(", "blocks_to_add(", "empty(", '"disinfector")', "blocks, ", " != ", "undo()"),
    ):
        assert form in answers, form


def test_programs_at_the_tables_of_statler_come_to_what_its_expert_does() -> None:
    agreed, apart = 0, list[str]()
    for seed in range(how_many(12, of=25)):
        rng = np.random.default_rng(seed)
        domain = domains.Domain(rng, tables.drawn(random.Random(seed)))
        for _ in range(6):
            said = domain.turn()
            if said is not None:
                list(domain.talk.take(said))
        agreed, apart = agreed + domain.agreed, [*apart, *domain.apart]
    assert agreed > how_many(48, of=100) and len(apart) < 0.06 * agreed, apart


def test_short_programs_are_said_in_our_language() -> None:
    scene = tables.Scene(
        random.Random(1), "disinfection", ("red block", "blue block", "white bowl", "gray bowl", "disinfector")
    )
    ours = Ours(scene, "put", things=("red block",), place="white bowl")
    for short, program in (
        ('put(the(on("red block")), container("blue block"))', 'put(atop("red block"), container("blue block"))'),
        ('put(the(blocks("dirty")), the(bowls("empty")))', 'put("dirty block", "empty bowl")'),
        ('put(blocks("clean"), "disinfector")', 'put([b for b in blocks if clean(b)], "disinfector")'),
        ("put(others(), there())", 'put([b for b in blocks if b != "red block"], "white bowl")'),
        ('mark(["red block", "blue block"], "dirty")', 'note("The red block and the blue block are dirty.")'),
        ('mark(blocks("unknown"), "clean")', 'note("The other blocks are clean.")'),
        ('weighs("red block", 1/2, "blue block")', 'note("The red block weighs half as much as the blue block.")'),
        (
            'swap("red block", "blue block")',
            'put("red block", beneath("blue block"))\nput("blue block", beneath("red block"))',
        ),
        ("say(colour(last_moved()))", "say(moved()[-1])"),
    ):
        assert ours.program(short) == program
    for short in ("say(heaviest(blocks()))", 'say(was("red block"))', "put(pile(it()), there())"):
        with pytest.raises(Unsaid):
            ours.program(short)


def test_a_list_can_be_named_of_which_nothing_is_here_or_shown() -> None:
    scene = Scene(("red block", "blue block"), (), ("middle",), "block", "")
    world, _ = laid(np.random.default_rng(2), scene)
    seen = replace(world.observe(), vocabulary={**world.observe().vocabulary, "target": (), "target in view": ()})
    lexicon = lexicon_of(world, seen)
    assert "targets" not in lexicon.kinds and lexicon.named["targets"] == ()
    program = "say([t for t in targets if t != 'middle'])"
    assert run_program(program, Circumstances(world, seen, lexicon)).said == ("None.",)
    few = lexicon_of(world, world.observe(), about=["red block"])
    assert accepts(program_grammar(few), 'pick_and_place(targets[0], "x")' + END)


def test_counters_and_machines_are_mostly_those_of_our_own_worlds() -> None:
    texts = [sample.parts[0][0] for sample in drawn("meaning.itp", how_many(40, of=80))]
    assert sum("def hand_holds_cup() -> bool" in text and "def scoop_" in text for text in texts) > how_many(2, of=5)
    assert sum("def held_prepared() -> bool" in text for text in texts) > how_many(1, of=3)


def test_guidelines_of_a_machine_tell_every_thing_of_a_task() -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        works = draw_works(rng)
        made = machine(rng, works)
        for recipe in made.guidelines.recipes:
            told = sum(step.startswith("take ") for step in recipe.steps if step != "take everything out")
            counted = sum(NUMBERS.index(word) + 1 for word in recipe.name.split() if word in NUMBERS)
            assert told == (counted or 1), recipe


def test_of_more_things_than_are_counted_off_one_is_told_by_where_it_is() -> None:
    names = [f"{letter} block" for letter in "abcdefghijklmnopqrstuvwxyzäö"]
    rng = np.random.default_rng(5)
    relating = Relating(rng, Spots(scatter(rng, [*names, "tray"])), names, ["tray"], "put")
    counted = Counter[int]()
    for _ in range(400):
        _, expression, thing = relating._described("block", "blocks", names)
        if at := re.search(r"sorted\(blocks, key=x(, reverse=True)?\)\[(\d+)\]$", expression):
            counted[int(at[2])] += 1
            assert thing == sorted(names, key=relating.spots.x, reverse=bool(at[1]))[int(at[2])]
    assert {*counted} == {*range(1, len(ORDINALS))}
