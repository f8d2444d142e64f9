"""Programs that may also read the state, and tell it what people said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.methods.statler.queries import StateQueries
from thinkaloud.own_steps import note
from thinkaloud.plan.programs.program import PlannedProgram
from thinkaloud.records import Observation, WorldState
from thinkaloud.skills import Skill
from thinkaloud.state.changes import render_changes
from thinkaloud.state.check import new_contradictions
from thinkaloud.state.edit import with_fact, with_marked, with_placed
from thinkaloud.state.weights import comparison_fact, weight_fact
from thinkaloud.worlds import World


class QueryProgram(PlannedProgram):
    """The steps that a program takes which asks the state."""

    def __init__(self, world: World, scene: Observation, state: WorldState, history: Sequence[WorldState]) -> None:
        super().__init__(world, scene, state)
        self.history = [*history]

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All that the program can call."""
        found = super().functions() | self._asked()
        return found | {"mark": self._mark, "weighs": self._weighs, "placed": self._placed}

    def queries(self) -> frozenset[str]:
        """The questions that it may ask."""
        return frozenset(self._asked()) - super().functions().keys()

    def _asked(self) -> dict[str, Callable[..., Any]]:
        return StateQueries(lambda: self.state, self.history, self.lesson.kinds).functions()

    def each_call(self, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        """One call for each thing, where the state gave several."""
        several = {name: _as_list(value) for name, value in arguments.items()}
        many = [name for name, values in several.items() if len(values) > 1]
        if len(many) > 1:
            raise SkillError(f"Only one of {' and '.join(many)} can be several things at a time.")
        first, *others = several.values() or [[None]]
        if not first:
            return []  # of no things at all, none is moved
        if not all(others):
            missing = next(name for name, values in several.items() if not values)
            raise SkillError(f"There is nothing that could be the {missing}.")
        if many:
            several[many[0]] = self.worth_moving(several[many[0]], others)
            if not several[many[0]]:
                return []
        count = max(map(len, several.values()), default=1)
        found = [{name: values[i if len(values) > 1 else 0] for name, values in several.items()} for i in range(count)]
        return [each for each in found if not many or len(set(each.values())) == len(each)]

    def worth_moving(self, things: list[Any], others: Sequence[Sequence[Any]]) -> list[Any]:
        """Of several things those for which a skill is called, in order."""
        return things

    def take(self, skill: Skill, arguments: Mapping[str, Any]) -> None:
        """Write a call down, after those that have to come before it as things are remembered to be."""
        checked = skill.signature.check(arguments, self._scene.vocabulary)
        for before in skill.first(self.state, **checked) if skill.first is not None else ():
            self.add_step(skill, dict(before))
        self.add_step(skill, checked)

    def becomes(self, after: WorldState, cause: str) -> None:
        """Go on with another state."""
        super().becomes(after, cause)
        self.history.append(self.state)

    # Notes ------------------------------------------------------------------------------------------------------------

    def _mark(self, things: Any, word: str) -> None:
        self.take_note(with_marked(self.state, self._known(things), str(word)))

    def _placed(self, things: Any, target: Any, word: str = "") -> None:
        state, (place, *_) = self.state, _as_list(target) or [""]
        for thing in self._known(things):
            state = self.by_other_hands(state, thing, place)
        self.take_note(with_marked(state, self._known(things), word) if word else state)

    def by_other_hands(self, state: WorldState, thing: str, place: Any) -> WorldState:
        """The state after somebody else has put a thing somewhere."""
        return with_placed(state, thing, place)

    def _weighs(self, thing: Any, times: Any, others: Any = ()) -> None:
        (one,) = self._known(thing)[:1] or [""]
        if times in (">", "<"):
            said = comparison_fact(one, "more" if times == ">" else "less", self._known(others)[0])
        else:
            said = weight_fact(one, Fraction(str(times)).limit_denominator(100), self._known(others))
        self.take_note(with_fact(self.state, said))

    def take_note(self, after: WorldState) -> None:
        """Write down what people said, unless it cannot be."""
        if new := new_contradictions(self.state, after):
            raise SkillError(f"That cannot be: {new[0]}")
        after = self.settled(after)
        self.steps.append(note(render_changes(self.state, after)))
        self.becomes(after, "a person said so")

    def settled(self, state: WorldState) -> WorldState:
        """A state that people told of, with what follows from it, as far as code has to work that out."""
        return state

    def _known(self, things: Any) -> list[str]:
        names = {name.lower(): name for name in self.state.objects}
        found = [str(thing).lower().removeprefix("the ") for thing in _as_list(things)]
        for name in found:
            if name not in names:
                raise SkillError(f"There is no {name!r} here; there is: {', '.join(self.state.objects)}.")
        return [names[name] for name in found]


def _as_list(value: Any) -> list[Any]:
    """Several values, or a single one, as a list."""
    return list(value) if isinstance(value, list | tuple | set) else [value]
