"""What the robot tells of its own doings: when it did something, why, and whether; from the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from thinkaloud.language.name_matching import names_in
from thinkaloud.language.times import tell_ago
from thinkaloud.language.words import stems
from thinkaloud.records import Rule, Value
from thinkaloud.saying.telling import uncapitalised
from thinkaloud.skills.built_in_steps import HELP
from thinkaloud.skills.rules import find_broken
from thinkaloud.skills.signatures import capitalised
from thinkaloud.understand.meaning.circumstances import PastDeed, Story

NOTHING_YET = "I have done nothing yet."
_MOST = 5
"""Times that are told one by one."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Which doings are spoken of: a skill, for each argument that matters what it may be, and the words for it."""

    skill: str
    arguments: Mapping[str, tuple[Value, ...]]
    words: str
    calls_for_help: bool = False
    """Whether the robot does this in an emergency: then each call for help was such a deed."""

    def fits(self, deed: PastDeed) -> bool:
        """Whether it speaks of this one."""
        given = deed.step.arguments
        if self.calls_for_help and deed.step.skill == HELP:
            return True
        return deed.step.skill == self.skill and all(given.get(name) in each for name, each in self.arguments.items())


def recall(
    what: Literal["when", "why", "done"], deed: Pattern | None, story: Story, rules: Sequence[Rule], now: datetime
) -> list[str]:
    """What is told of a deed, or of the latest one, as sentences."""
    found = [each for each in story.deeds() if deed is None or deed.fits(each)]
    worked = [each for each in found if each.worked]
    if what == "why" and found and (found[-1].worked or found[-1].waits):
        return [*found[-1].reasons]
    found = [each for each in found if not each.waits]
    if what == "why":
        return _not_done(deed, found, rules)
    if not worked:
        return _not_done(deed, found, rules)
    if deed is None:
        return [f"{_when(worked[-1], now)}, I did this: {_told(worked[-1])}."]
    return [f"{'Yes. ' if what == 'done' else ''}{_times(worked, now)}"]


def find_named_deed(story: Story, request: str, things: Sequence[str]) -> PastDeed | None:
    """The deed whose things a request names, and whose words it has most of; the latest of several.

    None where it names nothing, or something that was not done.
    """
    named = {*names_in(request, things)}
    deeds = story.deeds() if named else ()
    fits = [(len(named & {*each.step.arguments.values()}), each) for each in deeds]
    best = max(
        ((count, len(stems(request) & stems(each.step.words)), at) for at, (count, each) in enumerate(fits) if count),
        default=None,
    )
    found = None if best is None else deeds[best[-1]]
    return found if found is not None and (found.worked or found.waits) else None


def _times(found: Sequence[PastDeed], now: datetime) -> str:
    """`At 14:05, two minutes ago, I did this: weigh Rex.`"""
    more = len(found) - _MOST
    told = dict.fromkeys(f"{_when(each, now)}, I did this: {_told(each)}." for each in found[-_MOST:])
    return " ".join([*told, *([f"And {more} times before."] if more > 0 else [])])


def _told(deed: PastDeed) -> str:
    return uncapitalised(deed.step.words)


def _when(deed: PastDeed, now: datetime) -> str:
    return capitalised(_moment(deed, now))


def _moment(deed: PastDeed, now: datetime) -> str:
    return "at a time that I no longer know" if deed.time is None else tell_ago(deed.time, now)


def _not_done(deed: Pattern | None, tried: Sequence[PastDeed], rules: Sequence[Rule]) -> list[str]:
    if deed is None:
        return [NOTHING_YET]
    plain = {name: values[0] for name, values in deed.arguments.items() if len(values) == 1}
    broken = find_broken(rules, deed.skill, plain)
    told = [f"You told me {broken.words}."] if broken is not None else []
    reasons = [sentence for each in tried[-1:] for sentence in each.reasons if sentence]
    return [f"I did not {deed.words}.", *(reasons or told)]
