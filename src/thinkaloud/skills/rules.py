"""Rules about deeds that people gave: what the robot must not do, whoever asks for it and whatever it would help.

The latest rule about a deed counts: "never wake anybody", and then "you may wake Tom".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thinkaloud.records import Arguments, Rule


def find_broken(rules: Sequence[Rule], skill: str, arguments: Arguments) -> Rule | None:
    """The rule that forbids a call of a skill; None if it may be done."""
    latest = next((rule for rule in reversed(rules) if _is_about(rule, skill, arguments)), None)
    return None if latest is None or latest.allowed else latest


def add_rules(rules: Iterable[Rule], more: Iterable[Rule]) -> tuple[Rule, ...]:
    """All rules after more were given: what a later one covers is dropped, and so is leave that nothing needs."""
    found = list(rules)
    for new in more:
        found = [each for each in found if not (new.above is None and _covers(new, each))]
        if not new.allowed or any(each.skill == new.skill for each in found):
            found.append(new)
    return tuple(found)


def _is_about(rule: Rule, skill: str, arguments: Arguments) -> bool:
    if rule.skill != skill or any(arguments.get(name) != value for name, value in rule.arguments.items()):
        return False
    numbers = [value for name, value in arguments.items() if _is_number(value) and name not in rule.arguments]
    return rule.above is None or any(isinstance(each, int | float) and each > rule.above for each in numbers[:1])


def _covers(rule: Rule, other: Rule) -> bool:
    return rule.skill == other.skill and rule.arguments.items() <= other.arguments.items()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
