"""Check what skills declare against the existing relations, before anything moves.

A misspelt relation in `effects` would be noticed when the step is checked. One in `needs` would never be noticed: the
search would find no plan and say that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.records import Value
from thinkaloud.skills import Relation, Skill
from thinkaloud.skills.signatures import Signature, Vocabulary

_PARTS = ("needs", "effects", "ends")
_NOT = "not "
"""Precedes a relation that must not hold."""
_MOST = 12
"""How many things of a kind are tried."""


def refuse_undeclared(skills: Mapping[str, Skill], relations: Mapping[str, Relation], vocabulary: Vocabulary) -> None:
    """Raise BadInput if a skill names a relation, or an argument of one, that does not exist.

    Declarations are functions of the arguments, so each is tried with a few things of every kind, and every choice.
    """
    for skill in skills.values():
        for part in _PARTS:
            if (facts := getattr(skill, part)) is None:
                continue
            for arguments in _samples(skill.signature, vocabulary):
                try:
                    named = [(name, dict(given)) for name, given in facts(**arguments)]
                except Exception:  # the robot's own code: what it cannot tell now, it may tell later
                    continue
                for name, given in named:
                    _refuse(f"{skill.name}: {part}", name, given, relations)


def _refuse(where: str, name: str, given: Mapping[str, Value], relations: Mapping[str, Relation]) -> None:
    name = name.removeprefix(_NOT)
    if name not in relations:
        raise BadInput(f"{where}: {UnknownName('relation', name, relations)}")
    known = [parameter.name for parameter in relations[name].signature.parameters]
    for argument in given:
        if argument not in known:
            raise BadInput(f"{where}: {UnknownName(f'argument of {name}', argument, known)}")


def _samples(signature: Signature, vocabulary: Vocabulary) -> Iterator[dict[str, Value]]:
    """Arguments to try: the first of each kind, and every other once; none if a kind is empty."""
    options = {p: p.options(vocabulary) for p in signature.parameters}
    if any(texts == () for texts in options.values()):
        return
    first = {p.name: p.value(texts[0]) if texts else p.default or p.type(1) for p, texts in options.items()}
    yield first
    for parameter, texts in options.items():
        for other in (texts or ())[1:_MOST]:
            yield {**first, parameter.name: parameter.value(other)}
