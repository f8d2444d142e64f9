"""Whatever a world offers besides the contract does what its protocol says."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import pytest

from carehome import CARE_HOME
from fake_plugins import announce
from offering import worlds_offering
from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput, DidNotWork, SkillError
from thinkaloud.guidelines import read_guidelines
from thinkaloud.models import Model, Recorded, Scripted
from thinkaloud.presets import preset_for, read_preset
from thinkaloud.records import Begin, Observation, WorldState
from thinkaloud.robots import open_world
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.worlds import WORLDS, World, contract
from thinkaloud.worlds.budgets import refuse_unknown_budgets
from thinkaloud.worlds.contract import (
    ABILITIES,
    Arranged,
    Believing,
    Briefed,
    Briefing,
    Budgeted,
    CallsForHelp,
    Disturbable,
    Extendable,
    Fallible,
    Guarded,
    Handed,
    MakesRoom,
    Measured,
    Peopled,
    Pictured,
    Recalling,
    Scanning,
    SeenFromAbove,
    SeenInPlace,
    Slippery,
    Twinned,
    Viewed,
    briefing_of,
    find_ability,
)
from thinkaloud.worlds.disturbance import PAPER_DISTURBANCE
from thinkaloud.worlds.hands import Pointing
from thinkaloud.worlds.invariants import refuse_unreadable
from thinkaloud.worlds.vision import Appearance, Sight, View, open_eyes
from toyworld import ToyWorld

STATLER = "statler"
NEEDED = dict.fromkeys(("drinks", "dishwasher", "by_hand"), "itp")
"""The presets of the worlds in which ours cannot do the work."""
PAPERS = NEEDED | {
    "tabletop": "inner_monologue",
    "real_table": "inner_monologue:feedback=object+success",
    **dict.fromkeys(("pick_and_place", "disinfection", "weight", "cups"), STATLER),
    **dict.fromkeys(("around", "warehouse", "household"), "hicrisp"),
    "franka": "multitalk",
    "kitchen": "saycan:feedback=object+success",
}
"""The presets of the papers that the worlds are from."""


def state_of(world: World) -> WorldState:
    seen = world.observe()
    return seen.state or WorldState(seen.objects)


def briefed(world: Briefed) -> None:
    assert isinstance(world.briefing, Briefing)
    guidelines = read_guidelines(world.briefing.guidelines) if world.briefing.guidelines else None
    preset, options = read_preset(preset_for(world))
    if guidelines is None and preset.name == "itp":  # it says what is missing
        with pytest.raises(BadInput, match="give --guidelines"):
            preset.build(world, Recorded(Scripted(), emit=lambda call: None), options, None)
    else:
        preset.build(world, Recorded(Scripted(), emit=lambda call: None), options, guidelines)


def twinned(world: Twinned) -> None:
    before, twin = world.snapshot(), world.twin()
    assert twin is not world and twin.name == world.name
    twin.reset(5)
    assert world.snapshot() == before


def scanning(world: Scanning) -> None:
    assert isinstance(world.rescan(), Observation)


def makes_room(world: MakesRoom) -> None:
    before = world.snapshot()
    assert tuple(world.make_room([])) == () and world.snapshot() == before


def pictured(world: Pictured) -> None:
    before, picture = world.snapshot(), world.render(64, 48)
    assert picture.shape == (48, 64, 3) and picture.dtype == np.uint8
    assert world.snapshot() == before


def disturbable(world: Disturbable) -> None:
    assert world.with_noise(PAPER_DISTURBANCE).observe() == world.observe()


def slippery(world: Slippery) -> None:
    """Only how motions come out may differ."""
    before, seen = world.snapshot(), world.observe()
    slipping = world.with_slips(0.5)
    assert {*slipping.skills} == {*world.skills} and {*slipping.relations} == {*world.relations}
    assert slipping.observe() == seen and world.snapshot() == before


def arranged(world: Arranged) -> None:
    before = world.observe().objects
    world.set_aside(before[0])
    assert before[0] not in world.observe().objects
    world.put_back(before[0])
    assert world.rescan().objects == before


def measured(world: Measured) -> None:
    vocabulary = world.observe().vocabulary
    for measure in world.measures.values():
        for call in measure.signature.calls(vocabulary)[:20]:
            try:
                value = measure.read(**call)
            except SkillError as error:  # of what is only told, it says that it was not
                assert str(error)
                continue
            assert all(isinstance(each, str | int | float) for each in (value if isinstance(value, tuple) else [value]))


def extendable(world: Extendable) -> None:
    skills, relations = {*world.skills}, {*world.relations}
    extended = world.extended()
    assert skills <= {*extended.skills} or len(extended.skills) >= len(skills)  # or the same motions by other names
    assert relations <= {*extended.relations}
    assert (skills, relations) == ({*world.skills}, {*world.relations})
    extended.reset(5)
    assert extended.snapshot() == world.snapshot() and extended.clock is world.clock
    if (shown := find_ability(extended, Measured)) is not None:
        measured(shown)
    if (told := find_ability(extended, Believing)) is not None:
        believing(told)
    if (doing := find_ability(extended, Recalling)) is not None:
        recalling(doing)
    if (twin := find_ability(extended, Twinned)) is not None:
        assert {*twin.twin().skills} == {*extended.skills}


def believing(world: Believing) -> None:
    state = state_of(world)
    assert world.take_in(state, "Good morning.") == state
    before = world.snapshot()
    world.believe(state)
    assert world.snapshot() == before


def recalling(world: Recalling) -> None:
    before = world.snapshot()
    world.recall([])
    assert world.snapshot() == before


def fallible(world: Fallible) -> None:
    assert world.error_rates.misjudges or world.error_rates.missees
    assert world.tell_doubt([]) == ""


def calls_for_help(world: CallsForHelp) -> None:
    """What it does is the builder's; here only that it can be called."""
    assert callable(world.on_emergency)


def viewed(world: Viewed) -> None:
    """It sees what is in the picture, and of that only what it has eyes for."""
    view, catalogue = world.view(), world.appearances()
    assert view.rgb.shape == (*view.depth.shape, 3) and view.rgb.dtype == np.uint8
    assert np.allclose(view.rotation @ view.rotation.T, np.eye(3)) and np.linalg.det(view.rotation) > 0
    assert len({each.name for each in catalogue}) == len(catalogue) >= len(world.observe().objects)
    before = world.snapshot()
    world.see_with(Blind())
    assert not world.observe().objects and not any(world.observe().vocabulary.get("object", ()))
    world.restore(before)
    world.see_with(open_eyes("camera"))
    seen = world.observe()
    kinds = {re.sub(r" \d+$", "", name) for name in seen.objects}  # two of a kind are counted
    assert seen.objects and kinds <= {each.name for each in catalogue}


def guarded(world: Guarded) -> None:
    refuse_unreadable(world, world.observe().vocabulary)


def peopled(world: Peopled) -> None:
    assert {*world.people} <= {*world.observe().vocabulary}


def budgeted(world: Budgeted) -> None:
    refuse_unknown_budgets(world)


class Lost:
    """Hands that point nowhere."""

    def point(self, rgb: object, height: object, sentence: str) -> Pointing:
        raise DidNotWork(f"Nowhere: {sentence}")


def handed(world: Handed) -> None:
    world.pick_with(Lost())
    seen = world.observe().vocabulary
    name = next(skill for skill in world.skills if skill.startswith("pick"))
    thing = seen["object in view"][0]
    step = {"object": thing, "target": next(each for each in seen["target in view"] if each != thing)}
    with pytest.raises(SkillError, match=f"Nowhere: Pick the {thing}"):
        asyncio.run(world.skills[name].run(step))


def seen_from_above(world: SeenFromAbove) -> None:
    rgb, height = world.from_above()
    assert rgb.dtype == np.uint8 and rgb.shape == (*height.shape, 3) and height.shape[0] == height.shape[1]
    assert np.isfinite(height).mean() > 0.8 and 0.01 < np.nanmax(height) < 1.0  # the arm may be in view
    again = world.from_above()
    assert (again[0] == rgb).all() and np.array_equal(again[1], height, equal_nan=True)


def seen_in_place(world: SeenInPlace) -> None:
    here, rgb, height = world.seen_here()
    assert rgb.dtype == np.uint8 and rgb.shape == (*height.shape, 3) and here
    assert np.isfinite(height).mean() > 0.5 and {*world.in_place} & {*world.skills}
    again = world.seen_here()
    assert again[0] == here and (again[1] == rgb).all() and np.array_equal(again[2], height, equal_nan=True)


class Blind:
    """Eyes that find nothing."""

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        return Sight()


CHECKS: dict[type, Callable[[Any], None]] = {
    Briefed: briefed,
    Twinned: twinned,
    Scanning: scanning,
    MakesRoom: makes_room,
    Pictured: pictured,
    Disturbable: disturbable,
    Slippery: slippery,
    Arranged: arranged,
    Measured: measured,
    Extendable: extendable,
    Fallible: fallible,
    Believing: believing,
    Recalling: recalling,
    Viewed: viewed,
    Handed: handed,
    SeenFromAbove: seen_from_above,
    SeenInPlace: seen_in_place,
    Guarded: guarded,
    Peopled: peopled,
    Budgeted: budgeted,
    CallsForHelp: calls_for_help,
}


def opened(name: str) -> World:
    world = open_world(name)
    world.reset(3)
    return world


def test_every_ability_is_listed_and_checked_here() -> None:
    protocols = {
        kind for _, kind in inspect.getmembers(contract, inspect.isclass) if World in kind.__mro__ and kind is not World
    }
    assert protocols == {*ABILITIES} == {*CHECKS}


def test_what_a_robot_near_people_declares_can_be_read() -> None:
    home = TextFileWorld(CARE_HOME)
    for ability in (Guarded, Peopled, Budgeted):
        assert find_ability(home, ability) is not None
        CHECKS[ability](home)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", WORLDS)
def test_what_a_world_offers_it_does(name: str) -> None:
    world = opened(name)
    offered = [ability for ability in ABILITIES if find_ability(world, ability) is not None]
    assert (Briefed in offered and Pictured in offered) or name == "household"
    for ability in offered:
        CHECKS[ability](opened(name))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", worlds_offering(Disturbable))
def test_a_wrapper_passes_on_what_the_world_inside_it_offers(name: str) -> None:
    world = opened(name)
    inside = find_ability(world, Disturbable)
    assert inside is not None
    for ability in ABILITIES:
        assert (find_ability(inside.with_noise(PAPER_DISTURBANCE), ability) is None) == (
            find_ability(world, ability) is None
        )
    assert briefing_of(inside.with_noise(PAPER_DISTURBANCE)) == briefing_of(world)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", WORLDS)
def test_each_world_has_our_preset_unless_it_needs_another(name: str) -> None:
    assert preset_for(opened(name)) == NEEDED.get(name, "thinkaloud")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", WORLDS)
def test_a_model_that_was_not_trained_for_our_preset_has_that_of_the_worlds_paper(name: str) -> None:
    assert preset_for(opened(name), unread()) == PAPERS[name]


def test_an_agent_without_a_preset_takes_ours_or_that_of_its_world() -> None:
    def taken(world: World, model: Model) -> str:
        begun = Agent(world, model).monologue.last(Begin)
        assert begun is not None
        return begun.preset.partition(":")[0]

    assert taken(opened("pick_and_place"), Scripted()) == taken(ToyWorld(), Scripted()) == "thinkaloud"
    assert taken(opened("drinks"), Scripted()) == "itp"
    assert (taken(opened("pick_and_place"), unread()), taken(ToyWorld(), unread())) == ("statler", "inner_monologue")


def unread() -> Scripted:
    """A model like the embedded one where the adapter for reading is missing."""
    model: Any = Scripted()
    model.trained = True
    return cast(Scripted, model)


def test_a_world_that_errs_knows_how_often() -> None:
    world = open_world("tabletop", disturbance="lies=0.1")
    found = find_ability(world, Fallible)
    assert found is not None
    fallible(found)


def test_a_world_that_offers_nothing_is_a_world() -> None:
    world = ToyWorld()
    assert [ability for ability in ABILITIES if find_ability(world, ability) is not None] == [Twinned]
    assert briefing_of(world) == Briefing()


def test_a_world_of_another_package_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    announce(monkeypatch, WORLDS, "toy", lambda scene: ToyWorld())
    assert open_world("toy").name == "toy" and list(WORLDS)[-1] == "toy"
    assert not WORLDS.broken()


def test_what_is_no_world_is_named_in_a_line_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    announce(monkeypatch, WORLDS, "moon", "green cheese")
    (line,) = WORLDS.broken()
    assert line.startswith("The world 'moon' of announced_moon cannot be used: ValueError: expected a function")
    assert "moon" not in WORLDS.available() and "tabletop" in WORLDS.available()
    with pytest.raises(BadInput, match="The world 'moon'"):
        open_world("moon")
