"""Answer a robot's questions automatically, by looking, in place of a person.

Plug in a model that answers questions about pictures here: a part with this one method, given to `Mind(answer=…)`.
"""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Ask
from thinkaloud.worlds import World


class Answers(Protocol):
    """Answers the planner's questions. Requests for approval always go to a person."""

    async def answer(self, question: Ask, monologue: Monologue) -> str:
        """The answer, in words."""
        ...


class AnswerByLooking:
    """Answers every question with what is in view and what is known about it: true, if not always to the point."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def answer(self, question: Ask, monologue: Monologue) -> str:
        """Describe what is in view."""
        scene = self._world.observe()
        seen = ", ".join(scene.objects)
        told = [f"In view: {seen}." if seen else "Nothing is in view."]
        about = {*scene.objects}
        for condition in scene.state.relations if scene.state is not None else ():
            named = {str(value) for value in condition.arguments.values()}
            if not named or named & about:
                told.append(condition.words)
        return " ".join(told[:12])
