"""Skills and relations as signatures alone, for robots that make things and are only spoken of."""

from __future__ import annotations

from thinkaloud.skills import Relation, Skill
from thinkaloud.skills.signatures import Parameter, Signature


def skill(name: str, about: str, *parameters: Parameter, says: str = "") -> Skill:
    """A skill that does nothing."""
    said = says or f"{name}({', '.join(f'{{{p.name}}}' for p in parameters)})"
    return Skill(Signature(name, about, parameters, said), lambda **_: "")


def relation(name: str, about: str, says: str, *parameters: Parameter) -> Relation:
    """A relation that is answered by facts."""
    return Relation(Signature(name, about, parameters, says), lambda **_: False)


def of(name: str, kind: str) -> Parameter:
    """A parameter that takes the name of a thing."""
    return Parameter(name, str, name, kind=kind)


def nothing(**_: object) -> str:
    """What a skill does that is only spoken of."""
    return ""
