"""What people told a robot that holds until somebody says otherwise, read off the monologue, and as sentences.

Things to leave alone, deeds that must not be done, and standing rules: what is done when a condition or a time comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from thinkaloud.language.times import tell_moment
from thinkaloud.language.words import sentence_of
from thinkaloud.monologue import Monologue
from thinkaloud.records import DueRequest, Meaning, NotClear, Noted, Question, Refused, Rule, RuleNotice, StandingRule
from thinkaloud.skills.rules import add_rules
from thinkaloud.skills.signatures import capitalised

_NOT_YET = (Question, NotClear, Refused)
"""Where it was only asked about, nothing was agreed on."""
NO_RULES = "There are no rules."


def kept_of(monologue: Monologue) -> list[str]:
    """What must not be touched until somebody says otherwise."""
    kept: dict[str, None] = {}
    for meaning in monologue.since(None, Meaning):
        if isinstance(meaning.content, Noted):
            kept |= dict.fromkeys(meaning.kept)
        for thing in meaning.freed:
            kept.pop(thing, None)
    return list(kept)


def rules_of(monologue: Monologue) -> tuple[Rule, ...]:
    """What must not be done until somebody says otherwise, and what may be done all the same, the oldest first."""
    rules: tuple[Rule, ...] = ()
    for meaning in monologue.since(None, Meaning):
        rules = add_rules(rules, [rule for rule in meaning.rules if isinstance(meaning.content, Noted) or rule.allowed])
    return rules


def standing_of(monologue: Monologue) -> tuple[StandingRule, ...]:
    """What still waits for a condition or a time, the oldest first."""
    standing: tuple[StandingRule, ...] = ()
    for record in monologue.since(None, (Meaning, DueRequest, RuleNotice)):
        match record:
            case Meaning(content=content, standing=more, forgotten=forgotten) if not isinstance(content, _NOT_YET):
                standing = add_standing([each for each in standing if each not in forgotten], more)
            case DueRequest(rule=rule) | RuleNotice(rule=rule, what="reminds" | "missed") if not rule.again:
                standing = tuple(each for each in standing if each != rule)
            case _:
                pass
    return standing


def add_standing(standing: Sequence[StandingRule], more: Sequence[StandingRule]) -> tuple[StandingRule, ...]:
    """All rules after more were given; the same again takes the place of the earlier one."""
    new = {each.program for each in more}
    return (*(each for each in standing if each.program not in new), *more)


# As sentences ---------------------------------------------------------------------------------------------------------


def tell_rule(rule: StandingRule, now: datetime) -> str:
    """A rule as a sentence: `Whenever the bell is ringing: Open the door.`"""
    when = tell_moment(datetime.fromisoformat(rule.due), now) if rule.due else rule.when
    return f"{capitalised(when)}: {rule.deeds}"


def because(rule: StandingRule) -> str:
    """Why the robot does something that nobody asks for now: `Because you said: "When the bell rings, open."`"""
    return f'Because you said: "{sentence_of(rule.said)}"' if rule.said else f"By a rule of yours: {rule.deeds}"


def tell_rules(
    standing: Sequence[StandingRule], rules: Sequence[Rule], kept: Sequence[str], now: datetime
) -> list[str]:
    """All that holds from now on, as sentences."""
    held: list[StandingRule | Rule | str] = [*standing, *rules, *kept]
    return [tell_held(each, now) for each in held] or [NO_RULES]


def tell_held(held: StandingRule | Rule | str, now: datetime) -> str:
    """What holds from now on, as a sentence; of a thing that is left alone, its name is given."""
    match held:
        case StandingRule():
            return tell_rule(held, now)
        case Rule(words=words, allowed=allowed):
            return f"I may {words} all the same." if allowed else f"I am {words}."
    return f"I leave the {held} alone."


def tell_all_rules(monologue: Monologue) -> list[str]:
    """All that holds until somebody says otherwise, as sentences."""
    return tell_rules(standing_of(monologue), rules_of(monologue), kept_of(monologue), monologue.date())
