"""Function calls as text: only those that make sense now are offered, and whatever comes back is read or refused."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterworld import BRING, POUR, SERVE, Counter
from thinkaloud.calls import render_skill_call
from thinkaloud.errors import Unparseable
from thinkaloud.guidelines import read_guidelines
from thinkaloud.methods.itp.executor import PUT_DOWN, losing_calls, put_down
from thinkaloud.methods.itp.possible_calls import (
    CALLS_END,
    find_only_call,
    possible_calls,
    read_calls,
    step_calls_grammar,
)
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import Observation, Value, WorldState
from thinkaloud.signatures import signature_of
from thinkaloud.skills import Kind, Skill
from thinkaloud.worlds import World
from thinkaloud.worlds.by_hand import ByHand
from thinkaloud.worlds.contract import briefing_of
from thinkaloud.worlds.dishwasher import Dishwasher
from toyworld import ToyWorld


def offered(world: World, words: str, *calls: str, without: tuple[str, ...] = (), guided: bool = True) -> bool:
    """Whether a grammar for these words lets these calls be made, as the executor asks for it."""
    guidelines = read_guidelines(briefing_of(world).guidelines, world.name)
    fitting = guidelines.documented(words, world.skills) or dict(world.skills)
    choices = [guidelines.called_after(words, fitting), fitting] if guided else [dict(world.skills)]
    return accepts(step_calls_grammar(world, choices, world.observe(), words, without), "\n".join(calls) + CALLS_END)


def at_work(*inside: str, held: bool = False) -> Counter:
    world = Counter()
    world.where, world.inside, world.hand = "counter", list(inside), held
    return world


# What is offered ------------------------------------------------------------------------------------------------------


def test_a_step_may_take_several_calls_each_possible_after_the_others() -> None:
    assert offered(Counter(), BRING, 'grab_cup("rack")', 'put_cup("counter")')
    assert not offered(Counter(), BRING, 'put_cup("counter")')  # there is nothing in the hand
    assert not offered(Counter(), BRING, 'put_cup("counter")', 'grab_cup("rack")')
    assert offered(at_work(held=True), BRING, 'put_cup("counter")')
    assert not offered(at_work(held=True), BRING, 'grab_cup("rack")', 'put_cup("counter")')


def test_what_the_step_names_has_to_be_used_and_nothing_else_of_its_kind_is_offered() -> None:
    assert offered(at_work(), POUR["tea"], 'pour("tea")')
    assert not offered(at_work(), POUR["tea"], 'pour("honey")')
    assert not offered(Counter(), BRING, 'grab_cup("rack")')
    assert not offered(at_work("tea"), SERVE, 'grab_cup("counter")', 'put_cup("bin")')
    assert offered(at_work("tea"), SERVE, 'grab_cup("counter")', 'put_cup("tray")')


def test_what_names_two_things_uses_both() -> None:
    words = "pour tea and honey into the cup"
    assert offered(at_work(), words, 'pour("tea")', 'pour("honey")')
    assert offered(at_work(), words, 'pour("honey")', 'pour("tea")')
    assert not offered(at_work(), words, 'pour("tea")')
    assert not offered(at_work(), words, 'pour("tea")', 'pour("tea")')


@pytest.mark.parametrize("calls", [['pour("tea")', 'pour("tea")'], ['pour("tea")', 'pour("honey")']])
def test_nothing_is_repeated_and_nothing_comes_after_what_was_asked_for(calls: list[str]) -> None:
    assert not offered(at_work(), POUR["tea"], *calls)


@pytest.mark.parametrize(
    "call",
    ['brew("tea")', 'pour("rum")', 'pour("tea", 2)', "pour()", 'pour(ingredient="tea")', "pour(tea)", "Well.", ""],
)
def test_what_is_no_call_here_is_not_offered(call: str) -> None:
    assert not offered(at_work(), POUR["tea"], call)


def test_what_was_of_no_use_just_now_does_not_come_first_again() -> None:
    assert offered(at_work(), "pour something into the cup", 'pour("tea")')
    assert not offered(at_work(), "pour something into the cup", 'pour("tea")', without=('pour("tea")',))
    assert offered(at_work(), "pour something into the cup", 'pour("honey")', without=('pour("tea")',))


def test_what_is_in_the_hand_may_be_put_down_first() -> None:
    assert offered(at_work(held=True), POUR["tea"], 'put_cup("counter")', 'pour("tea")')
    assert not offered(at_work(held=True), POUR["tea"], 'pour("tea")')


def test_where_nothing_helps_the_call_is_offered_nevertheless_so_that_the_reason_is_told() -> None:
    world = Dishwasher()
    world.reset(0)
    assert offered(world, "close the dishwasher", "close_dishwasher()")


def test_where_there_is_nothing_to_call_at_all_that_is_said() -> None:
    world = Counter()
    nothing = replace(world.observe(), vocabulary={})
    with pytest.raises(Unparseable, match="There is no call that could be made now for 'pour it'"):
        step_calls_grammar(world, [{"pour": world.skills["pour"]}], nothing, "pour it")


def test_a_world_without_a_state_is_offered_every_call() -> None:
    world = ToyWorld()
    grammar = step_calls_grammar(world, [dict(world.skills)], world.observe(), "move the ball to the bin")
    assert accepts(grammar, f'move("ball", "bin"){CALLS_END}')
    assert not accepts(grammar, f'move("cup", "bin"){CALLS_END}')


def test_in_a_world_of_very_many_things_one_call_at_a_time_is_offered() -> None:
    world = ToyWorld()
    things, places = tuple(f"thing {n}" for n in range(30)), tuple(f"place {n}" for n in range(30))
    scene = replace(world.observe(), vocabulary={"object": things, "place": places})
    grammar = step_calls_grammar(world, [dict(world.skills)], scene, "do something")
    assert accepts(grammar, f'move("thing 3", "place 29"){CALLS_END}')
    assert len(grammar) < 100_000
    named = step_calls_grammar(world, [dict(world.skills)], scene, "move thing 3 and thing 4 to place 5")
    assert accepts(named, f'move("thing 3", "place 5")\nmove("thing 4", "place 5"){CALLS_END}')


def test_a_skill_with_free_words_is_offered_with_any() -> None:
    world = ByHand()
    grammar = step_calls_grammar(world, [dict(world.skills)], world.observe(), "water the plants")
    assert accepts(grammar, f'carry_out("water the plants"){CALLS_END}')


def test_every_grammar_of_the_dishwasher_lets_the_calls_of_its_guidelines_through_in_order() -> None:
    """The steps of the second recipe, one after another, as the world becomes."""
    world = Dishwasher()
    world.reset(0)
    steps = [
        ("grasp the first dirty plate", 'grasp_utensil("plate")'),
        ("remove large particles from the plate", "remove_particles()"),
        ("open the dishwasher", "open_dishwasher()"),
        ("pull out the racks", "pull_out_racks()"),
        ("put the plate on the third rack", 'put_on_rack("plate", "third rack")'),
        ("add original detergent to the dispenser", 'add_detergent("original detergent")'),
        ("close the dishwasher", "close_dishwasher()"),
        ("select the cycle and start the dishwasher", "start_dishwasher()"),
    ]
    for words, call in steps:
        assert offered(world, words, call), words
        (step,) = read_calls(call, world.skills, world.observe().vocabulary)
        asyncio.run(world.skills[step.skill].run(step.arguments))
    assert not offered(world, "put the plate on the third rack", 'put_on_rack("fork", "third rack")')


# Writing and reading --------------------------------------------------------------------------------------------------


async def mix(
    what: Annotated[str, Kind("stuff")],
    how: str,
    pace: Literal["slow", "fast"] = "slow",
    times: int = 3,
    share: float = 0.5,
    warm: bool = False,
) -> None:
    """Mix."""


MIX = {"mix": Skill(signature_of(mix), mix)}
values = st.fixed_dictionaries(
    {"what": st.sampled_from(["tea", 'the "good" one', "naïve café", "a\\b", "line\u2028end"])},
    optional={
        "pace": st.sampled_from(["slow", "fast"]),
        "times": st.integers(-(10**9), 10**9),
        "share": st.floats(allow_nan=False, allow_infinity=False, width=32),
        "warm": st.booleans(),
    },
)
words = st.text(min_size=1, max_size=30).filter(lambda text: text == text.strip() and text.isprintable())


@given(values, words)
def test_a_call_that_was_written_is_read_back_as_it_was(arguments: dict[str, Value], how: str) -> None:
    vocabulary = {"stuff": ("tea", 'the "good" one', "naïve café", "a\\b", "line\u2028end")}
    full = MIX["mix"].signature.check(arguments | {"how": how}, vocabulary)
    text = render_skill_call(MIX["mix"], full)
    (step,) = read_calls(text, MIX, vocabulary, "because")
    assert (dict(step.arguments), step.reason) == (full, "because")


@given(st.text(max_size=80))
def test_any_words_at_all_are_calls_or_refused(text: str) -> None:
    world = Counter()
    try:
        steps = read_calls(text, world.skills, world.observe().vocabulary, "pour")
    except Unparseable as error:
        assert str(error)
    else:
        assert {step.skill for step in steps} <= {*world.skills}


@pytest.mark.parametrize(
    "text",
    [
        'pour("tea")',
        "pour('tea')\n",
        'pour(ingredient="tea")',
        '```python\npour("tea")\n```',
        '```\npour("tea")',
        '# first\n\n  pour("tea")  # and that is all\n#',
        'pour("the TEA")',
        'pour("tea")\r\n',
    ],
)
def test_calls_are_read_however_they_are_dressed(text: str) -> None:
    world = Counter()
    (step,) = read_calls(text, world.skills, world.observe().vocabulary, POUR["tea"])
    assert (step.skill, step.arguments, step.words) == ("pour", {"ingredient": "tea"}, "Pour tea into the cup.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "No function was called for 'pour tea into the cup'; call at least one of grab_cup, pour, put_cup."),
        ("# nothing", "No function was called"),
        ('brew("tea")', "There is no function 'brew'. Known: grab_cup, pour, put_cup."),
        ('puor("tea")', "There is no function 'puor'. Did you mean 'pour'?"),
        ('pour("tea", "honey")', "pour takes 1 arguments (ingredient), not 2."),
        ('pour("tea", amount=3)', "pour has no argument 'amount'; it takes: ingredient."),
        ('pour("tea", ingredient="honey")', "pour: ingredient is given twice."),
        ("pour()", "pour needs the argument 'ingredient': what to pour."),
        ('pour("rum")', "There is no ingredient 'rum' here; there is: tea, honey, lemon."),
        ('pour(["tea"])', "pour: ingredient has to be a single value, not ['tea']."),
        ("pour({[]: 1})", "is no function call such as"),
        ("pour(tea)", "is no function call such as"),
        ('pour("tea"); pour("honey")', "is no function call such as"),
        ('robot.pour("tea")', "is no function call such as"),
        ('pour("tea', "is no function call such as"),
        ("I pour the tea.", "is no function call such as"),
        ("__import__('os').system('true')", "is no function call such as"),
        ("(" * 500, "is no function call such as"),
        ("pour(**{})", "has no argument 'None'"),
        ("\n".join(['pour("tea")'] * 4), "4 calls for one step; 3 at most."),
        ("pour(\x00)", "is no function call such as"),
    ],
)
def test_what_is_no_call_is_refused_with_clear_words(text: str, why: str) -> None:
    world = Counter()
    with pytest.raises(Unparseable) as refused:
        read_calls(text, world.skills, world.observe().vocabulary, POUR["tea"])
    assert why in str(refused.value)


def test_the_one_skill_that_takes_words_is_called_with_them() -> None:
    step = find_only_call(ByHand(), "water the plants")
    assert step is not None
    assert (step.skill, step.arguments) == ("carry_out", {"step": "water the plants"})
    assert find_only_call(Counter(), "water the plants") is None


# Putting down ---------------------------------------------------------------------------------------------------------


def test_what_is_held_is_put_where_nothing_is_lost() -> None:
    world = at_work("tea", held=True)
    assert losing_calls(world, world.observe()) == ['put_cup("bin")']
    step = put_down(world, world.observe())
    assert step is not None
    assert (step.words, step.reason) == ("Put the cup on the counter.", PUT_DOWN)


def test_where_nothing_is_held_or_nothing_is_known_nothing_is_put_down() -> None:
    assert put_down(at_work(), at_work().observe()) is None
    toy = ToyWorld()
    assert put_down(toy, toy.observe()) is None


def test_only_calls_that_the_preconditions_allow_are_possible() -> None:
    assert [*possible_calls(at_work().skills, at_work().observe(), "")] == [
        'grab_cup("counter")',
        'pour("tea")',
        'pour("honey")',
        'pour("lemon")',
    ]
    assert [*possible_calls(at_work().skills, Observation((), {}, state=WorldState()), "")] == []
