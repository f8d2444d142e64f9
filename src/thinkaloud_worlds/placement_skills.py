"""Skills of tables in people's words: put a thing beside another, between two, or a little farther.

What they say, need and bring about is the same on every table. How a thing is carried there, what speaks against it and
what is known afterwards is the table's own. The words are those of `space`: as the person sees it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any

from thinkaloud.records import Arguments, Observation, WorldState
from thinkaloud.skills import Kind, skill
from thinkaloud_worlds.extended import ExtendedWorld
from thinkaloud_worlds.spatial_relations import RELATIONS, Direction, Side, Spatial

PlacementFacts = tuple[tuple[str, Arguments], ...]


def comes_beside(object: str, side: str, target: str) -> PlacementFacts:
    """What is so once a thing was put beside another."""
    near: PlacementFacts = (("next_to", {"thing": object, "other": target}),)
    return near if side not in RELATIONS else ((RELATIONS[side], {"thing": object, "other": target}), *near)


def comes_between(object: str, one: str, other: str) -> PlacementFacts:
    """What is so once a thing was put between two others."""
    return (("between", {"thing": object, "one": one, "other": other}),)


def bare(object: str, **where: object) -> PlacementFacts:
    """Nothing may be on what is moved."""
    return (("not on", {"target": object}),)


def leaves(self: PutsBeside, object: str, **where: Any) -> PlacementFacts:
    """What it was on or in, it is no longer."""
    return self._left(object, **where)


def is_free(self: PutsBeside, observation: Observation, object: str, **where: Any) -> str | None:
    """Why it cannot be done in a state, by what is known of it."""
    return self._objection(observation, object, **where)


def remembers(self: PutsBeside, state: WorldState, object: str, **where: Any) -> WorldState:
    """What is known afterwards."""
    return self._foreseen(state, object, **where)


def has_landed(self: PutsBeside, object: str, **where: Any) -> str | None:
    """What is wrong with where the thing is now."""
    return self._astray(object, **where)


class PutsBeside(Spatial, ExtendedWorld):
    """A table on which things are put beside others. `where` is what a skill was called with, but for the object."""

    @abstractmethod
    async def _put(self, object: str, **where: Any) -> str:
        """Carry a thing there, and tell it; SkillError where that is not possible."""

    @abstractmethod
    def _left(self, object: str, **where: Any) -> PlacementFacts:
        """What a thing was on or in, and is no longer."""

    @abstractmethod
    def _objection(self, observation: Observation, object: str, **where: Any) -> str | None:
        """Why a thing cannot be put there in a state, by what is known of it."""

    @abstractmethod
    def _foreseen(self, state: WorldState, object: str, **where: Any) -> WorldState:
        """What is known once a thing has been put there."""

    @abstractmethod
    def _astray(self, object: str, **where: Any) -> str | None:
        """What is wrong with where a thing is once it was put there."""

    @skill(
        says="Put the {object} {side} the {target}.",
        distinct=("object", "target"),
        effects=comes_beside,
        ends=leaves,
        needs=bare,
        preconditions=(is_free,),
        remembers=remembers,
        check=has_landed,
    )
    async def put_beside(
        self, object: Annotated[str, Kind("object")], side: Side, target: Annotated[str, Kind("thing")]
    ) -> str:
        """Put an object on the table beside a thing: on one side of it as the person sees it, or on any side.

        Args:
            object: what to move.
            side: on which side of the target; next to it is on any side.
            target: the thing to put it beside.
        """
        return await self._put(object, side=side, target=target)

    @skill(
        says="Put the {object} between the {one} and the {other}.",
        distinct=("object", "one", "other"),
        effects=comes_between,
        ends=leaves,
        needs=bare,
        preconditions=(is_free,),
        remembers=remembers,
        check=has_landed,
    )
    async def put_between(
        self,
        object: Annotated[str, Kind("object")],
        one: Annotated[str, Kind("thing")],
        other: Annotated[str, Kind("thing")],
    ) -> str:
        """Put an object on the table in the middle between two things.

        Args:
            object: what to move.
            one: the thing on its one side.
            other: the thing on its other side.
        """
        return await self._put(object, one=one, other=other)

    @skill(
        says="Move the {object} {direction} by {centimetres} cm.",
        preconditions=(is_free,),
        remembers=remembers,
        check=has_landed,
    )
    async def shift(self, object: Annotated[str, Kind("object")], direction: Direction, centimetres: float = 5) -> str:
        """Move an object on the table a little in one direction as the person sees it: forward is towards the person.

        Args:
            object: what to move.
            direction: which way.
            centimetres: how far.
        """
        return await self._put(object, direction=direction, centimetres=centimetres)
