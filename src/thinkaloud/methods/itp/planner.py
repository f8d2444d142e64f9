"""Interactive Task Planning: guidelines and a request become a list of steps in words, and each step becomes calls.

The planner reads the guidelines as they were written, thinks, and lists the steps, or says what is not available. The
executor turns one step after another into calls. A new request is planned with the completed steps in view. The
conversation is one growing prompt, as in the paper's Figure 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from thinkaloud.episode.outline import completed_lines, find_position, find_unfinished
from thinkaloud.errors import Unparseable
from thinkaloud.guidelines import Guidelines
from thinkaloud.language.name_matching import is_named
from thinkaloud.language.words import in_a_row
from thinkaloud.methods.itp import planner_prompt as forms
from thinkaloud.methods.itp.executor import PROMPTS, Cannot, Executor, failures, stuck
from thinkaloud.models import Model, Prompts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.final_conditions import check_or_done, find_lasting
from thinkaloud.records import Decision, Decline, Done, Observation, Outline, Plan, Refusal, Request
from thinkaloud.state.scene_text import held_things
from thinkaloud.worlds import World

_TIMES, _SPARE = 4, 6
"""A plan may be this many times as long as the longest instructions, plus this many steps."""
_ATTEMPTS = 5
"""How often a step is tried before it is given up."""


@dataclass
class InteractiveTaskPlanning:
    """Plans on two levels, with guidelines."""

    planner: Model
    executor: Executor
    world: World
    guidelines: Guidelines
    prompts: Prompts = field(default_factory=PROMPTS.open)

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the outline for a request; then, line by line, the calls; finally, what must be true now."""
        request, scene = monologue.situation()
        plan, line = find_position(monologue)
        if plan is None or plan.outline is None:
            return await self._outline(request.text, monologue)
        lines = plan.outline.lines
        if line == len(lines):
            return self._finish(plan, plan.outline, scene, monologue)
        failed = failures(lines[line], monologue)
        if len(failed) >= _ATTEMPTS or (len(failed) > 1 and stuck(monologue)):
            return Done(f"this did not work, {len(failed)} times: {lines[line]} ({failed[-1].why})", "gave up")
        steps = await self.executor.calls(lines[line], scene, monologue)
        if isinstance(steps, Cannot):
            return Done(f"this cannot be done: {lines[line]} ({steps.why})", "gave up")
        return Plan(plan.goal, (), steps, outline=Outline(lines, line))

    # The outline ------------------------------------------------------------------------------------------------------

    async def _outline(self, request: str, monologue: Monologue) -> Decision:
        grammar = forms.planner_answer_grammar(self._most + 1)  # one too many, so that an endless list is recognised
        asked, longest = self.prompt(monologue), 30 * self._most + 250
        answer = await self.planner.complete(asked, grammar=grammar, stop=forms.PLANNER_STOPS, most=longest)
        said = forms.read_answer(answer.text, self.guidelines.available)
        if said.ending == forms.NO_STEPS_LEFT:
            return Done(said.why)
        if said.ending:
            return Decline(_unavailable(said.why) if said.ending == forms.NOT_AVAILABLE else said.why)
        if missing := self.guidelines.missing(said.material):
            there = ", ".join(self.guidelines.available)
            raise Unparseable(f"{_unavailable(in_a_row(missing))}; there is: {there}.", answer.text)
        if len(said.lines) > self._most:
            raise Unparseable(f"This lists {len(said.lines)} steps or more; {self._most} at most.", answer.text)
        thought = said.words.removeprefix("Thought: ")
        return Plan(request, (), (), thought, verbatim=said.words, outline=Outline(said.lines))

    @property
    def _most(self) -> int:
        return _TIMES * max(len(recipe.steps) for recipe in self.guidelines.recipes) + _SPARE

    def prompt(self, monologue: Monologue) -> str:
        """Return the guidelines and the conversation about the current order, up to where the model continues."""
        parts = [self.prompts.introduce(self.planner, "planner"), f"{self.guidelines.text.strip()}\n\n"]
        start, done = monologue.order_start(), list[str]()
        for event in monologue.order():
            match event.record:
                case Request(text=text):
                    done = completed_lines(monologue, before=event.index)
                    parts.append(forms.render_request(text, done, new=event.index > start))
                case Plan(outline=Outline(outlined, None), verbatim=words) if words:
                    parts.append(forms.render_list(words, outlined, len(done)))
                case Refusal(role="planner", why=why):
                    parts.append(f"Refused: {why}\n")
                case _:
                    pass
        return "".join(parts)

    # The end ----------------------------------------------------------------------------------------------------------

    def _finish(self, plan: Plan, outline: Outline, scene: Observation, monologue: Monologue) -> Decision:
        """Return what must be true now, or why that is unknown."""
        if given_up := find_unfinished(outline, monologue):
            return Done(f"this did not work: {'; '.join(given_up)}", "gave up")
        if unused := self._unused(monologue):
            return Done(f"all the steps have been carried out, but none of them used the {in_a_row(unused)}")
        if held := held_things(scene.state):
            return Done(f"all the steps have been carried out, but {in_a_row(held)} is still in the gripper")
        first = monologue.first(Observation, after=monologue.order_start()) or scene
        conditions = find_lasting(self.world, first, monologue.worked())
        over = Outline(outline.lines, len(outline.lines))
        return check_or_done(plan.goal, conditions, "all the steps have been carried out", monologue, over)

    def _unused(self, monologue: Monologue) -> list[str]:
        """Return what the planner said is needed and no completed step has named."""
        words = [each.verbatim for each in monologue.in_task(Plan) if each.verbatim]
        said = forms.read_material(words[-1], self.guidelines.available) if words else []
        done = completed_lines(monologue)
        return [name for name in said if not _names(done, name) and not self._tacit(name)]

    def _tacit(self, name: str) -> bool:
        """Whether the guidelines themselves need this for something whose steps do not name it."""
        return any(name in recipe.material and not _names(recipe.steps, name) for recipe in self.guidelines.recipes)


def _unavailable(names: str) -> str:
    """Say that something is not available; a model may have said so itself."""
    return names if "available" in names else f"{names} is not available"


def _names(lines: Iterable[str] | Sequence[str], name: str) -> bool:
    return any(is_named(name, line) for line in lines)
