"""What an expert does for a query: a short program of our own that asks the state, run at once, its lookups kept.

The programs are those of `language/*.txt`; no model ever sees them. What a model is shown is what comes of them: the
moves, the answer, the note for the writer, and as thoughts what had to be looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.plan.programs.program import render_answer
from thinkaloud.records import Observation, Step, WorldState
from thinkaloud.skills import Skill
from thinkaloud.skills.built_in_steps import say
from thinkaloud.state.change_lines import NO_CHANGE, render_changes
from thinkaloud.state.contradictions import new_contradictions
from thinkaloud.state.edits import GROUND, TABLE, is_container, with_causes, with_fact, with_marked
from thinkaloud.state.predicted_state import foresee
from thinkaloud.state.view import StateView
from thinkaloud.state.weights import comparison_fact, weight_fact
from thinkaloud_worlds.tabletop.statler_rules import spread_dirt
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld
from training.demonstrators.statler.references import Reference
from training.demonstrators.statler.short_queries import ShortQueries
from training.demonstrators.statler.thinking import Thoughts

KINDS = ("block", "bowl", "cup")


class ExpertProgram:
    """The steps that a short program takes. `reference` is what the latest query was about."""

    def __init__(
        self,
        world: DomainWorld,
        scene: Observation,
        state: WorldState,
        history: Sequence[WorldState],
        reference: Reference,
    ) -> None:
        self.world, self.state, self.history = world, state, [*history]
        self.steps: list[Step] = []
        self.told: list[str] = []
        """What people said, as changes, without what follows from it."""
        self.thoughts = Thoughts(lambda: self.state)
        self._scene, self._reference = scene, reference
        self._queries = ShortQueries(lambda: self.state, self.history, KINDS, reference)
        self._mover: Skill = world.skills["pick_and_place"]

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All that the program can call; what it looks up is thought aloud."""
        found = {name: self.thoughts.watch(name, ask) for name, ask in self._queries.functions().items()}
        found |= {"put": self.put, "match": self._match, "swap": self._swap, "stack": self._stack, "undo": self._undo}
        found |= {"mark": self._mark, "weighs": self._weighs, "placed": self._placed}
        return found | {"say": self._say, "noop": lambda: None}

    def _say(self, text: Any) -> None:
        if isinstance(text, float) and not text.is_integer():
            text = str(Fraction(text).limit_denominator(100))
        self.steps.append(say(render_answer(text)))

    # Moves ------------------------------------------------------------------------------------------------------------

    def put(self, things: Any, place: Any) -> None:
        """Put something somewhere: of several things those that are not there yet, what lies on top first."""
        targets = _as_list(place)
        if len(targets) > 1 and len(_as_list(things)) > 1:
            raise SkillError("Only one of them can be several things at a time.")
        if not _as_list(things):
            return
        if not targets or targets[0] is None:
            raise SkillError("There is no such place.")
        target, several = str(targets[0]), isinstance(things, list | tuple) and len(things) > 1
        for thing in self._worth_moving(list(things), target) if several else _as_list(things):
            self._take({"object": thing, "target": target})

    def _worth_moving(self, things: list[Any], target: str) -> list[Any]:
        view = StateView(self.state)
        place = TABLE if target in GROUND else target
        there = [thing for thing in things if view.supports.get(thing, TABLE) == place]
        if there and len(there) < len(things):
            self.thoughts.add(f"already there: {', '.join(there)}")
        left = [thing for thing in things if thing not in there and thing != place]
        return sorted(left, key=lambda thing: -view.level(thing))

    def _take(self, arguments: Mapping[str, Any]) -> None:
        """Write a move down, after those that have to come before it as things are remembered to be."""
        checked = self._mover.signature.check(arguments, self._scene.vocabulary)
        assert self._mover.first is not None
        if self.world.domain.one_cover:  # each bears one other at most: whether the way is clear is always looked up
            for name in (str(checked["object"]), str(checked["target"])):
                if name in self.state.objects and not is_container(name) and not StateView(self.state).on(name):
                    self.thoughts.add(f"on {name}: none")
        for before in self._mover.first(self.state, **checked):
            view, thing = StateView(self.state), str(before["object"])
            self.thoughts.add(f"on {view.supports[thing]}: {thing}")
            self._add_step(dict(before))
        self._add_step(checked)

    def _add_step(self, arguments: Mapping[str, Any]) -> None:
        step = self._mover.step(arguments)
        self.steps.append(step)
        self._becomes(foresee(self._mover, step.arguments, self.state, self.world.relations), step.words)

    def _becomes(self, after: WorldState, cause: str) -> None:
        self.state = with_causes(self.state, after, cause)
        self.history.append(self.state)

    def _match(self, target: Any, like: Any, times: Any = 1) -> None:
        """Add things to a container until it weighs as much as another, so many times that, or more (less)."""
        how = {">": ">", "<": "<"}.get(str(times), "==")
        if how == "<":
            found = self._queries.lighter_choice(target, like)
        else:
            found = self._queries.balance(target, like, 1 if how == ">" else times, more=how == ">")
        self.thoughts.matched(target, like, how if how != "==" else times, found)
        self.put(found, target)

    def _swap(self, first: Any, second: Any) -> None:
        """Exchange the places of two things, or the contents of two containers."""
        view = StateView(self.state)
        one, other = view.one(first), view.one(second)
        if is_container(one) and is_container(other):
            mine, theirs = view.inside(one), view.inside(other)
            self.thoughts.listed(f"in {one}", mine)
            self.thoughts.listed(f"in {other}", theirs)
            self.put(mine, other)
            self.put(theirs, one)
            return
        here, there = (view.supports.get(each, TABLE) for each in (one, other))
        self.thoughts.placed(one)
        self.thoughts.placed(other)
        if one in (there, here) or other in (there, here):  # one lies on the other: they change places in their stack
            upper, lower, base = (one, other, there) if here == other else (other, one, here)
            self.put(upper, base)
            self.put(lower, upper)
            return
        if there not in GROUND and not is_container(there):
            self.put(other, TABLE)
        self.put(one, there)
        self.put(other, here)

    def _stack(self, things: Any, base: Any = None) -> None:
        """Pile things up, the first one lowest; perhaps on something else."""
        below = None if base is None else StateView(self.state).one(base)
        for thing in StateView(self.state).many(things):
            if below is not None and thing != below:
                self.put(thing, below)
            below = thing

    def _undo(self) -> None:
        """Take everything that the latest query moved back to where it was."""
        if not self._reference.moved:
            raise SkillError("There is no move that could be taken back.")
        back = [(thing, self._queries.was(thing)) for thing in reversed(self._reference.moved)]
        for thing, place in back:
            self.thoughts.add(f"{thing} was {'in' if is_container(place) else 'on'} {place}")
            self.put(thing, place)

    # What people said -------------------------------------------------------------------------------------------------

    def _mark(self, things: Any, word: str) -> None:
        told = [f"{thing} is {word}" for thing in self._known(things)]  # also what is known already: it was said
        self._take_note(with_marked(self.state, self._known(things), str(word)), told)

    def _placed(self, things: Any, target: Any, word: str = "") -> None:
        (place, *_), state = _as_list(target) or [""], self.state
        for thing in self._known(things):
            given = {"object": thing, "target": str(place)}
            state = foresee(self._mover, given, state, self.world.relations)
        told = [f"{thing} is {_where(str(place))}" for thing in self._known(things)]
        told += [f"{thing} is {word}" for thing in self._known(things) if word]
        self._take_note(with_marked(state, self._known(things), word) if word else state, told)

    def _weighs(self, thing: Any, times: Any, others: Any = ()) -> None:
        (one,) = self._known(thing)[:1] or [""]
        if times in (">", "<"):
            said = comparison_fact(one, "more" if times == ">" else "less", self._known(others)[0])
        else:
            said = weight_fact(one, Fraction(str(times)).limit_denominator(100), self._known(others))
        self._take_note(with_fact(self.state, said))

    def _take_note(self, after: WorldState, told: Sequence[str] = ()) -> None:
        """Write down what people said, unless it cannot be, with what follows from it."""
        if new := new_contradictions(self.state, after):
            raise SkillError(f"That cannot be: {new[0]}")
        self.told += told or [line for line in render_changes(self.state, after).splitlines() if line != NO_CHANGE]
        settled = spread_dirt(after) if self.world.domain.dirt else after
        self._becomes(settled, "a person said so")

    def _known(self, things: Any) -> list[str]:
        names = {name.lower(): name for name in self.state.objects}
        found = [str(thing).lower().removeprefix("the ") for thing in _as_list(things)]
        for name in found:
            if name not in names:
                raise SkillError(f"There is no {name!r} here; there is: {', '.join(self.state.objects)}.")
        return [names[name] for name in found]


def _where(place: str) -> str:
    return f"on the {TABLE}" if place in GROUND else f"{'in' if is_container(place) else 'on'} {place}"


def _as_list(value: Any) -> list[Any]:
    """Several values, or a single one, as a list."""
    return list(value) if isinstance(value, list | tuple | set) else [value]
