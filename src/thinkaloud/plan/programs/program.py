"""What a model-written program would do: its calls are written down as steps, against the state that they lead to.

Nothing moves while the program runs. Each call of a skill becomes a `Step` that the loop carries out, checks and
corrects like any other; what the program reads of the state is what will be true when it gets there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.own_steps import SAY, UPDATE, say, update
from thinkaloud.plan.programs.lessons import lesson_of
from thinkaloud.records import Observation, Step, Value, WorldState
from thinkaloud.skills import Skill
from thinkaloud.state.edit import with_causes
from thinkaloud.state.foresight import foresee
from thinkaloud.words import in_a_row, is_blank
from thinkaloud.worlds import World

NOOP = "noop"
"""What a program calls to say that there is nothing to do."""


class PlannedProgram:
    """The steps that a program takes. It may call the skills, say something, and have something noted."""

    def __init__(self, world: World, scene: Observation, state: WorldState) -> None:
        self.world, self.lesson = world, lesson_of(world)
        self.state = state
        self.steps: list[Step] = []
        self._scene = scene

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All that the program can call."""
        found: dict[str, Callable[..., Any]] = {name: self.caller(skill) for name, skill in self.world.skills.items()}
        found |= {self.lesson.function_of(name): call for name, call in found.items()}
        return found | {SAY: self._say, UPDATE: self._update, NOOP: lambda: None}

    def queries(self) -> frozenset[str]:
        """The functions that only look: a program that calls no other says and does nothing."""
        return frozenset()

    def answer_instead(self, why: str) -> Step | None:
        """What is said where the program cannot be run, if that is an answer; None where the model has to mend it."""
        return None

    # Skills -----------------------------------------------------------------------------------------------------------

    def caller(self, skill: Skill) -> Callable[..., None]:
        """The function by which a program calls a skill."""
        names = [p.name for p in skill.signature.parameters]

        def call(*given: Any, **named: Any) -> None:
            if len(given) > len(names):
                raise SkillError(f"{skill.name} takes {len(names)} arguments: {', '.join(names)}.")
            for arguments in self.each_call(dict(zip(names, given, strict=False)) | named):
                self.take(skill, arguments)

        return call

    def each_call(self, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The calls that a call stands for: just itself, where arguments are no lists."""
        return [dict(arguments)]

    def take(self, skill: Skill, arguments: Mapping[str, Any]) -> None:
        """Write a call down, if it makes sense."""
        self.add_step(skill, skill.signature.check(arguments, self._scene.vocabulary))

    def add_step(self, skill: Skill, arguments: dict[str, Value]) -> None:
        """Write a step down, and what it leads to."""
        step = skill.step(arguments)
        self.steps.append(step)
        self.becomes(foresee(skill, arguments, self.state, self.world.relations), step.words)

    def becomes(self, after: WorldState, cause: str) -> None:
        """Go on with another state."""
        self.state = with_causes(self.state, after, cause)

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
    """A value in the bare words of the papers' answers, which their scoring reads: `yes`, `2`, `a and b`."""
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
