"""What a robot counts in: the units of its parameters and measures, and the question for a number."""

from __future__ import annotations

import re

from thinkaloud.errors import SkillError
from thinkaloud.language.units import find_units
from thinkaloud.language.words import plural
from thinkaloud.skills.signatures import Parameter, Signature

_AFTER = re.compile(r"\bin ([^\W\d]+)\W*$|\bhow many ([^\W\d]+)", re.IGNORECASE)
"""Where the sentence of a measure names its unit: `the weight of the {parcel} in kilograms`."""


class HowMuch(SkillError):
    """An amount that cannot be taken as it was said; the error is what the robot asks."""


def ask_how_many(unit: str, parameter: Parameter | None = None) -> str:
    """The question for a number: "How many ml?"; without a unit, by the parameter's name if that is a plural."""
    name = "" if parameter is None else parameter.name.replace("_", " ")
    noun = unit or (name if name and plural(name) == name else "")
    return f"How many {noun}?" if noun else "How much should it be?"


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
