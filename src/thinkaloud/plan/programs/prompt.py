"""The pieces that the prompts of all programs consist of: what can be called, the lesson, and the current query.

All methods tell the same lesson; they differ in how much of it they show. The lesson is an introduction, so a model
trained on the form does not get it. Every model is told what this robot can do, what there is and what was asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.records import Plan, Request, WorldState
from thinkaloud.worlds import World


def render_functions(world: World, own: Sequence[str]) -> str:
    """Return one line with what a program may call: the skills, by their names in programs, and a few more."""
    lesson = lesson_of(world)
    skills = (
        f"{lesson.function}(first, second)"
        if lesson.function_of(skill.name) != skill.name
        else skill.signature.text().split("  ")[0]
        for skill in world.skills.values()
    )
    return f"# functions: {', '.join([*skills, *(f'{name}(text)' for name in own), 'noop()'])}"


def render_query(so_far: Sequence[str], monologue: Monologue) -> str:
    """Return the end of a prompt: what is known, the current query, and why the latest attempt was refused."""
    query = monologue.last(Request)
    assert query is not None
    refused = monologue.refusals()[-1:]
    feedback = [f"# refused: {_one_line(refusal.words)}: {refusal.why}" for refusal in refused]
    return "\n".join([*so_far, f"# query: {query.text}", *feedback]) + "\n"


def render_objects(state: WorldState) -> str:
    """Return the names of the things, as in code."""
    return f"# objects = {json.dumps(state.objects)}"


def find_earlier(monologue: Monologue) -> list[tuple[str, str]]:
    """Return the earlier queries, each with its program, without thoughts."""
    start = monologue.task_start()
    return [
        (event.record.goal, without_comments(event.record.verbatim))
        for event in monologue
        if event.index < start and isinstance(event.record, Plan) and event.record.verbatim
    ]


def render_earlier(earlier: Iterable[tuple[str, str]]) -> list[str]:
    """Return queries with their programs."""
    return [line for text, code in earlier for line in (f"# query: {text}", code)]


def without_comments(code: str, *, but: str = "") -> str:
    """Return a program without comments (and without calls of one function)."""
    lines = [
        line for line in code.splitlines() if not line.startswith("#") and not (but and line.startswith(f"{but}("))
    ]
    return "\n".join(lines) or "noop()"


def _one_line(text: str) -> str:
    return "; ".join(text.splitlines())[:200]
