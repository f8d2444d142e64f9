"""Placement skills in everyday words: put a thing beside another, between two, or a little farther.

Every table shares their sentences, preconditions and effects. Each table decides for itself how to carry a thing there,
what prevents it, and what is known afterwards. Directions are those of `spatial_relations`: as the person sees them.
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
    """What holds after a thing has been put beside another."""
    near: PlacementFacts = (("next_to", {"thing": object, "other": target}),)
    return near if side not in RELATIONS else ((RELATIONS[side], {"thing": object, "other": target}), *near)


def comes_between(object: str, one: str, other: str) -> PlacementFacts:
    """What holds after a thing has been put between two others."""
    return (("between", {"thing": object, "one": one, "other": other}),)


def bare(object: str, **where: object) -> PlacementFacts:
    """Nothing may stand on the thing to be moved."""
    return (("not on", {"target": object}),)


def leaves(self: PutsBeside, object: str, **where: Any) -> PlacementFacts:
    """What no longer holds: the thing leaves what it was on or in."""
    return self._left(object, **where)


def is_free(self: PutsBeside, observation: Observation, object: str, **where: Any) -> str | None:
    """Why a placement is impossible in a state, as far as the robot knows; None if it is possible."""
    return self._objection(observation, object, **where)


def remembers(self: PutsBeside, state: WorldState, object: str, **where: Any) -> WorldState:
    """The known state after a placement."""
    return self._foreseen(state, object, **where)


def has_landed(self: PutsBeside, object: str, **where: Any) -> str | None:
    """What is wrong with where the thing is now; None if it is right."""
    return self._astray(object, **where)


class PutsBeside(Spatial, ExtendedWorld):
    """A table on which things are put beside others. `where` holds the arguments of a skill except the object."""

    @abstractmethod
    async def _put(self, object: str, **where: Any) -> str:
        """Carry a thing there and report it. Raises SkillError if that is impossible."""

    @abstractmethod
    def _left(self, object: str, **where: Any) -> PlacementFacts:
        """The facts about what a thing was on or in, which no longer hold."""

    @abstractmethod
    def _objection(self, observation: Observation, object: str, **where: Any) -> str | None:
        """Why a thing cannot be put there in a state, as far as the robot knows; None if it can."""

    @abstractmethod
    def _foreseen(self, state: WorldState, object: str, **where: Any) -> WorldState:
        """The known state after a thing has been put there."""

    @abstractmethod
    def _astray(self, object: str, **where: Any) -> str | None:
        """What is wrong with where a thing is after it was put there; None if it is right."""

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
