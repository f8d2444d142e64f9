"""Requests that people could make of a robot, built from its own sentences and the things that are there.

No model is needed: every sentence is one that the robot itself declares, filled in, joined or asked.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from thinkaloud.language.words import plural
from thinkaloud.records import Arguments, Observation, Step, Value
from thinkaloud.robots.typical_amounts import typical_amount
from thinkaloud.skills.definitions import Measure, Skill
from thinkaloud.skills.ranges import amounts_with
from thinkaloud.skills.signatures import Parameter, Signature, Vocabulary, capitalised, spell_number
from thinkaloud.worlds.contract import Measured, World, find_ability
from thinkaloud.worlds.drawing import ASKING
from thinkaloud.worlds.full_world import FullWorld, base_name, is_opposite

_MOST = 10
_TRIES = 60
"""How many calls of a skill are tried to find one that is possible now."""
_OF_SKILLS = 5
"""How many of the requests are single calls, if there are others."""
_IS = re.compile(r"(?:The )?\{(\w+)\} (is|are) (.+?)\.?")
IN_VIEW = " in view"


def example_requests(world: World, most: int = _MOST) -> list[str]:
    """Requests to this robot as things are, at most so many, of different forms."""
    world = FullWorld(world)
    scene = world.observe()
    calls = list(dict.fromkeys(_calls(world, scene)))
    others = [*_sets(world, scene), *_sequences(calls), *_questions(world, scene), *_conditions(calls, world, scene)]
    others += [f"Never {_inner(sentence)}." for sentence in calls[-1:]]
    single = calls[: max(_OF_SKILLS, most - len(others))]
    return list(dict.fromkeys([*single, *others, *calls]))[:most]


def example_calls(world: World) -> dict[str, str]:
    """A sentence for each skill that can be said to this robot now; empty for one that nothing can be done with."""
    world = FullWorld(world)
    scene = world.observe()
    chosen = {skill.name: (skill, _choose_call(skill, scene, world, 0)) for skill in world.skills.values()}
    return {
        name: "" if call is None else capitalised(_fill(skill.signature, call))
        for name, (skill, call) in chosen.items()
    }


def possible_steps(world: World) -> Iterator[Step]:
    """Calls that nothing prevents now and that change something: each skill once, then once more with other things."""
    world = FullWorld(world)
    scene = world.observe()
    free = [(skill, _free_calls(skill, scene, world)) for skill in world.skills.values() if not skill.approval]
    for turn in range(2):
        for skill, calls in free:
            if len(calls) > turn and not skill.last:
                chosen = calls[turn * (len(calls) // 2)]
                yield Step(skill.name, chosen, capitalised(_fill(skill.signature, chosen)))


def _free_calls(skill: Skill, scene: Observation, world: World) -> list[dict[str, Value]]:
    return [call for call in _possible_calls(skill, scene, world) if _is_free(skill, call, scene, world)]


def _possible_calls(skill: Skill, scene: Observation, world: World) -> list[dict[str, Value]]:
    calls = itertools.islice(_arguments(skill.signature, scene.vocabulary), _TRIES)
    return [_with_typical_amounts(skill.signature, call, world, scene) for call in calls]


def _calls(world: World, scene: Observation) -> Iterator[str]:
    """Each skill once, then once more with other things."""
    told = [skill for skill in world.skills.values() if not skill.signature.says.startswith(f"{skill.name}(")]
    for turn in range(2):
        for skill in told:
            if (arguments := _choose_call(skill, scene, world, turn)) is not None:
                yield capitalised(_fill(skill.signature, arguments))


def _choose_call(skill: Skill, scene: Observation, world: World, turn: int) -> dict[str, Value] | None:
    """A call that nothing prevents now; otherwise any call; None if there is nothing to call it with."""
    possible = _possible_calls(skill, scene, world)
    found = [call for call in possible if _is_free(skill, call, scene, world)] or possible
    return found[min(turn * (len(found) // 2), len(found) - 1)] if found else None


def _arguments(signature: Signature, vocabulary: Vocabulary) -> Iterator[dict[str, Value]]:
    values = [_values(parameter, vocabulary) for parameter in signature.parameters]
    for each in itertools.product(*values):
        call = dict(zip((p.name for p in signature.parameters), each, strict=True))
        if len({call[name] for name in signature.distinct}) == len(signature.distinct):
            yield call


def _choose_things(signature: Signature, vocabulary: Vocabulary) -> dict[str, Value] | None:
    """Arguments that differ from each other, if there are some."""
    possible = list(itertools.islice(_arguments(signature, vocabulary), _TRIES))
    different = [call for call in possible if len({*call.values()}) == len(call)]
    return next(iter(different or possible), None)


def _values(parameter: Parameter, vocabulary: Vocabulary) -> list[Value]:
    options = parameter.options(vocabulary)
    if options is not None:
        return [parameter.value(option) for option in options]
    if parameter.default is not None:
        return [parameter.default]
    return ["hello"] if parameter.type is str else [2]


def _with_typical_amounts(signature: Signature, call: Arguments, world: World, scene: Observation) -> dict[str, Value]:
    """A call with numbers that people might well say: as much as is possible with its things, and as is there."""
    measured = find_ability(world, Measured)
    measures = {} if measured is None else measured.measures
    amounts = amounts_with(signature, call, measures, scene)
    found = dict(call)
    for parameter in signature.parameters:
        amount = amounts.get(parameter.name)
        if amount is not None and parameter.default is None:
            there = [_amount_of(thing, amount.unit, measures.values()) for thing in call.values()]
            number = typical_amount(amount, max(there, default=0.0) or None, whole=parameter.type is int)
            found[parameter.name] = number if parameter.type is float else int(number)
    return found


def _amount_of(thing: Value, unit: str, measures: Iterable[Measure]) -> float:
    """The most of a unit that is measured of a thing; 0 if nothing is known."""
    found = [0.0]
    for measure in measures:
        if unit and measure.signature.unit == unit and len(measure.signature.parameters) == 1:
            with suppress(Exception):  # the robot's own code, or a thing of another kind
                value = measure.read(**{measure.signature.parameters[0].name: thing})
                found += [float(value)] if isinstance(value, int | float) else []
    return max(found)


def _is_free(skill: Skill, arguments: Arguments, scene: Observation, world: World) -> bool:
    try:
        skill.refuse(arguments, scene)
        needed = skill.needs(**arguments) if skill.needs is not None else ()
        so = all(_holds(name, given, world) for name, given in needed)
        effects = skill.promises(arguments, world.relations)
        return so and not (effects and all(world.holds(each) for each in effects))
    except Exception:  # the robot's own code: `thinkaloud check` tells what is wrong with it
        return False


def _holds(name: str, given: Arguments, world: World) -> bool:
    base = base_name(name)
    return world.holds(world.relations[base].condition(given)) is (base == name)


def _fill(signature: Signature, arguments: Arguments) -> str:
    """A call as a person would say it, with the units of its numbers unless the sentence itself has them."""
    told: dict[str, Value] = {name: _as_said(value) for name, value in arguments.items()}
    for p in signature.parameters:
        unit = p.amount.unit if p.amount is not None else ""
        if unit and p.name in told and not re.search(rf"\{{{p.name}\}} ?{re.escape(unit)}", signature.says):
            told[p.name] = f"{told[p.name]} {unit}"
    return signature.render(told)


# Other forms ----------------------------------------------------------------------------------------------------------


def _sets(world: World, scene: Observation) -> Iterator[str]:
    """A call for all things of a kind: `Water all the plants.`"""
    for skill in world.skills.values():
        for parameter in skill.signature.parameters:
            many = f"all the {_nouns(parameter)}"
            names = scene.vocabulary.get(parameter.kind or "", ())
            said = skill.signature.says
            if len(names) > 1 and f"the {{{parameter.name}}}" in said and not re.search(r"\bit\b", said):
                call = _choose_call(skill, scene, world, 0)
                if call is not None:
                    every = said.replace(f"the {{{parameter.name}}}", many)
                    yield capitalised(every.format_map({n: _as_said(v) for n, v in call.items()}))
                    return


def _sequences(calls: list[str]) -> Iterator[str]:
    if len(calls) > 1:
        yield f"{calls[0].rstrip('.')}, then {_inner(calls[1])}."


def _questions(world: World, scene: Observation) -> Iterator[str]:
    """Whether something is so, of which things it is so, and what a value is."""
    for relation in world.relations.values():
        signature = relation.signature
        found, call = _IS.fullmatch(signature.says), _choose_things(signature, scene.vocabulary)
        if found is None or call is None:
            continue
        subject, verb, rest = found.groups()
        said = {name: _as_said(value) for name, value in call.items()}
        verb = "are" if plural(said[subject]) == said[subject] else verb
        yield f"{capitalised(verb)} {_with_article(said[subject])} {rest.format_map(said)}?"
        own = next(p for p in signature.parameters if p.name == subject)
        if own.kind is not None and "{" not in rest:
            yield f"Which {_nouns(own)} are {rest}?"
        break
    measured = find_ability(world, Measured)
    for measure in () if measured is None else measured.measures.values():
        call = _choose_things(measure.signature, scene.vocabulary)
        if call is not None:
            told = measure.signature.says.format_map({name: _as_said(value) for name, value in call.items()})
            asks = told.split(" ")[0].lower() in ASKING
            yield f"Tell me {told.rstrip('.')}." if asks else f"What is {told.rstrip('.')}?"
            break


def _conditions(calls: list[str], world: World, scene: Observation) -> Iterator[str]:
    """A call on a condition: `If the fern is not wet, water the fern.`"""
    for skill in world.skills.values():
        call = _choose_call(skill, scene, world, 0)
        if call is None or skill.effects is None:
            continue
        with suppress(Exception):  # the robot's own code
            for condition in skill.promises(call, world.relations):
                signature = world.relations[condition.relation].signature
                found = _IS.fullmatch(signature.says)
                sentence = capitalised(_fill(skill.signature, call))
                if found is not None and sentence in calls and not is_opposite(condition.relation):
                    said = {name: _as_said(value) for name, value in condition.arguments.items()}
                    subject, verb, rest = found.groups()
                    verb = "are" if plural(said[subject]) == said[subject] else verb
                    not_so = f"{_with_article(said[subject])} {verb} not {rest.format_map(said)}"
                    yield f"If {not_so}, {_inner(sentence)}."
                    return


def _nouns(parameter: Parameter) -> str:
    return plural((parameter.kind or parameter.name).removesuffix(IN_VIEW))


def _inner(sentence: str) -> str:
    """A sentence within another: without its capital and its full stop."""
    return (sentence[:1].lower() + sentence[1:]).rstrip(".")


def _as_said(value: Value) -> str:
    return spell_number(value) if isinstance(value, float) else str(value)


def _with_article(name: str) -> str:
    bare = name[:1].islower() and not name[-1:].isdigit() and not name.startswith(("the ", "a ", "an ", "my ", "your "))
    return f"the {name}" if bare else name
