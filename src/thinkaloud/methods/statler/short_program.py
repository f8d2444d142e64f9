"""The short programs of trained models, which have more to say: moves of several things at once, "it" and "there"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.methods.statler.query_program import QueryProgram
from thinkaloud.methods.statler.references import Reference
from thinkaloud.methods.statler.short_queries import ShortQueries
from thinkaloud.own_steps import say
from thinkaloud.records import Observation, Step, WorldState
from thinkaloud.state.edit import GROUND, TABLE, is_container
from thinkaloud.state.foresight import foresee
from thinkaloud.state.view import StateView
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Consequential, find_ability

_LINE = re.compile(r"^Line \d+: ")


class ShortProgram(QueryProgram):
    """The steps that a short program takes. `reference` is what the latest query was about."""

    def __init__(
        self,
        world: World,
        scene: Observation,
        state: WorldState,
        history: Sequence[WorldState],
        reference: Reference,
    ) -> None:
        super().__init__(world, scene, state, history)
        self._reference = reference
        self._queries = ShortQueries(lambda: self.state, self.history, self.lesson.kinds, reference)
        self._mover = world.skills.get(self.lesson.skill)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All that the program can call."""
        found = super().functions()
        found |= {"match": self._match, "swap": self._swap, "stack": self._stack, "undo": self._undo}
        return found | ({"put": self._put} if self._mover is not None else {})

    def _asked(self) -> dict[str, Callable[..., Any]]:
        return super()._asked() | self._queries.functions()

    def answer_instead(self, why: str) -> Step | None:
        """What is not known, or not there: that is the answer."""
        return say(_LINE.sub("", why))

    def worth_moving(self, things: list[Any], others: Sequence[Sequence[Any]]) -> list[Any]:
        """Of several things those that are not where they are wanted; what lies on others of them goes first."""
        view = StateView(self.state)
        target = TABLE if not others or others[0][0] in GROUND else others[0][0]
        known = [thing for thing in things if thing in self.state.objects]
        left = [thing for thing in known if view.supports.get(thing, TABLE) != target and thing != target]
        return sorted(left, key=lambda thing: -view.level(thing)) if len(known) == len(things) else [*things]

    def by_other_hands(self, state: WorldState, thing: str, place: Any) -> WorldState:
        """The state after somebody else has put a thing somewhere, by the same rules as the robot."""
        if self._mover is None or self._mover.remembers is None:
            return super().by_other_hands(state, thing, place)
        names = [p.name for p in self._mover.signature.parameters]
        arguments = dict(zip(names, (thing, str(place)), strict=False))
        return foresee(self._mover, arguments, state, self.world.relations)

    def settled(self, state: WorldState) -> WorldState:
        """What is dirty soils what it touches."""
        consequential = find_ability(self.world, Consequential)
        return state if consequential is None else consequential.settled(state)

    # Several moves at once --------------------------------------------------------------------------------------------

    def _match(self, target: Any, like: Any, times: Any = 1) -> None:
        """Add things to a container until it weighs as much as another, so many times that, or more (less)."""
        how = {">": ">", "<": "<"}.get(str(times), "==")
        factor = 1 if how != "==" else times
        if how == "<":
            self._put(self._queries.lighter_choice(target, like), target)
        else:
            self._put(self._queries.balance(target, like, factor, more=how == ">"), target)

    def _swap(self, first: Any, second: Any) -> None:
        """Exchange the places of two things, or the contents of two containers."""
        view = StateView(self.state)
        one, other = view.one(first), view.one(second)
        if is_container(one) and is_container(other):
            mine, theirs = view.inside(one), view.inside(other)
            self._put(mine, other)
            self._put(theirs, one)
            return
        here, there = (view.supports.get(each, TABLE) for each in (one, other))
        if one in (there, here) or other in (there, here):  # one lies on the other: they change places in their stack
            upper, lower, base = (one, other, there) if here == other else (other, one, here)
            self._put(upper, base)
            self._put(lower, upper)
            return
        if there not in GROUND and not is_container(there):
            self._put(other, TABLE)
        self._put(one, there)
        self._put(other, here)

    def _stack(self, things: Any, base: Any = None) -> None:
        """Pile things up, the first one lowest; perhaps on something else."""
        below = None if base is None else StateView(self.state).one(base)
        for thing in StateView(self.state).many(things):
            if below is not None and thing != below:
                self._put(thing, below)
            below = thing

    def _undo(self) -> None:
        """Take everything that the latest query moved back to where it was."""
        if not self._reference.moved:
            raise SkillError("There is no move that could be taken back.")
        for thing in reversed(self._reference.moved):
            self._put(thing, self._queries.was(thing))

    def _put(self, *arguments: Any, **named: Any) -> None:
        if self._mover is None:
            raise SkillError("Nothing can be moved here.")
        self.caller(self._mover)(*arguments, **named)
