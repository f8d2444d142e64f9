"""What the robot tells of its own doings and rules: when it did something, why, and whether; from the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from thinkaloud.language.times import tell_ago
from thinkaloud.records import Rule, StandingRule, Value
from thinkaloud.understand.meaning.circumstances import PastDeed, Story
from thinkaloud.understand.meaning.standing import tell_rule

NOTHING_YET = "I have done nothing yet."
_MOST = 5
"""Times that are told one by one."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Which doings are spoken of: a skill, for each argument that matters what it may be, and the words for it."""

    skill: str
    arguments: Mapping[str, tuple[Value, ...]]
    words: str

    def fits(self, deed: PastDeed) -> bool:
        """Whether it speaks of this one."""
        given = deed.step.arguments
        return deed.step.skill == self.skill and all(given.get(name) in each for name, each in self.arguments.items())


def recall(what: Literal["when", "why", "done"], deed: Pattern | None, story: Story, now: datetime) -> list[str]:
    """What is told of a deed, or of the latest one, as sentences."""
    found = [each for each in story.deeds if deed is None or deed.fits(each)]
    if deed is None:
        found = found[-1:]
    worked = [each for each in found if each.worked]
    match what:
        case "done":
            return ["Yes.", *_times(worked, now)] if worked else _never(deed, found)
        case "when":
            return _times(worked, now) if worked else _never(deed, found)
    return [sentence for each in (worked or found)[-1:] for sentence in each.reasons] or _never(deed, found)


def _times(found: Sequence[PastDeed], now: datetime) -> list[str]:
    more = len(found) - _MOST
    told = [f"{each.step.words.rstrip('.')}: {_moment(each, now)}." for each in found[-_MOST:]]
    return [*told, *([f"And {more} times before."] if more > 0 else [])]


def _moment(deed: PastDeed, now: datetime) -> str:
    return "I no longer know when" if deed.time is None else tell_ago(deed.time, now)


def _never(deed: Pattern | None, tried: Sequence[PastDeed]) -> list[str]:
    if deed is None:
        return [NOTHING_YET]
    return [f"I did not {deed.words}.", *(sentence for each in tried[-1:] for sentence in each.reasons)]


def tell_rules(
    standing: Sequence[StandingRule], rules: Sequence[Rule], kept: Sequence[str], now: datetime
) -> list[str]:
    """All that holds from now on, as sentences."""
    told = [tell_rule(each, now) for each in standing]
    told += [f"I may {each.words} all the same." if each.allowed else f"I am {each.words}." for each in rules]
    told += [f"I leave the {each} alone." for each in kept]
    return told or ["There are no rules."]
