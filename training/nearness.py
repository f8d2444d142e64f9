"""How near the corpus is to the benchmarks: `python -m training.nearness` prints a table, in Markdown.

For each robot or world of the benchmark of understanding (also of its calibration and its development requests) the
robot of the corpus that is nearest: how many of its things and skills have the same names there, how many of its
requests' runs of three words were said there, and how like the most similar request of the whole corpus is. Only robots
that are learnt from count; `--all` takes the others, too, and `--requests` lists all requests that are too much alike.
"""

from __future__ import annotations

import argparse
import difflib
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from thinkaloud_bench.understanding.material import CERTIFY, PROMISE
from training.demonstrators.robots import is_learnt_from
from training.robots.reading import Robot, all_places, all_robots

DEVELOPMENT = Path(__file__).parent.parent / "tests" / "data" / "development"
FOLDERS = ("robots", "worlds", "languages", "calibration", "calibration_languages", *PROMISE, *CERTIFY)
ALIKE = 0.8
"""The share of words, in their order, from which on two requests are too much alike: one word in five is another."""
EVERYDAY = 6
"""Shorter requests coincide by themselves ("And the other one?"): there only the same words count."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\d_]+|\d+")
"""A word, a number, or a character of Chinese."""
Run = tuple[str, ...]


@dataclass(frozen=True)
class Tested:
    """A robot or a world of a benchmark, and what is said to it. What a world holds is not in its file."""

    name: str
    folder: str
    things: frozenset[str]
    skills: frozenset[str]
    requests: tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """A request of a benchmark and one of the corpus, and how like they are."""

    tested: Tested
    request: str
    robot: Robot
    words: str

    @property
    def alike(self) -> float:
        """The share of words of both that are the same in the same order."""
        return _likeness(_words_in(self.request), _words_in(self.words))

    @property
    def alike_at_most(self) -> float:
        """The share of words of both that the other one has, in any order: counted much faster."""
        own, there = _words_in(self.request), _words_in(self.words)
        return (sum(map({*there}.__contains__, own)) + sum(map({*own}.__contains__, there))) / (len(own) + len(there))


@dataclass(frozen=True)
class Outline:
    """A robot of the corpus: the names of its things and skills, and the runs of words that were said to it."""

    robot: Robot
    things: frozenset[str]
    skills: frozenset[str]
    runs: frozenset[Run]


@dataclass(frozen=True)
class Shares:
    """How much of a benchmark's robot a robot of the corpus has, each from 0 to 1."""

    robot: Robot
    things: float
    skills: float
    runs: float

    @property
    def total(self) -> float:
        """What the nearest one has most of."""
        return self.things + self.skills + self.runs


def words_in(text: str) -> list[str]:
    """The words of a text; capitals, punctuation and apostrophes do not count."""
    return list(_words_in(text))


@cache
def _words_in(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower().replace("'", "").replace("’", "")))


@cache
def runs_in(text: str) -> frozenset[Run]:
    """All that is said in three words one after another; all of it where it is shorter."""
    words = _words_in(text)
    return frozenset(words[at : at + 3] for at in range(max(1, len(words) - 2)))


# What there is --------------------------------------------------------------------------------------------------------


@cache
def all_tested() -> tuple[Tested, ...]:
    """Everything that a benchmark of understanding speaks with."""
    beside = resources.files("thinkaloud_bench.understanding")
    texts = [
        (folder, file.name, file.read_text(encoding="utf-8"))
        for folder in FOLDERS
        for file in beside.joinpath(folder).iterdir()
    ]
    texts += [("development", path.name, path.read_text(encoding="utf-8")) for path in DEVELOPMENT.glob("*.toml")]
    return tuple(
        _tested(folder, {"name": Path(name).stem, **tomllib.loads(text)})
        for folder, name, text in sorted(texts)
        if name.endswith(".toml")
    )


def _tested(folder: str, data: Mapping[str, Any]) -> Tested:
    requests = [turn for each in data["request"] for turn in each.get("turns") or [each["say"]]]
    things = _lowered(data.get("kinds", {}).values())
    return Tested(data["name"], folder, things, frozenset(data.get("skills", ())), tuple(requests))


def _lowered(kinds: Iterable[Iterable[str]]) -> frozenset[str]:
    return frozenset(thing.lower() for things in kinds for thing in things)


# How near it is -------------------------------------------------------------------------------------------------------


def outline_of(robot: Robot) -> Outline:
    """Return what a robot of the corpus is compared by."""
    runs = frozenset(run for said in robot.said for run in runs_in(said.words))
    return Outline(robot, _lowered(robot.data["kinds"].values()), frozenset(robot.data["skills"]), runs)


def shares_of(tested: Tested, outline: Outline) -> Shares:
    """Return how much of a benchmark's robot this robot of the corpus has."""
    return Shares(
        outline.robot,
        _share(tested.things, outline.things),
        _share(tested.skills, outline.skills),
        _share(_runs(tested.requests), outline.runs),
    )


def _share(some: frozenset[Any], there: frozenset[Any]) -> float:
    return 0.0 if some.isdisjoint(there) else len(some & there) / len(some)


@cache
def _runs(requests: tuple[str, ...]) -> frozenset[Run]:
    return frozenset(run for each in requests for run in runs_in(each))


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of words of both that are the same in the same order."""
    return _likeness(tuple(one), tuple(other))


@cache
def _likeness(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def pairs(robots: Iterable[Robot]) -> Iterator[Pair]:
    """The requests of benchmarks with all of the corpus that share three words in a row with them."""
    said = [(robot, each.words) for robot in robots for each in robot.said]
    where: dict[Run, list[int]] = defaultdict(list)
    for number, (_, words) in enumerate(said):
        for run in runs_in(words):
            where[run].append(number)
    for tested in all_tested():
        for request in tested.requests:
            for number in sorted({number for run in runs_in(request) for number in where.get(run, ())}):
                robot, words = said[number]
                yield Pair(tested, request, robot, words)


def is_too_near(pair: Pair) -> bool:
    """Whether these are the same words, or nearly so in requests that are long enough not to be everybody's."""
    if pair.alike_at_most < ALIKE:
        return False
    shorter = min(len(_words_in(pair.request)), len(_words_in(pair.words)))
    return pair.alike == 1 or (pair.alike >= ALIKE and shorter >= EVERYDAY)


# The command ----------------------------------------------------------------------------------------------------------


def table(robots: Sequence[Robot]) -> Iterator[str]:
    """The lines of the table."""
    closest: dict[Tested, float] = defaultdict(float)
    for pair in pairs(robots):
        if pair.alike_at_most > closest[pair.tested]:
            closest[pair.tested] = max(closest[pair.tested], pair.alike)
    heads = ("", "benchmark", "nearest", "same things", "same skills", "same three words", "most similar request")
    yield f"| {' | '.join(heads)} |"
    yield "|---|---|---|---:|---:|---:|---:|"
    outlines = [outline_of(robot) for robot in robots]
    for tested in all_tested():
        near = max((shares_of(tested, outline) for outline in outlines), key=lambda each: each.total)
        described = bool(tested.skills)
        named = [f"{share:.0%}" if described else "–" for share in (near.things, near.skills)]
        cells = [tested.folder, tested.name, near.robot.name, *named, f"{near.runs:.1%}", f"{closest[tested]:.2f}"]
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--all", action="store_true", help="also robots that are not learnt from")
    options.add_argument("--requests", action="store_true", help="list the requests that are too much alike")
    given = options.parse_args()
    robots = [robot for robot in (*all_robots(), *all_places()) if given.all or is_learnt_from(robot)]
    for line in table(robots):
        print(line)
    for pair in filter(is_too_near, pairs(robots)) if given.requests else ():
        where = f"{pair.tested.folder}/{pair.tested.name}"
        print(f"{pair.alike:.2f} {where} {pair.request!r}, {pair.robot.name} {pair.words!r}")


if __name__ == "__main__":
    main()
