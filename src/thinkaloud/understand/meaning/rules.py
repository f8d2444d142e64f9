"""Rules about deeds, as a program states them: `never(wake("Tom"))`, `never(pour(cup="mug"), above=200)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from thinkaloud.errors import Missing
from thinkaloud.program.evaluate import flat, spread
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.rendering import render_expression
from thinkaloud.program.tree import Never
from thinkaloud.records import Rule, Value
from thinkaloud.saying.answering import Phrases
from thinkaloud.saying.rules import tell_deed, tell_end
from thinkaloud.skills.signatures import Parameter
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
            words = f"never to {words}" if until is None else f"not to {words} until {tell_end(until, phrases)}"
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
