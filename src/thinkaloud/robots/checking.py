"""Check a robot before anybody speaks to it: its own code, its declarations against each other, and what it can reach.

Every declaration and relation is tried with a few things of each kind, as things are now. Nothing moves. What a
function does for other arguments, or later, is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.errors import BadInput, BadRobot, ThinkaloudError, describe_fault
from thinkaloud.records import Arguments, Condition, Observation, Value, WorldState
from thinkaloud.robots.member_calls import list_wrong_methods, list_wrong_parts
from thinkaloud.robots.suggested_invariants import suggest_never
from thinkaloud.skills.declaration_check import (
    refuse_unknown,
    refuse_unknown_values,
    refuse_unlisted_kinds,
    sample_arguments,
    values_of,
)
from thinkaloud.skills.definitions import Relation, Skill
from thinkaloud.skills.robot_code import call_part
from thinkaloud.worlds.budgets import refuse_unknown_budgets
from thinkaloud.worlds.contract import Measured, World, find_ability, holds_in
from thinkaloud.worlds.full_world import FullWorld, base_name, is_opposite, opposite_name
from thinkaloud.worlds.invariants import invariants_of, read_facts, refuse_unreadable, tell_never

Fact = tuple[str, tuple[tuple[str, Value], ...]]
"""A relation and its arguments, in the order of its parameters."""
_EVERYTHING = "*"
_PARTS = ("needs", "effects", "ends")


@dataclass
class Checkup:
    """What was found: faults to mend, and what a builder may want to know."""

    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _known: list[object] = field(default_factory=list)

    def add(self, fault: str, *, once: object = None) -> None:
        """Note a fault, once; with `once`, not again for another thing that it was tried with."""
        if fault not in self.faults and (once is None or once not in self._known):
            self.faults.append(fault)
        self._known.append(once)

    def note(self, text: str) -> None:
        """Note something to know, once."""
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True)
class _Declared:
    """What one call of a skill declares."""

    skill: Skill
    arguments: dict[str, Value]
    needs: tuple[Fact, ...]
    effects: tuple[Fact, ...]
    ends: tuple[Fact, ...]


def check_robot(world: World) -> Checkup:
    """Everything that is wrong with a robot as far as it can be tried now."""
    found = Checkup()
    if (scene := _observe(world, found)) is None:
        return found
    scene = replace(scene, vocabulary=FullWorld(world).observe().vocabulary)  # with what is out of view
    with_kinds = [skill.signature for skill in world.skills.values()]
    with_kinds += [relation.signature for relation in world.relations.values()]
    _try(found, lambda: refuse_unlisted_kinds(with_kinds, scene.vocabulary, empty=False))
    for fault in list_wrong_methods(world):
        found.add(fault)
    _check_relations(world, scene, found)
    declared = list(_declarations(world, scene, found))
    for skill in world.skills.values():
        for arguments in _calls(skill, scene)[:1] or [_any_arguments(skill)]:
            for fault in list_wrong_parts(skill, arguments):
                found.add(fault)
    for each in declared:
        _check_together(each, found)
        _check_memory(each, world, scene, found)
        _check_preconditions(each, scene, found)
        _check_affordance(each, scene, found)
    values = {*world.relations, *values_of(world)}
    for name, skill in world.skills.items():
        _try(found, lambda name=name, skill=skill: refuse_unknown_values({name: skill}, values, scene.vocabulary))  # type: ignore[misc]
    _try(found, lambda: refuse_unknown_budgets(world))
    _check_snapshot(world, found)
    if _try(found, lambda: refuse_unreadable(world, scene.vocabulary)):
        _check_invariants(world, scene, found)
    found.notes += _list_unreachable(world, declared)
    found.notes += _list_verbs(world)
    changed = [(each.skill.name, base_name(name)) for each in declared for name, _ in (*each.effects, *each.ends)]
    found.notes += suggest_never(world, scene.vocabulary, changed)
    return found


def _observe(world: World, found: Checkup) -> Observation | None:
    try:
        scene = call_part(world.name, "observe", world.observe)
    except ThinkaloudError as error:
        found.add(str(error))
        return None
    if not isinstance(scene, Observation):
        found.add(f"{world.name}: `observe` returned {scene!r:.60}. Return an Observation.")
        return None
    return scene


def _try(found: Checkup, work: Callable[[], object], *, once: object = None) -> bool:
    """Do something; a problem is a fault. Returns whether it went well."""
    try:
        work()
    except ThinkaloudError as error:
        found.add(str(error), once=once)
        return False
    except Exception as error:
        found.add(describe_fault(error), once=once)
        return False
    return True


def _check_invariants(world: World, scene: Observation, found: Checkup) -> None:
    """What must never be so, and is so already, as things are now."""
    holds = read_facts(world)
    for broken in invariants_of(world, scene.vocabulary, known=True):
        if all(map(holds, broken.facts)):
            found.add(f"{tell_never([broken])} It is so already, at the start.")


def _check_relations(world: World, scene: Observation, found: Checkup) -> None:
    for relation in world.relations.values():
        for arguments in sample_arguments(relation.signature, scene.vocabulary):
            if not _try(found, lambda each=relation, given=arguments: _ask(world, each.condition(given))):  # type: ignore[misc]
                break
    measured = find_ability(world, Measured)
    for measure in () if measured is None else measured.measures.values():
        for arguments in sample_arguments(measure.signature, scene.vocabulary):
            if not _try(found, lambda each=measure, given=arguments: each.read(**given)):  # type: ignore[misc]
                break


def _ask(world: World, condition: Condition) -> None:
    try:
        holds_in(world, condition)
    except ThinkaloudError:
        raise
    except Exception as error:
        told = f"{world.name}: `holds` raised {describe_fault(error)} for {condition.words!r}"
        raise BadRobot(f"{told}. Return True or False; an exception means that it cannot be told.") from error


def _any_arguments(skill: Skill) -> dict[str, Value]:
    """Names of arguments for a skill of which no call can be made up now."""
    return {p.name: "" for p in skill.signature.parameters}


def _declarations(world: World, scene: Observation, found: Checkup) -> Iterator[_Declared]:
    for skill in world.skills.values():
        for arguments in _calls(skill, scene):
            parts = {part: _facts(skill, part, arguments, world, scene, found) for part in _PARTS}
            if any(each is None for each in parts.values()):
                break
            yield _Declared(skill, arguments, *(parts[part] or () for part in _PARTS))


def _calls(skill: Skill, scene: Observation) -> list[dict[str, Value]]:
    """Calls of a skill to try; those that name a thing twice only if there are no others."""
    found = list(sample_arguments(skill.signature, scene.vocabulary))
    named = [p.name for p in skill.signature.parameters if p.kind is not None]
    return [call for call in found if len({call[name] for name in named}) == len(named)] or found


def _facts(
    skill: Skill, part: str, arguments: Arguments, world: World, scene: Observation, found: Checkup
) -> tuple[Fact, ...] | None:
    """What a part declares for a call; None if it cannot be used, which is a fault."""
    if (function := getattr(skill, part)) is None:
        return ()
    facts: list[Fact] = []

    def read() -> None:
        for name, given in function(**arguments):
            refuse_unknown(f"{skill.name}: `{part}`", name, given, world.relations)
            relation = world.relations[base_name(name)]
            _refuse_star(f"{skill.name}: `{part}`", name, given, opens=part == "ends" or is_opposite(name))
            found.notes += _list_wrong_kinds(f"{skill.name}: `{part}`", relation, given, scene, found.notes)
            facts.append((name, tuple((p.name, given.get(p.name, "")) for p in relation.signature.parameters)))

    return tuple(facts) if _try(found, read) else None


def _refuse_star(where: str, name: str, given: Arguments, *, opens: bool) -> None:
    """Refuse the `*` of text files: in Python, an argument that is left out stands for everything."""
    for argument, value in given.items():
        if value == _EVERYTHING:
            instead = f"leave `{argument}` out; it then stands for everything" if opens else "name one thing"
            raise BadInput(
                f"{where} says {name}({argument}='*'), which only text files understand. In Python, {instead}."
            )


def _list_wrong_kinds(
    where: str, relation: Relation, given: Arguments, scene: Observation, known: Sequence[str]
) -> Iterator[str]:
    """Arguments of a relation that are not of its kinds; one for each part of a skill."""
    for parameter in relation.signature.parameters:
        if parameter.name in given and not any(each.startswith(where) for each in known):
            try:
                parameter.read(str(given[parameter.name]), scene.vocabulary)
            except ThinkaloudError:
                told = f"{relation.signature.name}({parameter.name}={given[parameter.name]!r})"
                yield f"{where} says {told}, which is no {parameter.kind or parameter.name}. Is the kind right?"


# One skill ------------------------------------------------------------------------------------------------------------


def _check_together(declared: _Declared, found: Checkup) -> None:
    """Whether what a skill needs, brings about and ends fits together."""
    name = declared.skill.name
    for fact in declared.effects:
        if fact in declared.ends or (opposite_name(fact[0]), fact[1]) in declared.effects:
            told = f"{name}: {_spell(fact)} comes about and ends in the same call. Leave it out of one."
            found.add(told, once=(name, "both", fact[0]))
    for fact in declared.needs:
        if (opposite_name(fact[0]), fact[1]) in declared.needs:
            told = f"{name}: it needs {_spell(fact)} and the opposite. Leave one out of `needs`."
            found.add(told, once=(name, "opposite", fact[0]))
    if declared.effects and not declared.ends and {*declared.effects} <= {*declared.needs}:
        found.add(f"{name}: `needs` has everything that `effects` has, so the skill changes nothing.")


def _check_memory(declared: _Declared, world: World, scene: Observation, found: Checkup) -> None:
    """Whether `remembers` says what `effects` and `ends` say."""
    skill, state = declared.skill, scene.state or WorldState(scene.objects)
    if skill.remembers is None:
        return
    after: list[WorldState] = []
    remember = skill.remembers
    if not _try(found, lambda: after.append(remember(state, **declared.arguments)), once=remember):
        return
    known = {
        (each.relation, tuple((p.name, each.arguments.get(p.name, "")) for p in relation.signature.parameters))
        for each in after[0].relations
        if (relation := world.relations.get(each.relation)) is not None
    }
    listed = {each.relation for each in (*state.relations, *after[0].relations)}
    for fact in declared.effects:
        if fact[0] in listed and not is_opposite(fact[0]) and fact not in known:
            found.note(f"{skill.name}: `effects` says {_spell(fact)}, and `remembers` does not.")
    for fact in declared.ends:
        if fact in known:
            found.note(f"{skill.name}: `ends` says that {_spell(fact)} ends, and `remembers` keeps it.")


def _check_preconditions(declared: _Declared, scene: Observation, found: Checkup) -> None:
    skill = declared.skill
    for precondition in (*skill.preconditions, *skill.cautions):
        try:
            problem = call_part(skill.name, "preconditions", precondition, scene, **declared.arguments)
        except ThinkaloudError as error:
            if error.__cause__ is not None:  # it raised something else than an answer
                found.add(str(error), once=precondition)
            continue
        if problem is not None and not isinstance(problem, str):
            found.add(
                f"{skill.name}: a precondition returned {problem!r:.40}. Return why the skill cannot be done now, or "
                "None."
            )


def _check_affordance(declared: _Declared, scene: Observation, found: Checkup) -> None:
    skill = declared.skill
    if skill.affordance is None:
        return
    try:
        likely = call_part(skill.name, "affordance", skill.affordance, scene, **declared.arguments)
    except ThinkaloudError as error:
        found.add(str(error), once=skill.affordance)
        return
    if not isinstance(likely, int | float) or not 0 <= likely <= 1:
        found.add(
            f"{skill.name}: `affordance` returned {likely!r:.40}. Return how likely the skill is to work, 0 to 1."
        )


def _check_snapshot(world: World, found: Checkup) -> None:
    def there_and_back() -> None:
        saved = call_part(world.name, "snapshot", world.snapshot)
        if not isinstance(saved, bytes):
            found.add(f"{world.name}: `snapshot` returned {saved!r:.40}. Return bytes.")
            return
        call_part(world.name, "restore", world.restore, saved)

    try:
        there_and_back()
    except ThinkaloudError as error:
        if not isinstance(error.__cause__, NotImplementedError):  # a real robot cannot be put back
            found.add(str(error))


# All skills together --------------------------------------------------------------------------------------------------


def _list_unreachable(world: World, declared: Sequence[_Declared]) -> Iterator[str]:
    """What no skill declares to bring about, to end, or to have any effect."""
    made = {fact for each in declared for fact in each.effects}
    ended = {fact for each in declared for fact in each.ends} | {(opposite_name(name), given) for name, given in made}
    brought, undone = {name for name, _ in made}, {name for name, _ in ended}
    own = [name for name, relation in world.relations.items() if not relation.derived]
    singles = {name for name in own if world.relations[name].is_single}
    if hopeless := sorted(set(_hopeless(world, declared, brought, undone | (singles & brought)))):
        yield from hopeless
    if never := [name for name in own if name not in brought]:
        yield f"No skill can bring this about: {', '.join(never)}. The robot declines requests for it."
    replaced = {name for name in singles if len({given[-1:] for each, given in made if each == name}) > 1}
    replaced |= {name for name in own if _is_choice(world.relations[name])}
    if stays := [name for name in own if name in brought and name not in undone and name not in replaced]:
        yield f"No skill can undo this: {', '.join(stays)}. Once it is so, it stays so."
    silent = [
        skill.name
        for skill in world.skills.values()
        if skill.effects is None and skill.ends is None and skill.check is None and skill.remembers is None
    ]
    if silent:
        yield f"These skills declare no effects, so nobody can check whether they worked: {', '.join(silent)}."


def _list_verbs(world: World) -> Iterator[str]:
    """What is called like something that the robot does: a model writes it for the deed."""
    for name, skill in world.skills.items():
        verb = skill.signature.says.split(" ")[0].strip(".!").lower()
        if verb != name and verb in {*world.relations, *values_of(world)}:
            yield (
                f"`{verb}` is something that can be told, and the verb of the skill `{name}` ({skill.signature.says}). "
                "A model may mistake one for the other: call the former something else."
            )


def _is_choice(relation: Relation) -> bool:
    """Whether its last parameter is a choice, such as on or off: another one replaces it."""
    parameters = relation.signature.parameters
    return len(parameters) > 1 and parameters[-1].choices is not None


def _hopeless(world: World, declared: Sequence[_Declared], brought: set[str], undone: set[str]) -> Iterator[str]:
    """Skills with a need that is not so now and that no skill can bring about."""
    for each in declared:
        for name, given in each.needs:
            base, negated = base_name(name), is_opposite(name)
            if (base in undone if negated else name in brought) or "" in dict(given).values():
                continue  # a need that leaves a thing open is about all of them
            condition = world.relations[base].condition(dict(given))
            if holds_in(world, condition) is negated:
                told = f"not {_spell((base, given))}" if negated else _spell((base, given))
                yield f"{each.skill.name} needs {told}, which is not so now, and no skill brings that about."


def _spell(fact: Fact) -> str:
    name, given = fact
    return f"{name}({', '.join(str(value) for _, value in given)})"
