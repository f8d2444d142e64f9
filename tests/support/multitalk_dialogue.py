"""Dialogues with MultiTalk's mind: what everybody says, in the order in which they are asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.methods.multitalk.dialogue_text import HEADING
from thinkaloud.methods.multitalk.planner_answers import NO_ACTION_REQUIRED, QUESTIONS, RERUN
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Event
from thinkaloud.records import Answer, Ask, Started
from thinkaloud.robots import open_world
from thinkaloud.worlds import World

R = TypeVar("R")
SCENES = Path(__file__).parents[2] / "examples" / "scenes"
THINKS = " What: what was asked for. Where: each to its place.\n"
FINE = " The plan does what was asked for.\nFeasible Plan!\n\n"
LOOKS = f"{THINKS}{RERUN}\n\n"
NO_ACTION = f" It is there already.\n{NO_ACTION_REQUIRED}\n\n"
Point = tuple[float, float]
THREE = """
object = [{name = "soup can", x = 0.3, y = 0.4}, {name = "mug", x = 0.3, y = -0.4}, {name = "lime", x = 0.1, y = 0.4}]
"""
"""A soup can, a mug and a lime, for the franka world."""
LATE = f'late = ["soup can"]{THREE}'
"""The same; the soup can is seen only by who looks again."""
CAN = (0.30, 0.40)
"""Where it is."""


class Held(Scripted):
    """A model whose answers are checked against the grammars."""

    async def complete(self, prompt: str, *, grammar: str | None = None, **more: Any) -> Completion:
        said = await super().complete(prompt, grammar=grammar, **{**more, "stop": ()})
        assert grammar is not None
        assert accepts(grammar, said.text), f"{said.text!r} is not in\n{grammar}"
        return said


def carry(name: str, start: Point, end: Point, why: str = "there") -> tuple[str, str]:
    """Two lines of a plan that bring a thing from one point to another."""
    return (
        f"Grasp {name}: grasp(({start[0]:.2f}, {start[1]:.2f}, 0.05))",
        f"Put {name} {why}: move(({end[0]:.2f}, {end[1]:.2f}))",
    )


def at_once(*actions: str) -> str:
    """A plan without a thought before it."""
    return "\n".join([HEADING, *(f"{number}: {text}" for number, text in enumerate(actions, 1))]) + "\n\n"


def plan(*actions: str, thought: str = THINKS) -> str:
    """A plan, as the model is asked for it; it goes home in the end."""
    return thought + at_once(*actions, "Go home: home()")


def asks(*questions: str) -> str:
    """Questions, as the model is asked for them."""
    return THINKS + "\n".join([QUESTIONS, *(f"{number}: {text}" for number, text in enumerate(questions, 1))]) + "\n\n"


def objects(**found: str) -> str:
    """What an analyzer finds wrong: `objects(s2="not there")` is about the second step."""
    return " Something is wrong.\n" + "\n".join(f"{step[1:]}: {why}" for step, why in found.items()) + "\n\n"


def figure(number: int) -> World:
    """A table of the paper's."""
    return open_world("franka", scene=(SCENES / f"franka_figure{number}.toml").read_text())


class Talk:
    """One request to the agent; the person answers each question with the next of the answers."""

    def __init__(
        self,
        world: World,
        preset: str,
        said: Sequence[str] | Callable[[str], str],
        answers: Iterable[str] | None = None,
        *,
        held: bool = True,
        **more: Any,
    ) -> None:
        self.world, self.model = world, (Held if held else Scripted)(said)
        self.person = Inbox(present=answers is not None)
        self.agent = Agent(world, self.model, preset, person=self.person, **more)
        left = iter(answers or ())

        def answer(event: Event) -> None:
            if isinstance(event.record, Ask):
                self.person.say(Answer(next(left)))

        if answers is not None:
            self.agent.monologue.listeners.append(answer)

    def says(self, request: str) -> str:
        """How it ended, and why."""
        end = asyncio.run(self.agent.run(request))
        return f"{end.result}: {end.because}"

    def all(self, kind: type[R]) -> list[R]:
        return self.agent.monologue.since(None, kind)

    @property
    def kinds(self) -> list[str]:
        """What happened, without the model's calls and the beginning."""
        kinds = [type(event.record).__name__ for event in self.agent.monologue]
        return [kind for kind in kinds if kind not in ("ModelCall", "Begin")]

    @property
    def done(self) -> list[str]:
        return [started.step.reason for started in self.all(Started)]
