"""What skills declare is held against the relations that there are, before anything moves.

A relation that is misspelt in `effects` would be noticed when the step is checked, one in `needs` by nobody: the search
would find no way, and say that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.records import Value
from thinkaloud.skills import Relation, Skill
from thinkaloud.skills.signatures import Signature, Vocabulary

_PARTS = ("needs", "effects", "ends")
_NOT = "not "
"""Before a relation that must not hold."""
_MOST = 12
"""So many things of a kind are asked about."""


def refuse_undeclared(skills: Mapping[str, Skill], relations: Mapping[str, Relation], vocabulary: Vocabulary) -> None:
    """BadInput where a skill names a relation, or an argument of one, that is not there.

    What is declared are functions of the arguments: each is asked with a few things of every kind, and every choice.
    """
    for skill in skills.values():
        for part in _PARTS:
            if (facts := getattr(skill, part)) is None:
                continue
            for arguments in _samples(skill.signature, vocabulary):
                try:
                    named = [(name, dict(given)) for name, given in facts(**arguments)]
                except Exception:  # a robot builder's own code: what it cannot tell now, it may tell later
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
    """Arguments to ask with: the first there is of each, and every other once; none where a kind has nothing."""
    options = {p: p.options(vocabulary) for p in signature.parameters}
    if any(texts == () for texts in options.values()):
        return
    first = {p.name: p.value(texts[0]) if texts else p.default or p.type(1) for p, texts in options.items()}
    yield first
    for parameter, texts in options.items():
        for other in (texts or ())[1:_MOST]:
            yield {**first, parameter.name: parameter.value(other)}
