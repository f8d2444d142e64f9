"""Skills and relations: typed Python functions with docstrings, and everything a mind needs to know about them.

A *skill* changes the world, a *relation* says whether something is true of it; both are said in sentences.

    @skill(says="Wipe the {surface}.")
    async def wipe(surface: Annotated[str, Kind("surface")], strokes: int = 3) -> str:
        '''Wipe a surface with the cloth in hand.

        Args:
            surface: what to wipe.
            strokes: how often.
        '''

The signature (schema, prompt text, grammar) is read from the function: see `signatures`. The functions that belong to a
skill (preconditions, effects, a check, …) are called with all its arguments by name, defaults included. If such a
function's first parameter is `self`, it is a method of the same robot.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import types
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Arguments, Condition, Observation, Step, Value, WorldState
from thinkaloud.skills.ranges import depends_on_things, range_precondition
from thinkaloud.skills.refused_parts import refuse_parts
from thinkaloud.skills.robot_code import facts_part, plain_part, relation_part, remembers_part
from thinkaloud.skills.signatures import Signature, capitalised, signature_of

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Relation:
    """Something that can be true of the world, and how it is said."""

    signature: Signature
    holds: Callable[..., bool]
    otherwise: str = ""
    """For relations with at most one partner (a block lies on one thing): the sentence for a thing that a goal leaves
    alone. A goal then mentions each thing once."""
    derived: bool = False
    """It follows from measures (where things are): computed when asked, not listed in the state."""
    sight: Callable[..., tuple[tuple[str, Arguments], ...]] | None = None
    """For a place that is not always in view: what must hold for the robot to see what is there."""
    single: bool = False
    """For given other arguments, the last one has one value at a time: a new place ends the old one."""

    @property
    def is_single(self) -> bool:
        """Whether a new value of the last argument ends the old one, as declared by `single` or by `otherwise`."""
        return self.single or (bool(self.otherwise) and len(self.signature.parameters) > 1)

    def replaced_by(self, arguments: Arguments) -> dict[str, Value] | None:
        """What no longer holds once this holds of these: the same without the last argument; None if nothing ends."""
        if not self.is_single or not self.signature.parameters:
            return None
        last = self.signature.parameters[-1].name
        return {name: value for name, value in arguments.items() if name != last}

    def left_alone(self, thing: str) -> str:
        """The sentence that says that a goal leaves a thing alone."""
        return capitalised(self.otherwise.format_map({p.name: thing for p in self.signature.parameters}))

    def condition(self, arguments: Arguments) -> Condition:
        """That this relation holds of these."""
        return Condition(self.signature.name, dict(arguments), self.signature.tell(arguments))


def condition_holds(condition: Condition, relations: Mapping[str, Relation]) -> bool:
    """Whether a condition is true, according to its relation; raises UnknownName if there is no such relation."""
    if condition.relation not in relations:
        raise UnknownName("relation", condition.relation, relations)
    return bool(relations[condition.relation].holds(**condition.arguments))


@dataclass(frozen=True)
class Measure:
    """A value of a thing, as a number, a word or names: how high a block lies, a colour, what weighs as much."""

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
    """(**arguments) → what a predefined check finds wrong right after the skill, or None. Effects are checked against
    the
    world; this check asks the robot itself: is the gripper closed, was there a force?"""
    fix: Callable[..., Awaitable[str]] | None = None
    """(problem, **arguments) → carries out the predefined correction for that problem."""
    approval: bool = False
    """Whether a person must agree to each call."""
    remembers: Callable[..., WorldState] | None = None
    """(state, **arguments) → what is known about the world afterwards, including what cannot be seen. The default is to
    use
    the effects."""
    first: Callable[..., tuple[Arguments, ...]] | None = None
    """(state, **arguments) → calls of this same skill that must come first, given the remembered state."""
    cautions: tuple[Precondition, ...] = ()
    """Like preconditions, for what a careful critic would object to after seeing the scene. The robot itself does not
    refuse: it does not look while it moves, and finds out."""
    last: bool = False
    """Nothing can follow it in the same plan: the robot has gone home."""
    needs: FactsOfArguments | None = None
    """(**arguments) → the relations that must hold before; a search brings them about first."""
    ends: FactsOfArguments | None = None
    """(**arguments) → the relations that no longer hold afterwards. If an argument is left out, the relation may no
    longer
    hold for anything there (a robot that walks away is no longer close to anything): nobody relies on it."""
    asked_by: tuple[str, ...] = ()
    """The roles or names of those who may ask for it; empty if anybody may."""
    approvers: tuple[str, ...] = ()
    """The roles or names of those who may approve it; empty if anybody may."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """How much it uses of each of the world's budgets."""
    emergency: bool = False
    """Whether this is how the robot calls for help."""
    changes: Callable[..., tuple[tuple[str, Arguments, Value], ...]] | None = None
    """(**arguments) → the values that it changes: a measure, what that is of, and what it would be afterwards."""
    repeat: bool = True
    """Whether the robot may do the same once more on its own, if it seems not to have worked."""

    @property
    def name(self) -> str:
        """Its name in code."""
        return self.signature.name

    def step(self, arguments: Arguments, reason: str = "") -> Step:
        """This skill with these arguments, as a step."""
        return Step(self.name, dict(arguments), self.signature.tell(arguments), reason)

    def promises(self, arguments: Arguments, relations: Mapping[str, Relation]) -> list[Condition]:
        """What should hold after this, by the declared effects; raises UnknownName for an unknown relation."""
        return _declared(self.effects, arguments, relations)

    def requires(self, arguments: Arguments, relations: Mapping[str, Relation]) -> list[Condition]:
        """What must hold before this, as far as relations declare it."""
        return _declared(self.needs, arguments, relations)

    def revokes(self, arguments: Arguments, relations: Mapping[str, Relation]) -> list[Condition]:
        """What no longer holds after this, as far as declared, without what only might no longer hold."""
        return [each for each in _declared(self.ends, arguments, relations) if is_complete(each, relations)]

    def refuse(self, arguments: Arguments, observation: Observation) -> dict[str, Value]:
        """Check arguments and preconditions; raises SkillError with the reason, or returns the complete arguments."""
        checked = self.signature.check(arguments, observation.vocabulary)
        for precondition in self.preconditions:
            try:
                problem = precondition(observation, **checked)
            except SkillError:
                raise
            except Exception as error:  # the robot's own code: if it cannot tell, the skill is not tried
                problem = f"{self.name}: a precondition raised {type(error).__name__}: {error}"
            if problem:
                raise SkillError(problem)
        return checked

    async def run(self, arguments: Arguments) -> str:
        """Run the skill. Plain functions run in a thread, so that the agent can listen meanwhile."""
        if inspect.iscoroutinefunction(self.function):
            report = await self.function(**arguments)
        else:
            report = await asyncio.to_thread(self.function, **arguments)
            if inspect.isawaitable(report):  # a plain wrapper around a coroutine
                report = await report
        return "" if report is None else str(report)


def tells_done(skill: Skill, arguments: Arguments, relations: Mapping[str, Relation]) -> bool:
    """Whether the effects of a call show that exactly this call was done.

    They do not for a number that no effect mentions (`wait 5 minutes`), nor for a choice that makes no difference: a
    full bowl need not be full of water just because water would fill it.
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
                except Exception:  # the robot's own code: if it cannot tell, treat it as a different effect
                    continue
                if {condition.words for condition in instead} == words:
                    return False
    return True


def touched_by(skill: Skill, arguments: Arguments, relations: Mapping[str, Relation]) -> set[Value]:
    """The things that a call affects: its first argument, and everything whose relations it changes.

    A relation that only follows from where a thing is (left of another) does not affect the other thing. If nothing is
    declared, things of the same kind as the first argument may change as well.
    """
    known = [p for p in skill.signature.parameters if p.name in arguments]
    found = {arguments[p.name] for p in known[:1]}
    if skill.effects is None and skill.ends is None:
        kind = known[0].kind if known else None
        return found | {arguments[p.name] for p in known if kind is not None and p.kind == kind}
    for facts, brought in ((skill.effects, True), (skill.ends, False)):
        try:
            named = facts(**arguments) if facts is not None else ()
        except Exception:  # the robot's own code: if it cannot tell, nothing is declared
            continue
        for name, given in named:
            own = relations.get(name)
            changes = brought and own is not None and not own.derived and not name.startswith("not ")
            found |= {*list(given.values())[: None if changes else 1]}
    return found & {*arguments.values()}


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_complete(condition: Condition, relations: Mapping[str, Relation]) -> bool:
    """Whether it gives every argument of its relation."""
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
    approval: bool | str | Sequence[str] = False,
    remembers: Callable[..., WorldState] | None = None,
    first: Callable[..., tuple[Arguments, ...]] | None = None,
    cautions: tuple[Precondition, ...] = (),
    last: bool = False,
    needs: FactsOfArguments | None = None,
    ends: FactsOfArguments | None = None,
    asked_by: str | Sequence[str] = (),
    costs: Mapping[str, float] | None = None,
    emergency: bool = False,
    changes: Callable[..., tuple[tuple[str, Arguments, Value], ...]] | None = None,
    repeat: bool | None = None,
) -> Callable[[F], F]:
    """Mark a function or method as something the robot can do.

    `asked_by` and `approval` name the roles or people who may ask for it, and whose yes each call needs. With
    `repeat=False`, the robot never does the same call again on its own; this is the default for skills with
    `approval`. With `emergency`, this is how the robot calls for help.
    """
    functions: dict[str, object] = {
        "effects": effects,
        "needs": needs,
        "ends": ends,
        "remembers": remembers,
        "changes": changes,
    }
    functions |= {"check": check, "fix": fix, "affordance": affordance, "first": first}
    rows = {"preconditions": preconditions, "cautions": cautions}

    def mark(function: F) -> F:
        signature = signature_of(function, says, distinct)
        refuse_parts(signature, functions, rows, {"approval": approval, "asked_by": asked_by}, costs)
        if emergency and (signature.parameters or needs or preconditions):
            raise TypeError(f"{signature.name}: a skill that calls for help takes no parameters and needs nothing.")
        marked = Skill(
            signature,
            function,
            preconditions,
            effects,
            affordance,
            check,
            fix,
            bool(approval),
            remembers,
            first,
            cautions,
            last,
            needs,
            ends,
            list_people(asked_by),
            () if isinstance(approval, bool) else list_people(approval),
            costs or {},
            emergency,
            changes,
            not approval if repeat is None else repeat,
        )
        function.__skill__ = marked  # type: ignore[attr-defined]
        return function

    return mark


def list_people(people: str | Sequence[str]) -> tuple[str, ...]:
    """Roles or names, given as one or as several."""
    return (people,) if isinstance(people, str) else tuple(people)


def relation(
    says: str,
    *,
    distinct: tuple[str, ...] = (),
    otherwise: str = "",
    derived: bool = False,
    sight: Callable[..., tuple[tuple[str, Arguments], ...]] | None = None,
    single: bool = False,
) -> Callable[[F], F]:
    """Mark a function or method as something that can be true of the world.

    `single`: for given other arguments, the last one has one value at a time. `sight` takes the parameters that are
    places, by name, and returns what must hold to see what is there.
    """

    def mark(function: F) -> F:
        signature = signature_of(function, says, distinct)
        unknown = {*re.findall(r"\{(.*?)\}", otherwise)} - {p.name for p in signature.parameters}
        if unknown:
            raise TypeError(f"{signature.name}: {otherwise!r} names {sorted(unknown)}, which are not parameters.")
        places = {*inspect.signature(sight).parameters} if sight is not None else set()
        if places - {p.name for p in signature.parameters}:
            raise TypeError(f"{signature.name}: `sight` takes {sorted(places)}, which are not all parameters of it.")
        if single and not signature.parameters:
            raise TypeError(f"{signature.name}: a relation without parameters is always single; leave `single` out.")
        marked = Relation(signature, function, otherwise, derived, sight, single)
        function.__relation__ = marked  # type: ignore[attr-defined]
        return function

    return mark


def measure(says: str, *, unit: str = "") -> Callable[[F], F]:
    """Mark a function or method as a value of things: `the weight of the {parcel}`, with `unit="kg"`."""

    def mark(function: F) -> F:
        function.__measure__ = Measure(signature_of(function, says, unit=unit), function)  # type: ignore[attr-defined]
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
    found = {
        f.__relation__.signature.name: replace(f.__relation__, holds=relation_part(f.__relation__.signature.name, f))
        for f in marked
    }
    _refuse_same_words([each.signature for each in found.values()])
    return found


def measures_of(source: object) -> dict[str, Measure]:
    """The measures among an object's methods or a module's functions, by name."""
    marked = (f for f in _members(source) if hasattr(f, "__measure__"))
    found = [(f.__measure__.signature.name, f) for f in marked]
    return {name: replace(f.__measure__, read=plain_part(f"the value {name}", name, f)) for name, f in found}


def _refuse_same_words(signatures: Sequence[Signature]) -> None:
    """Refuse two with the same words: the second could never be meant."""
    known: dict[str, str] = {}
    for signature in signatures:
        kinds = {p.name: f"{{{p.kind or p.choices or p.type.__name__}}}" for p in signature.parameters}
        other = known.setdefault(signature.says.format_map(kinds).lower(), signature.name)
        if other != signature.name:
            raise TypeError(f"{other} and {signature.name} have the same sentence {signature.says!r}; change one.")


def _owned(marked: Skill, function: Callable[..., Any], owner: object) -> Skill:
    """The skill bound to this robot."""

    def own(part: Any) -> Any:
        takes_self = part is not None and next(iter(inspect.signature(part).parameters), "") == "self"
        return types.MethodType(part, owner) if takes_self else part

    parts = {name: own(getattr(marked, name)) for name in ("affordance", "fix", "first", "changes")}
    named = marked.name
    for part, told in (
        *((name, partial(facts_part, named, name)) for name in ("effects", "needs", "ends")),
        ("check", partial(plain_part, named, "check")),
        ("remembers", partial(remembers_part, named)),
    ):
        written = own(getattr(marked, part))
        parts[part] = None if written is None else told(written)
    preconditions, cautions = tuple(map(own, marked.preconditions)), tuple(map(own, marked.cautions))
    if depends_on_things(marked.signature):
        preconditions += (range_precondition(marked.signature, lambda: measures_of(owner)),)
    return replace(marked, function=function, preconditions=preconditions, cautions=cautions, **parts)


def _members(source: object) -> Iterator[Any]:
    owner = source if inspect.ismodule(source) else type(source)
    for name, member in vars(owner).items() if inspect.ismodule(source) else inspect.getmembers(owner):
        if callable(member) and not name.startswith("__"):
            yield getattr(source, name)
