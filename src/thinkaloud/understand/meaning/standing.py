"""Standing rules, as a program states them: what waits, for what, in words, and which of them somebody takes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from thinkaloud.language.times import next_time, read_time, tell_every, tell_moment
from thinkaloud.language.units import convert
from thinkaloud.language.words import plural, stems
from thinkaloud.records import StandingRule
from thinkaloud.skills.signatures import capitalised, spell_number
from thinkaloud.understand import tree
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.program import read_program
from thinkaloud.understand.rendering import render, render_expression
from thinkaloud.understand.saying.answering import Phrases
from thinkaloud.understand.saying.retelling import Retelling

NO_RULES = "You gave me no rule and no reminder that still waits."
NOT_FOUND = "No rule and no reminder that waits is about that."


def make_rule(rule: tree.Standing, phrases: Phrases, lexicon: Lexicon, *, said: str, now: datetime) -> StandingRule:
    """The rule that a statement gives, with the moment of what is done once at a time."""
    retelling = Retelling(phrases, lexicon)
    told = " ".join(_tell(each, retelling, lexicon) for each in rule.deeds)
    due = None if rule.again else next_due(rule.when, now, first=True)
    when = _tell_when(rule, phrases, lexicon) if due is None else ""
    since, once = now.isoformat(timespec="seconds"), "" if due is None else due.isoformat(timespec="seconds")
    return StandingRule(render([rule], lexicon), when, told, said, since, once)


def fix_half_of_day(rule: tree.Standing, now: datetime) -> tree.Standing:
    """`clock("6")` as the next six o'clock, in the morning or in the evening."""
    match rule.when:
        case tree.TimeOfDay(time, day) if (wanted := read_time(time, day)).either:
            hour = next_time(wanted, now).hour
            return tree.Standing(tree.TimeOfDay(f"{hour}:00", day), rule.deeds, rule.again, line=rule.line)
    return rule


def next_due(when: tree.Expression, after: datetime, *, first: bool) -> datetime | None:
    """When a time comes that something waits for; None for a condition. `first`: nothing was done for it yet."""
    match when:
        case tree.TimeOfDay(time, day):
            return next_time(read_time(time, day), after)
        case tree.Amount(tree.Number(number), unit):
            seconds = convert(float(number), unit, "second")
            assert seconds is not None  # the parser took it for a unit of time
            return after + timedelta(seconds=seconds)
    return None


def tell_rule(rule: StandingRule, now: datetime) -> str:
    """A rule as a sentence: `Whenever the bell is ringing: Open the door.`"""
    when = tell_moment(datetime.fromisoformat(rule.due), now) if rule.due else rule.when
    return f"{capitalised(when)}: {rule.deeds}"


def tell_given(rule: StandingRule, now: datetime) -> str:
    """What the robot says where a rule is given: `From now on, whenever the bell is ringing: Open the door.`"""
    return tell_rule(rule, now) if rule.due or rule.when.startswith("as soon") else f"From now on, {_told(rule)}"


def _told(rule: StandingRule) -> str:
    return f"{rule.when}: {rule.deeds}"


def read_rule(rule: StandingRule, lexicon: Lexicon) -> tree.Standing | None:
    """The statement of a rule; None where this robot no longer has what it is about."""
    program = read_program(rule.program, lexicon)
    match program and program.statements:
        case (tree.Standing() as found,):
            return found
    return None


def add_standing(standing: Sequence[StandingRule], more: Sequence[StandingRule]) -> tuple[StandingRule, ...]:
    """All rules after more were given; the same again takes the place of the earlier one."""
    new = {each.program for each in more}
    return (*(each for each in standing if each.program not in new), *more)


# Taking back ----------------------------------------------------------------------------------------------------------


def with_deed(
    standing: Sequence[StandingRule], skill: str, given: Mapping[str, Any], lexicon: Lexicon
) -> list[StandingRule]:
    """The rules with a deed, and with no other things in the place of those that are named."""
    found = ((each, read_rule(each, lexicon)) for each in standing)
    return [each for each, rule in found if rule is not None and any(_has(rule, skill, given, lexicon))]


def _has(rule: tree.Standing, skill: str, given: Mapping[str, Any], lexicon: Lexicon) -> list[bool]:
    calls = [each.call for each in rule.deeds if isinstance(each, tree.Do) and each.call.name == skill]
    names = [p.name for p in lexicon.skills[skill].parameters]
    wanted = {name: _names(value) for name, value in given.items()}
    return [
        all(_written(own.get(name)) == things for name, things in wanted.items())
        for own in (dict(zip(names, call.given, strict=False)) | dict(call.named) for call in calls)
    ]


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


def with_words(standing: Sequence[StandingRule], words: str, lexicon: Lexicon) -> list[StandingRule]:
    """The rules with a reminder that has such words."""
    wanted = stems(words)
    return [each for each in standing if any(_shares(wanted, text) for text in reminders_of(each, lexicon))]


def reminders_of(rule: StandingRule, lexicon: Lexicon) -> list[str]:
    """What the robot is to say for a rule."""
    found = read_rule(rule, lexicon)
    deeds = () if found is None else found.deeds
    return [each.text.value for each in deeds if isinstance(each, tree.Remind) and isinstance(each.text, tree.Text)]


def _shares(wanted: set[str] | frozenset[str], text: str) -> bool:
    own = stems(text)
    return bool(wanted) and (wanted <= own or own <= wanted)


# In words -------------------------------------------------------------------------------------------------------------


def _tell_when(rule: tree.Standing, phrases: Phrases, lexicon: Lexicon) -> str:
    match rule.when:
        case tree.TimeOfDay(time, day):
            return tell_every(read_time(time, day))
        case tree.Amount(tree.Number(number), unit):
            return f"every {unit}" if number == 1 else f"every {spell_number(float(number))} {plural(unit)}"
    clause = phrases.clause(rule.when, {}, each="any {}")
    so = f"this is so: {render_expression(rule.when, lexicon)}" if clause is None else phrases.within(clause.so)
    return f"{'whenever' if rule.again else 'as soon as'} {so}"


def _tell(deed: tree.Statement, retelling: Retelling, lexicon: Lexicon) -> str:
    match deed:
        case tree.Remind(tree.Text(text)):
            return f"I remind you: {text.strip().rstrip('.')}."
        case tree.Do(call):
            return retelling.tell_deed(call) or f"{render_expression(call, lexicon)}."
    return f"{render([deed], lexicon)}."
