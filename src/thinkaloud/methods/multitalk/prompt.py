"""The prompt of MultiTalk's planner: how to answer, the robot, and the dialogue about the current request."""

from __future__ import annotations

from collections.abc import Iterator

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
_OUTPUT = "Output:"
_KEPT = 2
"""How many refused plans the prompt contains."""


def render_introduction(world: World, *, asks: bool, looks: bool) -> Iterator[str]:
    """Yield how to answer, line by line: the constant part, for models that were not trained on it."""
    yield "You are in command of a robot. Split each task into actions that it carries out one after another."
    yield f"First say after {THOUGHT_LABEL} what is to be moved, where it is and where it goes, and what is in the way."
    yield "Then comes one of these answers:"
    yield f"- {HEADING} and then in each line a number, the reason, a colon and the action."
    yield "  Take coordinates from the environment and from what was said. What stands where something is put has to be"
    yield "  put aside first, at a free place, far from other objects."
    if asks:
        yield f"- {QUESTIONS} and then numbered questions in your own words, if it is not said what to use or where"
        yield "  to put it, or if the task cannot be done and the person has to change it. Ask what you have to know."
    if looks:
        yield f"- {RERUN}, if something that the task needs is not in the environment. Never make things up."
    yield f"- {NO_ACTION_REQUIRED}, if nothing has to be done, or the person does not want it any more."
    yield "The actions are:"
    for skill in world.skills.values():
        yield f"- {_signature(skill.signature)}: {' '.join(skill.signature.about.split())}"
    yield ""


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


def render_dialogue(monologue: Monologue) -> str:
    """Return the dialogue about the current request, with every answer of the planner, up to where it continues."""
    lines: list[str] = []
    seen = monologue.first(Observation, after=monologue.task_start())
    if seen is not None:
        lines += ["Environment:", render_environment(seen)]
    forgotten = _forgotten(monologue)
    for event in monologue.task():
        if event.index not in forgotten:
            lines += _lines(event, monologue)
    return "\n".join(lines) + "\n"


def _forgotten(monologue: Monologue) -> set[int]:
    """Return the events about plans that were refused long ago; only the latest ones count."""
    events = monologue.task()
    plans = [event.index for event in events if isinstance(event.record, Plan) and event.record.steps]
    first = next((event.index for event in events if isinstance(event.record, Started)), len(monologue))
    old = [index for index in plans if index < first][:-_KEPT]
    refused = (Plan, Critique, Rehearsal, Refusal)
    return {e.index for e in events if old and old[0] <= e.index < plans[len(old)] and isinstance(e.record, refused)}


def _lines(event: Event, monologue: Monologue) -> list[str]:
    """Return what an event adds to the dialogue."""
    match event.record:
        case Request(text):
            return [f"Task: {_flat(text)}", _OUTPUT]
        case Plan(steps=steps, verbatim=thought) if steps:
            return [*_thought(thought), HEADING, *render_instructions(steps), ""]
        case Ask(questions, because, approval=False):
            asked = [f"{number}: {question}" for number, question in enumerate(questions, 1)]
            return [*_thought(because), QUESTIONS, *asked, ""]
        case Answer(text) if not is_about_approval(event, monologue):
            return [f"Answers: {_flat(text)}", _OUTPUT]
        case Look(because):
            return [*_thought(because), RERUN, ""]
        case Done(because, "finished" | "left off") if because:
            return [*_thought(because), NO_ACTION_REQUIRED, ""]
        case Observation() if is_ordered_look(event, monologue):
            return ["Environment now:", render_environment(event.record), _OUTPUT]
        case Critique(violations, by) as critique if violations:
            return ["Human:" if by == PERSON else "Analyzer:", *render_objections(critique), _OUTPUT]
        case Rehearsal(feasible=False, step=step, error=error):
            return [f"Simulator: {'' if step is None else f'{step + 1}: '}{error}", _OUTPUT]
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
