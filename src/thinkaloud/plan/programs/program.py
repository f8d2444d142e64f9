"""What a model-written program would do: its calls are written down as steps, against the state that they lead to.

Nothing moves while the program runs. Each call of a skill becomes a `Step` that the loop carries out, checks and
corrects like any other; what the program reads of the state is what will be true when it gets there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from thinkaloud.errors import SkillError
from thinkaloud.methods.statler.short_queries import Brief
from thinkaloud.own_steps import SAY, UPDATE, note, say, update
from thinkaloud.records import Observation, Step, Value, WorldState
from thinkaloud.skills import Skill
from thinkaloud.state.changes import render_changes
from thinkaloud.state.check import contradictions
from thinkaloud.state.edit import GROUND, TABLE, caused, is_container, marked, placed, told
from thinkaloud.state.foresight import foreseen
from thinkaloud.state.questions import Questions
from thinkaloud.state.spoken import Spoken
from thinkaloud.state.view import View
from thinkaloud.state.weights import compared, fact
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Consequential, find_ability

PUT, PICK_AND_PLACE = "put_first_on_second", "pick_and_place"
"""What the paper calls the skill, and what it is called in our worlds."""


class Runs(Protocol):
    """What runs a program with these functions and nothing else; raises CodeRefused."""

    def run(self, code: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Run it to its end."""
        ...


class Program:
    """The steps that a program takes. With `queries`, it may also read the state, and tell it what people said.

    `spoken` is for the short programs of trained models, which have more to say: what the latest query was about.
    """

    def __init__(
        self,
        world: World,
        scene: Observation,
        state: WorldState,
        history: Sequence[WorldState],
        *,
        queries: bool,
        spoken: Spoken | None = None,
    ) -> None:
        self._world, self._scene, self._queries, self._spoken = world, scene, queries, spoken
        self.state, self.history = state, [*history]
        self.steps: list[Step] = []
        self._questions = Brief(lambda: self.state, self.history, spoken)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All that the program can call."""
        found: dict[str, Callable[..., Any]] = {name: self._call(skill) for name, skill in self._world.skills.items()}
        if PICK_AND_PLACE in found:
            found[PUT] = found[PICK_AND_PLACE]
        found |= {SAY: self._say, UPDATE: self._update, "noop": lambda: None}
        if self._queries:
            found |= Questions(lambda: self.state, self.history).functions()
            found |= {"mark": self._mark, "weighs": self._weighs, "placed": self._placed}
        if self._spoken is not None:
            found |= self._questions.functions()
            found |= {"match": self._match, "swap": self._swap, "stack": self._stack, "undo": self._undo}
            if PICK_AND_PLACE in found:
                found["put"] = found[PICK_AND_PLACE]
        return found

    # Skills -----------------------------------------------------------------------------------------------------------

    def _call(self, skill: Skill) -> Callable[..., None]:
        names = [p.name for p in skill.signature.parameters]

        def call(*given: Any, **named: Any) -> None:
            if len(given) > len(names):
                raise SkillError(f"{skill.name} takes {len(names)} arguments: {', '.join(names)}.")
            for arguments in self._each(dict(zip(names, given, strict=False)) | named):
                self._take(skill, arguments)

        return call

    def _each(self, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        """One call for each thing, where a program that asks the state got several."""
        if not self._queries:
            return [dict(arguments)]
        several = {name: _listed(value) for name, value in arguments.items()}
        many = [name for name, values in several.items() if len(values) > 1]
        if len(many) > 1:
            raise SkillError(f"Only one of {' and '.join(many)} can be several things at a time.")
        first, *others = several.values() or [[None]]
        if not first:
            return []  # of no things at all, none is moved
        if not all(others):
            missing = next(name for name, values in several.items() if not values)
            raise SkillError(f"There is nothing that could be the {missing}.")
        if many and self._spoken is not None:
            several[many[0]] = self._away(several[many[0]], others)
            if not several[many[0]]:
                return []  # all of them are there
        count = max(map(len, several.values()), default=1)
        found = [{name: values[i if len(values) > 1 else 0] for name, values in several.items()} for i in range(count)]
        return [each for each in found if not many or len(set(each.values())) == len(each)]

    def _away(self, things: Sequence[Any], others: Sequence[Sequence[Any]]) -> list[Any]:
        """Of several things those that are not where they are wanted; what lies on others of them goes first."""
        view = View(self.state)
        target = TABLE if not others or others[0][0] in GROUND else others[0][0]
        known = [thing for thing in things if thing in self.state.objects]
        left = [thing for thing in known if view.supports.get(thing, TABLE) != target and thing != target]
        return sorted(left, key=lambda thing: -view.level(thing)) if len(known) == len(things) else [*things]

    def _take(self, skill: Skill, arguments: Mapping[str, Any]) -> None:
        checked = skill.signature.check(arguments, self._scene.vocabulary)
        if self._queries and skill.first is not None:
            for before in skill.first(self.state, **checked):
                self._add(skill, dict(before))
        self._add(skill, checked)

    def _add(self, skill: Skill, arguments: dict[str, Value]) -> None:
        step = skill.step(arguments)
        self.steps.append(step)
        self._becomes(foreseen(skill, arguments, self.state, self._world.relations), step.words)

    # Words and notes --------------------------------------------------------------------------------------------------

    def _say(self, text: Any = "") -> None:
        self.steps.append(say(spoken(text)))

    def _update(self, query: str) -> None:
        self.steps.append(update(str(query)))

    def _mark(self, things: Any, word: str) -> None:
        self._note(marked(self.state, self._known(things), str(word)))

    def _placed(self, things: Any, target: Any, word: str = "") -> None:
        state, (place, *_) = self.state, _listed(target) or [""]
        skill = self._world.skills.get(PICK_AND_PLACE) if self._spoken is not None else None
        for thing in self._known(things):
            if skill is None or skill.remembers is None:
                state = placed(state, thing, place)
            else:  # by other hands, but by the same rules
                arguments = {"object": thing, "target": str(place)}
                state = foreseen(skill, arguments, state, self._world.relations)
        self._note(marked(state, self._known(things), word) if word else state)

    def _weighs(self, thing: Any, times: Any, others: Any = ()) -> None:
        (one,) = self._known(thing)[:1] or [""]
        if times in (">", "<"):
            self._note(told(self.state, compared(one, "more" if times == ">" else "less", self._known(others)[0])))
            return
        self._note(told(self.state, fact(one, Fraction(str(times)).limit_denominator(100), self._known(others))))

    def _note(self, after: WorldState) -> None:
        if new := [problem for problem in contradictions(after) if problem not in contradictions(self.state)]:
            raise SkillError(f"That cannot be: {new[0]}")
        consequential = find_ability(self._world, Consequential)
        if self._spoken is not None and consequential is not None:
            after = consequential.settled(after)  # what is dirty soils what it touches
        self.steps.append(note(render_changes(self.state, after)))
        self._becomes(after, "a person said so")

    # Several moves at once, in the short programs of trained models ---------------------------------------------------

    def _match(self, target: Any, like: Any, times: Any = 1) -> None:
        """Add things to a container until it weighs as much as another, so many times that, or more (less)."""
        how = {">": ">", "<": "<"}.get(str(times), "==")
        factor = 1 if how != "==" else times
        if how == "<":
            self._put(self._questions.lighter_choice(target, like), target)
        else:
            self._put(self._questions.balance(target, like, factor, more=how == ">"), target)

    def _swap(self, first: Any, second: Any) -> None:
        """Exchange the places of two things, or the contents of two containers."""
        view = View(self.state)
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
        below = None if base is None else View(self.state).one(base)
        for thing in View(self.state).many(things):
            if below is not None and thing != below:
                self._put(thing, below)
            below = thing

    def _undo(self) -> None:
        """Take everything that the latest query moved back to where it was."""
        moved = self._spoken.moved if self._spoken is not None else ()
        if not moved:
            raise SkillError("There is no move that could be taken back.")
        for thing in reversed(moved):
            self._put(thing, self._questions.was(thing))

    def _put(self, things: Any, target: Any) -> None:
        skill = self._world.skills.get(PICK_AND_PLACE)
        if skill is None:
            raise SkillError("Nothing can be moved here.")
        self._call(skill)(things, target)

    def _known(self, things: Any) -> list[str]:
        names = {name.lower(): name for name in self.state.objects}
        found = [str(thing).lower().removeprefix("the ") for thing in _listed(things)]
        for name in found:
            if name not in names:
                raise SkillError(f"There is no {name!r} here; there is: {', '.join(self.state.objects)}.")
        return [names[name] for name in found]

    def _becomes(self, after: WorldState, cause: str) -> None:
        self.state = caused(self.state, after, cause)
        self.history.append(self.state)


def spoken(value: Any) -> str:
    """A value as a person would say it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "nothing"
        case float() if value.is_integer():
            return str(int(value))
        case list() | tuple() | set():
            words = [spoken(each) for each in value]
            return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]])) or "none"
        case _:
            return str(value)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | set) else [value]
