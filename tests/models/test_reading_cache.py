from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from thinkaloud.models.reading_cache import ReadingCache

ROBOT = "# robot\n# lamps: red lamp, blue lamp\n"
DAY = 24 * 3600.0


class Today:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def today() -> Today:
    return Today()


@pytest.fixture
def cache(tmp_path: Path, today: Today) -> ReadingCache:
    return ReadingCache(tmp_path, 10_000, today)


def keep(cache: ReadingCache, text: str, state: bytes = b"state", model: str = "small") -> None:
    def write(path: Path) -> None:
        path.write_bytes(state)

    cache.keep(model, text, write)


def texts(cache: ReadingCache, *wanted: str) -> list[str]:
    """Which of these texts are kept."""
    return [each for each in wanted if (found := cache.find("small", each)) is not None and found.text == each]


def test_what_was_kept_is_found_again_with_its_state(cache: ReadingCache) -> None:
    keep(cache, ROBOT, b"what the engine knows")
    found = ReadingCache(cache.folder, 10_000).find("small", ROBOT)
    assert found is not None
    assert (found.text, found.state.read_bytes()) == (ROBOT, b"what the engine knows")


def test_another_model_does_not_find_it(cache: ReadingCache) -> None:
    keep(cache, ROBOT)
    assert cache.find("large", ROBOT) is None


def test_the_text_that_shares_the_longest_beginning_is_found_for_a_robot_that_has_changed(cache: ReadingCache) -> None:
    keep(cache, "# robot\n# tools: hammer\n")
    keep(cache, ROBOT)
    changed = ROBOT.replace("blue", "green")
    found = cache.find("small", changed)
    assert found is not None and found.text == ROBOT
    assert cache.find("small", changed, least=len(ROBOT)) is None


@pytest.mark.parametrize("place", [0, 2, -1])
def test_a_damaged_state_is_deleted_and_never_handed_out(cache: ReadingCache, place: int) -> None:
    keep(cache, ROBOT, b"state")
    (state,) = cache.folder.glob("*.state")
    content = bytearray(state.read_bytes())
    content[place] ^= 1
    state.write_bytes(content)
    assert cache.find("small", ROBOT) is None
    assert [*cache.folder.iterdir()] == []


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b"[1, 2", b'{"text": 1, "state": "", "checksum": ""}'])
def test_a_damaged_description_is_deleted_with_its_state(cache: ReadingCache, content: bytes) -> None:
    keep(cache, ROBOT)
    (description,) = cache.folder.glob("*.json")
    description.write_bytes(content)
    assert cache.find("small", ROBOT) is None
    assert [*cache.folder.iterdir()] == []


def test_a_changed_text_in_a_description_is_damage(cache: ReadingCache) -> None:
    keep(cache, ROBOT)
    (description,) = cache.folder.glob("*.json")
    description.write_bytes(description.read_bytes().replace(b"blue", b"grey"))
    assert cache.find("small", ROBOT) is None


def test_a_description_cannot_name_a_file_elsewhere(cache: ReadingCache, tmp_path: Path) -> None:
    keep(cache, ROBOT)
    (description,), (state,) = cache.folder.glob("*.json"), cache.folder.glob("*.state")
    description.write_bytes(description.read_bytes().replace(state.name.encode(), f"../{state.name}".encode()))
    (cache.folder.parent / state.name).write_bytes(state.read_bytes())
    assert cache.find("small", ROBOT) is None


def test_a_state_that_is_cut_short_by_a_failure_leaves_nothing(cache: ReadingCache) -> None:
    def fill_the_disk(path: Path) -> None:
        path.write_bytes(b"half of")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        cache.keep("small", ROBOT, fill_the_disk)
    assert [*cache.folder.iterdir()] == []


def test_what_was_used_least_recently_goes_first_when_there_is_too_much(cache: ReadingCache, today: Today) -> None:
    for name in "abc":
        today.now += DAY
        keep(cache, name, bytes(3000))
    today.now += DAY
    assert texts(cache, "a") == ["a"]  # using it counts
    today.now += DAY
    keep(cache, "d", bytes(3000))
    assert texts(cache, "a", "b", "c", "d") == ["a", "c", "d"]
    assert cache.size() <= cache.most


def test_a_single_reading_may_be_larger_than_the_limit_until_the_next(cache: ReadingCache) -> None:
    keep(cache, "large", bytes(20_000))
    assert texts(cache, "large") == ["large"]
    keep(cache, "small", bytes(1000))
    assert texts(cache, "large", "small") == ["small"]


def test_what_was_not_used_for_a_month_is_deleted(cache: ReadingCache, today: Today) -> None:
    keep(cache, "a")
    today.now += 31 * DAY
    keep(cache, "b")
    assert texts(cache, "a", "b") == ["b"]


def test_what_a_killed_process_left_is_deleted_after_an_hour_and_not_before(cache: ReadingCache, today: Today) -> None:
    for name in ("left.state", "left.new"):
        (cache.folder / name).write_bytes(b"half of")
        os.utime(cache.folder / name, (today.now, today.now))
    keep(cache, "a")
    assert (cache.folder / "left.state").exists()
    today.now += 3700
    keep(cache, "b")
    assert not [*cache.folder.glob("left*")]
    assert texts(cache, "a", "b") == ["a", "b"]


def test_a_refused_reading_goes_unless_the_text_was_kept_anew(cache: ReadingCache) -> None:
    keep(cache, ROBOT, b"refused")
    refused = cache.find("small", ROBOT)
    assert refused is not None
    keep(cache, ROBOT, b"new")
    cache.discard("small", refused)
    found = cache.find("small", ROBOT)
    assert found is not None and found.state.read_bytes() == b"new"
    cache.discard("small", found)
    assert (cache.find("small", ROBOT), [*cache.folder.iterdir()]) == (None, [])


def test_keeping_a_text_again_replaces_it(cache: ReadingCache) -> None:
    keep(cache, ROBOT, b"first")
    keep(cache, ROBOT, b"second")
    found = cache.find("small", ROBOT)
    assert found is not None and found.state.read_bytes() == b"second"
    assert (cache.count(), len([*cache.folder.iterdir()])) == (1, 2)


def test_several_processes_may_keep_and_find_the_same_text_at_once(cache: ReadingCache) -> None:
    found: list[bytes] = []

    def work(number: int) -> None:
        for turn in range(10):
            keep(ReadingCache(cache.folder, 10_000), ROBOT, f"{number} {turn}".encode() * 50)
            reading = ReadingCache(cache.folder, 10_000).find("small", ROBOT)
            if reading is not None:
                try:
                    found.append(reading.state.read_bytes())
                except FileNotFoundError:  # replaced in between: the engine is told the same
                    found.append(b"")

    threads = [Thread(target=work, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    whole = {f"{number} {turn}".encode() * 50 for number in range(4) for turn in range(10)}
    assert {*found} <= whole | {b""}
    assert len(found) > 10


def test_clearing_leaves_nothing(cache: ReadingCache) -> None:
    keep(cache, ROBOT)
    assert (cache.count(), cache.size() > 0) == (1, True)
    cache.clear()
    assert (cache.count(), cache.size(), [*cache.folder.iterdir()]) == (0, 0, [])
