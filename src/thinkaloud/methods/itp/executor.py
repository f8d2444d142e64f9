"""ITP's executor: the next step of an outline, in words, becomes calls of the robot's functions.

It sees the functions with their documentation, the scene, what has been done, the step, and what went wrong with it so
far. `text` asks for calls as text; `tools` uses the model's own function calling, with the schemas of the skills, after
a few turns in which another robot's calls are shown. The model decides which functions to call, with which arguments;
a grammar only limits it to existing functions and names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from thinkaloud.episode.outline import completed_lines
from thinkaloud.errors import ModelRefused, Unparseable
from thinkaloud.language.calls import (
    WrittenCall,
    call_grammar,
    read_call,
    read_step,
    render_call_form,
    render_skill_call,
)
from thinkaloud.models import Model, PromptForm, Prompts, Turn
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Outline, Plan, Refusal, Step, Verdict
from thinkaloud.skills import Skill, Vocabulary
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.state.scene_text import render_scene
from thinkaloud.worlds import World

CallForm = Literal["text", "tools"]
CALLS_PER_STEP = 3
"""Calls for one step; a step that needs more is two steps."""
CALLS_END = "\n#"
"""What follows the calls of a step in every prompt, and therefore marks their end."""
PROMPTS = PromptForm("thinkaloud.methods.itp")
"""What planner and executor are shown first: other robots, so that nothing is given away."""
CANNOT_PREFIX = "cannot: "
"""What an executor says, with the reason, if no function carries out a step."""
_CANNOT = Signature(
    "cannot",
    "Say that none of the functions carries out the step.",
    (Parameter("why", str, "the reason, in a few words."),),
    "",
)
"""The same as a function, for a model that has to call one."""


@dataclass(frozen=True, slots=True)
class Cannot:
    """The executor says that no function carries out a step."""

    why: str


@dataclass
class Executor:
    """Turns a step into calls."""

    model: Model
    world: World
    form: CallForm = "text"
    prompts: Prompts = field(default_factory=PROMPTS.open)

    async def calls(self, line: str, scene: Observation, monologue: Monologue) -> tuple[Step, ...] | Cannot:
        """Return the calls that carry out a step; Unparseable if the answer is not calls."""
        if (only := find_only_call(self.world, line)) is not None:
            return (only,)
        told = self._situation(line, scene, monologue)
        try:
            return await (self._by_tools if self.form == "tools" else self._by_text)(line, scene, told)
        except Unparseable as error:
            raise Unparseable(str(error), error.words, role="executor") from None

    async def _by_text(self, line: str, scene: Observation, told: str) -> tuple[Step, ...] | Cannot:
        skills, names = self.world.skills, scene.vocabulary
        functions = render_documented_functions([skill.signature for skill in skills.values()], names)
        prompt = self.prompts.introduce(self.model, "executor", {self.form}) + functions + told
        grammar = calls_grammar(skills, names)
        said = await self.model.complete(prompt, grammar=grammar, stop=[CALLS_END, "\nStep:"], most=200)
        return read_calls(said.text.removesuffix(CALLS_END), skills, names, line)

    async def _by_tools(self, line: str, scene: Observation, told: str) -> tuple[Step, ...] | Cannot:
        tools = [skill.signature.schema(scene.vocabulary) for skill in self.world.skills.values()]
        tools.append(_CANNOT.schema({}))
        shown = read_turns(self.prompts.text("executor", {self.form}))  # no model of ours was trained on such calls
        try:
            reply = await self.model.chat([*shown, Turn("user", told)], tools=tools, calls=CALLS_PER_STEP)
        except ModelRefused as error:
            raise Unparseable(str(error)) from None
        if not reply.calls:
            if (why := _cannot(reply.text)) is not None:
                return why
            raise Unparseable(f"No function was called for {line!r}.", reply.text)
        for call in reply.calls:
            if call.name == _CANNOT.name and _CANNOT.name not in self.world.skills:
                return Cannot(str(call.arguments.get("why", "")) or "no function does that")
        return tuple(
            read_step(WrittenCall(call.name, (), call.arguments), self.world.skills, scene.vocabulary, line)
            for call in reply.calls
        )

    def _situation(self, line: str, scene: Observation, monologue: Monologue) -> str:
        """Return what has been done, what is there, the step, and what has failed so far."""
        failed = [(self._call(each), each.why or each.observed) for each in failures(line, monologue)]
        refused = [refusal.why for refusal in refusals(monologue)]
        return render_situation(completed_lines(monologue), render_scene(scene), line, failed, refused)

    def _call(self, verdict: Verdict) -> str:
        return render_skill_call(self.world.skills[verdict.step.skill], verdict.step.arguments)


# The prompt -----------------------------------------------------------------------------------------------------------


def render_documented_functions(signatures: Sequence[Signature], vocabulary: Vocabulary) -> str:
    """Return the robot's functions with their documentation, and the names that can be passed to them."""
    lines = [f"{render_call_form(each)}: {' '.join(each.about.split())}" for each in signatures]
    names: dict[str, dict[str, None]] = {}
    for parameter in (parameter for each in signatures for parameter in each.parameters):
        for option in parameter.options(vocabulary) or ():
            names.setdefault(parameter.name, {})[str(option)] = None
    listed = "; ".join(f"{name}: {', '.join(options)}" for name, options in names.items())
    return "\n".join(["Functions:", *lines, *([f"Names: {listed}"] if listed else []), "#"]) + "\n"


def render_situation(
    completed: Sequence[str],
    scene: str,
    line: str,
    failed: Sequence[tuple[str, str]] = (),
    refused: Sequence[str] = (),
) -> str:
    """Return everything that is said about a step."""
    lines = [f"Completed: {'; '.join(completed)}"] if completed else []
    lines += [f"Scene: {scene}", f"Step: {line}"]
    lines += [f"# {call} failed: {why}" for call, why in failed]
    return "\n".join([*lines, *(f"# refused: {why}" for why in refused)]) + "\n"


def read_turns(text: str) -> list[Turn]:
    """Return what a prompt in paragraphs shows first: examples, whose last line is the answer, as turns of their own.

    A small model that reads them as one text says to every step that it cannot.
    """
    about, turns = list[str](), list[Turn]()
    for paragraph in text.strip().split("\n\n"):
        asked, _, answer = paragraph.rpartition("\n")
        if answer.startswith("[{"):
            turns += [Turn("user", asked + "\n"), Turn("assistant", answer)]
        else:
            about.append(paragraph)
    return [Turn("system", "\n\n".join(about)), *turns]


def calls_grammar(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> str:
    """Return the grammar: up to three calls of existing functions with existing names; or `cannot`, and why."""
    cannot = gbnf.sequence(gbnf.literal(CANNOT_PREFIX), r"[^\n]{3,160}")
    rules = {}
    forms = [cannot]
    if any(all(p.options(vocabulary) != () for p in skill.signature.parameters) for skill in skills.values()):
        rules["call"] = call_grammar(skills, vocabulary)
        forms.insert(0, gbnf.separated("call", "\n", most=CALLS_PER_STEP))
    return gbnf.grammar(f"({gbnf.choice(forms)}) {gbnf.literal(CALLS_END)}", rules)


# The answer -----------------------------------------------------------------------------------------------------------


def read_calls(
    text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary, reason: str = ""
) -> tuple[Step, ...] | Cannot:
    """Return the steps for the calls; Unparseable names what is not a call, a skill here, or an argument of it."""
    fenced = re.search(r"```(?:\w+)?\n(.*?)(?:```|$)", text, re.DOTALL)
    body = (fenced[1] if fenced else text).strip()
    if (why := _cannot(body)) is not None:
        return why
    lines = [line.strip() for line in body.split("\n") if line.strip() and not line.strip().startswith("#")]
    if not lines:
        raise Unparseable(f"No function was called for {reason!r}; call at least one of {', '.join(skills)}.", text)
    if len(lines) > CALLS_PER_STEP:
        raise Unparseable(f"{len(lines)} calls for one step; {CALLS_PER_STEP} at most.", text)
    return tuple(read_step(read_call(line), skills, vocabulary, reason) for line in lines)


def _cannot(text: str) -> Cannot | None:
    found = re.match(r"\W*cannot\s*:\s*(.+)", text.strip(), re.IGNORECASE)
    return Cannot(found[1].strip()) if found else None


def find_only_call(world: World, words: str) -> Step | None:
    """Return the single call to make from any words, if the world has exactly one skill that takes words."""
    if len(world.skills) != 1:
        return None
    (skill,) = world.skills.values()
    parameters = skill.signature.parameters
    if len(parameters) != 1 or parameters[0].type is not str or parameters[0].kind or parameters[0].choices:
        return None
    return skill.step({parameters[0].name: words})


# The history ----------------------------------------------------------------------------------------------------------


def failures(line: str, monologue: Monologue) -> list[Verdict]:
    """Return what was tried for this step without success, since the step began."""
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
    """Whether the same was tried again with the same result, and nothing worked in between."""
    judged = monologue.in_task(Verdict)[-2:]
    return len(judged) == 2 and judged[0] == judged[1] and not judged[1].ok


def refusals(monologue: Monologue) -> list[Refusal]:
    """Return the executor's answers since the latest plan that could not be used."""
    return [refusal for refusal in monologue.refusals(Plan) if refusal.role == "executor"]
