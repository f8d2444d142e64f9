"""What skills declare is held against the relations that there are, before anything moves."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import pytest

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.records import Observation
from thinkaloud.skills import Kind, relation, relations_of, skill, skills_of
from toyworld import ToyWorld

Door = Annotated[str, Kind("object")]
SHUT: tuple[tuple[str, dict[str, Any]], ...] = (("shut", {"door": "box"}),)


def latched(**declared: Any) -> ToyWorld:
    """A robot with one more skill and one more relation."""

    class Latched(ToyWorld):
        def __init__(self) -> None:
            super().__init__()
            self.skills, self.relations = skills_of(self), relations_of(self)

        @relation("{door} is shut.")
        def shut(self, door: Door) -> bool:
            """Whether it is."""
            return True

        @skill("Latch the {door} {how}.", **declared)
        async def latch(self, door: Door, how: Literal["well", "barely"] = "well", turns: int = 2) -> None:
            """Latch it."""

    return Latched()


def asked(world: ToyWorld) -> Scripted:
    """The model, after a request."""
    model = Scripted(["say(len(objects))"])
    asyncio.run(Agent(world, model, "thinkaloud:confirm=never").run("How many things are there?"))
    return model


@pytest.mark.parametrize("part", ["needs", "effects", "ends"])
def test_a_misspelt_relation_is_refused_with_the_near_spelling_before_a_model_is_asked(part: str) -> None:
    with pytest.raises(BadInput, match=f"^latch: {part}: There is no relation 'shutt'. Did you mean 'shut'") as told:
        asked(latched(**{part: lambda door, **_: (("shutt", {"door": door}),)}))
    assert "\n" not in str(told.value)
    assert len(asked(latched(**{part: lambda door, **_: (("shut", {"door": door}),)})).prompts) == 1


def test_so_is_a_misspelt_argument() -> None:
    with pytest.raises(BadInput, match=r"There is no argument of shut 'dor'. Did you mean 'door'"):
        asked(latched(effects=lambda door, **_: (("shut", {"dor": door}),)))


def test_what_is_declared_for_another_choice_or_thing_is_looked_at_too() -> None:
    for wrong in ("barely", "cup", "box"):
        with pytest.raises(BadInput, match="no relation 'open'"):
            asked(
                latched(effects=lambda door, how, wrong=wrong, **_: (("open", {}),) if wrong in (door, how) else SHUT)
            )


def test_what_cannot_be_told_beforehand_is_no_fault() -> None:
    assert asked(latched(effects=lambda door, **_: 1 / 0)).prompts

    world = latched(effects=lambda door, **_: (("shutt", {"door": door}),))
    world.observe = lambda: Observation((), {})  # type: ignore[method-assign]
    assert asked(world).prompts
