"""What a model-written program would do: its calls are recorded as steps.

Nothing moves while the program runs. Each call of a skill becomes a `Step` that the loop carries out, checks and
corrects like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.language.words import in_a_row, is_blank
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.records import Observation, Step
from thinkaloud.skills import Skill
from thinkaloud.skills.built_in_steps import SAY, UPDATE, say, update
from thinkaloud.worlds import World

NOOP = "noop"
"""The function that a program calls to say that there is nothing to do."""


class PlannedProgram:
    """The steps that a program takes. It may call the skills, say something, and note something."""

    def __init__(self, world: World, scene: Observation) -> None:
        self.world, self.lesson = world, lesson_of(world)
        self.steps: list[Step] = []
        self._scene = scene

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return everything that the program can call."""
        found: dict[str, Callable[..., Any]] = {name: self._caller(skill) for name, skill in self.world.skills.items()}
        found |= {self.lesson.function_of(name): call for name, call in found.items()}
        return found | {SAY: self._say, UPDATE: self._update, NOOP: lambda: None}

    # Skills -----------------------------------------------------------------------------------------------------------

    def _caller(self, skill: Skill) -> Callable[..., None]:
        """Return the function with which a program calls a skill."""
        names = [p.name for p in skill.signature.parameters]

        def call(*given: Any, **named: Any) -> None:
            if len(given) > len(names):
                raise SkillError(f"{skill.name} takes {len(names)} arguments: {', '.join(names)}.")
            self._take(skill, dict(zip(names, given, strict=False)) | named)

        return call

    def _take(self, skill: Skill, given: Mapping[str, Any]) -> None:
        """Record a call, if it makes sense."""
        self.steps.append(skill.step(skill.signature.check(given, self._scene.vocabulary)))

    # Words and notes --------------------------------------------------------------------------------------------------

    def _say(self, text: Any = "") -> None:
        answer = render_answer(text)
        if is_blank(answer):
            raise Unparseable(f"{answer[:20]!r} says nothing; say something in words.", answer)
        self.steps.append(say(answer))

    def _update(self, query: str) -> None:
        if is_blank(str(query)):
            raise Unparseable("There is nothing to take note of in an empty text; say in words what is different.")
        self.steps.append(update(str(query)))


def render_answer(value: Any) -> str:
    """Return a value in the plain words of the papers' answers, which their scoring reads: `yes`, `2`, `a and b`."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "nothing"
        case float() if value.is_integer():
            return str(int(value))
        case list() | tuple() | set():
            return in_a_row([render_answer(each) for each in value]) or "none"
        case _:
            return str(value)
