"""`thinkaloud plan --edit`: change the plan in an editor, one call per line, then have it carried out.

pick_and_place("red block", "blue bowl")  # Pick the red block and place it on the blue bowl.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from thinkaloud.episode.plan_edits import BadEdit, WantedStep
from thinkaloud.records import Step, Value
from thinkaloud.skills import Skill
from thinkaloud.staging.options import RunOptions
from thinkaloud.untrusted.output import complain, printable, write_line
from thinkaloud.untrusted.python_text import parse_expression

if TYPE_CHECKING:
    from thinkaloud.agent import Agent
    from thinkaloud.models import Model

_HEAD = """\
# The plan for: {request}
# One step per line. Move, remove, change or add lines; what follows # is ignored.
# Skills: {skills}
"""
Edit = Callable[[str], str | None]
"""Has a person edit a text; None if they saved nothing."""
Confirm = Callable[[str], bool]


def edit_and_carry_out(
    request: str,
    wanted: RunOptions,
    *,
    model: Model | None = None,
    edit: Edit | None = None,
    confirm: Confirm | None = None,
) -> int:
    """Do this without the command line; returns the exit status."""
    from thinkaloud.cli.first_sign import end_first_sign
    from thinkaloud.cli.plan_lines import print_steps
    from thinkaloud.cli.shown_episode import ShownEpisode, opener_of, progress_of
    from thinkaloud.cli.views import open_view
    from thinkaloud.errors import BadInput
    from thinkaloud.staging.opening import lesson_book, open_episode, settings_for

    wanted, ask = replace(wanted, no_film=True), confirm or _confirm
    end_first_sign()
    view = open_view(wanted)

    async def work() -> int:
        chosen = settings_for(wanted)
        async with (
            progress_of(view) as told,
            open_episode(wanted, chosen, view=view, request=request, model=model, opener=opener_of(told)) as episode,
        ):
            agent, shown = episode.agent, ShownEpisode(episode, told)
            await shown.attend(agent.plan(request))
            if agent.ended() is not None or not agent.plan_ahead():
                print_steps(agent.monologue)
                return episode.interrupts.status or 1
            while await _edited(agent, request, edit or _edit):
                await shown.attend(agent.loop.plan())
                if agent.ended() is not None:
                    print_steps(agent.monologue)
                    return 1
                write_line("The plan is now:")
                print_steps(agent.monologue)
                if ask("Carry it out?"):
                    break
                if not ask("Change it again?"):
                    return 1
            else:
                if not ask("You changed nothing. Carry out the plan as it is?"):
                    return 1
            await shown.attend(agent.loop.run())
            status = await shown.finish()
            try:
                lesson = agent.latest_lesson()
            except BadInput:  # this preset does not read what people mean
                return status
            if status == 0 and ask("Remember this as what you mean by these words?"):
                lesson_book(chosen).keep(chosen.world, lesson)
            return status

    return asyncio.run(work())


async def _edited(agent: Agent, request: str, edit: Edit) -> bool:
    """Whether a person has changed the plan; what is not possible comes back to them, with the reason."""
    skills = agent.world.skills
    before = render_steps(agent.plan_ahead(), skills)
    text = _HEAD.format(request=printable(request), skills=", ".join(skills)) + before
    while True:
        saved = await asyncio.to_thread(edit, text)
        if saved is None or _without_comments(saved) == _without_comments(before):
            return False
        try:
            await agent.edit_plan(parse_steps(saved, skills))
        except BadEdit as error:
            complain(str(error))
            text = f"# {printable(str(error))}\n" + "".join(
                f"{line}\n" for line in saved.splitlines() if not line.startswith("# Step ")
            )
            continue
        return True


def render_steps(steps: Sequence[Step], skills: Mapping[str, Skill]) -> str:
    """Steps as calls, one per line, each with its sentence as a comment."""
    return "".join(f"{_call(step, skills)}  # {printable(step.words)}\n" for step in steps)


def _call(step: Step, skills: Mapping[str, Skill]) -> str:
    names = [p.name for p in skills[step.skill].signature.parameters if p.name in step.arguments]
    return f"{step.skill}({', '.join(_literal(step.arguments[name]) for name in names)})"


def _literal(value: Value) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if isinstance(value, str) else repr(value)


def parse_steps(text: str, skills: Mapping[str, Skill]) -> list[WantedStep]:
    """The calls in a text, line by line; BadEdit for a line that is none."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [_parse(number, line, skills) for number, line in enumerate(lines)]


def _parse(number: int, line: str, skills: Mapping[str, Skill]) -> WantedStep:
    try:
        call = parse_expression(line.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadEdit(number, f"{line.strip()[:60]!r} is not a call such as {_shape(skills)}.") from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise BadEdit(number, f"{line.strip()[:60]!r} is not a call such as {_shape(skills)}.")
    name = call.func.id
    if name not in skills:
        raise BadEdit(number, f"There is no skill {name[:40]!r}; there is: {', '.join(skills)}.")
    names = [p.name for p in skills[name].signature.parameters]
    if len(call.args) > len(names):
        raise BadEdit(number, f"{name} takes {len(names)} arguments, not {len(call.args)}.")
    given = [*zip(names, call.args, strict=False), *((k.arg or "", k.value) for k in call.keywords)]
    return WantedStep(name, {key: _value(number, node) for key, node in given})


def _value(number: int, node: ast.expr) -> Value:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        value = None
    if not isinstance(value, str | int | float):
        raise BadEdit(number, "An argument has to be a text in quotes, or a number.")
    return value


def _shape(skills: Mapping[str, Skill]) -> str:
    first = next(iter(skills.values())).signature
    return f"{first.name}({', '.join(p.name for p in first.parameters)})"


def _without_comments(text: str) -> list[str]:
    return [line.partition("  #")[0].strip() for line in text.splitlines() if line.strip() and line[0] != "#"]


def _edit(text: str) -> str | None:
    return click.edit(text, extension=".py")


def _confirm(question: str) -> bool:
    try:
        return click.confirm(question, err=True)
    except click.Abort:  # nobody is there
        return False
