"""A board with pieces at coordinates and a hand that takes, carries and goes home: all that skills can declare."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Condition, Observation, Plan, Step, Value, WorldState
from thinkaloud.skills import Kind, Relation, Skill, relation, relations_of, skill, skills_of

START = {"pawn": (0.1, 0.1), "queen": (0.5, 0.1), "rook": (0.9, 0.9)}
NEAR, WIDE = 0.03, 0.08  # as exactly as a piece has to be pointed at; as near as pieces come to each other
Piece = Annotated[str, Kind("object")]
Point = tuple[float, float]


def _held(state: WorldState | None) -> str | None:
    relations = state.relations if state else ()
    return next((str(r.arguments["object"]) for r in relations if r.relation == "held"), None)


def _there(state: WorldState | None, x: float, y: float, within: float) -> str | None:
    """The piece on the board that is known to be there."""
    for name, known in (state.attributes if state else {}).items():
        if name != _held(state) and math.dist((float(known["x"]), float(known["y"])), (x, y)) < within:
            return name
    return None


def hand_empty(observation: Observation, **_: Value) -> str | None:
    held = _held(observation.state)
    return f"The hand holds the {held}." if held else None


def hand_full(observation: Observation, **_: Value) -> str | None:
    return None if _held(observation.state) else "Nothing is in the hand."


def on_board(observation: Observation, x: float, y: float) -> str | None:
    return None if 0 <= x <= 1 and 0 <= y <= 1 else f"({x}, {y}) lies outside the board."


def something_there(observation: Observation, x: float, y: float) -> str | None:
    return None if _there(observation.state, x, y, NEAR) else f"No piece is seen at ({x}, {y})."


def free(observation: Observation, x: float, y: float) -> str | None:
    other = _there(observation.state, x, y, WIDE)
    return f"({x}, {y}) is not free: the {other} stands there." if other else None


def _after_grasp(self: Board, state: WorldState, x: float, y: float) -> WorldState:
    name = _there(state, x, y, NEAR)
    held = (self.relations["held"].condition({"object": name}),) if name else ()
    return replace(state, relations=(*state.relations, *held))


def _after_move(state: WorldState, x: float, y: float) -> WorldState:
    name = _held(state)
    if name is None:
        return state
    rest = tuple(r for r in state.relations if r.relation != "held")
    return replace(state, relations=rest, attributes={**state.attributes, name: {"x": x, "y": y}})


class Board:
    """What is carried goes in a straight line, and what stands in its way is found out only then."""

    name = "board"

    def __init__(self, places: Mapping[str, Point] | None = None) -> None:
        self.time = ManualClock()
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self._start = dict(places or START)
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.time.seconds, self.where, self.hand = 0.0, dict(self._start), ""

    def observe(self) -> Observation:
        names = tuple(self.where)
        relations = (self.relations["held"].condition({"object": self.hand}),) if self.hand else ()
        attributes: dict[str, dict[str, Value]] = {name: {"x": x, "y": y} for name, (x, y) in self.where.items()}
        return Observation(names, {"object": names}, state=WorldState(names, relations, attributes))

    def holds(self, condition: Condition) -> bool:
        if condition.relation not in self.relations:
            raise UnknownName("relation", condition.relation, self.relations)
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        return json.dumps([self.time.seconds, self.where, self.hand]).encode()

    def restore(self, snapshot: bytes) -> None:
        self.time.seconds, where, self.hand = json.loads(snapshot)
        self.where = {name: (x, y) for name, (x, y) in where.items()}

    def twin(self) -> Board:
        other = type(self)(self._start)
        other.restore(self.snapshot())
        return other

    @relation("{object} is at ({x}, {y}).")
    def at(self, object: Piece, x: float, y: float) -> bool:
        """Whether a piece stands there."""
        return self.hand != object and math.dist(self.where[object], (x, y)) < NEAR

    @relation("{object} is in the hand.")
    def held(self, object: Piece) -> bool:
        """Whether a piece is in the hand."""
        return self.hand == object

    async def _pass(self, ticks: int) -> None:
        for _ in range(ticks):
            self.time.seconds += 0.1
            await tick()

    @skill(
        "Grasp the piece at ({x}, {y}).",
        preconditions=(hand_empty,),
        cautions=(something_there,),
        remembers=_after_grasp,
    )
    async def grasp(self, x: float, y: float) -> None:
        """Take a piece."""
        safe_point()
        await self._pass(5)
        near = [name for name, place in self.where.items() if math.dist(place, (x, y)) < NEAR]
        if not near:
            raise SkillError(f"Nothing to grasp at ({x}, {y}).")
        self.hand = near[0]

    @skill(
        "Move it to ({x}, {y}).",
        preconditions=(hand_full, on_board),
        cautions=(free,),
        remembers=_after_move,
    )
    async def move(self, x: float, y: float) -> str:
        """Carry what is in the hand in a straight line and put it down."""
        name, (fx, fy) = self.hand, self.where[self.hand]
        for part in range(1, 21):
            await self._pass(1)
            point = fx + (x - fx) * part / 20, fy + (y - fy) * part / 20
            for other, place in self.where.items():
                if other != name and math.dist(place, point) < WIDE:
                    raise SkillError(f"Collision detected between {name} and {other}.")
        self.where[name], self.hand = (x, y), ""
        return f"The {name} is down."

    @skill("Go home.", preconditions=(hand_empty,), remembers=lambda state: state, last=True)
    async def home(self) -> None:
        """Go back to rest."""
        await self._pass(2)

    @skill("Wave.")
    async def wave(self) -> None:
        """Wave; who knows what that changes."""
        await self._pass(1)

    def step(self, skill: str, *values: float) -> Step:
        """A step, from the skill's name and its arguments in order."""
        chosen = self.skills[skill]
        names = [p.name for p in chosen.signature.parameters][: len(values)]
        return chosen.step(dict(zip(names, values, strict=True)))

    def plan(self, *calls: tuple[Any, ...]) -> Plan:
        """A plan of such steps."""
        return Plan("Tidy up.", (), tuple(self.step(*call) for call in calls))
