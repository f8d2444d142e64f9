"""Deeds that a program calls by one of their choices: `open("trunk")`, of a skill "{way} the {trunk}.".

The robot's own sentence reads "Open the trunk.", so whoever writes `open` has understood it.
"""

from __future__ import annotations

from collections.abc import Iterator

from thinkaloud.language.words import plural
from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program
from thinkaloud.skills.signatures import Parameter, Signature


def with_skills_of_choices(program: Program) -> Program:
    """The same program with the skill in the place of its choice, where only one skill can be meant."""

    def resolved(node: tree.Node) -> tree.Node:
        if not isinstance(node, tree.Call) or node.role != "unknown" or node.named:
            return node
        found = [call for name, each in program.lexicon.skills.items() for call in _calls(node, name, each, program)]
        return found[0] if len(found) == 1 else node

    return program.changed(resolved)


def _calls(call: tree.Call, name: str, signature: Signature, program: Program) -> Iterator[tree.Call]:
    """The call of a skill that is meant by one of its choices, once for each choice that it may be."""
    words = call.name.strip("_").replace("_", " ").casefold()
    for chooses in (each for each in signature.parameters if each.choices):
        others = [each for each in signature.parameters if each.name != chooses.name]
        needed = sum(each.default is None for each in others)
        if not needed <= len(call.given) <= len(others):
            continue
        if not all(_may_be(value, each, program.lexicon) for each, value in zip(others, call.given, strict=False)):
            continue
        spoken = name.replace("_", " ")
        for choice in chooses.choices or ():
            if words in (said := str(choice).casefold(), f"{spoken} {said}", f"{said} {spoken}"):
                given = {each.name: value for each, value in zip(others, call.given, strict=False)}
                given[chooses.name] = tree.Text(str(choice))
                named = tuple((each.name, given[each.name]) for each in signature.parameters if each.name in given)
                yield tree.Call(name, "skill", (), named)


def _may_be(value: tree.Expression, parameter: Parameter, lexicon: Lexicon) -> bool:
    """Whether what is given may be of the parameter's kind; only what is written out can tell that it is not."""
    if parameter.kind is None:
        return not isinstance(value, tree.Things)
    of_kind = lexicon.lists.get(parameter.kind, "")
    match value:
        case tree.Text(name) if name in lexicon.things:
            return name in lexicon.named.get(of_kind, ())
        case tree.Things(name):
            return name == of_kind
        case tree.Describe(words=words) if any(words in (each, plural(each)) for each in lexicon.lists):
            return words in (parameter.kind, plural(parameter.kind))
        case tree.Number():
            return False
    return True
