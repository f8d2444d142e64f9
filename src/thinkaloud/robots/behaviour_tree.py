"""A plan as a behaviour tree for py_trees: a node for each step, and one for each thing that has to be so after it.

This is what an exported tree calls (`thinkaloud export ID --to tree.py`):

    replay = Replay(robot)
    root = py_trees.composites.Sequence("plan", memory=True, children=[
        Do(replay, "move", {"thing": "cup", "place": "shelf"}),
        Check(replay, "at", {"thing": "cup", "place": "shelf"}),
    ])

Tick it from a thread without a running event loop: each tick gives the running skill one turn. A node that is
interrupted stops its skill at the skill's next control tick.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import MissingExtra, ThinkaloudError, describe_fault
from thinkaloud.records import Arguments, Message, Stop
from thinkaloud.robots.replay import Replay, ask_at_terminal, open_robot, report_run
from thinkaloud.untrusted.output import write_line

try:
    import py_trees
except ModuleNotFoundError as error:
    raise MissingExtra("A plan as a behaviour tree", "trees") from error

_PERIOD = 0.02
_MOST_TURNS = 10_000
"""Turns that a stopped skill gets to come to rest."""


def _one_turn() -> Awaitable[None]:
    """Every control tick of a skill waits for the tree's next tick."""
    return asyncio.sleep(0)


class Do(py_trees.behaviour.Behaviour):
    """A step: running until its skill has ended; a failure if the skill refuses or fails, with the reason."""

    def __init__(self, replay: Replay, skill: str, arguments: Arguments) -> None:
        super().__init__(f"{skill}({', '.join(map(str, arguments.values()))})")
        self._replay, self._skill, self._arguments = replay, skill, arguments
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[str] | None = None

    def initialise(self) -> None:
        """Begin the step; nothing moves before the first turn."""
        self._stop: Message | None = None
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._run())

    async def _run(self) -> str:
        with pacing(Pace(hear=lambda: self._stop, wait=_one_turn)):
            return await self._replay.do(self._skill, self._arguments)

    def update(self) -> py_trees.common.Status:
        """Give the skill a turn."""
        self._turn()
        if self._task is None or not self._task.done():
            return py_trees.common.Status.RUNNING
        try:
            self.feedback_message = self._task.result()
        except (ThinkaloudError, Interrupted) as error:
            self.feedback_message = str(error)
            return py_trees.common.Status.FAILURE
        except Exception as error:  # the robot's own code may raise anything
            self.feedback_message = describe_fault(error)
            return py_trees.common.Status.FAILURE
        return py_trees.common.Status.SUCCESS

    def terminate(self, new_status: py_trees.common.Status) -> None:
        """Stop the skill if it still runs, and wait until it is at rest."""
        if self._loop is None or self._task is None:
            return
        self._stop = Stop("the tree left this step")
        for _ in range(_MOST_TURNS):
            if self._task.done():
                break
            self._turn()
        self._loop.close()
        if not self._task.cancelled() and self._task.done():
            self._task.exception()
        self._loop = self._task = None

    def _turn(self) -> None:
        assert self._loop is not None
        self._loop.call_soon(self._loop.stop)
        try:
            self._loop.run_forever()
        except Interrupted:
            return  # the skill has stopped; its task knows that, too


class Check(py_trees.behaviour.Behaviour):
    """Something that has to be so (or, with `so=False`, must not be so) before the tree goes on."""

    def __init__(self, replay: Replay, relation: str, arguments: Arguments, so: bool = True) -> None:
        super().__init__(f"{'' if so else 'not '}{relation}({', '.join(map(str, arguments.values()))})?")
        self._compare: Callable[[str, Arguments], None] = replay.check if so else replay.check_not
        self._relation, self._arguments = relation, arguments

    def update(self) -> py_trees.common.Status:
        """Look."""
        try:
            self._compare(self._relation, self._arguments)
        except ThinkaloudError as error:
            self.feedback_message = str(error)
            return py_trees.common.Status.FAILURE
        return py_trees.common.Status.SUCCESS


def tick_until_done(root: Any, *, wait: Callable[[float], None] = time.sleep, period: float = _PERIOD) -> str:
    """Tick a tree until it has succeeded or failed; why it failed, or an empty text. What breaks this off stops it."""
    try:
        while True:
            root.tick_once()
            if root.status == py_trees.common.Status.SUCCESS:
                return ""
            if root.status == py_trees.common.Status.FAILURE:
                tip = root.tip()
                told = str(tip.feedback_message if tip is not None else "")
                return told or f"{tip.name if tip else root.name} failed."
            wait(period)
    except BaseException:
        root.stop(py_trees.common.Status.INVALID)
        raise


def tick_here(build: Callable[[Replay], Any], about: Mapping[str, str]) -> int:
    """Tick an exported tree in the world, scene and seed that its plan was made in."""

    def run() -> None:
        robot = open_robot(about["world"], about["scene"], int(about["seed"]))
        root = build(Replay(robot, approve=ask_at_terminal, tell=write_line))
        if failed := tick_until_done(root, wait=lambda period: None):
            raise ThinkaloudError(failed)

    return report_run(run)
