"""Interactive Task Planning: guidelines and a request become a list of steps in words, and each step becomes calls.

The planner reads the guidelines as they were written, thinks, and lists the steps, or says what is not available. The
executor turns one step after another into calls. A new request is planned with the completed steps in view. The
conversation is one growing prompt, as in the paper's Figure 3.

What is listed and done is checked against the order (`order_check`): a list that no reading of the order bears out goes
back to the planner, and an order that was not made as the guidelines say never ends as met. The paper has no such check
(`check=off`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from thinkaloud.episode.outline import completed_lines, find_position, find_unfinished
from thinkaloud.errors import Unparseable
from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.fulfilment import find_other_calls
from thinkaloud.guidelines.order_form import all_material
from thinkaloud.language.words import in_a_row
from thinkaloud.methods.itp import planner_prompt as forms
from thinkaloud.methods.itp.executor import PROMPTS, Cannot, Executor, failures, stuck
from thinkaloud.methods.itp.order_check import NoOrderCheck, OrderCheck
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
    check: OrderCheck | NoOrderCheck
    prompts: Prompts = field(default_factory=PROMPTS.open)

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the outline for a request; then, line by line, the calls; finally, what must be true now."""
        request, scene = monologue.situation()
        plan, line = find_position(monologue)
        if plan is None or plan.outline is None:
            return await self._outline(request.text, scene, monologue)
        lines = plan.outline.lines
        if line == len(lines):
            return await self._finish(plan, plan.outline, scene, monologue)
        failed = failures(lines[line], monologue)
        if len(failed) >= _ATTEMPTS or (len(failed) > 1 and stuck(monologue)):
            return Done(f"this did not work, {len(failed)} times: {lines[line]} ({failed[-1].why})", "gave up")
        steps = await self.executor.calls(lines[line], scene, monologue)
        if isinstance(steps, Cannot):
            return Done(f"this cannot be done: {lines[line]} ({steps.why})", "gave up")
        return Plan(plan.goal, (), steps, outline=Outline(lines, line))

    # The outline ------------------------------------------------------------------------------------------------------

    async def _outline(self, request: str, scene: Observation, monologue: Monologue) -> Decision:
        grammar = forms.planner_answer_grammar(self._most + 1)  # one too many, so that an endless list is recognised
        asked, longest = self.prompt(monologue), 30 * self._most + 250
        answer = await self.planner.complete(asked, grammar=grammar, stop=forms.PLANNER_STOPS, most=longest)
        said = forms.read_answer(answer.text, self.guidelines.available)
        if said.ending == forms.NO_STEPS_LEFT:
            return Done(said.why)
        requests = [each.text for each in monologue.in_order(Request)]
        if said.ending == forms.NOT_AVAILABLE and await self._is_available(said.why, requests, scene):
            raise Unparseable(f"Not so: {said.why} is among what is available.", answer.text)
        if said.ending:
            return Decline(_unavailable(said.why) if said.ending == forms.NOT_AVAILABLE else said.why)
        if missing := self.guidelines.missing(said.material):
            there = ", ".join(self.guidelines.available)
            raise Unparseable(f"{_unavailable(in_a_row(missing))}; there is: {there}.", answer.text)
        if len(said.lines) > self._most:
            raise Unparseable(f"This lists {len(said.lines)} steps or more; {self._most} at most.", answer.text)
        lines = [*completed_lines(monologue), *said.lines]
        if faults := await self.check.faults(requests, lines, said.material, scene):
            raise Unparseable(f"{'; '.join(faults)}.", answer.text)
        doubts = await self.check.doubts(requests, lines, scene)
        told = [f"This may not be what was ordered: {'; '.join(doubts)}."] if doubts else []
        thought = "\n".join([said.words.removeprefix("Thought: "), *told])
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

    async def _finish(self, plan: Plan, outline: Outline, scene: Observation, monologue: Monologue) -> Decision:
        """Return what must be true now, or why the order may not be met."""
        if given_up := find_unfinished(outline, monologue):
            return Done(f"this did not work: {'; '.join(given_up)}", "gave up")
        worked = monologue.worked()
        requests = [each.text for each in monologue.in_order(Request)]
        doubts = await self.check.doubts(requests, completed_lines(monologue), scene)
        other = find_other_calls(worked, self.world.skills, all_material(self.guidelines))
        doubts += [f"something else was done for this: {each}" for each in other]
        doubts += [f"{each} is still in the gripper" for each in held_things(scene.state)]
        if doubts:
            return Done(f"all the steps have been carried out, but {'; '.join(doubts)}")
        first = monologue.first(Observation, after=monologue.order_start()) or scene
        conditions = find_lasting(self.world, first, worked)
        over = Outline(outline.lines, len(outline.lines))
        return check_or_done(plan.goal, conditions, "all the steps have been carried out", monologue, over)

    async def _is_available(self, names: str, requests: list[str], scene: Observation) -> bool:
        """Whether all that is said to be missing is available, and the order can be made by the second reading."""
        known = bool(self.guidelines.available) and not self.guidelines.missing([names])
        return known and await self.check.can_be_made(requests, scene)


def _unavailable(names: str) -> str:
    """Say that something is not available; a model may have said so itself."""
    return names if "available" in names else f"{names} is not available"
