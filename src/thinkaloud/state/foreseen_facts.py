"""What will hold after some steps, fact by fact, as far as their skills declare what they change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from thinkaloud.records import Arguments, Observation, Step, Value, WorldState
from thinkaloud.skills import FactsOfArguments, Relation
from thinkaloud.worlds import World
from thinkaloud.worlds.full_world import base_name, is_opposite
from thinkaloud.worlds.invariants import Fact, Holds

_Ended = tuple[str, Mapping[str, Value]]


class ForeseenFacts:
    """The facts of a world, and then those after each step that is taken in thought."""

    def __init__(self, world: World, scene: Observation, holds: Holds) -> None:
        self._world, self._state, self._holds = world, scene.state, holds
        self._so: dict[tuple[str, tuple[Value, ...]], bool] = {}
        self._ended: list[_Ended] = []

    def holds(self, fact: Fact) -> bool | None:
        """Whether a fact holds by now; None if that cannot be told."""
        known = self._so.get(fact[:2])
        if known is None and any(self._covers(each, fact) for each in self._ended):
            known = False
        return self._holds(fact) if known is None else known is fact.so

    def take(self, step: Step) -> None:
        """Go on to what will hold after a step."""
        skill = self._world.skills.get(step.skill)
        if skill is None:
            return
        arguments = {p.name: p.default for p in skill.signature.parameters if p.default is not None}
        arguments |= step.arguments
        brought = _declared(skill.effects, arguments)
        for name, given in (*_declared(skill.ends, arguments), *self._replaced(brought)):
            self._end(name, given)
        self._remember(skill.remembers, arguments)
        for name, given in brought:
            self._set(base_name(name), given, not is_opposite(name))

    def _remember(self, remembers: Callable[..., WorldState] | None, arguments: Arguments) -> None:
        """Take over what a skill itself says is known after it."""
        if remembers is None or self._state is None:
            return
        before = self._state
        try:
            self._state = remembers(before, **arguments)
        except Exception:  # the robot's own code: the declared effects remain
            return
        was, now = ({each.words: each for each in state.relations} for state in (before, self._state))
        for words in was.keys() - now.keys():
            self._set(was[words].relation, was[words].arguments, False)
        for words in now.keys() - was.keys():
            self._set(now[words].relation, now[words].arguments, True)

    def _replaced(self, brought: Iterable[tuple[str, Arguments]]) -> Iterable[tuple[str, Arguments]]:
        for name, given in brought:
            relation = self._relation(name)
            replaced = None if relation is None or is_opposite(name) else relation.replaced_by(given)
            if replaced is not None:
                yield name, replaced

    def _end(self, name: str, given: Arguments) -> None:
        if self._set(name, given, False):
            return
        self._ended.append((name, dict(given)))
        for relation, values in [*self._so]:
            if self._covers((name, given), Fact(relation, values)):
                del self._so[relation, values]

    def _set(self, name: str, given: Arguments, so: bool) -> bool:
        """Note a fact; False if it is about more than one."""
        relation = self._relation(name)
        if relation is None:
            return True
        parameters = relation.signature.parameters
        if any(p.name not in given and p.default is None for p in parameters):
            return False
        self._so[name, tuple(given.get(p.name, p.default) for p in parameters)] = so  # type: ignore[arg-type]
        return True

    def _covers(self, ended: _Ended, fact: Fact) -> bool:
        relation = self._relation(fact.relation)
        if ended[0] != fact.relation or relation is None:
            return False
        about = dict(zip((p.name for p in relation.signature.parameters), fact.values, strict=True))
        return all(about.get(name) == value for name, value in ended[1].items())

    def _relation(self, name: str) -> Relation | None:
        return self._world.relations.get(base_name(name))


def _declared(facts: FactsOfArguments | None, arguments: Arguments) -> list[tuple[str, Arguments]]:
    try:
        return [(name, dict(given)) for name, given in facts(**arguments)] if facts is not None else []
    except Exception:  # the robot's own code: if it fails, nothing is declared
        return []
