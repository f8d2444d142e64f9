"""Check what skills declare against the existing relations, before anything moves.

A misspelt relation in `effects` would be noticed when the step is checked. One in `needs` would never be noticed: the
search would find no plan and say that there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from thinkaloud.errors import BadInput, BadRobot, UnknownName
from thinkaloud.language.name_matching import find_nearest
from thinkaloud.records import Value
from thinkaloud.skills import Relation, Skill
from thinkaloud.skills.definitions import measures_of
from thinkaloud.skills.ranges import bounds_of
from thinkaloud.skills.robot_code import call_part
from thinkaloud.skills.signatures import Signature, Vocabulary

_PARTS = ("needs", "effects", "ends")
_NOT = "not "
"""Precedes a relation that must not hold."""
_MOST = 12
"""How many things of a kind are tried."""


def refuse_undeclared(skills: Mapping[str, Skill], relations: Mapping[str, Relation], vocabulary: Vocabulary) -> None:
    """Raise BadInput if a skill names a relation, an argument of one, or a kind that does not exist.

    Declarations are functions of the arguments, so each is tried with a few things of every kind, and every choice.
    """
    refuse_unlisted_kinds([each.signature for each in skills.values()], vocabulary)
    refuse_unlisted_kinds([each.signature for each in relations.values()], vocabulary)
    for skill in skills.values():
        for part in _PARTS:
            if (facts := getattr(skill, part)) is None:
                continue
            for arguments in sample_arguments(skill.signature, vocabulary):
                try:
                    named = [(name, dict(given)) for name, given in facts(**arguments)]
                except BadRobot as error:
                    if error.__cause__ is None:  # the form is wrong, whatever the arguments
                        raise
                    continue  # it raised something: what it cannot tell now, it may tell later
                except Exception:  # the robot's own code, in a skill that was not read by `skills_of`
                    continue
                for name, given in named:
                    refuse_unknown(f"{skill.name}: {part}", name, given, relations)


def values_of(world: Any) -> set[str]:
    """The names of all values of a robot: those that it offers, and the methods that are marked as one."""
    return {*(getattr(world, "measures", None) or ()), *measures_of(world)}


def refuse_unknown_values(skills: Mapping[str, Skill], values: Iterable[str], vocabulary: Vocabulary) -> None:
    """Raise BadInput if the range of a number, or what a skill changes, is of a value that does not exist.

    A range that nobody can read bounds nothing: a misspelt one would let any number pass.
    """
    known = [*values]
    for skill in skills.values():
        for parameter in skill.signature.parameters:
            for name in bounds_of(parameter.amount):
                if name not in known:
                    raise BadInput(
                        f"{skill.name}: the range of `{parameter.name}`: {UnknownName('value', name, known)}"
                    )
        changes = skill.changes
        for arguments in sample_arguments(skill.signature, vocabulary) if changes is not None else ():
            for name, *_ in () if changes is None else call_part(skill.name, "changes", changes, **arguments):
                if name not in known:
                    raise BadInput(f"{skill.name}: `changes`: {UnknownName('value', name, known)}")


def refuse_unlisted_kinds(signatures: Iterable[Signature], vocabulary: Vocabulary, *, empty: bool = True) -> None:
    """Raise BadRobot if a parameter has a kind that the vocabulary does not list; an `empty` one says nothing yet."""
    for signature in signatures:
        for parameter in signature.parameters:
            if empty and not vocabulary:
                return
            if parameter.kind is not None and parameter.kind not in vocabulary:
                near = find_nearest(parameter.kind, vocabulary)
                meant = f"Did you mean Kind({near!r})? " if near else ""
                raise BadRobot(
                    f"{signature.name}: `{parameter.name}` is a Kind({parameter.kind!r}), which the vocabulary of "
                    f"observe() does not list. {meant}It lists: {', '.join(vocabulary) or 'nothing'}. "
                    f"If there are none now, list it as {parameter.kind!r}: ()."
                )


def refuse_unknown(where: str, name: str, given: Mapping[str, Value], relations: Mapping[str, Relation]) -> None:
    """Raise BadInput if there is no such relation, or it has no such argument."""
    name = name.removeprefix(_NOT)
    if name not in relations:
        raise BadInput(f"{where}: {UnknownName('relation', name, relations)}")
    known = [parameter.name for parameter in relations[name].signature.parameters]
    for argument in given:
        if argument not in known:
            raise BadInput(f"{where}: {UnknownName(f'argument of {name}', argument, known)}")


def sample_arguments(signature: Signature, vocabulary: Vocabulary) -> Iterator[dict[str, Value]]:
    """Arguments to try: the first of each kind, and every other once; none if a kind is empty."""
    options = {p: p.options(vocabulary) for p in signature.parameters}
    if any(texts == () for texts in options.values()):
        return
    first = {p.name: p.value(texts[0]) if texts else p.default or p.type(1) for p, texts in options.items()}
    yield first
    for parameter, texts in options.items():
        for other in (texts or ())[1:_MOST]:
            yield {**first, parameter.name: parameter.value(other)}
