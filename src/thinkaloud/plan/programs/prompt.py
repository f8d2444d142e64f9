"""The prompts of reader and baselines: the domain's rules, the lesson, and the conversation so far, in each style.

The paper's Prompts 10 and 11 have this shape. All styles tell the same lesson; they differ in what is seen of it. A
model that was trained with such prompts needs neither rules nor lesson: it gets the conversation alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Literal

from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.program import PICK_AND_PLACE, PUT
from thinkaloud.records import Plan, Request, WorldState
from thinkaloud.state.edit import at_first, remembered
from thinkaloud.state.lessons import Lesson, Turn, lesson_for
from thinkaloud.state.questions import Questions
from thinkaloud.state.statler import render
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of

Style = Literal["state", "unified", "history", "thoughts"]
Mode = Literal["plain", "query"]
NOTES = ("mark(things, word)", "weighs(thing, times, other)", "placed(things, target)")


def prompt(style: Style, mode: Mode, world: World, monologue: Monologue, *, trained: bool = False) -> str:
    """Everything up to where the program for the query at hand begins."""
    functions = tuple(_functions(world, style, mode))
    rules = briefing_of(world).rules
    shown = "" if trained else _shown(lesson_for(world.name), style, mode, rules, functions)
    query = monologue.last(Request)
    assert query is not None
    if mode == "query":  # the state is for the program to read
        so_far = [named(remembered(monologue)) if trained else _objects(remembered(monologue))]
    elif style in ("state", "unified"):
        so_far = [render(remembered(monologue))]
    else:
        so_far = [begins(style, at_first(monologue))]
        so_far += [line for text, code in earlier(monologue) for line in (f"# query: {text}", code)]
    refused = monologue.refusals()[-1:]
    feedback = [f"# refused: {_one_line(refusal.words)}: {refusal.why}" for refusal in refused]
    return shown + "\n".join([*so_far, f"# query: {query.text}", *feedback]) + "\n"


def earlier(monologue: Monologue) -> list[tuple[str, str]]:
    """The queries before the one at hand, each with its program, thoughts left out."""
    found: list[tuple[str, str]] = []
    start = monologue.task_start()
    for event in monologue:
        match event.record:
            case Plan(goal=text, verbatim=code) if event.index < start and code:
                found.append(
                    (text, "\n".join(line for line in code.splitlines() if not line.startswith("#")) or "noop()")
                )
            case _:
                pass
    return found


def _functions(world: World, style: Style, mode: Mode) -> list[str]:
    names = [
        f"{PUT}(first, second)" if skill.name == PICK_AND_PLACE else skill.signature.text().split("  ")[0]
        for skill in world.skills.values()
    ]
    if mode == "query":
        asked = [line.split("  ")[0] for line in Questions.signatures()]
        return [*names, "say(answer)", *NOTES, "update_wm(text)", "noop()", *asked]
    return [*names, "say(text)", "update_wm(text)" if style == "state" else "noop()"]


@cache
def _shown(lesson: Lesson, style: Style, mode: Mode, rules: str, functions: tuple[str, ...]) -> str:
    """The part that is the same for every query of a world."""
    told = list(lesson.told())
    lines = [*rules.splitlines(), "A program may call: " + ", ".join(functions), "==="]
    if mode == "query":
        lines.append(_objects(told[0][0]))
    elif style in ("history", "thoughts"):
        lines.append(begins(style, told[0][0]))
    for at, (before, turn, _) in enumerate(told):
        if mode == "plain" and style in ("state", "unified"):
            lines.append(render(before))
        lines.append(f"# query: {turn.query}")
        if style == "thoughts":
            lines += thoughts([each for _, each, _ in told[:at]])
        lines.append(_code(turn, style, mode))
    if style == "unified":
        lines.append(render(told[-1][2]))
    return "\n".join([*lines, "# ==="]) + "\n"


def thoughts(turns: Sequence[Turn]) -> list[str]:
    """What became of the world with each turn, one numbered line each."""
    changes = (turn.changes.replace("\n", ", ") or "nothing changes" for turn in turns)
    return [f"# {number}. {what}" for number, what in enumerate(changes, 1)]


def _code(turn: Turn, style: Style, mode: Mode) -> str:
    if mode == "query":
        return turn.program
    if style != "state":
        return turn.code or "noop()"
    return "\n".join(filter(None, [turn.code, f'update_wm("{turn.update}")' if turn.update else ""]))


def begins(style: Style, state: WorldState) -> str:
    """What there is at the beginning: only names, unless there is more to tell."""
    bare = not (state.relations or state.attributes or state.facts)
    return _objects(state) if style == "history" and bare else render(state)


def named(state: WorldState) -> str:
    """The names of what there is, and no more."""
    return f"# objects: {', '.join(state.objects)}"


def _objects(state: WorldState) -> str:
    return f"# objects = {json.dumps(state.objects)}"


def _one_line(text: str) -> str:
    return "; ".join(text.splitlines())[:200]
