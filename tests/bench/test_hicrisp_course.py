"""HiCRISP's courses: drawn, asked for in words, judged by where the robot really was, and done by the expert."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import numpy as np
import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.converse.known_things import find_absent
from thinkaloud.errors import UnknownName
from thinkaloud.models import Model, Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Done, End, Observation
from thinkaloud_bench import BENCHES
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.hicrisp.course import COURSE_TASKS, Course, course_of, find_fault, visited_in_order, was_told
from thinkaloud_bench.hicrisp.course_requests import PHRASES, render_course
from thinkaloud_worlds.warehouse import LANDMARKS, Arrival, Warehouse

NAMES = ["press", "loading dock", "gate", "tool crib"]


def played(preset: str, task: str, seed: int, model: Callable[[], Model] = Scripted) -> Played:
    return asyncio.run(BENCHES["hicrisp"].play(Item(preset, task, 0, seed), model))


def arrivals(*pairs: str) -> list[Arrival]:
    """`dock` for a drive that ended where it should, `dock>press` for one that did not."""
    split = (pair.partition(">") for pair in pairs)
    return [Arrival(aim, reached or aim) for aim, _, reached in split]


# Drawing --------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("task", COURSE_TASKS)
def test_a_course_is_about_its_hall(task: str) -> None:
    course = course_of(task, 5)
    course.scene.check()
    names = [landmark.name for landmark in course.scene.landmarks]
    assert 3 <= len(course.wanted) <= 5 and len({*course.wanted}) == len(course.wanted)
    assert {*course.wanted} <= {*names}
    assert all(name in course.request for name in course.wanted)
    assert bool(course.scene.late) == (task == "late")
    assert bool(course.scene.swapped) == (task == "swapped")
    assert len(course.shut) == (task == "no_way") and {*course.shut} <= {*course.wanted}
    assert len(course.possible) == len(course.wanted) - len(course.shut)
    if task == "swapped":
        assert {*course.wanted} & {*course.scene.swapped[0]}
    assert not find_absent(course.request, Warehouse(course.scene).observe())
    assert course_of.__wrapped__(task, 5) == course


def test_the_hall_does_not_list_its_landmarks_in_the_order_that_is_wanted() -> None:
    courses = [course_of("course", seed) for seed in (5, 6)]
    assert courses[0] != courses[1]
    assert any([each.name for each in c.scene.landmarks][: len(c.wanted)] != [*c.wanted] for c in courses)


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(UnknownName, match="no_way"):
        course_of("no way", 1)


@pytest.mark.parametrize("number", range(len(PHRASES)))
@pytest.mark.parametrize("count", [2, 3, 5])
def test_every_phrase_names_each_landmark_once(number: int, count: int) -> None:
    names = [f"place {letter}" for letter in "abcde"[:count]]
    text = PHRASES[number](names)
    assert [text.count(name) for name in names] == [1] * count
    assert text[0].isupper() and text[-1] in ".?"


def test_requests_differ_and_none_is_taken_for_one_about_something_else() -> None:
    rng = np.random.default_rng(3)
    assert len({render_course(NAMES, rng) for _ in range(60)}) > 12
    everything = Observation((), {"landmark": LANDMARKS})
    for _ in range(300):
        names = [LANDMARKS[int(i)] for i in rng.permutation(len(LANDMARKS))[:4]]
        assert not find_absent(request := render_course(names, rng), everything), request


# Judging --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "count"),
    [
        (["press", "loading dock", "gate"], 3),
        (["press", "tool crib", "loading dock", "press", "gate"], 3),
        (["loading dock", "press", "gate"], 2),
        (["gate", "loading dock", "press"], 1),
        (["press>loading dock", "press", "loading dock", "gate"], 3),
        (["press>loading dock", "loading dock", "gate"], 2),
        (["press>"], 1),
        ([], 0),
    ],
)
def test_what_was_visited_in_order_and_meant_counts(found: list[str], count: int) -> None:
    assert visited_in_order(["press", "loading dock", "gate"], arrivals(*found)) == count


def test_a_drive_that_ended_nowhere_is_no_visit() -> None:
    assert visited_in_order(["press"], [Arrival("press", "")]) == 0


def test_what_cannot_be_reached_has_to_be_told() -> None:
    course = course_of("no_way", 5)
    world, said, name = Warehouse(course.scene), Monologue(ManualClock()), course.shut[0]
    assert find_fault(course, world, said, End("failed", name)).startswith("wanted: ")
    world.arrivals = tuple(arrivals(*course.possible))
    assert (
        find_fault(course, world, said, End("unconfirmed", "done"))
        == f"it was not said that there is no way to the {name}"
    )
    assert find_fault(course, world, said, End("goal met", f"been at {name}")) != ""
    assert find_fault(course, world, said, End("failed", f"gave up: Drive to the {name}.")) == ""
    said.append(Done(f"I could not get to the {name}", "gave up"))
    assert was_told(name, said, End("limit", "no more steps"))
    easy = Course(course.scene, "", course.possible)
    assert find_fault(easy, world, Monologue(ManualClock()), End("unconfirmed", "")) == ""


# Playing --------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("task", COURSE_TASKS)
def test_the_expert_does_every_course(task: str) -> None:
    line = played(CEILING, task, 5)
    assert line.success, line.because
    assert line.scores["recall"] == 1
    assert line.scores["collisions"] == 0
    assert line.scores["astray"] == (task == "swapped")
    assert line.scores["arrivals"] == len(course_of(task, 5).possible) + (task == "swapped")
    assert line.scores["robot_seconds"] > 10
    assert line.calls == 0
    if task == "no_way":
        assert line.result == "failed" and course_of(task, 5).shut[0] in line.because


def scripted(course: Course, *corrections: str) -> Model:
    """Plans the course as it is wanted, and corrects as told."""
    left = iter(corrections)
    plan = iter([*(f"Drive to the {name}. -> The robot is at the {name}." for name in course.wanted), "Done."])

    def say(prompt: str) -> str:
        if prompt.endswith("Do first:"):
            return next(left)
        if prompt.endswith("Needed:"):
            return "Nothing of that."
        return next(plan) if prompt.rstrip().rsplit("\n", 1)[-1].rstrip(".").isdigit() else "."

    return Scripted(say)


def test_a_wrong_place_is_noticed_and_put_right_on_the_high_level() -> None:
    course = course_of("swapped", 5)
    line = played("hicrisp", "swapped", 5, lambda: scripted(course, "Look around.", "Wait a moment."))
    assert line.success, line.because
    assert line.scores["astray"] == 1
    assert line.scores["fixed_high"] == 1 and line.scores["given_up"] == 0


def test_what_is_in_the_way_is_put_right_on_the_low_level_or_else_on_the_high_one() -> None:
    course = course_of("late", 5)
    low = played("hicrisp", "late", 5, lambda: scripted(course))
    assert low.success, low.because
    assert low.scores["fixed_low"] >= 1 and low.scores["corrections"] == 0
    tries = ["Look around.", "Back up a little.", "Wait a moment."] * 4
    high = played("hicrisp:low=off", "late", 5, lambda: scripted(course, *tries))
    assert high.success, high.because
    assert high.scores["fixed_low"] == 0 and high.scores["fixed_high"] >= 1
    assert high.scores["motions"] > low.scores["motions"] and high.scores["cues"] > low.scores["cues"]
    assert high.scores["collisions"] == low.scores["collisions"] == 0
