"""Times of day as they were said: in the morning or in the evening, and never one that nobody said.

"Half past seven" is 7:30 or 19:30. If a word says which, that counts, whatever the model wrote. Otherwise it is the
next of the two; and where the model wrote the other one, the person is asked.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from thinkaloud.language.numbers import SaidNumbers
from thinkaloud.language.times import TimeOfDay, next_time, read_time
from thinkaloud.program import tree
from thinkaloud.program.units import HowMuch

WHAT_TIME = "At what time?"
_NOON, _DAY = 12, 24
_EVENING = 6
"""From this hour on, an evening is the one after noon: `two at night` is not 14:00."""


def times_meant(
    rule: tree.Standing,
    said: SaidNumbers | None,
    now: datetime,
    before: SaidNumbers = SaidNumbers(),  # noqa: B008
) -> tuple[tree.Standing, ...]:
    """A rule with the time that was said; two of them, the next one first, if it may be either half of the day.

    HowMuch if nobody said such a time, now or `before`; without words, any counts as said.
    """
    if not isinstance(rule.when, tree.TimeOfDay):
        return (rule,)
    wanted = read_time(rule.when.time, rule.when.day)
    if said is not None and not _is_said(wanted, said | before):
        raise HowMuch(WHAT_TIME)
    return tuple(_at(rule, time) for time in _meant(wanted, said or SaidNumbers(), now, once=not rule.again))


def _is_said(wanted: TimeOfDay, said: SaidNumbers) -> bool:
    """Whether the words have such an hour: `seven`, `19`, `730`; or none at all, for noon and midnight."""
    if not said.numbers:
        return wanted.hour % _NOON == 0 and wanted.minute == 0
    hours = {int(number) % _NOON for number in said.numbers if number == 0 or 1 <= number <= _DAY}
    written = {f"{hour}{wanted.minute:02}" for hour in (wanted.hour, wanted.hour % _NOON or _NOON)}
    near = {wanted.hour % _NOON} | ({(wanted.hour + 1) % _NOON} if wanted.minute >= 15 else set())
    return bool(near & hours) or any(each in said.digits for each in written)


def _meant(wanted: TimeOfDay, said: SaidNumbers, now: datetime, *, once: bool) -> tuple[TimeOfDay, ...]:
    """The time, or both of those that it may be."""
    hour, own = wanted.hour % _NOON, replace(wanted, either=False)
    morning, evening = replace(own, hour=hour), replace(own, hour=hour + _NOON)
    upcoming = min(morning, evening, key=lambda each: next_time(each, now))
    if said.earlier != said.later:
        told = morning if said.earlier else evening
        return (told,) if said.earlier or hour >= _EVENING else (own,)
    if wanted.either:
        return (upcoming,)
    is_definite = hour == 0 or (wanted.hour > _NOON and wanted.hour in said.numbers)
    if is_definite or not said.numbers or wanted.day or not once or upcoming == own:
        return (own,)
    return upcoming, own


def _at(rule: tree.Standing, time: TimeOfDay) -> tree.Standing:
    return replace(rule, when=tree.TimeOfDay(time.text, time.day))
