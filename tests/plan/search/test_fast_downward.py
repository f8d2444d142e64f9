"""A planner for large problems, in a process of its own; none of it is needed."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from declaredworld import DeclaredBlocks
from thinkaloud.plan.search import (
    Found,
    NotFound,
    Sought,
    find_steps,
    find_steps_meanwhile,
)
from thinkaloud.plan.search import (
    fast_downward as downward,
)
from thinkaloud.plan.search.facts import Atom, Halted, Literal, Setting
from thinkaloud.plan.search.situations import Act, Situation
from thinkaloud.plan.search.useful_steps import Library
from thinkaloud_bench.costs.drawn_problems import KINDS
from thinkaloud_bench.costs.planning import try_problem

needs_planner = pytest.mark.skipif(not downward.is_installed(), reason="the extra `planning` is not installed")


def small_problem() -> tuple[list[Act], list[Literal], Situation]:
    robot = DeclaredBlocks([["a", "b"], ["c"]])
    setting = Setting(robot, robot.observe())
    goals = [Literal(Atom("on", ("a", "c")))]
    start = Situation(setting)
    return Library(setting, kept=(), avoid=(), spoken_of=()).relevant(goals, start), goals, start


def hard(robot: DeclaredBlocks, *, in_order: bool = False) -> Sought:
    pairs = ("af", "fb", "be", "ec")
    deeds = tuple(robot.step("put", *pair) for pair in pairs) if in_order else ()
    return Sought(deeds, tuple(robot.wish("on", *pair) for pair in pairs), in_order=in_order)


def stand_in(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """A planner that is a few lines of Python."""
    monkeypatch.setattr(downward, "_command", lambda: [sys.executable, "-c", program])


def test_the_problem_is_written_in_full() -> None:
    acts, goals, start = small_problem()
    lines = downward.render_problem(acts, goals, start).splitlines()
    assert lines.count("begin_operator") == lines.count("end_operator") == len(acts)
    variables = lines.count("begin_variable")
    assert lines[lines.index("begin_state") + variables + 1] == "end_state"
    assert lines[lines.index("begin_goal") + 1] == "1"


def test_a_plan_is_read() -> None:
    acts, _, _ = small_problem()
    assert list(downward.read_plan("(a1)\n(a0)\n; cost = 2 (unit cost)\n", acts)) == [acts[1], acts[0]]


@pytest.mark.parametrize("folder", [".", "found_plans"])
def test_the_planner_gets_the_problem_and_its_plan_is_taken(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    acts, goals, start = small_problem()
    program = f"import sys; assert 'begin_operator' in sys.stdin.read(); open('{folder}/plan.1', 'w').write('(a1)')"
    stand_in(monkeypatch, program)
    assert downward.solve(acts, goals, start) == (acts[1],)


def test_a_planner_that_finds_nothing_or_cannot_be_started_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "raise SystemExit(12)")
    assert downward.solve(*small_problem()) is None
    monkeypatch.setattr(downward, "_command", lambda: ["/nowhere/downward"])
    assert downward.solve(*small_problem()) is None


def test_who_has_heard_enough_ends_the_planner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    stand_in(monkeypatch, f"import os, time; open({str(begun)!r}, 'w').write(str(os.getpid())); time.sleep(600)")

    def go_on() -> None:
        if begun.exists() and begun.read_text():
            raise Halted

    with pytest.raises(Halted):
        downward.solve(*small_problem(), go_on=go_on)
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)


def test_a_search_that_nobody_waits_for_any_more_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = DeclaredBlocks([list("abcdef")])
    asked, ended = threading.Event(), threading.Event()

    def never(*_: object, go_on: object = None, **__: object) -> None:
        asked.set()
        try:
            while callable(go_on):
                go_on()
        finally:
            ended.set()

    monkeypatch.setattr(downward, "is_installed", lambda: True)
    monkeypatch.setattr(downward, "solve", never)
    monkeypatch.setattr("thinkaloud.plan.search.step_search._PATIENCE", 0)

    async def cancelled() -> None:
        search = asyncio.ensure_future(find_steps_meanwhile(robot, robot.observe(), hard(robot)))
        assert await asyncio.to_thread(asked.wait, 60)
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        assert ended.is_set()

    asyncio.run(cancelled())


def test_without_the_planner_who_runs_the_robot_is_told_where_to_get_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(downward, "_command", lambda: None)
    robot = DeclaredBlocks([list("abcdef")])
    found = find_steps(robot, robot.observe(), hard(robot), most=1)
    assert isinstance(found, NotFound) and found.gave_up and "pip" not in found.why
    assert 'pip install "thinkaloud[planning]"' in caplog.text


def test_what_a_planner_says_is_held_against_the_skills(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def wrong(acts: Sequence[Act], *_: object, **__: object) -> tuple[Act, ...]:
        asked.append(acts)
        return tuple(acts[:1])

    monkeypatch.setattr(downward, "is_installed", lambda: True)
    monkeypatch.setattr(downward, "solve", wrong)
    robot = DeclaredBlocks([list("abcdef")])
    assert isinstance(find_steps(robot, robot.observe(), hard(robot), most=1), NotFound)
    assert asked


def test_deeds_in_their_order_lose_no_wish_that_was_so_before() -> None:
    robot, sought = KINDS["blocks"](6, 0)
    assert any(robot.holds(wish) for wish in sought.wishes)
    count, _ = try_problem("blocks", 6, 0, order=True)
    assert count is not None


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_small_problem_of_each_kind_is_solved(kind: str) -> None:
    size = 2 if kind == "hall" else 4
    assert try_problem(kind, size, 1, order=False)[0]


@needs_planner
@pytest.mark.parametrize("in_order", [False, True])
def test_the_planner_finds_what_the_search_gave_up(in_order: bool) -> None:
    robot = DeclaredBlocks([list("abcdef")])
    found = [find_steps(robot, robot.observe(), hard(robot, in_order=in_order), most=1) for _ in range(2)]
    assert isinstance(found[0], Found) and found[0] == found[1]
    robot.do(found[0].steps)
    assert [robot.under[block] for block in "afbe"] == ["f", "b", "e", "c"]


@needs_planner
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_planner_solves_each_kind_without_our_search(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thinkaloud.plan.search.step_search._PATIENCE", 0)
    size = 2 if kind == "hall" else 4
    assert try_problem(kind, size, 1, order=True)[0]
