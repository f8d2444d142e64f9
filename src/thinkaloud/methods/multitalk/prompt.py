"""The prompt of MultiTalk's planner: how to answer, the robot, and the dialogue about the current request.

The words are in `prompts.txt`, in the parts that the paper prints: what the planner is told first, its query, and what
each partner says. A file that gives the part `planner` without `Thought:`, such as the paper's, has its form: no
thought, and each reason after its action and a #.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thinkaloud.episode.approval import PERSON
from thinkaloud.language.calls import render_call, takes_point
from thinkaloud.methods.multitalk.dialogue_text import (
    HEADING,
    THOUGHT_LABEL,
    is_about_approval,
    is_ordered_look,
    known_things,
    render_action,
    render_environment,
    render_instructions,
    render_objections,
)
from thinkaloud.methods.multitalk.planner_answers import NO_ACTION_REQUIRED, QUESTIONS, RERUN
from thinkaloud.models import PromptForm, Prompts
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Done,
    Look,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Rehearsal,
    Request,
    Started,
)
from thinkaloud.skills.signatures import Signature
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of

ALONE = "Nobody is there to answer questions."
PROMPTS = PromptForm("thinkaloud.methods.multitalk")
PLANNER, QUERY = "planner", "planner query"
_OUTPUT = "Output:"
_KEPT = 2
"""How many refused plans the prompt contains."""
_TASK = "task"


def thinks(prompts: Prompts, part: str, words: Sequence[str] = ()) -> bool:
    """Whether an answer begins with a thought, as it does unless a file's own words for this role say nothing of it."""
    return not prompts.is_given(part) or THOUGHT_LABEL in prompts.text(part, words)


def begins_the_task(prompts: Prompts, words: Sequence[str] = ()) -> bool:
    """Whether a file's own first part holds the task, as the paper's does; then no query follows it."""
    return prompts.is_given(PLANNER) and f"<{_TASK}>" in prompts.text(PLANNER, words).lower()


def render_actions(world: World) -> str:
    """Return the robot's actions and what each does, line by line."""
    told = (skill.signature for skill in world.skills.values())
    return "\n".join(f"- {_signature(each)}: {' '.join(each.about.split())}" for each in told)


def render_query_values(robot: str, monologue: Monologue) -> Mapping[str, str]:
    """Return what the placeholders of a query about the current request stand for; `Task` is the paper's spelling."""
    seen = monologue.first(Observation, after=monologue.task_start())
    request = monologue.last(Request)
    task = "" if request is None else _flat(request.text)
    objects = "" if seen is None else render_environment(seen)
    return {"robot": robot.rstrip("\n"), "objects": objects, _TASK: task, _TASK.capitalize(): task}


def render_robot_description(world: World, *, asks: bool) -> str:
    """Return what must be known of this robot: where it stands, what it can do, and whether a person is there."""
    actions = ", ".join(_signature(skill.signature) for skill in world.skills.values())
    lines = [briefing_of(world).about, f"Actions: {actions}", "" if asks else ALONE]
    return "".join(f"{line}\n" for line in lines if line)


def render_names(world: World, scene: Observation) -> str:
    """Return what actions may name in addition to things in view, such as places: one line per kind of argument."""
    things, found = {*known_things(scene)}, dict[str, list[str]]()
    for skill in world.skills.values():
        for parameter in skill.signature.parameters:
            others = [name for name in parameter.options(scene.vocabulary) or () if name not in things]
            if others:
                found.setdefault(parameter.name, others)
    return "".join(f"{name}: {', '.join(others)}\n" for name, others in found.items())


def _signature(signature: Signature) -> str:
    names = [p.name if p.default is None else f"[{p.name}]" for p in signature.parameters]
    point = [f"({', '.join(names)})"]
    return render_call(signature.name, point if takes_point(signature) else names, str)


def render_dialogue(
    monologue: Monologue, robot: str = "", prompts: Prompts | None = None, words: Sequence[str] = ()
) -> str:
    """Return the dialogue about the current request, with every answer of the planner, up to where it continues."""
    told = prompts or PROMPTS.open()
    known = render_query_values(robot, monologue)
    lines = [] if begins_the_task(told, words) else told.text(QUERY, (), known).splitlines()
    forgotten, thought = _forgotten(monologue), thinks(told, PLANNER, words)
    for event in monologue.task():
        if event.index not in forgotten:
            lines += _lines(event, monologue, told, thought=thought)
    return "\n".join([*lines, ""])


def _forgotten(monologue: Monologue) -> set[int]:
    """Return the events about plans that were refused long ago; only the latest ones count."""
    events = monologue.task()
    plans = [event.index for event in events if isinstance(event.record, Plan) and event.record.steps]
    first = next((event.index for event in events if isinstance(event.record, Started)), len(monologue))
    old = [index for index in plans if index < first][:-_KEPT]
    refused = (Plan, Critique, Rehearsal, Refusal)
    return {e.index for e in events if old and old[0] <= e.index < plans[len(old)] and isinstance(e.record, refused)}


def _lines(event: Event, monologue: Monologue, prompts: Prompts, *, thought: bool) -> list[str]:
    """Return what an event adds to the dialogue."""

    def told(part: str, **values: str) -> list[str]:
        known = {name.replace("_", " "): value for name, value in values.items()}
        return prompts.text(part, (), known).splitlines()

    match event.record:
        case Plan(steps=steps, verbatim=words) if steps:
            return [*_thought(words), HEADING, *render_instructions(steps, reason_first=thought), ""]
        case Ask(questions, because, approval=False):
            asked = [f"{number}: {question}" for number, question in enumerate(questions, 1)]
            return [*_thought(because), QUESTIONS, *asked, ""]
        case Answer(text) if not is_about_approval(event, monologue):
            return told("human feedback", answers=_flat(text))
        case Look(because):
            return [*_thought(because if thought else ""), RERUN, ""]
        case Done(because, "finished" | "left off") if because:
            return [*_thought(because), NO_ACTION_REQUIRED, ""]
        case Observation() if is_ordered_look(event, monologue):
            return told("perception feedback", objects=render_environment(event.record))
        case Critique(violations, by) as critique if violations:
            if by == PERSON:
                return ["Human:", *render_objections(critique), _OUTPUT]
            return told("analyzer feedback", comments="\n".join(render_objections(critique)))
        case Rehearsal(feasible=False, step=step, error=error):
            where = "" if step is None else f"{step + 1}: "
            return told("simulator feedback", simulator_feedback=f"{where}{error}")
        case Refusal(role="planner", why=why, words=words):
            return [words.strip(), "", f"Not usable: {why}", _OUTPUT]
        case Outcome(step, "interrupted", report):
            return [f"Interrupted: {render_action(step)} {report}"]
        case _:
            return []


def _flat(text: str) -> str:
    """Return what a person said, in one line, because each line is one speaker."""
    return " ".join(text.split())


def _thought(thought: str) -> list[str]:
    return [f"{THOUGHT_LABEL} {thought}"] if thought else []
