"""The expert: it knows what is wanted and where everything is, and plans in the same loop as any other planner.

It looks again for what it does not see, asks what it needs to know, and tries its plan in the twin before it says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from thinkaloud.loop import Mind
from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Ask,
    Condition,
    Decision,
    Decline,
    Done,
    Look,
    Observation,
    Outcome,
    Plan,
    Step,
)
from thinkaloud_bench.multitalk.episodes import (
    At,
    AtRest,
    InRegion,
    Lined,
    Near,
    SingleGoal,
    Swapped,
    TalkEpisode,
    Topic,
    Within,
    things_of_goal,
)
from thinkaloud_bench.multitalk.reach import course, grid, lines, usable
from thinkaloud_bench.multitalk.routing import ArmMove, Body, NoWay, Router, TableEdge, TablePoint

_TRIES = 24
"""So many plans are tried in the twin."""
_LOOKS = 2
_QUESTIONS: Mapping[Topic, str] = {
    "object": "Which object do you mean?",
    "place": "Where should I put it?",
    "direction": "In which direction should the line run, along the x-axis or along the y-axis?",
    "order": "In which order should the objects stand?",
    "pairs": "Which objects should be interchanged with each other?",
    "instead": "This cannot be done. What should I do instead?",
}


@dataclass
class MultitalkExpert:
    """A planner that is told everything. `mind` judges its plans before they are said."""

    episode: TalkEpisode
    world: Any
    mind: Mind
    _asked: bool = False
    _places: dict[str, TablePoint] = field(default_factory=dict)

    async def plan(self, monologue: Monologue) -> Decision:
        """What is to be done next."""
        seen = monologue.last(Observation)
        looks = len(monologue.since(monologue.task_start(), Look))
        known = () if seen is None or seen.state is None else seen.state.objects
        missing = [name for name in self._wanted() if name not in known]
        if looks < _LOOKS and (missing or (not self.episode.feasible and not looks)):
            return Look(f"I do not see {', '.join(missing)}" if missing else "it may be hidden")
        if not self.episode.feasible:
            return Decline(self.episode.why or "this cannot be done")
        if missing:
            return Decline(f"I do not see {', '.join(missing)}")
        if self.episode.needed and not self._asked:
            self._asked = True
            return Ask(tuple(_QUESTIONS[topic] for topic in self.episode.needed))
        if monologue.since(monologue.task_start(), Outcome):
            return self._over(monologue)
        return await self._solved(monologue)

    def _wanted(self) -> list[str]:
        """What has to be seen before a plan is made; one of several that would do is enough."""
        names = dict.fromkeys(name for goal in self.episode.goal for name in things_of_goal(goal))
        return [*names]

    def _over(self, monologue: Monologue) -> Decision:
        """The plan was carried out, or broke off."""
        if monologue.since(monologue.task_start(), Outcome)[-1].ending != "completed":
            return Done("a step failed", "gave up")
        conditions = self._conditions()
        if not conditions or monologue.goal() == conditions:
            return Done("every step was carried out")
        return Plan(self.episode.request, conditions, ())

    def _conditions(self) -> tuple[Condition, ...]:
        at = self.world.relations["at"]
        names = [parameter.name for parameter in at.signature.parameters]
        return tuple(
            at.condition(dict(zip(names, (name, round(x, 2), round(y, 2)), strict=True)))
            for name, (x, y) in self._places.items()
        )

    # Planning ---------------------------------------------------------------------------------------------------------

    async def _solved(self, monologue: Monologue) -> Decision:
        """The first plan that nobody finds fault with; what went wrong in one is ruled out in the next."""
        bodies, now = self._table()
        router = Router(bodies, usable, course, grid())
        bad, why = set[tuple[str, TablePoint]](), "no plan was found"
        for _ in range(_TRIES):
            chosen = self._choose(router, now, bad)
            if chosen is None:
                break
            try:
                moves = router.moves(now, chosen, dict.fromkeys(chosen, "where it is wanted"))
            except NoWay:
                if not self._drop(bad, chosen):
                    break
                continue
            if not moves:
                return Done("it is there already")
            plan = Plan(self.episode.request, (), tuple(self._steps(moves)))
            at, why = await self._faults(plan, monologue)
            if not why:
                self._places = chosen
                return plan
            wrong = moves[min((at or 0) // 2, len(moves) - 1)]
            router.banned |= to_blame(moves, at or 0, why, {*chosen.values()})
            if wrong.name in self._free_choice() and wrong.end == chosen.get(wrong.name):
                bad.add((wrong.name, wrong.end))
        return Decline(why)

    async def _faults(self, plan: Plan, monologue: Monologue) -> tuple[int | None, str]:
        """The first step that critics or the twin find fault with, and why; ("" for a sound plan)."""
        if self.mind.critique is not None:
            for violation in (await self.mind.critique.critique(plan, monologue)).violations:
                return violation.step, violation.why
        if self.mind.rehearse is not None:
            rehearsal = await self.mind.rehearse.rehearse(plan, monologue)
            if not rehearsal.feasible:
                return rehearsal.step, rehearsal.error
        return None, ""

    def _steps(self, moves: Sequence[ArmMove]) -> list[Step]:
        skills, found = self.world.skills, list[Step]()
        for move in moves:
            (x, y), (to_x, to_y) = move.start, move.end
            found.append(skills["grasp"].step({"x": round(x, 2), "y": round(y, 2)}, f"grasp {move.name}"))
            found.append(skills["move"].step({"x": round(to_x, 2), "y": round(to_y, 2)}, f"{move.name}: {move.why}"))
        found.append(skills["home"].step({}, "the task is done"))
        return found

    def _table(self) -> tuple[dict[str, Body], dict[str, TablePoint]]:
        """What stands where, as it really is."""
        state = self.world.observe().state
        receptacles = {*self.world.observe().vocabulary.get("receptacle", ())}
        bodies, now = dict[str, Body](), dict[str, TablePoint]()
        for name, seen in state.attributes.items():
            if "length" not in seen:
                continue
            size = (float(seen["length"]), float(seen["width"]), float(seen["height"]))
            bodies[name] = Body(name, *size, flat=name in receptacles)
            x, y, _ = self.world.position(name)
            now[name] = (round(x, 2) + 0.0, round(y, 2) + 0.0)
        return bodies, now

    # Which thing goes where -------------------------------------------------------------------------------------------

    def _free_choice(self) -> set[str]:
        """Things whose place is for the robot to choose."""
        loose = (Near, InRegion, Within, Lined, AtRest)
        return {name for goal in self.episode.goal if isinstance(goal, loose) for name in things_of_goal(goal)}

    def _drop(self, bad: set[tuple[str, TablePoint]], chosen: Mapping[str, TablePoint]) -> bool:
        """Rule out the places of a choice that led nowhere; whether there was anything to rule out."""
        loose = [(name, place) for name, place in chosen.items() if name in self._free_choice()]
        bad.update(loose[:1])
        return bool(loose)

    def _choose(
        self, router: Router, now: Mapping[str, TablePoint], bad: set[tuple[str, TablePoint]]
    ) -> dict[str, TablePoint] | None:
        """A place for everything that has to be moved; None if there is none left to try."""
        chosen = dict[str, TablePoint]()
        for goal in self.episode.goal:
            match goal:
                case Swapped(first, second):
                    chosen |= {first: now[second], second: now[first]}
                case At(objects, x, y):
                    chosen[objects[0]] = (x, y)
                case Lined():
                    line = self._line(router, goal, now, bad)
                    if line is None:
                        return None
                    chosen |= line
                case Near() | InRegion() | Within():
                    name = goal.objects[0]
                    places = (p for p in self._candidates(router, goal, {**now, **chosen}) if (name, p) not in bad)
                    place = next(places, None)
                    if place is None:
                        return None
                    chosen[name] = place
        return self._cleared(router, chosen, now, bad)

    def _cleared(
        self,
        router: Router,
        chosen: dict[str, TablePoint],
        now: Mapping[str, TablePoint],
        bad: set[tuple[str, TablePoint]],
    ) -> dict[str, TablePoint] | None:
        """What is free to be moved and stands on a chosen place goes somewhere else, for good."""
        free = {name for goal in self.episode.goal if isinstance(goal, AtRest) for name in goal.free} - chosen.keys()
        after = {**now, **chosen}
        for name in sorted(free):
            taken = any(name in router.in_the_way(other, place, now) for other, place in chosen.items())
            if not taken:
                continue
            kept = [(router.bodies[each], place) for each, place in chosen.items()]
            place = next((p for p in router.spare(name, after, kept) if (name, p) not in bad), None)
            if place is None:
                return None
            chosen, after = {name: place, **chosen}, {**after, name: place}
        return chosen

    def _candidates(self, router: Router, goal: SingleGoal, now: Mapping[str, TablePoint]) -> list[TablePoint]:
        """Places that fulfil a condition, the most comfortable first."""
        body = router.bodies[goal.objects[0]]
        match goal:
            case InRegion(_, low, high):
                spare = router.spare(body.name, now)
                return [p for p in spare if all(low[i] + 0.02 <= p[i] <= high[i] - 0.02 for i in (0, 1))]
            case Within(_, target):
                return self._on(router, body, target, now)
            case Near(_, other):
                return self._beside(router, body, other, now)
            case At(_, x, y):
                return [(x, y)]

    def _on(self, router: Router, body: Body, target: str, now: Mapping[str, TablePoint]) -> list[TablePoint]:
        """Places on or in a receptacle, the middle first, away from what is there already."""
        flat, (x, y) = router.bodies[target], now[target]
        room = (max(flat.length - body.length, 0.0) / 2 - 0.02, max(flat.width - body.width, 0.0) / 2 - 0.02)
        steps = (0.0, 0.5, -0.5, 1.0, -1.0)
        found = [
            (round(x + max(room[0], 0.0) * a, 2), round(y + max(room[1], 0.0) * b, 2)) for a in steps for b in steps
        ]
        return [place for place in dict.fromkeys(found) if not router.in_the_way(body.name, place, now)]

    def _beside(self, router: Router, body: Body, other: str, now: Mapping[str, TablePoint]) -> list[TablePoint]:
        """Places right beside another thing, on every side."""
        there, (x, y) = router.bodies[other], now[other]
        found = list[TablePoint]()
        for gap in (0.035, 0.025):
            dx, dy = (body.length + there.length) / 2 + gap, (body.width + there.width) / 2 + gap
            found += [(x, y + dy), (x, y - dy), (x + dx, y), (x - dx, y)]
        rounded = [(round(a, 2), round(b, 2)) for a, b in found]
        free = [p for p in rounded if usable(body, p) and not router.in_the_way(body.name, p, now)]
        rest = [at for name, at in now.items() if name not in (body.name, other)]
        return sorted(free, key=lambda place: -min((_far(place, at) for at in rest), default=1.0))

    def _line(
        self, router: Router, goal: Lined, now: Mapping[str, TablePoint], bad: set[tuple[str, TablePoint]]
    ) -> dict[str, TablePoint] | None:
        """Places in a line: where there is room for all, and where most things are already."""
        best: tuple[float, dict[str, TablePoint]] | None = None
        others = {name: at for name, at in now.items() if name not in goal.objects}
        for line in lines(goal.axis, len(goal.objects)):
            for names in _orders(goal, now):
                places = dict(zip(names, line, strict=True))
                if any((name, place) in bad for name, place in places.items()):
                    continue
                room = min((_far(p, at) for p in line for at in others.values()), default=1.0)
                stray = sum(_far(now[n], p) for n, p in places.items()) + (10.0 if room < 0.15 else 0.0)
                if (best is None or stray < best[0]) and self._fits(router, places, others):
                    best = (stray, places)
        return None if best is None else best[1]

    def _fits(self, router: Router, places: Mapping[str, TablePoint], others: Mapping[str, TablePoint]) -> bool:
        """Whether every thing can stand at its place of a line, beside its neighbours."""
        if not all(usable(router.bodies[n], p) and not router.in_the_way(n, p, others) for n, p in places.items()):
            return False
        return not any(router.in_the_way(name, place, places) for name, place in places.items())


def to_blame(moves: Sequence[ArmMove], step: int, why: str, wanted: set[TablePoint]) -> set[TableEdge]:
    """What to do otherwise after trouble at a step: that move, or what put things where they were in the way.

    Every move is two steps. Where a thing cannot be grasped, it was put down at a bad place.
    """
    number = min(step // 2, len(moves) - 1)
    wrong, before = moves[number], moves[:number]
    found = {wrong.edge} | {each.edge for each in before if each.name in why and each.end not in wanted}
    if step % 2 == 0:
        found |= {each.edge for each in before if each.name == wrong.name and each.end == wrong.start}
    return found


def _orders(goal: Lined, now: Mapping[str, TablePoint]) -> list[tuple[str, ...]]:
    """In which orders the things may stand."""
    if goal.ordered:
        return [goal.objects]
    axis = 0 if goal.axis == "x" else 1
    by_place = tuple(sorted(goal.objects, key=lambda name: now[name][axis]))
    return [by_place, *permutations(goal.objects)] if len(goal.objects) <= 3 else [by_place]


def _far(one: TablePoint, other: TablePoint) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)
