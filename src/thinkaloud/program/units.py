"""What a robot counts in: the units of its parameters and measures, and the question for a number."""

from __future__ import annotations

import re
from collections.abc import Mapping

from thinkaloud.errors import SkillError
from thinkaloud.language.units import find_units, several
from thinkaloud.language.words import plural
from thinkaloud.skills.signatures import OutOfRange, Parameter, Signature

_AFTER = re.compile(r"\bin ([^\W\d]+)\W*$|\bhow many ([^\W\d]+)", re.IGNORECASE)
"""Where the sentence of a measure names its unit: `the weight of the {parcel} in kilograms`."""


_PLACE = re.compile(r"\{(\w+)\}")


class Converted(float):
    """A number in the robot's unit that was said in another one."""

    said: object = ""

    @classmethod
    def of(cls, number: float, said: object) -> Converted:
        """A number, and how it was said."""
        found = cls(number)
        found.said = said
        return found


class HowMuch(SkillError):
    """An amount that cannot be taken as it was said; the error is what the robot asks."""


def ask_how_many(unit: str, parameter: Parameter | None = None) -> str:
    """The question for a number: "How many ml?"; without a unit, by the parameter's name if that is a plural."""
    name = "" if parameter is None else parameter.name.replace("_", " ")
    noun = several(unit) or (name if name and plural(name) == name else "")
    if len(noun) > 3 and " " not in noun and plural(noun) != noun and not find_units(noun):  # nobody counts strength
        return f"Which number should the {noun} be?"
    return f"How many {noun}?" if noun else "How much should it be?"


def ask_in_full(parameter: Parameter, says: str, given: Mapping[str, object]) -> str:
    """The question for a number, with what is done with it: "How many ml of milk shall I pour into the cup?"

    If something else is open, or the sentence does not begin with what is done, only the number is asked for; another
    number, which the model may have made up, is not said.
    """
    question, form = ask_how_many(counted_in(parameter, says), parameter), asked_form(parameter, says)
    known = form is not None and all(isinstance(given.get(each), str) for each in _PLACE.findall(form))
    return form.format_map(given) if form is not None and known and question.startswith("How many ") else question


def asked_form(parameter: Parameter, says: str) -> str | None:
    """The sentence of a skill as the question for a number: "How many ml of {liquid} shall I pour into the {cup}?" """
    before, place, behind = says.strip().rstrip(".").partition(f"{{{parameter.name}}}")
    counted = re.match(r"\s[^\W\d]+[^\s{},;]*(?: of (?:the )?(?:\{\w+\}|\w+))?", behind)
    if not place or counted is None or not before[:1].isupper():
        return None
    return f"How many{counted[0]} shall I {before[:1].lower()}{before[1:].rstrip()}{behind[counted.end() :]}?"


def ask_for_possible(error: OutOfRange, given: Mapping[str, object], signature: Signature) -> HowMuch:
    """The question for a number that is possible; the amount is told as the person said it, and as the robot counts."""
    said = next((str(each.said) for each in given.values() if isinstance(each, Converted) and each == error.number), "")
    wanted = [each for each in signature.parameters if each.amount == error.amount]
    question = ask_in_full(wanted[0], signature.says, given) if len(wanted) == 1 else ask_how_many(error.amount.unit)
    return HowMuch(f"{OutOfRange(error.number, error.amount, said)} {question}")


def counted_in(parameter: Parameter, says: str) -> str:
    """What a number is asked for in: its unit, or the plural behind it in the sentence; empty if neither is there."""
    behind = word_behind(parameter, says)
    return unit_of(parameter, says) or (behind if len(behind) > 2 and plural(behind) == behind else "")


def unit_of(parameter: Parameter, says: str) -> str:
    """What a parameter counts: as declared, or by the robot's own words; empty if neither tells."""
    if parameter.amount is not None and parameter.amount.unit:
        return parameter.amount.unit
    words = [word_behind(parameter, says), parameter.name.replace("_", " "), *parameter.name.split("_")]
    return next((each for each in words if len(each) > 1 and find_units(each)), "")


def word_behind(parameter: Parameter, says: str) -> str:
    """The word that follows a parameter in a sentence: `scoops` of `Add {count} scoops`."""
    found = re.search(rf"\{{{parameter.name}\}}\s*([^\s{{}}.,;]+)", says)
    return found[1] if found else ""


def unit_of_measure(signature: Signature) -> str:
    """What a measure is counted in: as declared, or by its sentence; empty if neither tells."""
    if signature.unit:
        return signature.unit
    found = _AFTER.search(re.sub(r"\{\w+\}", "", signature.says))
    word = (found[1] or found[2]) if found else ""
    return word if find_units(word) else ""
