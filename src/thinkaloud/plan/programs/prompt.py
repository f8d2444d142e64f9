"""The pieces that the prompts of all programs are made of: what there is to call, the lesson, the query at hand.

All methods tell the same lesson; they differ in what is seen of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.lessons import lesson_of
from thinkaloud.records import Request, WorldState
from thinkaloud.worlds import World


def render_skills(world: World) -> list[str]:
    """How each skill is called in a program; the one that puts things somewhere by what it does with them."""
    lesson = lesson_of(world)
    return [
        f"{lesson.function}(first, second)"
        if lesson.function_of(skill.name) != skill.name
        else skill.signature.text().split("  ")[0]
        for skill in world.skills.values()
    ]


def render_lesson(rules: str, functions: Iterable[str], conversation: Iterable[str]) -> str:
    """The part of a prompt that is the same for every query of a world."""
    start = [*rules.splitlines(), "A program may call: " + ", ".join(functions), "==="]
    return "\n".join([*start, *conversation, "# ==="]) + "\n"


def render_query(so_far: Sequence[str], monologue: Monologue) -> str:
    """The end of a prompt: what is known, the query at hand, and why the latest try was refused."""
    query = monologue.last(Request)
    assert query is not None
    refused = monologue.refusals()[-1:]
    feedback = [f"# refused: {_one_line(refusal.words)}: {refusal.why}" for refusal in refused]
    return "\n".join([*so_far, f"# query: {query.text}", *feedback]) + "\n"


def render_objects(state: WorldState) -> str:
    """The names of what there is, as code has them."""
    return f"# objects = {json.dumps(state.objects)}"


def _one_line(text: str) -> str:
    return "; ".join(text.splitlines())[:200]
