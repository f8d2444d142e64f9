"""The next step from a language model, where nothing that is declared helps: it reads what was done and what failed.

As in Inner Monologue, the failure's own words are part of what it reads ("the lid is closed"); as everywhere, what it
says is one call of the robot's own skills, or nothing.
"""

from __future__ import annotations

from thinkaloud.calls import call_grammar, read_call, read_step
from thinkaloud.errors import Unparseable
from thinkaloud.models import Model
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.own_steps import STEPS
from thinkaloud.records import Observation, Outcome, Step, Verdict
from thinkaloud.understand.prompt import quoted
from thinkaloud.worlds.contract import World

_GIVE_UP = "give_up()"
_MOST_LINES = 12
_EXAMPLE = """\
# A robot tells what it did and what went wrong, and which one call helps.
def unlock(door): "Turn the key of a door."
def open(door): "Open a door."
def ring(): "Ring the bell."
# Wanted: "I will open the cellar door."
# Failed: "Open the cellar door." "The door is locked."
# Next: unlock("cellar door")

def heat(pan): "Heat a pan."
def stir(pan): "Stir what is in a pan."
# Wanted: "I will heat the small pan."
# Failed: "Heat the small pan." "The gas is empty."
# Next: give_up()

"""


class NextStep:
    """Asks a model for one call that may help."""

    def __init__(self, model: Model, world: World) -> None:
        self._model, self._world = model, world

    async def propose(self, work: str, trouble: str, monologue: Monologue) -> Step | None:
        """The step that the model proposes; None where it knows none, or says what is no call."""
        scene = monologue.last(Observation) or self._world.observe()
        calls = call_grammar(self._world.skills, scene.vocabulary)
        grammar = gbnf.grammar(gbnf.sequence(gbnf.choice([calls, gbnf.literal(_GIVE_UP)]), gbnf.literal("\n")))
        prompt = _EXAMPLE + self._render(work, trouble, monologue)
        answer = await self._model.complete(prompt, stop=("\n",), grammar=grammar, most=80)
        if answer.text.strip() in (_GIVE_UP, ""):
            return None
        try:
            return read_step(read_call(answer.text.strip()), self._world.skills, scene.vocabulary, reason=trouble)
        except Unparseable:
            return None

    def _render(self, work: str, trouble: str, monologue: Monologue) -> str:
        lines = [
            f"def {skill.name}({', '.join(p.name for p in skill.signature.parameters)}): "
            f"{quoted(skill.signature.about.splitlines()[0], 100)}"
            for skill in self._world.skills.values()
        ]
        lines.append(f"# Wanted: {quoted(work)}")
        lines += self._story(monologue)[-_MOST_LINES:]
        lines.append(f"# Failed: {quoted(trouble)}")
        return "\n".join([*lines, "# Next: "])

    def _story(self, monologue: Monologue) -> list[str]:
        """What was done for the request at hand, and what came of it."""
        told: list[str] = []
        cut = False
        for event in monologue.task():
            match event.record:
                case Outcome(ending=ending) if cut := ending == "interrupted":
                    pass  # somebody spoke; that says nothing about the step
                case Verdict(step, ok) if step.skill not in STEPS and not cut:
                    how = "worked" if ok else "did not work"
                    told.append(f"# It {how}: {quoted(step.words)}")
                case Outcome(step, report=report) if step.skill not in STEPS and report:
                    told.append(f"# Heard: {quoted(report)}")
                case _:
                    pass
        return told
