"""What people told a robot that holds until somebody says otherwise, read off the monologue, and as sentences.

Things to leave alone, deeds that must not be done, and standing rules: what is done when a condition or a time comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from thinkaloud.language.times import tell_moment
from thinkaloud.language.words import sentence_of
from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Act,
    DueRequest,
    Meaning,
    NotClear,
    Noted,
    Question,
    Reading,
    Refused,
    Rule,
    RuleNotice,
    StandingRule,
    Step,
    Stop,
    StopWhen,
)
from thinkaloud.skills.rules import add_rules, find_broken
from thinkaloud.skills.signatures import capitalised

_NOT_YET = (Question, NotClear, Refused)
"""Where it was only asked about, nothing was agreed on."""
NO_RULES = "There are no rules."


def kept_of(monologue: Monologue) -> list[str]:
    """What must not be touched until somebody says otherwise."""
    kept: dict[str, None] = {}
    for told in _told(monologue):
        if isinstance(told, Reading) or isinstance(told.content, Noted):
            kept |= dict.fromkeys(told.kept)
        for thing in told.freed if isinstance(told, Meaning) else ():
            kept.pop(thing, None)
    return list(kept)


def rules_of(monologue: Monologue) -> tuple[Rule, ...]:
    """What must not be done until somebody says otherwise, and what may be done all the same, the oldest first."""
    rules: tuple[Rule, ...] = ()
    for told in _told(monologue):
        holds = isinstance(told, Reading) or isinstance(told.content, Noted)
        rules = add_rules(rules, [rule for rule in told.rules if holds or rule.allowed])
    return rules


def _told(monologue: Monologue) -> Iterator[Meaning | Reading]:
    """What people told, the oldest first; and the bans that the robot asked about in vain, from then on."""
    asked: Meaning | None = None
    for event in monologue.events_of((Meaning, Stop)):
        if not isinstance(event.record, Meaning):
            asked = None
            continue
        if event.record.sort == "look":
            continue
        if asked is not None and (ban := unanswered_ban(asked, event.record)) is not None:
            yield ban
        asked = event.record
        yield event.record


def unanswered_ban(asked: Meaning, then: Meaning) -> Reading | None:
    """The ban that the robot asked about, if what was understood `then` neither confirms nor denies it.

    Such a ban holds until somebody says otherwise: to do what may have been forbidden would be worse.
    """
    ban = find_ban(asked)
    if ban is None or then.program in [each.program for each in asked.readings]:
        return None
    match then.content:
        case Noted() if then.kept or then.rules or then.freed:
            return None
        case Refused("you said no") | NotClear(undecided=True) | StopWhen():
            return None
        case Act(deeds=deeds) if any(_is_against(ban, deed) for deed in deeds):
            return None
    return ban


def find_ban(asked: Meaning) -> Reading | None:
    """The ban that a question is about, if it is about one: a deed that must not be done, a thing to leave alone."""
    ban = asked.readings[0] if asked.sort == "question" and asked.readings else None
    return ban if ban is not None and (ban.kept or ban.rules) else None


def _is_against(ban: Reading, deed: Step) -> bool:
    return find_broken(ban.rules, deed.skill, deed.arguments) is not None or bool(
        {*ban.kept} & {*deed.arguments.values()}
    )


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
    return tell_rule(held, now) if isinstance(held, StandingRule) else _tell_ban(held)


def _tell_ban(held: Rule | str) -> str:
    match held:
        case Rule(words=words, allowed=allowed):
            return f"I may {words} all the same." if allowed else f"I am {words}."
    return f"I leave the {held} alone."


def tell_unanswered(ban: Reading) -> str:
    """That a ban holds about which the robot asked, and got another request in place of an answer."""
    held = " ".join([*map(_tell_ban, ban.rules), *map(_tell_ban, ban.kept)])
    return f"You did not answer my question. Until you say otherwise, this holds: {held}"


def tell_all_rules(monologue: Monologue) -> list[str]:
    """All that holds until somebody says otherwise, as sentences."""
    return tell_rules(standing_of(monologue), rules_of(monologue), kept_of(monologue), monologue.date())
