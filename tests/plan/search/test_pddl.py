"""A planning library for long ways; none of it is needed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from declaredworld import DeclaredBlocks
from thinkaloud.plan.search import Found, NotFound, Sought, find_steps, pddl
from thinkaloud.plan.search.facts import Atom, Literal, Setting
from thinkaloud.plan.search.library import Library
from thinkaloud.plan.search.situations import Act, Situation


def small_problem() -> tuple[list[Act], list[Literal], Situation]:
    robot = DeclaredBlocks([["a", "b"], ["c"]])
    setting = Setting(robot, robot.observe())
    goals = [Literal(Atom("on", ("a", "c")))]
    start = Situation(setting)
    return Library(setting, kept=(), avoid=(), spoken_of=()).relevant(goals, start), goals, start


def hard(robot: DeclaredBlocks) -> Sought:
    return Sought((), tuple(robot.wish("on", *pair) for pair in ("af", "fb", "be", "ec")))


def test_the_problem_is_written_in_full() -> None:
    acts, goals, start = small_problem()
    lines = pddl.render_problem(acts, goals, start).splitlines()
    assert lines.count("begin_operator") == lines.count("end_operator") == len(acts)
    variables = lines.count("begin_variable")
    assert lines[lines.index("begin_state") + variables + 1] == "end_state"
    assert lines[lines.index("begin_goal") + 1] == "1"


def test_a_plan_is_read() -> None:
    acts, _, _ = small_problem()
    assert list(pddl.read_plan("(a1)\n(a0)\n; cost = 2 (unit cost)\n", acts)) == [acts[1], acts[0]]


def test_without_the_library_it_is_said_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pddl, "is_installed", lambda: False)
    monkeypatch.setattr("thinkaloud.plan.search.finding.solve_with_library", lambda *given: None)
    robot = DeclaredBlocks([list("abcdef")])
    found = find_steps(robot, robot.observe(), hard(robot), most=1)
    assert isinstance(found, NotFound) and found.gave_up and 'pip install "thinkaloud[planning]"' in found.why


def test_what_a_library_says_is_held_against_the_skills(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(acts: Sequence[Act], *_: object) -> tuple[Act, ...]:
        return tuple(acts[:1])

    monkeypatch.setattr("thinkaloud.plan.search.finding.solve_with_library", wrong)
    robot = DeclaredBlocks([list("abcdef")])
    assert isinstance(find_steps(robot, robot.observe(), hard(robot), most=1), NotFound)


@pytest.mark.skipif(not pddl.is_installed(), reason="the extra `planning` is not installed")
def test_the_library_finds_what_the_search_gave_up() -> None:
    robot = DeclaredBlocks([list("abcdef")])
    found = find_steps(robot, robot.observe(), hard(robot), most=1)
    assert isinstance(found, Found), found
    robot.do(found.steps)
    assert [robot.under[block] for block in "afbe"] == ["f", "b", "e", "c"]
