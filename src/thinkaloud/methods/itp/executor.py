"""ITP's executor: the next step of an outline, in words, becomes calls of the robot's functions.

It sees the functions with their documentation, the scene, what has been done, the step, and what went wrong with it so
far. `text` asks for calls as text, held to the calls that make sense now; `tools` uses the model's own function
calling, with the schemas of the skills.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from thinkaloud.calls import WrittenCall, read_step, render_function, render_head, render_skill_call
from thinkaloud.errors import ModelRefused, Unparseable
from thinkaloud.guidelines import Guidelines
from thinkaloud.methods.itp.possible_calls import (
    CALLS_END,
    CALLS_PER_STEP,
    find_only_call,
    possible_calls,
    read_calls,
    step_calls_grammar,
)
from thinkaloud.models import Model, Turn, is_trained
from thinkaloud.monologue import Monologue
from thinkaloud.names import all_names, is_definite, names_in, without_number
from thinkaloud.outline import completed_lines
from thinkaloud.records import Condition, Observation, Outline, Plan, Refusal, Step, Verdict, WorldState
from thinkaloud.signatures import Signature
from thinkaloud.skills import Skill
from thinkaloud.state.edit import HELD
from thinkaloud.state.foresight import foresee
from thinkaloud.state.scene import held_things, render_scene
from thinkaloud.worlds import World

CallForm = Literal["text", "tools"]
_NEWS = 6
"""So many of the things that have changed are told to a trained model, the latest ones."""
PUT_DOWN = "put down what is held"
"""The last step, where the others left something hanging."""
_SYSTEM = """\
You control a robot by calling its functions. You are given the scene, the steps that are completed, and the next step.
Call the functions that carry out the next step, and nothing beyond it."""
_SHOWN = """\
Scene: there is folder rack, invoice, leaflet. The drawer is closed
Step: open the drawer
open_drawer()
#
Completed: open the drawer
Scene: there is folder rack, invoice, leaflet. The drawer is open
Step: fetch an empty folder from the folder rack to the desk
take_folder("folder rack")
set_folder("desk")
#
Completed: open the drawer; fetch an empty folder from the folder rack to the desk
Scene: there is folder rack, invoice, leaflet. The drawer is open. Folder 1 is at the desk
Step: slip the invoice into the folder
slip("desk", "invoice")
#
Completed: open the drawer; fetch an empty folder from the folder rack to the desk; slip the invoice into the folder
Scene: there is folder rack, invoice, leaflet. The drawer is open. Folder 1 is at the desk. There is invoice in folder 1
Step: carry the folder to the archive
take_folder("desk")
set_folder("archive")
#
"""
"""What calls look like: another robot's, so that nothing of the task at hand is given away."""


@dataclass
class Executor:
    """Makes calls of a step."""

    model: Model
    world: World
    guidelines: Guidelines
    form: CallForm = "text"

    async def calls(self, line: str, scene: Observation, monologue: Monologue) -> tuple[Step, ...]:
        """The calls that carry out a step; Unparseable for what is none."""
        if (only := find_only_call(self.world, line)) is not None:
            return (only,)
        failed = failures(line, monologue)
        try:
            self._refuse_absent(line, scene)
            if self.form == "tools":
                return await self._by_tools(line, scene, monologue, failed)
            return await self._by_text(line, scene, monologue, failed)
        except Unparseable as error:
            raise Unparseable(str(error), error.words, role="executor") from None

    def _refuse_absent(self, line: str, scene: Observation) -> None:
        """What a step is about has to be there, or something else would be taken in its place."""
        there = {name.lower() for name in (*scene.objects, *all_names(scene.vocabulary))}
        functions = " ".join(self.world.skills).replace("_", " ").lower()
        named = names_in(line, self.guidelines.available)
        if gone := [name for name in sorted(named) if name.lower() not in there and name.lower() not in functions]:
            raise Unparseable(f"There is no {gone[0]} here now, so this cannot be done: {line}.", line)

    async def _by_text(
        self, line: str, scene: Observation, monologue: Monologue, failed: Sequence[Verdict]
    ) -> tuple[Step, ...]:
        useless = [self._call(failed[-1])] if failed else []
        useless += losing_calls(self.world, scene) if line == PUT_DOWN else []
        prompt = "\n".join([*self._described(line, scene, monologue, failed), ""])
        fitting = self._fitting(line)
        choices, trained = [self.guidelines.called_after(line, fitting), fitting], is_trained(self.model)
        if trained:
            useless += replacing_calls(self.world, scene, line)
            choices.append(fitting | self._taking(line, scene))
        grammar = step_calls_grammar(self.world, choices, scene, line, useless, any_of=trained)
        said = await self.model.complete(prompt, grammar=grammar, stop=[CALLS_END, "\nStep:"], most=200)
        return read_calls(said.text.removesuffix(CALLS_END), self.world.skills, scene.vocabulary, line)

    async def _by_tools(
        self, line: str, scene: Observation, monologue: Monologue, failed: Sequence[Verdict]
    ) -> tuple[Step, ...]:
        fitting = self._fitting(line)
        tools = [skill.signature.schema(scene.vocabulary) for skill in self.world.skills.values()]
        turns = [Turn("system", _SYSTEM), Turn("user", self._situation(line, scene, monologue, failed))]
        try:
            reply = await self.model.chat(turns, tools=tools, calls=CALLS_PER_STEP)
        except ModelRefused as error:
            raise Unparseable(str(error)) from None
        if not reply.calls:
            raise Unparseable(f"No function was called for {line!r}.", reply.text)
        steps = tuple(
            read_step(WrittenCall(call.name, (), call.arguments), self.world.skills, scene.vocabulary, line)
            for call in reply.calls
        )
        if not any(step.skill in fitting for step in steps):
            names = ", ".join(step.skill for step in steps)
            raise Unparseable(f"{names} does not carry out {line!r}; call {' or '.join(fitting)}.", names)
        return steps

    def _fitting(self, line: str) -> dict[str, Skill]:
        """The skills that are documented in words of the step; all of them where none is."""
        return self.guidelines.documented(line, self.world.skills) or dict(self.world.skills)

    def _taking(self, line: str, scene: Observation) -> dict[str, Skill]:
        """The skills that take some material which the step names, whatever verb it has for that."""
        named = {*names_in(line, self.guidelines.available)}
        kinds = {kind for kind, names in scene.vocabulary.items() if named & {*names}}
        skills = self.world.skills.items()
        return {name: skill for name, skill in skills if any(p.kind in kinds for p in skill.signature.parameters)}

    def _described(self, line: str, scene: Observation, monologue: Monologue, failed: Sequence[Verdict]) -> list[str]:
        """What a model is told about a step; a trained one only how functions are called and what has changed."""
        if is_trained(self.model):
            known = render_heads((skill.signature for skill in self.world.skills.values()), self.guidelines)
            now = _render_news(scene, monologue, self._fitting(line).values())
            return [*known, *now, f"Step: {line}", *self._troubles(monologue, failed)]
        return [_render_functions(self.world), _SHOWN + self._situation(line, scene, monologue, failed)]

    def _situation(self, line: str, scene: Observation, monologue: Monologue, failed: Sequence[Verdict]) -> str:
        done = completed_lines(monologue)
        lines = [f"Completed: {'; '.join(done)}"] if done else []
        lines.append(f"Scene: {render_scene(scene)}")
        lines.append(f"Step: {line}")
        return "\n".join([*lines, *self._troubles(monologue, failed)])

    def _troubles(self, monologue: Monologue, failed: Sequence[Verdict]) -> list[str]:
        """What did not work so far."""
        lines: list[str] = []
        for verdict in failed:
            lines.append(f"# {self._call(verdict)} failed: {verdict.why or verdict.observed}")
        return lines + [f"# refused: {refusal.why}" for refusal in refusals(monologue)]

    def _call(self, verdict: Verdict) -> str:
        return render_skill_call(self.world.skills[verdict.step.skill], verdict.step.arguments)


def _render_functions(world: World) -> str:
    """The robot's functions, as a prompt shows them."""
    return "\n".join(["Functions:", *(render_function(skill) for skill in world.skills.values()), "#"])


def render_heads(signatures: Iterable[Signature], guidelines: Guidelines) -> list[str]:
    """How the functions are called, and what the places are for, in few words."""
    return [f"Functions: {', '.join(map(render_head, signatures))}", *(f"* {line}" for line in guidelines.locations)]


def _render_news(scene: Observation, monologue: Monologue, skills: Iterable[Skill]) -> list[str]:
    """What is held, and what was not so in the beginning, of that which the skills could be called with."""
    first = monologue.first(Observation) or scene
    known = {relation.words for relation in first.state.relations} if first.state else set()
    kinds = {p.kind for skill in skills for p in skill.signature.parameters if p.kind}
    names = {name for kind in kinds for name in scene.vocabulary.get(kind, ())}
    now = [relation for relation in (scene.state.relations if scene.state else ()) if relation.words not in known]
    telling = [each for each in now if each.relation == HELD or names & {*map(str, each.arguments.values())}]
    return [f"Now: {render_scene(scene_of_relations(telling))}"] if telling else []


def scene_of_relations(relations: Sequence[Condition]) -> Observation:
    """A scene of which only this is known; of much, only the latest."""
    return Observation((), {}, state=WorldState(relations=tuple(relations[-_NEWS:])))


def holding(scene: Observation) -> bool:
    """Whether something is in the gripper."""
    return bool(held_things(scene.state))


def put_down(world: World, scene: Observation) -> Step | None:
    """The call that frees the gripper and loses nothing that is known, as far as the skills declare that."""
    after = _foreseen(world, scene)
    freeing = {text: state for text, state in after.items() if all(r.relation != HELD for r in state.relations)}
    if not holding(scene) or not freeing:
        return None
    best = max(freeing, key=lambda text: len(freeing[text].relations))
    skill, arguments = possible_calls(world.skills, scene, "")[best]
    return skill.step(arguments, PUT_DOWN)


def losing_calls(world: World, scene: Observation) -> list[str]:
    """The calls after which less is known: what is thrown away is gone with all that was in it."""
    known = scene.state or WorldState()
    return [text for text, state in _foreseen(world, scene).items() if len(state.relations) < len(known.relations)]


def replacing_calls(world: World, scene: Observation, line: str) -> list[str]:
    """The calls that would take a thing which is not there yet, where the step speaks of one that is: "the cup" is the
    one that is being filled, and not another one out of the cupboard."""
    known = {
        str(value) for relation in (scene.state or WorldState()).relations for value in relation.arguments.values()
    }
    names = {name for each in scene.vocabulary.values() for name in each if " " in name}
    bare = re.sub("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)", "", line, flags=re.I)
    found = []
    for text, state in _foreseen(world, scene).items():
        new = [thing for thing in held_things(state) if thing not in known]
        kinds = {without_number(thing) for thing in new} & {without_number(name) for name in known}
        if any(is_definite(kind, bare) for kind in kinds):
            found.append(text)
    return found


def _foreseen(world: World, scene: Observation) -> dict[str, WorldState]:
    calls, known = possible_calls(world.skills, scene, ""), scene.state or WorldState()
    return {text: foresee(skill, given, known, world.relations) for text, (skill, given) in calls.items()}


def failures(line: str, monologue: Monologue) -> list[Verdict]:
    """What was tried for this step and did not work, since it was begun."""
    found: list[Verdict] = []
    at_hand = False
    for event in monologue.task():
        match event.record:
            case Plan(outline=Outline() as outline):
                at_hand = outline.line == line
                found = found if at_hand else []
            case Verdict(ok=False) if at_hand:
                found.append(event.record)
            case _:
                pass
    return found


def stuck(monologue: Monologue) -> bool:
    """Whether the same was tried once more, with the same result, and nothing that worked came between."""
    judged = monologue.in_task(Verdict)[-2:]
    return len(judged) == 2 and judged[0] == judged[1] and not judged[1].ok


def refusals(monologue: Monologue) -> list[Refusal]:
    """What the executor said since the latest plan that could not be used."""
    return [refusal for refusal in monologue.refusals(Plan) if refusal.role == "executor"]
