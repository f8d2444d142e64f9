"""The monologue as Inner Monologue's prompt (the paper's Listing 1): one line per thing seen, heard, thought or done.

    Scene: There is a red block, a blue block, a green bowl.
    Human: Put the red block in the green bowl.
    Robot thought: Goal state is ["Red block is on the green bowl."].
    Robot action: Pick the red block and place it on the green bowl.
    Scene: You have completed ["Red block is on the green bowl."].
    Robot thought: None.

Lines are only ever added at the end. Which feedback the planner gets to read is the variant's choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Condition,
    Done,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Request,
    Started,
    Verdict,
)

Feedback = Literal["object", "success", "object+success", "object+scene"]
NOTHING_LEFT, DONE_LINE = "None.", "Done."
"""The thought and the action that say that the task is over."""
GOAL, SAY_PREFIX = "Goal state is ", "Say: "
"""What a thought that states a goal begins with, and an action that only speaks."""
IDLE = "There is nothing for me to do."
"""What a person is told if the model says that it is done before it has begun."""
_FEW = 4
"""How many conditions a thought may contain."""


def render_in_view(objects: Sequence[str]) -> str:
    """Return the Scene line about the objects in view."""
    if not objects:
        return "Scene: There is nothing."
    kinds: dict[str, list[str]] = {}
    for name in objects:
        *words, noun = name.split()
        kinds.setdefault(noun, []).append(" ".join(words))
    groups = [f"{', '.join(filter(None, which))} {noun}".strip() for noun, which in kinds.items()]
    return f"Scene: There is a {', and a '.join(groups)}."


def _render_progress(conditions: Sequence[Condition]) -> str:
    """Return the Scene line about progress."""
    return f"Scene: You have completed [{_quoted([condition.words for condition in conditions])}]."


def render_goal(sentences: Sequence[str]) -> str:
    """Return the thought that states the goal."""
    return f"{GOAL}[{_quoted(sentences)}]."


def render_open(conditions: Sequence[Condition]) -> str:
    """Return the thought that says which conditions of the goal do not hold yet; only the first, if there are many."""
    return " ".join(_denied(condition.words) for condition in conditions[:_FEW])


def _denied(sentence: str) -> str:
    before, verb, after = sentence.partition(" is ")
    return f"{before} is not {after}" if verb else f"Not yet: {sentence}"


def render_end(feedback: Feedback) -> str:
    """Return the line that says that nothing is left to do."""
    return f"Robot thought: {NOTHING_LEFT}" if feedback == "object+scene" else f"Robot action: {DONE_LINE}"


def _quoted(sentences: Sequence[str]) -> str:
    return ", ".join(f'"{sentence}"' for sentence in sentences)


@dataclass(frozen=True)
class Transcript:
    """Renders a monologue for a variant of the planner."""

    feedback: Feedback

    def lines(self, monologue: Monologue) -> list[str]:
        """Return everything so far, one line each."""
        return [line for _, line in self.worded(monologue)]

    def worded(self, monologue: Monologue) -> list[tuple[int, str]]:
        """Return everything so far: each line, and the index of the event that it tells."""
        lines: list[tuple[int, str]] = []
        in_view: tuple[str, ...] | None = None
        moved = False
        for event in monologue:
            said: list[str] = []
            match event.record:
                case Request(text):
                    # As in the paper, the scene comes before the request, although it is looked at afterwards.
                    at = monologue.first_where(Observation, after=event.index)
                    scene = monologue.first(Observation, after=event.index)
                    if at is not None and scene is not None and scene.objects != in_view:
                        in_view = scene.objects
                        lines.append((at, render_in_view(in_view)))
                    said = [f"Human: {text}"]
                    moved = False
                case Answer(text):
                    said = [f"Human: {text}"]
                case Ask(questions):
                    said = [f"Robot ask: {question}" for question in questions]
                case Plan(verbatim=thought) if thought and self.feedback == "object+scene":
                    said = [f"Robot thought: {thought}"]
                case Started(step):
                    said = [f"Robot action: {step.words}"]
                    moved = True
                case Outcome(_, "failed", report):
                    said = [f"Scene: That was not possible. {report}"]
                case Verdict(ok=ok) if self.feedback in ("object+success", "success"):
                    said = [f"Success: {'yes' if ok else 'no'}."]
                case Observation(objects=objects, achieved=achieved):
                    if self.feedback != "success" and in_view is not None and objects != in_view:
                        said = _changes(in_view, objects)
                        in_view = objects
                    if self.feedback == "object+scene" and (achieved or (moved and achieved is not None)):
                        said = [*said, _render_progress(achieved)]
                case Done(because, "answered") if because != IDLE:
                    thinks = self.feedback == "object+scene"
                    said = [f"Robot thought: {because}" if thinks else f"Robot action: {SAY_PREFIX}{because}"]
                case Done():
                    said = [render_end(self.feedback)]
                case Refusal(_, words, why):
                    said = [*words.splitlines(), f"Scene: That is not possible. {why}"]
                case _:
                    pass
            lines += [(event.index, line) for line in said]
        return lines


def _changes(before: Sequence[str], now: Sequence[str]) -> list[str]:
    gone = [name for name in before if name not in now]
    back = [name for name in now if name not in before]
    lines = [f"Scene: You no longer see the {' and the '.join(gone)}."] if gone else []
    return lines + ([f"Scene: You now see the {' and the '.join(back)}."] if back else [])
