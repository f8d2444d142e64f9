"""The prompt of MultiTalk's planner: what the robot is and can do, and the dialogue about the request at hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from thinkaloud.calls import render_call, takes_point
from thinkaloud.methods.multitalk.dialogue import (
    HEADING,
    is_ordered_look,
    render_action,
    render_environment,
    render_instructions,
    render_objections,
)
from thinkaloud.methods.multitalk.instructions import QUESTIONS, RERUN
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Look,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Rehearsal,
    Request,
    Started,
)
from thinkaloud.signatures import Signature
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of

LineForm = Literal["known", "free"]
"""Said in words that the world knows, one after another; or written all at once, with whatever numbers."""
_OUTPUT, THOUGHT = "Output:\n", "Thought: "
_KEPT = 2
"""How many refused plans are remembered."""


def render_introduction(world: World, asks: bool, lines: LineForm) -> Iterator[str]:
    """Who is asked, what the robot can do, and which answers there are, line by line."""
    yield "You are in command of a robot. Split each task into actions that it carries out one after another."
    yield briefing_of(world).about
    yield "\nActions:"
    for skill in world.skills.values():
        yield f"- {_signature(skill.signature)}: {' '.join(skill.signature.about.split())}"
    yield "\nAnswers:"
    order = "what is to be done in words and the action" if lines == "known" else "an action and, after #, the reason"
    yield f"- {HEADING} and then in each line a number, {order}."
    if asks:
        yield f"- {QUESTIONS} and then numbered questions, if it is not said what to use or where to put it, or if the"
        yield "  task cannot be done and the person has to change it. Ask only for what you have to know."
    else:
        yield "- Nobody is there to answer questions: go ahead with your own interpretation."
    yield f"- {RERUN}, if something that the task needs is not in the environment. Never make things up.\n"


def _signature(signature: Signature) -> str:
    names = [p.name if p.default is None else f"[{p.name}]" for p in signature.parameters]
    point = [f"({', '.join(names)})"]
    return render_call(signature.name, point if takes_point(signature) else names, str)


def render_dialogue(monologue: Monologue, words_first: bool = False) -> str:
    """The dialogue about the request at hand, with every answer that the planner gave, up to where it goes on."""
    lines: list[str] = []
    seen = monologue.first(Observation, after=monologue.task_start())
    if seen is not None:
        lines += ["Environment:", render_environment(seen)]
    forgotten = _forgotten(monologue)
    for event in monologue.task():
        if event.index not in forgotten:
            lines += _lines(event, monologue, words_first)
    return "\n".join(lines) + "\n"


def _forgotten(monologue: Monologue) -> set[int]:
    """Plans that were refused long ago, with what was said to them: what counts are the latest."""
    events = monologue.task()
    plans = [event.index for event in events if isinstance(event.record, Plan) and event.record.steps]
    first = next((event.index for event in events if isinstance(event.record, Started)), len(monologue))
    old = [index for index in plans if index < first][:-_KEPT]
    refused = (Plan, Critique, Rehearsal, Refusal)
    return {e.index for e in events if old and old[0] <= e.index < plans[len(old)] and isinstance(e.record, refused)}


def _lines(event: Event, monologue: Monologue, words_first: bool) -> list[str]:
    """What an event adds to the dialogue."""
    match event.record:
        case Request(text):
            return [f"Task: {text}", _OUTPUT.strip()]
        case Plan(steps=steps) if steps:
            return [
                *_thought(event.record.verbatim, words_first),
                HEADING,
                *render_instructions(steps, words_first=words_first),
                "",
            ]
        case Ask(questions):
            asked = [f"{number}: {question}" for number, question in enumerate(questions, 1)]
            return [*_thought(event.record.because, words_first), QUESTIONS, *asked, ""]
        case Answer(text):
            return [f"Answers: {text}", _OUTPUT.strip()]
        case Look(because):
            return [*_thought(because, words_first), RERUN, ""]
        case Observation() if is_ordered_look(event, monologue):
            return ["Environment now:", render_environment(event.record), _OUTPUT.strip()]
        case Critique(violations) as critique if violations:
            return ["Analyzer:", *render_objections(critique), _OUTPUT.strip()]
        case Rehearsal(feasible=False, step=step, error=error):
            return [f"Simulator: {'' if step is None else f'{step + 1}: '}{error}", _OUTPUT.strip()]
        case Refusal(role="planner", why=why, words=words):
            return [words.strip(), "", f"Not usable: {why}", _OUTPUT.strip()]
        case Outcome(step, "interrupted", report):
            return [f"Interrupted: {render_action(step)} {report}"]
        case _:
            return []


def _thought(thought: str, told: bool) -> list[str]:
    return [THOUGHT + thought] if told and thought else []
