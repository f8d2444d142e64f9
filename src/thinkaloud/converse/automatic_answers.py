"""Who answers a robot's questions in place of a person: something that looks.

The seam for a model that answers questions about pictures: a part with this one method, given to `Mind(answer=…)`.
"""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Ask
from thinkaloud.worlds import World


class Answers(Protocol):
    """Answers what the planner asks. What needs a person's approval is never asked here."""

    async def answer(self, question: Ask, monologue: Monologue) -> str:
        """The answer, in words."""
        ...


class AnswerByLooking:
    """Whatever is asked, it tells what is in view, and what is known of it: true, if not always what was asked."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def answer(self, question: Ask, monologue: Monologue) -> str:
        """What is seen now."""
        scene = self._world.observe()
        seen = ", ".join(scene.objects)
        told = [f"In view: {seen}." if seen else "Nothing is in view."]
        about = {*scene.objects}
        for condition in scene.state.relations if scene.state is not None else ():
            named = {str(value) for value in condition.arguments.values()}
            if not named or named & about:
                told.append(condition.words)
        return " ".join(told[:12])
