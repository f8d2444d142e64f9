"""What ITP's planner reads and writes: the guidelines, the conversation, and answers in one form.

    Request: I want taro milk with boba.
    Thought: Wanted: boba (available), taro (available), milk (available). All is left to do.
    Material: boba, taro, milk
    Steps:
    0) take an empty cup to the working area
    …

Instead of material and steps, an answer may say what is not available, that nothing is left to do, or why not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud.errors import Unparseable
from thinkaloud.models import grammar as gbnf

PLANNER_STOPS = ("\n\n", "\nRequest:", "\nNew request:")
NOT_AVAILABLE, DECLINED, NO_STEPS_LEFT = "Not available", "Declined", "Nothing left"
_THOUGHT, _LINE = r"[^\n]{1,700}", r"[^\n]{2,160}"
_NUMBERED = re.compile(r"^\s*\d+\s*[).:]\s*(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PlannerAnswer:
    """A planner's answer: a list of steps, or else an `ending` and why."""

    thought: str = ""
    material: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    ending: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        """The part before the steps, as it is shown in later prompts."""
        thought = [f"Thought: {self.thought}"] if self.thought else []
        return "\n".join([*thought, f"Material: {', '.join(self.material)}"])


def render_request(text: str, completed: Sequence[str] = (), *, new: bool = False) -> str:
    """Return a request as it appears in the conversation, after what has been done so far."""
    done = ["Completed steps:", *render_numbered(completed), ""] if completed else []
    return "\n".join([*done, f"{'New request' if new else 'Request'}: {text}"]) + "\n"


def render_list(words: str, lines: Sequence[str], first: int = 0) -> str:
    """Return an answer with steps: the part before them, and the steps, numbered on from the completed ones."""
    return "\n".join([words, "Steps:", *render_numbered(lines, first)]) + "\n\n"


def render_numbered(lines: Sequence[str], first: int = 0) -> list[str]:
    """Return numbered lines, as in guidelines."""
    return [f"{number}) {line}" for number, line in enumerate(lines, first)]


def planner_answer_grammar(most: int) -> str:
    """Return the grammar of an answer with up to this many steps, in any words."""
    steps = f'step ("\\n" step){{0,{most - 1}}} "\\n\\n"'
    listed = gbnf.sequence(gbnf.literal("Material: "), _LINE, gbnf.literal("\nSteps:\n"), steps)
    endings = (
        gbnf.sequence(gbnf.literal(f"{each}: "), _LINE, gbnf.literal("\n\n"))
        for each in (NOT_AVAILABLE, DECLINED, NO_STEPS_LEFT)
    )
    root = gbnf.sequence(gbnf.literal("Thought: "), _THOUGHT, gbnf.literal("\n"), gbnf.choice([listed, *endings]))
    return gbnf.grammar(root, {"step": f'[0-9]{{1,2}} ") " {_LINE}'})


def read_answer(text: str, known: Sequence[str] = ()) -> PlannerAnswer:
    """Parse an answer in the form, or nearly in it; Unparseable if it neither lists steps nor says why not.

    `known` are names of material: a name with an `and` in it is two things, unless it is one of these.
    """
    thought = _after("Thoughts?", text)
    lines = tuple(_NUMBERED.findall(text))
    for ending in (NOT_AVAILABLE, DECLINED, NO_STEPS_LEFT):
        if not lines and (why := _after(ending, text)):
            return PlannerAnswer(thought, ending=ending, why=why)
    if not lines:
        raise Unparseable("This lists no steps; write them as 0) …, 1) …", text)
    return PlannerAnswer(thought, tuple(read_material(text, known)), lines)


def _after(heading: str, text: str) -> str:
    found = re.search(rf"^\W*{heading}\W*:[ \t*]*(.+)$", text, re.MULTILINE | re.IGNORECASE)
    return found[1].strip() if found else ""


def read_material(text: str, known: Sequence[str] = ()) -> list[str]:
    """Return the material that a plan says it needs."""
    names = {name.lower() for name in known}
    listed = [name.strip(" .*") for name in re.split(r"[,;]", _after("Materials?", text))]
    each = [[name] if name.lower() in names else re.split(r"\band\b", name) for name in listed]
    found = dict.fromkeys(name.strip(" .*") for parts in each for name in parts)
    return [name for name in found if name.lower() not in ("", "none", "nothing")]
