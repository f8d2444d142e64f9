"""What people told that still holds, and which of it a program takes back.

That is what waits for a condition or a time, a deed that must not be done, or a thing to be left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from thinkaloud.language.words import stems
from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import read_program
from thinkaloud.program.words import ALLOW, FORGET, spelled
from thinkaloud.records import Rule, StandingRule, Value

Held = StandingRule | Rule | str
"""Something that holds: a thing that is left alone is its name."""


def all_held(standing: Iterable[StandingRule], rules: Iterable[Rule], kept: Iterable[str]) -> list[Held]:
    """All that still holds, without the leave that was given."""
    return [*standing, *(rule for rule in rules if not rule.allowed), *kept]


def with_deed(held: Sequence[Held], skill: str, given: Mapping[str, Any], lexicon: Lexicon) -> list[Held]:
    """What waits with a deed or forbids it, and has no other things in the place of those that are named."""
    found = [each for each in held if _is_about(each, skill, given, lexicon)]
    things = {name for value in given.values() for name in _names(value)}
    return found or [each for each in held if isinstance(each, str) and each in things]


def with_words(held: Sequence[Held], words: str, lexicon: Lexicon) -> list[Held]:
    """The reminders and rules that have such words; or the one that waits with this very program."""
    same = [each for each in held if isinstance(each, StandingRule) and each.program == words]
    return [*same] or [each for each in held if any(_shares(words, text) for text in _words_of(each, lexicon))]


def with_things(held: Sequence[Held], things: Iterable[str]) -> list[Held]:
    """The deeds with these things that are forbidden."""
    wanted = {*things}
    return [each for each in held if isinstance(each, Rule) and wanted & {*each.arguments.values()}]


def take_back(held: Held, lexicon: Lexicon) -> str:
    """The program that takes back just this."""
    match held:
        case StandingRule(program):
            return f"{spelled(FORGET, lexicon)}({json.dumps(program, ensure_ascii=False)})"
        case Rule(skill, arguments):
            name = next((word for word, own in lexicon.own_names.items() if own == skill), skill)
            given = ", ".join(f"{each}={_literal(value)}" for each, value in arguments.items())
            return f"{spelled(ALLOW, lexicon)}({name}({given}))"
    return f"{spelled(ALLOW, lexicon)}({json.dumps(held, ensure_ascii=False)})"


def read_rule(rule: StandingRule, lexicon: Lexicon) -> tree.Standing | None:
    """The statement of a rule; None where this robot no longer has what it is about."""
    program = read_program(rule.program, lexicon)
    match program and program.statements:
        case (tree.Standing() as found,):
            return found
    return None


def reminders_in(rule: tree.Standing) -> list[str]:
    """What the robot is to say for a rule."""
    texts = (each.text for each in rule.deeds if isinstance(each, tree.Remind))
    return [each.value for each in texts if isinstance(each, tree.Text)]


def _literal(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _is_about(held: Held, skill: str, given: Mapping[str, Any], lexicon: Lexicon) -> bool:
    match held:
        case StandingRule():
            rule = read_rule(held, lexicon)
            return rule is not None and any(_has(rule, skill, given, lexicon))
        case Rule():
            same = lexicon.own_names.get(skill, skill) == held.skill
            wanted = {name: _names(value) for name, value in given.items()}
            return same and all(str(held.arguments.get(name)) in things for name, things in wanted.items())
    return False


def _has(rule: tree.Standing, skill: str, given: Mapping[str, Any], lexicon: Lexicon) -> list[bool]:
    calls = [each.call for each in rule.deeds if isinstance(each, tree.Do) and each.call.name == skill]
    wanted = {name: _names(value) for name, value in given.items()}
    written = (call.arguments(lexicon.skills[skill]) for call in calls)
    return [all(_written(own.get(name)) == things for name, things in wanted.items()) for own in written]


def _names(value: Any) -> set[str]:
    return {str(each) for each in value} if isinstance(value, list | tuple) else {str(value)}


def _written(value: tree.Expression | None) -> set[str]:
    match value:
        case tree.Text(text):
            return {text}
        case tree.Number(number):
            return {str(number)}
        case tree.Row(items):
            return {name for each in items for name in _written(each)}
    return set()


def _words_of(held: Held, lexicon: Lexicon) -> list[str]:
    match held:
        case StandingRule():
            rule = read_rule(held, lexicon)
            return [] if rule is None else reminders_in(rule)
        case Rule(words=words):
            return [words]
    return [held]


def _shares(words: str, text: str) -> bool:
    wanted, own = stems(words), stems(text)
    return bool(wanted) and (wanted <= own or own <= wanted)
