"""Standing rules, as a program states them: what waits, for what, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from thinkaloud.episode.told_rules import tell_rule
from thinkaloud.language.times import next_time, read_time
from thinkaloud.language.units import convert
from thinkaloud.program import tree
from thinkaloud.program.rendering import render
from thinkaloud.records import StandingRule
from thinkaloud.saying.answering import Phrases
from thinkaloud.saying.rules import tell_waiting, tell_when

NO_RULES = "You gave me no rule and no reminder that still holds."
NOT_FOUND = "No rule and no reminder is about that."


def make_rule(rule: tree.Standing, phrases: Phrases, said: str, now: datetime) -> StandingRule:
    """The rule that a statement gives, with the moment of what is done once at a time."""
    told = " ".join(tell_waiting(each, phrases) for each in rule.deeds)
    due = None if rule.again else _next(rule.when, now, None)
    when = tell_when(rule, phrases) if due is None else ""
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
