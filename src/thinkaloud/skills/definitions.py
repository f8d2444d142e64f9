"""Skills and relations: typed Python functions with docstrings, and all that a mind needs to know about them.

A *skill* changes the world, a *relation* says whether something is true of it; both are said in sentences.

    @skill(says="Wipe the {surface}.")
    async def wipe(surface: Annotated[str, Kind("surface")], strokes: int = 3) -> str:
        '''Wipe a surface with the cloth in hand.

        Args:
            surface: what to wipe.
            strokes: how often.
        '''

What is read off the function (schema, prompt text, grammar) is its signature: see `signatures`. What belongs to a skill
(preconditions, effects, a check, …) is called with all its arguments by name, defaults included; where its own first
parameter is `self`, it is a method of the same robot.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import types
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Arguments, Condition, Observation, Step, Value, WorldState
from thinkaloud.skills.signatures import Signature, capitalised, signature_of

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Relation:
    """Something that can be true of the world, and how it is said."""

    signature: Signature
    holds: Callable[..., bool]
    otherwise: str = ""
    """For what is in this relation to one other at most (a block lies on one thing): what is said of a thing that a
    goal leaves alone. A goal then speaks of each thing once."""
    derived: bool = False
    """It follows from what measures tell (where things are): looked up when asked, not listed among what is so."""
    sight: Callable[..., tuple[tuple[str, Arguments], ...]] | None = None
    """Of a place that is not always in view: what has to be so for the robot to see what is in this relation to it."""

    def left_alone(self, thing: str) -> str:
        """The sentence that says that a goal leaves a thing alone."""
        return capitalised(self.otherwise.format_map({p.name: thing for p in self.signature.parameters}))

    def condition(self, arguments: Arguments) -> Condition:
        """That this relation holds of these."""
        return Condition(self.signature.name, dict(arguments), self.signature.render(arguments))


def condition_holds(condition: Condition, relations: Mapping[str, Relation]) -> bool:
    """Whether a condition is true, by what its relation says; UnknownName where there is no such relation."""
    if condition.relation not in relations:
        raise UnknownName("relation", condition.relation, relations)
    return bool(relations[condition.relation].holds(**condition.arguments))


@dataclass(frozen=True)
class Measure:
    """A number, a word or names that can be read off things: how high a block lies, a colour, what weighs as much."""

    signature: Signature
    read: Callable[..., Value | Sequence[Value]]


Precondition = Callable[..., str | None]
"""(observation, **arguments) → why the skill cannot be done now, or None."""
FactsOfArguments = Callable[..., tuple[tuple[str, Arguments], ...]]
"""(**arguments) → relations and what they are about."""


@dataclass(frozen=True)
class Skill:
    """Something the robot can do."""

    signature: Signature
    function: Callable[..., Any]
    preconditions: tuple[Precondition, ...] = ()
    effects: FactsOfArguments | None = None
    """(**arguments) → the relations that should hold afterwards."""
    affordance: Callable[..., float] | None = None
    """(observation, **arguments) → how likely the skill is to work now, 0 to 1."""
    check: Callable[..., str | None] | None = None
    """(**arguments) → what a predefined check finds wrong right after the skill, or None. Effects are held against the
    world; a check asks the robot itself: is the gripper closed, was there a force?"""
    fix: Callable[..., Awaitable[str]] | None = None
    """(problem, **arguments) → the predefined correction for that, carried out."""
    approval: bool = False
    remembers: Callable[..., WorldState] | None = None
    """(state, **arguments) → what is known of the world after it, also of what cannot be seen; where it is not given,
    the effects say so."""
    first: Callable[..., tuple[Arguments, ...]] | None = None
    """(state, **arguments) → calls of this same skill that have to come before, as things are remembered to be."""
    cautions: tuple[Precondition, ...] = ()
    """The same form as preconditions, for what a careful critic would object to by what has been seen. The robot itself
    does not refuse: it has no eyes while it moves, and finds out."""
    last: bool = False
    """Nothing can follow it in the same plan: the robot has gone home."""
    needs: FactsOfArguments | None = None
    """(**arguments) → the relations that have to hold before; what a search brings about first."""
    ends: FactsOfArguments | None = None
    """(**arguments) → the relations that hold no longer afterwards. Where an argument of one is left out, it may hold
    no longer of anything there (who walks away is close to nothing that it was close to): nobody counts on it."""

    @property
    def name(self) -> str:
        """Its name in code."""
        return self.signature.name

    def step(self, arguments: Arguments, reason: str = "") -> Step:
        """This skill with these arguments, as a step."""
        return Step(self.name, dict(arguments), self.signature.render(arguments), reason)

    def promises(self, arguments: Arguments, relations: Mapping[str, Relation]) -> list[Condition]:
        """What should hold after this, by the declared effects; UnknownName for a relation that is not there."""
        return _declared(self.effects, arguments, relations)

    def requires(self, arguments: Arguments, relations: Mapping[str, Relation]) -> list[Condition]:
        """What has to hold before this, as far as it is declared in relations."""
        return _declared(self.needs, arguments, relations)

    def revokes(self, arguments: Arguments, relations: Mapping[str, Relation]) -> list[Condition]:
        """What holds no longer after this, as far as it is declared; without what only may hold no longer."""
        return [each for each in _declared(self.ends, arguments, relations) if is_complete(each, relations)]

    def refuse(self, arguments: Arguments, observation: Observation) -> dict[str, Value]:
        """Check arguments and preconditions; raises SkillError with the reason, or returns the complete arguments."""
        checked = self.signature.check(arguments, observation.vocabulary)
        for precondition in self.preconditions:
            try:
                problem = precondition(observation, **checked)
            except SkillError:
                raise
            except Exception as error:  # a robot builder's own code: what cannot be told is not tried
                problem = f"{self.name}: a precondition raised {type(error).__name__}: {error}"
            if problem:
                raise SkillError(problem)
        return checked

    async def run(self, arguments: Arguments) -> str:
        """Do it. Plain functions run in a thread, so that a person is heard meanwhile."""
        if inspect.iscoroutinefunction(self.function):
            report = await self.function(**arguments)
        else:
            report = await asyncio.to_thread(self.function, **arguments)
            if inspect.isawaitable(report):  # a plain wrapper round a coroutine
                report = await report
        return "" if report is None else str(report)


def tells_done(skill: Skill, arguments: Arguments, relations: Mapping[str, Relation]) -> bool:
    """Whether what should hold after a call tells that just this was done.

    Not of a number that nothing says (`wait 5 minutes`), and not of a choice that makes no difference to it: a full
    bowl is not full of water because that would fill it, too.
    """
    promised = skill.promises(arguments, relations)
    told = {value for condition in promised for value in condition.arguments.values()}
    if not promised or any(_is_number(value) and value not in told for value in arguments.values()):
        return False
    words = {condition.words for condition in promised}
    for parameter in skill.signature.parameters:
        for other in (parameter.choices or ()) if parameter.name in arguments else ():
            if other != arguments[parameter.name] and parameter.type is str:
                try:
                    instead = skill.promises({**arguments, parameter.name: other}, relations)
                except Exception:  # a robot builder's own code: what it cannot tell is something else
                    continue
                if {condition.words for condition in instead} == words:
                    return False
    return True


def touched_by(skill: Skill, arguments: Arguments, relations: Mapping[str, Relation]) -> set[Value]:
    """The things that a call does something to: what it is called with first, and all of which it changes what is so.

    What only follows from where a thing is (it is left of another) changes nothing of the other. Where nothing is
    declared, what is of the same kind as the first may change as well.
    """
    known = [p for p in skill.signature.parameters if p.name in arguments]
    found = {arguments[p.name] for p in known[:1]}
    if skill.effects is None and skill.ends is None:
        kind = known[0].kind if known else None
        return found | {arguments[p.name] for p in known if kind is not None and p.kind == kind}
    for facts, brought in ((skill.effects, True), (skill.ends, False)):
        try:
            named = facts(**arguments) if facts is not None else ()
        except Exception:  # a robot builder's own code: what it cannot tell is not declared
            continue
        for name, given in named:
            own = relations.get(name)
            changes = brought and own is not None and not own.derived and not name.startswith("not ")
            found |= {*list(given.values())[: None if changes else 1]}
    return found & {*arguments.values()}


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_complete(condition: Condition, relations: Mapping[str, Relation]) -> bool:
    """Whether it names all that its relation is about."""
    parameters = relations[condition.relation].signature.parameters
    return all(p.name in condition.arguments or p.default is not None for p in parameters)


def _declared(
    facts: FactsOfArguments | None, arguments: Arguments, relations: Mapping[str, Relation]
) -> list[Condition]:
    named = facts(**arguments) if facts else ()
    for relation, _ in named:
        if relation not in relations:
            raise UnknownName("relation", relation, relations)
    return [relations[relation].condition(given) for relation, given in named]


def skill(
    says: str | None = None,
    *,
    distinct: tuple[str, ...] = (),
    preconditions: tuple[Precondition, ...] = (),
    effects: FactsOfArguments | None = None,
    affordance: Callable[..., float] | None = None,
    check: Callable[..., str | None] | None = None,
    fix: Callable[..., Awaitable[str]] | None = None,
    approval: bool = False,
    remembers: Callable[..., WorldState] | None = None,
    first: Callable[..., tuple[Arguments, ...]] | None = None,
    cautions: tuple[Precondition, ...] = (),
    last: bool = False,
    needs: FactsOfArguments | None = None,
    ends: FactsOfArguments | None = None,
) -> Callable[[F], F]:
    """Mark a function or method as something the robot can do."""

    def mark(function: F) -> F:
        signature = signature_of(function, says, distinct)
        marked = Skill(
            signature,
            function,
            preconditions,
            effects,
            affordance,
            check,
            fix,
            approval,
            remembers,
            first,
            cautions,
            last,
            needs,
            ends,
        )
        function.__skill__ = marked  # type: ignore[attr-defined]
        return function

    return mark


def relation(
    says: str,
    *,
    distinct: tuple[str, ...] = (),
    otherwise: str = "",
    derived: bool = False,
    sight: Callable[..., tuple[tuple[str, Arguments], ...]] | None = None,
) -> Callable[[F], F]:
    """Mark a function or method as something that can be true of the world.

    `sight` takes those parameters that are places, by their names, and says what has to be so to see what is there.
    """

    def mark(function: F) -> F:
        signature = signature_of(function, says, distinct)
        unknown = {*re.findall(r"\{(.*?)\}", otherwise)} - {p.name for p in signature.parameters}
        if unknown:
            raise TypeError(f"{signature.name}: {otherwise!r} names {sorted(unknown)}, which are no parameters.")
        places = {*inspect.signature(sight).parameters} if sight is not None else set()
        if places - {p.name for p in signature.parameters}:
            raise TypeError(f"{signature.name}: `sight` takes {sorted(places)}, which are not all parameters of it.")
        marked = Relation(signature, function, otherwise, derived, sight)
        function.__relation__ = marked  # type: ignore[attr-defined]
        return function

    return mark


def measure(says: str) -> Callable[[F], F]:
    """Mark a function or method as something that can be read off things: `the weight of the {parcel} in kilograms`."""

    def mark(function: F) -> F:
        function.__measure__ = Measure(signature_of(function, says), function)  # type: ignore[attr-defined]
        return function

    return mark


def skills_of(source: object) -> dict[str, Skill]:
    """The skills among an object's methods or a module's functions, by name."""
    marked = (f for f in _members(source) if hasattr(f, "__skill__"))
    found = {f.__skill__.name: _owned(f.__skill__, f, source) for f in marked}
    _refuse_same_words([each.signature for each in found.values()])
    return found


def relations_of(source: object) -> dict[str, Relation]:
    """The relations among an object's methods or a module's functions, by name."""
    marked = (f for f in _members(source) if hasattr(f, "__relation__"))
    found = {f.__relation__.signature.name: replace(f.__relation__, holds=f) for f in marked}
    _refuse_same_words([each.signature for each in found.values()])
    return found


def measures_of(source: object) -> dict[str, Measure]:
    """The measures among an object's methods or a module's functions, by name."""
    marked = (f for f in _members(source) if hasattr(f, "__measure__"))
    return {f.__measure__.signature.name: replace(f.__measure__, read=f) for f in marked}


def _refuse_same_words(signatures: Sequence[Signature]) -> None:
    """Two of the same words could not be told apart: the second would never be meant."""
    known: dict[str, str] = {}
    for signature in signatures:
        kinds = {p.name: f"{{{p.kind or p.choices or p.type.__name__}}}" for p in signature.parameters}
        other = known.setdefault(signature.says.format_map(kinds).lower(), signature.name)
        if other != signature.name:
            raise TypeError(f"{other} and {signature.name} are both said as {signature.says!r}; say one differently.")


def _owned(marked: Skill, function: Callable[..., Any], owner: object) -> Skill:
    """The skill of this very robot."""

    def own(part: Any) -> Any:
        takes_self = part is not None and next(iter(inspect.signature(part).parameters), "") == "self"
        return types.MethodType(part, owner) if takes_self else part

    parts = {
        name: own(getattr(marked, name))
        for name in ("effects", "affordance", "check", "fix", "remembers", "first", "needs", "ends")
    }
    preconditions, cautions = tuple(map(own, marked.preconditions)), tuple(map(own, marked.cautions))
    return replace(marked, function=function, preconditions=preconditions, cautions=cautions, **parts)


def _members(source: object) -> Iterator[Any]:
    owner = source if inspect.ismodule(source) else type(source)
    for name, member in vars(owner).items() if inspect.ismodule(source) else inspect.getmembers(owner):
        if callable(member) and not name.startswith("__"):
            yield getattr(source, name)
