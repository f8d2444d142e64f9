"""Rules in plain words: a deed that is forbidden, until when, and what waits for a condition or a time."""

from __future__ import annotations

import re

from thinkaloud.language.times import read_time, tell_every
from thinkaloud.language.units import convert
from thinkaloud.language.words import in_a_row, plural
from thinkaloud.program import tree
from thinkaloud.program.rendering import render, render_expression
from thinkaloud.records import Arguments
from thinkaloud.saying.answering import Phrases
from thinkaloud.saying.retelling import Retelling
from thinkaloud.saying.telling import uncapitalised
from thinkaloud.skills.signatures import Signature, spell_number


def tell_deed(signature: Signature, arguments: Arguments, above: float | None = None) -> str:
    """A deed in words: what does not matter is any."""
    if (not arguments and above is None) or signature.says.startswith(f"{signature.name}("):
        things = " ".join(map(str, arguments.values()))
        if not things and above is None and _begins_with_choice(signature):
            return f"{signature.name.replace('_', ' ')} ({_tell_given(signature, {}, None)})"
        more = f"more than {spell_number(above)}" if above is not None else ""
        named = signature.name.replace("_", " ") if more or things else _verb_of(signature)
        return " ".join(filter(None, (named, more, things)))
    return _tell_given(signature, arguments, above)


def _tell_given(signature: Signature, arguments: Arguments, above: float | None) -> str:
    """A skill's sentence with what is given; a choice that is left open lists all of them, and a thing is any."""
    told = signature.says
    for p in signature.parameters:
        if p.name in arguments:
            value = arguments[p.name]
            told = told.replace(f"{{{p.name}}}", spell_number(value) if isinstance(value, float) else str(value))
        elif p.type in (int, float) and above is not None:
            told, above = told.replace(f"{{{p.name}}}", f"more than {spell_number(above)}"), None
        elif p.choices is not None:
            told = told.replace(f"{{{p.name}}}", in_a_row(p.choices, "or"))
        else:
            noun = (p.kind or p.name).replace("_", " ")
            number = "any number of" if re.search(rf"\{{{p.name}\}} \w", told) else "any number"
            told = re.sub(rf"(?:\b[Tt]he )?\{{{p.name}\}}", number if p.type in (int, float) else f"any {noun}", told)
    return uncapitalised(told)


def _begins_with_choice(signature: Signature) -> bool:
    """Whether a skill's verb is a choice, so that its name alone does not say what is done: `{way} the {trunk}.`"""
    first = next((p for p in signature.parameters if signature.says.startswith(f"{{{p.name}}}")), None)
    return first is not None and first.choices is not None


def _verb_of(signature: Signature) -> str:
    """What a skill's sentence says before it speaks of anything that is given: `ring the gong`; else its name."""
    begin = re.split(r"[{(]", signature.says)[0].rstrip(" .:")
    words = re.sub(r"(?:\s+(?:a|an|the|to|in|into|on|onto|at|of|by|for|with|from))+$", "", begin)
    return uncapitalised(words) or signature.name.replace("_", " ")


def tell_end(until: tree.Expression, phrases: Phrases) -> str:
    """When a rule ends; where there are no words for that, as the program has it: "never" would be another rule."""
    clause = phrases.clause(until, {})
    return f"this is so: {render_expression(until, phrases.lexicon)}" if clause is None else phrases.within(clause.so)


# What waits -----------------------------------------------------------------------------------------------------------


def tell_when(rule: tree.Standing, phrases: Phrases) -> str:
    """What a rule waits for: `whenever the bell is ringing`, `every 2 hours`."""
    match rule.when:
        case tree.TimeOfDay(time, day):
            return tell_every(read_time(time, day))
        case tree.Amount(tree.Number(number), unit):
            return f"every {_tell_span(float(number), unit)}"
    clause = phrases.clause(rule.when, {}, each="any {}")
    so = f"this is so: {render_expression(rule.when, phrases.lexicon)}" if clause is None else phrases.within(clause.so)
    return f"{'whenever' if rule.again else 'as soon as'} {so}"


def _tell_span(number: float, unit: str) -> str:
    """`hour`, `2 hours`; half an hour is `30 minutes`."""
    if number == 1:
        return unit
    minutes = convert(number, unit, "minute") or 0.0
    if not number.is_integer() and minutes.is_integer():
        number, unit = minutes, "minute"
    return f"{spell_number(number)} {plural(unit)}"


def tell_waiting(deed: tree.Statement, phrases: Phrases) -> str:
    """What is done when the time of a rule comes, as a sentence."""
    match deed:
        case tree.Remind(tree.Text(text)):
            return f"I remind you: {text.strip().rstrip('.')}."
        case tree.Do(call):
            return Retelling(phrases).tell_deed(call) or f"{render_expression(call, phrases.lexicon)}."
    return f"{render([deed], phrases.lexicon)}."
