"""An event as a line for people: who speaks, and what is said. All of it is plain text."""

from __future__ import annotations

from typing import Literal

from thinkaloud.own_steps import SAY, STEPS
from thinkaloud.records import (
    Answer,
    Ask,
    Begin,
    Critique,
    Decline,
    Done,
    End,
    Look,
    Meaning,
    ModelCall,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Rehearsal,
    Request,
    Resumed,
    Started,
    Stop,
    Verdict,
    WorldState,
)

Who = Literal["person", "robot", "thought", "question", "action", "good", "bad", "scene", "note"]
"""What a line is, so that it can be told apart at a glance."""


def line_of(record: Record) -> tuple[Who, str] | None:
    """A line, or None where there is nothing that people want to read."""
    match record:
        case Begin(world, preset, model, seed):
            return "note", f"{world}, seed {seed} · {preset} · {model}"
        case Resumed(because):
            return "note", f"Resumed: {because}"
        case Request(text) | Answer(text):
            return "person", text
        case Stop(because):
            return "person", f"Stop ({because})"
        case Meaning(words=words):
            return "thought", f"Understood: {words}"
        case Ask(questions):
            return "question", " ".join(questions)
        case Started(step) if step.skill == SAY:
            return "robot", str(step.arguments["text"])
        case Started(step) | Outcome(step) | Verdict(step) if step.skill in STEPS:
            return None
        case Started(step, correcting):
            return "action", step.words + (" (correcting)" if correcting else "")
        case _:
            return _thought(record) or _seen(record)


def _thought(record: Record) -> tuple[Who, str] | None:
    match record:
        case Plan(conditions=conditions, steps=steps, thought=thought):
            goal = f"The goal: {' '.join(each.words for each in conditions)}" if conditions else ""
            planned = " ".join(f"{i}. {step.words}" for i, step in enumerate(steps, 1)) if len(steps) > 1 else ""
            said = "\n".join(part for part in (goal, thought, planned) if part)
            return ("thought", said) if said else None
        case Look(because):
            return "thought", f"I look again: {because}"
        case Done(because):
            return "robot", because
        case Decline(why):
            return "robot", why
        case Refusal(role, words, why):
            return "note", f"Not usable, {role}: “{words.strip()}” {why}"
        case _:
            return None


def _seen(record: Record) -> tuple[Who, str] | None:
    match record:
        case Critique(violations):
            found = " ".join(each.why for each in violations)
            return ("bad", f"Critic: {found}") if found else ("good", "Critic: no objections")
        case Rehearsal(feasible, _, error):
            return ("good", "Rehearsal: it would work") if feasible else ("bad", f"Rehearsal: {error}")
        case Outcome(_, ending, report):
            return "note", report if ending == "completed" else f"{ending}: {report}"
        case Verdict(_, ok, _, expected, observed, why):
            told = " ".join(part for part in (observed, why) if part)
            return ("good", f"✓ {expected or 'yes'}") if ok else ("bad", f"✗ {told or 'no'}")
        case WorldState(changes=changes):
            return ("scene", "Memory: " + " ".join(each.what for each in changes)) if changes else None
        case Observation(objects):
            return "scene", f"In view: {', '.join(objects)}" if objects else "Nothing in view"
        case ModelCall(role, model, prompt, generated):
            return "note", f"{role} ({model}): {prompt} tokens read, {generated} written"
        case End(result, because):
            return ("good" if result in ("goal met", "answered") else "bad"), f"{result}: {because}"
        case _:
            return None
