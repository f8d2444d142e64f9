"""Code as Policies for tasks with guidelines: comments contain all that ITP is told, and examples show the code.

The paper also gives this baseline 40 lines of code; a world's example programs have about as many. A model trained on
the form does not get them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkaloud.guidelines import Guidelines
from thinkaloud.language.calls import render_call_form, render_skill_call
from thinkaloud.methods.code_as_policies.conversation import GUIDED_READER, OWN_FUNCTIONS, PROMPTS, state_lines
from thinkaloud.models import Model, Prompts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.example_choice import example_programs_of
from thinkaloud.plan.programs.grammar import plan_program_grammar
from thinkaloud.plan.programs.prompt import render_functions
from thinkaloud.records import Observation, Plan, Refusal, Request, Step
from thinkaloud.skills import Vocabulary
from thinkaloud.skills.signatures import Signature
from thinkaloud.state.scene_text import render_scene
from thinkaloud.worlds import World

_WHOLE_TASK = 60
"""Maximum number of calls in a program that carries out a whole task, such as washing all the dishes."""


def render_told(guidelines: str, signatures: Sequence[Signature], vocabulary: Vocabulary) -> str:
    """Return everything that ITP's planner and executor are told beforehand, as comments."""
    lines = [*guidelines.strip().splitlines(), "", "Functions:"]
    lines += [f"{render_call_form(each)}: {' '.join(each.about.split())}" for each in signatures]
    names: dict[str, dict[str, None]] = {}
    for parameter in (parameter for each in signatures for parameter in each.parameters):
        for option in parameter.options(vocabulary) or ():
            names.setdefault(parameter.name, {})[str(option)] = None
    listed = "; ".join(f"{name}: {', '.join(each)}" for name, each in names.items())
    lines += [f"Names: {listed}"] if listed else []
    lines += ["say(text): Tell the person something, such as what is not available.", ""]
    return "\n".join(f"# {line}".rstrip() for line in lines) + "\n"


@dataclass
class GuidedForm:
    """Programs that carry out whole tasks with guidelines."""

    world: World
    guidelines: Guidelines
    model: Model
    states: bool = False
    prompts: Prompts = field(default_factory=PROMPTS.open)

    def render_functions(self) -> str:
        """Return the line that says what a program may call."""
        return render_functions(self.world, OWN_FUNCTIONS)

    def render_prompt(self, monologue: Monologue) -> str:
        """Return everything up to where the program for the current request begins."""
        scene, vocabulary = monologue.last(Observation), self.world.observe().vocabulary
        told = render_told(self.guidelines.text, [skill.signature for skill in self.world.skills.values()], vocabulary)
        lines = list[str]()
        start, asked = monologue.order_start(), 0
        for event in monologue.order():
            match event.record:
                case Request(text=text):
                    done = monologue.worked(before=event.index)
                    if event.index > start and done:
                        lines.append(f"# done so far: {self._calls(done)}")
                    asked = len(lines)
                    lines.append(f"# request: {text}")
                case Plan(verbatim=code) if code and event.index < monologue.task_start():
                    lines.append(code)
                case Refusal(words=words, why=why) if event.index > monologue.task_start():
                    lines.append(f"# refused: {'; '.join(words.splitlines())[:200]}: {why}")
                case _:
                    pass
        if scene is not None:
            lines.insert(asked, f"# scene: {render_scene(scene)}")
        known = {"programs": example_programs_of(self.world).strip()}
        shown = self.prompts.introduce(self.model, GUIDED_READER, (), known)
        return shown + told + "\n".join(lines) + "\n"

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """Return the grammar: as many calls as a whole task takes, or an answer."""
        before = state_lines(monologue) if self.states else ()
        return plan_program_grammar(self.world, scene, OWN_FUNCTIONS, before=before, most=_WHOLE_TASK)

    def _calls(self, steps: Sequence[Step]) -> str:
        skills = self.world.skills
        return "; ".join(
            render_skill_call(skills[step.skill], step.arguments) for step in steps if step.skill in skills
        )
