"""Standing rules, as a program states them: what waits, for what, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from thinkaloud.episode.told_rules import tell_rule
from thinkaloud.language.times import next_time, read_time, tell_every
from thinkaloud.language.units import convert
from thinkaloud.language.words import plural
from thinkaloud.program import tree
from thinkaloud.program.rendering import render, render_expression
from thinkaloud.records import StandingRule
from thinkaloud.saying.answering import Phrases
from thinkaloud.saying.retelling import Retelling
from thinkaloud.skills.signatures import spell_number

NO_RULES = "You gave me no rule and no reminder that still holds."
NOT_FOUND = "No rule and no reminder is about that."


def make_rule(rule: tree.Standing, phrases: Phrases, said: str, now: datetime) -> StandingRule:
    """The rule that a statement gives, with the moment of what is done once at a time."""
    told = " ".join(_tell(each, phrases) for each in rule.deeds)
    due = None if rule.again else _next(rule.when, now, None)
    when = _tell_when(rule, phrases) if due is None else ""
    since, once = now.isoformat(timespec="seconds"), "" if due is None else due.isoformat(timespec="seconds")
    timed = isinstance(rule.when, tree.TimeOfDay | tree.Amount)
    return StandingRule(render([rule], phrases.lexicon), when, told, said, since, once, timed)


def find_due(rule: StandingRule, statement: tree.Standing, latest: datetime | None) -> datetime | None:
    """When a rule's time comes, after the latest time that it came; None for a condition."""
    if rule.due:
        return datetime.fromisoformat(rule.due)
    return _next(statement.when, datetime.fromisoformat(rule.since), latest)


def _next(when: tree.Expression, since: datetime, latest: datetime | None) -> datetime | None:
    match when:
        case tree.TimeOfDay(time, day):
            return next_time(read_time(time, day), latest or since)
        case tree.Amount(tree.Number(number), unit):
            seconds = convert(float(number), unit, "second")
            assert seconds is not None  # the parser took it for a unit of time
            over = 0 if latest is None else int((latest - since).total_seconds() // seconds)
            return since + timedelta(seconds=seconds * (over + 1))  # counted from its beginning: it never drifts
    return None


def tell_given(rule: StandingRule, now: datetime) -> str:
    """What the robot says where a rule is given: `From now on, whenever the bell is ringing: Open the door.`"""
    return f"From now on, {rule.when}: {rule.deeds}" if rule.again else tell_rule(rule, now)


# In words -------------------------------------------------------------------------------------------------------------


def _tell_when(rule: tree.Standing, phrases: Phrases) -> str:
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


def _tell(deed: tree.Statement, phrases: Phrases) -> str:
    match deed:
        case tree.Remind(tree.Text(text)):
            return f"I remind you: {text.strip().rstrip('.')}."
        case tree.Do(call):
            return Retelling(phrases).tell_deed(call) or f"{render_expression(call, phrases.lexicon)}."
    return f"{render([deed], phrases.lexicon)}."
