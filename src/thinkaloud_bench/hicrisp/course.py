"""HiCRISP's courses (Fig. 5): a robot on wheels visits landmarks in a given order, with trouble on the way.

The paper shows pictures and no figures. Our choices: the hall is that of the warehouse world, drawn from the seed, with
three to five landmarks to visit.

- `course`: obstacles that are not on the robot's map stand in its way (an action failure).
- `swapped`: in addition, two signs are mixed up on the robot's map, so it gets to the wrong place (a plan failure).
- `late`: obstacles are put down in front of the robot while it drives.
- `no_way`: one of the landmarks is blocked. The robot has to say so, and visit the others all the same.

A landmark counts as visited if the robot stopped there and meant to go there: reaching the press by a wrong sign on the
way to the dock is not a visit to the press. Success: all reachable landmarks were visited in the requested order
(whatever else was visited in between), and the robot reported those it could not reach. `recall` is the longest common
subsequence of the requested order and the visits, as a share of the request. Collisions are counted, but do not decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from thinkaloud.errors import UnknownName
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Decline, Done, End, Outcome, Plan, Started
from thinkaloud.skills.built_in_steps import SAY
from thinkaloud_bench.contract import Item, Task
from thinkaloud_bench.hicrisp.course_requests import render_course
from thinkaloud_bench.hicrisp.effects import EffectsSeen
from thinkaloud_bench.hicrisp.limits import FIXING, LIMITS
from thinkaloud_bench.hicrisp.scoring import judged
from thinkaloud_bench.playing import Judged, Setup, expert_in
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.warehouse import Arrival, HallScene, Warehouse, draw_hall

_PATIENT = 8  # how often the expert tries to reach a landmark

COURSE_TASKS = {
    task.name: task
    for task in (
        Task("course", "Visit landmarks in order, with things in the way", "course"),
        Task("swapped", "Visit landmarks in order, with two signs mixed up", "course"),
        Task("late", "Visit landmarks in order, with things put down on the way", "course"),
        Task("no_way", "Visit landmarks in order, one of them shut in", "course"),
    )
}


@dataclass(frozen=True)
class Course:
    """A hall, a request, the landmarks in the requested order, and those of them that cannot be reached."""

    scene: HallScene
    request: str
    wanted: tuple[str, ...]
    shut: tuple[str, ...] = ()

    @property
    def possible(self) -> tuple[str, ...]:
        """The reachable landmarks, in order."""
        return tuple(name for name in self.wanted if name not in self.shut)


@lru_cache(maxsize=8)
def course_of(task: str, seed: int) -> Course:
    """Draw the course of a seed; cached, because drawing is slow and several presets drive it."""
    if task not in COURSE_TASKS:
        raise UnknownName("task", task, COURSE_TASKS)
    rng = generator(seed, 0xC0C5, [*COURSE_TASKS].index(task))
    hall = int(rng.integers(2**62))
    if task == "late":
        scene = draw_hall(hall, obstacles=(1, 3), late=2)
    else:
        scene = draw_hall(hall, swapped=task == "swapped", shut=task == "no_way")
    names = [landmark.name for landmark in scene.landmarks]
    shut = tuple(names[-1:]) if task == "no_way" else ()
    open_to = names[: len(names) - len(shut)]
    wanted = open_to[: int(rng.integers(3, 6)) - len(shut)]
    if scene.swapped and not {*wanted} & {*scene.swapped[0]}:
        wanted[int(rng.integers(len(wanted)))] = scene.swapped[0][0]
    for name in shut:
        wanted.insert(int(rng.integers(len(wanted) + 1)), name)
    shuffled = tuple(scene.landmarks[int(i)] for i in rng.permutation(len(names)))
    mixed = msgspec.structs.replace(scene, landmarks=shuffled)
    return Course(mixed, render_course(wanted, rng), tuple(wanted), shut)


# Judging --------------------------------------------------------------------------------------------------------------


def visited_in_order(wanted: Sequence[str], arrivals: Sequence[Arrival]) -> int:
    """Return how many landmarks were visited in the requested order: the longest common subsequence."""
    visits = [each.reached for each in arrivals if each.aim == each.reached]
    best = [0] * (len(visits) + 1)
    for name in wanted:
        row = [0]
        for i, visit in enumerate(visits):
            row.append(best[i] + 1 if visit == name else max(best[i + 1], row[i]))
        best = row
    return best[-1]


def was_told(name: str, said: Monologue, end: End) -> bool:
    """Return whether the robot said, at the end or on the way, that it could not visit a landmark."""
    if end.result in ("goal met", "answered"):
        return False
    spoken = [str(each.step.arguments.get("text", "")) for each in said.since(None, Started) if each.step.skill == SAY]
    spoken += [each.why for each in said.since(None, Decline)]
    spoken += [each.because for each in said.since(None, Done) if each.how == "gave up"]
    spoken += [end.because] if end.result in ("declined", "failed") else []
    return any(name in text for text in spoken)


def find_fault(course: Course, world: Warehouse, said: Monologue, end: End) -> str:
    """Say in words what is wrong with the end of a course; "" for a success."""
    if visited_in_order(course.possible, world.arrivals) < len(course.possible):
        visited = ", ".join(world.visits) or "nothing"
        return f"wanted: {', '.join(course.possible)}; visited: {visited}"
    untold = [name for name in course.shut if not was_told(name, said, end)]
    return f"it was not said that there is no way to the {untold[0]}" if untold else ""


# Playing --------------------------------------------------------------------------------------------------------------


@dataclass
class CourseExpert:
    """Knows the request and where it has been, but not the obstacles; drives to one landmark at a time."""

    world: Warehouse
    course: Course

    def __call__(self, monologue: Monologue) -> Decision:
        """Return the next drive; done when everything reachable was visited and the rest was reported."""
        tried = [outcome.step.arguments.get("landmark") for outcome in monologue.since(None, Outcome)]
        closed = dict[str, str]()
        for outcome in monologue.since(None, Outcome):
            name = str(outcome.step.arguments.get("landmark"))
            if outcome.report.startswith("There is no way") or tried.count(name) >= _PATIENT:
                closed[name] = outcome.report
        left = self._left(set(closed))
        if left is not None:
            return Plan("", (), (self.world.skills["drive_to"].step({"landmark": left}),))
        missed = [closed[name] for name in self.course.wanted if name in closed]
        return Done(" ".join(missed) or "the course is done", "gave up" if missed else "finished")

    def _left(self, closed: set[str]) -> str | None:
        """Return the first landmark that is still to be visited."""
        visits = [each.reached for each in self.world.arrivals if each.aim == each.reached]
        for name in self.course.wanted:
            if name in closed:
                continue
            if name not in visits:
                return name
            visits = visits[visits.index(name) + 1 :]
        return None


def set_up_course(item: Item) -> Setup:
    """Set up one course, judged by where the robot really was."""
    course = course_of(item.task, item.seed)
    world = Warehouse(course.scene)
    world.reset(item.seed)
    seen = EffectsSeen(world)

    def judge(said: Monologue, end: End) -> Judged:
        return _judge(course, world, said, end, seen)

    expert = expert_in(FIXING, CourseExpert(world, course))
    return Setup(world, course.request, judge, expert, LIMITS, listeners=[seen])


def _judge(course: Course, world: Warehouse, said: Monologue, end: End, seen: EffectsSeen) -> Judged:
    """Return the judge's decision, and the numbers for the rows."""
    wrong = find_fault(course, world, said, end)
    recall = visited_in_order(course.possible, world.arrivals) / len(course.possible)
    scores = {
        "collisions": len(world.collisions),
        "arrivals": len(world.arrivals),
        "astray": sum(each.aim != each.reached for each in world.arrivals),
        "robot_seconds": round(world.clock.now(), 2),
        **seen.scores,
    }
    arrivals = [{"arrival": f"{each.aim} -> {each.reached or 'nowhere'}"} for each in world.arrivals]
    details = [*arrivals, *({"collision": words} for words in world.collisions)]
    return judged(said, recall, not wrong, because=wrong, scores=scores, details=details)
