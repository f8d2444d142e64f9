"""Rules about deeds, as a program states them: `never(wake("Tom"))`, `never(pour(cup="mug"), above=200)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from thinkaloud.errors import Missing
from thinkaloud.language.words import in_a_row
from thinkaloud.program.evaluate import flat, spread
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.rendering import render_expression
from thinkaloud.program.tree import Expression, Never
from thinkaloud.records import Arguments, Rule, Value
from thinkaloud.saying.answering import Phrases
from thinkaloud.saying.telling import uncapitalised
from thinkaloud.skills.signatures import Parameter, Signature, spell_number
from thinkaloud.understand.meaning.naming import Names

BROKEN = "You told me {}. Tell me if that no longer holds."
"""What is said where a request breaks a rule."""


def read_rules(rule: Never, given: Mapping[str, Any], above: Any, names: Names, phrases: Phrases) -> Iterator[Rule]:
    """The rules that a statement comes to: a list in it stands for one with each of its members."""
    deed, until, lexicon = rule.deed.name, rule.until, phrases.lexicon
    signature = lexicon.skills.get(deed)
    if signature is None:
        raise Missing(f"I have no skill for that: {deed.strip('_').replace('_', ' ')}.", "no such skill")
    known = {each.name: each for each in signature.parameters}
    if above is not None and not any(each.type in (int, float) for each in signature.parameters):
        raise Missing(
            f"I can't keep such a limit: there is no number in how I {tell_deed(signature, {})}.", "not possible"
        )
    matters = {name: value for name, value in given.items() if not _is_whole(value, known.get(name), lexicon)}
    most = float(above) if isinstance(above, int | float) and not isinstance(above, bool) else None
    for each in spread(matters):
        arguments = {name: find_named(value, known.get(name), lexicon, names) for name, value in each.items()}
        words = tell_deed(signature, arguments, most)
        if not rule.lifted:
            words = f"never to {words}" if until is None else f"not to {words} until {_tell_end(until, phrases)}"
        ends = "" if until is None else render_expression(until, lexicon)
        yield Rule(lexicon.own_names.get(deed, deed), arguments, most, ends, words, rule.lifted)


def active(rules: Sequence[Rule], is_so: Callable[[str], bool]) -> tuple[Rule, ...]:
    """The rules without those whose end has come."""
    return tuple(rule for rule in rules if not (rule.until and is_so(rule.until)))


def _is_whole(value: Any, parameter: Parameter | None, lexicon: Lexicon) -> bool:
    """Whether an argument is all that there is of its kind: then it does not matter which."""
    everything = {*lexicon.named.get(lexicon.list_of(parameter) or "", ())} if parameter is not None else set()
    return isinstance(value, list | tuple) and bool(everything) and everything <= {*map(str, flat(value))}


def find_named(value: Any, parameter: Parameter | None, lexicon: Lexicon, names: Names) -> Value:
    """An argument that matters, by the robot's own name for it."""
    if parameter is None or parameter.kind is None:
        found: Value = value
        return found
    return names.find(value, lexicon.named.get(lexicon.list_of(parameter) or "", ()))


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


def _tell_end(until: Expression, phrases: Phrases) -> str:
    """When a rule ends; where there are no words for that, as the program has it: "never" would be another rule."""
    clause = phrases.clause(until, {})
    return f"this is so: {render_expression(until, phrases.lexicon)}" if clause is None else phrases.within(clause.so)
