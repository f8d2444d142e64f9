"""Times of day and days as people say them: what a text means, when that comes next, and how a moment is told.

    read_time("18:30", "monday")                 TimeOfDay(18, 30, day="monday")
    next_time(read_time("6"), after)             the next six o'clock, in the morning or in the evening
    tell_moment(moment, now)                     "today at 18:30", "tomorrow at 9:00"

Moments are local times without a zone: half past six is half past six, in summer and in winter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY, WEEKEND, TOMORROW = "weekday", "weekend", "tomorrow"
_TIME = re.compile(r"(\d{1,2})(?::(\d{2}))?")
_NOON = 12


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time of day, and on which days; `either`: an hour of which nobody said whether before noon or after."""

    hour: int
    minute: int
    either: bool = False
    day: str = ""

    @property
    def text(self) -> str:
        """As a program writes it: `18:30`, or `6` where it may be either."""
        return str(self.hour) if self.either else f"{self.hour}:{self.minute:02}"


def read_time(time: str, day: str = "") -> TimeOfDay:
    """What a time of day and a day mean; ValueError says what is wrong with them."""
    found = _TIME.fullmatch(time.strip())
    if found is None:
        raise ValueError(f'{time!r} is no time of day; write one such as "18:30", or "6" for six o\'clock.')
    hour, minute = int(found[1]), int(found[2] or 0)
    if hour > 23 or minute > 59:
        raise ValueError(f"there is no {time} on a clock; it goes from 0:00 to 23:59.")
    if day and day not in (*DAYS, WEEKDAY, WEEKEND, TOMORROW):
        raise ValueError(f"{day!r} is no day; the days are {', '.join((*DAYS, WEEKDAY, WEEKEND))} and {TOMORROW}.")
    return TimeOfDay(hour, minute, found[2] is None and 0 < hour <= _NOON, day)


def next_time(wanted: TimeOfDay, after: datetime) -> datetime:
    """The first moment after another that is at this time, on such a day."""
    hours = (wanted.hour % _NOON, wanted.hour % _NOON + _NOON) if wanted.either else (wanted.hour,)
    midnight = after.replace(hour=0, minute=0, second=0, microsecond=0)
    days = (midnight + timedelta(days=ahead) for ahead in range(9))
    fitting = (day for day in days if _is_on(day, wanted.day, after))
    found = (day.replace(hour=hour, minute=wanted.minute) for day in fitting for hour in hours)
    return next(moment for moment in found if moment > after)


def _is_on(day: datetime, wanted: str, now: datetime) -> bool:
    match wanted:
        case "":
            return True
        case "weekday" | "weekend":
            return (day.weekday() < DAYS.index("saturday")) is (wanted == WEEKDAY)
        case "tomorrow":
            return (day.date() - now.date()).days == 1
    return day.weekday() == DAYS.index(wanted)


def tell_time(moment: datetime) -> str:
    """`18:30`."""
    return f"{moment.hour}:{moment.minute:02}"


def tell_moment(moment: datetime, now: datetime) -> str:
    """`today at 18:30`, `tomorrow at 9:00`, `on Monday at 8:00`, `on 3 March at 8:00`."""
    return f"{_tell_day(moment, now)} at {tell_time(moment)}"


def _tell_day(moment: datetime, now: datetime) -> str:
    ahead = (moment.date() - now.date()).days
    near = {0: "today", 1: "tomorrow", -1: "yesterday"}
    if ahead in near:
        return near[ahead]
    return f"on {moment:%A}" if 1 < ahead < len(DAYS) else f"on {moment.day} {moment:%B}"


def tell_every(wanted: TimeOfDay) -> str:
    """`every day at 18:30`, `every Monday at 8:00`."""
    days = {"": "every day", WEEKDAY: "every day from Monday to Friday", WEEKEND: "every Saturday and Sunday"}
    return f"{days.get(wanted.day, f'every {wanted.day.capitalize()}')} at {wanted.text}"


def tell_ago(moment: datetime, now: datetime) -> str:
    """`at 14:05, two minutes ago`; of another day, the day."""
    passed = int((now - moment).total_seconds())
    if moment.date() != now.date():
        return tell_moment(moment, now)
    return f"at {tell_time(moment)}, {_tell_span(passed)} ago" if passed >= 60 else f"at {tell_time(moment)}, just now"


def _tell_span(seconds: int) -> str:
    number, unit = (seconds // 3600, "hour") if seconds >= 3600 else (seconds // 60, "minute")
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {unit}{'' if number == 1 else 's'}"


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
