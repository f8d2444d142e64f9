"""Robots drawn at random: what the search finds works, and where it finds nothing there is nothing."""

from __future__ import annotations

import random
from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from declaredworld import Robot
from thinkaloud.plan.search import Found, NotFound, Sought, find_steps
from thinkaloud.records import Arguments, Observation
from thinkaloud.skills import Relation, Skill
from thinkaloud.skills.signatures import Parameter, Signature

Facts = tuple[tuple[str, Arguments], ...]
LAMPS = tuple(f"lamp {i}" for i in range(5))


class Switchboard(Robot):
    """Lamps, and switches that each need some lamps to be lit or dark, light some and darken others."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        rng = random.Random(seed)
        self.lit = {lamp for lamp in LAMPS if rng.random() < 0.4}
        lamp = Parameter("lamp", str, "a lamp.", "lamp")
        self.relations = {
            "lit": Relation(Signature("lit", "Whether.", (lamp,), "The {lamp} is lit."), lambda lamp: lamp in self.lit)
        }
        self.switches = {f"switch_{i}": self._drawn(rng) for i in range(5)}
        self.skills = {name: self._skill(name, *parts) for name, parts in self.switches.items()}
        self.deeds = rng.sample(sorted(self.switches), rng.choice((0, 0, 1, 2, 3)))
        self.wanted = {lamp: rng.random() < 0.6 for lamp in rng.sample(LAMPS, rng.choice((0, 1, 2, 3)))}

    @staticmethod
    def _drawn(rng: random.Random) -> tuple[dict[str, bool], set[str], set[str]]:
        needs = {lamp: rng.random() < 0.6 for lamp in rng.sample(LAMPS, rng.choice((0, 1, 1, 2)))}
        lights = set(rng.sample(LAMPS, rng.choice((0, 1, 1, 2))))
        return needs, lights, set(rng.sample(LAMPS, rng.choice((0, 1, 1, 2)))) - lights

    def _skill(self, name: str, needs: dict[str, bool], lights: set[str], darkens: set[str]) -> Skill:
        return Skill(
            Signature(name, "Press it.", (), f"Press {name}."),
            lambda: "done",
            effects=lambda: tuple(("lit", {"lamp": lamp}) for lamp in sorted(lights)),
            needs=lambda: tuple(("lit" if so else "not lit", {"lamp": lamp}) for lamp, so in needs.items()),
            ends=lambda: tuple(("lit", {"lamp": lamp}) for lamp in sorted(darkens)),
        )

    def observe(self) -> Observation:
        return Observation(LAMPS, {"lamp": LAMPS})

    def sought(self) -> Sought:
        wishes = tuple(self.wish("lit" if so else "not lit", lamp) for lamp, so in self.wanted.items())
        return Sought(tuple(self.step(name) for name in self.deeds), wishes)

    def press(self, name: str, lit: frozenset[str]) -> frozenset[str] | None:
        needs, lights, darkens = self.switches[name]
        return None if any((lamp in lit) is not so for lamp, so in needs.items()) else lit - darkens | lights

    def met(self, lit: frozenset[str]) -> bool:
        return all((lamp in lit) is so for lamp, so in self.wanted.items())

    def possible(self) -> bool:
        """Whether there is any way at all, by trying everything."""
        start = (frozenset(self.lit), frozenset[str]())
        seen, todo = {start}, deque([start])
        while todo:
            lit, done = todo.popleft()
            if self.met(lit) and done >= {*self.deeds}:
                return True
            for name in self.switches:
                after = self.press(name, lit)
                if after is not None and (new := (after, done | ({name} & {*self.deeds}))) not in seen:
                    seen.add(new)
                    todo.append(new)
        return False


@given(st.integers(0, 10**6))
def test_what_is_found_works_and_what_is_not_found_is_not_there(seed: int) -> None:
    board = Switchboard(seed)
    found = find_steps(board, board.observe(), board.sought())
    if isinstance(found, NotFound):
        assert not found.gave_up and found.why.strip()
        assert not board.possible()
        return
    lit = frozenset(board.lit)
    for step in found.steps:
        after = board.press(step.skill, lit)
        assert after is not None, f"{step.words} cannot be pressed then"
        lit = after
    lost = {wish.arguments["lamp"] for wish in found.lost}
    assert all((lamp in lit) is so for lamp, so in board.wanted.items() if lamp not in lost)
    for name in board.deeds:
        brought = board.switches[name][1]
        assert name in [step.skill for step in found.steps] or (brought and brought <= board.lit)


@given(st.integers(0, 10**6))
def test_the_same_problem_has_the_same_answer(seed: int) -> None:
    first, second = (Switchboard(seed) for _ in range(2))
    answers = [find_steps(board, board.observe(), board.sought()) for board in (first, second)]
    assert answers[0] == answers[1]


def test_some_are_possible_and_some_are_not() -> None:
    boards = [Switchboard(seed) for seed in range(200)]
    found = [isinstance(find_steps(board, board.observe(), board.sought()), Found) for board in boards]
    assert 40 < sum(found) < 180
