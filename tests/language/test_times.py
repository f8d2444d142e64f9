"""Times of day and days as people say them."""

from datetime import datetime, timedelta

import pytest

from thinkaloud.language.times import DAYS, next_time, read_time, tell_ago, tell_every, tell_moment

WEDNESDAY = datetime(2026, 11, 18, 14, 5)


@pytest.mark.parametrize(
    ("time", "day", "comes"),
    [
        ("18:30", "", "2026-11-18 18:30"),
        ("8:00", "", "2026-11-19 08:00"),
        ("14:05", "", "2026-11-19 14:05"),  # it is just now: the next one is tomorrow's
        ("6", "", "2026-11-18 18:00"),
        ("2", "", "2026-11-19 02:00"),
        ("12", "", "2026-11-19 00:00"),
        ("0", "", "2026-11-19 00:00"),
        ("18", "", "2026-11-18 18:00"),
        ("8:00", "monday", "2026-11-23 08:00"),
        ("15:00", "wednesday", "2026-11-18 15:00"),
        ("13:00", "wednesday", "2026-11-25 13:00"),
        ("7:30", "weekday", "2026-11-19 07:30"),
        ("9:00", "weekend", "2026-11-21 09:00"),
        ("9:00", "tomorrow", "2026-11-19 09:00"),
        ("6", "tomorrow", "2026-11-19 06:00"),
    ],
)
def test_a_time_comes_next(time: str, day: str, comes: str) -> None:
    assert next_time(read_time(time, day), WEDNESDAY) == datetime.fromisoformat(comes)


def test_every_time_on_every_day_comes_within_a_week_after_any_moment() -> None:
    for hours in range(0, 24 * 8, 5):
        after = WEDNESDAY + timedelta(hours=hours)
        for day in ("", *DAYS, "weekday", "weekend", "tomorrow"):
            for time in ("0:00", "6", "12", "23:59"):
                found = next_time(read_time(time, day), after)
                assert after < found <= after + timedelta(days=8)


@pytest.mark.parametrize("time", ["25:00", "6:75", "24:00", "", "six", "6pm", "6:5", "-1", "18.30", "99"])
def test_an_impossible_time_is_refused(time: str) -> None:
    with pytest.raises(ValueError, match=r"clock|no time of day"):
        read_time(time)


def test_an_unknown_day_is_refused() -> None:
    with pytest.raises(ValueError, match="'moonday' is no day; the days are monday"):
        read_time("8:00", "moonday")


def test_a_moment_is_told_as_people_say_it() -> None:
    def told(**ahead: float) -> str:
        return tell_moment(WEDNESDAY + timedelta(**ahead), WEDNESDAY)

    assert told(hours=4) == "today at 18:05"
    assert told(days=1) == "tomorrow at 14:05"
    assert told(days=-1) == "yesterday at 14:05"
    assert told(days=5) == "on Monday at 14:05"
    assert told(days=7) == "on 25 November at 14:05"
    assert told(days=-3) == "on 15 November at 14:05"


def test_what_is_over_is_told_with_how_long_ago() -> None:
    def told(**ago: float) -> str:
        return tell_ago(WEDNESDAY - timedelta(**ago), WEDNESDAY)

    assert told(seconds=20) == "at 14:04, just now"
    assert told(minutes=1) == "at 14:04, one minute ago"
    assert told(minutes=2) == "at 14:03, two minutes ago"
    assert told(minutes=59) == "at 13:06, 59 minutes ago"
    assert told(hours=3) == "at 11:05, three hours ago"
    assert told(days=2) == "on 16 November at 14:05"


def test_what_comes_again_is_told_with_its_days() -> None:
    assert tell_every(read_time("18:30")) == "every day at 18:30"
    assert tell_every(read_time("8:00", "monday")) == "every Monday at 8:00"
    assert tell_every(read_time("9:00", "weekend")) == "every Saturday and Sunday at 9:00"
