"""What goes wrong in a robot builder's own code is told with the skill, the part of it, and what to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

import pytest

from thinkaloud import (
    Agent,
    DidNotWork,
    Kind,
    ManualClock,
    Observation,
    Scripted,
    SkillError,
    relation,
    relations_of,
    skill,
    skills_of,
)
from thinkaloud.errors import BadRobot
from thinkaloud.records import Condition, End, Started
from thinkaloud.skills.robot_code import facts_part

Plant = Annotated[str, Kind("plant")]


def wet(plant: str, **_: object) -> Any:
    return (("wet", {"plant": plant}),)


def garden(
    effects: Callable[..., Any] | None = wet,
    is_wet: Callable[[Any, str], Any] | None = None,
    holds: Callable[[Any, Condition], Any] | None = None,
    fails: Callable[[int], Exception | None] = lambda tries: None,
    kinds: tuple[str, ...] = ("plant",),
    **parts: Any,
) -> Any:
    """A robot that waters plants, with one part replaced."""

    class Garden:
        name = "garden"

        def __init__(self) -> None:
            self.clock, self.tries, self.done = ManualClock(), 0, set[str]()
            self.skills, self.relations = skills_of(self), relations_of(self)

        @skill("Water the {plant}.", effects=effects, **parts)
        async def water(self, plant: Plant) -> None:
            """Water a plant."""
            self.tries += 1
            if (error := fails(self.tries)) is not None:
                raise error
            self.done.add(plant)

        @relation("{plant} is wet.")
        def wet(self, plant: Plant) -> Any:
            """Whether it is wet."""
            return plant in self.done if is_wet is None else is_wet(self, plant)

        def reset(self, seed: int) -> None: ...

        def observe(self) -> Observation:
            return Observation(("fern", "rose"), dict.fromkeys(kinds, ("fern", "rose")))

        def holds(self, condition: Condition) -> Any:
            answer = self.relations[condition.relation].holds(**condition.arguments)
            return answer if holds is None else holds(self, condition)

        def snapshot(self) -> bytes:
            return b""

        def restore(self, snapshot: bytes) -> None: ...

    return Garden()


def run(robot: Any) -> tuple[End, int]:
    """How a request ended, and how many steps were started."""
    agent = Agent(robot, Scripted(['water("fern")'] * 9), "thinkaloud:confirm=never")
    end = asyncio.run(agent.run("Water the fern."))
    return end, len(agent.monologue.since(None, Started))


@pytest.mark.parametrize(
    ("effects", "told"),
    [
        (
            lambda plant: ("wet", {"plant": plant}),
            "water: `effects` is one relation, not a tuple of them. Write a comma",
        ),
        (lambda plant: None, "water: `effects` returned nothing. Return "),
        (lambda plant: ("wet",), "water: `effects` returned ('wet',). Return a tuple of "),
        (lambda plant: "wet", "water: `effects` returned 'wet'. Return a tuple of "),
    ],
)
def test_effects_of_a_wrong_form_are_refused_before_anything_moves(effects: Any, told: str) -> None:
    robot = garden(effects)
    with pytest.raises(BadRobot) as caught:
        run(robot)
    assert str(caught.value).startswith(told) and robot.tries == 0


def test_effects_that_raise_are_named_with_the_call() -> None:
    end, _ = run(garden(lambda plant: {}[plant]))
    assert "water: `effects` raised KeyError: 'fern' for plant='fern'." in end.because


def test_effects_that_lack_a_parameter_are_told_how_they_are_called() -> None:
    end, _ = run(garden(lambda: ()))
    assert "let its parameters end with **_" in end.because


def test_an_effect_that_fails_is_not_told_as_what_is_remembered(caplog: pytest.LogCaptureFixture) -> None:
    run(garden(lambda plant: {}[plant], remembers=lambda state, **_: state))
    assert "`remembers` failed" not in caplog.text


def test_what_is_remembered_has_to_be_a_state() -> None:
    robot = garden(remembers=lambda state, **_: None)
    with pytest.raises(BadRobot, match=r"water: `remembers` returned None\. Return the WorldState"):
        robot.skills["water"].remembers(None, plant="fern")


@pytest.mark.parametrize("name", ["owner", "part", "function", "given", "arguments"])
def test_a_parameter_may_have_any_name(name: str) -> None:
    used = facts_part("use", "effects", lambda **given: (("wet", given),))
    assert used(**{name: "fern"}) == (("wet", {name: "fern"}),)


def test_a_relation_that_raises_is_named() -> None:
    end, _ = run(garden(is_wet=lambda self, plant: self.sensor))
    assert "the relation wet: `wet` raised AttributeError: 'Garden' object has no attribute 'sensor'" in end.because


def test_a_relation_without_a_return_is_named() -> None:
    end, _ = run(garden(is_wet=lambda self, plant: None))
    assert "the relation wet returned nothing. Return True or False" in end.because


def test_a_world_whose_holds_returns_nothing_is_told_so() -> None:
    end, _ = run(garden(holds=lambda self, condition: None))
    assert "`holds` of garden returned nothing for 'Fern is wet.'. Return True or False" in end.because


def test_a_kind_that_observe_does_not_list_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(BadRobot) as caught:
        run(garden(kinds=("plants",)))
    assert "water: `plant` is a Kind('plant'), which the vocabulary of observe() does not list" in str(caught.value)
    assert "Did you mean Kind('plants')?" in str(caught.value)


def test_what_cannot_be_done_is_tried_once() -> None:
    end, started = run(garden(fails=lambda tries: SkillError("The fern is fenced in.")))
    assert (end.result, started) == ("failed", 1) and "fenced in" in end.because


def test_what_did_not_work_is_tried_again() -> None:
    end, started = run(garden(fails=lambda tries: DidNotWork("The can slipped.") if tries == 1 else None))
    assert (end.result, started) == ("goal met", 2)
